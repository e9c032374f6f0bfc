package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/web"
)

// The kinds of faults that only the transport knows; the others are kinds of package admitto.
const (
	invalidID         admitto.Kind = "invalid-id"
	unauthorized      admitto.Kind = "unauthorized"
	notPermitted                   = admitto.NotPermitted
	httpsRequired     admitto.Kind = "https-required"
	noSuchPath        admitto.Kind = "no-such-path"
	notInVersion      admitto.Kind = "not-in-version"
	unknownVersion    admitto.Kind = "unknown-version"
	methodNotAllowed  admitto.Kind = "method-not-allowed"
	rangeUnsatisfied  admitto.Kind = "range-not-satisfiable"
	quotaExceeded     admitto.Kind = "quota-exceeded"
	unsupportedFormat              = admitto.UnsupportedFormat
)

// ProblemType is one problem type of the contract: its status, its title, and what its page says.
type ProblemType struct {
	Kind    admitto.Kind
	Status  int
	Title   string
	Meaning string
	Remedy  string
}

// ProblemTypes is the table of conventions.md 6; answers and pages are made from it.
func ProblemTypes() []ProblemType {
	return []ProblemType{
		{invalidID, 400, "An ID in the path is malformed", "A part of the path that should be an ID is no ID: IDs are digits, up to 18, without leading zeros.", "Take IDs and links from answers of the service and send them as they are."},
		{admitto.InvalidParameter, 400, "A parameter is invalid", "One or more parameters of the query, the form or the JSON object have a value that is not accepted. Nothing was changed.", "The member errors lists every faulty parameter with what would be right. Correct them all and send the call again."},
		{admitto.InvalidBody, 400, "The body is invalid", "The body is missing, is not JSON, has the wrong JSON type, or its value is not accepted. Nothing was changed.", "To set a single value send one JSON value, for example \"CRM-20817\" with its quotes, or null where a value may be cleared."},
		{admitto.NotAllowedNow, 400, "Not allowed in the present state", "The request is well-formed, but the state of the object forbids it now. Nothing was changed.", "The member detail names the state and code the reason. Bring the object into another state first, or leave it."},
		{unauthorized, 401, "No valid key", "The header Authorization is missing or malformed, or its key is unknown, has expired or was revoked. The answer does not tell which.", "Send Authorization: SERVICE apikey=\"KEY\" with a key that an administrator made for you."},
		{notPermitted, 403, "Not permitted for this key", "The key is valid, but its scope does not include this operation.", "Ask an administrator for a key that includes the operation named in detail."},
		{httpsRequired, 403, "HTTPS is required", "The request came over plain HTTP. It was refused before the key in it was looked at.", "Use https://. A key that was sent over plain HTTP may have been read on the way; have it replaced. Behind a proxy, the proxy must be named in tls.trusted_proxies and send X-Forwarded-Proto: https."},
		{noSuchPath, 404, "There is no such path", "No version of the interface has this path.", "Compare the path with the documentation. Inside a path, a name such as trackers is taken before an ID."},
		{notInVersion, 404, "The path is not in this version", "The path exists, but not in the version of the interface that was asked for.", "The member detail says which versions have the path and what replaced it. Ask for such a version: /api/v10/… ."},
		{unknownVersion, 404, "This version is not served", "The version in the path is not served, or not any more.", "The member detail says which versions are served. GET /api/version lists them without a key."},
		{admitto.NotFound, 404, "Not found", "The object does not exist, was deleted, or does not belong to the object before it in the path.", "Check the IDs. Deleting something twice answers this the second time."},
		{methodNotAllowed, 405, "The method is not allowed here", "The path exists in this version, but not with this method.", "The header Allow lists the methods that are allowed."},
		{admitto.ChangedMeanwhile, 412, "Changed meanwhile", "The header If-Match names an ETag that the object does not have any more, or the object is gone. Nothing was changed.", "Read the object again, decide anew, and send the call with its present ETag."},
		{admitto.TooLarge, 413, "Too large", "The body is larger than what is accepted here.", "Bodies may have 1 MiB, documents what the operator allows. Send less, or in several calls."},
		{unsupportedFormat, 415, "The media type is not supported", "The body has a content type that this call does not read.", "Send application/json, application/x-www-form-urlencoded or multipart/form-data."},
		{rangeUnsatisfied, 416, "The range cannot be satisfied", "The header Range asks for bytes that the file does not have.", "HEAD tells the size of the file."},
		{admitto.AlreadyExists, 409, "Already exists", "An object with the same unique value exists. Nothing was changed.", "The header Location names the object that exists."},
		{admitto.RepeatConflict, 409, "The Idempotency-Key was used with another body", "A call with this Idempotency-Key was answered before, but its body was different.", "Use a new Idempotency-Key for every new call, and the same one only to send the same call again."},
		{admitto.RepeatInProgress, 409, "The first call is still in progress", "A call with this Idempotency-Key is being processed at the moment.", "Send the call again in a moment; it is then answered like the first."},
		{quotaExceeded, 429, "Quota exceeded", "The key has used up its quota of requests per minute or per hour. The request was not processed.", "Wait as many seconds as the header Retry-After says, then send the request again. Ask an administrator when the quota does not suffice."},
		{admitto.Internal, 500, "Internal error", "Something went wrong in the service. It was recorded under the request_id.", "Send the call again. When it fails again, tell the operator the request_id."},
		{admitto.MailRefused, 502, "The mail was refused", "The mail server refused the mail that belongs to the call, or could not be reached. Nothing was stored.", "The member code tells which: address-refused means that the address is wrong; address-deferred means that no mail to it is taken at this time, and mail-server-unavailable that the server cannot be used, so send the same call again after as many seconds as the header Retry-After says; message-refused means that the mail itself was refused for good, so tell the operator."},
		{admitto.Unavailable, 503, "Unavailable for the moment", "The service cannot answer at the moment: it is overloaded, or its database cannot be reached.", "Wait as many seconds as the header Retry-After says, then send the call again."},
	}
}

