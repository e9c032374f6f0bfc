package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/web"
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
	case err == nil && web.MatchesTag(c.r.Header.Values("If-Match"), probe.header.Get("ETag"), true):
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
