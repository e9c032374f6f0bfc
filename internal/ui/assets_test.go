package ui_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/admitto/admitto/internal/ui"
)

// TestVendoredFiles compares every file that others wrote with the sum of vendor.json, and wants no other files.
func TestVendoredFiles(t *testing.T) {
	text, err := os.ReadFile("vendored/vendor.json")
	if err != nil {
		t.Fatal(err)
	}
	var packs []struct {
		Name, Version, Integrity, Licence string
		Files                             []struct{ To, SHA256 string }
	}
	if err := json.Unmarshal(text, &packs); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"vendor.json": true, "refresh": true}
	for _, p := range packs {
		if p.Name == "" || p.Version == "" || p.Licence == "" || !strings.HasPrefix(p.Integrity, "sha512-") {
			t.Errorf("%+v lacks its version, integrity or licence", p)
		}
		for _, f := range p.Files {
			content, err := os.ReadFile(filepath.Join("vendored", filepath.FromSlash(f.To)))
			if err != nil {
				t.Error(err)
				continue
			}
			known[f.To] = true
			if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != f.SHA256 {
				t.Errorf("%s is not the file of vendor.json: run make assets", f.To)
			}
		}
	}
	entries, err := os.ReadDir("vendored")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !known[entry.Name()] {
			t.Errorf("vendored/%s is not in vendor.json", entry.Name())
		}
	}
}

// TestAssets takes every asset in each coding, and compares the sizes with the limits of screens.md U1 and U2.
func TestAssets(t *testing.T) {
	assets, err := ui.NewAssets()
	if err != nil {
		t.Fatal(err)
	}
	get := func(path, coding string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept-Encoding", coding)
		w := httptest.NewRecorder()
		assets.ServeHTTP(w, r)
		return w
	}
	for name, limits := range map[string][2]int{"ui.css": {40 << 10, 12 << 10}, "app.js": {15 << 10, 6 << 10},
		"upload.js": {8 << 10, 3 << 10}, "order.js": {2 << 10, 1 << 10}, "sortable.min.js": {48 << 10, 17 << 10},
		"htmx.min.js": {40 << 10, 16 << 10}, "icons.svg": {32 << 10, 8 << 10}} {
		path := assets.Path(name)
		plain, zipped, packed := get(path, "identity"), get(path, "gzip"), get(path, "zstd, gzip")
		if plain.Code != http.StatusOK || !strings.Contains(plain.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", path, plain.Code, plain.Header())
		}
		if plain.Body.Len() > limits[0] || zipped.Body.Len() > limits[1] {
			t.Errorf("%s has %d bytes and %d compressed, more than %v", name, plain.Body.Len(), zipped.Body.Len(), limits)
		}
		reader, err := gzip.NewReader(zipped.Body)
		if err != nil {
			t.Fatal(err)
		}
		unzipped, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		decoder, err := zstd.NewReader(packed.Body)
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := io.ReadAll(decoder)
		decoder.Close()
		if err != nil || !bytes.Equal(unzipped, plain.Body.Bytes()) || !bytes.Equal(unpacked, plain.Body.Bytes()) {
			t.Errorf("%s is not the same in each coding: %v", name, err)
		}
	}
	if w := get("/assets/ui.css", ""); w.Code != http.StatusNotFound {
		t.Errorf("a name without its hash is answered with %d", w.Code)
	}
	w := httptest.NewRecorder()
	assets.ServeHTTP(w, httptest.NewRequest(http.MethodPost, assets.Path("app.js"), nil))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", w.Code, w.Header())
	}
}
