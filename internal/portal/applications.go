package portal

import (
	"strconv"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

func (p *pages) applicationRoutes() []site.Route {
	return []site.Route{{Name: "applications", Path: "/my", Access: site.SignedIn(), Handle: p.applications}}
}

// most is how many applications the first page of an applicant lists.
const most = 100

// applications is where one lands after the sign-in: one's applications in words (screens.md 4.1, P07).
func (p *pages) applications(r *site.Request) error {
	page := site.Sheet{}
	if r.Person.First != "" {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Warn, Text: r.T("welcome.missing"),
			Link: &ui.Link{Text: r.T("title.welcome"), Href: r.At("welcome")}})
	}
	with := &query.ApplicationParts{WantCourses: true}
	list, err := p.Query.ApplicationsOf(r.Context(), r.Reader(), r.Person.Account,
		admitto.ApplicationQuery{Limit: most}, with)
	if err != nil {
		return err
	}
	words, err := p.readWords(r)
	if err != nil {
		return err
	}
	var boxes []ui.Component
	for a, err := range list.All() {
		if err != nil {
			return err
		}
		box := words.box(r, a, with.Courses[a.ID])
		if a.Status == admitto.Reopened {
			if box.Parts, err = p.reopened(r, a.ID, box.Parts); err != nil {
				return err
			}
		}
		boxes = append(boxes, box)
	}
	if len(boxes) == 0 {
		boxes = append(boxes, ui.Empty{Icon: "graduation-cap", Title: r.T("applications.none"),
			Text:    r.T("applications.none_text"),
			Actions: r.Buttons(site.Primary("courses"), site.Do("my-account"))})
	}
	page.Parts = append(page.Parts, boxes...)
	return page.Show(r)
}

// words are the names that applications are told with.
type words struct {
	terms map[int64]*admitto.Term
	today admitto.Date
}

func (p *pages) readWords(r *site.Request) (*words, error) {
	terms, err := p.Query.Terms(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	w := &words{terms: map[int64]*admitto.Term{},
		today: admitto.DateOf(r.Now().Std().In(p.Core.Settings().Instance.Timezone))}
	for i := range terms {
		w.terms[terms[i].ID] = &terms[i]
	}
	return w, nil
}

// box tells of one application.
func (w *words) box(r *site.Request, a *admitto.Application, courses []admitto.ApplicationCourse) ui.Box {
	title := r.T("applications.title", "ID", strconv.FormatInt(a.ID, 10))
	if term := w.terms[a.Term]; term != nil {
		title += " · " + term.Name
	}
	state, next, tone := w.state(r, a)
	return ui.Box{Title: title, Parts: []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{
		{Key: r.T("applications.state"), Tags: []ui.Tag{{Text: state, Icon: tone.Icon(), Tone: tone}}},
		{Key: r.T("applications.next"), Value: next},
		{Key: r.T("applications.courses"), Value: r.Plural("applications.count", len(courses))},
		{Key: r.T("applications.changed"), Value: r.Day(a.Revised)},
	}}}}
}

// reopened puts in front of what is told of a reopened application what staff wrote, and by when it is to be submitted
// again (screens.md 4.1).
func (p *pages) reopened(r *site.Request, application int64, parts []ui.Component) ([]ui.Component, error) {
	in, err := p.Admissions.Reopened(r.Context(), r.Caller(), application)
	if err != nil {
		return nil, err
	}
	said := []ui.Component{}
	if in.Text != "" {
		said = append(said, ui.Prose{Text: in.Text})
	}
	if !in.Until.IsZero() {
		said = append(said, ui.Words{Text: r.T("state.check_by", "Day", r.Date(in.Until.In(time.UTC)))})
	}
	return append(said, parts...), nil
}

// state is the state of an application in the words of screens.md 4.1, and what its applicant does next.
func (w *words) state(r *site.Request, a *admitto.Application) (state, next string, tone ui.Tone) {
	if term := w.terms[a.Term]; term != nil && a.Status != admitto.Submitted && a.Status != admitto.Withdrawn &&
		a.Status != admitto.Closed && term.Grace != (admitto.Date{}) && term.Grace.Before(w.today) {
		return r.T("state.expired"), r.T("state.contact"), ui.Info
	}
	switch a.Status {
	case admitto.Blank:
		return r.T("state.blank"), r.T("state.profile"), ui.Info
	case admitto.Draft:
		return r.T("state.draft"), r.T("state.continue"), ui.Info
	case admitto.Inactive:
		return r.T("state.inactive"), r.T("state.continue"), ui.Warn
	case admitto.Reopened:
		return r.T("state.reopened"), r.T("state.check"), ui.Warn
	case admitto.Submitted:
		return r.T("state.submitted", "Day", r.Day(a.Submitted)), r.T("state.we_write"), ui.OK
	case admitto.Withdrawn:
		return r.T("state.withdrawn"), r.T("state.contact"), ui.Info
	}
	return r.T("state.closed"), r.T("state.contact"), ui.Info
}
