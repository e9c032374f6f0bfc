package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Mailer takes messages away. Send returns nil only after the message was accepted for good (250 to the end of DATA, or
// a file that is safely on the disk), and *CopiesRefused when that is so for all but some blind copies; every other
// outcome is a *Refusal. It may be called from several goroutines. String is for the start message and holds no
// password. Close ends idle connections; messages under way are finished.
type Mailer interface {
	Send(ctx context.Context, m *Message) error
	String() string
	Close() error
}

// Ahead is a mailer that can begin with a message before it may leave.
type Ahead interface {
	// SendAhead is Send of a message whose last byte waits for ready. It does whatever comes before that while ready
	// is not called yet. When ready fails, the message does not leave, and that error is returned as it is.
	SendAhead(ctx context.Context, m *Message, ready func() error) error
}

// SendAhead sends a message that leaves only when ready, called at most once, has returned nil.
func SendAhead(ctx context.Context, to interface {
	Send(ctx context.Context, m *Message) error
}, m *Message, ready func() error) error {
	if ahead, can := to.(Ahead); can {
		return ahead.SendAhead(ctx, m, ready)
	}
	if err := ready(); err != nil {
		return err
	}
	return to.Send(ctx, m)
}

// Settings say where messages go. SMTP is the value of mail.smtp: smtp://user:pass@host:587 (STARTTLS
// required unless ?tls=none), smtps://user:pass@host:465, or empty for files in the folder Outbox. Timeout
// bounds one Send when its context ends later or never; 0 is 20 seconds. RootCAs replaces the certificate
// authorities of the system, for tests.
type Settings struct {
	SMTP    string
	Outbox  string
	Timeout time.Duration
	RootCAs *x509.CertPool
}

const defaultTimeout = 20 * time.Second

// Open checks the settings and returns the way out. It does not connect, because a mail server that is down
// must not keep the service from starting. A faulty mail.smtp is an error that names the setting and
// what would be right, and repeats nothing of the value, since any piece of it may be the password.
func Open(settings Settings) (Mailer, error) {
	if settings.Timeout <= 0 {
		settings.Timeout = defaultTimeout
	}
	if settings.SMTP == "" {
		return openOutbox(settings.Outbox)
	}
	target, err := parseTarget(settings.SMTP)
	if err != nil {
		return nil, err
	}
	return openSMTP(target, settings), nil
}

// Refusal is every failure of Send. Temporary says that sending the same message again may help (4xx,
// connection and TLS failures, no answer in time); Code is the SMTP reply, 0 without one; Step says where:
// message, connect, greeting, EHLO, STARTTLS, TLS, AUTH, MAIL, RCPT, DATA, end of DATA, outbox.
//
// Error is safe to log: step, code and kind of failure. The cause under Unwrap is not, an SMTP reply may
// repeat addresses.
type Refusal struct {
	Temporary bool
	Code      int
	Step      string
	Said      string // what came with the code; for those who may read the mail, and not for logs
	cause     error
}

// CopiesRefused says that a message was accepted for the person it goes to, but not for these blind copies, which the
// mailer has refused one by one.
type CopiesRefused struct{ Copies []RefusedCopy }

// RefusedCopy is the address of a blind copy and the SMTP reply to it.
type RefusedCopy struct {
	Email string
	Code  int
}

// Error tells how many, without personal data.
func (r *CopiesRefused) Error() string {
	return fmt.Sprintf("mail: delivered, but %d blind copies were refused, the first with code %d", len(r.Copies),
		r.Copies[0].Code)
}

// Trial is a mail server that can be asked whether it would take messages, without one.
type Trial interface {
	// Try reaches the mail server and signs in; what fails is a *Refusal.
	Try(ctx context.Context) error
}

// Error tells step and code, without personal data.
func (r *Refusal) Error() string {
	lasts := "for good"
	if r.Temporary {
		lasts = "for now"
	}
	if r.Code != 0 {
		return fmt.Sprintf("mail: refused %s at %s with code %d", lasts, r.Step, r.Code)
	}
	return fmt.Sprintf("mail: failed %s at %s: %s", lasts, r.Step, reason(r.cause))
}

// Unwrap returns the private cause.
func (r *Refusal) Unwrap() error { return r.cause }

// refuse makes the Refusal of a step. Only a 5xx reply is permanent: whatever else goes wrong lies with the
// way and not with the message.
func refuse(step string, err error) *Refusal {
	r := &Refusal{Temporary: true, Step: step, cause: err}
	var reply *textproto.Error
	if errors.As(err, &reply) {
		r.Code = reply.Code
		r.Temporary = reply.Code < 500 || reply.Code > 599
		r.Said = said(reply.Msg)
	}
	return r
}

// mostSaid is how much of a reply is kept, in characters.
const mostSaid = 500

// said is the text of a reply on one line.
func said(reply string) string {
	words := []rune(oneLine(cleanValue(reply)))
	if len(words) > mostSaid {
		words = append(words[:mostSaid], '…')
	}
	return string(words)
}

// Words are what the mail server said, with its code, or without a reply what failed; they may repeat addresses.
func (r *Refusal) Words() string {
	if r.Code != 0 {
		return strings.TrimSpace(strconv.Itoa(r.Code) + " " + r.Said)
	}
	return reason(r.cause)
}

// plainReason is a cause of our own making whose text may be shown.
type plainReason string

func (p plainReason) Error() string { return string(p) }

// reason describes a failure without an SMTP reply in words that cannot hold personal data.
func reason(err error) string {
	var (
		own     plainReason
		number  syscall.Errno
		dns     *net.DNSError
		proto   textproto.ProtocolError
		network net.Error
		record  tls.RecordHeaderError
		alert   tls.AlertError
		name    x509.HostnameError
		signer  x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
	)
	switch {
	case err == nil:
		return "unknown"
	case errors.As(err, &own):
		return string(own)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "no answer in time"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.As(err, &name):
		return "the certificate is for another host"
	case errors.As(err, &signer):
		return "the certificate is signed by an unknown authority"
	case errors.As(err, &invalid):
		return "the certificate is not valid"
	case errors.As(err, &dns):
		return "the host name could not be looked up"
	case errors.As(err, &record), errors.As(err, &alert):
		return "no common TLS"
	case errors.As(err, &number):
		return number.Error()
	case errors.As(err, &network) && network.Timeout():
		return "no answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return "connection closed"
	case errors.As(err, &proto):
		return "not the SMTP protocol"
	}
	return "unexpected failure"
}
