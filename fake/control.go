// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	controlPath = "/_fake/"
	motoReset   = "/moto-api/reset"

	// maxSnapshot is the most that the body of a restore may hold: 64 MiB.
	maxSnapshot = 64 << 20
)

// controlFunc does one thing that Go programs do with methods of Cloud, and
// returns what to answer.
type controlFunc func(c *Cloud, query url.Values, body []byte) (any, error)

// controls lists the control API by method and name.
func controls() map[string]controlFunc {
	return map[string]controlFunc{
		"POST reset":      controlReset,
		"POST advance":    controlAdvance,
		"POST fault":      controlFault,
		"DELETE fault":    controlCalm,
		"POST chaos":      controlChaos,
		"POST policy":     controlPolicy,
		"GET snapshot":    controlSnapshot,
		"POST restore":    controlRestore,
		"GET calls":       controlCalls,
		"POST pod":        controlRunPod,
		"DELETE pod":      controlDeletePod,
		"GET pods":        controlPods,
		"GET events":      controlEvents,
		"POST cluster":    controlCluster,
		"POST profile":    controlProfile,
		"POST role":       controlRole,
		"POST subnet":     controlSubnet,
		"GET operations":  controlOperations,
		"GET permissions": controlPermissions,
		"GET inventory":   controlInventory,
	}
}

// isControl reports whether a request is for the control API.
func (c *Cloud) isControl(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, controlPath) || c.opts.Lenient && r.URL.Path == motoReset
}

// control answers a request to the control API.
func (c *Cloud) control(r *http.Request) wireReply {
	name := r.Method + " " + strings.TrimPrefix(r.URL.Path, controlPath)
	if r.URL.Path == motoReset {
		name = r.Method + " reset"
	}
	do := controls()[name]
	if do == nil {
		known := strings.Join(slices.Sorted(maps.Keys(controls())), ", ")
		return controlError(http.StatusNotFound, fmt.Errorf("%s is not part of the control API: %s", name, known))
	}
	body, err := readUpTo(r.Body, maxSnapshot)
	if err != nil {
		return controlError(http.StatusRequestEntityTooLarge, err)
	}
	answer, err := do(c, r.URL.Query(), body)
	if err != nil {
		return controlError(http.StatusBadRequest, err)
	}
	return jsonReply(http.StatusOK, "", answer)
}

func controlError(status int, err error) wireReply {
	return jsonReply(status, "", map[string]string{"message": err.Error()})
}

// decodeControl reads a body strictly: a misspelt member is an error.
func decodeControl(body []byte, into any) error {
	if err := unmarshalStrictly(body, into); err != nil {
		return fmt.Errorf("reading the body: %w", err)
	}
	return nil
}

func controlReset(c *Cloud, _ url.Values, _ []byte) (any, error) {
	c.Reset()
	return map[string]string{"status": "ok"}, nil
}

func controlAdvance(c *Cloud, _ url.Values, body []byte) (any, error) {
	var in struct {
		Duration durationText `json:"duration"`
	}
	if err := decodeControl(body, &in); err != nil {
		return nil, err
	}
	c.Advance(time.Duration(in.Duration))
	return map[string]time.Time{"now": c.Now()}, nil
}

// controlFault takes one fault or a list.
func controlFault(c *Cloud, _ url.Values, body []byte) (any, error) {
	var in oneOrMore[Fault]
	if err := decodeControl(body, &in); err != nil {
		return nil, err
	}
	c.Inject(in...)
	return struct{}{}, nil
}

func controlCalm(c *Cloud, _ url.Values, _ []byte) (any, error) {
	c.ClearFaults()
	return struct{}{}, nil
}

func controlChaos(c *Cloud, _ url.Values, body []byte) (any, error) {
	var in ChaosOptions
	if err := decodeControl(body, &in); err != nil {
		return nil, err
	}
	return map[string]uint64{"seed": c.Chaos(in)}, nil
}

func controlPolicy(c *Cloud, _ url.Values, body []byte) (any, error) {
	var in struct {
		Caller   string `json:"caller"`
		Document string `json:"document"`
	}
	if err := decodeControl(body, &in); err != nil {
		return nil, err
	}
	return struct{}{}, c.SetPolicy(in.Caller, in.Document)
}

func controlSnapshot(c *Cloud, _ url.Values, _ []byte) (any, error) {
	text, err := c.Snapshot()
	return json.RawMessage(text), err
}

func controlRestore(c *Cloud, _ url.Values, body []byte) (any, error) {
	if len(body) == 0 {
		return nil, errors.New("the body must be a snapshot")
	}
	return struct{}{}, c.Restore(body)
}
