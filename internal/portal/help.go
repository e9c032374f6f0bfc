package portal

import (
	"log/slog"
	"net/url"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// helpRoutes are the pages of screens.md P26, which are open to everybody, also while the database cannot be reached.
func (p *pages) helpRoutes() []site.Route {
	open := site.Everyone()
	return []site.Route{
		{Name: "help", Path: "/help", Access: open, Calm: true, Handle: p.help},
		{Name: "privacy", Path: "/privacy", Access: open, Calm: true, Handle: p.privacy},
		{Name: "accessibility", Path: "/accessibility", Access: open, Calm: true, Handle: p.accessibility},
		{Name: "status", Path: "/status", Access: open, Calm: true, Handle: p.status},
	}
}

// subjects are what a link to the help may be about, with the message that says so.
func subjects() map[string]string {
	return map[string]string{"mail": "help.mail", "blocked": "help.blocked", "citizenship": "help.citizenship",
		"email": "help.email", "accessibility": "help.accessibility", "privacy": "help.privacy", "status": "help.status",
		"deadline": "help.deadline", "offer": "help.offer", "answers": "help.answers", "application": "help.over",
		"invoice": "help.invoice", "course": "help.course", "submit": "help.submit",
		"course-deadline": "help.course_deadline"}
}

// helpOn is the query of a link to the help from the page that is shown: which one it is, and of which record.
func helpOn(r *site.Request) string {
	name := r.Name()
	if name == "" || name == "help" {
		return ""
	}
	query := "?page=" + url.QueryEscape(name)
	if id, err := r.ID(); err == nil {
		query += "&id=" + strconv.FormatInt(id, 10)
	}
	return query
}

// numberOf is how the reader knows the record with an ID that a question is about: an invoice of theirs by its number,
// a course by its name, too.
func (p *pages) numberOf(r *site.Request, asked url.Values, id int64) string {
	if (asked.Get("about") == "invoice" || asked.Get("page") == "my-invoice") && r.Person.Account != 0 {
		in, err := p.Query.InvoiceOfApplicant(r.Context(), r.Reader(), r.Person.Account, id)
		if err == nil {
			return in.Number
		}
		slog.WarnContext(r.Context(), "help does not name the invoice", "error", err)
	}
	number := strconv.FormatInt(id, 10)
	if about := asked.Get("about"); about == "course" || about == "course-deadline" || asked.Get("page") == "course" {
		c, _, err := p.Query.OfferedCourse(r.Context(), id, "")
		if err == nil {
			name, _ := c.NameIn(r.Lang)
			return r.T("help.named", "ID", number, "Name", name)
		}
		if admitto.KindOf(err) != admitto.NotFound {
			slog.WarnContext(r.Context(), "help does not name the course", "error", err)
		}
	}
	return number
}

// applicationOf is the application that the record of a page of the reader belongs to; 0 for none.
func (p *pages) applicationOf(r *site.Request, page string, id int64) (application int64) {
	if r.Person.Account == 0 {
		return 0
	}
	var err error
	switch page {
	case "my-task":
		application, err = p.Query.ApplicationWith(r.Context(), r.Reader(), admitto.Row{Kind: admitto.TaskRow, ID: id})
	case "my-offer", "my-answer":
		application, err = p.Query.ApplicationWith(r.Context(), r.Reader(), admitto.Row{Kind: admitto.OfferRow, ID: id})
	case "my-invoice":
		var in admitto.Invoice
		in, err = p.Query.InvoiceOfApplicant(r.Context(), r.Reader(), r.Person.Account, id)
		application = in.Application
	}
	if err != nil {
		slog.WarnContext(r.Context(), "help does not name the application", "error", err)
	}
	return application
}

// cause is what a question to the help is about: the words for it, and the application, 0 where none is named.
func (p *pages) cause(r *site.Request) (about string, application int64) {
	asked := r.URL.Query()
	application, _ = strconv.ParseInt(asked.Get("application"), 10, 64)
	id, _ := strconv.ParseInt(asked.Get("id"), 10, 64)
	if key := subjects()[asked.Get("about")]; key != "" {
		about = r.T(key)
	} else if page := asked.Get("page"); page != "" && r.Known(page) && r.Has("title."+page) {
		about = r.T("title." + page)
		if strings.HasPrefix(r.At(page, id), r.At("my-application", id)) {
			return about, id
		}
	}
	if about != "" && id > 0 {
		about += " " + p.numberOf(r, asked, id)
	}
	if application == 0 && id > 0 {
		application = p.applicationOf(r, asked.Get("page"), id)
	}
	return about, application
}

// help says how to reach people, with a mail that names what it is about and who asks.
func (p *pages) help(r *site.Request) error {
	page := site.Sheet{Intro: []string{r.T("help.text")}}
	about, application := p.cause(r)
	if about != "" {
		page.Intro = append([]string{r.T("help.about", "Subject", about)}, page.Intro...)
	}
	page.Parts = []ui.Component{ui.Box{Title: r.T("help.contact"),
		Parts: []ui.Component{p.contact(r, about, application)}}}
	set := r.Settings().Portal
	page.Parts = append(page.Parts, ownText(r, r.T("help.of", "Institution", r.Instance()), set.Help)...)
	questions := ui.Box{Title: r.T("help.questions")}
	keys := [][2]string{{"question.mail", "answer.mail"}, {"question.link", "answer.link"},
		{"question.password", "answer.password"}, {"question.address", "answer.address"}}
	if len(r.Languages()) > 1 {
		keys = append(keys, [2]string{"question.language", "answer.language"})
	}
	for _, q := range keys {
		questions.Parts = append(questions.Parts, ui.Heading{Title: r.T(q[0]), Text: r.T(q[1])})
	}
	page.Parts = append(page.Parts, questions)
	page.Parts = append(page.Parts, ownText(r, r.T("help.assessment"), set.Assessment)...)
	return page.Show(r)
}

// contact is how people are reached; the mail that its link begins has about in its subject, and who asks.
func (p *pages) contact(r *site.Request, about string, application int64) ui.KeyValues {
	set := r.Settings()
	email := set.ContactEmail()
	facts := []ui.KeyValue{{Key: r.T("help.institution"), Value: r.Instance()}}
	if email != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("person.email"), Value: email,
			Href: "mailto:" + email + "?subject=" + url.PathEscape(p.subject(r, about, application))})
	}
	if phone := set.Portal.ContactPhone; phone != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("person.phone"), Value: "\u2066" + phone +
			"\u2069"}) // left to right in every language
	}
	for _, text := range []struct {
		key   string
		texts config.Texts
	}{{"help.hours", set.Portal.ContactHours}, {"help.address", set.Portal.ContactAddress}} {
		if prose := proseOf(r, text.texts); prose.Text != "" {
			facts = append(facts, ui.KeyValue{Key: r.T(text.key), Parts: []ui.Component{prose}})
		}
	}
	return ui.KeyValues{Facts: facts}
}

