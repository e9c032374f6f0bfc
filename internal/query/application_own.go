package query

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// OwnApplication is an application as its applicant sees it (screens.md P08).
type OwnApplication struct {
	admitto.ApplicationCase
	Person    admitto.Applicant
	InTerm    admitto.Term
	Expired   bool
	Closed    admitto.Time // when it was closed; 0: it is not, or nobody knows
	Discarded bool         // closed by the applicant
	UndoUntil admitto.Time // of a withdrawal or a closing that the applicant can still take back; 0: none
	Courses   []CardCourse // by priority; without working copies of offers
	Offers    []OwnOffer   // those of which a letter was sent
	Declined  []OwnOffer   // those without a letter that are declined by something that the applicant did
	Elsewhere []OwnOffer   // of other applications in the term, where an answer here decides on them or they on it
	Form      ApplicationForm
	Earlier   form.Content // of the applicant's other applications, the latest first, to take over from
	Tasks     []CardTask   // those that are not in the trash, open ones first
	Documents []store.CardDocument
	Invoices  []admitto.Invoice
	Receipts  []admitto.Receipt
}

// OwnOffer is an offer as its applicant sees it: what was sent, and the answer. Nothing that staff prepare is in it.
type OwnOffer struct {
	ID, Application, Course int64
	Named                   store.CourseName
	Type                    admitto.OfferType
	Letter                  admitto.Confirmation
	Decision                admitto.Decision
	Decided                 admitto.Time
	Origin                  admitto.DecisionOrigin
	Late                    bool
	ByStaff                 bool // the decision was taken by hand, and not by the applicant
}

// Offer finds the offer for a course, nil for none.
func (o *OwnApplication) Offer(course int64) *OwnOffer {
	for i := range o.Offers {
		if o.Offers[i].Course == course {
			return &o.Offers[i]
		}
	}
	return nil
}

// DeclinedUnanswered finds the offer for a course among those that are declined without a letter, nil for none.
func (o *OwnApplication) DeclinedUnanswered(course int64) *OwnOffer {
	for i := range o.Declined {
		if o.Declined[i].Course == course {
			return &o.Declined[i]
		}
	}
	return nil
}

// mostEarlier is of how many other applications the latest content is taken over.
const mostEarlier = 10

// OwnApplication reads an application with all that its applicant may know of it; not-found for one of somebody else.
func (s *Service) OwnApplication(ctx context.Context, by admitto.Caller, id int64) (o OwnApplication, err error) {
	if err := by.ApplicantOnly(); err != nil {
		return o, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		o = OwnApplication{}
		if err := usecase.SeesApplication(tx, by, id); err != nil {
			return err
		}
		if o.ApplicationCase, o.Person, err = tx.ApplicationCase(id); err != nil {
			return err
		}
		if err := s.readOwn(tx, &o); err != nil {
			return err
		}
		if o.Form, err = readForm(tx, by, id); err != nil {
			return err
		}
		earlier, err := tx.EarlierContents(o.Applicant, id, mostEarlier)
		if err != nil {
			return err
		}
		o.Earlier = form.Latest(earlier)
		if o.Documents, err = tx.CardDocuments(id); err != nil {
			return err
		}
		if o.Tasks, err = ownTasks(tx, id, o.Documents); err != nil {
			return err
		}
		if o.Invoices, err = tx.InvoicesOfApplication(id); err != nil {
			return err
		}
		if o.Courses, err = s.cardCourses(tx, by, &o.ApplicationCase, o.Person.Citizenship); err != nil {
			return err
		}
		if o.Offers, o.Declined, err = ownOffers(tx, id); err != nil {
			return err
		}
		if slices.ContainsFunc(o.Offers, func(f OwnOffer) bool { return f.Type.Decide }) {
			if o.Elsewhere, err = offersElsewhere(tx, id); err != nil {
				return err
			}
		}
		o.Receipts, err = tx.Receipts(id)
		return err
	})
	return o, err
}

// ApplicationWith finds the application of the caller that an offer or a task belongs to; not-found for those of
// others.
func (s *Service) ApplicationWith(ctx context.Context, by admitto.Caller, row admitto.Row) (id int64, err error) {
	if err := by.ApplicantOnly(); err != nil {
		return 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if id, err = tx.ApplicationOfRow(row); err == nil && id == 0 {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		if err != nil {
			return err
		}
		return usecase.SeesApplication(tx, by, id)
	})
	return id, err
}

// readOwn reads what depends on the time.
func (s *Service) readOwn(tx *store.Tx, o *OwnApplication) (err error) {
	if o.InTerm, err = tx.Term(o.Term); err != nil {
		return err
	}
	o.Expired = o.InTerm.Expired(tx.Now(), o.GraceOverride, s.core.Settings().Instance.Timezone)
	began := o.Withdrawn
	if o.Status == admitto.Closed {
		if err = readClosing(tx, o); err != nil {
			return err
		}
		other, err := tx.ApplicationInTerm(o.Applicant, o.Term)
		if err != nil {
			return err
		}
		if o.Discarded && other.ID == 0 { // another one takes its place
			began = o.Closed
		}
	}
	if began != 0 && (o.Status == admitto.Withdrawn || o.Status == admitto.Closed) {
		until := began + admitto.Time(s.core.Settings().Withdrawal.UndoMinutes)*admitto.Minute
		if tx.Now() < until {
			o.UndoUntil = until
		}
	}
	return nil
}

