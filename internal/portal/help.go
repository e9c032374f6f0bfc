package portal

import (
	"net/url"
	"strconv"

	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// helpRoutes are the pages of screens.md P26, which are open to everybody.
func (p *pages) helpRoutes() []site.Route {
	open := site.Everyone()
	return []site.Route{
		{Name: "help", Path: "/help", Access: open, Handle: p.help},
		{Name: "privacy", Path: "/privacy", Access: open, Handle: p.privacy},
		{Name: "accessibility", Path: "/accessibility", Access: open, Handle: p.accessibility},
		{Name: "status", Path: "/status", Access: open, Handle: p.status},
	}
}

// subjects are what a link to the help may be about, with the message that says so.
func subjects() map[string]string {
	return map[string]string{"mail": "help.mail", "blocked": "help.blocked", "citizenship": "help.citizenship",
		"email": "help.email"}
}

// help says how to reach people, with a mail that names what it is about.
func (p *pages) help(r *site.Request) error {
	subject := r.T("help.subject", "Institution", r.Instance())
	page := site.Sheet{Intro: []string{r.T("help.text")}}
	if key := subjects()[r.URL.Query().Get("about")]; key != "" {
		words := r.T(key)
		page.Intro = append([]string{words}, page.Intro...)
		subject += ": " + words
	}
	if r.Person.Account != 0 {
		subject += " (" + r.T("portal.account", "ID", strconv.FormatInt(r.Person.Account, 10)) + ")"
	}
	contact := ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("help.institution"), Value: r.Instance()}}}
	if from := p.Core.Settings().Mail.From; from != nil {
		contact.Facts = append(contact.Facts, ui.KeyValue{Key: r.T("person.email"), Value: from.Address,
			Href: "mailto:" + from.Address + "?subject=" + url.PathEscape(subject)})
	}
	questions := ui.Box{Title: r.T("help.questions")}
	for _, q := range [][2]string{{"question.mail", "answer.mail"}, {"question.link", "answer.link"},
		{"question.password", "answer.password"}, {"question.address", "answer.address"},
		{"question.language", "answer.language"}} {
		questions.Parts = append(questions.Parts, ui.Heading{Title: r.T(q[0]), Text: r.T(q[1])})
	}
	page.Parts = []ui.Component{ui.Box{Title: r.T("help.contact"), Parts: []ui.Component{contact}},
		questions}
	return page.Show(r)
}

func (p *pages) privacy(r *site.Request) error {
	return site.Sheet{Intro: []string{r.T("privacy.what", "Institution", r.Instance()), r.T("privacy.where"),
		r.T("privacy.cookies"), r.T("privacy.rights")}, Buttons: r.Buttons(site.Do("help"))}.Show(r)
}

func (p *pages) accessibility(r *site.Request) error {
	return site.Sheet{Intro: []string{r.T("accessibility.text"), r.T("accessibility.gaps"),
		r.T("accessibility.contact")}, Buttons: r.Buttons(site.Do("help"))}.Show(r)
}

// status says that the service answers.
func (p *pages) status(r *site.Request) error {
	state, tone := "status.works", ui.OK
	if err := p.Maintenance.Ready(r.Context()); err != nil {
		state, tone = "status.down", ui.Bad
	}
	return site.Sheet{Parts: []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{
		{Key: r.T("status.pages"), Tags: []ui.Tag{{Text: r.T("status.works"), Icon: ui.OK.Icon(), Tone: ui.OK}}},
		{Key: r.T("status.data"), Tags: []ui.Tag{{Text: r.T(state), Icon: tone.Icon(), Tone: tone}}},
	}}, ui.Words{Muted: true, Text: r.T("status.asked", "Time", r.Clock(r.Now()))}}}.Show(r)
}
