package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func sample() *Message {
	return &Message{
		ID:      "abc.1@example.org",
		Date:    time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
		From:    Address{"Zulassung, Universität", "admissions@example.org"},
		To:      Address{"Γιώργος 李", "g.li@example.org"},
		Bcc:     []string{"archive@example.org"},
		Subject: "Willkommen – 欢迎 🎓",
		Text:    "Hello\n.a line with a dot\n\nFrom here — on = 1\n" + strings.Repeat("long ", 300),
		HTML:    "<p>Hello — on</p>",
		Attachments: []Attachment{
			{Name: "letter.pdf", Type: "application/pdf", Data: bytes.Repeat([]byte{0, 1, 2, 255}, 500)},
			{Name: "Bescheid über 李.txt", Type: "text/plain; charset=utf-8", Data: []byte("x")},
		},
	}
}

// received is a message as a reader's program sees it.
type received struct {
	ID, Date, Subject, Text, HTML string
	From, To                      Address
	Attachments                   []Attachment
}

func read(t testing.TB, raw []byte) received {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("unreadable message: %v\n%s", err, raw)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
	}
	address := func(name string) Address {
		list, err := m.Header.AddressList(name)
		must(err)
		if len(list) != 1 {
			t.Fatalf("%s: %v", name, list)
		}
		return Address{list[0].Name, list[0].Address}
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	must(err)
	r := received{
		ID: m.Header.Get("Message-Id"), Date: m.Header.Get("Date"), Subject: subject,
		From: address("From"), To: address("To"),
	}
	if len(m.Header["From"]) != 1 || len(m.Header["Subject"]) != 1 ||
		m.Header.Get("Auto-Submitted") != "auto-generated" || m.Header.Get("Mime-Version") != "1.0" {
		t.Fatalf("headers: %v", m.Header)
	}
	for name := range m.Header {
		if !strings.Contains(" Message-Id Date From To Subject Mime-Version Auto-Submitted Content-Type Content-Transfer-Encoding ", " "+name+" ") {
			t.Fatalf("unexpected header %q", name)
		}
	}
	var walk func(kind, encoding, file string, body io.Reader)
	walk = func(kind, encoding, file string, body io.Reader) {
		base, params, err := mime.ParseMediaType(kind)
		must(err)
		if strings.HasPrefix(base, "multipart/") {
			parts := multipart.NewReader(body, params["boundary"])
			for {
				p, err := parts.NextRawPart()
				if err == io.EOF {
					return
				}
				must(err)
				walk(p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p.FileName(), p)
			}
		}
		if encoding == "base64" {
			body = base64.NewDecoder(base64.StdEncoding, body)
		} else {
			body = quotedprintable.NewReader(body)
		}
		data, err := io.ReadAll(body)
		must(err)
		text := strings.ReplaceAll(string(data), "\r\n", "\n")
		switch {
		case file != "":
			r.Attachments = append(r.Attachments, Attachment{file, kind, data})
		case base == "text/html":
			r.HTML = text
		default:
			r.Text = text
		}
	}
	walk(m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), "", m.Body)
	return r
}

func expected(m *Message) received {
	return received{
		ID: "<" + m.ID + ">", Date: m.Date.UTC().Format(time.RFC1123Z), Subject: m.Subject,
		Text: m.Text, HTML: m.HTML, From: m.From, To: m.To, Attachments: m.Attachments,
	}
}

func encode(t testing.TB, m *Message) []byte {
	t.Helper()
	raw, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(raw), "\r\n"), "\r\n") {
		if strings.ContainsAny(line, "\r\n") || len(line) > 998 {
			t.Fatalf("bad line %q", line)
		}
	}
	for _, c := range raw {
		if c > 126 || (c < 32 && c != '\r' && c != '\n' && c != '\t') {
			t.Fatalf("byte %#x in the message", c)
		}
	}
	return raw
}

func TestBytesComeBack(t *testing.T) {
	whole := sample()
	textOnly := sample()
	textOnly.HTML, textOnly.Attachments = "", nil
	htmlOnly := sample()
	htmlOnly.Text, htmlOnly.Attachments = "", nil
	alternative := sample()
	alternative.Attachments = nil
	empty := sample()
	empty.Text, empty.HTML, empty.Subject, empty.Attachments = "", "", "", nil
	for name, m := range map[string]*Message{"whole": whole, "text": textOnly, "html": htmlOnly,
		"alternative": alternative, "empty": empty} {
		t.Run(name, func(t *testing.T) {
			raw := encode(t, m)
			if diff := cmp.Diff(expected(m), read(t, raw)); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(string(raw), "archive@") || strings.Contains(strings.ToLower(string(raw)), "bcc:") {
				t.Error("a hidden recipient is in the message")
			}
			if again := encode(t, m); !bytes.Equal(raw, again) {
				t.Error("the same message gave other bytes")
			}
		})
	}
}

func TestNamesAndSubjects(t *testing.T) {
	for _, name := range []string{
		"Plain Name", `Quote "the" King`, "Comma, Semi; Colon: <x@y>", `back\slash`, "Ελένη Παπαδοπούλου", "李小龍",
		"🎓👩‍🎓", "=?utf-8?q?fake?=", strings.Repeat("x", 300), strings.Repeat("Ωμέγα ", 60) + "end",
		strings.Repeat("word ", 100) + "end", "(comment) name", "double  space", "a.b@c",
	} {
		m := sample()
		m.To.Name, m.From.Name, m.Subject = name, name, name
		got := read(t, encode(t, m))
		if got.To.Name != name || got.From.Name != name || got.Subject != name {
			t.Errorf("%q came back as %q, %q, subject %q", name, got.To.Name, got.From.Name, got.Subject)
		}
	}
}

