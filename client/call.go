package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// call is one operation with all it needs; it may be sent more than once.
type call struct {
	method      string
	path        string // from the root, with the prefix and escaped
	query       url.Values
	json        any    // value to send as the body, nil for none
	body        []byte // made of json unless given; nil for none
	contentType string
	accept      string
	prefer      string
	stream      bool // the body of the answer is the caller's to read
	options     []Option
}

// path puts the escaped arguments into the places {} of a path below the version.
func (c *Client) path(pattern string, arguments ...any) string {
	var b strings.Builder
	b.WriteString(c.prefix)
	for _, argument := range arguments {
		before, after, _ := strings.Cut(pattern, "{}")
		b.WriteString(before)
		b.WriteString(url.PathEscape(fmt.Sprint(argument)))
		pattern = after
	}
	b.WriteString(pattern)
	return b.String()
}

// answer is what a call gave. body is read already unless the call is a stream.
type answer struct {
	*http.Response
	body []byte
}

// send sends the call, as often as it is allowed and makes sense, and returns an answer with a status below 300. Its
// error is a *Problem, ErrNotModified, that of the context, or one of the network.
func (c *Client) send(ctx context.Context, call call) (*answer, error) {
	s := settingsOf(call.options)
	if call.json != nil {
		body, err := json.Marshal(call.json)
		if err != nil {
			return nil, fmt.Errorf("client: the body of %s %s: %w", call.method, call.path, err)
		}
		call.body = body
		if call.contentType == "" {
			call.contentType = "application/json"
		}
	}
	if call.method == http.MethodPost && s.header.Get("Idempotency-Key") == "" {
		// One key for all attempts: whatever of them arrives, it is done once.
		s.header.Set("Idempotency-Key", rand.Text())
	}
	for attempt := 1; ; attempt++ {
		answer, err := c.once(ctx, call, s)
		if err == nil {
			return answer, nil
		}
		pause, again := c.pause(attempt, call, s, err)
		if !again || ctx.Err() != nil {
			return nil, err
		}
		if stopped := c.config.Sleep(ctx, pause); stopped != nil {
			return nil, errors.Join(stopped, err)
		}
	}
}

// once sends the call one time.
func (c *Client) once(ctx context.Context, call call, s *settings) (_ *answer, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	limit := time.AfterFunc(c.config.Timeout, func() {
		cancel(fmt.Errorf("client: no answer within %s",
			c.config.Timeout))
	})
	defer func() {
		limit.Stop()
		// A server that answers then may have seen the request end, and have left its work.
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		if err != nil || !call.stream {
			cancel(nil)
		}
	}()
	request, err := c.request(ctx, call, s)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	if s.into != nil {
		*s.into = response.Header
	}
	switch {
	case response.StatusCode == http.StatusNotModified:
		response.Body.Close()
		return nil, ErrNotModified
	case response.StatusCode >= 300:
		return nil, problemOf(response, c.config.Now())
	case call.stream:
		response.Body = &streamed{response.Body, cancel}
		return &answer{Response: response}, nil
	}
	defer response.Body.Close()
	// Read to its end here, so that an answer that breaks off counts as one that has not come.
	body, err := io.ReadAll(response.Body)
	return &answer{response, body}, err
}

// streamed frees the request when the body of its answer is closed.
type streamed struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

func (s *streamed) Close() error {
	err := s.ReadCloser.Close()
	s.cancel(nil)
	return err
}

// request makes the HTTP request of a call.
func (c *Client) request(ctx context.Context, call call, s *settings) (*http.Request, error) {
	address := c.origin + call.path
	if len(call.query) > 0 {
		address += "?" + call.query.Encode()
	}
	var body io.Reader
	if call.body != nil {
		body = bytes.NewReader(call.body)
	}
	r, err := http.NewRequestWithContext(ctx, call.method, address, body)
	if err != nil {
		return nil, err
	}
	for name, values := range s.header {
		r.Header[name] = append([]string(nil), values...)
	}
	r.Header.Set("Authorization", c.config.Scheme+` apikey="`+c.config.Key+`"`)
	r.Header.Set("User-Agent", c.config.UserAgent)
	for name, value := range map[string]string{"Content-Type": call.contentType, "Accept": call.accept} {
		if value != "" && r.Header.Get(name) == "" {
			r.Header.Set(name, value)
		}
	}
	if call.prefer != "" {
		r.Header.Add("Prefer", call.prefer)
	}
	return r, nil
}

// pause reports whether a call that failed may be sent again, and how long to wait before.
func (c *Client) pause(attempt int, call call, s *settings, err error) (time.Duration, bool) {
	pause := time.Second << (attempt - 1)
	var p *Problem
	switch {
	case attempt >= c.config.Attempts || errors.Is(err, ErrNotModified):
		return 0, false
	case errors.As(err, &p):
		// An attempt before, whose answer was lost, may still be at work.
		busy := attempt > 1 && p.Name() == "idempotency-in-progress"
		if p.Status != http.StatusTooManyRequests && p.Status != http.StatusServiceUnavailable && !busy {
			return 0, false
		}
		if p.RetryAfter > 0 {
			pause = p.RetryAfter
		}
	case !repeatable(call, s, err):
		return 0, false
	}
	return pause, pause <= c.config.MaxWait
}

// repeatable reports whether a call whose answer was lost may be sent again: reads, and writes that do nothing the
// second time. With If-Match the second would be refused for the first one's success.
func repeatable(call call, s *settings, err error) bool {
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) || s.header.Get("If-Match") != "" {
		return false
	}
	switch call.method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPost:
		return true
	}
	return false
}

// fetch sends the call and reads its answer as JSON. An answer without a body is the zero value.
func fetch[T any](ctx context.Context, c *Client, call call) (value T, err error) {
	if call.accept == "" {
		call.accept = "application/json"
	}
	answer, err := c.send(ctx, call)
	if err != nil || len(answer.body) == 0 {
		return value, err
	}
	if err = json.Unmarshal(answer.body, &value); err != nil {
		return value, fmt.Errorf("client: the answer of %s %s cannot be read: %w", call.method, call.path, err)
	}
	return value, nil
}

// perform sends a call that answers nothing but its success.
func perform(ctx context.Context, c *Client, call call) error {
	_, err := c.send(ctx, call)
	return err
}

// count sends HEAD and returns X-Count.
func count(ctx context.Context, c *Client, call call) (int64, error) {
	answer, err := c.send(ctx, call)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(answer.Header.Get("X-Count"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("client: X-Count of %s: %w", call.path, err)
	}
	return n, nil
}

// header sends HEAD and returns the header of the answer.
func header(ctx context.Context, c *Client, call call) (http.Header, error) {
	answer, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	return answer.Header, nil
}

// Raw sends a call of the caller's own making, for what has no typed method: a path below the version, such as
// "/applicants", a query, and a body with its type, nil and "" for none. Repetition, keys and errors are those of all
// calls. The caller closes the body of the answer.
func (c *Client) Raw(ctx context.Context, method, path string, query url.Values, contentType string, body []byte,
	options ...Option) (*http.Response, error) {
	if !strings.HasPrefix(path, "/") {
		return nil, fmt.Errorf("client: the path %q does not begin with /", path)
	}
	answer, err := c.send(ctx, call{method: method, path: c.prefix + path, query: query, contentType: contentType,
		body: body, stream: true, options: options})
	if err != nil {
		return nil, err
	}
	return answer.Response, nil
}
