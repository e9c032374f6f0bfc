package mail

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blockKind is what a piece between blank lines is (lifecycle.md 4.3 O12).
type blockKind int

const (
	paragraph blockKind = iota
	heading
	bulletList
	numberList
)

// block holds one run of inlines for each line of a paragraph or item of a list.
type block struct {
	kind  blockKind
	lines [][]inline
}

// inlineKind is what a piece of a line is.
type inlineKind int

const (
	plain  inlineKind = iota // text
	marker                   // text is the name without percent signs
	bold                     // inner
	italic                   // inner
	link                     // inner is what is shown, nothing for an address written out; target where it leads
)

type inline struct {
	kind   inlineKind
	text   string
	inner  []inline
	target []inline // plain and marker only
}

// maxNesting bounds how deep bold and italic go into each other, maxAddress how long an address is (which
// also bounds the time that hostile text can cost); more is text.
const (
	maxNesting = 4
	maxAddress = 2000
)

// parseMarkup reads the markup of O12. It knows no errors: what is not markup is text. Markers become
// pieces of their own here and are filled in later, so no value can take part in the markup.
func parseMarkup(body string) []block {
	var blocks []block
	open := false // whether the last block takes further lines
	for _, line := range strings.Split(cleanValue(body), "\n") {
		line = strings.TrimRight(line, " \t")
		if strings.TrimSpace(line) == "" {
			open = false
			continue
		}
		kind, rest := lineKind(line)
		if !open || kind == heading || blocks[len(blocks)-1].kind != kind {
			blocks = append(blocks, block{kind: kind})
		}
		last := &blocks[len(blocks)-1]
		last.lines = append(last.lines, parseLine(rest))
		open = true
	}
	return blocks
}

func lineKind(line string) (blockKind, string) {
	for _, known := range [...]struct {
		prefix string
		kind   blockKind
	}{{"* ", bulletList}, {"# ", numberList}, {"h2. ", heading}} {
		if rest, found := strings.CutPrefix(line, known.prefix); found && strings.TrimSpace(rest) != "" {
			return known.kind, strings.TrimSpace(rest)
		}
	}
	return paragraph, line
}

func parseLine(line string) []inline { return (&lineParser{}).parse(line, 0, true) }

// lineParser collects the pieces of one line.
type lineParser struct {
	pieces []inline
	text   strings.Builder
}

func (p *lineParser) flush() {
	if p.text.Len() > 0 {
		p.pieces = append(p.pieces, inline{kind: plain, text: p.text.String()})
		p.text.Reset()
	}
}

func (p *lineParser) add(piece inline) {
	p.flush()
	p.pieces = append(p.pieces, piece)
}

// parse reads s; links says whether links may stand in it, which they may not in each other.
func (p *lineParser) parse(s string, depth int, links bool) []inline {
	// No end was found from here on: remembering it keeps a line of nothing but beginnings from taking
	// quadratic time.
	var endless [utf8.RuneSelf]bool
	for i := 0; i < len(s); {
		if n := markerAt(s[i:]); n > 0 {
			p.add(inline{kind: marker, text: bare(s[i : i+n])})
			i += n
			continue
		}
		starts := i == 0 || !wordBefore(s, i)
		if starts && links {
			if piece, n := linkAt(s[i:], depth); n > 0 {
				p.add(piece)
				i += n
				continue
			}
		}
		c := s[i]
		if starts && depth < maxNesting && (c == '*' || c == '_') && !endless[c] {
			if end := closing(s, i); end > 0 {
				kind := bold
				if c == '_' {
					kind = italic
				}
				p.add(inline{kind: kind, inner: (&lineParser{}).parse(s[i+1:end], depth+1, links)})
				i = end + 1
				continue
			} else if end < 0 {
				endless[c] = true
			}
		}
		p.text.WriteByte(c)
		i++
	}
	p.flush()
	return p.pieces
}

