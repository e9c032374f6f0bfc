package demo

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
)

// requests stores what some of those who came last ask about their data: in the portal, or by letter, which staff
// record. One is answered, and the answer to one is due soon.
func (w *world) requests(tx *store.Tx) error {
	people, err := load.LatestApplicants(tx, 4)
	if err != nil {
		return err
	}
	at, by := w.erasing()+admitto.Hour, w.administrator(adminHead)
	today := dayOf(at)
	var list []admitto.DataRequest
	for n, q := range []admitto.DataRequest{
		{Kind: admitto.RequestErase, Reason: "I study somewhere else now.", Received: today},
		{Kind: admitto.RequestAccess, Received: today.AddDays(-26), Administrator: adminHead},
		{Kind: admitto.RequestCorrect, Reason: "My date of birth is that of my sister.", Received: today.AddDays(-6),
			Administrator: adminHead},
		{Kind: admitto.RequestCorrect, Reason: "My surname changed when I married.", Received: today.AddDays(-12),
			Administrator: adminHead, Answered: at + admitto.Hour, AnsweredBy: adminHead, Outcome: admitto.RequestGranted},
	} {
		if n == len(people) {
			break
		}
		q.ID, q.Applicant, q.Recorded = int64(n+1), people[n], at+admitto.Time(n)*10*admitto.Minute
		e := admitto.Event{Pattern: admitto.DataRequestRecorded, Bind: []string{string(q.Kind)},
			Links: admitto.Links{Applicant: q.Applicant}}
		if q.Kind == admitto.RequestErase {
			e.Pattern, e.Bind = admitto.ForgetAsked, nil
			tx.RecordAt(q.Recorded, admitto.Actor{Kind: admitto.ByApplicant, ID: q.Applicant,
				RequestID: w.chance.hex(16)}, e)
		} else {
			e.Links.Administrator = by.ID
			tx.RecordAt(q.Recorded, by, e)
		}
		list = append(list, q)
	}
	for _, q := range list {
		if q.Answered != 0 {
			tx.RecordAt(q.Answered, by, admitto.Event{Pattern: admitto.DataRequestGranted, Bind: []string{string(q.Kind)},
				Links: admitto.Links{Applicant: q.Applicant, Administrator: by.ID}})
		}
	}
	return load.DataRequests(tx, list)
}
