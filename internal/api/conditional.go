package api

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// checkMatch compares If-Match with the ETag that GET of the same path has now.
func (c *call) checkMatch(ctx context.Context) error {
	get := c.node.row(http.MethodGet, c.version)
	if get == nil {
		return nil
	}
	probe := &probe{header: http.Header{}}
	request := c.r.Clone(ctx)
	request.Method, request.Body, request.Header, request.URL.RawQuery = http.MethodGet, http.NoBody, http.Header{}, ""
	sub := *c
	sub.w, sub.r, sub.ctx, sub.row = probe, request, ctx, get.route
	sub.may = c.may.Union(get.needs) // nothing of the answer leaves, so the scope does not matter
	err := get.serve(c.api, &sub)
	var e *admitto.Error
	switch {
	case err == nil && matchesTag(c.r.Header.Values("If-Match"), probe.header.Get("ETag"), true):
		return nil
	case err == nil, errors.As(err, &e) && e.Kind == admitto.NotFound:
		return admitto.Errorf(admitto.ChangedMeanwhile, "The resource is not what If-Match says (any more). Read it again and decide anew.")
	}
	return err
}

// probe takes an answer of which only the header matters.
type probe struct{ header http.Header }

func (p *probe) Header() http.Header         { return p.header }
func (p *probe) Write(b []byte) (int, error) { return len(b), nil }
func (p *probe) WriteHeader(int)             {}

// matchesTag tells whether a list of If-Match (which is strong: a weak tag names nothing, RFC 9110) or of
// If-None-Match names the tag. What compression adds to a tag is not looked at.
func matchesTag(lists []string, tag string, strong bool) bool {
	for item := range strings.SplitSeq(strings.Join(lists, ","), ",") {
		item = strings.TrimSpace(item)
		if !strong {
			item = strings.TrimPrefix(item, "W/")
		}
		for _, coding := range []string{"-gzip", "-zstd"} {
			if plain, ok := strings.CutSuffix(item, coding+`"`); ok {
				item = plain + `"`
			}
		}
		if item == "*" || tag != "" && item == tag {
			return true
		}
	}
	return false
}
