package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

// CompressAbove is from which size on answers are compressed, in bytes.
const CompressAbove = 1 << 10

// Document answers r with a text that has an ETag: 200, or 304 where If-None-Match names it; compressed where the
// client takes that. HEAD gets the headers alone. Errors are those of Answer; nothing was sent then, and the headers
// ETag and Vary are set.
func (b *Budget) Document(w http.ResponseWriter, r *http.Request, contentType string, body []byte) error {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	h := w.Header()
	h.Set("ETag", tag)
	h.Set("Vary", "Accept-Encoding")
	if match := r.Header.Values("If-None-Match"); len(match) > 0 && MatchesTag(match, tag, false) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	encoding := Encoding(r)
	if len(body) <= CompressAbove || encoding == "" || r.Method == http.MethodHead {
		Send(w, r, http.StatusOK, contentType, body)
		return nil
	}
	pieces, err := b.Answer(r.Context(), encoding, 0, func(p *Pieces) error {
		_, err := p.Write(body)
		return err
	})
	if err != nil {
		return err
	}
	defer pieces.Release()
	h.Set("ETag", strings.TrimSuffix(tag, `"`)+"-"+encoding+`"`)
	pieces.SendAs(w, contentType)
	return nil
}

// Send sends an answer of known size as it is; HEAD gets the headers alone. An empty contentType leaves that header as
// it is.
func Send(w http.ResponseWriter, r *http.Request, status int, contentType string, body []byte) {
	h := w.Header()
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // whether it arrives is the client's affair
	}
}

// SendAs sends a closed answer with status 200, its length and its coding. A client that takes nothing, or has gone,
// ends the handler by a panic with http.ErrAbortHandler, so that the answer does not look whole.
func (p *Pieces) SendAs(w http.ResponseWriter, contentType string) {
	h := w.Header()
	if encoding := p.Encoding(); encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.FormatInt(p.Len(), 10))
	w.WriteHeader(http.StatusOK)
	if err := p.SendTo(w); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// MatchesTag reports whether a list of If-Match (which is strong: a weak tag names nothing, RFC 9110) or of
// If-None-Match names the tag. What compression adds to a tag is not looked at.
func MatchesTag(lists []string, tag string, strong bool) bool {
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
