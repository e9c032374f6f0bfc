package batches

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// blocks are the paragraphs of a text.
func blocks(text string) (list []ui.LetterBlock) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		list = append(list, ui.LetterBlock{Parts: []ui.LetterPart{{Text: paragraph}}})
	}
	return list
}

// shown reads the batch of the address, and names the page on the way to this one.
func (p *pages) shown(r *site.Request) (v batch.View, w words, err error) {
	id, err := r.ID()
	if err != nil {
		return v, w, err
	}
	if v, err = p.Batches.Show(r.Context(), r.Reader(), id); err != nil {
		return v, w, err
	}
	if w, err = p.words(r); err == nil {
		r.NameCrumb("batch", r.T("batches.page_title", "ID", id, "Title", w.title(r, &v.Batch)))
	}
	return v, w, err
}

// release lets the batch run, or wait for a second person. Above a number the count is typed.
func (p *pages) release(r *site.Request) error {
	v, w, err := p.shown(r)
	if err != nil {
		return err
	}
	if why := cannotRelease(r, &v); why != nil && !r.Posted() {
		why.Link = &ui.Link{Text: r.T("batches.back"), Href: r.At("batch", v.ID)}
		return site.Sheet{Parts: []ui.Component{*why}}.Show(r)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		typed := f.Number("count", "batches.no_number")
		if !f.Failed() {
			b, err := p.Batches.Release(r.Context(), r.Reader(), v.ID, typed)
			refused, err := f.Refused(err, nil)
			if err != nil {
				return err
			}
			if refused { // what the batch is by now
				if v, w, err = p.shown(r); err != nil {
					return err
				}
			} else {
				said := "batches.said_running"
				if b.State == admitto.BatchWaiting {
					said = "batches.said_waiting"
				}
				r.Notify(ui.OK, r.T(said))
				return r.To("batch", v.ID)
			}
		}
	}
	if why := cannotRelease(r, &v); why != nil { // somebody else was quicker
		return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{{Text: r.T("batches.back"), Href: r.At("batch", v.ID)}},
			*why)}}.Show(r)
	}
	intro := []string{r.T("batches.release_what", "Title", w.title(r, &v.Batch), "Size",
		r.Plural("batches.records_of", int(v.Size)))}
	a, _ := batch.ActionNamed(v.Action)
	if a.Reaches && v.Reached > 0 {
		intro = append(intro, r.Plural("batches.release_reaches", int(v.Reached)))
	} else if !a.Reaches || v.ReachesByMail {
		intro = append(intro, r.T("batches.release_quiet"))
	}
	if a.Reaches && !v.Mails {
		intro = append(intro, r.T("batches.release_no_mail"))
	}
	key := "batches.release_final"
	if a.Undoes {
		key = "batches.release_undo"
	}
	intro = append(intro, r.T(key, "Days", r.Settings().Batch.UndoDays))
	facts, err := p.planFacts(r, &v.Batch, &w)
	if err != nil {
		return err
	}
	to, err := p.recipientFacts(r, &v)
	if err != nil {
		return err
	}
	var parts []ui.Component
	if facts = append(facts, to...); len(facts) > 0 {
		parts = append(parts, ui.KeyValues{Facts: facts})
	}
	if v.Size > batch.AtOnce || v.NobodyElse {
		count := f.Text("count", "batches.count")
		count.InputMode, count.Width = "numeric", "w10"
		parts = append(parts, count)
	}
	save := "action.batch-release"
	if v.NeedsSecond && v.IsOf(r.Person.Account) && !v.NobodyElse {
		save = "batches.ask_second"
	}
	return site.Sheet{Intro: intro, Parts: []ui.Component{f.Box([]ui.Button{r.Save(save), r.Cancel(r.At("batch", v.ID))},
		parts...)}}.Show(r)
}

// cannotRelease says why there is nothing to release, or not for the reader; nil where there is.
func cannotRelease(r *site.Request, v *batch.View) *ui.Notice {
	switch {
	case v.State != admitto.BatchPrepared && v.State != admitto.BatchWaiting:
		return &ui.Notice{Tone: ui.Info, Text: r.T("batches.not_open")}
	case v.Size == 0:
		return &ui.Notice{Tone: ui.Info, Text: r.T("batches.empty")}
	case v.WaitsForOther(r.Person.Account):
		why := waitsNotice(r, v)
		return &why
	}
	return nil
}

