package main

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

// mailer is a real SMTP server that can stop at each step and hold every mail there.
type mailer struct {
	url string // for mail.smtp

	mu      sync.Mutex
	stopAt  string        // the step, "" for none
	goOn    chan struct{} // closed when the stopped may go on
	reached chan struct{} // told, without waiting, when somebody stops
	refuse  error         // answer to RCPT
	got     []delivered

	sessions int
}

type delivered struct{ to, data string }

// The steps at which the mail server can stop.
var smtpSteps = []string{"greeting", "RCPT", "DATA", "accepted"}

func startMailServer(t testing.TB) *mailer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u := &mailer{url: "smtp://" + l.Addr().String() + "?tls=none", reached: make(chan struct{}, 1)}
	server := smtp.NewServer(u)
	server.Domain = "upstream.test"
	server.ErrorLog = silence{}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(&slowListener{l, u}) }()
	t.Cleanup(func() { u.stop(""); _ = server.Close(); <-done })
	return u
}

type silence struct{}

func (silence) Printf(string, ...any) {}
func (silence) Println(...any)        {}

// slowListener stops before the greeting.
type slowListener struct {
	net.Listener
	u *mailer
}

func (l *slowListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		c = &slowConn{Conn: c, u: l.u}
	}
	return c, err
}

type slowConn struct {
	net.Conn
	u     *mailer
	begun sync.Once
}

func (c *slowConn) Write(b []byte) (int, error) {
	c.begun.Do(func() { c.u.at("greeting") })
	return c.Conn.Write(b)
}

// stop makes mails stop at the step from now on, and lets those go on that stand somewhere.
func (u *mailer) stop(step string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.goOn != nil {
		close(u.goOn)
	}
	u.stopAt, u.goOn = step, make(chan struct{})
	select {
	case <-u.reached:
	default:
	}
}

// at stands at the step as long as the test wants it.
func (u *mailer) at(step string) {
	u.mu.Lock()
	stop, goOn := u.stopAt == step, u.goOn
	u.mu.Unlock()
	if !stop {
		return
	}
	select {
	case u.reached <- struct{}{}:
	default:
	}
	<-goOn
}

func (u *mailer) refuseAll(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.refuse = err
}

// to returns the mails that were accepted for an address.
func (u *mailer) to(address string) (list []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, d := range u.got {
		if strings.EqualFold(d.to, address) {
			list = append(list, d.data)
		}
	}
	return list
}

func (u *mailer) NewSession(*smtp.Conn) (smtp.Session, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.sessions++
	return &smtpSession{u: u}, nil
}

// tried is how many connections came as far as EHLO.
func (u *mailer) tried() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.sessions
}

type smtpSession struct {
	u        *mailer
	to       string
	accepted bool
}

func (s *smtpSession) Reset() {
	if s.accepted {
		s.accepted = false
		s.u.at("accepted") // the final 250 was written
	}
}
func (s *smtpSession) Logout() error                        { return nil }
func (s *smtpSession) Mail(string, *smtp.MailOptions) error { return nil }
func (s *smtpSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.u.at("RCPT")
	s.to = to
	s.u.mu.Lock()
	defer s.u.mu.Unlock()
	return s.u.refuse
}

func (s *smtpSession) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.u.at("DATA")
	if len(data) == 0 {
		return errors.New("empty")
	}
	s.u.mu.Lock()
	defer s.u.mu.Unlock()
	s.accepted = true
	s.u.got = append(s.u.got, delivered{s.to, string(data)})
	return nil
}

var softBreak = regexp.MustCompile(`=\r?\n`)

// readable undoes the quoted-printable of a mail as far as links need it.
func readable(mail string) string {
	return strings.ReplaceAll(softBreak.ReplaceAllString(mail, ""), "=3D", "=")
}
