package ui

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProse reads paragraphs, lists and links, and makes no link of what is none.
func TestProse(t *testing.T) {
	line := func(parts ...LetterPart) []LetterPart { return parts }
	plain := func(text string) []LetterPart { return line(LetterPart{Text: text}) }
	for text, want := range map[string][]ProseBlock{
		"":         nil,
		" \n\n\t ": nil,
		"One.\nTwo.\n\nThree.": {{Lines: [][]LetterPart{plain("One."), plain("Two.")}},
			{Lines: [][]LetterPart{plain("Three.")}}},
		"Bring:\r\n* a passport\r\n- a photo": {{Lines: [][]LetterPart{plain("Bring:")}},
			{List: true, Lines: [][]LetterPart{plain("a passport"), plain("a photo")}}},
		"See https://example.org/a?b=c#d.": {{Lines: [][]LetterPart{line(LetterPart{Text: "See "},
			LetterPart{Text: "https://example.org/a?b=c#d", Href: "https://example.org/a?b=c#d"}, LetterPart{Text: "."})}}},
		"(https://example.org)": {{Lines: [][]LetterPart{line(LetterPart{Text: "("},
			LetterPart{Text: "https://example.org", Href: "https://example.org"}, LetterPart{Text: ")"})}}},
		"Write to help@example.org, please": {{Lines: [][]LetterPart{line(LetterPart{Text: "Write to "},
			LetterPart{Text: "help@example.org", Href: "mailto:help@example.org"}, LetterPart{Text: ", please"})}}},
		"javascript:alert(1) data:x //a.b https:// http://u:p@h": {{Lines: [][]LetterPart{
			plain("javascript:alert(1) data:x //a.b https:// http://u:p@h")}}},
		"Welcome\n-------\n\nHello.": {{Heading: true, Lines: [][]LetterPart{plain("Welcome")}},
			{Lines: [][]LetterPart{plain("Hello.")}}},
		"Yours\n--\nAnn":            {{Lines: [][]LetterPart{plain("Yours"), plain("--"), plain("Ann")}}},
		"<script>alert(1)</script>": {{Lines: [][]LetterPart{plain("<script>alert(1)</script>")}}},
	} {
		if diff := cmp.Diff(want, Prose{Text: text}.Blocks()); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// TestLetterOf reads what the service makes of a letter, and nothing else.
func TestLetterOf(t *testing.T) {
	whole := func(body string) string {
		return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>T</title>\n</head>\n<body style=\"x\">\n" + body +
			"</body>\n</html>\n"
	}
	got, ok := LetterOf("Letter", whole("<h2>Welcome</h2>\n"+
		"<p>To <strong>all &lt;b&gt;</strong><br>\nof <em>you</em></p>\n"+
		"<ol>\n<li><a href=\"https://a.example/?b=1&amp;c\">here</a></li>\n<li>two</li>\n</ol>\n"+
		"<p><strong>Ask a@b.example, https://b.example</strong></p>\n"))
	want := Preview{Label: "Letter", Lang: "en", Blocks: []LetterBlock{
		{Heading: true, Parts: []LetterPart{{Text: "Welcome"}}},
		{Parts: []LetterPart{{Text: "To "}, {Text: "all <b>", Bold: true}, {Text: "\nof "}, {Text: "you", Italic: true}}},
		{Number: true, Items: [][]LetterPart{{{Text: "here", Href: "https://a.example/?b=1&c"}}, {{Text: "two"}}}},
		{Parts: []LetterPart{{Text: "Ask ", Bold: true}, {Text: "a@b.example", Href: "mailto:a@b.example", Bold: true},
			{Text: ", ", Bold: true}, {Text: "https://b.example", Href: "https://b.example", Bold: true}}}}}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Error(ok, diff)
	}
	for _, body := range []string{"", "text", "<p>open", "<p>a</h2>",
		"<p><script>x</script></p>", "<p onclick=\"x\">a</p>",
		"<p><a href=\"javascript:x\">a</a></p>", "<p><img src=x></p>", "<p>a < b</p>", "<li>a</li>", "</p>", "<ul>a</ul>"} {
		if got, ok := LetterOf("", whole(body)); ok {
			t.Errorf("%q: %v", body, got)
		}
	}
	if _, ok := LetterOf("", "<p>a</p>"); ok {
		t.Error("a piece was taken for a letter")
	}
}

func FuzzProse(f *testing.F) {
	for _, seed := range []string{"", "a\n\nb", "* a\n- b", "https://a.b/c).", "a@b.c", "https://[::1", "\xff\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var shown strings.Builder
		for _, block := range (Prose{Text: text}).Blocks() {
			for _, line := range block.Lines {
				for _, part := range line {
					shown.WriteString(part.Text)
					if part.Href != "" && !strings.HasPrefix(part.Href, "https://") && !strings.HasPrefix(part.Href, "http://") &&
						!strings.HasPrefix(part.Href, "mailto:") {
						t.Errorf("%q leads to %q", text, part.Href)
					}
				}
			}
		}
		if shown.Len() > len(text) {
			t.Errorf("%q became longer", text)
		}
	})
}
