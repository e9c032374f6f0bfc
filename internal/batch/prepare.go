package batch

import (
	"context"
	"errors"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

// sealedAtOnce is how many records are looked at in one snapshot, and sealedHere how many while somebody waits for the
// page: the rest of a larger list is sealed next to requests.
const (
	sealedAtOnce = 250
	sealedHere   = 1000
)

// Plan is what somebody wants to do with many records.
type Plan struct {
	Action    string
	Source    admitto.BatchSource // "": the first of the action's
	Params    admitto.BatchParams
	Selection admitto.BatchSelection
}

// Prepare seals a list: nothing changes before the batch is released. A large list is still being sealed when Prepare
// returns. Errors: invalid-parameter for an unknown action and for its fields, not-permitted.
func (s *Service) Prepare(ctx context.Context, by admitto.Caller, p Plan) (id int64, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return 0, err
	}
	return s.prepare(ctx, by, p, false)
}

// CheckPlan asks the parameters of a plan as Prepare does, and prepares nothing. Errors: those of Prepare.
func (s *Service) CheckPlan(ctx context.Context, by admitto.Caller, p Plan) error {
	if err := by.AdministratorOnly(); err != nil {
		return err
	}
	a, b, err := planned(by, &p)
	if err != nil {
		return err
	}
	return s.core.Read(ctx, func(tx *store.Tx) error { return a.check(s.work(ctx, tx, by, &b)) })
}

// DoAtOnce does something with up to AtOnce records without a preview, for actions that allow it, and returns the
// batch, which can be undone. Without anything to change there is no batch, and its ID is 0. Errors: those of Prepare,
// and invalid-parameter (too-many-at-once).
func (s *Service) DoAtOnce(ctx context.Context, by admitto.Caller, p Plan) (b admitto.Batch, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return b, err
	}
	a, _ := actionOf(p.Action)
	if !a.atOnce || p.Selection.IDs == nil || len(p.Selection.IDs) > AtOnce {
		return b, admitto.Refuse(admitto.InvalidParameter, "", "", message.Of("too-many-at-once", AtOnce))
	}
	id, err := s.prepare(ctx, by, p, true)
	if err == nil && id == 0 {
		err = s.whyNothing(ctx, by, p)
	}
	if err != nil || id == 0 {
		return b, err
	}
	if err := s.runHere(ctx, id); err != nil {
		return b, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		b, err = tx.Batch(id)
		return err
	})
	return b, err
}

// whyNothing refuses a plan with what keeps its records out, unless they only are as they should be already.
func (s *Service) whyNothing(ctx context.Context, by admitto.Caller, p Plan) error {
	a, b, err := planned(by, &p)
	if err != nil {
		return err
	}
	refused := &admitto.Error{Kind: admitto.NotAllowedNow}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		w := s.work(ctx, tx, by, &b)
		for _, id := range p.Selection.IDs {
			_, err := a.change(w, id)
			why, is := refusal(err)
			if err != nil && !is {
				return err
			}
			for _, text := range why {
				same := func(f admitto.Fault) bool { return f.Text.String() == text.String() }
				if text.Code != "batch-unchanged" && !slices.ContainsFunc(refused.Faults, same) {
					refused.Faults = append(refused.Faults, admitto.Fault{Text: text})
				}
			}
		}
		return nil
	})
	if err == nil && len(refused.Faults) > 0 {
		err = refused
	}
	return err
}

func (s *Service) prepare(ctx context.Context, by admitto.Caller, p Plan, atOnce bool) (id int64, err error) {
	a, b, err := planned(by, &p)
	if err != nil {
		return 0, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) (err error) {
		if err = a.check(s.work(ctx, tx, by, &b)); err != nil {
			return err
		}
		if p.Selection.DoneIn != 0 {
			other, err := tx.Batch(p.Selection.DoneIn)
			if err == nil {
				err = mayManage(by, &other)
			}
			if err != nil {
				return err
			}
		}
		b.ID, err = tx.InsertBatch(&b, &p.Selection)
		return err
	})
	if err != nil {
		return 0, err
	}
	return s.sealHere(ctx, by, b.ID, atOnce)
}

