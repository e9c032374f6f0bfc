package application

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// What stands both in the account and in each application (lifecycle.md 3.5), and where a change of it is to be made,
// too. They are parts of addresses and messages.
const (
	nameOf, phoneOf          = "name", "phone"
	toAccount, toApplication = "account", "application"
)

// paths are the fields of the form that the account has, too, by their paths below the section.
var paths = map[string][]string{
	nameOf:  {"name/given", "name/middle", "name/family"},
	phoneOf: {"telephone/mobile"}}

// sectionWith is the section that has them.
var sectionWith = map[string]string{nameOf: "profile", phoneOf: contact}

// openAsk asks whether a change is to be made on the other side, too. The session keeps those without an answer, and
// no word of what was changed.
type openAsk struct {
	to, what    string
	application int64
}

// keptAsks is their key in the session.
const keptAsks = "also"

func (k openAsk) String() string { return k.to + ":" + k.what + ":" + number(k.application) }

func openAsks(r *site.Request) (list []openAsk) {
	for text := range strings.FieldsSeq(r.Look(keptAsks)) {
		if parts := strings.Split(text, ":"); len(parts) == 3 {
			if id, err := strconv.ParseInt(parts[2], 10, 64); err == nil {
				list = append(list, openAsk{parts[0], parts[1], id})
			}
		}
	}
	return list
}

// settle takes what is asked about one value of an application out of the session, and asks what takes its place; nil
// for nothing.
func settle(r *site.Request, what string, application int64, ask *openAsk) {
	list := slices.DeleteFunc(openAsks(r), func(k openAsk) bool { return k.what == what && k.application == application })
	if ask != nil {
		list = append(list, *ask)
	}
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = list[i].String()
	}
	if kept := strings.Join(texts, " "); kept != r.Look(keptAsks) {
		r.Keep(keptAsks, kept)
	}
}

// here are the texts of the application, there those of the account, in the order of paths.
func (a *own) here(what string) (texts []string) {
	for _, below := range paths[what] {
		texts = append(texts, a.Form.Content.Text(sectionWith[what]+"/"+below))
	}
	return texts
}

func (a *own) there(what string) []string {
	if what == phoneOf {
		return site.One(a.Person.Phone)
	}
	return []string{a.Person.Name.Given, a.Person.Name.Middle, a.Person.Name.Family}
}

// same reports whether texts say the same: telephone numbers may be written with other spaces.
func same(what string, a, b []string) bool {
	return slices.EqualFunc(a, b, func(a, b string) bool {
		if what == phoneOf {
			strip := strings.NewReplacer(" ", "", "-", "", "(", "", ")", "", "/", "", ".", "")
			a, b = strip.Replace(a), strip.Replace(b)
		}
		return strings.TrimSpace(a) == strings.TrimSpace(b)
	})
}

// differs reports whether application and account say different things, both something.
func (a *own) differs(what string) bool {
	here, there := a.here(what), a.there(what)
	last := len(here) - 1 // the family name, or the number
	for _, below := range paths[what] {
		if _, wrong := a.Form.Content.Attention[sectionWith[what]+"/"+below]; wrong {
			return false
		}
	}
	return here[last] != "" && there[last] != "" && !same(what, here, there)
}

// mayAlso reports whether the application can still take over what the account says.
func (a *own) mayAlso(what string) bool {
	return a.isOpen() && a.mayFill(sectionWith[what]) && !slices.ContainsFunc(paths[what], func(below string) bool {
		return a.Form.IsFrozen(sectionWith[what] + "/" + below)
	})
}

// askAccount asks whether what was saved in a section is to be changed in the account, too: once for each value.
func (a *own) askAccount(r *site.Request, section string, before *own) {
	for what, of := range sectionWith {
		if of != section || same(what, before.here(what), a.here(what)) {
			continue
		}
		if a.differs(what) {
			settle(r, what, a.ID, &openAsk{toAccount, what, a.ID})
		} else {
			settle(r, what, a.ID, nil)
		}
	}
}