// subject is that of a mail about something, with the IDs of who asks and of the application that it is about: the one
// that is asked about, else the only one.
func (p *pages) subject(r *site.Request, about string, application int64) string {
	subject := r.T("help.subject", "Institution", r.Instance())
	if about != "" {
		subject += ": " + about
	}
	if r.Person.Account == 0 {
		return subject
	}
	subject += " (" + r.T("portal.account", "ID", strconv.FormatInt(r.Person.Account, 10))
	if id := p.ownApplication(r, application); id != 0 {
		subject += ", " + r.T("help.application", "ID", strconv.FormatInt(id, 10))
	}
	return subject + ")"
}

// ownApplication is the application that the reader asks about, or the only one that they have; 0 for none.
func (p *pages) ownApplication(r *site.Request, asked int64) (only int64) {
	list, err := p.Query.ApplicationsOf(r.Context(), r.Reader(), r.Person.Account,
		admitto.ApplicationQuery{Limit: mostOwn}, &query.ApplicationParts{})
	if err != nil {
		slog.WarnContext(r.Context(), "help does not name the application", "error", err)
		return 0
	}
	n := 0
	for a, err := range list.All() {
		if err != nil {
			return 0
		}
		if a.ID == asked {
			return a.ID
		}
		n, only = n+1, a.ID
	}
	if n > 1 {
		return 0
	}
	return only
}

// proseOf is a text of the institution in the language of the reader; without any, it is empty.
func proseOf(r *site.Request, texts config.Texts) ui.Prose {
	text, lang := texts.In(r.Lang, r.Settings().Instance.Languages)
	if lang == r.Lang {
		lang = ""
	}
	if said := r.Seeded(text); said != text {
		text, lang = said, ""
	}
	return ui.Prose{Text: text, Lang: lang}
}

// ownText is a box with a text of the institution; none where it has none.
func ownText(r *site.Request, title string, texts config.Texts) []ui.Component {
	prose := proseOf(r, texts)
	if prose.Text == "" {
		return nil
	}
	return []ui.Component{ui.Box{Title: title, Parts: []ui.Component{prose}}}
}

// askAbout leads to the help, with what the question is about.
func askAbout(r *site.Request, about string) []ui.Button {
	buttons := r.Buttons(site.Do("help"))
	for i := range buttons {
		buttons[i].Href += "?about=" + about
	}
	return buttons
}

// privacy says what happens with what people enter, and what they declare when they submit.
func (p *pages) privacy(r *site.Request) error {
	set := r.Settings().Portal
	page := site.Sheet{Intro: []string{r.T("privacy.what", "Institution", r.Instance()), r.T("privacy.where"),
		r.T("privacy.cookies"), r.T("privacy.rights")}, Buttons: askAbout(r, "privacy")}
	page.Parts = append(page.Parts, ownText(r, r.T("privacy.of", "Institution", r.Instance()), set.Privacy)...)
	page.Parts = append(page.Parts, ownText(r, r.T("help.assessment"), set.Assessment)...)
	page.Parts = append(page.Parts, ownText(r, r.T("privacy.declarations"), set.Declarations)...)
	return page.Show(r)
}

func (p *pages) accessibility(r *site.Request) error {
	return site.Sheet{Intro: []string{r.T("accessibility.text"), r.T("accessibility.gaps"),
		r.T("accessibility.contact")}, Buttons: askAbout(r, "accessibility"),
		Parts: []ui.Component{ui.Box{Title: r.T("help.contact"),
			Parts: []ui.Component{p.contact(r, r.T("help.accessibility"), 0)}}}}.Show(r)
}

// status says what works.
func (p *pages) status(r *site.Request) error {
	works := func(key string, err error) ui.KeyValue {
		state, tone := "status.works", ui.OK
		if err != nil {
			slog.WarnContext(r.Context(), "the status page shows what is down", "part", key, "error", err)
			state, tone = "status.down", ui.Bad
		}
		return ui.KeyValue{Key: r.T(key), Tags: []ui.Tag{{Text: r.T(state), Icon: tone.Icon(), Tone: tone}}}
	}
	return site.Sheet{Buttons: askAbout(r, "status"), Parts: []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{
		works("status.pages", nil), works("status.data", p.Maintenance.Ready(r.Context())),
		works("status.mail", p.Notify.Reached()), works("status.uploads", p.Files.Works(r.Context())),
	}}, ui.Words{Muted: true, Text: r.T("status.asked", "Time", r.Clock(r.Now()))}}}.Show(r)
}

// mostOwn is how many applications of the reader the help page names.
const mostOwn = 100
