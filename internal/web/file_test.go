package web

import (
	"mime"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
)

// Names of every sort, hostile ones among them: the header stays one header, and the name a name.
func TestContentDisposition(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"a.pdf", `filename="a.pdf"; filename*=UTF-8''a.pdf`},
		{"a b.pdf", `filename="a b.pdf"; filename*=UTF-8''a%20b.pdf`},
		{`a"b.pdf`, `filename="a_b.pdf"; filename*=UTF-8''a_b.pdf`},
		{`..\..\boot.ini`, `filename=".._.._boot.ini"; filename*=UTF-8''.._.._boot.ini`},
		{"../../etc/passwd", `filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`},
		{"a;filename=b.exe", `filename="a_filename=b.exe"; filename*=UTF-8''a_filename%3Db.exe`},
		{"a\r\nSet-Cookie: x=y", `filename="a__Set-Cookie: x=y"; filename*=UTF-8''a__Set-Cookie%3A%20x%3Dy`},
		{"tab\there\x00\x7f", `filename="tab_here__"; filename*=UTF-8''tab_here__`},
		{"\u0085next", `filename="_next"; filename*=UTF-8''_next`},
		{"naïve.txt", `filename="na_ve.txt"; filename*=UTF-8''na%C3%AFve.txt`},
		{"日本語.pdf", `filename="___.pdf"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%E8%AA%9E.pdf`},
		{"🎓.png", `filename="_.png"; filename*=UTF-8''%F0%9F%8E%93.png`},
		{"עברית.doc", `filename="_____.doc"; filename*=UTF-8''%D7%A2%D7%91%D7%A8%D7%99%D7%AA.doc`},
		{"photo\u202egpj.exe", `filename="photo_gpj.exe"; filename*=UTF-8''photo_gpj.exe`},
		{"bad\xff.pdf", `filename="bad_.pdf"; filename*=UTF-8''bad_.pdf`},
		{"50%25.pdf", `filename="50%25.pdf"; filename*=UTF-8''50%2525.pdf`},
		{"it's (1)*.pdf", `filename="it's (1)*.pdf"; filename*=UTF-8''it%27s%20%281%29%2A.pdf`},
		{"", `filename="file"; filename*=UTF-8''file`}, {"..", `filename="file"; filename*=UTF-8''file`}, {" ",
			`filename="file"; filename*=UTF-8''file`},
	} {
		got := ContentDisposition("attachment", c.name)
		if got != "attachment; "+c.want {
			t.Errorf("%q: %s\nwant        attachment; %s", c.name, got, c.want)
		}
		if kind, _, err := mime.ParseMediaType(got); err != nil || kind != "attachment" {
			t.Errorf("%q: %v", c.name, err)
		}
		h := http.Header{}
		h.Set("Content-Disposition", got)
		var b strings.Builder
		if err := h.Write(&b); err != nil || strings.Count(b.String(), "\n") != 1 {
			t.Errorf("%q: %q, %v", c.name, b.String(), err)
		}
	}
}

// FuzzConditions reads what clients say about the state they know and the bytes they want: what is taken from it is in
// it.
func FuzzConditions(f *testing.F) {
	for _, seed := range []string{"", "bytes=0-0,-5,7-", "bytes=9-1", "BYTES = 1-2", `"a", W/"b", "c-gzip"`, "*",
		",;=\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if MatchesTag([]string{value}, `"0123"`, true) && !strings.Contains(value, "*") && !strings.Contains(value, `"0123`) {
			t.Fatal("it matches")
		}
		if ranges := byteRanges(value); ranges != "" {
			if !strings.HasPrefix(ranges, "bytes=") || strings.Count(ranges, ",") >= maxRanges ||
				byteRanges(ranges) != ranges || strings.Trim(ranges, "bytes=0123456789-,") != "" ||
				textproto.TrimString(ranges) != ranges {
				t.Fatalf("%q", ranges)
			}
		}
	})
}
