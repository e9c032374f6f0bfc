package leads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// leaseTime is how long an import belongs to the instance that works on it without a sign of life; every part of it is
// one.
const leaseTime = 60 * admitto.Second

// atOnceWritten is how many rows become leads, or are undone, in one transaction.
const atOnceWritten = 20

// Run works on the imports that are to be worked on now until there is none: it checks rows, makes leads of them, and
// undoes. After a crash another instance goes on when the lease is over; what was done is marked in the transaction
// that did it.
func (s *Service) Run(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return usecase.Drain(ctx, s.core, (*store.Tx).LeadImportsAtWork,
		func(id int64) (bool, error) { return s.hold(ctx, id) })
}

// hold works on an import under a lease, as long as there is something to do; held is false when somebody else does.
func (s *Service) hold(ctx context.Context, id int64) (held bool, err error) {
	w := &work{Service: s, id: id}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		w.lease = 0
		i, _, err := tx.LockLeadImport(id)
		if admitto.KindOf(err) == admitto.NotFound {
			return nil // discarded meanwhile
		}
		if err != nil {
			return err
		}
		if w.lease, err = tx.ClaimLeadImport(id, tx.Now()+leaseTime); err != nil || w.lease == 0 {
			return err
		}
		i.WorkBegun = tx.Now()
		i.WorkFrom, _ = i.Done()
		return tx.SaveLeadImport(&i)
	})
	if err != nil || w.lease == 0 {
		return false, err
	}
	defer func() {
		lasting := context.WithoutCancel(ctx)
		err = errors.Join(err, s.core.Write(lasting, func(tx *store.Tx) error { return tx.ReleaseLeadLease(id, w.lease) }))
	}()
	for more := true; more && err == nil && ctx.Err() == nil; {
		more, err = w.next(ctx)
	}
	return true, err
}

// work is what one instance does on an import under a lease.
type work struct {
	*Service
	id, lease int64
	single    int // so many rows are done one by one, since one of them failed
}

// next does the next part of the work, and reports whether there may be more. When a part fails its rows are done one
// by one: a fault may be over at once, and one that is not is that of its row.
func (w *work) next(ctx context.Context) (more bool, err error) {
	rows := atOnceWritten
	if w.single > 0 {
		rows, w.single = 1, w.single-1
	}
	more, err = w.part(ctx, rows)
	if err == nil || ctx.Err() != nil {
		return more, err
	}
	if rows > 1 {
		w.single = rows
		return true, nil
	}
	if more, err = w.part(ctx, 1); err == nil || ctx.Err() != nil {
		return more, err
	}
	if settled, failed := w.giveUp(ctx); !settled {
		return false, errors.Join(err, failed)
	}
	w.log.Error("a row of an import failed", "import", w.id, "cause", err)
	return true, nil
}

// part does so many rows in a transaction.
func (w *work) part(ctx context.Context, rows int) (more bool, err error) {
	cards, err := w.welcomes(ctx, rows)
	if err != nil {
		return false, err
	}
	err = w.core.Write(ctx, func(tx *store.Tx) (err error) {
		defer func() {
			if fault := recover(); fault != nil {
				err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
			}
		}()
		more = false
		i, held, err := w.lock(tx)
		if err != nil || !held {
			return err
		}
		c := &changes{limit: rows}
		switch i.State {
		case admitto.ImportChecking:
			err = w.check(tx, &i, c)
		case admitto.ImportRunning:
			err = w.collect(tx, &i, c, cards)
		case admitto.ImportUndoing:
			err = w.undo(tx, &i, c)
		case admitto.ImportUploaded, admitto.ImportReady, admitto.ImportStopped, admitto.ImportFinished,
			admitto.ImportUndone:
		}
		if err != nil {
			return err
		}
		more = i.State.AtWork()
		return w.save(tx, &i, c)
	})
	return more, err
}

// welcomes makes the welcome mails of the next rows ready: their passwords are hashed while nobody waits for the
// transaction.
func (w *work) welcomes(ctx context.Context, rows int) ([]accounts.WelcomeCard, error) {
	due := 0
	err := w.core.Read(ctx, func(tx *store.Tx) error {
		due = 0
		i, err := tx.LeadImport(w.id)
		if err != nil || i.State != admitto.ImportRunning || !i.Options.Welcome {
			return gone(err)
		}
		next, _, err := tx.LeadRows(i.ID, i.Line, "", rows)
		if err != nil {
			return err
		}
		var keys []string
		for n := range next {
			keys = append(keys, next[n].EmailKey)
		}
		holders, err := tx.ApplicantsByEmail(keys)
		for n := range next {
			if isDue(&next[n]) && holders[next[n].EmailKey] == 0 {
				due++
			}
		}
		return err
	})
	if err != nil || due == 0 {
		return nil, err
	}
	by := admitto.Caller{Actor: admitto.System(), Permissions: admitto.PermissionsOf(admitto.ApplicantsImport)}
	return w.accounts.WelcomeCards(ctx, by, due)
}

