package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
)

// SendNow hands a mail to the mailer at once; *mail.Refusal says why it was refused.
func (s *Service) SendNow(ctx context.Context, m *mail.Message) error {
	err := s.mailer.Send(ctx, m)
	s.heard(ctx, err)
	return err
}

// Begun is a mail that the mail server hears of already, while what it tells is not on disk yet.
type Begun struct {
	ready   chan error // nil once the mail may leave
	outcome chan begunOutcome
}

type begunOutcome struct {
	err      error
	panicked any // what Finish panics with, so that the one who waits has it, and not the process
}

var errDropped = errors.New("what the mail tells did not come to be")

// Begin starts to hand a mail to the mailer, which takes it only after Finish, and has mail.sync_timeout for it. One of
// Finish and Drop must follow.
func (s *Service) Begin(ctx context.Context, m *mail.Message) *Begun {
	b := &Begun{ready: make(chan error, 1), outcome: make(chan begunOutcome, 1)}
	go func() {
		var o begunOutcome
		defer func() {
			o.panicked = recover()
			b.outcome <- o
		}()
		ctx, cancel := context.WithTimeout(ctx, s.core.Settings().Mail.SyncTimeout)
		defer cancel()
		o.err = mail.SendAhead(ctx, s.mailer, m, func() error {
			select {
			case err := <-b.ready:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		if !errors.Is(o.err, errDropped) {
			s.heard(ctx, o.err)
		}
	}()
	return b
}

// Finish has the mail leave and returns what SendNow returns.
func (b *Begun) Finish() error {
	b.ready <- nil
	o := <-b.outcome
	if o.panicked != nil {
		panic(o.panicked)
	}
	return o.err
}

// Drop keeps the mail from leaving and waits for nothing; a nil Begun has none.
func (b *Begun) Drop() {
	if b != nil {
		b.ready <- errDropped
	}
}

// heard keeps what an attempt says of the mail server: what it answers to a mail says that it works.
func (s *Service) heard(ctx context.Context, err error) {
	now := s.core.Now()
	var refused *mail.Refusal
	if !errors.As(err, &refused) || !slices.Contains(aboutMailer[:], refused.Step) &&
		(!refused.Temporary || refused.Code != 0) {
		if was := s.contact.Swap(&contact{heard: now}); was != nil && was.away != nil {
			s.log.Info("the mail server answers again", "upstream", s.server())
		}
		return
	}
	if errors.Is(ctx.Err(), context.Canceled) { // nobody waited for it
		return
	}
	is := contact{since: now, away: refused}
	was := s.contact.Load()
	if was != nil {
		is.heard = was.heard
		if was.away != nil {
			is.since = was.since
		}
	}
	s.contact.Store(&is)
	if was == nil || was.away == nil {
		s.log.Warn("the mail server takes no mails (mail.smtp); until it does no applicant can be created, and other mails wait",
			"upstream", s.server(), "cause", refused)
	}
}

// server is the mail server without its password.
func (s *Service) server() string {
	if named, is := s.mailer.(fmt.Stringer); is {
		return named.String()
	}
	return ""
}

// writes reports whether mails are written to a folder, since there is no mail server.
func (s *Service) writes() bool {
	to, can := s.mailer.(interface{ Writes() bool })
	return can && to.Writes()
}

// Reached returns why this instance did not reach the mail server last; nil when it did, or nothing went there yet.
func (s *Service) Reached() error {
	if c := s.contact.Load(); c != nil && c.away != nil {
		return c.away
	}
	return nil
}

// Contact is how this instance stands with the mail server (screens.md A57).
func (s *Service) Contact() admitto.MailContact {
	c := admitto.MailContact{None: s.writes(), Server: s.server()}
	if is := s.contact.Load(); is != nil {
		c.Heard = is.heard
		if is.away != nil {
			c.Since, c.Reason = is.since, WithoutAddresses(is.away.Step+": "+is.away.Words())
		}
	}
	return c
}

// tryAfter is how long the mail server is believed to answer without being asked.
const tryAfter = 30 * admitto.Second

// TryMail asks the mail server whether it would take mails, where it has not answered for half a minute: else nobody
// learns at night that it does not. Nothing is sent.
func (s *Service) TryMail(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	if is := s.contact.Load(); is != nil && is.away == nil && s.core.Now()-is.heard < tryAfter {
		return nil
	}
	server, can := s.mailer.(mail.Trial)
	if !can || s.writes() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.core.Settings().Mail.SyncTimeout)
	defer cancel()
	s.heard(ctx, server.Try(ctx))
	return nil
}

// addressRemoved stands where an address was.
const addressRemoved = "(address)"

// WithoutAddresses is what a mail server said without the addresses in it, so that it says nothing about persons.
func WithoutAddresses(said string) string {
	words := strings.Fields(said)
	for i, word := range words {
		if strings.Contains(word, "@") {
			words[i] = addressRemoved
		}
	}
	return strings.Join(words, " ")
}
