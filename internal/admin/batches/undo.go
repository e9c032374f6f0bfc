package batches

import (
	"net/url"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// undo shows what would be put back and what cannot be, and does it.
func (p *pages) undo(r *site.Request) error {
	v, w, err := p.shown(r)
	if err != nil {
		return err
	}
	if r.Posted() {
		_, err := p.Batches.Undo(r.Context(), r.Reader(), v.ID)
		return p.ended(r, v.ID, err, "batches.said_undoing")
	}
	preview, err := p.Batches.PreviewUndo(r.Context(), r.Reader(), v.ID)
	if kind := admitto.KindOf(err); kind == admitto.NotAllowedNow {
		return p.ended(r, v.ID, err, "")
	}
	if err != nil {
		return err
	}
	records := func(n int64) string { return r.Plural("batches.records_of", int(n)) }
	effects := []ui.Effect{{Icon: "undo-2", Text: r.T("batches.undo_back", "Records", records(preview.Back))}}
	if preview.Looked < v.Done {
		effects[0].Text = r.T("batches.undo_first", "Looked", records(preview.Looked), "Of", r.Number(int(v.Done)),
			"Back", r.Number(int(preview.Back)))
	}
	if preview.Left > 0 {
		effects = append(effects, ui.Effect{Icon: "triangle-alert",
			Text: r.T("batches.undo_stays", "Records", records(preview.Left))})
	} else {
		effects = append(effects, ui.Effect{Icon: "triangle-alert", Text: r.T("batches.undo_left")})
	}
	if preview.Told > 0 {
		effects = append(effects, ui.Effect{Icon: "mail", Text: r.Plural("batches.undo_told", int(preview.Told))})
	}
	var fields []ui.Component
	if len(preview.Lines) > 0 {
		fields = append(fields, exceptions(r, &v, r.T("batches.stays"), preview.Lines, func(c *batch.Line) (cell ui.Cell) {
			for _, why := range c.Reasons {
				cell.Text += r.Say(why) + " "
			}
			return cell
		}))
	}
	people := r.Reader().Has(admitto.ApplicantsView)
	if len(preview.Sent) > 0 && people {
		fields = append(fields, exceptions(r, &v, r.T("batches.sent"), preview.Sent, func(c *batch.Line) ui.Cell {
			return ui.Cell{Text: c.Recipient}
		}))
	}
	if r.Reader().Has(admitto.MessagesSend) && preview.Told > 0 {
		write := correction(r, &v)
		fields = append(fields, ui.Links{Links: []ui.Link{{Text: write.Text, Href: write.Href}}})
	}
	return r.Ask(ui.Confirmation{Title: r.Title(), Text: w.title(r, &v.Batch), Effects: effects, Fields: fields,
		Confirm: ui.Button{Text: r.T("action.batch-undo"), Danger: true},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("batch", v.ID)}})
}

// exceptions are records that an undoing does not put back, or not wholly.
func exceptions(r *site.Request, v *batch.View, title string, lines []batch.Line,
	last func(*batch.Line) ui.Cell) ui.Component {
	t := ui.Table{Caption: title, Columns: []ui.Column{{Title: recordTitle(r, v), Place: "main"}}}
	people := r.Reader().Has(admitto.ApplicantsView)
	if people {
		t.Columns = append(t.Columns, ui.Column{Title: r.T("batches.person")})
	}
	t.Columns = append(t.Columns, ui.Column{Title: title, Place: "label"})
	for i := range lines {
		c := &lines[i]
		row := ui.Row{ID: number(c.Place), Label: number(c.Record), Cells: []ui.Cell{recordCell(r, v, c)}}
		if people {
			row.Cells = append(row.Cells, ui.Cell{Text: c.Name})
		}
		row.Cells = append(row.Cells, last(c))
		t.Rows = append(t.Rows, row)
	}
	return t
}

// correction leads to a message to those whom the batch has written to.
func correction(r *site.Request, v *batch.View) ui.Button {
	subject := r.T("batches.correction")
	text := r.T("batches.correction_text", "Day", r.Day(v.Released))
	if v.Params.Subject != "" {
		text = r.T("batches.correction_about", "Day", r.Day(v.Released), "Subject", v.Params.Subject)
	}
	return ui.Button{Text: r.T("action.batch-correct"), Small: true, Href: r.At("batch-new") + "?" + url.Values{
		"action": {"message"}, "of-batch": {number(v.ID)}, "subject": {subject}, "text": {text}}.Encode()}
}
