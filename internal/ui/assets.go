package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/admitto/admitto/internal/web"
)

//go:embed css/*.css js/*.js vendored/*.js vendored/icons.svg
var assetFiles embed.FS

// AssetPrefix is the path below which assets are.
const AssetPrefix = "/assets"

// Policy is the Content-Security-Policy of every page (screens.md U3).
const Policy = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"

// Assets are the styles, scripts and icons of pages. Each is answered at an address that has the hash of its bytes, and
// may be kept for ever.
type Assets struct {
	paths  map[string]string // by plain name, such as "app.js"
	byPath map[string]*asset
}

type asset struct {
	contentType string
	content     []byte
	encoded     map[string]func() ([]byte, error) // by coding: compressed when it is first asked for
}

// NewAssets reads what is compiled in, and joins the styles.
func NewAssets() (*Assets, error) {
	a := &Assets{paths: map[string]string{}, byPath: map[string]*asset{}}
	styles, err := joinStyles()
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{"ui.css": styles}
	for _, name := range []string{"js/app.js", "js/order.js", "js/upload.js", "vendored/htmx.min.js",
		"vendored/hx-sse.min.js", "vendored/sortable.min.js", "vendored/icons.svg"} {
		if contents[path.Base(name)], err = assetFiles.ReadFile(name); err != nil {
			return nil, err
		}
	}
	types := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
		".svg": "image/svg+xml"}
	for name, content := range contents {
		sum := sha256.Sum256(content)
		ext := path.Ext(name)
		address := fmt.Sprintf("%s/%s-%s%s", AssetPrefix, strings.TrimSuffix(name, ext), hex.EncodeToString(sum[:8]), ext)
		a.paths[name], a.byPath[address] = address, newAsset(types[path.Ext(name)], content)
	}
	return a, nil
}

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssSpace   = regexp.MustCompile(`\s*([{};,>\n])\s*`)
	cssColon   = regexp.MustCompile(`(:) +`) // what stands before a value
)

// joinStyles returns all styles as one, in the order of their file names, without comments and the space that only
// people read.
func joinStyles() ([]byte, error) {
	names, err := fs.Glob(assetFiles, "css/*.css")
	if err != nil {
		return nil, err
	}
	var all []byte
	for _, name := range names {
		text, err := assetFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, text...)
	}
	all = cssSpace.ReplaceAll(cssComment.ReplaceAll(all, nil), []byte("$1"))
	all = bytes.ReplaceAll(all, []byte(";}"), []byte("}"))
	return bytes.TrimSpace(cssColon.ReplaceAll(all, []byte("$1"))), nil
}

func newAsset(contentType string, content []byte) *asset {
	return &asset{contentType, content, map[string]func() ([]byte, error){
		"":     func() ([]byte, error) { return content, nil },
		"gzip": sync.OnceValues(func() ([]byte, error) { return zipped(content) }),
		"zstd": sync.OnceValues(func() ([]byte, error) { return zstandard(content) }),
	}}
}

func zipped(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(content)
		err = errors.Join(err, w.Close())
	}
	return out.Bytes(), err
}

func zstandard(content []byte) ([]byte, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer func() { _ = encoder.Close() }()
	return encoder.EncodeAll(content, nil), nil
}

// Path returns the address of an asset by its plain name, such as "app.js"; "" when there is none.
func (a *Assets) Path(name string) string { return a.paths[name] }

// ServeHTTP answers assets.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	found := a.byPath[r.URL.Path]
	if found == nil {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	encoding := web.Encoding(r)
	body, err := found.encoded[encoding]()
	if err != nil { // what is compiled in can be sent as it is
		encoding, body = "", found.content
	}
	h := w.Header()
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	h.Set("X-Content-Type-Options", "nosniff")
	web.Send(w, r, http.StatusOK, found.contentType, body)
}
