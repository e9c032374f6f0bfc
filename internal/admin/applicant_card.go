package admin

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// applicantTabs are the tabs of a card in their order, by the names of their routes.
var applicantTabs = []string{"applicant", "applicant-applications", "applicant-emails", "applicant-invoices",
	"applicant-consents", "applicant-notes", "applicant-history"}

// applicantCard shows a tab of the card of an applicant.
func (p *pages) applicantCard(r *site.Request, a *accounts.ApplicantAccount, tab string, parts ...ui.Component) error {
	name := show.Name(r, &a.Applicant)
	title := r.T("applicant.title", "ID", a.ID, "Name", name)
	if tab != "applicant" {
		title = r.T("applicant.tab_title", "ID", a.ID, "Name", name, "Tab", r.T("title."+tab))
	}
	r.SetTitle(title)
	if err := p.leadThrough(r, a.ID, tab); err != nil {
		return err
	}
	head := ui.CardHead{Title: name, ID: strconv.FormatInt(a.ID, 10), Initials: show.Initials(a.Name),
		Actions: r.Buttons(site.Do("applicant-edit", a.ID))}
	_, err := p.Query.Photo(r.Context(), r.Reader(), a.ID)
	switch {
	case err == nil:
		head.Photo = r.At("applicant-photo", a.ID)
	case admitto.KindOf(err) != admitto.NotFound:
		return err
	}
	if a.Lead {
		head.Tags = append(head.Tags, ui.Tag{Text: r.T("applicant.lead"), Icon: "megaphone", Tone: ui.Info})
	}
	rare, state := []site.Action{site.Do("applicant-data", a.ID)}, site.Danger("applicant-block", a.ID)
	if a.State == admitto.ApplicantBlocked {
		head.Tags = append(head.Tags, ui.Tag{Text: r.T("applicant.blocked"), Icon: "ban", Tone: ui.Bad})
		state = site.Do("applicant-unblock", a.ID)
	} else {
		head.Actions = append(head.Actions, r.Buttons(site.Do("applicant-sign-in-link", a.ID))...)
		rare = append(rare, site.Do("applicant-look", a.ID))
	}
	if a.Unconfirmed {
		head.Tags = append(head.Tags, ui.Tag{Text: r.T("applicant.unconfirmed"), Icon: "triangle-alert", Tone: ui.Warn})
	}
	head.Actions = append(head.Actions, show.WriteButtons(r, "applicant", a.ID)...)
	show.More(r, &head, r.Buttons(append(rare, state, site.Danger("applicant-delete", a.ID))...)...)
	var steps []ui.Button
	near := r.Neighbours()
	if near.Previous != "" {
		steps = append(steps, ui.Button{Text: r.T("applicant.previous"), Icon: "chevron-left", Plain: true,
			Href: near.Previous})
	}
	if near.Next != "" {
		steps = append(steps, ui.Button{Text: r.T("applicant.next"), Icon: "chevron-right", After: true, Plain: true,
			Href: near.Next})
	}
	head.Actions = append(steps, head.Actions...)
	tabs := ui.Tabs{Label: r.T("applicant.tabs")}
	for _, other := range applicantTabs {
		if link, ok := r.Link(other, a.ID); ok {
			link.Current = other == tab
			link.Href = r.Within(other, a.ID)
			tabs.Links = append(tabs.Links, link)
		}
	}
	return site.CardPage{Head: head, Tabs: tabs, Parts: parts}.Show(r)
}

// leadThrough leads to the applicants before and after one in the list that the address names, and back to it.
func (p *pages) leadThrough(r *site.Request, id int64, tab string) error {
	place, ok := r.ListPlace()
	if !ok || r.Posted() {
		return nil
	}
	l, err := p.readApplicants(r, r.ViewAt(r.At("applicants"), place.Query, true, applicantSorts...))
	if err != nil || len(l.faults) > 0 {
		return err
	}
	return r.LeadThrough(place, id, l.View, "applicants", func() (previous, next int64, err error) {
		return p.Query.ApplicantNeighbours(r.Context(), r.Reader(), l.find, id)
	}, func(id int64) (string, error) { return r.At(tab, id), nil })
}

