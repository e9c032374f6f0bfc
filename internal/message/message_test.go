package message

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Every sentence of the catalogue names its arguments, and is whole without them being looked at.
func TestEnglish(t *testing.T) {
	texts := map[string]string{}
	for _, r := range Rows() {
		if other := texts[r.Text]; other != "" {
			t.Errorf("%s and %s are the same sentence", other, r.Code)
		}
		texts[r.Text] = r.Code
		args := []any{}
		for i := range argumentsOf(r.Text) {
			args = append(args, fmt.Sprintf("<%d>", i))
		}
		got := Of(r.Code, args...).String()
		if strings.ContainsAny(got, "{}") || strings.Count(got, "<") != len(args) || strings.TrimSpace(got) != got ||
			got == "" {
			t.Errorf("%s: %q", r.Code, got)
		}
	}
	if len(English()) != len(Rows()) || len(texts) < 150 {
		t.Errorf("%d sentences, %d rows", len(English()), len(Rows()))
	}
}

// A sentence shows its arguments as they are, a translation in its own order, and what is missing is said in some way.
func TestTexts(t *testing.T) {
	german, err := New([]Row{{"task-blocks", "{title} ({task}) ist {status}, {task}"},
		{"file-empty", "Die Datei ist leer"}}, func(code string) []string { return english()[code].Names })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text            Text
		english, german string
	}{
		{Text{}, "", ""},
		{Of("task-blocks", 7, "Essay {status} %d", "Open"), "task 7, Essay {status} %d, is Open",
			"Essay {status} %d (7) ist Open, 7"},
		{Of("file-empty"), "the file is empty", "Die Datei ist leer"},
		{Of("over-payment", "1.00", "EUR", "2.00"), "Only 1.00 EUR of the invoice is due, and 2.00 is more.",
			"Only 1.00 EUR of the invoice is due, and 2.00 is more."},
		{Of("task-blocks", 7), "task 7, , is ", " (7) ist , 7"},
		{Of("no code of ours", 7, "a"), "no code of ours 7 a", "no code of ours 7 a"},
		{Of("no-email", `"a"`, Of("file-empty")), `"a" is not an e-mail address: the file is empty`,
			`"a" is not an e-mail address: Die Datei ist leer`},
		{Plain("100 % {of} it"), "100 % {of} it", "100 % {of} it"},
		{From(Of("file-empty")), "the file is empty", "Die Datei ist leer"},
		{From(fmt.Errorf("line 7: %w", Of("file-empty"))), "line 7: the file is empty", "line 7: the file is empty"},
		{From(errors.New("why")), "why", "why"},
	} {
		if got := c.text.String(); got != c.english || c.text.Error() != got {
			t.Errorf("%v: %q", c.text, got)
		}
		if got := c.text.In(german); got != c.german {
			t.Errorf("%v: %q", c.text, got)
		}
		if c.text.IsZero() != (c.english == "") {
			t.Errorf("%v", c.text)
		}
	}
}

// What cannot be a sentence is refused, with its code.
func TestBadCatalogues(t *testing.T) {
	for name, rows := range map[string][]Row{
		"twice": {{"a", "x"}, {"a", "y"}}, "no code": {{"", "x"}}, "the code of plain sentences": {{"plain", "x"}},
		"an open brace": {{"a", "x {n"}}, "an unknown name": {{"a", "x {m}"}}, "no name": {{"a",
			"x {}"}}, "a brace in a name": {{"a", "x {{n}}"}},
	} {
		if c, err := New(rows, func(string) []string { return []string{"n"} }); err == nil || c != nil {
			t.Errorf("%s: %v", name, c)
		}
	}
}

// FuzzSentence reads sentences of translators: what is accepted shows each argument as often as it names it.
func FuzzSentence(f *testing.F) {
	for _, seed := range []string{"", "a {n} b", "{n}{n}", "{", "}", "{m}", "{n} } {n}", "%s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := New([]Row{{"a", text}}, func(string) []string { return []string{"n"} })
		if err != nil {
			return
		}
		if got := Of("a", "{n}").In(c); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
