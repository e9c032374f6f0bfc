package ui

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Prose is a text of several paragraphs that staff wrote, with links and lists. Nothing in it is HTML.
type Prose struct {
	Text string
	Lang string // where it is another one than that of the page
}

func (Prose) template() string { return "prose" }

// ProseBlock is a paragraph of lines, a list of them, or a heading.
type ProseBlock struct {
	List, Heading bool
	Lines         [][]LetterPart
}

// Blocks are the paragraphs, which empty lines separate; lines that begin with "* " or "- " are those of a list, and
// one that is underlined, as in the text form of mails, is a heading.
func (p Prose) Blocks() (blocks []ProseBlock) {
	var last *ProseBlock
	first := ""
	for line := range strings.SplitSeq(strings.ReplaceAll(p.Text, "\r\n", "\n"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			last = nil
			continue
		}
		if last != nil && !last.List && !last.Heading && len(last.Lines) == 1 &&
			line == strings.Repeat("-", min(utf8.RuneCountInString(first), 60)) {
			last.Heading = true
			continue
		}
		item, listed := strings.CutPrefix(line, "* ")
		if !listed {
			item, listed = strings.CutPrefix(line, "- ")
		}
		if last == nil || last.List != listed || last.Heading {
			blocks = append(blocks, ProseBlock{List: listed})
			last, first = &blocks[len(blocks)-1], line
		}
		last.Lines = append(last.Lines, withLinks(item))
	}
	return blocks
}

// Alone reports whether a line is a link and nothing else, which then is as big as one that stands by itself.
func (Prose) Alone(line []LetterPart) bool { return len(line) == 1 && line[0].Href != "" }

// linkPattern finds what may be a web address or an e-mail address.
var linkPattern = regexp.MustCompile(`https?://[^\s<>"]+|[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)

// withLinks makes links of the addresses in a line.
func withLinks(line string) (parts []LetterPart) {
	end := 0
	for _, at := range linkPattern.FindAllStringIndex(line, -1) {
		found := strings.TrimRight(line[at[0]:at[1]], ".,;:!?'")
		if strings.HasSuffix(found, ")") && !strings.Contains(found, "(") {
			found = strings.TrimRight(found, ").,;:!?'")
		}
		href := "mailto:" + found
		if strings.Contains(found, "://") {
			u, err := url.Parse(found)
			if err != nil || u.Host == "" || u.User != nil {
				continue
			}
			href = found
		}
		if at[0] > end {
			parts = append(parts, LetterPart{Text: line[end:at[0]]})
		}
		parts = append(parts, LetterPart{Text: found, Href: href})
		end = at[0] + len(found)
	}
	if end < len(line) {
		parts = append(parts, LetterPart{Text: line[end:]})
	}
	return parts
}
