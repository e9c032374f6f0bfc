package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

var (
	local64 = strings.Repeat("l", 64)
	label63 = strings.Repeat("d", 63)
	// host189 with a local part of 64 and the @ makes 254.
	host189 = strings.Repeat("d", 61) + "." + label63 + "." + strings.Repeat("d", 63)
)

func TestEmail(t *testing.T) {
	for _, c := range []struct{ in, shown, key, ascii, fault string }{
		{in: "mari@example.com"},
		{in: "  Mari@Example.COM\n", shown: "Mari@Example.COM", key: "mari@example.com", ascii: "Mari@example.com"},
		{in: "a@b.c"},
		{in: "mari+test@sub.example.com"},
		{in: "o'brien@example.ie"},
		{in: "{a}!#$%&*/=?^_`|~-@example.com"},
		{in: "m.a.asikas@example.com"},
		{in: ".mari@example.com", fault: "no dot may begin or end"},
		{in: "mari.@example.com", fault: "no dot may begin or end"},
		{in: "mari..maasikas@example.com", fault: "no dot may begin or end"},
		{in: ".@example.com", fault: "no dot may begin or end"},
		// Lengths.
		{in: local64 + "@example.com"},
		{in: local64 + "l@example.com", fault: "1 to 64 characters are needed before the @"},
		{in: "@example.com", fault: "1 to 64 characters are needed before the @"},
		{in: local64 + "@" + host189},
		{in: local64 + "@d" + host189, fault: "more than 254 characters"},
		{in: "a@" + label63 + ".ee"},
		{in: "a@" + label63 + "d.ee", fault: "each part of the host name needs 1 to 63 characters"},
		{in: "a@" + strings.Repeat("ä", 63) + ".ee", fault: "each part of the host name needs 1 to 63 characters"},
		{in: local64 + "@" + strings.Repeat("äö.", 55) + "ee", fault: "in ASCII form"},
		// The shape.
		{in: "", fault: "exactly one @"},
		{in: "mari", fault: "exactly one @"},
		{in: "mari@a@example.com", fault: "exactly one @"},
		{in: "mari＠example.com", fault: "exactly one @"},
		{in: "Mari <mari@example.com>", fault: `" " is not allowed before the @`},
		{in: "\"mari\"@example.com", fault: "is not allowed before the @"},
		{in: "ma,ri@example.com", fault: `"," is not allowed`},
		{in: "ma;ri@example.com", fault: `";" is not allowed`},
		{in: "ma:ri@example.com", fault: `":" is not allowed`},
		{in: "ma(x)ri@example.com", fault: `"(" is not allowed`},
		{in: "ma[ri@example.com", fault: `"[" is not allowed`},
		{in: `ma\ri@example.com`, fault: "is not allowed before the @"},
		{in: "ma\rri@example.com", fault: `"\r" is not allowed`},
		{in: "ma\x00ri@example.com", fault: `"\x00" is not allowed`},
		{in: "õie@example.com", fault: `"õ" is not allowed`},
		{in: "ｍari@example.com", fault: `"ｍ" is not allowed`},
		{in: "ma\u200dri@example.com", fault: `"\u200d" is not allowed`},
		{in: "mari\xff@example.com", fault: "UTF-8"},
		// The host.
		{in: "mari@", fault: "at least one dot"},
		{in: "mari@localhost", fault: "at least one dot"},
		{in: "mari@.com", fault: "empty part"},
		{in: "mari@example.com.", fault: "empty part"},
		{in: "mari@example..com", fault: "empty part"},
		{in: "mari@-example.com", fault: "hyphen"},
		{in: "mari@example-.com", fault: "hyphen"},
		{in: "mari@ex-ample.com"},
		{in: "mari@ab--cd.com"},
		{in: "mari@123.com"},
		{in: "mari@1.2.3.4"},
		{in: "mari@[1.2.3.4]", fault: `"[" is not allowed in the host name`},
		{in: "mari@ex_ample.com", fault: `"_" is not allowed in the host name`},
		{in: "mari@exa mple.com", fault: `" " is not allowed in the host name`},
		{in: "mari@example.com:25", fault: `":" is not allowed in the host name`},
		{in: "mari@xn--a.com", fault: "is not a valid host name"},
		{in: "mari@xn--.com", fault: "hyphen"},
		// Other scripts.
		{in: "mari@ülikool.ee", key: "mari@xn--likool-2ya.ee", ascii: "mari@xn--likool-2ya.ee"},
		{in: "mari@u\u0308likool.ee", shown: "mari@ülikool.ee", key: "mari@xn--likool-2ya.ee",
			ascii: "mari@xn--likool-2ya.ee"},
		{in: "mari@ÜLIKOOL.ee", key: "mari@xn--likool-2ya.ee", ascii: "mari@xn--likool-2ya.ee"},
		{in: "mari@XN--likool-2ya.ee", key: "mari@xn--likool-2ya.ee", ascii: "mari@xn--likool-2ya.ee"},
		{in: "mari@straße.de", key: "mari@xn--strae-oqa.de", ascii: "mari@xn--strae-oqa.de"},
		{in: "mari@例え.jp", key: "mari@xn--r8jz45g.jp", ascii: "mari@xn--r8jz45g.jp"},
		{in: "mari@उदाहरण.भारत", key: "mari@xn--p1b6ci4b4b3a.xn--h2brj9c", ascii: "mari@xn--p1b6ci4b4b3a.xn--h2brj9c"},
		{in: "mari@مثال.إختبار", key: "mari@xn--mgbh0fb.xn--kgbechtv", ascii: "mari@xn--mgbh0fb.xn--kgbechtv"},
		// Full-width letters are letters; their ASCII form is the plain host.
		{in: "mari@ｅｘａｍｐｌｅ.com", key: "mari@example.com", ascii: "mari@example.com"},
		// A Cyrillic а is another host, and shows as one in ASCII.
		{in: "mari@exаmple.com", key: "mari@xn--exmple-4nf.com", ascii: "mari@xn--exmple-4nf.com"},
		{in: "mari@example。com", fault: "at least one dot"},
		{in: "mari@exa\u200dmple.com", fault: `"\u200d" is not allowed in the host name`},
		{in: "mari@exa\u200cmple.com", fault: `"\u200c" is not allowed in the host name`},
		{in: "mari@exa\u200bmple.com", fault: `"\u200b" is not allowed in the host name`},
		{in: "mari@exa\u00admple.com", fault: `"\u00ad" is not allowed in the host name`},
		{in: "mari@exa\ufe0fmple.com", fault: "is not allowed in the host name"},
		{in: "mari@exa\u3164mple.com", fault: "is not allowed in the host name"},
		{in: "mari@\u0301example.com", fault: "is not a valid host name"}, // begins with a mark
		{in: "mari@☃.com", fault: `"☃" is not allowed in the host name`},
	} {
		want, key, ascii := c.in, c.key, c.ascii
		if c.shown != "" {
			want = c.shown
		}
		if key == "" {
			key = want
		}
		if ascii == "" {
			ascii = want
		}
		if c.fault != "" {
			want, ascii = "", ""
		}
		got, err := Email(c.in)
		check(t, "Email", c.in, got, err, want, c.fault)
		got, err = EmailASCII(c.in)
		check(t, "EmailASCII", c.in, got, err, ascii, c.fault)
		if got := EmailKey(c.in); c.fault == "" && got != key {
			t.Errorf("EmailKey(%q) = %q, want %q", c.in, got, key)
		}
	}
}

