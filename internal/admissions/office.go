// Package admissions holds the use cases: one file a decision, each one write transaction that asks the
// state tables, saves, writes the journal and enqueues what follows. It may import admitto, store (through
// its Tx), and the leaves mail, pdf, text and seal; it knows nothing of HTTP.
package admissions

import (
	"cmp"
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Upstream takes a mail and answers nil only when it is accepted; *mail.Refusal says why not.
type Upstream interface {
	Send(ctx context.Context, m *mail.Message) error
}

// Office does the work of the admissions office. It is safe for concurrent use.
type Office struct {
	live     *config.Live
	linksAt  func(address string) usecase.Links
	store    *store.Store
	upstream Upstream
	files    Files        // nil until UseFiles
	printer  *pdf.Printer // nil until UsePrinter
	key      seal.Key
	clock    admitto.Clock // nil: the clock of the database
	log      *slog.Logger
	keyring  *keyring
	lens     lens
	quotas   quotas
	creating *bell
	removing *bell
	hashing  chan struct{} // filled by those who hash a password, which takes much memory
	hash     func(password string) string
	mails    chan struct{} // filled when a mail waits to be sent
}

// New makes an Office on an open, migrated store. The clock is nil outside of tests.
func New(s *store.Store, upstream Upstream, key seal.Key, live *config.Live, linksAt func(address string) usecase.Links, clock admitto.Clock, log *slog.Logger) *Office {
	o := &Office{live: live, linksAt: linksAt, store: s, upstream: upstream, key: key, clock: clock, log: log,
		keyring: newKeyring(), creating: newBell(), removing: newBell(),
		mails: make(chan struct{}, 1), hashing: make(chan struct{}, runtime.GOMAXPROCS(0)), hash: seal.HashPassword}
	if s.Shared() {
		o.quotas = &sharedQuotas{store: s}
	} else {
		o.quotas = &ownQuotas{now: o.now}
	}
	return o
}

// Settings are the current settings.
func (o *Office) Settings() *config.Settings { return o.live.Current() }

// links are the addresses that mails name.
func (o *Office) links() usecase.Links { return o.linksAt(o.Settings().BaseURL) }

// sender is who mails are from: with the name of mail.from, else with that of the instance.
func (o *Office) sender() mail.Address {
	s := o.Settings()
	return mail.Address{Name: cmp.Or(s.Mail.From.Name, s.Instance.Name), Email: s.Mail.From.Address}
}

// Now is the current time by the clock of the service.
func (o *Office) Now() admitto.Time { return o.now() }

// now is the current time for what is kept in memory only.
func (o *Office) now() admitto.Time {
	if o.clock != nil {
		return o.clock()
	}
	return admitto.TimeOf(time.Now())
}

// Caller is who asks for a change, and under which conditions.
type Caller = usecase.Caller

// read runs fn in a read transaction.
func (o *Office) read(ctx context.Context, fn func(*store.Tx) error) error {
	return o.store.Read(ctx, fn)
}

// RowVersion reads the row version of what a caller may change afterwards; 0 when it is not there. It tells staff and keys
// that something was changed, and not what.
func (o *Office) RowVersion(ctx context.Context, by admitto.Caller, row admitto.Row) (version int64, err error) {
	if err := by.Staff(); err != nil {
		return 0, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		version, err = tx.RowVersion(row)
		return err
	})
	return version, err
}

// write runs fn in a write transaction, and wakes the one who sends mails when it queued one.
func (o *Office) write(ctx context.Context, fn func(*store.Tx) error) error {
	var queued bool
	err := o.store.Write(ctx, func(tx *store.Tx) error {
		err := fn(tx)
		queued = tx.QueuedMail()
		return err
	})
	if err == nil && queued {
		o.wakeMails()
	}
	return err
}

// Ready reports whether the database is reachable and has the schema of this binary.
func (o *Office) Ready(ctx context.Context) error { return o.store.Ready(ctx) }
