// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package crdcheck_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/meta"
	validateobject "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celbudget "k8s.io/apiserver/pkg/apis/cel"
	_ "sigs.k8s.io/cluster-api-provider-aws/v2/version" // keeps its module among ours
	"sigs.k8s.io/yaml"
)

const (
	providerModule = "sigs.k8s.io/cluster-api-provider-aws/v2"
	definitionFile = "config/crd/bases/infrastructure.cluster.x-k8s.io_awsfargateprofiles.yaml"
)

// definition is a custom resource definition and what an API server makes of each
// version that it serves.
type definition struct {
	*apiextensionsv1.CustomResourceDefinition
	versions map[string]version
}

type version struct {
	structural *schema.Structural
	values     validation.SchemaValidator
	rules      *cel.Validator // nil where the definition has none
}

// published reads the definition from the provider's module.
func published(t *testing.T) *definition {
	t.Helper()
	folder, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", providerModule).Output()
	if err != nil {
		t.Fatalf("asking where the module %s is: %v", providerModule, err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), definitionFile))
	if err != nil {
		t.Fatal(err)
	}
	d, err := define(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// define reads a definition.
func define(text []byte) (*definition, error) {
	d := &definition{CustomResourceDefinition: &apiextensionsv1.CustomResourceDefinition{}, versions: map[string]version{}}
	if err := yaml.UnmarshalStrict(text, d.CustomResourceDefinition); err != nil {
		return nil, err
	}
	for _, v := range d.Spec.Versions {
		if !v.Served {
			continue
		}
		compiled, err := compile(v)
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", v.Name, err)
		}
		d.versions[d.Spec.Group+"/"+v.Name] = compiled
	}
	return d, nil
}

func compile(v apiextensionsv1.CustomResourceDefinitionVersion) (version, error) {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, &internal, nil); err != nil {
		return version{}, err
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		return version{}, err
	}
	if faults := schema.ValidateStructural(nil, structural); len(faults) > 0 {
		return version{}, faults.ToAggregate()
	}
	values, _, err := validation.NewSchemaValidator(&internal)
	return version{structural, values, cel.NewValidator(structural, true, celbudget.PerCallLimit)}, err
}

// refuses lists why an API server would not take an object, or would not take all of
// it. It changes the object.
func (d *definition) refuses(ctx context.Context, object map[string]any) []string {
	u := &unstructured.Unstructured{Object: object}
	v, served := d.versions[u.GetAPIVersion()]
	if !served || u.GetKind() != d.Spec.Names.Kind {
		return []string{fmt.Sprintf("%s %s is not served", u.GetAPIVersion(), u.GetKind())}
	}
	var refused []string
	unknown := pruning.PruneWithOptions(object, v.structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	for _, path := range unknown {
		refused = append(refused, path+": unknown field")
	}
	for _, fault := range v.faults(ctx, u) {
		refused = append(refused, fault.Error())
	}
	return slices.Sorted(slices.Values(refused))
}

func (v version) faults(ctx context.Context, u *unstructured.Unstructured) field.ErrorList {
	object := any(u.Object)
	accessor, err := meta.Accessor(u)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	accessor.SetNamespace("clusters") // that of the request, where the object names none
	faults := validateobject.ValidateObjectMetaAccessor(accessor, true, validateobject.NameIsDNSSubdomain, field.NewPath("metadata"))
	faults = append(faults, validation.ValidateCustomResource(nil, object, v.values)...)
	faults = append(faults, listtype.ValidateListSetsAndMaps(nil, v.structural, u.Object)...)
	if v.rules != nil {
		broken, _ := v.rules.Validate(ctx, nil, v.structural, object, nil, celbudget.RuntimeCELCostBudget)
		faults = append(faults, broken...)
	}
	return faults
}
