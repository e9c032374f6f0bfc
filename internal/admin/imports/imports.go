// Package imports has the pages on which staff import people whom they collected: the file, what its columns are, a dry
// run, how far the import is, and what became of each row (screens.md A36).
package imports

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/leads"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

type pages struct{ *services.Services }

// Routes are the pages with who may open them.
func Routes(s *services.Services) []site.Route {
	p := &pages{s}
	may := site.Needs(admitto.ApplicantsImport)
	return []site.Route{
		{Name: "imports", Path: "/admin/imports", Access: may, Handle: p.list},
		{Name: "import-new", Path: "/admin/imports/new", Access: may, Form: true, Files: true, Parent: "imports",
			Handle: p.upload},
		{Name: "import", Path: "/admin/imports/{id}", Access: may, Parent: "imports", Handle: p.show},
		{Name: "import-options", Path: "/admin/imports/{id}/options", Access: may, Form: true, Parent: "import",
			Handle: p.options},
		{Name: "import-bad", Path: "/admin/imports/{id}/bad", Access: may, Handle: p.bad},
		{Name: "import-start", Path: "/admin/imports/{id}/start", Access: may, Only: true, Handle: p.start},
		{Name: "import-stop", Path: "/admin/imports/{id}/stop", Access: may, Only: true, Handle: p.stop},
		{Name: "import-discard", Path: "/admin/imports/{id}/discard", Access: may, Form: true, Parent: "import",
			Handle: p.discard},
		{Name: "import-undo", Path: "/admin/imports/{id}/undo", Access: may, Form: true, Parent: "import",
			Handle: p.undo},
	}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// rows is how many imports, or rows of one, a page shows.
const rows = 50

// behind is a place in a list that the address names, 0 for its beginning.
func behind(r *site.Request, name string) int64 {
	place, err := strconv.ParseInt(r.URL.Query().Get(name), 10, 64)
	if err != nil {
		return 0
	}
	return max(place, 0)
}

// list shows the imports, the newest first.
func (p *pages) list(r *site.Request) error {
	list, more, err := p.Leads.List(r.Context(), r.Reader(), behind(r, "before"), rows)
	if err != nil {
		return err
	}
	staff, err := p.staff(r)
	if err != nil {
		return err
	}
	page := site.ListPage{Head: ui.ListHead{Title: r.Title(), Strong: r.T("imports.newest_first"),
		Actions: r.Buttons(site.Primary("import-new"))},
		Table: ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("imports.nr"), Num: true, Place: "meta"},
			{Title: r.T("imports.file"), Place: "main"}, {Title: r.T("imports.state")},
			{Title: r.T("imports.rows"), Num: true, Place: "label"},
			{Title: r.T("lead_row.created"), Num: true, Place: "label"},
			{Title: r.T("lead_row.known"), Num: true, Place: "label"},
			{Title: r.T("lead_row.wrong"), Num: true, Place: "label"},
			{Title: r.T("imports.uploaded"), Place: "label", Muted: true}},
			Empty: ui.Empty{Icon: "upload", Title: r.T("imports.none"), Text: r.T("imports.none_text"),
				Actions: r.Buttons(site.Do("import-new"))}}}
	for n := range list {
		i := &list[n]
		count := func(states ...admitto.LeadRowState) ui.Cell {
			var sum int64
			for _, s := range states {
				sum += i.Counts[s]
			}
			return ui.Cell{Text: r.Number(int(sum))}
		}
		page.Table.Rows = append(page.Table.Rows, ui.Row{ID: number(i.ID), Label: number(i.ID), Cells: []ui.Cell{
			{Text: number(i.ID)}, {Text: fileName(r, i), Href: r.At("import", i.ID)},
			{Tags: []ui.Tag{stateTag(r, i.State)}}, {Text: r.Number(int(i.Rows))},
			count(admitto.LeadCreated, admitto.LeadTakenBack, admitto.LeadKept),
			count(admitto.LeadKnown, admitto.LeadMatched), count(admitto.LeadWrong, admitto.LeadFailed),
			{Text: staff[i.UploadedBy], Note: r.Clock(i.Uploaded)}}})
	}
	if more {
		page.Pager = &ui.Pager{Next: r.At("imports") + "?before=" + number(list[len(list)-1].ID)}
	}
	return page.Show(r)
}

