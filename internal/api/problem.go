package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/web"
)

// problemDocument is the document of RFC 9457.
type problemDocument struct {
	Type      string  `json:"type"`
	Title     string  `json:"title"`
	Status    int     `json:"status"`
	Detail    string  `json:"detail"`
	Instance  string  `json:"instance"`
	RequestID string  `json:"request_id"`
	Code      string  `json:"code,omitempty"`
	Errors    []fault `json:"errors,omitempty"`

	location   string
	retryAfter int
	cause      error // of a fault of ours, to be logged
}

type fault struct {
	Parameter string  `json:"parameter,omitempty"`
	Pointer   *string `json:"pointer,omitempty"`
	Detail    string  `json:"detail"`
	Code      string  `json:"code,omitempty"`
}

// ownPath is the path of the request without prefix and version.
func (c *call) ownPath() string {
	path := c.row.path
	for _, id := range c.ids {
		path = strings.Replace(path, "{id}", strconv.FormatInt(id, 10), 1)
	}
	return path
}

// problemFor turns any error into a problem document; it is the only place that does.
func (c *call) problemFor(err error) *problemDocument {
	p := &problemDocument{Instance: c.r.URL.EscapedPath(), RequestID: c.info.RequestID}
	var refusal *admitto.Error
	kind := admitto.Internal
	if errors.As(err, &refusal) {
		kind, p.Detail, p.retryAfter = refusal.Kind, refusal.Text.String(), refusal.RetryAfter
		if refusal.Existing != 0 && c.row != nil {
			p.location = c.placeBelow(refusal.Existing)
		}
		if kind == admitto.ChangedMeanwhile && c.isConditional() {
			p.Detail = message.Of("if-match-differs").String()
		}
		p.addFaults(refusal.Faults)
	}
	t := problem.TypeOf(kind)
	p.Type, p.Title, p.Status = "/problems/"+string(t.Kind), t.Title, t.Status
	if p.Detail == "" && p.Errors == nil {
		p.Detail = t.Meaning
	}
	if t.Kind == admitto.Internal {
		p.Detail, p.Errors, p.Code = message.Of("internal-error", p.RequestID).String(), nil, ""
		p.cause = err
	} else if t.Status >= 500 {
		p.cause = errors.Unwrap(err)
	}
	return p
}

// maxFaults is how many faults a problem document lists; it says how many more there are (conventions.md 6).
const maxFaults = 100

func (p *problemDocument) addFaults(faults []admitto.Fault) {
	var sentences []string
	for _, f := range faults[:min(len(faults), maxFaults)] {
		at := placeOf(f.Path)
		e := fault{Parameter: at.Parameter, Detail: f.Text.String(), Code: f.Code}
		name := at.Parameter
		if at.InBody {
			e.Pointer, name = &at.Pointer, at.Pointer
		}
		if name != "" {
			name += ": "
		}
		sentences = append(sentences, name+f.Text.String())
		p.Errors = append(p.Errors, e)
		if p.Code == "" {
			p.Code = f.Code
		}
	}
	if p.Detail == "" {
		p.Detail = strings.Join(sentences, "; ")
	}
	if more := len(faults) - maxFaults; more > 0 {
		p.Detail += "; " + message.Of("more-faults", more).String()
	}
}

// fail answers a request with the problem that err is.
func (c *call) fail(err error) {
	if errors.Is(err, context.Canceled) && c.ctx.Err() != nil {
		panic(http.ErrAbortHandler) // the client has gone; there is nobody to answer
	}
	p := c.problemFor(err)
	c.info.Problem = p.cause
	if p.Status == 503 && p.retryAfter == 0 {
		p.retryAfter = 5
	}
	h := c.w.Header()
	for _, name := range []string{"ETag", "Last-Modified", "Content-Encoding", "Content-Disposition", "Link", "X-Count",
		"Preference-Applied"} {
		if name != "Link" || c.linkIsNext {
			h.Del(name)
		}
	}
	if p.location != "" {
		h.Set("Location", p.location)
	}
	if p.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(p.retryAfter))
	}
	body, contentType := p.encode(c.r)
	c.write(p.Status, contentType, body)
}

// encode returns the body in the form that the client prefers.
func (p *problemDocument) encode(r *http.Request) (body []byte, contentType string) {
	if !prefersText(r.Header.Values("Accept")) {
		return wire.AppendJSON(nil, p), "application/problem+json"
	}
	text := fmt.Sprintf("%d %s\n%s\n", p.Status, p.Title, p.Detail)
	for _, f := range p.Errors {
		name := f.Parameter
		if f.Pointer != nil {
			name = *f.Pointer
		}
		text += "- " + strings.TrimPrefix(name+": ", ": ") + f.Detail + "\n"
	}
	return []byte(text + "type: " + p.Type + "\nrequest_id: " + p.RequestID + "\n"), "text/plain; charset=utf-8"
}

// prefersText reports whether Accept gives text/plain a higher quality than JSON.
func prefersText(accept []string) bool {
	return quality(accept, "text/plain", "text/*", "*/*") >
		max(quality(accept, "application/problem+json", "application/*", "*/*"),
			quality(accept, "application/json", "application/*", "*/*"))
}

// quality returns what Accept says of the first of these media ranges that it names, in thousandths; 0 when it names
// none.
func quality(accept []string, mediaRanges ...string) int {
	for _, wanted := range mediaRanges {
		for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
			name, params, _ := strings.Cut(item, ";")
			if strings.EqualFold(strings.TrimSpace(name), wanted) {
				return weight(params)
			}
		}
	}
	return 0
}

// weight reads q among the parameters of a media range, 1 when it is absent.
func weight(params string) int {
	for param := range strings.SplitSeq(params, ";") {
		if q, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(param)), "q="); ok {
			if value, ok := web.QValue(q); ok {
				return value
			}
			return 0
		}
	}
	return 1000
}

// Fault answers what the chain around the API or a page refuses, and the errors of web, as a problem document.
func (a *API) Fault(w http.ResponseWriter, r *http.Request, err error) {
	c := &call{api: a, w: w, r: r, ctx: context.WithoutCancel(r.Context()), info: web.InfoOf(r.Context())}
	known := true // to the log
	logged := c.info.Problem
	switch {
	case errors.Is(err, web.ErrHTTPSRequired):
		err = admitto.Refused(problem.HTTPSRequired, message.Of("https-required"))
	case errors.Is(err, web.ErrReadOnly):
		err = admitto.Refused(problem.MethodNotAllowed, message.Of("pages-are-read"))
	case errors.Is(err, web.ErrNoSuchPath):
		err = admitto.Refused(problem.NoSuchPath, message.Of("no-such-path"))
	default:
		known = errors.Is(err, web.ErrPanicked)
	}
	c.fail(err)
	if known {
		c.info.Problem = logged
	}
}

// Site is the API below /api.
func (a *API) Site() web.Site {
	return web.Site{Prefix: "/api", Handler: a, Fault: a.Fault,
		Headers: map[string]string{"Cache-Control": "private, no-cache"}}
}
