package site_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/site"
)

// TestViewQuery refuses what no list has in its address.
func TestViewQuery(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"": "", "term=2&page=3": "term=2", "status=Draft&status=Closed&column=id": "column=id&status=Draft&status=Closed",
		"text=%D8%B3%D8%A7%D8%B1%D8%A9": "text=%D8%B3%D8%A7%D8%B1%D8%A9", "text=%3Cscript%3E": "text=%3Cscript%3E",
	} {
		if got, ok := site.ViewQuery(query); !ok || got != want {
			t.Errorf("%q: %q, %v", query, got, ok)
		}
	}
	for name, query := range map[string]string{
		"broken escape": "text=%zz", "semicolon": "a=1;b=2", "control": "text=a%00", "line break": "text=a%0Ab",
		"no UTF-8":  "text=%ff",
		"raw bytes": "text=\xff", "name": "A=1", "foreign": "https://example.org/?a=1", "path": "../roles?x=1",
		"no name":   "=1",
		"long name": strings.Repeat("a", 61) + "=1", "long": "text=" + strings.Repeat("a", 4000),
		"many":  strings.Repeat("a=1&", 201) + "a=1",
		"grows": "text=" + strings.Repeat("/", 3000),
	} {
		if got, ok := site.ViewQuery(query); ok {
			t.Errorf("%s is taken as %q", name, got)
		}
	}
}

func FuzzViewQuery(f *testing.F) {
	for _, seed := range []string{"", "term=2&page=3", "text=%zz", "a=1;b=2", "text=%00", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		normal, ok := site.ViewQuery(query)
		if !ok {
			return
		}
		if again, ok := site.ViewQuery(normal); !ok || again != normal {
			t.Errorf("%q becomes %q and then %q, %v", query, normal, again, ok)
		}
		if values, err := url.ParseQuery(normal); err != nil || values.Has("page") || len(normal) > 4000 {
			t.Errorf("%q: %v", normal, err)
		}
	})
}
