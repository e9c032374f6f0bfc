package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/web"
)

// call is one request on its way through the adapter and a handler, and the vocabulary of its answers.
type call struct {
	api     *API
	w       http.ResponseWriter
	r       *http.Request
	ctx     context.Context
	info    *web.Info
	version version.Number
	prefix  string // of links: /api or /api/vN
	key     *admitto.Key
	may     admitto.Permissions // of the key
	node    *node
	row     *route
	ids     []int64 // the {id}s of the row's path, in order
	parents string  // what the path that was asked for has before that, where it is an alias
	name    string  // the {year}, {blob}, {territory} or {report_name} of the path

	raw        []byte // the body, once read
	rawRead    bool
	form       *uploadForm // of an upload, once read
	formErr    error
	linkIsNext bool
	seen       int64                     // the row version of what If-Match names; 0 without one
	record     *apikey.IdempotencyRecord // with an Idempotency-Key
	answer     *apikey.KeptAnswer        // of a creation or an action
}

const jsonType = params.JSONType

// usualObject is room for the JSON of most single resources, in bytes.
const usualObject = 1 << 10

// body reads the whole body once.
func (c *call) body() ([]byte, error) {
	if c.rawRead {
		return c.raw, nil
	}
	raw, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, params.MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, admitto.Refused(admitto.TooLarge, message.Of("body-too-large", params.MaxBody))
	case err != nil:
		return nil, admitto.Refused(admitto.InvalidBody, message.Of("body-ended")).Because(err)
	}
	c.raw, c.rawRead = raw, true
	return raw, nil
}

// write sends an answer of known size; HEAD gets the header only.
func (c *call) write(status int, contentType string, body []byte) {
	web.Send(c.w, c.r, status, contentType, body)
}

// done answers 204 when there was no error.
func (c *call) done(err error) error {
	if err != nil {
		return err
	}
	c.answer = &apikey.KeptAnswer{Status: http.StatusNoContent}
	if c.record == nil {
		c.send()
	}
	return nil
}

// scalar answers a text that is null when unset (resources.md 0.5).
func (c *call) scalar(value string) error {
	if err := c.noParameters(); err != nil {
		return err
	}
	v := wire.Nullable(value)
	return c.object(&v)
}

// noParameters tells the client that the operation takes none.
func (c *call) noParameters() error {
	if c.r.URL.RawQuery == "" {
		return nil
	}
	list, err := c.queryArgs()
	if err != nil {
		return err
	}
	return c.decode(list, &struct{}{})
}

// json answers 200 with one JSON document that has an ETag (single resources, scalars, reference data).
func (c *call) json(body []byte) error {
	return c.api.budget.Document(c.w, c.r, jsonType, body)
}

// encoder makes the JSON of answers to the call.
func (c *call) encoder() wire.Encoder {
	return wire.Encoder{Plans: &c.api.plans, Version: c.version, Prefix: c.prefix, Key: c.key}
}

// encode appends the JSON of a wire value in the form of the call's version.
func (c *call) encode(dst []byte, v any) []byte { return c.encoder().Append(dst, v) }

// object answers one representation.
func (c *call) object(v any) error { return c.json(c.encode(make([]byte, 0, usualObject), v)) }

// created answers 201 with the place and the representation of what was made. A nil v is an empty body.
func (c *call) created(id int64, v any) error {
	body := []byte{}
	if v != nil {
		body = c.encode(nil, v)
	}
	return c.createdAs(id, body)
}

// createdAs is created for a representation that is encoded already.
func (c *call) createdAs(id int64, body []byte) error {
	return c.answeredAs(http.StatusCreated, id, body)
}

// answeredAs is createdAs for a creation that found what it was to make: 200.
func (c *call) answeredAs(status int, id int64, body []byte) error {
	c.answer = &apikey.KeptAnswer{Status: status, Location: c.placeBelow(id), Body: body}
	if c.record == nil {
		c.send()
	}
	return nil
}

// send sends the answer of a creation or an action.
func (c *call) send() {
	if c.answer.Location != "" {
		c.w.Header().Set("Location", c.answer.Location)
	}
	if c.answer.Status == http.StatusNoContent {
		c.w.WriteHeader(http.StatusNoContent)
		return
	}
	c.write(c.answer.Status, jsonType, c.answer.Body)
}

// prefers reports whether the header Prefer has the preference, "handling=strict" or "return=representation".
func (c *call) prefers(preference string) bool {
	for item := range strings.SplitSeq(strings.Join(c.r.Header.Values("Prefer"), ","), ",") {
		item, _, _ = strings.Cut(item, ";")
		name, value, _ := strings.Cut(item, "=")
		if strings.EqualFold(strings.TrimSpace(name)+"="+strings.Trim(strings.TrimSpace(value), `"`), preference) {
			return true
		}
	}
	return false
}

// markDeprecatedVersion says that the version asked for will end, and when.
func (c *call) markDeprecatedVersion() {
	rel := c.version.Release()
	if !rel.IsDeprecated() {
		return
	}
	c.deprecated(rel.Deprecation)
	if t, err := time.Parse("2006-01", rel.Ends); err == nil {
		// A month means its last second here.
		c.w.Header().Set("Sunset", t.AddDate(0, 1, 0).Add(-time.Second).Format(http.TimeFormat))
	}
}

// deprecated adds the link to the changelog, once, and the date of a month (RFC 9745) when there is one.
func (c *call) deprecated(month string) {
	const link = `</developers/changelog>; rel="deprecation"`
	h := c.w.Header()
	if h.Get("Link") == "" {
		h.Set("Link", link)
	}
	if t, err := time.Parse("2006-01", month); err == nil {
		h.Set("Deprecation", "@"+strconv.FormatInt(t.Unix(), 10))
	}
}
