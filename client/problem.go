package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrNotModified is the error of a call with IfNoneMatch whose answer would have been the one that the caller has.
var ErrNotModified = errors.New("client: not modified")

// Problem is the error of a call that was refused: the problem document of the answer (RFC 9457, conventions.md 6).
// Decide by Type and Status, show Detail to people, give RequestID to the operator.
type Problem struct {
	Type      string  `json:"type"` // the path of a page that says what it means and what to do
	Title     string  `json:"title"`
	Status    int     `json:"status"`
	Detail    string  `json:"detail"`
	Instance  string  `json:"instance"` // path of the request
	RequestID string  `json:"request_id"`
	Code      string  `json:"code"`   // error code of the first fault that has one
	Errors    []Fault `json:"errors"` // every fault of the request

	Location   Link          `json:"-"` // of already-exists: what exists
	RetryAfter time.Duration `json:"-"` // zero when the answer does not say
}

// Fault is one fault of a request.
type Fault struct {
	Parameter string `json:"parameter"` // name of a query or form parameter or of a header
	Pointer   string `json:"pointer"`   // place in a JSON body (RFC 6901)
	Detail    string `json:"detail"`
	Code      string `json:"code"`
}

// Error is the sentence for people, with what an operator needs to find the request.
func (p *Problem) Error() string {
	text := fmt.Sprintf("%d %s", p.Status, p.Title)
	if p.Detail != "" && p.Detail != p.Title {
		text += ": " + p.Detail
	}
	if p.RequestID != "" {
		text += " (request " + p.RequestID + ")"
	}
	return text
}

// Name is the last part of Type, such as not-found.
func (p *Problem) Name() string {
	return p.Type[strings.LastIndexByte(p.Type, '/')+1:]
}

// IsProblem reports whether the error is a problem with this name, such as not-found or already-exists, or with
// this code of one of its faults, such as application-frozen.
func IsProblem(err error, name string) bool {
	var p *Problem
	if name == "" || !errors.As(err, &p) {
		return false
	}
	for _, fault := range p.Errors {
		if fault.Code == name {
			return true
		}
	}
	return p.Name() == name || p.Code == name
}

// maxProblem is how much of a refusal is read, in bytes.
const maxProblem = 1 << 20

// problemOf reads the problem from the answer, whose body it closes. What is no problem document, from a proxy for
// instance, becomes a problem without a type.
func problemOf(response *http.Response, now time.Time) *Problem {
	defer response.Body.Close()
	p := &Problem{}
	// A body that breaks off still leaves the status.
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxProblem))
	if json.Unmarshal(body, p) != nil || p.Type == "" {
		p = &Problem{Type: "about:blank", Title: http.StatusText(response.StatusCode),
			Detail: strings.ToValidUTF8(string(body[:min(len(body), 200)]), "")}
	}
	p.Status = response.StatusCode
	p.Location = Link(response.Header.Get("Location"))
	p.RetryAfter = retryAfter(response.Header.Get("Retry-After"), now)
	return p
}

// retryAfter reads Retry-After: seconds or a date (RFC 9110 10.2.3). It is at least a second where the header is there.
func retryAfter(value string, now time.Time) time.Duration {
	if value == "" {
		return 0
	}
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 && seconds <= 1<<30 {
		return max(time.Duration(seconds)*time.Second, time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), time.Second)
	}
	return 0
}
