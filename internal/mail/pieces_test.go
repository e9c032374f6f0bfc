package mail

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

var tagPattern = regexp.MustCompile(`(?s)<title>.*?</title>|<[^>]*>`)

// words is the text of a mail in HTML, with single spaces.
func words(document string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tagPattern.ReplaceAllString(
		strings.NewReplacer("<li>", " ", "<br>", " ", "<p>", " ", "<h2>", " ").Replace(document), ""))), " ")
}

// TestPieces compares what pages show of a letter with the mail that is made of it.
func TestPieces(t *testing.T) {
	t.Parallel()
	values := Values{ApplicantName: "Ann *B* <i>\n%offer-Type%", OfferLink: "https://x.example/1", CourseList: "One\nTwo",
		OfferType: "Accepted", InstanceLink: "javascript:alert(1)"}
	for _, body := range []string{
		"Dear %applicant-Name%,\n\n*we are _glad_*: %offer-Type%\nnext line",
		"h2. Head\n* one\n* two %course-List%\n\n# first\n# second",
		`See "here":%offer-Link% or "there":https://a.example/?q=%offer-Type% or %offer-Link% and https://b.example.`,
		`"bad":%instance-Link% and %instance-Link% and "of *bold*":https://c.example`,
		"", "%", "**__", `"":`, "* ",
	} {
		letter := Template{Kind: KindOfferLetter, Subject: "About %course-List% %applicant-Name%", Body: body}
		rendered, err := letter.Render(values)
		if err != nil {
			t.Fatal(err)
		}
		subject, passages := letter.Pieces(values)
		var shown, title strings.Builder
		for _, p := range subject {
			title.WriteString(p.Text)
		}
		if title.String() != rendered.Subject {
			t.Errorf("the subject is shown as %q and sent as %q", title.String(), rendered.Subject)
		}
		for _, p := range passages {
			for _, line := range p.Lines {
				shown.WriteString(" ")
				for _, piece := range line {
					shown.WriteString(piece.Text)
					if piece.Missing || strings.HasPrefix(piece.Href, "javascript") {
						t.Errorf("%q: %+v", body, piece)
					}
				}
			}
		}
		if got, want := strings.Join(strings.Fields(shown.String()), " "), words(rendered.HTML); got != want {
			t.Errorf("%q is shown as\n%q and sent as\n%q", body, got, want)
		}
	}
	subject, body := Template{Subject: "%offer-Nothing%",
		Body: `a %offer-Reason% "b":https://x.example/%offer-Deadlin%`}.Pieces(values)
	missing := 0
	for _, p := range append(subject, body[0].Lines[0]...) {
		if p.Missing {
			missing++
		}
	}
	if missing != 3 {
		t.Errorf("%d markers are marked: %+v %+v", missing, subject, body)
	}
}
