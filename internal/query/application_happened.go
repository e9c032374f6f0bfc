package query

import (
	"context"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// OwnEvent is something that happened to an application, as its applicant is told of it.
type OwnEvent struct {
	Pattern admitto.Pattern
	At      admitto.Time
	Course  store.CourseName // that it is about, if any
	// Document is the name of the one that it is about; "" for none, and for one that is gone.
	Document string
	Decision admitto.Decision // of the applicant; "" where it is about none
}

// mostOwnEvents is how many events an applicant sees of an application, the newest.
const mostOwnEvents = 200

// toldEvents are the events that an applicant is told of: what they or staff did with the application itself. What
// staff note, flag or prepare is none of them.
func toldEvents() (list []admitto.EventFilter) {
	for _, p := range []admitto.Pattern{admitto.ApplicationCreated, admitto.ApplicationCloned,
		admitto.ApplicationSubmitted, admitto.ApplicationRefused, admitto.ApplicationResubmitted, admitto.ApplicationReopened,
		admitto.ApplicationWithdrawn, admitto.ApplicationWithdrawalReverted, admitto.ApplicationClosed,
		admitto.ApplicationClosingReverted, admitto.ApplicationExpired, admitto.ApplicationExpiryLifted,
		admitto.ApplicationDeadlineExtended, admitto.CourseAdded, admitto.CourseRemoved, admitto.DocumentUploaded,
		admitto.DocumentUploadedToTask, admitto.DocumentRemoved, admitto.DocumentRemovedFromTask,
		admitto.OfferConfirmed, admitto.ApplicantDecision} {
		list = append(list, admitto.EventFilter{Pattern: p})
	}
	return list
}

// OwnEvents reads what happened to an application of the caller, the oldest first (screens.md P08).
func (s *Service) OwnEvents(ctx context.Context, by admitto.Caller, application int64) (list []OwnEvent, err error) {
	if err := by.ApplicantOnly(); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list = nil
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		var courses, documents []int64 // of each event; 0: of none
		_, err := tx.EachRecord(admitto.JournalQuery{ApplicationIDs: []int64{application}, NewestFirst: true,
			Limit: mostOwnEvents, Events: toldEvents()}, func(r *admitto.Record) error {
			e := OwnEvent{Pattern: r.Pattern, At: r.Logged}
			if r.Pattern == admitto.ApplicantDecision && len(r.Bind) > 0 {
				e.Decision = admitto.Decision(r.Bind[0])
			}
			list = append(list, e)
			courses, documents = append(courses, r.Links.Course), append(documents, r.Links.Document)
			return nil
		})
		if err != nil {
			return err
		}
		names, err := tx.CourseNames(unique(slices.Clone(courses)))
		if err != nil {
			return err
		}
		files, _, err := tx.DocumentNames(unique(slices.Clone(documents)))
		for i := range list {
			list[i].Course, list[i].Document = names[courses[i]], files[documents[i]]
		}
		slices.Reverse(list)
		return err
	})
	return list, err
}

// OwnEdit is the last change of what an applicant fills in.
type OwnEdit struct {
	At      admitto.Time // 0: long ago
	ByStaff bool
}

// LastEditOfOwn reads who changed a section of the form of an application of the caller last, and when; for the
// application 0 it is their account.
func (s *Service) LastEditOfOwn(ctx context.Context, by admitto.Caller, application int64,
	section string) (e OwnEdit, err error) {
	if err := by.ApplicantOnly(); err != nil {
		return e, err
	}
	q := admitto.JournalQuery{ApplicantIDs: []int64{by.Actor.ID}, NewestFirst: true, Limit: recentEvents,
		Events: []admitto.EventFilter{{Pattern: admitto.ApplicantEdited}}}
	if application != 0 {
		q.ApplicantIDs, q.ApplicationIDs = nil, []int64{application}
		q.Events[0].Pattern = admitto.ApplicationEdited
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		e = OwnEdit{}
		if application != 0 {
			if err := usecase.SeesApplication(tx, by, application); err != nil {
				return err
			}
		}
		var edits []admitto.Record
		var ids []int64
		if _, err := tx.EachRecord(q, func(r *admitto.Record) error {
			edits, ids = append(edits, *r), append(ids, r.ID)
			return nil
		}); err != nil {
			return err
		}
		details, err := tx.DetailsOf(ids)
		changed := func(d admitto.Detail) bool { return application == 0 || strings.HasPrefix(d.Path, "/"+section+"/") }
		for i := range edits {
			if e.At == 0 && slices.ContainsFunc(details[ids[i]], changed) {
				e = OwnEdit{At: edits[i].Logged, ByStaff: edits[i].Actor.Kind != admitto.ByApplicant}
			}
		}
		return err
	})
	return e, err
}

// OwnFee is what it costs to apply for a course; Whole is a fee that the whole application has once.
type OwnFee struct {
	admitto.FeeAmount
	Whole bool
}

// OwnFees reads what it costs the caller to apply for the courses of an application, by course (screens.md P13).
func (s *Service) OwnFees(ctx context.Context, by admitto.Caller,
	application int64) (fees map[int64][]OwnFee, err error) {
	if err := by.ApplicantOnly(); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		fees = map[int64][]OwnFee{}
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		_, person, err := tx.ApplicationCase(application)
		if err != nil {
			return err
		}
		courses, err := tx.CoursesOfApplications([]int64{application})
		if err != nil {
			return err
		}
		regions, err := tx.Regions()
		if err != nil {
			return err
		}
		all, err := tx.Fees()
		for i := range all {
			amount, found := all[i].AmountFor(person.Citizenship, regions)
			if all[i].Type != "Appfee" || !found {
				continue
			}
			for _, c := range courses[application] {
				if all[i].Has(c.Course) {
					fees[c.Course] = append(fees[c.Course], OwnFee{amount, all[i].Automatic == admitto.FeeByApplication})
				}
			}
		}
		return err
	})
	return fees, err
}
