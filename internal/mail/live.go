package mail

import (
	"context"
	"sync"
)

// live is a mail server whose settings may change while it is used.
type live struct {
	settings func() Settings

	mu      sync.Mutex
	current Mailer
	of      Settings // what current was opened with
}

// OpenLive is Open for settings that may change: each message goes where they say when it is sent.
func OpenLive(settings func() Settings) (Mailer, error) {
	l := &live{settings: settings}
	if _, err := l.mailer(); err != nil {
		return nil, err
	}
	return l, nil
}

// mailer returns the mail server of the current settings.
func (l *live) mailer() (Mailer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	set := l.settings()
	if l.current != nil && l.of == set {
		return l.current, nil
	}
	opened, err := Open(set)
	if err != nil {
		return nil, err
	}
	if l.current != nil {
		_ = l.current.Close() // messages under way are finished
	}
	l.current, l.of = opened, set
	return opened, nil
}

// Send implements Mailer.
func (l *live) Send(ctx context.Context, m *Message) error {
	u, err := l.mailer()
	if err != nil {
		return refuse("connect", err)
	}
	return u.Send(ctx, m)
}

// SendAhead implements Ahead.
func (l *live) SendAhead(ctx context.Context, m *Message, ready func() error) error {
	u, err := l.mailer()
	if err != nil {
		return refuse("connect", err)
	}
	return SendAhead(ctx, u, m, ready)
}

// Try implements Trial; a mail server that cannot be tried is taken to work.
func (l *live) Try(ctx context.Context) error {
	u, err := l.mailer()
	if err != nil {
		return refuse("connect", err)
	}
	if trial, ok := u.(Trial); ok {
		return trial.Try(ctx)
	}
	return nil
}

// Writes reports whether mails are written to a folder and leave for nobody.
func (l *live) Writes() bool { return l.settings().SMTP == "" }

// String implements Mailer.
func (l *live) String() string {
	u, err := l.mailer()
	if err != nil {
		return "no upstream"
	}
	return u.String()
}

// Close implements Mailer.
func (l *live) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current.Close()
}
