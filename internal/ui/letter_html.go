package ui

import (
	"html"
	"regexp"
	"strings"
)

// letterBody is the body of the HTML that the service makes of a letter, with its language.
var letterBody = regexp.MustCompile(`(?s)^<!DOCTYPE html>\n<html lang="([^"]*)".*?<body[^>]*>\n(.*)</body>\n</html>\n$`)

// letterToken is a tag, or the text before the next one.
var letterToken = regexp.MustCompile(`<[^<>]*>|[^<>]+|[<>]`)

// LetterOf reads the HTML form of a letter as the service made it, with headings, lists, bold and italic text and web
// links. ok is false where anything else stands in it: nothing of it reaches a page then.
func LetterOf(label, document string) (letter Preview, ok bool) {
	found := letterBody.FindStringSubmatch(document)
	if found == nil {
		return Preview{}, false
	}
	letter = Preview{Label: label, Lang: html.UnescapeString(found[1])}
	w := letterReader{}
	for _, token := range letterToken.FindAllString(found[2], -1) {
		if !w.take(token) {
			return Preview{}, false
		}
	}
	letter.Blocks = w.blocks
	return letter, w.open == nil && len(w.blocks) > 0
}

// mailLang is the language of the HTML that the service makes of mails and letters.
var mailLang = regexp.MustCompile(`^<!DOCTYPE html>\n<html lang="([^"]*)"`)

// MailLang is the language of a mail or a letter by its HTML form; "" where it has none.
func MailLang(document string) string {
	if found := mailLang.FindStringSubmatch(document); found != nil {
		return html.UnescapeString(found[1])
	}
	return ""
}

// Mail is a mail or a letter as its reader got it: its HTML form where there is one that can be shown, else its text,
// in its language as far as that is known.
func Mail(label, document, text string) Component {
	if letter, ok := LetterOf(label, document); ok {
		return letter
	}
	return Prose{Text: text, Lang: MailLang(document)}
}

// letterReader makes blocks of tokens.
type letterReader struct {
	blocks []LetterBlock
	open   []string // tags
	style  LetterPart
}

func (w *letterReader) take(token string) bool {
	within := ""
	if n := len(w.open); n > 0 {
		within = w.open[n-1]
	}
	if !strings.HasPrefix(token, "<") {
		if within == "" || within == "ul" || within == "ol" {
			return strings.TrimSpace(token) == ""
		}
		w.text(html.UnescapeString(token))
		return token != ">"
	}
	name := strings.Trim(token, "<>")
	if end, is := strings.CutPrefix(name, "/"); is {
		return w.end(end, within)
	}
	inner := within != "" && within != "ul" && within != "ol"
	switch href, is := strings.CutPrefix(name, `a href="`); {
	case is && inner:
		href = html.UnescapeString(strings.TrimSuffix(href, `"`))
		if !strings.HasPrefix(href, "https://") && !strings.HasPrefix(href, "http://") {
			return false
		}
		name, w.style.Href = "a", href
	case name == "br":
		return inner // the line break behind it is enough
	case (name == "h2" || name == "p" || name == "ul" || name == "ol") && within == "":
		w.blocks = append(w.blocks, LetterBlock{Heading: name == "h2", Number: name == "ol"})
	case name == "li" && (within == "ul" || within == "ol"):
		last := &w.blocks[len(w.blocks)-1]
		last.Items = append(last.Items, nil)
	case name == "strong" && inner:
		w.style.Bold = true
	case name == "em" && inner:
		w.style.Italic = true
	default:
		return false
	}
	w.open = append(w.open, name)
	return true
}

// end closes a tag, which is the last one that is open.
func (w *letterReader) end(name, within string) bool {
	if name != within || within == "" {
		return false
	}
	if w.open = w.open[:len(w.open)-1]; len(w.open) == 0 {
		w.open = nil
	}
	has := func(tag string) bool { return strings.Contains(" "+strings.Join(w.open, " ")+" ", " "+tag+" ") }
	w.style.Bold, w.style.Italic = has("strong"), has("em")
	if name == "a" {
		w.style.Href = ""
	}
	return true
}

func (w *letterReader) text(text string) {
	parts := []LetterPart{{Text: text, Href: w.style.Href}}
	if w.style.Href == "" { // as Prose does
		parts = withLinks(text)
	}
	for i := range parts {
		parts[i].Bold, parts[i].Italic = w.style.Bold, w.style.Italic
	}
	last := &w.blocks[len(w.blocks)-1]
	if n := len(last.Items); n > 0 {
		last.Items[n-1] = append(last.Items[n-1], parts...)
		return
	}
	last.Parts = append(last.Parts, parts...)
}
