package protection

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// exports lists the files with the data of one person that can be downloaded or are being made, and asks for one.
func (p *pages) exports(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		id := f.Number("applicant", "protection.no_id")
		if !f.Failed() && id == 0 {
			f.Fail("applicant", "protection.no_id")
		}
		if !f.Failed() {
			_, err := p.Privacy.AskDataExport(r.Context(), r.Caller(), id)
			if admitto.KindOf(err) == admitto.NotFound {
				f.Fail("applicant", "protection.no_applicant")
				err = nil
			}
			refused, err := f.Refused(err, nil)
			if err != nil {
				return err
			}
			if !refused {
				r.Notify(ui.OK, r.T("protection.export_asked"))
				return r.To("data-exports")
			}
		}
	}
	list, err := p.Privacy.AllDataExports(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	t := ui.Table{Cards: true, Caption: r.T("protection.tab_exports"), Columns: []ui.Column{
		{Title: r.T("protection.applicant"), Place: "main"}, {Title: r.T("protection.state"), Place: "meta"},
		{Title: r.T("protection.asked_by"), Place: "label"}, {Title: r.T("protection.asked_at"), Place: "label"},
		{Title: r.T("protection.until"), Place: "label"}, {Title: r.T("protection.file")}},
		Empty: ui.Empty{Icon: "download", Title: r.T("protection.no_exports"), Text: r.T("protection.no_exports_text")}}
	for i := range list {
		e := &list[i]
		state, until, file := ui.Tag{Text: r.T("protection.export_made"), Tone: ui.OK, Icon: ui.OK.Icon()},
			r.Clock(e.Expires), ui.Cell{}
		switch {
		case e.Running():
			state, until = ui.Tag{Text: r.T("protection.export_runs"), Tone: ui.Info, Icon: "clock"}, ""
		case e.Failed:
			state = ui.Tag{Text: r.T("protection.export_failed"), Tone: ui.Bad, Icon: ui.Bad.Icon()}
		case !e.Own && r.May("applicant-data-file"):
			file.Parts = []ui.Component{ui.Button{Text: r.T("protection.download", "Size", r.Size(e.Size)),
				Icon: "download",
				Href: r.At("applicant-data-file", e.Applicant, e.ID), Small: true,
				About: strconv.FormatInt(e.Applicant, 10)}}
		}
		by := e.AskedBy
		if e.Own {
			by = r.T("protection.by_applicant")
		}
		who := ui.Cell{Text: r.T("protection.applicant_id", "ID", e.Applicant)}
		if r.May("applicant-data") {
			who.Href = r.At("applicant-data", e.Applicant)
		}
		t.Rows = append(t.Rows, ui.Row{Label: who.Text, Cells: []ui.Cell{who, {Tags: []ui.Tag{state}}, {Text: by},
			{Text: r.Clock(e.Asked)}, {Text: until}, file}})
	}
	id := f.Text("applicant", "protection.applicant_number")
	id.InputMode, id.Width = "numeric", "w10"
	return p.show(r, "data-exports", "protection.exports_text", nil, ui.Box{ID: "export",
		Title: r.T("protection.export_one"), Parts: []ui.Component{f.Box([]ui.Button{r.Save("protection.make_file")},
			id)}}, t)
}

// purged is a page of the purge list.
func (p *pages) purged(r *site.Request) error {
	v := r.View(false, "id")
	v.Size = admitto.PageSize
	list, total, err := p.Privacy.PurgedResources(r.Context(), r.Reader(), admitto.PageQuery{Page: int64(v.Page)})
	if err != nil {
		return err
	}
	t := ui.Table{Cards: true, Caption: r.T("protection.tab_purged"), Columns: []ui.Column{
		{Title: r.T("protection.what_record"), Place: "main"}, {Title: r.T("protection.purged_at"), Place: "label"},
		{Title: r.T("protection.deleted_at"), Place: "label"}, {Title: r.T("protection.created"), Place: "label"},
		{Title: r.T("protection.request"), Place: "label"}},
		Empty: ui.Empty{Icon: "trash-2", Title: r.T("protection.none_purged"),
			Text: r.T("protection.none_purged_text")}}
	for i := range list {
		e := &list[i]
		deleted := ui.Cell{Text: r.Clock(e.Marked)}
		if e.MarkedBy != 0 {
			deleted.Note = r.T("protection.by_staff", "ID", e.MarkedBy)
		}
		asked := ui.Cell{Text: r.T("protection.no_request")}
		if e.ForgetRequested != 0 {
			asked.Text = r.Clock(e.ForgetRequested)
		}
		what := r.T("protection.applicant_id", "ID", e.Object)
		if e.Type == admitto.PurgedApplication {
			what = r.T("protection.application_id", "ID", e.Object)
		}
		t.Rows = append(t.Rows, ui.Row{Label: what, Cells: []ui.Cell{{Text: what}, {Text: r.Clock(e.Purged)}, deleted,
			{Text: r.Clock(e.Created)}, asked}})
	}
	parts := []ui.Component{ui.Words{Text: r.Plural("protection.purged_n", int(total))}, t}
	if pager := v.Pager(int(total)); pager != nil {
		pager.Sizes = nil
		parts = append(parts, *pager)
	}
	return p.show(r, "purged", "protection.purged_text", nil, parts...)
}
