// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

func (a *app) corednsCommand() *cobra.Command {
	var paths []string
	cmd := &cobra.Command{
		Use:     "coredns [-f PROFILES]",
		GroupID: groupCluster,
		Short:   "Say what makes CoreDNS run on Fargate",
		Long: `Say what makes CoreDNS run on Fargate: a profile must take its pods, and they must not opt
out, as those that EKS ships do. There are two ways, for CoreDNS as EKS installs it and for
the add-on. Both change nothing where they were done before.

The profiles are those of the files or, without any, those of --cluster.`,
		Example: example(
			"fargatectl coredns -f cluster.yaml",
			"fargatectl coredns --cluster demo -o json",
		),
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.coredns(cmd.Context(), paths) },
	}
	filesFlag(cmd, &paths, "the profiles")
	formats(cmd, output.Table, output.JSON, output.YAML)
	return cmd
}

// corednsAdvice is what makes CoreDNS run on Fargate.
type corednsAdvice struct {
	// Covered says whether a profile takes CoreDNS once it does not opt out.
	Covered  bool              `json:"covered"`
	Profile  *string           `json:"profile"`
	Selector selector.Selector `json:"selector"` // one that would take it
	// Patch is a strategic merge patch for the Deployment.
	Patch        json.RawMessage `json:"patch"`
	PatchCommand string          `json:"patchCommand"`
	// ConfigurationValues are those of the add-on, as text, as the EKS API takes them.
	ConfigurationValues string `json:"configurationValues"`
	AddonCommand        string `json:"addonCommand"`
}

// What turns the opt-out off. A null in a patch removes what is there, and nothing
// where nothing is. The add-on writes Fargate with a capital letter, unlike the label
// of nodes.
const (
	corednsPatch  = `{"spec":{"template":{"metadata":{"annotations":{"` + selector.ComputeTypeAnnotation + `":null}}}}}`
	corednsValues = `{"computeType":"Fargate"}`
)

func (a *app) coredns(ctx context.Context, paths []string) error {
	profiles, cluster, err := a.profilesToJudge(ctx, paths)
	if err != nil {
		return err
	}
	matcher, err := selector.Compile(profiles...)
	if err != nil {
		return advise(err, "give each profile of a cluster a name of its own")
	}
	advice := adviseCoreDNS(matcher, cluster)
	if done, err := a.encoded(advice); done || err != nil {
		return err
	}
	a.showCoreDNS(advice)
	return nil
}

func adviseCoreDNS(m *selector.Matcher, cluster string) corednsAdvice {
	pod := selector.CoreDNS()
	delete(pod.Annotations, selector.ComputeTypeAnnotation)
	advice := corednsAdvice{
		Selector:            selector.Selector{Namespace: pod.Namespace, Labels: map[string]string{"k8s-app": "kube-dns"}},
		Patch:               json.RawMessage(corednsPatch),
		PatchCommand:        "kubectl -n kube-system patch deployment coredns --type strategic -p '" + corednsPatch + "'",
		ConfigurationValues: corednsValues,
		AddonCommand: fmt.Sprintf("aws eks update-addon --cluster-name %s --addon-name coredns --configuration-values '%s'",
			orWord(cluster, "CLUSTER"), corednsValues),
	}
	if match := m.Match(pod); match.Profile != "" {
		advice.Covered, advice.Profile = true, &match.Profile
	}
	return advice
}

func orWord(text, word string) string {
	if text == "" {
		return word
	}
	return text
}

func (a *app) showCoreDNS(c corednsAdvice) {
	style := a.style()
	if c.Covered {
		a.say("1. %s: profile %s takes the pods of CoreDNS\n", style.Severity("ok", "done"), *c.Profile)
	} else {
		a.say("1. %s: no profile takes the pods of CoreDNS; add the selector %s to one\n", style.Bad("missing"), selectorText(c.Selector))
	}
	a.say("2. the pods must not opt out. Either, for CoreDNS as EKS installs it:\n\n    %s\n\n", c.PatchCommand)
	a.say("   or, for the add-on:\n\n    %s\n\n", c.AddonCommand)
	a.say("   (it replaces all configuration values: add those that the add-on has already)\n\n")
	a.say("Both make the pods anew, one after the other, and change nothing where they were done before.\n")
}

// profilesToJudge are the profiles of the files or, without any, those of a cluster,
// and the name of the cluster, as far as it is known.
func (a *app) profilesToJudge(ctx context.Context, paths []string) (profiles []selector.Profile, cluster string, err error) {
	if len(paths) == 0 && a.cluster == "" {
		return nil, "", errNoProfiles()
	}
	if len(paths) > 0 {
		set, err := a.resolveProfiles(paths)
		return selectorProfiles(set.Specs()), set.Cluster, err
	}
	err = a.withCloud(ctx, func(cloud *connect.Cloud) error {
		observed, err := a.observe(ctx, cloud, a.cluster)
		for _, o := range observed {
			if a.takesPods(o) {
				profiles = append(profiles, selector.Profile{Name: o.Spec.Name, Selectors: o.Spec.Selectors})
			}
		}
		return err
	})
	return profiles, a.cluster, err
}

func errNoProfiles() error {
	return failure("name them with -f FILE, or the cluster that has them with --cluster NAME", "no profiles are given")
}

// takesPods reports whether EKS gives new pods to a profile, and tells what keeps it
// from that or them from running.
func (a *app) takesPods(o fargate.Observed) bool {
	active := o.Status == fargate.StatusActive
	if !active {
		a.note("note:", fmt.Sprintf("profile %s is %s: no pod goes there unless it is ACTIVE", o.Spec.Name, o.Status))
	}
	for _, issue := range o.Issues {
		a.note("note:", "profile "+o.Spec.Name+": "+issue.String())
	}
	return active
}
