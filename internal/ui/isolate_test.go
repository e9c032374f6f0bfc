package ui

import (
	"testing"

	"github.com/admitto/admitto/internal/message"
)

// TestIsolatedNames puts names of either direction into sentences of either language: only those that run against the
// language are isolated, once, in messages of pages and in sentences of use cases.
func TestIsolatedNames(t *testing.T) {
	t.Parallel()
	catalogue, err := NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ lang, name, want string }{
		{"en", "Physics", "Physics"}, {"en", "2026-14", "2026-14"}, {"en", "", ""},
		{"en", "علوم", "\u2068علوم\u2069"}, {"ar", "علوم", "علوم"}, {"ar", "12 ٪", "12 ٪"},
		{"ar", "2026-14", "\u20682026-14\u2069"}, {"ar", "+36 1 234", "\u2068+36 1 234\u2069"},
		{"ar", "910 000", "\u2068910 000\u2069"}, {"ar", "12.50", "12.50"}, {"ar", "12:30", "12:30"}, {"ar", "7 ", "7 "},
		{"ar", "-", "-"}, {"ar", "5 مايو 2027", "5 مايو 2027"}, {"en", "+36 1 234", "+36 1 234"},
		{"ar", "Physics", "\u2068Physics\u2069"}, {"ar", "علوم (BSc)", "\u2068علوم (BSc)\u2069"},
		{"ar", "\u2068Physics\u2069 …", "\u2068Physics\u2069 …"},
	} {
		l := catalogue.Locale(c.lang)
		if got := l.Isolated(c.name); got != c.want {
			t.Errorf("%s: %q, not %q", c.lang, got, c.want)
		}
		empty := l.Text("record.deleted", "Name", "")
		if got, n := l.Text("record.deleted", "Name", c.name), len(empty)+len(c.want); len(got) != n {
			t.Errorf("%s: %q in a message", c.lang, got)
		}
		sentence := message.Of("task-blocks", 7, c.name, "")
		if got := len(l.Say(sentence)) - len(l.Say(message.Of("task-blocks", 7, "", ""))); got != len(c.want) {
			t.Errorf("%s: %q", c.lang, l.Say(sentence))
		}
	}
	if got := Unmarked("a \u2068b\u2069"); got != "a b" {
		t.Error(got)
	}
}
