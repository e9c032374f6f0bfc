package admin

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// journalVerify asks for a check of the chain and shows how far it is (screens.md A49). A job does the check.
func (p *pages) journalVerify(r *site.Request) error {
	c, err := p.Maintenance.JournalCheck(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	last, _, err := p.Maintenance.JournalAnchor(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	begin := c.Verified + 1
	if begin > last {
		begin = 1
	}
	f, err := r.Form(site.Values{"from": site.One(number(begin))}, 0)
	if err != nil {
		return err
	}
	if r.Posted() && !c.Running() {
		from, to := f.Number("from", "api_keys.no_number"), f.Number("to", "api_keys.no_number")
		if !f.Failed() {
			refused, err := f.Refused(p.Maintenance.AskJournalCheck(r.Context(), r.Reader(), from, to),
				map[admitto.Path]string{"check.from": "from"})
			if err != nil {
				return err
			}
			if !refused {
				return r.To("journal-verify")
			}
		}
	}
	if r.Posted() && c.Running() {
		return r.To("journal-verify") // there is one at a time
	}
	parts := []ui.Component{ui.Words{Text: verifiedWords(r, &c)}}
	if c.To != 0 {
		parts = append(parts, p.checkBox(r, &c, last))
	}
	if !c.Running() {
		r.Over()
	}
	if !c.Running() && last > 0 {
		from, to := f.Text("from", "journal.check_from"), f.Text("to", "journal.check_to")
		from.InputMode, to.InputMode, to.Optional = "numeric", "numeric", true
		from.Width, to.Width = "w10", "w10"
		parts = append(parts, f.Box([]ui.Button{r.Save("action.journal-verify")},
			ui.Columns{Parts: []ui.Component{from, to}}))
	}
	return site.Sheet{Intro: []string{r.T("journal.verify_text")}, Parts: parts}.Show(r)
}

// checkBox is the check that was asked for last: under way, or with what it found.
func (p *pages) checkBox(r *site.Request, c *admitto.JournalCheck, last int64) ui.Box {
	box := ui.Box{ID: "check", Title: r.T("journal.check")}
	asked := r.T("journal.range", "From", number(c.From), "To", number(c.To))
	if c.Running() {
		done, of := int(c.Reached-c.From+1), int(c.To-c.From+1)
		box.Again = r.At("journal-verify")
		box.Parts = []ui.Component{ui.Progress{Label: asked, Done: done, Of: of, Text: r.T("journal.check_at", "Done",
			r.Number(done), "Of", r.Number(of))}, ui.Button{
			Text: r.T("journal.look_again"), Href: r.At("journal-verify"), Small: true}}
		return box
	}
	notice := ui.Notice{Tone: ui.OK, Text: r.T("journal.fits", "Range", asked, "Time", r.Clock(c.Finished))}
	if c.Broken != 0 {
		notice = ui.Notice{Tone: ui.Bad, Text: r.T("journal.broken", "ID", number(c.Broken), "Reason",
			r.T(breakKey(c.Reason)),
			"Time", r.Clock(c.Finished))}
		if c.Reason != admitto.RecordMissing && c.Broken <= last {
			notice.Link = &ui.Link{Text: r.T("journal.show_record"), Href: r.At("journal-record", c.Broken)}
		}
	}
	box.Parts = []ui.Component{notice}
	return box
}

// breakKey is the message that says why a record does not fit.
func breakKey(reason string) string {
	switch reason {
	case admitto.RecordMissing:
		return "journal.record_missing"
	case admitto.RecordChanged:
		return "journal.record_changed"
	case admitto.DetailsChanged:
		return "journal.details_changed"
	case admitto.DetailsMissing:
		return "journal.details_missing"
	case admitto.HeadNamesAnother:
		return "journal.head_another"
	}
	return "journal.head_before"
}
