// Package api is the REST interface in versions 1 to 10: the table of routes, the version machinery, the
// decoding of requests, the encoding of answers, and handlers that each call one use case. It may import
// admitto, admissions, web and text; never store.
package api

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/admitto/admitto/internal/web"
)

// API answers every path below /api. It is safe for concurrent use.
type API struct {
	live     *config.Live
	services *services.Services
	budget   *web.Budget
	log      *slog.Logger
	tree     *node
	scopes   *scopes
	plans    wire.Plans // of answers
	inputs   params.Plans
	buffers  sync.Pool // *[]byte, where lists collect elements
}

// New makes the interface of the services; budget bounds the memory of its answers.
func New(s *services.Services, budget *web.Budget, live *config.Live, log *slog.Logger) *API {
	return &API{live: live, services: s, budget: budget, log: log, tree: newTree(routes), scopes: newScopes(routes),
		buffers: sync.Pool{New: func() any { b := make([]byte, 0, flushAt+4<<10); return &b }}}
}

// settings are the current settings.
func (a *API) settings() *config.Settings { return a.live.Current() }

// ServeHTTP answers one request below /api.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{api: a, w: w, r: r, ctx: r.Context(), info: web.InfoOf(r.Context())}
	if err := a.serve(c); err != nil {
		c.fail(err)
	}
}

// serve runs the checks in the order of conventions.md 6 and then the handler.
func (a *API) serve(c *call) error {
	if !a.settings().API.Enabled {
		return admitto.Refused(problem.NoSuchPath, message.Of("no-such-path"))
	}
	segments, pathErr := splitPath(c.r.URL)
	var versionErr error
	segments, versionErr = a.takeVersion(c, segments)
	node, args := a.tree.find(segments)
	open := versionErr == nil && pathErr == nil && a.isOpen(c, node)
	if !open && c.key == nil {
		if err := a.admit(c); err != nil {
			return err
		}
	}
	switch {
	case pathErr != nil:
		return pathErr
	case versionErr != nil:
		return versionErr
	case node == nil:
		return admitto.Refused(problem.NoSuchPath, message.Of("no-such-path-in-any-version"))
	}
	c.info.Route = node.pattern
	c.markDeprecatedVersion()
	row := node.row(c.r.Method, c.version)
	if row == nil {
		return a.absent(c, node)
	}
	if row.in.IsDeprecated {
		c.deprecated("")
	}
	if !open && !c.key.Allows(row.method, row.path) {
		return admitto.Refused(admitto.NotPermitted, message.Of("key-may-not-call", row.method, row.path))
	}
	c.node, c.row = row.home, row.route
	if c.key != nil {
		c.may = a.scopes.of(c.key)
	}
	c.countEnding()
	c.noteCall()
	if err := c.parseArguments(args); err != nil {
		return err
	}
	if err := c.throughAliases(row.via); err != nil {
		return err
	}
	if c.r.Method == http.MethodPost && len(c.r.Header.Values("Idempotency-Key")) > 0 {
		return a.serveOnce(c, row.route)
	}
	if c.isConditional() {
		if err := c.checkMatch(); err != nil {
			return err
		}
	}
	return row.serve(a, c)
}

// splitPath divides the path behind /api into segments. A trailing slash does not matter; an empty segment
// inside is no path.
func splitPath(u *url.URL) ([]string, error) {
	segments := strings.Split(strings.TrimSuffix(strings.TrimPrefix(u.EscapedPath(), "/"), "/"), "/")
	for i, s := range segments {
		plain, err := url.PathUnescape(s)
		if err != nil || plain == "" || i == 0 && plain != "api" {
			return nil, admitto.Refused(problem.NoSuchPath, message.Of("no-such-path-in-any-version"))
		}
		segments[i] = plain
	}
	return segments[1:], nil
}

var versionSegment = regexp.MustCompile(`^v[0-9]+$`)

// takeVersion finds the version asked for and the prefix of its links.
func (a *API) takeVersion(c *call, segments []string) ([]string, error) {
	c.version, c.prefix = version.Number(a.settings().API.DefaultVersion), "/api"
	if len(segments) == 0 || !versionSegment.MatchString(segments[0]) {
		c.info.Version = int(c.version)
		return segments, nil
	}
	n, err := strconv.Atoi(segments[0][1:])
	if err != nil || segments[0][1] == '0' || n < a.settings().API.OldestVersion || version.Number(n) > version.Latest {
		return nil, admitto.Refused(problem.UnknownVersion,
			message.Of("version-not-served", fmt.Sprintf("%.20s", segments[0]), a.settings().API.OldestVersion, version.Latest))
	}
	c.version, c.prefix = version.Number(n), "/api/"+segments[0]
	c.info.Version = n
	return segments[1:], nil
}