// applicantOverview is the first tab of the card (screens.md A08).
func (p *pages) applicantOverview(r *site.Request, a *accounts.ApplicantAccount) error {
	parts, err := p.applicantNotices(r, a)
	if err != nil {
		return err
	}
	facts, err := p.applicantFacts(r, a)
	if err != nil {
		return err
	}
	person := ui.Box{Title: r.T("applicant.person"), Parts: []ui.Component{facts}, Actions: show.Small(r.Buttons(
		site.Do("applicant-new-email", a.ID), site.Do("applicant-reference", a.ID), site.Do("applicant-trackers", a.ID)))}
	if r.May("offer-matriculate") {
		offer, err := p.Query.OfferToMatriculate(r.Context(), r.Reader(), a.ID)
		if err != nil {
			return err
		}
		if offer != 0 {
			person.Actions = append(person.Actions, show.Small(r.Buttons(site.Do("offer-matriculate", offer)))...)
		}
	}
	columns := []ui.Component{person}
	if r.Reader().Has(admitto.ApplicationsView) {
		box, err := p.applicationsBox(r, a)
		if err != nil {
			return err
		}
		columns = append(columns, box)
	}
	return p.applicantCard(r, a, "applicant", append(parts, ui.Columns{Parts: columns})...)
}

func (p *pages) applicantFacts(r *site.Request, a *accounts.ApplicantAccount) (ui.KeyValues, error) {
	var facts []ui.KeyValue
	add := func(key, value string, always bool) {
		if value != "" || always {
			facts = append(facts, ui.KeyValue{Key: r.T(key), Value: value})
		}
	}
	if a.Type != admitto.Natural {
		add("applicant.type", r.T(applicantTypeKey(a.Type)), true)
	}
	add("applicant.parent", a.Name.Parent, false)
	if a.Type == admitto.Legal {
		add("applicant.contact", a.Name.Full(), false)
	}
	add("applicant.email", a.Email, true)
	facts[len(facts)-1].Href = "mailto:" + a.Email
	if a.NewEmail != "" {
		add("applicant.new_email", r.T("applicant.new_email_until", "Email", a.NewEmail, "Time", r.Clock(a.NewEmailUntil)),
			true)
	}
	add("applicant.phone", a.Phone, true)
	add("applicant.skype", a.Skype, false)
	add("applicant.citizenship", show.Country(r, a.Citizenship), true)
	add("applicant.address", a.Address, false)
	add("applicant.vatin", a.VATIN, false)
	add("applicant.reference", a.Reference, true)
	add("applicant.matriculation", a.Matriculation, true)
	add("applicant.registered", r.Clock(a.Registered), true)
	signedIn := r.T("applicant.never")
	if a.SignedIn != 0 {
		signedIn = r.Clock(a.SignedIn)
	}
	add("applicant.signed_in", signedIn, true)
	assigned, codes, err := p.trackersOf(r, a.ID)
	add("applicant.trackers", "", true)
	for _, t := range assigned {
		last := &facts[len(facts)-1]
		last.Tags = append(last.Tags, ui.Tag{Text: codes[t.Tracker], Icon: "megaphone"})
	}
	return ui.KeyValues{Facts: facts}, err
}

func applicantTypeKey(t admitto.ApplicantType) string {
	switch t {
	case admitto.Child:
		return "applicant.type_child"
	case admitto.Legal:
		return "applicant.type_legal"
	case admitto.Natural:
	}
	return "applicant.type_natural"
}

// applicantNotices are what somebody who opens the card has to be told.
func (p *pages) applicantNotices(r *site.Request, a *accounts.ApplicantAccount) (parts []ui.Component, err error) {
	if a.Unconfirmed {
		parts = append(parts, ui.Notice{Tone: ui.Warn, Text: r.T("applicant.unconfirmed_text")})
	}
	twins, err := p.Query.PossibleDuplicates(r.Context(), r.Reader(), a.ID)
	if err != nil {
		return nil, err
	}
	for i := range twins {
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.T("applicant.twin", "ID", twins[i].ID, "Name",
			show.Name(r, &twins[i].Applicant)), Link: &ui.Link{Text: r.T("applicant.open_card", "ID", twins[i].ID),
			Href: r.At("applicant", twins[i].ID)}})
	}
	if !r.Reader().Has(admitto.ApplicationsView) {
		return parts, nil
	}
	differs, err := p.Query.DiffersInApplications(r.Context(), r.Reader(), a.ID)
	if err != nil {
		return nil, err
	}
	for _, d := range differs {
		text := r.T("applicant.name_differs", "ID", d.Application, "Name", d.Name)
		if d.Name == "" {
			text = r.T("applicant.citizenship_differs", "ID", d.Application, "Country", show.Country(r, d.Citizenship))
		}
		notice := ui.Notice{Tone: ui.Warn, Text: text}
		if r.May("application") {
			notice.Link = &ui.Link{Text: r.T("applicant.open_application"), Href: r.At("application", d.Application)}
		}
		parts = append(parts, notice)
	}
	return parts, nil
}

