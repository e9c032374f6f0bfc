package application

import (
	"cmp"
	"slices"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// happened is what has happened to the application so far.
func (a *own) happened(r *site.Request, told []query.OwnEvent) ui.Component {
	var events []ui.Event
	add := func(title string, at admitto.Time) {
		events = append(events, ui.Event{Title: title, Time: r.Clock(at), Machine: at.Std().Format(time.RFC3339)})
	}
	for i := range told {
		e := &told[i]
		if title := eventWords(r, e); title != "" {
			add(title, e.At)
		}
	}
	// The journal of an instance that took over older data may begin later than the application.
	recorded := func(p admitto.Pattern) bool {
		return slices.ContainsFunc(told, func(e query.OwnEvent) bool { return e.Pattern == p })
	}
	for _, known := range []struct {
		pattern admitto.Pattern
		key     string
		at      admitto.Time
	}{{admitto.ApplicationCreated, "my_happened.created", a.Created},
		{admitto.ApplicationSubmitted, "my_happened.submitted", a.Submitted},
		{admitto.ApplicationReopened, "my_happened.reopened", a.Reopened},
		{admitto.ApplicationResubmitted, "my_happened.resubmitted", a.Resubmitted},
		{admitto.ApplicationWithdrawn, "my_happened.withdrawn", a.Withdrawn}} {
		cloned := known.pattern == admitto.ApplicationCreated && recorded(admitto.ApplicationCloned)
		if known.at != 0 && !recorded(known.pattern) && !cloned {
			add(r.T(known.key), known.at)
		}
	}
	slices.SortStableFunc(events, func(x, y ui.Event) int { return cmp.Compare(x.Machine, y.Machine) })
	return ui.Box{Title: r.T("my_view.happened"), Parts: []ui.Component{ui.Timeline{Events: events}}}
}

// eventWords say an event to the applicant.
func eventWords(r *site.Request, e *query.OwnEvent) string {
	course, _ := e.Course.In(r.Lang)
	switch e.Pattern {
	case admitto.ApplicationCreated, admitto.ApplicationCloned:
		return r.T("my_happened.created")
	case admitto.ApplicationSubmitted:
		return r.T("my_happened.submitted")
	case admitto.ApplicationRefused:
		return r.T("my_happened.refused")
	case admitto.ApplicationResubmitted:
		return r.T("my_happened.resubmitted")
	case admitto.ApplicationReopened:
		return r.T("my_happened.reopened")
	case admitto.ApplicationWithdrawn:
		return r.T("my_happened.withdrawn")
	case admitto.ApplicationWithdrawalReverted:
		return r.T("my_happened.withdrawal_undone")
	case admitto.ApplicationClosed:
		return r.T("my_happened.closed")
	case admitto.ApplicationClosingReverted:
		return r.T("my_happened.closing_undone")
	case admitto.ApplicationExpired:
		return r.T("my_happened.expired")
	case admitto.ApplicationExpiryLifted:
		return r.T("my_happened.expiry_lifted")
	case admitto.ApplicationDeadlineExtended:
		return r.T("my_happened.extended")
	case admitto.CourseAdded:
		return r.T("my_happened.course_added", "Course", course)
	case admitto.CourseRemoved:
		return r.T("my_happened.course_removed", "Course", course)
	case admitto.DocumentUploaded, admitto.DocumentUploadedToTask:
		return documentWords(r, e.Document, "my_happened.document_added", "my_happened.document_added_name")
	case admitto.DocumentRemoved, admitto.DocumentRemovedFromTask:
		return documentWords(r, e.Document, "my_happened.document_removed", "my_happened.document_removed_name")
	case admitto.OfferConfirmed:
		return r.T("my_happened.answer_sent", "Course", course)
	case admitto.ApplicantDecision:
		switch e.Decision {
		case admitto.DecisionFinal:
			return r.T("my_happened.accepted", "Course", course)
		case admitto.DecisionDeclined:
			return r.T("my_happened.declined", "Course", course)
		}
		return r.T("my_happened.decided", "Course", course)
	}
	return ""
}

// documentWords say what happened to a document, with its name where that is known.
func documentWords(r *site.Request, name, unnamed, named string) string {
	if name == "" {
		return r.T(unnamed)
	}
	return r.T(named, "Name", name)
}