func TestEmailKeyTakesAnything(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "",
		" NOBODY ":            "nobody",
		"A@B":                 "a@b",
		"A@B@ÜX.ee":           "a@b@xn--x-dha.ee",
		"A@":                  "a@",
		"A@Exa Mple.com":      "a@exa mple.com",
		"A@XN--A.com":         "a@xn--a.com",
		"A@EX\u200bAMPLE.com": "a@example.com",
		"J\u030c@example.com": "\u01f0@example.com",
		"A\xff@b.com":         "a\ufffd@b.com",
	} {
		if got := EmailKey(in); got != want {
			t.Errorf("EmailKey(%q) = %q, want %q", in, got, want)
		}
	}
}

// A long value must not take long: addresses come in lists of thousands.
func TestEmailKeyOfLongText(t *testing.T) {
	var b strings.Builder
	b.WriteString("a@")
	for r := rune(0x4e00); r < 0x9fff; r++ {
		b.WriteRune(r)
	}
	if got := EmailKey(b.String()); got != b.String() {
		t.Errorf("the long domain was converted to %q", got[:64])
	}
}

func TestEmailKeyVariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching(`[a-z0-9+_'-]{1,10}(\.[a-z0-9+_'-]{1,9}){0,2}@([a-z0-9äöüõéжя]{1,10}\.){1,3}(com|ee|рф)`).Draw(t, "in")
		key := EmailKey(in)
		if _, err := Email(in); err != nil {
			t.Fatalf("Email(%q): %v", in, err)
		}
		ascii, err := EmailASCII(in)
		if err != nil {
			t.Fatalf("EmailASCII(%q): %v", in, err)
		}
		for _, variant := range []string{
			key, strings.ToUpper(in), strings.ToTitle(in), norm.NFD.String(in), norm.NFD.String(strings.ToUpper(in)),
			" " + in + "\t", ascii, strings.ToUpper(ascii),
		} {
			if got := EmailKey(variant); got != key {
				t.Fatalf("EmailKey(%q) = %q, but EmailKey(%q) = %q", variant, got, in, key)
			}
		}
	})
}

func TestEmailKeyIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "local") + "@" + rapid.String().Draw(t, "host")
		if key := EmailKey(in); EmailKey(key) != key {
			t.Fatalf("EmailKey(%q) = %q, and of that %q", in, key, EmailKey(key))
		}
	})
}

func FuzzEmail(f *testing.F) {
	for _, s := range []string{
		"mari@example.com", "Mari@ÜLIKOOL.ee", "a@xn--likool-2ya.ee", "a@b@c.d", "@", "a@مثال.إختبار", "a@ｅx.com",
		"a@exa\u200dmple.com", "J\u030c@a.b", "a@ß.ẞ.de", "a@İ.tr",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		key := EmailKey(in)
		if again := EmailKey(key); again != key {
			t.Errorf("EmailKey(%q) = %q, and of that %q", in, key, again)
		}
		shown, err := Email(in)
		ascii, err2 := EmailASCII(in)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("Email(%q): %v, EmailASCII: %v", in, err, err2)
		}
		if err != nil {
			return
		}
		if again, err := Email(shown); err != nil || again != shown || utf8.RuneCountInString(shown) > 254 {
			t.Errorf("Email(%q) = %q, and again %q, %v", in, shown, again, err)
		}
		if len(ascii) > 254 || strings.IndexFunc(ascii, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
			t.Errorf("EmailASCII(%q) = %q", in, ascii)
		}
		// What goes into the envelope must be the same account.
		if got := EmailKey(ascii); got != key || EmailKey(shown) != key {
			t.Errorf("EmailKey(%q) = %q, of the ASCII form %q it is %q", in, key, ascii, got)
		}
		if again, err := EmailASCII(ascii); err != nil || again != ascii {
			t.Errorf("EmailASCII(%q) = %q, and again %q, %v", in, ascii, again, err)
		}
	})
}
