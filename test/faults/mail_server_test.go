package faults_test

import (
	"errors"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// fault is what a mail server does wrong.
type fault int

const (
	none    fault = iota
	refuses       // says 450 to every recipient: try again later
	rejects       // says 550 to every recipient: never
	hangs         // takes the message and never answers
	drops         // closes the connection in the middle of the message
	late          // keeps the message, and says so when nobody listens any more
)

// mailer is a real SMTP server with faults.
type mailer struct {
	url string // for mail.smtp

	mu    sync.Mutex
	fault fault
	goOn  chan struct{} // closed when those who hang may go on
	met   int           // how often the fault was met
	got   []delivered
}

type delivered struct{ to, id, data string }

func startMailServer(t testing.TB) *mailer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u := &mailer{url: "smtp://" + l.Addr().String() + "?tls=none", goOn: make(chan struct{})}
	server := smtp.NewServer(u)
	server.Domain = "upstream.test"
	server.ErrorLog = silence{}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(l) }()
	t.Cleanup(func() { u.be(none); _ = server.Close(); <-done })
	return u
}

type silence struct{}

func (silence) Printf(string, ...any) {}
func (silence) Println(...any)        {}

// be sets the fault from now on and lets those go on who hang.
func (u *mailer) be(f fault) {
	u.mu.Lock()
	defer u.mu.Unlock()
	close(u.goOn)
	u.goOn, u.fault, u.met = make(chan struct{}), f, 0
}

// meet returns the fault to somebody who meets it.
func (u *mailer) meet(at ...fault) (f fault, goOn chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, f := range at {
		if u.fault == f {
			u.met++
			return f, u.goOn
		}
	}
	return none, nil
}

// times tells how often the fault was met.
func (u *mailer) times() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.met
}

// all returns the mails that were accepted.
func (u *mailer) all() []delivered {
	u.mu.Lock()
	defer u.mu.Unlock()
	return append([]delivered(nil), u.got...)
}

// with returns the accepted mails whose text has the words in it.
func (u *mailer) with(words string) (list []delivered) {
	for _, d := range u.all() {
		if strings.Contains(d.data, words) {
			list = append(list, d)
		}
	}
	return list
}

func (u *mailer) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &smtpSession{u: u, conn: c}, nil
}

type smtpSession struct {
	u    *mailer
	conn *smtp.Conn
	to   string
}

func (s *smtpSession) Reset()                               {}
func (s *smtpSession) Logout() error                        { return nil }
func (s *smtpSession) Mail(string, *smtp.MailOptions) error { return nil }

func (s *smtpSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	switch f, _ := s.u.meet(refuses, rejects); f {
	case refuses:
		return &smtp.SMTPError{Code: 450, EnhancedCode: smtp.EnhancedCode{4, 2, 0}, Message: "try again later"}
	case rejects:
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
	}
	return nil
}

var messageID = regexp.MustCompile(`(?mi)^Message-ID: *(\S+)`)

func (s *smtpSession) Data(r io.Reader) error {
	f, goOn := s.u.meet(hangs, drops, late)
	if f == drops {
		_, _ = io.ReadFull(r, make([]byte, 10))
		_ = s.conn.Close()
		return errors.New("gone")
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if f == hangs {
		<-goOn
		return errors.New("not accepted")
	}
	d := delivered{to: s.to, data: string(data)}
	if match := messageID.FindStringSubmatch(d.data); match != nil {
		d.id = match[1]
	}
	s.u.mu.Lock()
	s.u.got = append(s.u.got, d)
	s.u.mu.Unlock()
	if f == late {
		<-goOn
	}
	return nil
}
