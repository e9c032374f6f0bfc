package admin

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// applicantAdd is screens.md A09.
func (p *pages) applicantAdd(r *site.Request) error {
	f, err := r.Form(site.Values{"welcome": site.One("yes")}, 0)
	if err != nil {
		return err
	}
	var holder int64
	if r.Posted() {
		in := accounts.AddedApplicant{Given: f.Get("given"), Family: f.Get("family"), Email: f.Get("email"),
			Phone: f.Get("phone"), Citizenship: f.Get("citizenship"), Note: f.Get("note"), Welcome: f.Has("welcome")}
		if r.May("applicant-trackers") {
			if tracker := f.Choice("tracker"); tracker != 0 {
				in.Trackers = []int64{tracker}
			}
		}
		id, err := p.Accounts.AddApplicant(r.Context(), r.Caller(), in)
		if known := existing(err); known != 0 {
			holder = known
			f.Fail("email", "applicant.email_known", "ID", known)
		} else if refused, err := f.Refused(err, nil); err != nil {
			return err
		} else if !refused {
			r.Notify(ui.OK, r.T("applicant.added"))
			return r.To("applicant", id)
		}
	}
	parts := []ui.Component{
		f.Email("email", "applicant.email", "off"), f.Text("given", "applicant.given"), f.Text("family", "applicant.family"),
		optional(phone(f)), f.Country("citizenship", "applicant.citizenship", show.Countries(r, r.T("value.none"))...),
	}
	if r.May("applicant-trackers") {
		trackers, err := p.Query.Trackers(r.Context(), r.Reader())
		if err != nil {
			return err
		}
		parts = append(parts, f.Select("tracker", "applicant.tracker", trackerOptions(r, trackers)...))
	}
	note := f.Long("note", "applicant.note", 3, show.MostNote)
	note.Optional = true
	parts = append(parts, note, f.Tick("welcome", "applicant.welcome", "applicant.send_welcome"))
	box := f.Box([]ui.Button{r.Save("action.applicant-add"), r.Cancel(r.At("applicants"))}, parts...)
	if holder != 0 {
		box.Head.Notices = append(box.Head.Notices, ui.Notice{Tone: ui.Info, Text: r.T("applicant.email_known_text"),
			Link: &ui.Link{Text: r.T("applicant.open_card", "ID", holder), Href: r.At("applicant", holder)}})
	}
	return site.Sheet{Intro: []string{r.T("applicant.add_intro")}, Parts: []ui.Component{box}}.Show(r)
}

func phone(f *site.Form) ui.TextField {
	field := f.Text("phone", "applicant.phone")
	field.Type, field.Autocomplete = "tel", "off"
	return field
}

func optional(t ui.TextField) ui.TextField {
	t.Optional = true
	return t
}

// existing is who has what was to be made, 0 for nobody.
func existing(err error) int64 {
	var refused *admitto.Error
	if errors.As(err, &refused) && refused.Kind == admitto.AlreadyExists {
		return refused.Existing
	}
	return 0
}

func trackerOptions(r *site.Request, trackers []admitto.Tracker) []ui.Option {
	options := []ui.Option{{Text: r.T("applicant.no_tracker")}}
	for _, t := range trackers {
		options = append(options, ui.Option{Value: strconv.FormatInt(t.ID, 10), Text: t.Code})
	}
	return options
}

// applicantFields are the fields of the form for an applicant, with the messages that name them, in the order of the
// page.
var applicantFields = [][2]string{{"type", "applicant.type"}, {"given", "applicant.given"},
	{"middle", "applicant.middle"}, {"family", "applicant.family"}, {"parent", "applicant.parent"},
	{"legal", "applicant.legal"}, {"phone", "applicant.phone"}, {"skype", "applicant.skype"},
	{"citizenship", "applicant.citizenship"}, {"address", "applicant.address"}, {"vatin", "applicant.vatin"}}

func applicantValues(a *admitto.Applicant) site.Values {
	return site.Values{"type": site.One(string(a.Type)), "given": site.One(a.Name.Given),
		"middle": site.One(a.Name.Middle), "family": site.One(a.Name.Family), "parent": site.One(a.Name.Parent),
		"legal": site.One(a.Name.Legal), "phone": site.One(a.Phone), "skype": site.One(a.Skype),
		"citizenship": site.One(a.Citizenship), "address": site.One(a.Address), "vatin": site.One(a.VATIN)}
}

