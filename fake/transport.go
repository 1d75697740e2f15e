// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
)

// Handler returns the Cloud as an HTTP handler that speaks AWS's wire formats,
// for any server. A lost reply aborts the connection.
func (c *Cloud) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply := c.serve(r)
		if reply.lost {
			// The documented way to cut a connection without an answer.
			panic(http.ErrAbortHandler)
		}
		maps.Copy(w.Header(), reply.header)
		w.WriteHeader(reply.status)
		// A client that has gone needs no answer.
		_, _ = w.Write(reply.body)
	})
}

// HTTPClient returns a client whose requests go to the Cloud, whatever their
// host, without a socket or a goroutine. Give it to the SDK as
// Options.HTTPClient; it works inside a testing/synctest bubble.
func (c *Cloud) HTTPClient() *http.Client { return &http.Client{Transport: transport{c}} }

type transport struct{ cloud *Cloud }

// RoundTrip answers a request in the calling goroutine.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, closed(r, err)
	}
	reply := t.cloud.serve(r)
	switch err := r.Context().Err(); {
	case reply.lost && err != nil:
		return nil, closed(r, err)
	case reply.lost:
		return nil, closed(r, io.ErrUnexpectedEOF)
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", reply.status, http.StatusText(reply.status)),
		StatusCode:    reply.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        reply.header,
		Body:          io.NopCloser(bytes.NewReader(reply.body)),
		ContentLength: int64(len(reply.body)),
		Request:       r,
	}, closed(r, nil)
}

// closed closes a request's body, which a RoundTripper must always do.
func closed(r *http.Request, err error) error {
	if r.Body != nil {
		// The body was read or is not wanted: nothing is lost.
		_ = r.Body.Close()
	}
	return err
}