// isDue reports whether something is to be done with a row.
func isDue(row *admitto.LeadRow) bool {
	return row.State == admitto.LeadNew || row.State == admitto.LeadKnown
}

// gone is the error but for that of an import that was discarded meanwhile.
func gone(err error) error {
	if admitto.KindOf(err) == admitto.NotFound {
		return nil
	}
	return err
}

// lock locks the import; held is false when it is another's by now, or there is nothing to do.
func (w *work) lock(tx *store.Tx) (i admitto.LeadImport, held bool, err error) {
	i, lease, err := tx.LockLeadImport(w.id)
	return i, err == nil && lease == w.lease && i.State.AtWork(), gone(err)
}

// changes are the rows that a part of the work changes.
type changes struct {
	limit int
	rows  []admitto.LeadRow
	was   []admitto.LeadRowState
}

// of reads the next rows of a state, "" for all; whole is true when no more follow.
func (c *changes) of(tx *store.Tx, i *admitto.LeadImport, state admitto.LeadRowState, limit int) (whole bool,
	err error) {
	rows, more, err := tx.LeadRows(i.ID, i.Line, state, limit)
	for _, row := range rows {
		c.was = append(c.was, row.State)
	}
	if c.rows = rows; len(rows) > 0 {
		i.Line = rows[len(rows)-1].Line
	}
	return !more, err
}

// save stores the rows, their counts, and how far the import is.
func (w *work) save(tx *store.Tx, i *admitto.LeadImport, c *changes) error {
	var changed []admitto.LeadRow
	for n := range c.rows {
		if c.rows[n].State != c.was[n] {
			i.Counts[c.was[n]]--
			i.Counts[c.rows[n].State]++
		}
		changed = append(changed, c.rows[n])
	}
	return errors.Join(tx.SetLeadRows(i.ID, changed), tx.SaveLeadImport(i), tx.KeepLeadLease(i.ID, tx.Now()+leaseTime))
}

// check says what comes of the next rows.
func (w *work) check(tx *store.Tx, i *admitto.LeadImport, c *changes) error {
	from := i.Line + 1
	whole, err := c.of(tx, i, "", atOnce)
	if err != nil {
		return err
	}
	read := w.reader(i)
	var keys []string
	for n := range c.rows {
		row := &c.rows[n]
		lead, faults := read.lead(row.Cells)
		if row.State, row.Applicant, row.EmailKey = admitto.LeadWrong, 0, ""; len(faults) == 0 {
			row.State, row.EmailKey = admitto.LeadNew, lead.EmailKey()
			keys = append(keys, row.EmailKey)
		}
	}
	holders, err := tx.ApplicantsByEmail(keys)
	if err != nil {
		return err
	}
	earlier, err := tx.LeadLines(i.ID, from, keys)
	if err != nil {
		return err
	}
	for n := range c.rows {
		row := &c.rows[n]
		if row.State != admitto.LeadNew {
			continue
		}
		row.Applicant = holders[row.EmailKey]
		if row.Applicant != 0 || earlier[row.EmailKey] != 0 {
			row.State = admitto.LeadKnown
		}
		earlier[row.EmailKey] = row.Line
	}
	if whole {
		i.State, i.Line = admitto.ImportReady, 0
	}
	return nil
}

// collect makes leads of the next rows, and gives those who are here already the trackers.
func (w *work) collect(tx *store.Tx, i *admitto.LeadImport, c *changes, cards []accounts.WelcomeCard) error {
	who, active, err := w.core.Administrator(tx, i.StartedBy)
	if err != nil {
		return err
	}
	if !active || !who.Has(admitto.ApplicantsImport) {
		i.State, i.Ended, i.Why = admitto.ImportStopped, tx.Now(), []message.Text{message.Of("import-not-permitted")}
		return nil
	}
	whole, err := c.of(tx, i, "", c.limit)
	if err != nil {
		return err
	}
	p := &portion{work: w, tx: tx, by: usecase.Caller{Caller: who}, read: w.reader(i), cards: cards}
	if p.read.added.Trackers, err = heldTrackers(tx, i.Options.Trackers); err != nil {
		return err
	}
	if err := p.settle(c.rows); err != nil {
		return err
	}
	if whole {
		i.State, i.Ended = admitto.ImportFinished, tx.Now()
	}
	return nil
}

// heldTrackers are the trackers that are there yet, and stay until the transaction ends.
func heldTrackers(tx *store.Tx, ids []int64) (held []int64, err error) {
	for _, id := range ids {
		switch err := tx.HoldTracker(id); admitto.KindOf(err) {
		case admitto.NotFound: // deleted meanwhile
		default:
			if err != nil {
				return nil, err
			}
			held = append(held, id)
		}
	}
	return held, nil
}

// portion is the rows that become leads in one transaction.
type portion struct {
	*work
	tx    *store.Tx
	by    usecase.Caller
	read  *reader
	cards []accounts.WelcomeCard
}