func TestHeaderInjection(t *testing.T) {
	for _, evil := range []string{
		"a\r\nBcc: x@y.z", "a\nBcc: x@y.z", "a\rBcc: x@y.z", "a\r\n\r\nbody", "a\x00b", "a\u2028Bcc: x", "a\u0085Bcc: x",
		"a\r\n Bcc: folded", "\xff\xfe", "a\x7fb",
	} {
		m := sample()
		m.To.Name, m.From.Name, m.Subject, m.Attachments[0].Name, m.Attachments[0].Type = evil, evil, evil, evil, evil
		got := read(t, encode(t, m)) // read fails on any header that does not belong there
		if strings.ContainsFunc(got.Subject+got.To.Name+got.From.Name, isControl) {
			t.Errorf("%q: control characters left: %q", evil, got)
		}
		if len(got.Attachments) != 2 || got.Text != m.Text {
			t.Errorf("%q: the body changed: %+v", evil, got)
		}
	}
	for _, evil := range []string{
		"", "x", "@", "a@", "a@b\r\nBcc: c@d", "a@b\n", "a b@c.d", "a@b>", "<a@b>", "a@b, c@d", "ä@b.c", "a@ä.c",
		"Name <a@b.c>", "a@b\x00", strings.Repeat("a", 300) + "@b.c", `"a b"@c.d`,
	} {
		for field, set := range map[string]func(*Message){
			"From": func(m *Message) { m.From.Email = evil },
			"To":   func(m *Message) { m.To.Email = evil },
			"Bcc":  func(m *Message) { m.Bcc = []string{evil} },
		} {
			m := sample()
			set(m)
			_, err := m.Bytes()
			if err == nil || !strings.Contains(err.Error(), field) || (len(evil) > 1 && strings.Contains(err.Error(), evil)) {
				t.Errorf("%s %q: %v", field, evil, err)
			}
		}
	}
	for _, evil := range []string{"", "x", "<a@b>", "a@b\r\nX: y", "a@b@c", "a b@c", "@b", "a@"} {
		m := sample()
		m.ID = evil
		if _, err := m.Bytes(); err == nil {
			t.Errorf("Message-ID %q was taken", evil)
		}
	}
	m := sample()
	m.Date = time.Time{}
	if _, err := m.Bytes(); err == nil {
		t.Error("a message without date was taken")
	}
}

func TestAttachmentNames(t *testing.T) {
	for name, want := range map[string]string{
		"a.pdf": "a.pdf", "../../etc/passwd": ".._.._etc_passwd", `C:\x.txt`: "C__x.txt", "": "attachment",
		"..":           "attachment",
		`say "hi".txt`: `say "hi".txt`, "履歴書.pdf": "履歴書.pdf", "a;b=c.txt": "a;b=c.txt", "a'b%20.txt": "a'b%20.txt",
		strings.Repeat("é", 200) + ".pdf": strings.Repeat("é", 98) + ".pdf",
	} {
		m := sample()
		m.Attachments = []Attachment{{Name: name, Type: "application/pdf", Data: nil}}
		got := read(t, encode(t, m))
		if len(got.Attachments) != 1 || got.Attachments[0].Name != want {
			t.Errorf("%q became %q, want %q", name, got.Attachments, want)
		}
	}
	for _, kind := range []string{"", "nonsense", "message/rfc822", "multipart/mixed; boundary=x", "a/b; x=\"y\r\nz: 1\"",
		"a/" + strings.Repeat("b", 900)} {
		m := sample()
		m.Attachments = []Attachment{{Name: "f", Type: kind, Data: []byte("data")}}
		got := read(t, encode(t, m))
		if len(got.Attachments) != 1 || got.Attachments[0].Type != "application/octet-stream" {
			t.Errorf("type %q: %+v", kind, got.Attachments)
		}
	}
}

func TestNewID(t *testing.T) {
	a, b := NewID("mail.example.org"), NewID("mail.example.org")
	if a == b || !strings.HasSuffix(a, "@mail.example.org") {
		t.Errorf("%q, %q", a, b)
	}
	for _, domain := range []string{"", "a b", "x\r\ny", "ü.de", "a@b", "<x>"} {
		if id := NewID(domain); checkID(id) != nil || !strings.HasSuffix(id, "@admitto.invalid") {
			t.Errorf("domain %q gave %q", domain, id)
		}
	}
}

// Any text comes back as it was, apart from control characters and blanks around it.
func TestAnyTextComesBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := sample()
		m.Subject = oneLine(rapid.String().Draw(rt, "subject"))
		m.To.Name = oneLine(rapid.String().Draw(rt, "name"))
		m.Text = cleanValue(rapid.String().Draw(rt, "text"))
		m.HTML, m.Attachments = "", nil
		got := read(t, encode(t, m))
		if diff := cmp.Diff(expected(m), got); diff != "" {
			rt.Fatal(diff)
		}
	})
}
