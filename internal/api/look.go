package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/web"
)

// Look is what a GET answers.
type Look struct {
	Status int
	Header http.Header
	Body   []byte
}

// Look returns what a GET of a path (below /api, without version; a query may follow) answers in a version to a key
// that may read everything. No request is sent, and neither quota nor use of a key is counted. An error is an answer
// that broke off; refusals are answers.
func (a *API) Look(ctx context.Context, in int, path string) (look *Look, err error) {
	url := fmt.Sprintf("https://localhost/api/v%d/%s", in, strings.TrimPrefix(path, "/"))
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("%s is no path: %w", path, err)
	}
	w := &lookWriter{look: Look{Header: http.Header{}}}
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			panic(p)
		} else if p != nil {
			look, err = nil, errors.New("the answer broke off")
		}
	}()
	c := &call{api: a, w: w, r: r, ctx: ctx, info: web.InfoOf(ctx), key: &admitto.Key{Scope: admitto.ScopeReadOnly}}
	if err := a.serve(c); err != nil {
		c.fail(err)
	}
	if c.info.Problem != nil {
		return nil, c.info.Problem
	}
	w.look.Body = w.body.Bytes()
	return &w.look, nil
}

// lookWriter collects an answer.
type lookWriter struct {
	look Look
	body bytes.Buffer
}

func (w *lookWriter) Header() http.Header { return w.look.Header }

func (w *lookWriter) WriteHeader(status int) {
	if w.look.Status == 0 {
		w.look.Status = status
	}
}

func (w *lookWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}
