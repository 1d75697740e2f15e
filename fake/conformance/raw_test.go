// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package conformance_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
)

// rawClient is the cheapest client there is, so that a measurement shows the
// server: it sends the same bytes again and again, on one connection as long as
// the server keeps it.
type rawClient struct {
	address    string
	request    []byte
	connection net.Conn // nil before the first request
	reader     *bufio.Reader
}

func newRawClient(address, path string) *rawClient {
	// A signature names service and region. Whether it is right is nobody's concern.
	text := "GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\n" +
		"Authorization: AWS4-HMAC-SHA256 Credential=AKIAFAKE/20260101/us-east-1/eks/aws4_request, " +
		"SignedHeaders=host;x-amz-date, Signature=00\r\nX-Amz-Date: 20260101T000000Z\r\n\r\n"
	return &rawClient{address: address, request: []byte(text)}
}

// get makes one request and returns the body of the answer.
func (c *rawClient) get(ctx context.Context) ([]byte, error) {
	if err := c.connect(ctx); err != nil {
		return nil, err
	}
	if _, err := c.connection.Write(c.request); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // all of it was read
	if response.Close {
		c.close()
	}
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %s", response.StatusCode, body)
	}
	return body, err
}

func (c *rawClient) connect(ctx context.Context) error {
	if c.connection != nil {
		return nil
	}
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "tcp", c.address)
	if err != nil {
		return err
	}
	c.connection, c.reader = connection, bufio.NewReader(connection)
	return nil
}

func (c *rawClient) close() {
	if c.connection != nil {
		_ = c.connection.Close() // nothing more is sent on it
		c.connection = nil
	}
}