// closing finds the end of the bold or italic text that begins at i: the same sign, after something visible
// and not inside a word. 0 means that nothing begins at i, negative that there is no end in the whole line.
func closing(s string, i int) int {
	if i+1 >= len(s) || s[i+1] == ' ' || s[i+1] == '\t' || s[i+1] == s[i] {
		return 0
	}
	for j := i + 1; j < len(s); j++ {
		if n := markerAt(s[j:]); n > 0 {
			j += n - 1
			continue
		}
		if n := addressAt(s, j); n > 0 { // the signs of an address are its own
			j += n - 1
			continue
		}
		if s[j] == s[i] && j > i+1 && s[j-1] != ' ' && s[j-1] != '\t' && !wordAfter(s, j+1) {
			return j
		}
	}
	return -1
}

func wordBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func wordAfter(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// addressAt returns the length of the bare address that stands at s[i], 0 for none.
func addressAt(s string, i int) int {
	if s[i] != 'h' || (i > 0 && wordBefore(s, i)) {
		return 0
	}
	_, n := targetAt(s[i:], false)
	return n
}

// linkAt reads "text":target or a bare address at the beginning of s.
func linkAt(s string, depth int) (inline, int) {
	if s[0] == 'h' {
		if target, n := targetAt(s, false); n > 0 {
			return inline{kind: link, target: target}, n
		}
		return inline{}, 0
	}
	if s[0] != '"' {
		return inline{}, 0
	}
	end := strings.IndexByte(s[1:], '"') + 1
	if end < 2 || end+1 >= len(s) || s[end+1] != ':' || strings.TrimSpace(s[1:end]) == "" {
		return inline{}, 0
	}
	target, n := targetAt(s[end+2:], true)
	if n == 0 {
		return inline{}, 0
	}
	return inline{kind: link, inner: (&lineParser{}).parse(s[1:end], depth+1, false), target: target}, end + 2 + n
}

// targetAt reads an http or https address. Markers may stand in it behind the host, and at its very
// beginning if markerFirst; never inside the host, so that no value decides where a link leads but one that
// is an address as a whole.
func targetAt(s string, markerFirst bool) ([]inline, int) {
	var pieces []inline
	i, start, host := 0, 0, true // host: still inside "https://host"
	switch n := markerAt(s); {
	case n > 0 && markerFirst:
		pieces = append(pieces, inline{kind: marker, text: bare(s[:n])})
		if n == len(s) || s[n] != '/' {
			return pieces, n // a sentence may go on right behind the marker
		}
		i, start, host = n, n, false
	case strings.HasPrefix(s, "http://"):
		i = len("http://")
	case strings.HasPrefix(s, "https://"):
		i = len("https://")
	default:
		return nil, 0
	}
	for i < len(s) {
		if i > maxAddress {
			return nil, 0
		}
		if n := markerAt(s[i:]); n > 0 {
			if host {
				break
			}
			pieces = append(pieces, inline{kind: plain, text: s[start:i]}, inline{kind: marker, text: bare(s[i : i+n])})
			i += n
			start = i
			continue
		}
		if c := s[i]; c <= ' ' || c == 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			break
		}
		if s[i] == '/' || s[i] == '?' {
			host = false
		}
		i++
	}
	// What ends a sentence does not belong to the address. Signs of markup do not either: "*https://a.b/*".
	for i > start && strings.IndexByte(".,;:!?)'*_", s[i-1]) >= 0 {
		i--
	}
	if i > start {
		pieces = append(pieces, inline{kind: plain, text: s[start:i]})
	}
	if pieces[0].kind == plain && len(pieces) == 1 && !isWebAddress(pieces[0].text) {
		return nil, 0
	}
	return pieces, i
}

// isWebAddress reports whether a link may lead there: http or https, a host, no user before it (which is only
// used to deceive), nothing that could end an attribute or a line.
func isWebAddress(s string) bool {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || unicode.IsSpace(r) || isControl(r) }) ||
		strings.ContainsAny(s, "\"<>\\`") {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}
