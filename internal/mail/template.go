package mail

import (
	"embed"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
)

//go:embed templates/*/*.txt
var defaults embed.FS

// Template is the text of one kind of e-mail (lifecycle.md 8.3): a subject and a body in the markup of rule
// O12, both with markers of the form %group-Name%. Language is that of the text (BCP 47, empty is en): the HTML form
// names it, and days are written in it. Sentences are those of the use cases in the language, for values that are
// sentences; what they lack is in English.
type Template struct {
	Kind          Kind
	Subject, Body string
	Language      string
	Sentences     message.Catalogue
	Words         func(group, english string) string // that come with the service, in the language; nil: as they are
}

// DefaultIn returns the text in a language that is used until staff save their own; found is false where there is no
// such text.
func DefaultIn(kind Kind, language string) (t Template, found bool) {
	return shippedIn(kind, kind.code, language)
}

// Notice is a text of the service itself that stands for one of a kind of mail. Only those below exist.
type Notice struct {
	kind Kind
	name string
}

// The notices. None of these variables is ever written to.
var (
	// NoticeBlocked is what an applicant reads whom staff blocked, in the place of a link.
	NoticeBlocked = Notice{KindApplicantMessage, "notice-blocked"}
	// NoticeOldAddress is what the old address of an applicant learns of a change; the template of the new address asks
	// for what only its owner can do.
	NoticeOldAddress = Notice{KindApplicantEmailChange, "notice-old-address"}
	// NoticeAddressTaken is what the owner of an address reads who asked for it for another account, in the place of the
	// link that would confirm it.
	NoticeAddressTaken = Notice{KindApplicantEmailChange, "notice-address-taken"}
)

// In is the notice in a language, or in English.
func (n Notice) In(language string) (Template, error) {
	if t, found := shippedIn(n.kind, n.name, language); found {
		return t, nil
	}
	return shipped(n.kind, n.name, "en")
}

func shippedIn(kind Kind, name, language string) (t Template, found bool) {
	if language == "en" || months(language) != nil { // not a path of somebody else
		var err error
		t, err = shipped(kind, name, language)
		found = err == nil
	}
	return t, found
}

func shipped(kind Kind, name, language string) (Template, error) {
	content, err := defaults.ReadFile("templates/" + language + "/" + name + ".txt")
	if err != nil {
		return Template{}, err
	}
	subject, body, _ := strings.Cut(newlines(string(content)), "\n\n")
	return Template{
		Kind:     kind,
		Subject:  strings.TrimPrefix(subject, "Subject: "),
		Body:     strings.TrimSpace(body) + "\n",
		Language: language,
	}, nil
}

// Markers returns every marker of subject and body with its percent signs, known or not, each once, in order
// of first use.
func (t Template) Markers() []string { return findMarkers(t.Subject, t.Body) }

// Uses reports whether the marker stands in subject or body.
func (t Template) Uses(marker Marker) bool { return slices.Contains(t.Markers(), marker.String()) }

// Rendered is a template with its markers filled in, ready for a Message.
type Rendered struct{ Subject, Text, HTML string }

// Formatted is the HTML form where it shows more than the text form does. Where it is the same in paragraphs, it is no
// more than the beginning, which says in what language it is.
func (r Rendered) Formatted() string {
	// Only htmlWriter writes tags: values are escaped.
	for _, tag := range [...]string{"<strong>", "<em>", "<h2>", "<ul>", "<ol>", "<a "} {
		if strings.Contains(r.HTML, tag) {
			return r.HTML
		}
	}
	head, _, _ := strings.Cut(r.HTML, "<head>")
	return head
}

// Render fills in the markers. Markers without a value give an *admitto.Error of kind InvalidParameter with a fault of
// the code marker-unresolved that lists all of them (lifecycle.md 4.3 O5).
//
// Values are plain text and are put in after the markup was read, so nothing in them is taken for a marker
// or for markup; in the subject their line breaks become spaces. A marker becomes a link when its value is
// an http or https address and it stands as the target of "text":%marker% or its name ends in Link.
func (t Template) Render(values Values) (Rendered, error) { return t.render(t.named(values)) }

func (t Template) render(known map[string]string) (Rendered, error) {
	var missing []string
	for _, m := range t.Markers() {
		if _, ok := known[bare(m)]; !ok {
			missing = append(missing, m)
		}
	}
	if len(missing) > 0 {
		return Rendered{}, admitto.Refuse(admitto.InvalidParameter, "", "marker-unresolved",
			message.Of("markers-unresolved", strings.Join(missing, ", ")))
	}
	subject := t.fillSubject(known)
	blocks := parseMarkup(t.Body)
	return Rendered{
		Subject: subject,
		Text:    textWriter{values: known, apart: t.Kind.isOfAccounts()}.document(blocks),
		HTML:    htmlWriter{values: known}.document(&t, subject, blocks),
	}, nil
}

// Plain makes a mail of plain text: what looks like a marker or like markup in it is nothing but text, and stays as it
// was written.
func Plain(subject, text string) (Rendered, error) {
	rendered, err := Template{Subject: "%message-Subject%", Body: "%message-Text%"}.render(
		map[string]string{"message-Subject": cleanValue(subject), "message-Text": cleanValue(text)})
	rendered.Text = text
	return rendered, err
}

// Outline is a subject with an ellipsis for each of its markers, for where it stands for many mails.
func Outline(subject string) string {
	t, known := Template{Subject: subject}, map[string]string{}
	for _, m := range t.Markers() {
		known[bare(m)] = "…"
	}
	return t.fillSubject(known)
}

func (t Template) fillSubject(values map[string]string) string {
	var b strings.Builder
	for s := t.Subject; s != ""; {
		n := markerAt(s)
		if n > 0 {
			b.WriteString(values[bare(s[:n])])
		} else {
			n = 1
			b.WriteByte(s[0])
		}
		s = s[n:]
	}
	return oneLine(strings.ReplaceAll(b.String(), "\r\n", "\n"))
}

// cleanValue makes plain text of a value: line breaks of one kind, no other control characters but tabs.
func cleanValue(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\u2028' || r == '\u2029' || r == '\u0085':
			return '\n'
		case isControl(r):
			return ' '
		}
		return r
	}, newlines(strings.ToValidUTF8(s, "\uFFFD")))
}

func newlines(s string) string { return lineBreaks.Replace(s) }

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")