// applicantEdit changes what staff may change of an applicant at once.
func (p *pages) applicantEdit(r *site.Request, a *accounts.ApplicantAccount) error {
	stored := applicantValues(&a.Applicant)
	f, err := r.Form(stored, a.RowVersion)
	if err != nil {
		return err
	}
	if err := f.Since(func() (who, when, what string, err error) {
		who, when, err = p.lastChange(r, a.ID)
		return who, when, "", err
	}); err != nil {
		return err
	}
	if r.Posted() {
		err := p.Accounts.EditApplicant(r.Context(), r.Caller(), a.ID, typedApplicant(f))
		changed := site.Changed(err)
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			if err := p.followCitizenship(r, a, f.Get("citizenship")); err != nil {
				return err
			}
			r.Notify(ui.OK, r.T("applicant.saved"))
			return r.To("applicant", a.ID)
		}
		if changed {
			who, when, err := p.lastChange(r, a.ID)
			if err != nil {
				return err
			}
			f.Meanwhile(stored, a.RowVersion, who, when, applicantFields...)
		}
	}
	var options []ui.Option
	for _, t := range []admitto.ApplicantType{admitto.Natural, admitto.Child, admitto.Legal} {
		options = append(options, ui.Option{Value: string(t), Text: r.T(applicantTypeKey(t))})
	}
	none := r.T("value.none")
	country := f.Country("citizenship", "applicant.citizenship", show.Countries(r, none)...)
	if a.Citizenship != "" { // it can be changed, and not taken away
		country.Options = slices.DeleteFunc(country.Options, func(o ui.Option) bool { return o.Value == "" })
	}
	address := f.Long("address", "applicant.address", 3, 500)
	address.Optional = true
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.save"),
		r.Cancel(r.Within("applicant", a.ID))},
		f.Select("type", "applicant.type", options...), f.Text("given", "applicant.given"),
		optional(f.Text("middle", "applicant.middle")), f.Text("family", "applicant.family"),
		optional(f.Text("parent", "applicant.parent")), optional(f.Text("legal", "applicant.legal")), optional(phone(f)),
		optional(f.Text("skype", "applicant.skype")), country, address, optional(f.Text("vatin",
			"applicant.vatin")))}}.Show(r)
}

// followCitizenship lets the forms of an applicant state the citizenship that the account has got (lifecycle.md 3.5),
// as far as the status of the application and the permissions of who changed it allow. The card names those that are
// left.
func (p *pages) followCitizenship(r *site.Request, a *accounts.ApplicantAccount, now string) error {
	reader := r.Reader()
	if now == "" || now == a.Citizenship || !reader.Has(admitto.ApplicationsView) ||
		!reader.Has(admitto.ApplicationsEdit) || !reader.Has(admitto.ApplicantsView) {
		return nil
	}
	differs, err := p.Query.DiffersInApplications(r.Context(), reader, a.ID)
	if err != nil {
		return err
	}
	by := r.Caller()
	by.Version = 0 // that of the applicant
	for i := range differs {
		if differs[i].Citizenship == "" {
			continue
		}
		h, err := p.Query.ApplicationHead(r.Context(), reader, differs[i].Application)
		if err != nil {
			return err
		}
		if h.Expired { // it stays as it was when its term ended
			continue
		}
		err = p.Admissions.SaveSection(r.Context(), by, differs[i].Application, admissions.SectionEdit{Section: "profile",
			Typed: map[string][]string{"citizenship": {now}}})
		if err != nil && admitto.KindOf(err) != admitto.NotAllowedNow {
			return err
		}
	}
	return nil
}

// typedApplicant is what the form says.
func typedApplicant(f *site.Form) accounts.ApplicantEdit {
	value := func(name string) *string {
		v := f.Typed(name)
		return &v
	}
	kind := admitto.ApplicantType(f.Get("type"))
	edit := accounts.ApplicantEdit{Type: &kind, Given: value("given"), Middle: value("middle"), Family: value("family"),
		Parent: value("parent"), Legal: value("legal"), Phone: value("phone"), Skype: value("skype"),
		Address: value("address"), VATIN: value("vatin")}
	if f.Get("citizenship") != "" {
		edit.Citizenship = value("citizenship")
	}
	return edit
}

