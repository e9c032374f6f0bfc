package demo

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
)

// manyAtOnce is how many people the batch reaches that waits for a second person.
const manyAtOnce = 60

// bulk makes batches of the last morning: one that is done, one undone, one that was stopped after a failure, and one
// that waits for a second person.
type bulk struct {
	*world
	tx      *store.Tx
	at      admitto.Time
	last    int64
	records map[int64][]admitto.BatchRecord
	flags   []admitto.FlagAssociation
	list    []admitto.Batch
}

// bulks stores batches over the applications that were submitted last, and what they have done.
func (w *world) bulks(tx *store.Tx) error {
	ids, err := load.LatestSubmitted(tx, manyAtOnce)
	if err != nil || len(ids) < 6 {
		return err
	}
	m := &bulk{world: w, tx: tx, at: w.erasing() + 6*admitto.Hour, records: map[int64][]admitto.BatchRecord{}}
	third := len(ids) / 3
	for _, step := range []func() error{
		func() error { return m.flag(flagDormitory, ids[:third], admitto.BatchFinished) },
		func() error { return m.flag(flagScholarship, ids[third:2*third], admitto.BatchUndone) },
		func() error { return m.flag(flagIncomplete, ids[2*third:], admitto.BatchStopped) },
		m.write,
		func() error { return load.Batches(tx, m.list) },
		func() error { return load.FlagAssociations(tx, m.flags) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	for i := range m.list {
		if err := tx.InsertBatchRecords(m.list[i].ID, m.records[m.list[i].ID]); err != nil {
			return err
		}
	}
	return nil
}

// begin starts a batch.
func (m *bulk) begin(action string, by int64) admitto.Batch {
	m.last++
	m.at += 20 * admitto.Minute
	b := admitto.Batch{ID: m.last, Action: action, Source: admitto.OfApplications, PreparedBy: by, Prepared: m.at}
	m.tell(m.administrator(by), &b, admitto.BatchPreparedEvent, admitto.Links{})
	return b
}

// tell records an event of a batch; without links it is about the batch itself.
func (m *bulk) tell(by admitto.Actor, b *admitto.Batch, pattern admitto.Pattern, about admitto.Links) {
	e := admitto.Event{Pattern: pattern, Links: about}
	if about == (admitto.Links{}) {
		e.Bind = []string{decimal(b.ID)}
	}
	if by.Batch = b.ID; by.Kind == admitto.ByAdministrator {
		e.Links.Administrator = by.ID
	}
	m.at += admitto.Second
	m.tx.RecordAt(m.at, by, e)
}

// sealed is a line of a batch about an application.
func (m *bulk) sealed(b *admitto.Batch, application int64) (admitto.BatchRecord, error) {
	k, _, err := m.tx.ApplicationCase(application)
	b.Size++
	return admitto.BatchRecord{Place: b.Size, Record: application, Applicant: k.Applicant, State: admitto.RecordSealed,
		Version: k.RowVersion}, err
}

// flag sets a flag on those that do not have it, up to a state.
func (m *bulk) flag(flag int64, ids []int64, state admitto.BatchState) error {
	had, err := m.tx.FlagsOfApplications(ids)
	if err != nil {
		return err
	}
	by := m.administrator(adminOfficer)
	b := m.begin("flag", adminOfficer)
	b.Params.Flag, b.Released, b.ReleasedBy, b.State = flag, m.at, adminOfficer, state
	m.tell(by, &b, admitto.BatchReleasedEvent, admitto.Links{})
	for i, id := range ids {
		has := false
		for _, f := range had[id] {
			has = has || f.Flag == flag
		}
		if has {
			continue
		}
		c, err := m.sealed(&b, id)
		if err != nil {
			return err
		}
		c.Was, c.Becomes = "no", "yes"
		about := admitto.Links{Applicant: c.Applicant, Application: id, Flag: flag}
		switch stopped := state == admitto.BatchStopped; {
		case stopped && i > len(ids)/2:
		case stopped && b.Size == 2:
			c.State, c.Reasons = admitto.RecordFailed, []message.Text{message.Of("batch-fault")}
			b.Failed++
		case stopped && b.Size == 4:
			c.State, c.Reasons = admitto.RecordSkipped, []message.Text{message.Of("batch-changed")}
			b.Skipped++
		default:
			c.State = admitto.RecordDone
			b.Done++
			m.tell(by, &b, admitto.ApplicationFlagged, about)
			if state != admitto.BatchUndone {
				m.flags = append(m.flags, admitto.FlagAssociation{Application: id, Flag: flag, Assigned: m.at})
			}
		}
		m.records[b.ID] = append(m.records[b.ID], c)
	}
	if b.Ended = m.at + admitto.Second; state == admitto.BatchStopped {
		m.tell(by, &b, admitto.BatchStoppedEvent, admitto.Links{})
	} else {
		m.tell(admitto.System(), &b, admitto.BatchFinishedEvent, admitto.Links{})
	}
	if state == admitto.BatchUndone {
		m.at += 5 * admitto.Minute
		for i := range m.records[b.ID] {
			c := &m.records[b.ID][i]
			c.State = admitto.RecordPutBack
			b.PutBack++
			m.tell(by, &b, admitto.ApplicationUnflagged,
				admitto.Links{Applicant: c.Applicant, Application: c.Record, Flag: flag})
		}
		b.UndoneBy = adminOfficer
		m.tell(by, &b, admitto.BatchUndoneEvent, admitto.Links{})
		b.Undone = m.at
	}
	m.list = append(m.list, b)
	return nil
}

// write prepares a message that waits for a second person where it reaches so many, and else for who prepared it.
func (m *bulk) write() error {
	ids, err := load.LatestApplicants(m.tx, manyAtOnce)
	if err != nil {
		return err
	}
	b := m.begin("message", adminOfficer2)
	b.Source = admitto.OfApplicants
	b.Params.Subject = "Open day in June"
	b.Params.Text = "Hello,\n\non the first Saturday of June all faculties are open to those who have applied. Please tell us whether you come."
	if b.State = admitto.BatchPrepared; len(ids) == manyAtOnce {
		b.State = admitto.BatchWaiting
	}
	for _, id := range ids {
		a, err := m.tx.Applicant(id)
		if err != nil {
			return err
		}
		version, err := m.tx.RowVersion(admitto.Row{Kind: admitto.ApplicantRow, ID: id})
		if err != nil {
			return err
		}
		b.Size++
		m.records[b.ID] = append(m.records[b.ID], admitto.BatchRecord{Place: b.Size, Record: id, Applicant: id,
			State: admitto.RecordSealed, Version: version, Recipient: a.Email, Subject: b.Params.Subject,
			Body: b.Params.Text + "\n"}) // as it is rendered when it is released
	}
	m.list = append(m.list, b)
	return nil
}