// readClosing reads when an application was closed, and whether its applicant did.
func readClosing(tx *store.Tx, o *OwnApplication) error {
	_, err := tx.EachRecord(admitto.JournalQuery{ApplicationIDs: []int64{o.ID}, NewestFirst: true, Limit: 1,
		Events: []admitto.EventFilter{{Pattern: admitto.ApplicationClosed}}}, func(r *admitto.Record) error {
		o.Closed, o.Discarded = r.Logged, r.Actor.Kind == admitto.ByApplicant
		return nil
	})
	return err
}

// readDeciders reads which decisions that were taken by hand the applicant did not take.
func readDeciders(tx *store.Tx, application int64, offers []OwnOffer) error {
	if !slices.ContainsFunc(offers, isByHand) {
		return nil
	}
	last, err := lastDecisions(tx, application)
	for i := range offers {
		o := &offers[i]
		if r, known := last[o.ID]; known && isByHand(*o) && r.Logged == o.Decided {
			o.ByStaff = r.Actor.Kind != admitto.ByApplicant
		}
	}
	return err
}

func isByHand(o OwnOffer) bool {
	return o.Decision != admitto.DecisionNone && o.Origin == admitto.ByHand
}

// lastDecisions are the newest decisions on the offers of an application, by the offer.
func lastDecisions(tx *store.Tx, application int64) (map[int64]admitto.Record, error) {
	last := map[int64]admitto.Record{}
	_, err := tx.EachRecord(admitto.JournalQuery{ApplicationIDs: []int64{application}, Limit: mostOwnEvents,
		NewestFirst: true, Events: []admitto.EventFilter{{Pattern: admitto.ApplicantDecision},
			{Pattern: admitto.OfferDecisionSet}}}, func(r *admitto.Record) error {
		if _, known := last[r.Links.Offer]; !known {
			last[r.Links.Offer] = *r
		}
		return nil
	})
	return last, err
}

// decidedBy is who took a decision by hand; nil where nobody did, or it is not known.
func decidedBy(tx *store.Tx, o *admitto.OfferCase) (*admitto.Actor, error) {
	if o.Decided == 0 || o.Origin != admitto.ByHand {
		return nil, nil
	}
	last, err := lastDecisions(tx, o.Application)
	if r, known := last[o.ID]; known && r.Logged == o.Decided {
		return &r.Actor, err
	}
	return nil, err
}

// ownTasks are the tasks that an applicant sees: open ones first, then by their day.
func ownTasks(tx *store.Tx, application int64, documents []store.CardDocument) ([]CardTask, error) {
	tasks, err := readTasks(tx, application, documents)
	tasks = slices.DeleteFunc(tasks, func(t CardTask) bool { return t.Trashed != 0 })
	slices.SortStableFunc(tasks, func(a, b CardTask) int {
		if open := a.Resolved == 0; open != (b.Resolved == 0) {
			if open {
				return -1
			}
			return 1
		}
		if a.Deadline.IsZero() != b.Deadline.IsZero() {
			if b.Deadline.IsZero() {
				return -1
			}
			return 1
		}
		return a.Deadline.Compare(b.Deadline)
	})
	return tasks, err
}

// ownOffers are the offers of an application of which a letter was sent, by priority, and those without one that are
// declined because the applicant accepted another, withdrew or removed the course: that nobody answers to these any
// more is theirs to know.
func ownOffers(tx *store.Tx, application int64) (sent, declined []OwnOffer, err error) {
	cases, err := tx.OfferCasesOf(application)
	if err != nil {
		return nil, nil, err
	}
	var letters, without []admitto.OfferCase
	for _, c := range cases {
		switch {
		case c.Confirmed != 0:
			letters = append(letters, c)
		case c.Decision == admitto.DecisionDeclined && (c.Origin == admitto.OtherAccepted ||
			c.Origin == admitto.WithWithdrawal || c.Origin == admitto.CourseWasGone):
			without = append(without, c)
		}
	}
	if sent, err = asOwn(tx, letters); err != nil {
		return nil, nil, err
	}
	if declined, err = asOwn(tx, without); err != nil {
		return nil, nil, err
	}
	return sent, declined, readDeciders(tx, application, sent)
}

// offersElsewhere are the offers that the applicant has in the term by other applications, with or without a letter,
// but for those that are declined.
func offersElsewhere(tx *store.Tx, application int64) ([]OwnOffer, error) {
	cases, err := tx.OffersElsewhere(application)
	if err != nil {
		return nil, err
	}
	return asOwn(tx, slices.DeleteFunc(cases, func(c admitto.OfferCase) bool {
		return c.Decision == admitto.DecisionDeclined
	}))
}

// asOwn are offers as their applicant sees them.
func asOwn(tx *store.Tx, cases []admitto.OfferCase) (list []OwnOffer, err error) {
	if len(cases) == 0 {
		return nil, nil
	}
	var ids []int64
	for i := range cases {
		ids = append(ids, cases[i].Course)
	}
	names, err := tx.CourseNames(unique(ids))
	if err != nil {
		return nil, err
	}
	for i := range cases {
		c := &cases[i]
		own := OwnOffer{ID: c.ID, Application: c.Application, Course: c.Course, Named: names[c.Course],
			Decision: c.Decision, Decided: c.Decided, Origin: c.Origin, Late: c.Late}
		if c.Confirmed != 0 {
			if own.Type, err = tx.OfferType(c.TypeConfirmed); err != nil {
				return nil, err
			}
			if own.Letter, err = tx.LastLetter(c); err != nil {
				return nil, err
			}
		}
		list = append(list, own)
	}
	return list, nil
}
