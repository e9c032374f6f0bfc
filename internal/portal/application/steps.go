package application

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// part is a section of the form with how far it is.
type part struct {
	*form.Section
	missing, attention       int
	filled, required, closed bool // closed: the applicant cannot change it now
}

// isDone reports whether nothing of it stands in the way of submitting.
func (p *part) isDone() bool { return p.missing == 0 && p.attention == 0 }

// asks reports whether the applicant is still asked for something of it.
func (p *part) asks() bool { return !p.closed && !p.isDone() }

// state says how far it is.
func (p *part) state(r *site.Request) string {
	switch {
	case !p.filled && p.closed:
		return r.T("my_part.not_filled")
	case p.closed && !p.isDone():
		return r.T("my_part.filled")
	case p.attention > 0:
		return r.Plural("my_part.attention", p.attention)
	case p.missing > 0 && p.filled:
		return r.Plural("my_part.missing", p.missing)
	case p.missing > 0:
		return r.T("my_part.not_started")
	case p.filled:
		return r.T("my_part.complete")
	}
	return r.T("my_part.optional")
}

func (p *part) tone() ui.Tone {
	switch {
	case p.asks() && p.filled:
		return ui.Warn
	case p.missing == 0 && p.filled:
		return ui.OK
	}
	return ""
}

// parts are the sections that the applicant fills in: those that the courses ask for or that have something, and those
// that everybody can fill in.
func (a *own) parts() (list []part) {
	c := &a.Form.Content
	for _, s := range form.Sections() {
		p := part{Section: s, filled: c.Sections[s.Key] != nil, closed: !a.mayFill(s.Key)}
		if s.Rows {
			p.filled = len(c.Rows(s.Key)) > 0
		}
		p.required = a.Form.Asked.RequiresOf(s)
		if s.Key == form.Questions {
			p.filled = len(c.Extras) > 0
			if len(a.Form.Questions) == 0 {
				continue
			}
		}
		for _, path := range a.Form.Missing {
			if strings.HasPrefix(path, s.Key+"/") {
				p.missing++
			}
		}
		for path := range c.Attention {
			if strings.HasPrefix(path, s.Key+"/") {
				p.attention++
				p.filled = true
			}
		}
		if p.filled || a.Form.Asked.Shows(s.Key) {
			list = append(list, p)
		}
	}
	return list
}

// isMissing reports whether the value at a path of a section is required, not there, and can still be filled in.
func (a *own) isMissing(section, path string) bool {
	return a.mayFill(section) && slices.Contains(a.Form.Missing, path)
}

// done is how many sections are complete, of those that something is filled in of or has to be. All others may be
// left out, so they count only where there are no such ones.
func (a *own) done() (done, all int) {
	parts := a.parts()
	for i := range parts {
		if !parts[i].filled && parts[i].isDone() {
			continue
		}
		if all++; parts[i].isDone() {
			done++
		}
	}
	if all == 0 {
		return len(parts), len(parts)
	}
	return done, all
}

// next is the first section that lacks something, nil for none.
func (a *own) next() *part {
	parts := a.parts()
	if at := slices.IndexFunc(parts, func(p part) bool { return !p.isDone() }); at >= 0 {
		return &parts[at]
	}
	return nil
}

// setSteps puts the parts of the application next to a page; at is the section or the route of the page.
func (a *own) setSteps(r *site.Request, at string) {
	steps := &ui.Steps{ID: "steps", Label: r.T("my_part.label")}
	if a.isOpen() {
		done, all := a.done()
		steps.Summary = r.T("my_part.summary", "Done", r.Number(done), "All", r.Number(all))
	}
	for _, p := range a.parts() {
		steps.Steps = append(steps.Steps, ui.Step{Text: formpage.SectionName(r, p.Section), State: p.state(r),
			Href: r.At("my-section", a.ID, p.Key), Tone: p.tone(), Current: p.Key == at})
	}
	for _, route := range []string{"my-documents", "my-courses", "my-check"} {
		if !r.Known(route) {
			continue
		}
		step := ui.Step{Text: r.T("title." + route), Href: r.At(route, a.ID), Current: route == at}
		switch route {
		case "my-documents":
			step.State = r.Plural("my_part.documents", len(a.Documents))
		case "my-courses":
			step.State = r.Plural("applications.count", len(a.Courses))
		default:
			if a.may(admitto.Submit) {
				step.State = r.T("my_part.ready")
			} else if a.isOpen() {
				step.State = r.T("my_part.not_yet")
			}
		}
		if step.Current {
			step.State = r.T("my_part.here")
		}
		steps.Steps = append(steps.Steps, step)
	}
	for i := range steps.Steps {
		if steps.Steps[i].Current {
			steps.Steps[i].State = r.T("my_part.here")
		}
	}
	r.SetSteps(steps)
}

// around are the sections before and after one; "" at the ends.
func (a *own) around(section string) (before, after string) {
	parts := a.parts()
	for i := range parts {
		if parts[i].Key != section {
			continue
		}
		if i > 0 {
			before = parts[i-1].Key
		}
		if i+1 < len(parts) {
			after = parts[i+1].Key
		}
	}
	return before, after
}

// crumb names the application in the way back.
func (a *own) crumb(r *site.Request) {
	r.NameCrumb("my-application", r.T("applications.title", "ID", number(a.ID))+" · "+a.InTerm.Name)
}
