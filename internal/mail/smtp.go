package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

// MaxConnections is how many connections wait for the next message; more than so many mails at once would make new
// ones.
const MaxConnections = 8

const (
	idleTime  = 10 * time.Second // for how long
	freshTime = time.Second      // how long a connection is believed to live without being asked
	checkTime = 2 * time.Second  // how long a waiting connection may take to prove that it lives
)

// sender is the SMTP mail server. It works with the protocol client of go-mail and not with its sender, which
// tells neither the step that failed nor keeps to the context once connected.
type sender struct {
	target  target
	timeout time.Duration
	tls     *tls.Config
	helo    string
	idleFor time.Duration
	fresh   time.Duration

	mu     sync.Mutex
	idle   []*session // the one used last at the end
	closed bool
}

// session is one connection, used by one Send at a time.
type session struct {
	conn   *bounded // the TCP connection; its deadline bounds TLS as well
	client *smtp.Client
	timer  *time.Timer // closes it while it is idle
	kept   time.Time   // when it began to wait
}

func openSMTP(t target, settings Settings) *sender {
	helo, err := os.Hostname()
	if err != nil || !hostName(helo) || !strings.Contains(helo, ".") {
		helo = "" // an address literal instead, since upstreams refuse names without a domain
	}
	return &sender{
		target:  t,
		timeout: settings.Timeout,
		tls:     &tls.Config{ServerName: t.host, RootCAs: settings.RootCAs, MinVersion: tls.VersionTLS12},
		helo:    helo,
		idleFor: idleTime,
		fresh:   freshTime,
	}
}

func (s *sender) String() string { return s.target.String() }

// Send hands the message to the mail server and waits for its answer (lifecycle.md 8.2, W3).
func (s *sender) Send(ctx context.Context, m *Message) error {
	return s.SendAhead(ctx, m, func() error { return nil })
}

// SendAhead implements Ahead: all of the conversation but the end of DATA, and the answer to it, is done meanwhile.
func (s *sender) SendAhead(ctx context.Context, m *Message, ready func() error) error {
	content, err := m.Bytes()
	if err != nil {
		return &Refusal{Step: "message", cause: err}
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()

	if waiting := s.takeIdle(); waiting != nil {
		if again, err := s.attempt(ctx, waiting, m, content, true, ready); !again {
			return err
		}
	}
	fresh, refusal := s.connect(ctx)
	if refusal != nil {
		return refusal
	}
	_, err = s.attempt(ctx, fresh, m, content, false, ready)
	return err
}

// Try reaches the mail server and signs in as Send does, and keeps the connection for the next message.
func (s *sender) Try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	fresh, refusal := s.connect(ctx)
	if refusal != nil {
		return refusal
	}
	s.keep(fresh)
	return nil
}

// outcome is what Send says of a mail transaction.
func outcome(copies []RefusedCopy, refusal *Refusal) error {
	switch {
	case refusal != nil:
		return refusal
	case copies != nil:
		return &CopiesRefused{copies}
	}
	return nil
}

// attempt does one message on the connection and keeps or closes it afterwards. On a used connection it
// returns again = true when that was dead, or the mail server had had enough of it before it heard of a
// recipient: nothing can have been accepted by then, so a fresh connection may be tried.
func (s *sender) attempt(ctx context.Context, c *session, m *Message, content []byte, used bool,
	ready func() error) (again bool, err error) {
	release := c.bind(ctx)
	if used && time.Since(c.kept) >= s.fresh && !c.check(ctx) {
		release()
		c.quit()
		return true, nil
	}
	copies, refusal, kept := c.deliver(m, content, ready)
	if kept != nil {
		release()
		_ = c.conn.Close() // whatever else is said here, QUIT too, would end the message, and the mail server would take it
		return false, kept
	}
	// A connection that the end of the context has touched is not used again: its deadline has passed.
	if untouched := release(); untouched && refusal == nil {
		s.keep(c)
	} else {
		c.quit()
	}
	again = used && refusal != nil && refusal.Temporary && refusal.Step == "MAIL"
	return again, outcome(copies, timely(ctx, refusal))
}

// timely adds the end of the context to a failure without reply, so that errors.Is finds it. The deadline of
// the connection is that of the context, and may strike a time earlier.
func timely(ctx context.Context, r *Refusal) *Refusal {
	if r == nil || r.Code != 0 {
		return r
	}
	end := ctx.Err()
	if end == nil && errors.Is(r.cause, os.ErrDeadlineExceeded) {
		end = context.DeadlineExceeded
	}
	if end != nil && !errors.Is(r.cause, end) {
		r.cause = fmt.Errorf("%w: %w", end, r.cause)
	}
	return r
}

// connect opens, encrypts and authenticates a connection.
func (s *sender) connect(ctx context.Context) (*session, *Refusal) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(s.target.host, s.target.port))
	if err != nil {
		return nil, timely(ctx, refuse("connect", err))
	}
	c := &session{conn: &bounded{Conn: conn}}
	release := c.bind(ctx)
	refusal := s.greet(c)
	if !release() && refusal == nil {
		refusal = refuse("connect", ctx.Err())
	}
	if refusal != nil {
		c.quit()
		return nil, timely(ctx, refusal)
	}
	return c, nil
}

