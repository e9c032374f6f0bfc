package site

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/seal"
)

// FuzzForm reads what no page sends: what comes back is text that a page can show, and its encoding reads alike.
func FuzzForm(f *testing.F) {
	for _, body := range []string{"", "a=1&a=2", "keep.a=theirs&theirs.a=x&a=y", "a=%00%ff%0d%0a", "=&&&=", "a=%zz",
		"%ff=1",
		strings.Repeat("a&", 3000)} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		values, err := parseForm(body)
		if err != nil {
			return
		}
		for name, list := range values {
			for _, v := range append(list, name) {
				if !utf8.ValidString(v) {
					t.Fatalf("%q is no text", v)
				}
			}
		}
		again, err := parseForm(values.Encode())
		if err != nil || again.Encode() != values.Encode() {
			t.Fatalf("%q reads as %v and %v: %v", body, values, again, err)
		}
	})
}

// FuzzStamp opens what is no stamp of ours.
func FuzzStamp(f *testing.F) {
	s := &Site{Config: Config{Area: accounts.Portal, Key: seal.NewKey()}}
	real := s.makeStamp(stamp{7, "/my/account", "mark"})
	f.Add("")
	f.Add(real[1:])
	f.Add(strings.ToUpper(real))
	f.Fuzz(func(t *testing.T, text string) {
		if st, ok := s.openStamp(text); ok && text != real {
			t.Fatalf("%q opens as %v", text, st)
		}
	})
	if st, ok := s.openStamp(real); !ok || st != (stamp{7, "/my/account", "mark"}) {
		f.Fatal("our own stamp does not open")
	}
	other := &Site{Config: Config{Area: accounts.Administration, Key: s.Key}}
	if _, ok := other.openStamp(real); ok {
		f.Fatal("a stamp of the portal opens in the administration")
	}
}

// FuzzParts reads forms with files that no page sends: what comes back can be shown and is within its bounds.
func FuzzParts(f *testing.F) {
	part := func(head, body string) string {
		return "--b\r\nContent-Disposition: form-data; " + head + "\r\n\r\n" + body + "\r\n"
	}
	for _, body := range []string{"", "--b--", part(`name="of"`, "ours") + "--b--", part(`name="of"`, "x") + "--b--",
		part(`name="of"`, "ours") + part(`name="f"; filename="../a\b"`, "x") + "--b--",
		part(`name="of"`, "ours") + part(`name="f"; filename*=utf-8''%ff%00`, "x") + "--b--",
		part(`name="a"; filename=""`, "") + "--b--", "--b\r\nContent-Disposition: form-data; name=\r\n\r\n--b--"} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		ours := false
		values, files, _, err := parseParts(strings.NewReader(body), "b", 100, func(stamp string) bool {
			ours = stamp == "ours"
			return ours
		})
		for _, file := range files {
			defer file.sent.Close() //nolint:errcheck // it has no name
		}
		if err != nil {
			return
		}
		for name, list := range values {
			for _, v := range append(list, name) {
				if v != readable(v) {
					t.Fatalf("%q cannot be shown", v)
				}
			}
		}
		for _, file := range files {
			if !ours || len(file.Name) > mostFileName || strings.ContainsAny(file.Name, "/\\\n") ||
				file.Name != readable(file.Name) {
				t.Fatalf("%+v", file)
			}
		}
	})
}

// FuzzUploadMetadata reads what uploads begin with: what comes back can be shown.
func FuzzUploadMetadata(f *testing.F) {
	for _, header := range []string{"", "of YQ==", "of YQ==,field Zg==, filename w6QucGRm", "of !", ",", "of YQ==,of YQ==",
		"filename AAo=", "filetype"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		said, valid := tusMetadata(header)
		if !valid && said != nil {
			t.Fatal("what cannot be read says something")
		}
		for name, value := range said {
			if value != readable(value) || strings.Contains(value, "\n") {
				t.Fatalf("%q: %q", name, value)
			}
		}
	})
}

// FuzzLocal wants addresses that lead nowhere else.
func FuzzLocal(f *testing.F) {
	for _, address := range []string{"/", "//x", "/\\x", "/a?b=//c", "https:/x", "/\t/x", "/%2f/x"} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if !Local(address) {
			return
		}
		base, err := url.Parse("https://here.example/p")
		if err != nil {
			t.Fatal(err)
		}
		if to, err := base.Parse(address); err != nil || to.Host != "here.example" || to.Scheme != "https" {
			t.Fatalf("%q leads to %v: %v", address, to, err)
		}
	})
}

// FuzzPlace reads places in lists that nobody wrote: what comes back is an address that reads alike.
func FuzzPlace(f *testing.F) {
	for _, list := range []string{"", "row=3", "order=up&row=3&near=1.2", "near=-1.2", "near=1",
		"row=99999999999999999999", "page=2&list=x", "%zz", "a=%ff"} {
		f.Add(list)
	}
	f.Fuzz(func(t *testing.T, list string) {
		p, ok := placeOf(list)
		if !ok {
			return
		}
		if p.Row < 0 || p.near[0] < 0 || p.near[1] < 0 {
			t.Fatalf("%q is at %d between %v", list, p.Row, p.near)
		}
		address, err := url.ParseQuery(strings.TrimPrefix(p.Address(), "?"))
		if err != nil || len(address) != 1 {
			t.Fatalf("%q has the address %q: %v", list, p.Address(), err)
		}
		if again, ok := placeOf(address.Get(ListName)); !ok || again != p {
			t.Fatalf("%q reads as %v and %v", list, p, again)
		}
	})
}
