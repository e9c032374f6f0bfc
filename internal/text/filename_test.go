package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFileName(t *testing.T) {
	long := strings.Repeat("é", 300)
	for _, c := range []struct{ in, want string }{
		{"Passport.pdf", "Passport.pdf"}, {" a b.pdf ", "a b.pdf"}, {"", ""}, {" ", ""}, {".", ""}, {"..", ""}, {"a/",
			""}, {"/", ""},
		{"/etc/passwd", "passwd"}, {"../../x.pdf", "x.pdf"}, {`C:\Users\Ilse\x.pdf`, "x.pdf"}, {`a/b\c.pdf`,
			"c.pdf"}, {".profile", ".profile"},
		{"a\x00b\r\n.pdf", "ab.pdf"}, {"\x01\x02", ""}, {"e\u0301.pdf", "é.pdf"}, {"a\u2028b", "ab"},
		{"a\u202efdp.exe", "afdp.exe"}, {"\xff.pdf",
			"\ufffd.pdf"}, {"日本 \"x\".pdf", "日本 \"x\".pdf"},
		{long + ".pdf", strings.Repeat("é", 251) + ".pdf"}, {long, strings.Repeat("é", 255)}, {"a." + long,
			"a." + strings.Repeat("é", 253)},
		{strings.Repeat("x", 255), strings.Repeat("x", 255)},
	} {
		if got := FileName(c.in); got != c.want {
			t.Errorf("FileName(%.40q) = %.40q, want %.40q", c.in, got, c.want)
		}
	}
}

func FuzzFileName(f *testing.F) {
	for _, seed := range []string{"a.pdf", "../a", "\xff", ".", "a\x00", strings.Repeat("é", 300) + ".pdf"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name := FileName(s)
		if again := FileName(name); again != name {
			t.Errorf("%q becomes %q and then %q", s, name, again)
		}
		if strings.ContainsAny(name, "/\\\x00\r\n") || !utf8.ValidString(name) ||
			utf8.RuneCountInString(name) > fileNameMax || name == "." || name == ".." {
			t.Errorf("%q becomes %q", s, name)
		}
	})
}
