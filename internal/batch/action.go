package batch

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// AtOnce is how many records some actions change at once, without a preview (lifecycle.md 11.3). Above it the count is
// typed to release a batch.
const AtOnce = 50

// lettersAlone is how many people an administrator may send offer letters to without a second person.
const lettersAlone = 10

// action is a row of the table of what can be done with many records.
type action struct {
	name    string
	title   message.Text
	sources []admitto.BatchSource
	fields  []string             // its own, by the names of forms
	needs   []admitto.Permission // all of them, to prepare it and while it runs
	undoing []admitto.Permission // to undo it, next to needs
	reaches bool                 // it reaches applicants: it runs in waves, and a large one waits for a second person
	// unnoticed is what applicants see nothing of by itself, though a large batch waits for a second person.
	unnoticed bool
	letters   bool // it sends letters of offers
	byMail    bool // it reaches those only to whom a mail goes
	once      bool // an applicant is in the list once
	atOnce    bool // up to AtOnce records are changed without a preview
	byRule    bool // a time rule prepares it, and nobody else
	// check asks the parameters, before anything is selected.
	check func(w *work) error
	// change is what would be done with a record. A refusal leaves the record out of the list.
	change func(w *work, id int64) (admitto.BatchRecord, error)
	// apply does it. The record is as change says.
	apply func(w *work, c *admitto.BatchRecord) error
	// undo puts the record back, and for a preview only looks whether it can; nil where that is impossible.
	undo func(w *work, c *admitto.BatchRecord) error
}

// work is what the functions of an action work with: a transaction, and use cases that are parts of it.
type work struct {
	context.Context
	s          *Service
	tx         *store.Tx
	by         usecase.Caller
	batch      int64 // 0 while parameters are asked
	version    int64 // of the rule that prepared the batch
	params     *admitto.BatchParams
	source     admitto.BatchSource
	prepared   admitto.Time // what markers of mails take for now, so that a text does not change by itself
	preview    bool         // undo changes nothing
	letter     *mail.Rendered
	to         *admitto.Applicant
	about      int64 // the application that a message is about, 0 for none
	admissions *admissions.Service
	scoring    *scoring.Service
}

func (s *Service) work(ctx context.Context, tx *store.Tx, by admitto.Caller, b *admitto.Batch) *work {
	return &work{Context: ctx, s: s, tx: tx, by: own(by, b.ID), batch: b.ID, version: b.RuleVersion, params: &b.Params,
		source:     b.Source,
		prepared:   b.Prepared,
		admissions: s.admissions.Within(tx), scoring: s.scoring.Within(tx)}
}

// actions is the table.
func actions() []action {
	return slices.Concat(quietActions(), sheetActions(), mailActions(), holdActions(), laterActions(), taskActions(),
		offerActions(), ruleActions())
}

// actionOf finds a row of the table.
func actionOf(name string) (action, bool) {
	list := actions()
	i := slices.IndexFunc(list, func(a action) bool { return a.name == name })
	if i < 0 {
		return action{}, false
	}
	return list[i], true
}

// Action is what interfaces know of an action.
type Action struct {
	Name    string
	Title   message.Text
	Sources []admitto.BatchSource
	Fields  []string
	Needs   []admitto.Permission
	Reaches bool
	Letters bool
	AtOnce  bool
	Undoes  bool
}

func (a *action) known() Action {
	return Action{Name: a.name, Title: a.title, Sources: a.sources, Fields: a.fields, Needs: a.needs, Reaches: a.reaches,
		Letters: a.letters, AtOnce: a.atOnce, Undoes: a.undo != nil}
}

// Actions returns what can be done, in the order of menus.
func Actions() (list []Action) {
	for _, a := range actions() {
		list = append(list, a.known())
	}
	return list
}

// ActionNamed returns what can be done under a name.
func ActionNamed(name string) (Action, bool) {
	a, ok := actionOf(name)
	if !ok {
		return Action{}, false
	}
	return a.known(), true
}

// Needs returns what the administrator in whose name a batch runs or is undone must be permitted.
func Needs(b *admitto.Batch) []admitto.Permission {
	a, _ := actionOf(b.Action)
	if b.State == admitto.BatchUndoing {
		return slices.Concat(a.neededFor(b.Source), a.undoing)
	}
	return a.neededFor(b.Source)
}

// viewOf is what one needs to see the records of a source. A line shows what is in them, as a message fills it in.
func viewOf(source admitto.BatchSource) admitto.Permission {
	if source == admitto.OfApplicants {
		return admitto.ApplicantsView
	}
	return admitto.ApplicationsView
}

// neededFor is what one needs to do the action with records of a source.
func (a *action) neededFor(source admitto.BatchSource) []admitto.Permission {
	return append(slices.Clone(a.needs), viewOf(source))
}

// NeededFor is what one needs to do the action with records of a source.
func (a *Action) NeededFor(source admitto.BatchSource) []admitto.Permission {
	return append(slices.Clone(a.Needs), viewOf(source))
}

// permitted refuses callers who lack one of the permissions.
func (a *action) permitted(by admitto.Caller, source admitto.BatchSource) error {
	for _, p := range a.neededFor(source) {
		if err := by.Needs(p); err != nil {
			return err
		}
	}
	return nil
}

// needsSecond reports whether a batch needs a second person to be released, and to go on when it was stopped, and how
// many people it reaches.
func (s *Service) needsSecond(tx *store.Tx, a *action, b *admitto.Batch) (needs bool, people int64, err error) {
	if !a.reaches {
		return false, 0, nil
	}
	lines, people, err := tx.BatchReach(b.ID, a.byMail, admitto.RecordSealed, admitto.RecordDone, admitto.RecordSkipped,
		admitto.RecordFailed)
	return lines > int64(s.core.Settings().Batch.SecondPersonOver) || a.letters && people > lettersAlone, people, err
}

// ahead asks what a change of an application would tell.
func (w *work) ahead(application int64) admissions.Ahead {
	return admissions.Ahead{By: w.by, Application: application, Then: w.prepared}
}

// tells puts into a line the mail that its change sends.
func tells(c *admitto.BatchRecord) func(notify.Written, error) error {
	return func(m notify.Written, err error) error {
		c.Recipient, c.Subject, c.Body = m.To, m.Subject, m.Text
		return err
	}
}

// left is the refusal that leaves a record out of a list.
func left(text message.Text) error { return admitto.Refused(admitto.NotAllowedNow, text) }

// unchanged leaves out a record that is as it should be already.
func unchanged() error { return left(message.Of("batch-unchanged")) }

// changedSince is why an undoing leaves a record as it is.
func changedSince() error { return left(message.Of("batch-changed-since")) }

// application begins the change of an application.
func application(w *work, id int64) (c admitto.BatchRecord, a admitto.ApplicationCase, err error) {
	a, _, err = w.tx.ApplicationCase(id)
	return admitto.BatchRecord{Record: id, Applicant: a.Applicant, Version: a.RowVersion}, a, err
}
