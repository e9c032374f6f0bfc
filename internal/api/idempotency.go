package api

import (
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/message"
)

// serveOnce answers a creation that carries an Idempotency-Key (conventions.md 3).
func (a *API) serveOnce(c *call, row *route) error {
	hash, err := c.repeatHash(row)
	if err != nil && row.takesFile() {
		return row.serve(a, c) // which says the same, unless what the path names is missing
	}
	if err != nil {
		return err
	}
	defer c.closeForm()
	token := c.r.Header.Get("Idempotency-Key")
	if len(c.r.Header.Values("Idempotency-Key")) > 1 || token == "" || len(token) > 255 ||
		strings.ContainsFunc(token, func(r rune) bool { return r < ' ' || r > '~' }) {
		return &admitto.Error{Kind: admitto.InvalidParameter,
			Faults: []admitto.Fault{{Path: params.Position{Parameter: "Idempotency-Key"}.Path(),
				Text: message.Of("idempotency-key-form")}}}
	}
	record, kept, err := a.services.Keys.BeginIdempotent(c.ctx, apikey.IdempotentCall(c.key.ID, c.r.Method,
		c.repeatedPath(), token), c.answers(), hash)
	if err != nil {
		return err
	}
	if kept != nil {
		return c.repeat(kept)
	}
	c.record = record
	kept, err = c.serveAndKeep(row, hash)
	switch {
	case err != nil:
		return err
	case kept != nil:
		return c.repeat(kept)
	}
	c.send()
	return nil
}

// answers says how the call is answered when it has succeeded.
func (c *call) answers() apikey.Answers {
	answers := Paths{}.Creation(c.place(c.ownPath()))
	answers.Found, answers.Done, answers.Prefix = http.StatusOK, http.StatusNoContent, c.prefix
	return answers
}

// Paths is what the records of calls with an Idempotency-Key need to know of paths.
type Paths struct{}

// Creation says how a call of the path is answered that has made something: it is below the path that was posted to.
func (Paths) Creation(path string) apikey.Answers {
	return apikey.Answers{Made: http.StatusCreated, Place: path + "/{id}"}
}

// recordPaths are the segments before the IDs of the records that are about one applicant. What else has an ID is below
// one of them, or about nobody.
var recordPaths = map[admitto.RowKind]string{admitto.ApplicantRow: "applicants", admitto.ApplicationRow: "applications",
	admitto.InvoiceRow: "invoices", admitto.ScoreRow: "scores"}

// Part returns what the paths of all calls about a record have.
func (Paths) Part(r admitto.Row) string {
	return "/" + recordPaths[r.Kind] + "/" + strconv.FormatInt(r.ID, 10) + "/"
}

// repeatHash returns the hash of what the client sent.
func (c *call) repeatHash(row *route) ([32]byte, error) {
	if row.takesFile() {
		return c.repeatableForm()
	}
	body, err := c.body()
	return sha256.Sum256(append(body, "\x00"+c.r.URL.RawQuery...)), err
}

// serveAndKeep runs the handler and keeps its answer, before the client sees it. When the handler fails because the
// call took longer than its lease and another one does the same, the answer is that of the other.
func (c *call) serveAndKeep(row *route, hash [32]byte) (kept *apikey.KeptAnswer, err error) {
	var answer *apikey.KeptAnswer // stays nil when the handler panics: then nothing is kept
	defer func() {
		held, endErr := c.api.services.Keys.EndIdempotent(c.ctx, c.record, answer)
		switch {
		case endErr != nil:
			// The effect stands and is remembered; only the words of the answer may be lost.
			c.api.log.Error("the answer of a repeatable call was not kept", "request_id", c.info.RequestID, "cause", endErr)
		case err != nil && !held:
			if other, lookErr := c.api.services.Keys.IdempotentOutcome(c.ctx, c.record, hash); other != nil || lookErr != nil {
				kept, err = other, lookErr
			}
		}
	}()
	if err = row.serve(c.api, c); err != nil {
		answer = c.keepable(err)
	} else {
		answer = c.answer
	}
	return nil, err
}

// repeat sends the kept answer of an earlier call again.
func (c *call) repeat(kept *apikey.KeptAnswer) error {
	if kept.Status < 400 {
		if kept.Body == nil && kept.Status != http.StatusNoContent {
			kept.Body = c.presentBody(kept.Location)
		}
		c.answer = kept
		c.send()
		return nil
	}
	var p problemDocument
	if err := json.Unmarshal(kept.Body, &p); err != nil {
		return err
	}
	c.w.Header().Set("Location", kept.Location)
	body, contentType := p.encode(c.r)
	c.write(kept.Status, contentType, body)
	return nil
}

// presentBody returns the representation that GET of the location answers now, for an answer whose words were
// lost in a crash; empty when there is none (any more).
func (c *call) presentBody(location string) []byte {
	path := strings.TrimPrefix(location, c.prefix)
	node, args := c.api.tree.find(strings.Split(strings.TrimPrefix(path, "/"), "/"))
	if node == nil {
		return nil
	}
	row := node.row(http.MethodGet, c.version)
	// What was posted to without a representation in the answer has none now either.
	if row == nil || c.row.path == "/applicants" && !c.prefers("return=representation") {
		return nil
	}
	if c.row.takesFile() { // GET of the location gives its bytes
		return c.presentDocument(path)
	}
	take := &bodyProbe{probe: probe{header: http.Header{}}}
	sub := &call{api: c.api, w: take, ctx: c.ctx, info: c.info, version: c.version, prefix: c.prefix, key: c.key,
		node: row.home, row: row.route,
		may: c.may.Union(row.needs)} // what was made is shown to the key that made it
	sub.r = c.r.Clone(c.ctx)
	sub.r.Method, sub.r.Header, sub.r.URL.RawQuery = http.MethodGet, http.Header{}, ""
	if sub.parseArguments(args) != nil || sub.throughAliases(row.via) != nil || row.serve(c.api, sub) != nil {
		return nil
	}
	return take.body
}

type bodyProbe struct {
	probe
	body []byte
}

func (p *bodyProbe) Write(b []byte) (int, error) {
	p.body = append(p.body, b...)
	return len(b), nil
}

// keepable returns the answer that an Idempotency-Key keeps for an error: only that something exists already.
func (c *call) keepable(err error) *apikey.KeptAnswer {
	if admitto.KindOf(err) != admitto.AlreadyExists {
		return nil
	}
	p := c.problemFor(err)
	return &apikey.KeptAnswer{Status: p.Status, Location: p.location, Body: wire.AppendJSON(nil, p)}
}
