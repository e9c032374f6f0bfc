package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestEncoding(t *testing.T) {
	for _, c := range []struct {
		accept []string
		want   string
	}{
		{nil, ""}, {[]string{""}, ""}, {[]string{"identity"}, ""}, {[]string{"br, deflate"}, ""},
		{[]string{"gzip"}, "gzip"}, {[]string{"zstd"}, "zstd"}, {[]string{"GZip"}, "gzip"}, {[]string{"x-gzip"}, "gzip"},
		{[]string{"gzip, deflate, br, zstd"}, "zstd"}, {[]string{"gzip, deflate, br"}, "gzip"},
		{[]string{"zstd;q=0.5, gzip"}, "gzip"}, {[]string{"zstd;q=0.5,gzip;q=0.5"},
			"zstd"}, {[]string{"gzip;q=0.9 , zstd ; q=0.91"}, "zstd"},
		{[]string{"gzip;q=0"}, ""}, {[]string{"gzip;q=0, zstd;q=0"}, ""}, {[]string{"gzip;q=0, zstd;q=0.001"}, "zstd"},
		{[]string{"gzip;q=0.5, identity"}, ""}, {[]string{"gzip;q=0.5, identity;q=0.5"},
			"gzip"}, {[]string{"gzip;q=0.5, identity;q=0.1"}, "gzip"},
		{[]string{"identity;q=0"}, ""}, {[]string{"identity;q=0, br"}, ""}, {[]string{"*;q=0"},
			""}, {[]string{"identity;q=0, *;q=0"}, ""},
		{[]string{"*"}, "gzip"}, {[]string{"*;q=0.5, zstd"}, "zstd"}, {[]string{"gzip;q=0, *"},
			""}, {[]string{"*, zstd;q=0.2"}, "gzip"},
		{[]string{"gzip", "zstd"}, "zstd"}, {[]string{"gzip;q=0", "gzip"}, "gzip"},
		{[]string{"gzip;q=2"}, ""}, {[]string{"gzip;q=-1"}, ""}, {[]string{"gzip;q=1.001"}, ""}, {[]string{"gzip;q=0.1234"},
			""}, {[]string{"gzip;q="}, ""},
		{[]string{"gzip;q=abc"}, ""}, {[]string{"gzip;level=1"}, ""}, {[]string{"gzip;q=1.000"},
			"gzip"}, {[]string{"gzip;Q=1."}, "gzip"}, {[]string{",,gzip,,"}, "gzip"},
		{[]string{"gzipped"}, ""}, {[]string{"gzip zstd"}, ""},
	} {
		r := &http.Request{Header: http.Header{"Accept-Encoding": c.accept}}
		if got := Encoding(r); got != c.want {
			t.Errorf("%q: %q, want %q", c.accept, got, c.want)
		}
	}
}

func FuzzEncoding(f *testing.F) {
	for _, s := range []string{"", "gzip, deflate, br, zstd", "zstd;q=0.5,gzip", "*;q=0", "identity;q=0", "gzip;q=1.0000",
		";;;q=,"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Encoding(&http.Request{Header: http.Header{"Accept-Encoding": {s}}})
		lower := strings.ToLower(s)
		switch got {
		case "":
		case "gzip":
			if !strings.Contains(lower, "gzip") && !strings.Contains(s, "*") {
				t.Errorf("gzip for %q", s)
			}
		case "zstd":
			if !strings.Contains(lower, "zstd") {
				t.Errorf("zstd for %q", s)
			}
		default:
			t.Errorf("%q for %q", got, s)
		}
		// The order of the items does not matter.
		items := strings.Split(s, ",")
		slices.Reverse(items)
		if back := Encoding(&http.Request{Header: http.Header{"Accept-Encoding": {strings.Join(items, ",")}}}); back != got {
			t.Errorf("%q: %q, turned round %q", s, got, back)
		}
	})
}
