package application

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// withoutUnsaved is the box that submits although something is not saved.
const withoutUnsaved = "without-unsaved"

// unsaved leads to what was typed or chosen for the application and is not saved yet: nobody submits without it unless
// they say so (screens.md U8).
func (a *own) unsaved(r *site.Request) (links []ui.Link, err error) {
	if !a.isOpen() {
		return nil, nil
	}
	list, err := r.Unsaved(func(address string) bool { return a.formAt(r, address) != "" })
	for _, u := range list {
		name := a.formAt(r, u.Path)
		path, _, _ := strings.Cut(u.Path, "?")
		if path == r.At("my-documents", a.ID) { // what belongs to its files alone is nothing
			u.Typed = nil
		}
		if t := a.taskAt(r, path); t != nil {
			if strings.TrimSpace(u.Typed.Get("comment")) == strings.TrimSpace(t.NotesApplicant) {
				u.Typed = nil
			}
		}
		switch {
		case u.Files != nil:
			name = r.T("my_check.unsaved_files", "Where", name, "Names", r.Listed(u.Files...))
		case u.Typed == nil:
			continue
		}
		links = append(links, ui.Link{Text: name, Href: u.Path})
	}
	return links, err
}

// formAt is the name of the form of the application at an address; "" for any other.
func (a *own) formAt(r *site.Request, address string) string {
	path, _, _ := strings.Cut(address, "?")
	if path == r.At("my-documents", a.ID) {
		return r.T("title.my-documents")
	}
	if t := a.taskAt(r, path); t != nil {
		return t.Template.Title
	}
	for _, part := range a.parts() {
		below, found := strings.CutPrefix(path, r.At("my-section", a.ID, part.Key))
		switch row, isRow := strings.CutPrefix(below, "/rows/"); {
		case !found || part.closed:
		case below == "" && !part.Rows:
			return formpage.SectionName(r, part.Section)
		case isRow && part.Rows:
			return a.rowAt(r, part.Section, row)
		}
	}
	return ""
}

// rowAt is the name of an entry by how addresses number it; "" for one that is not there.
func (a *own) rowAt(r *site.Request, s *form.Section, row string) string {
	name, rows := formpage.SectionName(r, s), a.Form.Content.Rows(s.Key)
	if row == formpage.NewRow {
		return name
	}
	n, err := strconv.Atoi(row)
	if err != nil || n < 1 || n > len(rows) {
		return ""
	}
	return name + ": " + formpage.RowName(r, s, rows[n-1], n-1, a.words)
}

// taskAt is the task whose page is at a path; nil for none that something can be done about.
func (a *own) taskAt(r *site.Request, path string) *query.CardTask {
	at := slices.IndexFunc(a.Tasks, func(t query.CardTask) bool { return !t.Closed && r.At("my-task", t.ID) == path })
	if at < 0 {
		return nil
	}
	return &a.Tasks[at]
}

// unsavedBox names what is not saved; nothing where all is.
func unsavedBox(r *site.Request, links []ui.Link) []ui.Component {
	if links == nil {
		return nil
	}
	return []ui.Component{ui.Box{Title: r.T("my_check.unsaved"), Parts: []ui.Component{
		ui.Notice{Tone: ui.Warn, Text: r.T("my_check.unsaved_what")}, ui.Links{Links: links}}}}
}