// lastChange is who changed an applicant last, and when, for those who may know it.
func (p *pages) lastChange(r *site.Request, applicant int64) (who, when string, err error) {
	who, when = r.T("applicant.somebody"), r.Clock(r.Now())
	if !r.May("applicant-history") {
		return who, when, nil
	}
	records, _, err := p.Query.History(r.Context(), r.Reader(), query.HistoryQuery{Applicant: applicant, Limit: 1})
	if err != nil || len(records) == 0 {
		return who, when, err
	}
	staff, err := p.Query.Administrators(r.Context(), r.Reader())
	for i := range staff {
		if by := records[0].Actor; by.Kind == admitto.ByAdministrator && by.ID == staff[i].ID {
			who = staff[i].Name
		}
	}
	return who, r.Clock(records[0].Logged), err
}

// applicantNewEmail changes the address of e-mails.
func (p *pages) applicantNewEmail(r *site.Request, a *accounts.ApplicantAccount) error {
	f, err := r.Form(site.Values{"email": site.One(a.Email)}, a.RowVersion)
	if err != nil {
		return err
	}
	if r.Posted() {
		acted, err := p.Accounts.ChangeEmail(r.Context(), r.Caller(), a.ID, f.Get("email"))
		if known := existing(err); known != 0 {
			f.Fail("email", "applicant.email_known", "ID", known)
		} else if refused, err := f.Refused(err, nil); err != nil {
			return err
		} else if !refused {
			said := "applicant.email_asked"
			if acted || f.Get("email") == a.Email {
				said = "applicant.saved"
			}
			r.Notify(ui.OK, r.T(said))
			return r.To("applicant", a.ID)
		}
	}
	intro := "applicant.new_email_intro"
	if a.SignedIn == 0 && (a.Lead || a.Unconfirmed) {
		intro = "applicant.new_email_at_once"
	}
	return site.Sheet{Intro: []string{r.T(intro)}, Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.save"),
		r.Cancel(r.Within("applicant", a.ID))}, f.Email("email", "applicant.email", "off"))}}.Show(r)
}

// applicantReference sets or clears the reference code.
func (p *pages) applicantReference(r *site.Request, a *accounts.ApplicantAccount) error {
	version, err := p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.ApplicantRow, ID: a.ID})
	if err != nil {
		return err
	}
	f, err := r.Form(site.Values{"reference": site.One(a.Reference)}, version)
	if err != nil {
		return err
	}
	pattern := p.Core.Settings().Applicants.ReferencePattern
	var holder int64
	if r.Posted() {
		value, err := text.Line(f.Typed("reference"), 0, math.MaxInt)
		if err != nil || value != "" && (len(value) > 255 || !pattern.MatchString(value)) {
			f.FailWords("reference", show.CodeForm(r, pattern))
		} else {
			err = p.Admissions.SetReference(r.Context(), r.Caller(), a.ID, value)
			if holder, err = p.referenceClash(r, err, value); holder != 0 {
				f.Fail("reference", "applicant.reference_used", "ID", holder)
			}
		}
		if refused, err := f.Refused(err, nil); err != nil {
			return err
		} else if !refused {
			r.Notify(ui.OK, r.T("applicant.saved"))
			return r.To("applicant", a.ID)
		}
	}
	field := optional(f.Text("reference", "applicant.reference"))
	field.Hint = show.CodeForm(r, pattern) + " " + r.T("applicant.reference_clear")
	box := f.Box([]ui.Button{r.Save("action.save"), r.Cancel(r.Within("applicant", a.ID))}, field)
	if holder != 0 {
		box.Head.Notices = append(box.Head.Notices, ui.Notice{Tone: ui.Info,
			Text: r.T("applicant.reference_used", "ID", holder),
			Link: &ui.Link{Text: r.T("applicant.open_card", "ID", holder), Href: r.At("applicant", holder)}})
	}
	return site.Sheet{Parts: []ui.Component{box}}.Show(r)
}

// referenceClash names who has a reference already; any other error stays.
func (p *pages) referenceClash(r *site.Request, refused error, value string) (holder int64, err error) {
	var e *admitto.Error
	if !errors.As(refused, &e) || len(e.Faults) != 1 || e.Faults[0].Code != "reference-in-use" {
		return 0, refused
	}
	holder, err = p.Query.ReferenceHolder(r.Context(), r.Reader(), value)
	if err != nil || holder == 0 {
		return 0, errors.Join(err, refused)
	}
	return holder, nil
}