// isOpen reports whether the request needs no key.
func (a *API) isOpen(c *call, n *node) bool {
	if n == nil {
		return false
	}
	row := n.row(c.r.Method, c.version)
	return row != nil && row.in.IsOpen
}

// absent says why a path that exists has no row for the method in the version.
func (a *API) absent(c *call, n *node) error {
	if allow := n.allow(c.version); allow != "" {
		c.w.Header().Set("Allow", allow)
		return admitto.Refused(problem.MethodNotAllowed,
			message.Of("method-not-allowed", fmt.Sprintf("%.20s", c.r.Method), c.version, allow))
	}
	s := n.span()
	if int(s.Last) >= a.settings().API.OldestVersion {
		s.First = max(s.First, version.Number(a.settings().API.OldestVersion)) // no other is of use to the client
	}
	exists := message.Of("path-in-versions", s.First, s.Last)
	if s.First == s.Last {
		exists = message.Of("path-in-version", s.First)
	}
	if s.Successor != "" {
		exists = message.Of("path-replaced", exists, s.Successor)
	}
	return admitto.Refused(problem.NotInVersion, exists)
}

// admit checks the key and counts the request against its quota.
func (a *API) admit(c *call) error {
	secret := a.secretOf(c.r.Header)
	key, err := a.services.Keys.Authenticate(c.ctx, secret)
	if err != nil {
		return err
	}
	if key == nil {
		c.w.Header().Set("WWW-Authenticate", `SERVICE realm="api"`)
		return admitto.Refused(problem.Unauthorized, message.Of("key-needed"))
	}
	c.key = key
	c.info.KeyID = key.ID
	if c.r.Method == http.MethodGet || c.r.Method == http.MethodHead {
		if ctx, counting := a.services.Keys.CountLater(c.ctx, key); counting != nil {
			c.ctx = ctx
			c.w = &countedAnswer{ResponseWriter: c.w, call: c, counting: counting, before: maps.Clone(c.w.Header())}
			return nil
		}
	}
	return c.passes(a.services.Keys.TakeQuota(c.ctx, key))
}

// secretOf returns the key in the Authorization header, "" when there is none of the right form.
func (a *API) secretOf(h http.Header) string {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, rest, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	if !slices.ContainsFunc(a.settings().API.AuthSchemes, func(s string) bool { return strings.EqualFold(s, scheme) }) {
		return ""
	}
	rest = strings.Trim(rest, " ")
	name, value, found := strings.Cut(rest, "=")
	if !found || !strings.EqualFold(strings.TrimSpace(name), "apikey") {
		return ""
	}
	value = strings.TrimSpace(value)
	if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
		value = value[1 : len(value)-1]
	}
	return value
}

// parseArguments checks the parameters of the path.
func (c *call) parseArguments(args []argument) error {
	for _, arg := range args {
		switch arg.name {
		case "id":
			id, err := text.ID(arg.value)
			if err != nil {
				return &admitto.Error{Kind: problem.InvalidID, Text: message.Of("id-malformed", err.Error())}
			}
			c.ids = append(c.ids, id)
		case "year":
			if len(arg.value) != 4 || strings.Trim(arg.value, "0123456789") != "" {
				return &admitto.Error{Kind: problem.InvalidID, Text: message.Of("year-malformed")}
			}
			c.name = arg.value
		case "blob":
			if !blobName.MatchString(arg.value) {
				return &admitto.Error{Kind: problem.InvalidID, Text: message.Of("blob-malformed")}
			}
			c.name = arg.value
		default:
			c.name = arg.value
		}
	}
	return nil
}

var blobName = regexp.MustCompile(schema.BlobPattern)

// by is the caller of the use cases: the key, with the permissions of its scope. Without a key it may do nothing.
func (c *call) by() admitto.Caller {
	if c.key == nil {
		return admitto.Caller{}
	}
	return admitto.KeyCaller(c.key.ID, c.may, c.info.RequestID)
}

// caller is by with the conditions of a change.
func (c *call) caller() usecase.Caller {
	by := usecase.Caller{Caller: c.by(), Version: c.seen}
	if c.record != nil {
		by.Hook = c.record
	}
	return by
}
