package query

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
)

// ApplicationHead is what the card of an application shows on every tab (screens.md A12).
type ApplicationHead struct {
	admitto.ApplicationCase
	Person            admitto.Applicant
	InTerm            admitto.Term
	Expired, Silenced bool
	Since             admitto.Time // when it was closed, or became Inactive; 0: neither, or it is not known
	UndoUntil         admitto.Time // of a withdrawal that the applicant can still take back; 0: none
	OfficerID         int64        // 0: nobody
	Officer           string
	Flags             []admitto.Flag
	Counts            store.CardCounts
}

// ApplicationHead reads the head of a card. Without applications-view there is the applicant's name, the ID and the
// status, and the counts of what the caller may see; not-found without the application.
func (s *Service) ApplicationHead(ctx context.Context, by admitto.Caller, id int64) (h ApplicationHead, err error) {
	if err := by.NeedsAny(admitto.ApplicationsView, admitto.OffersView, admitto.AccountingView); err != nil {
		return h, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		h = ApplicationHead{}
		if h.ApplicationCase, h.Person, err = tx.ApplicationCase(id); err != nil {
			return err
		}
		if h.Counts, err = tx.CardCounts(id, h.Applicant, by.Mails()); err != nil {
			return err
		}
		if !by.Has(admitto.ApplicationsView) {
			a := h.Application
			h = ApplicationHead{Counts: store.CardCounts{Courses: h.Counts.Courses, Invoices: h.Counts.Invoices},
				Person: admitto.Applicant{ID: a.Applicant, Type: h.Person.Type, Name: h.Person.Name}}
			h.Application = admitto.Application{ID: a.ID, Applicant: a.Applicant, Status: a.Status}
			return nil
		}
		if !by.Has(admitto.ApplicantsView) {
			h.Counts.ApplicantNotes, h.Counts.GeneralEmails = 0, 0
		}
		if !by.Has(admitto.OffersView) {
			h.Counts.OfferNotes = 0
		}
		return s.readHead(tx, &h)
	})
	return h, err
}

// readHead reads what the marks, flags and names of the head need.
func (s *Service) readHead(tx *store.Tx, h *ApplicationHead) (err error) {
	if h.InTerm, err = tx.Term(h.Term); err != nil {
		return err
	}
	h.Expired = h.InTerm.Expired(tx.Now(), h.GraceOverride, s.core.Settings().Instance.Timezone)
	if h.Silenced, err = tx.Silenced(h.ID); err != nil {
		return err
	}
	if h.Status == admitto.Withdrawn {
		until := h.Withdrawn + admitto.Time(s.core.Settings().Withdrawal.UndoMinutes)*admitto.Minute
		if tx.Now() < until {
			h.UndoUntil = until
		}
	}
	if h.Since, err = statusSince(tx, h.ID, h.Status); err != nil {
		return err
	}
	rows, err := tx.BrowsedApplications([]int64{h.ID}, s.core.Today(tx), tx.Now())
	if err != nil {
		return err
	}
	if row := rows[h.ID]; row != nil && row.Officer != 0 {
		names, err := tx.AdministratorNames([]int64{row.Officer})
		if err != nil {
			return err
		}
		h.OfficerID, h.Officer = row.Officer, names[row.Officer]
	}
	set, err := tx.FlagsOfApplications([]int64{h.ID})
	if err != nil || len(set[h.ID]) == 0 {
		return err
	}
	all, err := tx.Flags()
	for _, f := range all {
		if slices.ContainsFunc(set[h.ID], func(a admitto.FlagAssociation) bool { return a.Flag == f.ID }) {
			h.Flags = append(h.Flags, f)
		}
	}
	return err
}

// statusSince reads when an application got a status that keeps no time of its own; 0 for one that keeps it.
func statusSince(tx *store.Tx, id int64, status admitto.ApplicationStatus) (since admitto.Time, err error) {
	var began admitto.EventFilter
	switch status {
	case admitto.Closed:
		began.Pattern = admitto.ApplicationClosed
	case admitto.Inactive:
		began.Pattern, began.Bind = admitto.ApplicationStatusChanged, []string{string(status)}
	case admitto.Blank, admitto.Draft, admitto.Reopened, admitto.Submitted, admitto.Withdrawn:
		return 0, nil
	}
	_, err = tx.EachRecord(admitto.JournalQuery{ApplicationIDs: []int64{id}, NewestFirst: true, Limit: 1,
		Events: []admitto.EventFilter{began}}, func(r *admitto.Record) error {
		since = r.Logged
		return nil
	})
	return since, err
}

// ApplicationOverview is what the first tab of a card shows.
type ApplicationOverview struct {
	Content  form.Content // without what the caller may not see
	Courses  []CardCourse
	Tasks    []CardTask     // open ones, without their documents
	Pinned   []admitto.Note // notes on the applicant
	Receipts []admitto.Receipt
	Turns    []admitto.Record // what mattered most, the newest first
}

// mostTurns is how many of the events that matter most an overview has.
const mostTurns = 50

// turns are the events of an application that matter most; those of its offers are with offers-view.
func turns(tx *store.Tx, by admitto.Caller, id int64) (list []admitto.Record, err error) {
	patterns := []admitto.Pattern{admitto.ApplicationSubmitted, admitto.ApplicationResubmitted,
		admitto.ApplicationReopened, admitto.ApplicationWithdrawn, admitto.ApplicationWithdrawalReverted,
		admitto.ApplicationClosed, admitto.ApplicationClosingReverted, admitto.ApplicationFrozen,
		admitto.ApplicationDefrosted, admitto.ApplicationExpired, admitto.ApplicationExpiryLifted,
		admitto.ApplicationDeadlineExtended}
	if by.Has(admitto.OffersView) {
		patterns = append(patterns, admitto.OfferConfirmed, admitto.ApplicantDecision, admitto.OfferDecisionSet)
	}
	find := admitto.JournalQuery{ApplicationIDs: []int64{id}, NewestFirst: true, Limit: mostTurns}
	for _, pattern := range patterns {
		find.Events = append(find.Events, admitto.EventFilter{Pattern: pattern})
	}
	_, err = tx.EachRecord(find, func(r *admitto.Record) error {
		list = append(list, *r)
		return nil
	})
	return list, err
}