// staff are the names of the administrators.
func (p *pages) staff(r *site.Request) (map[int64]string, error) {
	names := map[int64]string{}
	list, err := p.Query.Administrators(r.Context(), r.Reader())
	for i := range list {
		names[list[i].ID] = list[i].Name
	}
	return names, err
}

// fileName names an import by its file.
func fileName(r *site.Request, i *admitto.LeadImport) string {
	return cmp.Or(i.Name, r.T("imports.pasted"))
}

// head is the name of a column.
func head(r *site.Request, i *admitto.LeadImport, column int) string {
	if column < 0 {
		return ""
	}
	return cmp.Or(i.Heads[column], r.T("imports.column", "N", column+1))
}

// stateTag shows the state of an import.
func stateTag(r *site.Request, s admitto.LeadImportState) ui.Tag {
	tag := ui.Tag{Text: r.T("lead_import." + string(s)), Icon: "clock"}
	switch s {
	case admitto.ImportUploaded, admitto.ImportReady:
	case admitto.ImportChecking, admitto.ImportRunning, admitto.ImportUndoing:
		tag.Icon, tag.Tone = "circle-dot", ui.Info
	case admitto.ImportStopped:
		tag.Icon, tag.Tone = "triangle-alert", ui.Warn
	case admitto.ImportFinished:
		tag.Icon, tag.Tone = "check", ui.OK
	case admitto.ImportUndone:
		tag.Icon = "undo-2"
	}
	return tag
}

// rowTag shows what comes of a row, or what became of it.
func rowTag(r *site.Request, s admitto.LeadRowState) ui.Tag {
	tag := ui.Tag{Text: r.T("lead_row." + string(s)), Icon: "circle"}
	switch s {
	case admitto.LeadNew:
		tag.Icon, tag.Tone = "plus", ui.OK
	case admitto.LeadCreated:
		tag.Icon, tag.Tone = "check", ui.OK
	case admitto.LeadKnown, admitto.LeadMatched:
		tag.Icon, tag.Tone = "user", ui.Info
	case admitto.LeadWrong:
		tag.Icon, tag.Tone = "circle-alert", ui.Bad
	case admitto.LeadFailed:
		tag.Icon, tag.Tone = "circle-x", ui.Bad
	case admitto.LeadTakenBack:
		tag.Icon = "undo-2"
	case admitto.LeadKept:
		tag.Icon, tag.Tone = "triangle-alert", ui.Warn
	case admitto.LeadUnchecked:
	}
	return tag
}

// faults are what is wrong with a row, in words.
func faults(r *site.Request, i *admitto.LeadImport, line *leads.Line) (words []string) {
	for _, fault := range line.Faults {
		said := r.Say(fault.Text)
		if name := head(r, i, fault.Column); name != "" {
			said = name + ": " + said
		}
		words = append(words, said)
	}
	if line.State == admitto.LeadFailed {
		words = append(words, r.T("imports.failed_text"))
	}
	return words
}

// bad answers with the rows that could not be imported, with the reasons, to be corrected and imported again.
func (p *pages) bad(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	v, err := p.Leads.Show(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	heads := []string{}
	for column := range v.Heads {
		heads = append(heads, head(r, &v.LeadImport, column))
	}
	name := "import-" + number(id)
	return r.CSV(name, append(heads, r.T("imports.reason")), func(row func(cells ...string) error) error {
		for _, state := range []admitto.LeadRowState{admitto.LeadWrong, admitto.LeadFailed} {
			for after, more := int64(0), true; more; {
				var list []leads.Line
				var err error
				if list, more, err = p.Leads.Lines(r.Context(), r.Reader(), id, after, state, 500); err != nil {
					return err
				}
				for n := range list {
					cells := make([]string, len(v.Heads), len(v.Heads)+1)
					copy(cells, list[n].Cells)
					cells = append(cells, strings.Join(faults(r, &v.LeadImport, &list[n]), "; "))
					if err := row(cells...); err != nil {
						return err
					}
					after = list[n].Line
				}
			}
		}
		return nil
	})
}
