// Package application has the pages on which applicants fill in, submit and follow their applications (screens.md P07
// to P20, P25).
package application

import (
	"slices"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
)

// pages has the functions of these pages.
type pages struct {
	*services.Services
}

// Routes are the pages of the applications of an applicant.
func Routes(s *services.Services) []site.Route {
	p := &pages{s}
	signedIn := site.SignedIn()
	const path, section = "/my/applications/{id}", "/my/applications/{id}/form/{section}"
	of := func(name, path, parent string, handle func(*site.Request, *own) error) site.Route {
		return site.Route{Name: name, Path: path, Access: signedIn, Parent: parent, Handle: p.of(handle)}
	}
	form := func(r site.Route) site.Route {
		r.Form = true
		return r
	}
	only := func(r site.Route) site.Route {
		r.Only = true
		return r
	}
	return slices.Concat([]site.Route{
		{Name: "applications", Path: "/my", Access: signedIn, Handle: p.board},
		of("my-application", path, "applications", p.overview),
		form(of("my-section", section, "my-application", p.section)),
		form(of("my-row", section+"/rows/{row}", "my-application", p.row)),
		form(of("my-row-remove", section+"/rows/{row}/remove", "my-application", p.rowRemove)),
		only(of("my-row-move", section+"/rows/{row}/{way}", "my-application", p.rowMove)),
		only(of("my-earlier", section+"/earlier/{row}", "my-application", p.takeEarlier)),
		only(of("my-also", path+"/also/{to}/{what}", "my-application", p.answerAlso)),
		of("my-courses", path+"/courses", "my-application", p.courses),
		only(of("my-course-move", path+"/courses/{course}/{way}", "my-application", p.moveCourse)),
		form(of("my-course-remove", path+"/courses/{course}/remove", "my-application", p.removeCourse)),
		only(of("my-course-back", path+"/courses/{course}/back/{intake}/{place}", "my-application", p.courseBack)),
		form(of("my-check", path+"/check", "my-application", p.check)),
		of("my-receipt", path+"/receipts/{receipt}", "my-application", p.receipt),
		of("my-receipt-text", path+"/receipts/{receipt}/text", "my-application", p.receiptText),
		of("my-printout", path+"/printout", "my-application", p.printout),
		form(of("my-withdraw", path+"/withdraw", "my-application", p.withdraw)),
		only(of("my-undo", path+"/undo", "my-application", p.undo)),
		form(of("my-reopen", path+"/reopen", "my-application", p.reopen)),
		{Name: "receipts", Path: "/receipts", Access: site.Everyone(), Form: true, Again: true, Handle: p.receipts},
	}, p.offerRoutes(), p.taskRoutes(), p.documentRoutes(), p.invoiceRoutes(), p.messageRoutes())
}

// own is the application that a page is about, with what its applicant may do now.
type own struct {
	query.OwnApplication
	chances []admissions.Chance
	again   admissions.Reopening // of one that is open again: what staff wrote, and until when
	words   []admitto.Classificator
	langs   map[string]string // of names that stand in another language than that of the page
}

// named puts the names of courses, intakes, tasks and offer types in the language of the reader, as far as there are
// versions.
func (a *own) named(r *site.Request) {
	a.langs = map[string]string{}
	known := func(into *string, name, lang string) {
		*into = name
		if lang != "" {
			a.langs[name] = lang
		}
	}
	said := func(into *string, name string, fallback bool) {
		_, lang := r.Said(name, fallback)
		known(into, name, lang)
	}
	for i := range a.Tasks {
		t := a.Tasks[i].Template
		title, lang := titleOf(r, t)
		a.Tasks[i].Template = r.TaskTemplate(t)
		known(&a.Tasks[i].Template.Title, title, lang)
	}
	name, fallback := a.InTerm.NameIn(r.Lang)
	said(&a.InTerm.Name, name, fallback)
	for i := range a.Courses {
		c := &a.Courses[i]
		name, fallback := c.Named.In(r.Lang)
		said(&c.Named.Name, name, fallback)
		name, fallback = c.In.NameIn(r.Lang)
		said(&c.In.Name, name, fallback)
	}
	for _, offers := range [][]query.OwnOffer{a.Offers, a.Elsewhere} {
		for i := range offers {
			o := &offers[i]
			name, fallback := o.Named.In(r.Lang)
			said(&o.Named.Name, name, fallback)
			title, lang := r.Version(o.Type.Versions, "public_title", o.Type.PublicTitle)
			known(&o.Type.PublicTitle, title, lang)
		}
	}
}

// of reads the application of a page.
func (p *pages) of(handle func(*site.Request, *own) error) func(*site.Request) error {
	return func(r *site.Request) error {
		id, err := r.ID()
		if err != nil {
			return err
		}
		a, err := p.read(r, id)
		if err != nil {
			return err
		}
		return handle(r, a)
	}
}

func (p *pages) read(r *site.Request, id int64) (*own, error) {
	a, err := p.Query.OwnApplication(r.Context(), r.Reader(), id)
	if err != nil {
		return nil, err
	}
	chances, err := p.Admissions.Chances(r.Context(), r.Caller(), id)
	if err != nil {
		return nil, err
	}
	words, err := r.Classes(p.Query.Classificators(r.Context(), r.Reader()))
	if err != nil {
		return nil, err
	}
	o := &own{OwnApplication: a, chances: chances, words: words}
	if a.Status == admitto.Reopened {
		o.again, err = p.Admissions.Reopened(r.Context(), r.Caller(), id)
	}
	o.named(r)
	return o, err
}

// may reports whether something can be done now.
func (a *own) may(event admitto.ApplicationEvent) bool {
	faults, known := a.against(event)
	return known && len(faults) == 0
}

// against is what speaks against it; known is false where the status forbids it.
func (a *own) against(event admitto.ApplicationEvent) (faults []admitto.Fault, known bool) {
	at := slices.IndexFunc(a.chances, func(c admissions.Chance) bool { return c.Event == event })
	if at < 0 {
		return nil, false
	}
	return a.chances[at].Faults, a.chances[at].Overridable || len(a.chances[at].Faults) == 0
}

// isOpen reports whether the applicant still fills in the application.
func (a *own) isOpen() bool {
	return !a.Expired && slices.Contains([]admitto.ApplicationStatus{admitto.Blank, admitto.Draft, admitto.Inactive,
		admitto.Reopened}, a.Status)
}

// isOver reports whether nothing is asked of the applicant any more.
func (a *own) isOver() bool {
	return a.Expired || a.Status == admitto.Closed || a.Status == admitto.Withdrawn
}
