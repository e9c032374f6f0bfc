package usecase

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

// Core is what every service works with: the database, the settings, the clock and the links. It is safe for concurrent
// use.
type Core struct {
	store   *store.Store
	live    *config.Live
	linksAt func(address string) Links
	clock   admitto.Clock
	mails   chan struct{} // filled when a mail waits to be sent
	within  *store.Tx     // that every transaction is a part of; nil but in Within
}

// NewCore makes a Core on an open, migrated store. linksAt makes the links of an instance with a base URL. The clock is
// nil outside of tests: that of the machine and of the database.
func NewCore(s *store.Store, live *config.Live, linksAt func(address string) Links, clock admitto.Clock) *Core {
	return &Core{store: s, live: live, linksAt: linksAt, clock: clock, mails: make(chan struct{}, 1)}
}

// Within returns a Core whose transactions are parts of the one given: what use cases do through it is stored with the
// rest of that, or not at all. After an error the transaction must not be committed.
func (c *Core) Within(tx *store.Tx) *Core {
	part := *c
	part.within = tx
	return &part
}

// Settings returns the current settings.
func (c *Core) Settings() *config.Settings { return c.live.Current() }

// Links returns the addresses that mails name.
func (c *Core) Links() Links { return c.linksAt(c.Settings().BaseURL) }

// Now returns the current time for what is kept in memory only. What is stored takes that of its transaction.
func (c *Core) Now() admitto.Time {
	if c.clock != nil {
		return c.clock()
	}
	return admitto.TimeOf(time.Now())
}

// DayOf returns the day of a time in the time zone of the instance.
func (c *Core) DayOf(t admitto.Time) admitto.Date {
	return admitto.DateOf(t.Std().In(c.Settings().Instance.Timezone))
}

// Today returns the current day in the time zone of the instance.
func (c *Core) Today(tx *store.Tx) admitto.Date { return c.DayOf(tx.Now()) }

// Language is the first language of the instance: that of mails to nobody that it knows.
func (c *Core) Language() string {
	if languages := c.Settings().Instance.Languages; len(languages) > 0 {
		return languages[0]
	}
	return "en"
}

// LanguageOf is the language of mails to an applicant: the one of the account, if the instance has it, else the first.
func (c *Core) LanguageOf(tx *store.Tx, applicant int64) (string, error) {
	language, err := tx.ApplicantLanguage(applicant)
	if err != nil || !slices.Contains(c.Settings().Instance.Languages, language) {
		return c.Language(), err
	}
	return language, nil
}

// ReaderLanguage is the language in which somebody reads what the institution has written: that of the account of an
// applicant; "", which is the first, for staff and programs (lifecycle.md R11).
func (c *Core) ReaderLanguage(tx *store.Tx, by admitto.Caller) (string, error) {
	if by.Actor.Kind != admitto.ByApplicant {
		return "", nil
	}
	return c.LanguageOf(tx, by.Actor.ID)
}

// Read runs fn in a read transaction.
func (c *Core) Read(ctx context.Context, fn func(*store.Tx) error) error {
	if c.within != nil {
		return fn(c.within)
	}
	return c.store.Read(ctx, fn)
}

// Get returns what read finds in a read transaction.
func Get[T any](ctx context.Context, c *Core, read func(*store.Tx) (T, error)) (found T, err error) {
	err = c.Read(ctx, func(tx *store.Tx) error {
		found, err = read(tx)
		return err
	})
	return found, err
}

// Reader returns where an actor reads long lists from: the replica, unless it is behind what the actor has written.
func (c *Core) Reader(by admitto.Actor) *store.Reader { return c.store.Reader(by) }

// Write runs fn in a write transaction, and wakes the workers who send mails when it queued one.
func (c *Core) Write(ctx context.Context, fn func(*store.Tx) error) error {
	if c.within != nil {
		return fn(c.within)
	}
	var queued bool
	err := c.store.Write(ctx, func(tx *store.Tx) error {
		err := fn(tx)
		queued = tx.QueuedMail()
		return err
	})
	if err == nil && queued {
		c.WakeMails()
	}
	return err
}

// errRehearsed ends a transaction whose changes are not kept.
var errRehearsed = errors.New("only rehearsed")

// Rehearse runs fn in a write transaction and keeps nothing of it.
func (c *Core) Rehearse(ctx context.Context, fn func(*store.Tx) error) error {
	err := c.store.Write(ctx, func(tx *store.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errRehearsed
	})
	if errors.Is(err, errRehearsed) {
		return nil
	}
	return err
}

// WakeMails wakes a worker who sends mails, if all sleep.
func (c *Core) WakeMails() {
	select {
	case c.mails <- struct{}{}:
	default: // it is awake already
	}
}

// MailsWaiting returns the channel that WakeMails fills.
func (c *Core) MailsWaiting() <-chan struct{} { return c.mails }

// Administrator is an administrator for whom the service does something, with what their roles permit now; active is
// false for one who may not sign in any more.
func (c *Core) Administrator(tx *store.Tx, id int64) (by admitto.Caller, active bool, err error) {
	a, err := tx.StaffAccount(id)
	if admitto.KindOf(err) == admitto.NotFound {
		return by, false, nil
	}
	if err != nil || a.Suspended || !a.ValidUntil.IsZero() && a.ValidUntil.Before(c.Today(tx)) {
		return by, false, err
	}
	roles, err := tx.StaffRoles(id)
	var may admitto.Permissions
	for _, r := range roles {
		may = may.Union(r.Permissions)
	}
	return admitto.AdministratorCaller(id, may, ""), true, err
}

// MayBeOfficer refuses, at a path, an administrator who cannot work on applications: who may not sign in, or may not
// see them.
func (c *Core) MayBeOfficer(tx *store.Tx, id int64, path admitto.Path) error {
	officer, active, err := c.Administrator(tx, id)
	if err == nil && (!active || !officer.Has(admitto.ApplicationsView)) {
		err = admitto.Refuse(admitto.InvalidParameter, path, "", message.Of("no-such-officer"))
	}
	return err
}

// Administrators returns the administrators who may sign in and have the permission, by ascending ID.
func (c *Core) Administrators(tx *store.Tx, may admitto.Permission) (list []admitto.Administrator, err error) {
	all, err := tx.Administrators()
	if err != nil {
		return nil, err
	}
	out, err := tx.StaffOut(c.Today(tx))
	if err != nil {
		return nil, err
	}
	var ids []int64
	for i := range all {
		ids = append(ids, all[i].ID)
	}
	roles, err := tx.AllStaffRoles(ids)
	for i := range all {
		permits := func(r admitto.Role) bool { return r.Permissions.Has(may) }
		if !slices.Contains(out, all[i].ID) && slices.ContainsFunc(roles[all[i].ID], permits) {
			list = append(list, all[i])
		}
	}
	return list, err
}

// ChangeApplication runs a change of one application in a write transaction, with the row version that the caller has
// seen compared first. Use cases about something below an application lock the application themselves, find what they
// change, and compare the row version of that.
func (c *Core) ChangeApplication(ctx context.Context, by Caller, application int64,
	change func(*store.Tx, *LockedApplication) error) error {
	return c.Write(ctx, func(tx *store.Tx) error {
		d, err := LockApplication(tx, by, application)
		if err != nil {
			return err
		}
		if err := by.Sees(d.RowVersion); err != nil {
			return err
		}
		return change(tx, d)
	})
}
