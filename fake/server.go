// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// Server is a Cloud that listens on a socket.
type Server struct {
	// URL is the endpoint for clients, such as http://127.0.0.1:40123.
	URL string

	http *http.Server
	done chan struct{}
}

// Start listens on an address; "" means a free port of the loopback interface.
// The caller must Close the server. It answers with the same state as every
// other client of the Cloud.
func (c *Cloud) Start(addr string) (*Server, error) {
	listener, err := net.Listen("tcp", orString(addr, "127.0.0.1:0"))
	if err != nil {
		return nil, fmt.Errorf("starting the fake: %w", err)
	}
	s := &Server{
		URL: "http://" + listener.Addr().String(),
		http: &http.Server{
			Handler:           c.Handler(),
			ReadHeaderTimeout: 10 * time.Second,
			ReadTimeout:       time.Minute,
			IdleTimeout:       2 * time.Minute,
			MaxHeaderBytes:    64 << 10,
		},
		done: make(chan struct{}),
	}
	go func() {
		defer close(s.done)
		// Serve ends with ErrServerClosed after Close, and nobody waits for more.
		_ = s.http.Serve(listener)
	}()
	return s, nil
}

// Close stops listening, cuts all connections and waits until that is done.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.done
	if err != nil {
		return fmt.Errorf("closing the fake: %w", err)
	}
	return nil
}
