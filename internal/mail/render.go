package mail

import (
	"cmp"
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// resolve fills in the target of a link. Only its first piece may bring scheme and host; markers behind it
// are escaped to one segment each.
func resolve(target []inline, values map[string]string) (address string, ok bool) {
	var b strings.Builder
	for i, piece := range target {
		switch {
		case piece.kind == plain:
			b.WriteString(piece.text)
		case i == 0:
			b.WriteString(values[piece.text])
		default:
			b.WriteString(url.QueryEscape(values[piece.text]))
		}
	}
	return b.String(), isWebAddress(b.String())
}

// textWriter makes the plain text form: no line is wrapped, links are "text (address)". With apart a link that is all
// of its line has its address on the next one: mail programs take a bracket for a part of the address.
type textWriter struct {
	values map[string]string
	apart  bool
}

func (w textWriter) document(blocks []block) string {
	var b strings.Builder
	for i, block := range blocks {
		if i > 0 {
			b.WriteString("\n")
		}
		for n, line := range block.lines {
			text := w.inlines(line)
			switch block.kind {
			case heading:
				text += "\n" + strings.Repeat("-", min(max(utf8.RuneCountInString(text), 1), 60))
			case bulletList:
				text = "- " + strings.ReplaceAll(text, "\n", "\n  ")
			case numberList:
				text = strconv.Itoa(n+1) + ". " + strings.ReplaceAll(text, "\n", "\n   ")
			}
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

func (w textWriter) inlines(pieces []inline) string {
	var b strings.Builder
	for _, piece := range pieces {
		switch piece.kind {
		case plain:
			b.WriteString(piece.text)
		case marker:
			b.WriteString(w.values[piece.text])
		case bold, italic:
			b.WriteString(w.inlines(piece.inner))
		case link:
			address, _ := resolve(piece.target, w.values)
			shown := w.inlines(piece.inner)
			switch {
			case isBare(piece) || shown == address:
				b.WriteString(address)
			case w.apart && len(pieces) == 1:
				b.WriteString(shown + ":\n" + address)
			default:
				b.WriteString(shown + " (" + address + ")")
			}
		}
	}
	return b.String()
}

// isBare tells an address written out from "text":address.
func isBare(piece inline) bool { return len(piece.inner) == 0 }

// htmlWriter makes a complete HTML document without any foreign resource. Everything that is not one of its
// own tags goes through html.EscapeString.
type htmlWriter struct{ values map[string]string }

func (w htmlWriter) document(t *Template, title string, blocks []block) string {
	language := html.EscapeString(cmp.Or(t.Language, "en")) + "\""
	if t.rightToLeft() {
		language += " dir=\"rtl\""
	}
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"" + language +
		">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" + html.EscapeString(title) +
		"</title>\n</head>\n" +
		"<body style=\"margin:0 auto;padding:16px;max-width:40em;font-family:sans-serif;font-size:16px;line-height:1.5;color:#222\">\n")
	for _, block := range blocks {
		w.block(&b, block)
	}
	b.WriteString("</body>\n</html>\n")
	return b.String()
}

func (w htmlWriter) block(b *strings.Builder, block block) {
	lines := make([]string, len(block.lines))
	for i, line := range block.lines {
		lines[i] = w.inlines(line, false)
	}
	switch block.kind {
	case heading:
		b.WriteString("<h2>" + lines[0] + "</h2>\n")
	case paragraph:
		b.WriteString("<p>" + strings.Join(lines, "<br>\n") + "</p>\n")
	case bulletList:
		b.WriteString("<ul>\n<li>" + strings.Join(lines, "</li>\n<li>") + "</li>\n</ul>\n")
	case numberList:
		b.WriteString("<ol>\n<li>" + strings.Join(lines, "</li>\n<li>") + "</li>\n</ol>\n")
	}
}

// inlines writes the pieces of a line; inside a link no second one begins.
func (w htmlWriter) inlines(pieces []inline, inLink bool) string {
	var b strings.Builder
	for _, piece := range pieces {
		switch piece.kind {
		case plain:
			b.WriteString(html.EscapeString(piece.text))
		case marker:
			value := w.values[piece.text]
			if !inLink && strings.HasSuffix(piece.text, "Link") && isWebAddress(value) {
				b.WriteString(anchor(value, html.EscapeString(value)))
			} else {
				b.WriteString(strings.ReplaceAll(html.EscapeString(value), "\n", "<br>\n"))
			}
		case bold:
			b.WriteString("<strong>" + w.inlines(piece.inner, inLink) + "</strong>")
		case italic:
			b.WriteString("<em>" + w.inlines(piece.inner, inLink) + "</em>")
		case link:
			w.link(&b, piece)
		}
	}
	return b.String()
}

// link writes an address that may not be followed as text, so that nothing of it gets lost.
func (w htmlWriter) link(b *strings.Builder, piece inline) {
	address, ok := resolve(piece.target, w.values)
	shown := html.EscapeString(address)
	if !isBare(piece) {
		shown = w.inlines(piece.inner, true)
	}
	switch {
	case ok:
		b.WriteString(anchor(address, shown))
	case isBare(piece):
		b.WriteString(shown)
	default:
		b.WriteString(shown + " (" + strings.ReplaceAll(html.EscapeString(address), "\n", "<br>\n") + ")")
	}
}

// anchor takes an address that has passed isWebAddress and HTML to show.
func anchor(address, shown string) string {
	return `<a href="` + html.EscapeString(address) + `">` + shown + "</a>"
}