// AccountChanged asks whether a change of names or of the telephone number in the account is to be made in the
// applications that are not submitted, too.
func AccountChanged(r *site.Request, s *services.Services, before *admitto.Applicant) error {
	mine, _, err := (&pages{s}).mine(r)
	if err != nil {
		return err
	}
	was := own{}
	was.Person = *before
	for _, a := range mine {
		for what := range sectionWith {
			switch {
			case same(what, was.there(what), a.there(what)):
			case a.differs(what) && a.mayAlso(what):
				settle(r, what, a.ID, &openAsk{toApplication, what, a.ID})
			default:
				settle(r, what, a.ID, nil)
			}
		}
	}
	return nil
}

// Also shows what is asked after a change in the account.
func Also(r *site.Request, s *services.Services) (parts []ui.Component, err error) {
	for _, k := range openAsks(r) {
		if k.to != toApplication {
			continue
		}
		a, err := (&pages{s}).read(r, k.application)
		if admitto.KindOf(err) == admitto.NotFound {
			continue // taken away meanwhile
		}
		if err != nil {
			return nil, err
		}
		if box := a.askBox(r, k); box != nil {
			parts = append(parts, box)
		}
	}
	return parts, nil
}

// also shows what is asked about the application.
func (a *own) also(r *site.Request) (parts []ui.Component) {
	for _, k := range openAsks(r) {
		if k.application == a.ID {
			if box := a.askBox(r, k); box != nil {
				parts = append(parts, box)
			}
		}
	}
	return parts
}

// fits reports whether the account can take what the application says.
func (a *own) fits(what string) bool {
	return what != nameOf || !slices.ContainsFunc(a.here(what), func(text string) bool {
		return utf8.RuneCountInString(text) > accounts.MostName
	})
}

// askBox asks; nil where there is nothing to ask any more.
func (a *own) askBox(r *site.Request, k openAsk) ui.Component {
	if !a.differs(k.what) || k.to == toAccount && !a.fits(k.what) || k.to == toApplication && !a.mayAlso(k.what) {
		return nil
	}
	words := func(texts []string) string { return strings.Join(strings.Fields(strings.Join(texts, " ")), " ") }
	title := r.T("applications.title", "ID", number(a.ID))
	key, yes := "also."+k.to+"_"+k.what, "also.yes_"+k.to
	return ui.Box{Title: r.T(key, "Title", title), Parts: []ui.Component{
		ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("also.in_account"), Value: words(a.there(k.what))},
			{Key: r.T("also.in_application"), Value: words(a.here(k.what))}}},
		ui.FormBox{Action: r.At("my-also", a.ID, k.to, k.what) + r.Back(), Buttons: []ui.Button{
			{Text: r.T(yes), Name: answerField, Value: "yes"},
			{Text: r.T("also.no"), Name: answerField, Value: "no", Plain: true}}}}}
}

// answerField is the name of the buttons.
const answerField = "answer"

// answerAlso makes the change on the other side, too, or leaves it.
func (p *pages) answerAlso(r *site.Request, a *own) error {
	k := openAsk{r.Part("to"), r.Part("what"), a.ID}
	back := r.Next(r.At("my-application", a.ID))
	if !slices.Contains(openAsks(r), k) {
		return r.Redirect(back)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	settle(r, k.what, a.ID, nil)
	if f.Get(answerField) != "yes" || !a.differs(k.what) {
		r.Notify(ui.Info, r.T("also.left"))
		return r.Redirect(back)
	}
	said := "also.done_" + k.to
	refused, err := f.Refused(p.changeAlso(r, a, k), nil)
	if err != nil {
		return err
	}
	if refused {
		f.NotifyFaults()
	} else {
		r.Notify(ui.OK, r.T(said))
	}
	return r.Redirect(back)
}

func (p *pages) changeAlso(r *site.Request, a *own, k openAsk) error {
	if k.to == toAccount {
		here := a.here(k.what)
		edit := accounts.ApplicantEdit{Phone: &here[0]}
		if k.what == nameOf {
			edit = accounts.ApplicantEdit{Given: &here[0], Middle: &here[1], Family: &here[2]}
		}
		return p.Accounts.EditApplicant(r.Context(), r.Caller(), a.Applicant, edit)
	}
	edit := admissions.SectionEdit{Section: sectionWith[k.what], Typed: map[string][]string{}}
	for n, text := range a.there(k.what) {
		edit.Typed[paths[k.what][n]] = site.One(text)
	}
	return p.Admissions.SaveSection(r.Context(), r.Caller(), a.ID, edit)
}