// ended shows what a use case said against a press, or that it was done.
func (p *pages) ended(r *site.Request, id int64, err error, said string) error {
	f, failed := r.Form(nil, 0)
	if failed != nil {
		return failed
	}
	refused, err := f.Refused(err, nil)
	if err != nil {
		return err
	}
	if !refused {
		r.Notify(ui.OK, r.T(said))
	} else if summary := f.Summary(); summary != nil {
		for _, fault := range summary.Faults {
			r.Notify(ui.Bad, fault.Text)
		}
	}
	return r.Redirect(r.Next(r.At("batch", id)))
}

func (p *pages) discard(r *site.Request) error {
	v, w, err := p.shown(r)
	if err != nil {
		return err
	}
	if r.Posted() {
		_, err := p.Batches.Discard(r.Context(), r.Reader(), v.ID)
		return p.ended(r, v.ID, err, "batches.said_discarded")
	}
	return r.Ask(ui.Confirmation{Title: r.Title(), Text: w.title(r, &v.Batch), Effects: []ui.Effect{{Icon: "ban",
		Text: r.T("batches.discard_text")}}, Confirm: ui.Button{Text: r.T("action.batch-discard"), Danger: true},
		Back: ui.Link{Text: r.T("dialog.cancel"), Href: r.At("batch", v.ID)}})
}

func (p *pages) stop(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	_, err = p.Batches.Stop(r.Context(), r.Reader(), id)
	return p.ended(r, id, err, "batches.said_stopped")
}

func (p *pages) resume(r *site.Request) error {
	v, w, err := p.shown(r)
	if err != nil {
		return err
	}
	if r.Posted() {
		_, err := p.Batches.Resume(r.Context(), r.Reader(), v.ID)
		return p.ended(r, v.ID, err, "batches.said_resumed")
	}
	if v.State != admitto.BatchStopped || v.WaitsForOther(r.Person.Account) {
		return r.To("batch", v.ID)
	}
	effects := []ui.Effect{{Icon: "circle-dot", Text: r.T("batches.resume_left", "Records",
		r.Plural("batches.records_of", int(v.Size-v.Done-v.Skipped-v.Failed)))}}
	if v.StoppedBy != 0 {
		effects = append(effects, ui.Effect{Icon: "clock", Text: r.T("batches.resume_stopped", "Who", w.who(r, v.StoppedBy),
			"Time", r.Clock(v.Ended))})
	}
	for _, why := range v.Why {
		effects = append(effects, ui.Effect{Icon: "triangle-alert", Text: r.Say(why)})
	}
	return r.Ask(ui.Confirmation{Title: r.Title(), Text: w.title(r, &v.Batch), Effects: effects,
		Confirm: ui.Button{Text: r.T("action.batch-resume"), Primary: true},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("batch", v.ID)}})
}

// csv is all lines of the batch as a file.
func (p *pages) csv(r *site.Request) error {
	v, w, err := p.shown(r)
	if err != nil {
		return err
	}
	people := r.Reader().Has(admitto.ApplicantsView)
	var heads []string
	for _, name := range []string{"nr", "record", "person", "recipient", "subject", "was", "becomes", "state", "why"} {
		heads = append(heads, r.T("batches."+name))
	}
	return r.CSV("batch-"+number(v.ID), heads, func(row func(cells ...string) error) error {
		for after, more := int64(0), true; more; {
			lines, further, err := p.Batches.Lines(r.Context(), r.Reader(), v.ID, after, "", 500)
			if err != nil {
				return err
			}
			for i := range lines {
				c := &lines[i]
				if !people {
					c.Name, c.Recipient, c.Subject = "", "", ""
				}
				var why []string
				for _, text := range c.Reasons {
					why = append(why, r.Say(text))
				}
				if err := row(number(c.Place), number(c.Record), c.Name, c.Recipient, c.Subject,
					w.value(r, &v.Batch, c.Was), w.value(r, &v.Batch, c.Becomes), recordTag(r, &v.Batch, c.State).Text,
					strings.Join(why, " ")); err != nil {
					return err
				}
				after = c.Place
			}
			more = further
		}
		return nil
	})
}