func typeOf(kind admitto.Kind) ProblemType {
	var internal ProblemType
	for _, t := range ProblemTypes() {
		if t.Kind == kind {
			return t
		}
		if t.Kind == admitto.Internal {
			internal = t
		}
	}
	return internal
}

// transportError is a fault of the transport.
type transportError struct {
	kind       admitto.Kind
	detail     string
	retryAfter int
}

func (e *transportError) Error() string { return string(e.kind) + ": " + e.detail }

func problemf(kind admitto.Kind, format string, args ...any) *transportError {
	return &transportError{kind: kind, detail: fmt.Sprintf(format, args...)}
}

// problem is the document of RFC 9457.
type problem struct {
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
func (c *call) problemFor(err error) *problem {
	p := &problem{Instance: c.r.URL.EscapedPath(), RequestID: c.info.RequestID}
	var transport *transportError
	var refusal *admitto.Error
	kind := admitto.Internal
	switch {
	case errors.As(err, &transport):
		kind, p.Detail, p.retryAfter = transport.kind, transport.detail, transport.retryAfter
	case errors.As(err, &refusal):
		kind, p.Detail, p.retryAfter = refusal.Kind, refusal.Text.String(), refusal.RetryAfter
		if refusal.Existing != 0 && c.row != nil {
			p.location = c.placeBelow(refusal.Existing)
		}
		if kind == admitto.ChangedMeanwhile && c.isConditional() {
			p.Detail = message.Of("if-match-differs").String()
		}
		p.addFaults(refusal.Faults)
	}
	t := typeOf(kind)
	p.Type, p.Title, p.Status = "/problems/"+string(t.Kind), t.Title, t.Status
	if p.Detail == "" && p.Errors == nil {
		p.Detail = t.Meaning
	}
	if t.Kind == admitto.Internal {
		p.Detail, p.Errors, p.Code = "Something went wrong on our side. Tell the operator this request ID: "+p.RequestID+".", nil, ""
		p.cause = err
	} else if t.Status >= 500 {
		p.cause = errors.Unwrap(err)
	}
	return p
}

// maxFaults is how many faults a problem document lists; it says how many more there are (conventions.md 6).
const maxFaults = 100

func (p *problem) addFaults(faults []admitto.Fault) {
	var sentences []string
	for _, f := range faults[:min(len(faults), maxFaults)] {
		f = named(f)
		e := fault{Parameter: f.Parameter, Detail: f.Text.String(), Code: f.Code}
		name := f.Parameter
		if f.Pointer != "" || f.HasPointer {
			e.Parameter, e.Pointer = "", &f.Pointer
			name = f.Pointer
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
		p.Detail += fmt.Sprintf("; and %d more faults, which are not listed", more)
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
	for _, name := range []string{"ETag", "Last-Modified", "Content-Encoding", "Content-Disposition", "Link", "X-Count", "Preference-Applied"} {
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
func (p *problem) encode(r *http.Request) (body []byte, contentType string) {
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
		max(quality(accept, "application/problem+json", "application/*", "*/*"), quality(accept, "application/json", "application/*", "*/*"))
}

// quality returns what Accept says of the first of these media ranges that it names, in thousandths; 0 when it names none.
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
		err = problemf(httpsRequired, "Use https://. The key in the request was not looked at.")
	case errors.Is(err, web.ErrReadOnly):
		err = problemf(methodNotAllowed, "Pages are only read: GET or HEAD.")
	case errors.Is(err, web.ErrNoSuchPath):
		err = problemf(noSuchPath, "There is no such path.")
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
	return web.Site{Prefix: "/api", Handler: a, Fault: a.Fault, Headers: map[string]string{"Cache-Control": "private, no-cache"}}
}
