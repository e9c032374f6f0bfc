package mail

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"strings"
	"time"
)

// Address is a mailbox with the name shown next to it. Email must be ASCII with its domain in the form for
// the DNS (xn--…); Name may be empty and hold any Unicode.
type Address struct{ Name, Email string }

// Attachment is a file that goes with a message. Type is a media type ("application/pdf"); anything that
// cannot be sent as a plain file becomes application/octet-stream.
type Attachment struct {
	Name, Type string
	Data       []byte
}

// Message is one e-mail to one person. ID is the Message-ID without its angle brackets; the caller makes it
// once (NewID) and keeps it, so that a repeat carries the same (lifecycle.md 8.1). Bcc are further
// recipients of the envelope that no header names.
type Message struct {
	ID          string
	Date        time.Time
	From, To    Address
	ReplyTo     Address // without Email: From
	Bcc         []string
	Subject     string
	Text, HTML  string // at least one of them; with both the reader's program chooses
	Attachments []Attachment
}

// NewID makes a Message-ID, without angle brackets, that nobody has used before. A domain that cannot stand
// in a Message-ID is replaced by a reserved one, since the ID only has to be unique.
func NewID(domain string) string {
	id := strings.ToLower(rand.Text()) + "@"
	if checkID(id+domain) != nil {
		domain = "admitto.invalid"
	}
	return id + domain
}

// Bytes writes the message as RFC 5322 and RFC 2045 want it, all ASCII, all lines ended by CR LF. The same
// message returns the same bytes. Errors are faults of the caller (ID, date, addresses) and name the field,
// never its value.
func (m *Message) Bytes() ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	out := new(bytes.Buffer)
	header := func(name, value string) { out.WriteString(foldHeader(name, value)) }
	header("Message-ID", "<"+m.ID+">")
	header("Date", m.Date.UTC().Format(time.RFC1123Z))
	header("From", m.From.header())
	header("To", m.To.header())
	if m.ReplyTo.Email != "" {
		header("Reply-To", m.ReplyTo.header())
	}
	header("Subject", encodeText(m.Subject))
	header("MIME-Version", "1.0")
	// RFC 3834: tells holiday notices and mailing lists that no person wrote this.
	header("Auto-Submitted", "auto-generated")

	body := m.body()
	if len(m.Attachments) > 0 {
		files := make([]part, 0, len(m.Attachments)+1)
		files = append(files, body)
		for i := range m.Attachments {
			files = append(files, m.Attachments[i].part())
		}
		body = multiple("mixed", m.boundary("mixed"), files)
	}
	for _, name := range [...]string{"Content-Type", "Content-Transfer-Encoding"} {
		if value := body.header.Get(name); value != "" {
			header(name, value)
		}
	}
	out.WriteString("\r\n")
	if err := body.write(out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// recipients returns everybody in the envelope, each once.
func (m *Message) recipients() []string {
	all := []string{m.To.Email}
	seen := map[string]bool{m.To.Email: true}
	for _, b := range m.Bcc {
		if !seen[b] {
			seen[b] = true
			all = append(all, b)
		}
	}
	return all
}

func (m *Message) check() error {
	var faults []error
	if err := checkID(m.ID); err != nil {
		faults = append(faults, err)
	}
	if y := m.Date.UTC().Year(); m.Date.IsZero() || y < 1900 || y > 9999 {
		faults = append(faults, plainReason("the message has no usable date"))
	}
	if err := checkEmail("From", m.From.Email); err != nil {
		faults = append(faults, err)
	}
	if err := checkEmail("To", m.To.Email); err != nil {
		faults = append(faults, err)
	}
	if m.ReplyTo.Email != "" {
		if err := checkEmail("Reply-To", m.ReplyTo.Email); err != nil {
			faults = append(faults, err)
		}
	}
	for i, b := range m.Bcc {
		if err := checkEmail(fmt.Sprintf("Bcc number %d", i+1), b); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// boundary separates the parts of a message. It holds "=_", which neither quoted-printable nor base64 can
// produce, so no text can imitate it although it follows from the ID.
func (m *Message) boundary(kind string) string {
	sum := sha256.Sum256([]byte(m.ID))
	return "=_" + kind + "_" + hex.EncodeToString(sum[:12])
}

// part is a body with its headers; write puts out the encoded body alone.
type part struct {
	header textproto.MIMEHeader
	write  func(io.Writer) error
}

func (m *Message) body() part {
	text, page := textPart("plain", m.Text), textPart("html", m.HTML)
	switch {
	case m.HTML == "":
		return text
	case m.Text == "":
		return page
	}
	return multiple("alternative", m.boundary("alternative"), []part{text, page}) // the best comes last (RFC 2046 5.1.4)
}

func textPart(kind, text string) part {
	text = newlines(strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !isControl(r) {
			return r
		}
		return ' '
	}, text)
	return part{
		header: textproto.MIMEHeader{
			"Content-Type":              {"text/" + kind + "; charset=utf-8"},
			"Content-Transfer-Encoding": {"quoted-printable"},
		},
		write: func(w io.Writer) error {
			q := quotedprintable.NewWriter(w)
			if _, err := io.WriteString(q, text); err != nil {
				return err
			}
			return q.Close()
		},
	}
}

func multiple(kind, boundary string, parts []part) part {
	return part{
		header: textproto.MIMEHeader{"Content-Type": {`multipart/` + kind + `; boundary="` + boundary + `"`}},
		write: func(w io.Writer) error {
			mw := multipart.NewWriter(w)
			if err := mw.SetBoundary(boundary); err != nil {
				return err
			}
			for _, p := range parts {
				pw, err := mw.CreatePart(p.header)
				if err != nil {
					return err
				}
				if err := p.write(pw); err != nil {
					return err
				}
			}
			return mw.Close()
		},
	}
}

func (a *Attachment) part() part {
	kind, params, err := mime.ParseMediaType(a.Type)
	// Messages and multiparts must not be sent in base64 (RFC 2046 5.2.1); a file is a file.
	if err != nil || !strings.Contains(kind, "/") || strings.HasPrefix(kind, "multipart/") ||
		strings.HasPrefix(kind, "message/") {
		kind, params = "application/octet-stream", nil
	}
	contentType := mime.FormatMediaType(kind, params)
	if contentType == "" || len(contentType) > 200 {
		contentType = "application/octet-stream"
	}
	disposition := mime.FormatMediaType("attachment", map[string]string{"filename": fileName(a.Name)})
	return part{
		header: textproto.MIMEHeader{
			"Content-Type":              {contentType},
			"Content-Transfer-Encoding": {"base64"},
			"Content-Disposition":       {disposition},
		},
		write: func(w io.Writer) error {
			text := base64.StdEncoding.EncodeToString(a.Data)
			for len(text) > 0 {
				n := min(len(text), 76)
				if _, err := io.WriteString(w, text[:n]+"\r\n"); err != nil {
					return err
				}
				text = text[n:]
			}
			return nil
		},
	}
}
