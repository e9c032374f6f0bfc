package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"time"
)

// sample is one operation.
type sample struct {
	total     time.Duration
	firstByte time.Duration // until the first byte of the answer; 0 where there is none
	bytes     int64
	each      []time.Duration // with several clients: the times of the calls
}

// client talks HTTP/1.1 over TLS and keeps its one connection.
type client struct {
	ctx    context.Context
	http   *http.Client
	url    string // up to and with the version
	key    string // the whole header Authorization
	buffer []byte
	copy   *bytes.Buffer // gets the body too; nil while measuring
}

func newClient(ctx context.Context, url, key string) *client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &client{url: url, key: key, buffer: make([]byte, 64<<10),
		http: &http.Client{Timeout: time.Minute, Transport: &http.Transport{
			Protocols:          protocols,
			DisableCompression: true, // cases that want it ask for it
			// The certificate is self-signed and made by the process that was just started on this machine.
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
			MaxConnsPerHost: 1,
		}},
		ctx: ctx,
	}
}

// call is what a case asks the API.
type call struct {
	method, path string
	body         string
	encoding     string // for Accept-Encoding
	status       int
}

// do makes one call, reads the whole answer and throws it away.
func (c *client) do(a call) (s sample, _ http.Header, err error) {
	var firstByte time.Time
	trace := httptrace.WithClientTrace(c.ctx,
		&httptrace.ClientTrace{GotFirstResponseByte: func() { firstByte = time.Now() }})
	r, err := http.NewRequestWithContext(trace, a.method, c.url+a.path, strings.NewReader(a.body))
	if err != nil {
		return s, nil, err
	}
	r.Header.Set("Authorization", c.key)
	if a.encoding != "" {
		r.Header.Set("Accept-Encoding", a.encoding)
	}
	if a.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	start := time.Now()
	answer, err := c.http.Do(r)
	if err != nil {
		return s, nil, err
	}
	defer answer.Body.Close()
	var head []byte // of an answer that is not the expected one
	for {
		n, err := answer.Body.Read(c.buffer)
		s.bytes += int64(n)
		if answer.StatusCode != a.status && len(head) < 1000 {
			head = append(head, c.buffer[:n]...)
		}
		if c.copy != nil {
			c.copy.Write(c.buffer[:n])
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return s, nil, err
		}
	}
	s.total, s.firstByte = time.Since(start), firstByte.Sub(start)
	if answer.StatusCode != a.status {
		return s, nil, fmt.Errorf("%s %s: %s, not %d: %s", a.method, a.path, answer.Status, a.status, head)
	}
	return s, answer.Header, nil
}

// manyClients is how many clients there are where there are several.
const manyClients = 8

func newClients(ctx context.Context, url, key string) (clients []*client) {
	for range manyClients {
		clients = append(clients, newClient(ctx, url, key))
	}
	return clients
}

// together lets all clients call at once, each so many times. The time is that of all through the number of calls.
func together(clients []*client, each int, of func(i int) call) operation {
	return func(i int) (s sample, err error) {
		times := make([][]time.Duration, len(clients))
		faults := make([]error, len(clients))
		var group sync.WaitGroup
		start := time.Now()
		for n, c := range clients {
			group.Go(func() {
				for k := range each {
					one, _, err := c.do(of((i*each+k)*len(clients) + n))
					if err != nil {
						faults[n] = err
						return
					}
					times[n] = append(times[n], one.total)
				}
			})
		}
		group.Wait()
		s.total = time.Since(start) / time.Duration(each*len(clients))
		s.each = slices.Concat(times...)
		return s, errors.Join(faults...)
	}
}

// read makes one call and decodes the JSON of its answer.
func (c *client) read(a call, into any) error {
	body, err := c.body(a)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, into)
}

// body makes a call and returns the body of its answer.
func (c *client) body(a call) ([]byte, error) {
	var body bytes.Buffer
	c.copy = &body
	defer func() { c.copy = nil }()
	_, _, err := c.do(a)
	return body.Bytes(), err
}
