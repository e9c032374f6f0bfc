package schema

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// A form of the settings becomes a pattern that Go and ECMA-262 read alike, with the lengths that follow from it.
func TestPatterns(t *testing.T) {
	samples := []string{"", "A", "a", "k", "\u212a", "A1", "A-1", "A12", "R2026/00001", "a.b_c-d", "ä", "Ω", "\n", "a\nb",
		"a b", "12345", "123456789", "x2x2",
		"]", "^", "\\", "-", "/", strings.Repeat("Z", 64), strings.Repeat("Z", 65), "𝔸"}
	for _, c := range []struct {
		form, want  string
		least, most int
	}{
		{`\A(?:[A-Za-z0-9./_-]{1,64})\z`, `^[\-./0-9A-Z_a-z]{1,64}$`, 1, 64},
		{`\A(?:R[0-9]{4}/\d{5})\z`, `^R[0-9]{4}/[0-9]{5}$`, 11, 11},
		{`\A(?:(?i)a[x2]*)\z`, `^[Aa][2Xx]*$`, 1, -1},
		{`\A(?:(?i:k))\z`, "^[Kk\u212a]$", 1, 1},
		{`\A(?:A|B12|)\z`, `^(?:A|B12|)$`, 0, 3},
		{`\A(?:(?P<year>\d\d)-?)\z`, `^([0-9][0-9])-?$`, 2, 3},
		{`\A(?:[[:upper:]]+?\Q.+\E)\z`, `^[A-Z]+?\.\+$`, 3, -1},
		{`\A(?:[^a-z]{2,})\z`, "^[\\x00-\\x1f !\"#$%&'()*+,\\-./0-9:;<=>?@A-Z\\[\\\\\\]\\^_`{|}~\\x7f-\U0010ffff]{2,}$", 2,
			-1},
		{`\A(?:.{0,3}(?s:.)(ab){2}x{0})\z`, `^[^\n]{0,3}[\s\S](ab){2}x{0}$`, 5, 8},
		{`\A(?:(?:ab|c)*)\z`, `^(?:ab|c)*$`, 0, -1},
	} {
		form := regexp.MustCompile(c.form)
		pattern, least, most := PatternOf(form)
		read, err := regexp.Compile(pattern)
		if err != nil {
			t.Errorf("%s became %s: %v", c.form, pattern, err)
			continue
		}
		if c.want != "" && pattern != c.want || least != c.least || most != c.most {
			t.Errorf("%s became %s of %d to %d characters, want %s of %d to %d", c.form, pattern, least, most, c.want, c.least,
				c.most)
		}
		for _, sample := range samples {
			found := form.MatchString(sample)
			if read.MatchString(sample) != found {
				t.Errorf("%s became %s: %q matches: %v", c.form, pattern, sample, found)
			}
			if n := utf8.RuneCountInString(sample); found && (n < least || most >= 0 && n > most) {
				t.Errorf("%s says %d to %d characters and matches %q", c.form, least, most, sample)
			}
		}
	}
}