// planned is the action of a plan, and the batch that it makes. Errors: invalid-parameter, not-permitted.
func planned(by admitto.Caller, p *Plan) (a action, b admitto.Batch, err error) {
	a, known := actionOf(p.Action)
	if known && p.Source == "" {
		p.Source = a.sources[0]
	}
	if !known || a.byRule || !slices.Contains(a.sources, p.Source) {
		return a, b, admitto.Refuse(admitto.InvalidParameter, "batch.action", "", message.Of("batch-no-action"))
	}
	b = admitto.Batch{Action: a.name, Source: p.Source, Params: p.Params, PreparedBy: by.Actor.ID}
	return a, b, a.permitted(by, p.Source)
}

// sealHere seals the beginning of a list, and leaves the rest to Run. It returns the ID of the batch, 0 when it was
// dropped for there was nothing to do.
func (s *Service) sealHere(ctx context.Context, by admitto.Caller, id int64, atOnce bool) (int64, error) {
	for range sealedHere / sealedAtOnce {
		whole, err := s.sealPage(ctx, by, id, atOnce)
		if err != nil {
			return id, err
		}
		if whole {
			return s.thereStill(ctx, id)
		}
	}
	s.wake()
	return id, nil
}

// thereStill returns the ID of a batch, 0 when it was dropped for there was nothing to do at once.
func (s *Service) thereStill(ctx context.Context, id int64) (int64, error) {
	err := s.core.Read(ctx, func(tx *store.Tx) error {
		_, err := tx.Batch(id)
		return err
	})
	if admitto.KindOf(err) == admitto.NotFound {
		return 0, nil
	}
	return id, err
}

// page are the records that are sealed next.
type page struct {
	ids      []int64
	from     int64 // where the sealing was
	sealedTo int64 // to go on behind
	whole    bool
	list     []admitto.BatchRecord
}

// sealPage seals the next records of a list, and reports whether that was the last of them. They are looked at in a
// snapshot and stored in a short transaction after it: what changes between is found when the batch runs.
func (s *Service) sealPage(ctx context.Context, by admitto.Caller, id int64, atOnce bool) (whole bool, err error) {
	var p page
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		b, err := tx.Batch(id)
		if err != nil || b.State != admitto.BatchPreparing {
			p.whole = true
			return err
		}
		return s.look(ctx, tx, by, &b, &p)
	})
	if err != nil {
		return false, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		whole = false
		b, _, err := tx.LockBatch(id)
		if err != nil {
			return err
		}
		_, sealedTo, err := tx.BatchSelection(id)
		if err != nil || b.State != admitto.BatchPreparing {
			whole = true
			return err
		}
		if sealedTo != p.from { // somebody else has sealed them meanwhile
			return nil
		}
		whole = p.whole
		return s.store(tx, by, &b, &p, atOnce)
	})
	return whole, err
}

// look reads the next records and what would be done with each.
func (s *Service) look(ctx context.Context, tx *store.Tx, by admitto.Caller, b *admitto.Batch, p *page) error {
	a, known := actionOf(b.Action)
	if !known {
		p.whole = true
		return nil
	}
	if err := s.nextOf(tx, by, b, p); err != nil {
		return err
	}
	w := s.work(ctx, tx, by, b)
	place := b.Size + b.Excluded
	written := map[int64]bool{}
	for _, record := range p.ids {
		c, err := a.change(w, record)
		c.Record, c.State = record, admitto.RecordSealed
		if refused, is := refusal(err); is {
			c.State, c.Reasons = admitto.RecordExcluded, refused
		} else if err != nil {
			return err
		}
		if a.once && c.State == admitto.RecordSealed {
			if written[c.Applicant] {
				c.State, c.Reasons = admitto.RecordExcluded, []message.Text{message.Of("batch-twice")}
			}
			written[c.Applicant] = true
		}
		place++
		c.Place = place
		p.list = append(p.list, c)
	}
	if !a.once || b.Size == 0 {
		return nil
	}
	var applicants []int64
	for applicant := range written {
		applicants = append(applicants, applicant)
	}
	twice, err := tx.InBatch(b.ID, applicants)
	for i := range p.list {
		if c := &p.list[i]; c.State == admitto.RecordSealed && twice[c.Applicant] {
			c.State, c.Reasons = admitto.RecordExcluded, []message.Text{message.Of("batch-twice")}
		}
	}
	return err
}

