package mydata

import (
	"errors"
	"io"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// mine says what is kept, for how long and who may see it, and makes a file with it.
func (p *pages) mine(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(p.Privacy.AskOwnData(r.Context(), r.Caller()), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("my_data.asked"))
			return r.To("privacy-mine")
		}
	}
	list, err := p.Privacy.OwnData(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	page := site.Sheet{Intro: []string{r.T("my_data.intro", "Institution", r.Instance())}, Parts: []ui.Component{
		ui.Box{Title: r.T("my_data.kept"), Parts: []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{
			{Key: r.T("my_data.what"), Parts: []ui.Component{ui.Words{Text: r.T("my_data.what_text")},
				ui.Words{Text: r.T("my_data.what_more")}}},
			{Key: r.T("my_data.long"), Value: r.T("my_data.long_text")},
			{Key: r.T("my_data.who"), Value: r.T("my_data.who_text")},
			{Key: r.T("my_data.change"), Parts: []ui.Component{ui.Links{Links: []ui.Link{
				{Text: r.T("title.my-account"), Href: r.At("my-account")},
				{Text: r.T("title.consents"), Href: r.At("consents")},
				{Text: r.T("title.help"), Href: r.At("help") + "?about=privacy"}}}}}}}}},
		p.download(r, f, list)}}
	requests, err := p.Privacy.OwnRequests(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	page.Parts = append(page.Parts, p.requestBox(r, requests))
	set := &r.Settings().Portal
	page.Parts = append(page.Parts, ownText(r, r.T("privacy.of", "Institution", r.Instance()), set.Privacy)...)
	page.Parts = append(page.Parts, ownText(r, r.T("help.assessment"), set.Assessment)...)
	return page.Show(r)
}

// download is the box of the files that were asked for, the newest first, and of the button that asks for one. While
// one is made the box is read again.
func (p *pages) download(r *site.Request, f *site.Form, list []admitto.DataExport) ui.Box {
	box := ui.Box{ID: "file", Title: r.T("my_data.download_title")}
	press := ui.Button{Text: r.T("my_data.make"), Primary: true, Busy: r.T("form.saving")}
	for i := range list {
		e := &list[i]
		switch {
		case e.Running():
			here := r.At("privacy-mine")
			box.Again = here
			box.Parts = append(box.Parts, ui.Progress{Label: r.T("my_data.running"), Text: r.T("my_data.asked_at",
				"Time",
				r.Clock(e.Asked))}, ui.Button{Text: r.T("journal.look_again"), Href: here, Small: true})
			return box
		case e.Failed:
			box.Parts = append(box.Parts, ui.Notice{Tone: ui.Bad, Text: r.T("my_data.failed", "Time", r.Clock(e.Asked)),
				Link: &ui.Link{Text: r.T("title.help"), Href: r.At("help") + "?about=privacy"}})
		default:
			box.Parts = append(box.Parts, ui.Notice{Tone: ui.OK, Text: r.T("my_data.ready", "Time", r.Clock(e.Finished),
				"Until", r.Clock(e.Expires))}, ui.Button{Icon: "download", Text: r.T("my_data.download", "Size",
				r.Size(e.Size)), Href: r.At("my-data-file", e.ID), Primary: press.Primary})
			press.Text, press.Primary = r.T("my_data.again"), false
		}
	}
	if len(list) == 0 {
		box.Parts = append(box.Parts, ui.Effects{{Icon: "download", Text: r.T("my_data.effect")},
			{Icon: "clock", Text: r.T("my_data.days")}, {Icon: "eye", Text: r.T("my_data.careful")}})
	}
	box.Parts = append(box.Parts, f.Box([]ui.Button{press}))
	return box
}

// file answers with a file that was made. Whose it is, is asked each time.
func (p *pages) file(r *site.Request) error {
	id, err := r.IDAt("file")
	if err != nil {
		return err
	}
	content, err := p.Privacy.OpenOwnData(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	return r.Download("my-data.zip", "application/zip", func(w io.Writer) error {
		_, err := io.Copy(w, content)
		return errors.Join(err, content.Close())
	})
}

// ownText is a box with a text of the institution; none where it has none.
func ownText(r *site.Request, title string, texts config.Texts) []ui.Component {
	text, lang := texts.In(r.Lang, r.Settings().Instance.Languages)
	if text == "" {
		return nil
	}
	if lang == r.Lang {
		lang = ""
	}
	return []ui.Component{ui.Box{Title: title, Parts: []ui.Component{ui.Prose{Text: text, Lang: lang}}}}
}
