package mail

import (
	"fmt"
	"strings"
	"testing"
)

func TestFillBody(t *testing.T) {
	values := Values{ApplicantName: "Ann %offer-Type%\r\n*x*", OfferType: "Accepted", OfferReason: ""}
	for in, want := range map[string]string{
		"":                                  "",
		"Dear %applicant-Name%, *é* 5%":     "Dear Ann %offer-Type%\n*x*, *é* 5%",
		"%offer-Type%%offer-Reason%%%":      "Accepted%%",
		"%nobody-Knows% %offer-Type %offer": "%nobody-Knows% %offer-Type %offer",
	} {
		if got := (Template{Body: in}).FillBody(values); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestEmptyValues fills every marker of every kind with nothing: no sign of it is left in the mail, in what pages show
// of it, and in the text that is kept.
func TestEmptyValues(t *testing.T) {
	t.Parallel()
	for _, kind := range Kinds() {
		values, text := Values{}, ""
		for _, m := range kind.Markers() {
			values[m] = ""
			text += strings.ReplaceAll(`a @, *@* _@_ "@":@ "b":@ "c":https://x.example/@?q=@ "@":https://x.example @@
* @
# @
h2. @
`, "@", m.String())
		}
		for _, language := range []string{"en", "ar"} {
			letter := Template{Kind: kind, Subject: text, Body: text, Language: language}
			r, err := letter.Render(values)
			if err != nil {
				t.Fatal(kind, err)
			}
			subject, body := letter.Pieces(values)
			for _, made := range []string{r.Subject, r.Text, r.HTML, fmt.Sprint(subject, body), letter.FillBody(values)} {
				if strings.Contains(made, "%") {
					t.Errorf("%s shows an empty marker: %.300s", kind.Code(), made)
				}
			}
		}
	}
}