// nextOf finds the IDs of the next records: those of a list by their place in it, others by ascending ID.
func (s *Service) nextOf(tx *store.Tx, by admitto.Caller, b *admitto.Batch, p *page) error {
	selection, sealedTo, err := tx.BatchSelection(b.ID)
	if err != nil {
		return err
	}
	p.from = sealedTo
	var more bool
	last := func() {
		p.whole = !more || len(p.ids) == 0
		p.sealedTo = sealedTo
		if len(p.ids) > 0 {
			p.sealedTo = p.ids[len(p.ids)-1]
		}
	}
	switch {
	case selection.Applications != nil && b.Source == admitto.OfApplications:
		p.ids, more, err = s.query.SelectApplications(tx, by, *selection.Applications, sealedTo, sealedAtOnce)
		last()
	case selection.Applicants != nil && b.Source == admitto.OfApplicants:
		p.ids, more, err = s.query.SelectApplicants(tx, by, *selection.Applicants, sealedTo, sealedAtOnce)
		last()
	case selection.Tasks != nil && b.Source == admitto.OfTasks:
		p.ids, more, err = s.query.SelectTasks(tx, by, *selection.Tasks, sealedTo, sealedAtOnce)
		last()
	case selection.Unanswered:
		var found []store.Candidate
		found, err = s.admissions.Unanswered(tx, sealedTo, s.core.Settings().Offers.DecisionBufferHours)
		more = len(found) > 0
		for _, c := range found {
			p.ids = append(p.ids, c.Record)
		}
		last()
	case selection.DoneIn != 0:
		var done []admitto.BatchRecord
		done, more, err = tx.BatchRecords(selection.DoneIn, sealedTo, "", sealedAtOnce)
		for _, c := range done {
			if c.State == admitto.RecordDone || c.State == admitto.RecordPutBack || c.State == admitto.RecordLeft {
				p.ids = append(p.ids, c.Record)
			}
			p.sealedTo = c.Place
		}
		p.whole = !more
	default:
		list := unique(selection.IDs)
		from := min(int(sealedTo), len(list))
		to := min(from+sealedAtOnce, len(list))
		p.ids, p.sealedTo, p.whole = list[from:to], int64(to), to == len(list)
	}
	return err
}

func unique(ids []int64) (list []int64) {
	seen := map[int64]bool{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			list = append(list, id)
		}
	}
	return list
}

// store keeps a page of the list; with the last one the batch is prepared, or runs at once.
func (s *Service) store(tx *store.Tx, by admitto.Caller, b *admitto.Batch, p *page, atOnce bool) error {
	if err := tx.InsertBatchRecords(b.ID, p.list); err != nil {
		return err
	}
	for i := range p.list {
		if p.list[i].State == admitto.RecordSealed {
			b.Size++
		} else {
			b.Excluded++
		}
	}
	if err := tx.SetSealedTo(b.ID, p.sealedTo, p.whole); err != nil {
		return err
	}
	if p.whole {
		a, _ := actionOf(b.Action)
		if (atOnce || a.byRule) && b.Size == 0 {
			return tx.DeleteBatch(b.ID)
		}
		b.State = admitto.BatchPrepared
		record(tx, by.Actor, admitto.BatchPreparedEvent, b.ID)
		switch {
		case atOnce:
			release(tx, by.Actor, b)
		case a.byRule: // who releases it is the second to have a say
			b.State = admitto.BatchWaiting
			releasers, err := s.otherReleasers(tx, &admitto.Batch{})
			if err != nil {
				return err
			}
			if err := s.tellReleasers(tx, &a, b, releasers); err != nil {
				return err
			}
		}
	}
	return tx.SaveBatch(b)
}

// refusal are the sentences of an error that says why something is not done; is is false for other errors.
func refusal(err error) (why []message.Text, is bool) {
	var e *admitto.Error
	if !errors.As(err, &e) || e.Kind == admitto.Unavailable || e.Kind == admitto.Internal {
		return nil, false
	}
	switch {
	case e.Kind == admitto.NotFound:
		return []message.Text{message.Of("batch-gone")}, true
	case e.Kind == admitto.ChangedMeanwhile:
		return []message.Text{message.Of("batch-changed")}, true
	}
	if !e.Text.IsZero() {
		why = append(why, e.Text)
	}
	for _, f := range e.Faults {
		why = append(why, f.Text)
	}
	return why, true
}