// applicationsBox has the applications with term, status and best offer.
func (p *pages) applicationsBox(r *site.Request, a *accounts.ApplicantAccount) (box ui.Box, err error) {
	list, err := p.readApplications(r, a.ID)
	if err != nil {
		return box, err
	}
	box.Title = r.T("title.applicant-applications")
	box.Actions = show.Small(r.Buttons(site.Do("applicant-start", a.ID)))
	var facts []ui.KeyValue
	for i := range list.rows {
		application := &list.rows[i]
		values := []ui.Component{show.Status(r, application.Status)}
		if best := list.best(application.ID); best != nil {
			values = append(values, *best)
		}
		fact := ui.KeyValue{Key: r.T("applicant.application", "ID", application.ID, "Term", list.terms[application.Term]),
			Parts: values}
		if r.May("application") {
			fact.KeyHref = r.At("application", application.ID)
		}
		facts = append(facts, fact)
	}
	if len(facts) == 0 {
		box.Parts = []ui.Component{ui.Words{Text: r.T("applicant.no_applications"), Muted: true}}
		return box, nil
	}
	box.Parts = []ui.Component{ui.KeyValues{Facts: facts}}
	return box, nil
}

// applicationList are the applications of an applicant with what their rows show.
type applicationList struct {
	rows  []admitto.Application
	parts *query.ApplicationParts
	terms map[int64]string
	types map[int64]admitto.OfferType
}

// mostApplications is how many applications of one applicant are shown.
const mostApplications = 200

func (p *pages) readApplications(r *site.Request, applicant int64) (list applicationList, err error) {
	ctx, by := r.Context(), r.Reader()
	list.parts = &query.ApplicationParts{WantCourses: true, WantOffers: true, OfferPart: &query.OfferParts{}}
	found, err := p.Query.ApplicationsOf(ctx, by, applicant, admitto.ApplicationQuery{Limit: mostApplications}, list.parts)
	if err != nil {
		return list, err
	}
	for application, err := range found.All() {
		if err != nil {
			return list, err
		}
		list.rows = append(list.rows, *application)
	}
	slices.Reverse(list.rows) // the newest first
	terms, err := p.Query.Terms(ctx, by)
	if err != nil {
		return list, err
	}
	list.terms, _ = usecase.Named(terms, nil, func(t *admitto.Term) (int64, string) { return t.ID, t.Name })
	types, err := p.Query.OfferTypes(ctx, by)
	list.types, _ = usecase.Named(types, nil, func(t *admitto.OfferType) (int64, admitto.OfferType) { return t.ID, *t })
	return list, err
}

// best is the best confirmed offer of an application: a final one, else one with a place, else the first; nil without
// one, and for those who do not see offers.
func (l *applicationList) best(application int64) *ui.Dot {
	var best *ui.Dot
	rank := 0
	for _, o := range l.parts.Offers[application] {
		if o.TypeConfirmed == 0 {
			continue
		}
		kind, mark := l.types[o.TypeConfirmed], 1
		switch {
		case o.Decision == admitto.DecisionFinal:
			mark = 4
		case kind.Ranking == admitto.RankedInQuota && o.Decision != admitto.DecisionDeclined:
			mark = 3
		case kind.Ranking == admitto.RankedPending:
			mark = 2
		}
		if mark > rank {
			rank, best = mark, &ui.Dot{Text: kind.Title, Colour: kind.Colour}
		}
	}
	return best
}

// trackersOf reads the trackers of an applicant, and the codes of all.
func (p *pages) trackersOf(r *site.Request, applicant int64) (list []admitto.TrackerAssociation, codes map[int64]string,
	err error) {
	if list, err = p.Query.TrackersOf(r.Context(), r.Reader(), applicant); err != nil {
		return nil, nil, err
	}
	all, err := p.Query.Trackers(r.Context(), r.Reader())
	codes, _ = usecase.Named(all, nil, func(t *admitto.Tracker) (int64, string) { return t.ID, t.Code })
	return list, codes, err
}