// settle does the rows. Those whose address somebody has come first, by applicant: that is the order of locks.
func (p *portion) settle(rows []admitto.LeadRow) error {
	var due []*admitto.LeadRow
	leads, keys := map[int64]accounts.Lead{}, []string(nil)
	for n := range rows {
		row := &rows[n]
		if !isDue(row) {
			continue
		}
		lead, faults := p.read.lead(row.Cells)
		if len(faults) > 0 { // the rules are others than when it was checked
			row.State = admitto.LeadWrong
			continue
		}
		due, keys = append(due, row), append(keys, row.EmailKey)
		leads[row.Line] = lead
	}
	holders, err := p.tx.ApplicantsByEmail(keys)
	if err != nil {
		return err
	}
	slices.SortStableFunc(due, func(a, b *admitto.LeadRow) int {
		left, right := holders[a.EmailKey], holders[b.EmailKey]
		switch {
		case left == right:
			return cmp.Compare(a.Line, b.Line)
		case left == 0:
			return 1
		case right == 0:
			return -1
		}
		return cmp.Compare(left, right)
	})
	made := map[string]int64{}
	cards := p.cards
	for _, row := range due {
		switch {
		case holders[row.EmailKey] != 0:
			row.Applicant = holders[row.EmailKey]
			if err := p.match(row.Applicant); err != nil {
				return err
			}
			row.State = admitto.LeadMatched
		case made[row.EmailKey] != 0:
			row.Applicant, row.State = made[row.EmailKey], admitto.LeadMatched
		default:
			lead := leads[row.Line]
			var card *accounts.WelcomeCard
			if p.read.Welcome {
				if len(cards) == 0 {
					return errHolder
				}
				card, cards = &cards[0], cards[1:]
			}
			if row.Applicant, err = p.accounts.Collect(p.tx, p.by, &lead, card); err != nil {
				return err
			}
			made[row.EmailKey], row.State = row.Applicant, admitto.LeadCreated
		}
	}
	return nil
}

// match gives somebody who is here already the trackers of the import.
func (p *portion) match(applicant int64) error {
	if _, err := p.tx.LockApplicant(applicant); admitto.KindOf(err) == admitto.NotFound {
		return errHolder
	} else if err != nil {
		return err
	}
	for _, tracker := range p.read.added.Trackers {
		set, err := p.tx.AssignTracker(applicant, tracker)
		if err != nil {
			return err
		}
		if set {
			p.tx.Record(p.by.Actor, admitto.Event{Pattern: admitto.TrackerAssigned,
				Links: admitto.Links{Applicant: applicant, Tracker: tracker}})
		}
	}
	return nil
}

// errHolder says that who has an address is being created or deleted just now.
var errHolder = errors.New("who has the address is being created or deleted just now")

// giveUp marks the next row, which cannot be done, in a transaction of its own; settled is false when there is none.
func (w *work) giveUp(ctx context.Context) (settled bool, err error) {
	err = w.core.Write(ctx, func(tx *store.Tx) error {
		settled = false
		i, held, err := w.lock(tx)
		if err != nil || !held || i.State == admitto.ImportChecking {
			return err
		}
		state, outcome := admitto.LeadRowState(""), admitto.LeadFailed
		if i.State == admitto.ImportUndoing {
			state, outcome = admitto.LeadCreated, admitto.LeadKept
		}
		c := &changes{}
		if _, err := c.of(tx, &i, state, 1); err != nil || len(c.rows) == 0 {
			return err
		}
		c.rows[0].State, settled = outcome, true
		return w.save(tx, &i, c)
	})
	return settled && err == nil, err
}

// undo deletes the next leads whom the import has made, but for those who signed in or have business here.
func (w *work) undo(tx *store.Tx, i *admitto.LeadImport, c *changes) error {
	whole, err := c.of(tx, i, admitto.LeadCreated, c.limit)
	if err != nil {
		return err
	}
	due := make([]*admitto.LeadRow, len(c.rows))
	for n := range c.rows {
		due[n] = &c.rows[n]
	}
	slices.SortFunc(due, func(a, b *admitto.LeadRow) int { return cmp.Compare(a.Applicant, b.Applicant) })
	hidden := make([]*admitto.Applicant, len(due))
	for n, row := range due { // all locks before the first change
		row.State = admitto.LeadKept
		a, err := tx.LockApplicantAccount(row.Applicant)
		if admitto.KindOf(err) == admitto.NotFound {
			continue
		}
		if err != nil {
			return err
		}
		business, err := tx.HasBusiness(a.ID)
		if err != nil {
			return err
		}
		if a.Lead && a.SignedIn == 0 && !business {
			hidden[n], row.State = &a.Applicant, admitto.LeadTakenBack
		}
	}
	actor := admitto.Actor{Kind: admitto.ByAdministrator, ID: i.UndoneBy}
	for _, a := range hidden {
		if a == nil {
			continue
		}
		if err := tx.HideApplicant(a, i.UndoneBy); err != nil {
			return err
		}
		tx.Record(actor, admitto.Event{Pattern: admitto.ApplicantDeleted, Links: admitto.Links{Applicant: a.ID}})
	}
	if whole {
		i.State, i.Undone = admitto.ImportUndone, tx.Now()
	}
	return nil
}
