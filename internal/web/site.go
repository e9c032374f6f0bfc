package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/admitto/admitto/internal/message"
)

// Site is one of the interfaces behind a server: the API, the documentation, pages. The chain knows nothing of them but
// this: each answers errors in its own form and with its own headers.
type Site struct {
	// Prefix is the path of the site; all below it belong to it too ("/api" has /api and /api/v10, not /apis). The site
	// with the longest prefix answers; "" has what no other site has.
	Prefix  string
	Handler http.Handler
	// Fault answers a request that the handler did not answer, with nothing sent before: err is one of ErrHTTPSRequired,
	// ErrPanicked and ErrNoSuchPath from the chain, and what handlers pass on of Document and the like. For
	// ErrHTTPSRequired the request comes without Authorization and Cookie. nil: a plain text answer.
	Fault func(w http.ResponseWriter, r *http.Request, err error)
	// Headers are set before each answer of the site, those of faults included; the handler may change them.
	Headers map[string]string
}

// What a site is asked to answer.
var (
	ErrHTTPSRequired = errors.New("web: HTTPS is required") // the request came over plain HTTP
	ErrPanicked      = errors.New("web: the handler panicked")
	ErrNoSuchPath    = errors.New("web: there is no such path")
	ErrReadOnly      = errors.New("web: pages are only read") // from handlers of pages, which have set Allow
)

// siteOf returns the site of a path: that with the longest prefix, and one that has nothing where none fits.
func siteOf(sites []Site, path string) *Site {
	found := &Site{}
	for i := range sites {
		if s := &sites[i]; s.has(path) && (found.Handler == nil || len(s.Prefix) > len(found.Prefix)) {
			found = s
		}
	}
	return found
}

// has reports whether the path belongs to the site.
func (s *Site) has(path string) bool {
	rest, below := strings.CutPrefix(path, s.Prefix)
	return below && (s.Prefix == "" || rest == "" || rest[0] == '/')
}

// begin sets the headers of the site.
func (s *Site) begin(h http.Header) {
	for name, value := range s.Headers {
		h.Set(name, value)
	}
}

// answer lets the site answer.
func (s *Site) answer(w http.ResponseWriter, r *http.Request) {
	if s.Handler == nil {
		s.fault(w, r, ErrNoSuchPath)
		return
	}
	s.Handler.ServeHTTP(w, r)
}

// fault answers an error in the form of the site.
func (s *Site) fault(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case s.Fault != nil:
		s.Fault(w, r, err)
	case errors.Is(err, ErrHTTPSRequired):
		plainText(w, http.StatusForbidden, message.Of("web-https-required"))
	case errors.Is(err, ErrNoSuchPath):
		plainText(w, http.StatusNotFound, message.Of("web-no-such-path"))
	case errors.Is(err, ErrReadOnly):
		plainText(w, http.StatusMethodNotAllowed, message.Of("web-read-only"))
	default:
		plainText(w, http.StatusInternalServerError, message.Of("web-internal-error"))
	}
}