// CardCourse is a course of an application with what holds for its applicant.
type CardCourse struct {
	admitto.ApplicationCourse
	Named     store.CourseName
	In        admitto.Intake // the zero Intake: none
	Territory string         // whose deadline holds: a country, a region or the world; "" without one
	Region    string         // its name, for a region
	Deadline  admitto.ActiveDeadline
	Late      bool               // added or submitted after the deadline
	Offer     *admitto.OfferCase // nil before the submission, and without offers-view
	Notes     int                // on the offer
	DecidedBy *admitto.Actor     // who took the decision by hand; nil: nobody, or it is not known
}

// ApplicationOverview reads the first tab of a card; not-found without the application.
func (s *Service) ApplicationOverview(ctx context.Context, by admitto.Caller, id int64) (o ApplicationOverview,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return o, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		o = ApplicationOverview{}
		a, person, err := tx.ApplicationCase(id)
		if err != nil {
			return err
		}
		if o.Content, err = tx.ApplicationContent(id); err != nil {
			return err
		}
		o.Content = o.Content.VisibleTo(by)
		if o.Courses, err = s.cardCourses(tx, by, &a, person.Citizenship); err != nil {
			return err
		}
		if o.Tasks, err = readTasks(tx, id, nil); err != nil {
			return err
		}
		o.Tasks = slices.DeleteFunc(o.Tasks, func(t CardTask) bool { return t.Resolved != 0 || t.Trashed != 0 })
		if by.Has(admitto.ApplicantsView) {
			notes, err := tx.NotesOfApplicant(person.ID)
			if err != nil {
				return err
			}
			o.Pinned = slices.DeleteFunc(notes, func(n admitto.Note) bool { return !n.Pinned || n.Removed != 0 })
		}
		if o.Receipts, err = tx.Receipts(id); err != nil {
			return err
		}
		o.Turns, err = turns(tx, by, id)
		return err
	})
	return o, err
}

// ApplicationCourses reads the courses of an application with their offers and deadlines, by priority; not-found
// without the application.
func (s *Service) ApplicationCourses(ctx context.Context, by admitto.Caller, id int64) (list []CardCourse, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, person, err := tx.ApplicationCase(id)
		if err == nil {
			list, err = s.cardCourses(tx, by, &a, person.Citizenship)
		}
		return err
	})
	return list, err
}

// cardCourses reads the courses by priority, one statement for each kind.
func (s *Service) cardCourses(tx *store.Tx, by admitto.Caller, a *admitto.ApplicationCase,
	citizenship string) (list []CardCourse, err error) {
	found, err := tx.CoursesOfApplications([]int64{a.ID})
	if err != nil {
		return nil, err
	}
	courses := found[a.ID]
	slices.SortFunc(courses, func(x, y admitto.ApplicationCourse) int { return x.Priority - y.Priority })
	var ids, intakes []int64
	for _, c := range courses {
		ids = append(ids, c.Course)
		if c.Intake != 0 {
			intakes = append(intakes, c.Intake)
		}
	}
	names, err := tx.CourseNames(unique(ids))
	if err != nil {
		return nil, err
	}
	in, err := tx.IntakesByID(unique(intakes))
	if err != nil {
		return nil, err
	}
	regions, err := tx.Regions()
	if err != nil {
		return nil, err
	}
	extensions, err := tx.DeadlineExtensions(a.ID)
	if err != nil {
		return nil, err
	}
	late, err := tx.LateCourses(a.ID)
	if err != nil {
		return nil, err
	}
	offers, notes, err := offersOfCard(tx, by, a.ID)
	if err != nil {
		return nil, err
	}
	zone := s.core.Settings().Instance.Timezone
	for _, c := range courses {
		card := CardCourse{ApplicationCourse: c, Named: names[c.Course]}
		if intake, ok := in[c.Intake]; ok {
			card.In, card.Territory = intake, intake.TerritoryOf(citizenship, regions)
			card.Deadline = intake.DeadlineFor(citizenship, regions, extensions[intake.ID], zone)
			for _, region := range regions {
				if region.Code == card.Territory {
					card.Region = region.Name
				}
			}
		}
		card.Late = late[c.Course]
		for i := range offers {
			if o := &offers[i]; o.Course == c.Course {
				card.Offer, card.Notes = o, len(notes[o.ID])
				if card.DecidedBy, err = decidedBy(tx, o); err != nil {
					return nil, err
				}
			}
		}
		list = append(list, card)
	}
	return list, nil
}

// offersOfCard reads the offers of an application and their notes, for those who may see them.
func offersOfCard(tx *store.Tx, by admitto.Caller, application int64) (offers []admitto.OfferCase,
	notes map[int64][]string, err error) {
	if !by.Has(admitto.OffersView) {
		return nil, nil, nil
	}
	if offers, err = tx.OfferCasesOf(application); err != nil || len(offers) == 0 {
		return nil, nil, err
	}
	var ids []int64
	for i := range offers {
		ids = append(ids, offers[i].ID)
	}
	notes, err = tx.VisibleOfferNotes(ids)
	return offers, notes, err
}