func (s *sender) greet(c *session) *Refusal {
	var transport net.Conn = c.conn
	if s.target.security == implicitTLS {
		encrypted := tls.Client(c.conn, s.tls)
		if err := encrypted.Handshake(); err != nil {
			return refuse("TLS", err)
		}
		transport = encrypted
	}
	client, err := smtp.NewClient(transport, s.target.host)
	if err != nil {
		return refuse("greeting", err)
	}
	c.client = client
	client.SkipSMTPUTF8(true) // our addresses and headers are ASCII
	if err := client.Hello(s.heloName(c.conn)); err != nil {
		return refuse("EHLO", err)
	}
	if s.target.security == startTLS {
		if offered, _ := client.Extension("STARTTLS"); !offered {
			return refuse("STARTTLS",
				plainReason("the upstream does not offer STARTTLS (smtps:// or ?tls=none in mail.smtp would do without)"))
		}
		if err := client.StartTLS(s.tls); err != nil {
			return refuse("STARTTLS", err)
		}
	}
	if s.target.user == "" {
		return nil
	}
	return s.authenticate(client)
}

func (s *sender) heloName(conn net.Conn) string {
	if s.helo != "" {
		return s.helo
	}
	host, _, err := net.SplitHostPort(conn.LocalAddr().String())
	ip := net.ParseIP(host)
	switch {
	case err != nil || ip == nil:
		return "localhost"
	case ip.To4() != nil:
		return "[" + ip.String() + "]"
	}
	return "[IPv6:" + ip.String() + "]"
}

// authenticate uses the best mechanism both sides know, in the order of go-mail. The connection is asked,
// not the settings, whether it is encrypted.
func (s *sender) authenticate(client *smtp.Client) *Refusal {
	state, err := client.GetTLSConnectionState()
	encrypted := err == nil && state.HandshakeComplete
	if !encrypted && !s.target.loopback() {
		return refuse("AUTH", plainReason("the connection is not encrypted, the password was not sent"))
	}
	_, offer := client.Extension("AUTH")
	mechanisms := strings.Fields(strings.ToUpper(offer))
	offered := func(name string) bool { return slices.Contains(mechanisms, name) }

	user, password, host := s.target.user, s.target.password, s.target.host
	var auth smtp.Auth
	switch {
	case encrypted && offered("SCRAM-SHA-256-PLUS"):
		auth = smtp.ScramSHA256PlusAuth(user, password, state)
	case offered("SCRAM-SHA-256"):
		auth = smtp.ScramSHA256Auth(user, password)
	case encrypted && offered("SCRAM-SHA-1-PLUS"):
		auth = smtp.ScramSHA1PlusAuth(user, password, state)
	case offered("SCRAM-SHA-1"):
		auth = smtp.ScramSHA1Auth(user, password)
	case offered("CRAM-MD5"):
		auth = smtp.CRAMMD5Auth(user, password)
	case offered("PLAIN"):
		auth = smtp.PlainAuth("", user, password, host, true)
	case offered("LOGIN"):
		auth = smtp.LoginAuth(user, password, host, true)
	default:
		return refuse("AUTH", plainReason("the upstream offers no way to log in that is known here"))
	}
	if err := client.Auth(auth); err != nil {
		return refuse("AUTH", err)
	}
	return nil
}

// takeIdle returns the connection that waits for the shortest time, if there is one, to the caller alone.
func (s *sender) takeIdle() *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle) == 0 {
		return nil
	}
	c := s.idle[len(s.idle)-1]
	s.idle = s.idle[:len(s.idle)-1]
	c.timer.Stop() // should it run already, it finds that the connection does not wait any more
	return c
}

// keep lets the connection wait for the next message, unless enough others wait.
func (s *sender) keep(c *session) {
	s.mu.Lock()
	if s.closed || len(s.idle) == MaxConnections {
		s.mu.Unlock()
		c.quit()
		return
	}
	defer s.mu.Unlock()
	s.idle = append(s.idle, c)
	c.kept = time.Now()
	c.timer = time.AfterFunc(s.idleFor, func() { s.drop(c) })
}

// drop ends a connection that has waited long enough, if it still waits.
func (s *sender) drop(c *session) {
	s.mu.Lock()
	i := slices.Index(s.idle, c)
	if i >= 0 {
		s.idle = slices.Delete(s.idle, i, i+1)
	}
	s.mu.Unlock()
	if i >= 0 {
		c.quit()
	}
}

// Close ends the waiting connections; those at work end with their message.
func (s *sender) Close() error {
	s.mu.Lock()
	waiting := s.idle
	s.idle, s.closed = nil, true
	s.mu.Unlock()
	for _, c := range waiting {
		c.timer.Stop()
		c.quit()
	}
	return nil
}
