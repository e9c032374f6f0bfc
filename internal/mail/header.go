package mail

import (
	"encoding/base64"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxLine  = 76 // where header lines are folded
	maxWord  = 60 // a longer word of a header is encoded, because a line cannot be folded inside a word
	maxName  = 200
	maxEmail = 254 // RFC 5321 4.5.3.1.3
)

// isControl also counts the separators of lines and paragraphs that Unicode does not call control
// characters, since programs break lines at them.
func isControl(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// oneLine makes a text fit for a header: valid UTF-8, every control character a space, nothing around it.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.TrimSpace(s)
}

// encodeText writes free text for a header: as it is when it is plain ASCII, else as encoded words of
// RFC 2047. What already looks like an encoded word is encoded, so that readers show it as it was typed.
func encodeText(s string) string {
	s = oneLine(s)
	if !needsWords(s) {
		return s
	}
	return encodedWords(s)
}

func needsWords(s string) bool {
	if strings.Contains(s, "=?") {
		return true
	}
	word := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return true
		}
		if word++; s[i] == ' ' {
			word = 0
		}
		if word > maxWord {
			return true
		}
	}
	return false
}

// encodedWords cuts at the borders of characters; the space between two words disappears in reading.
func encodedWords(s string) string {
	const room = 42 // bytes that make 56 characters of base64, 68 with the frame; RFC 2047 allows 75
	var words []string
	for len(s) > 0 {
		n := min(len(s), room)
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n--
		}
		words = append(words, "=?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(s[:n]))+"?=")
		s = s[n:]
	}
	return strings.Join(words, " ")
}

// header writes the address for From or To. A plain name is always quoted, which spares a list of the
// characters that need it.
func (a Address) header() string {
	name := oneLine(a.Name)
	switch {
	case name == "":
		return "<" + a.Email + ">"
	case needsWords(name):
		return encodedWords(name) + " <" + a.Email + ">"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `" <` + a.Email + ">"
}

// foldHeader writes one header line, broken at single spaces before it becomes too long. A break is only
// put where a space stands between two visible characters: a line of blanks would end the headers.
func foldHeader(name, value string) string {
	var b strings.Builder
	b.WriteString(name + ":")
	width := b.Len()
	for i, word := range strings.Split(value, " ") {
		if i > 0 && word != "" && width+1+len(word) > maxLine {
			b.WriteString("\r\n")
			width = 0
		}
		b.WriteString(" " + word)
		width += 1 + len(word)
	}
	b.WriteString("\r\n")
	return b.String()
}

// fileName makes the name of an attachment harmless for the folder it will be saved in, and short enough
// for one header line even when each of its bytes is escaped.
func fileName(name string) string {
	name = oneLine(name)
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:`, r) {
			return '_'
		}
		return r
	}, name)
	if strings.Trim(name, ". ") == "" {
		return "attachment"
	}
	if len(name) <= maxName {
		return name
	}
	ending := ""
	if dot := strings.LastIndexByte(name, '.'); dot > 0 && len(name)-dot <= 16 {
		ending = name[dot:]
	}
	return cut(name, maxName-len(ending)) + ending
}

// cut shortens to at most n bytes without breaking a character.
func cut(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// checkEmail reports whether an address can go into a header and an SMTP command as it is. The error names
// the field only, because addresses stay out of logs.
func checkEmail(field, email string) error {
	fault := plainReason(field + " is not a usable e-mail address")
	if email == "" || len(email) > maxEmail || !visibleASCII(email) || strings.ContainsAny(email, "<>") {
		return fault
	}
	parsed, err := mail.ParseAddress("<" + email + ">")
	if err != nil || parsed.Address != email {
		return fault
	}
	return nil
}

func checkID(id string) error {
	left, right, found := strings.Cut(id, "@")
	if !found || left == "" || right == "" || len(id) > 250 || !visibleASCII(id) ||
		strings.ContainsAny(id, `<>()[]\",;:`) || strings.Contains(right, "@") {
		return plainReason("the message has no usable Message-ID")
	}
	return nil
}

func visibleASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
