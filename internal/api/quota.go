package api

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/message"
)

// passes tells the client where it stands in its quota, or refuses the request (conventions.md 7).
func (c *call) passes(quota apikey.Quota, err error) error {
	if err != nil {
		return err
	}
	c.rateLimit(quota)
	if quota.Refused {
		e := admitto.Refused(problem.QuotaExceeded, message.Of("quota-used-up", quota.RetryAfter))
		e.RetryAfter = quota.RetryAfter
		return e
	}
	return nil
}

// rateLimit tells the client where it stands.
func (c *call) rateLimit(q apikey.Quota) {
	var policy, state []string
	for _, w := range []struct {
		name    string
		seconds int
		apikey.Window
	}{{"minute", 60, q.PerMinute}, {"hour", 3600, q.PerHour}} {
		if w.Limit > 0 {
			policy = append(policy, fmt.Sprintf(`"%s";q=%d;w=%d`, w.name, w.Limit, w.seconds))
			state = append(state, fmt.Sprintf(`"%s";r=%d;t=%d`, w.name, w.Remaining, w.Reset))
		}
	}
	if policy != nil {
		c.w.Header().Set("RateLimit-Policy", strings.Join(policy, ", "))
		c.w.Header().Set("RateLimit", strings.Join(state, ", "))
	}
}

// countedAnswer is the answer to a request that is counted by its first read. Before it begins the count is known; a
// request that does not pass, as other instances have counted since, is refused then, and what was read is dropped.
type countedAnswer struct {
	http.ResponseWriter
	call     *call
	counting *apikey.Counting
	before   http.Header // as it was when the request was let in
	begun    bool
	refused  bool // and answered
}

func (a *countedAnswer) begin() {
	if a.begun {
		return
	}
	a.begun = true
	c := *a.call
	c.w = a.ResponseWriter
	quota, err := a.counting.Take(c.ctx)
	a.refused = err != nil || quota.Refused
	if a.refused {
		clear(c.w.Header())
		maps.Copy(c.w.Header(), a.before)
	}
	if err := c.passes(quota, err); err != nil {
		c.fail(err)
	}
}

// Unwrap lets http.ResponseController through.
func (a *countedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *countedAnswer) WriteHeader(status int) {
	if status >= http.StatusOK {
		a.begin()
	}
	if !a.refused {
		a.ResponseWriter.WriteHeader(status)
	}
}

func (a *countedAnswer) Write(b []byte) (int, error) {
	a.begin()
	if a.refused {
		return len(b), nil
	}
	return a.ResponseWriter.Write(b)
}

// FlushError is for http.ResponseController.
func (a *countedAnswer) FlushError() error {
	a.begin()
	if a.refused {
		return nil
	}
	return http.NewResponseController(a.ResponseWriter).Flush()
}
