package admin

import (
	"crypto/rand"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admin/batches"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// taken is how many applications "Take the next" takes.
const taken = 20

// mostTries is how often they are looked for where others take them at the same time.
const mostTries = 20

// bulk is what can be done with the selected applications.
func (b *browsing) bulk(page *query.ApplicationPage) *ui.Bulk {
	r := b.r
	officers := b.officerOptions(b.officers)
	if !r.Reader().Has(admitto.ApplicationsEdit) {
		officers = officers[:2] // to take, and to give back
	}
	bulk := batches.BulkFor(r, admitto.OfApplications, map[string]ui.Select{"flag": {Options: b.flagOptions()},
		"officer": {Options: officers}})
	if bulk == nil {
		bulk = &ui.Bulk{}
	}
	bulk.All = batches.AllWords(r, page.Total, page.TotalMore)
	take := ui.Button{Text: r.T("at_once.take"), About: r.T("at_once.take_about"), Name: "do", Value: "take", Small: true}
	bulk.Actions = append([]ui.Button{take}, bulk.Actions...) // first: it needs no selection
	return bulk
}

// applicantsAtOnce leads to the batch of the applicants that are selected.
func (p *pages) applicantsAtOnce(r *site.Request) error {
	return batches.OfSelected(r, admitto.OfApplicants, r.Next(r.At("applicants")))
}

// done is what was changed at once, as the session keeps it to be taken back.
type done struct {
	Token    string
	Flag     int64
	Set      bool // the flag
	Flagged  []int64
	Officers []admissions.OfficerChange
}

// keepUndo is the name that the session keeps it by.
const keepUndo = "undo"

// applicationsAtOnce does what the bar below the list offers, and leads back to the list.
func (p *pages) applicationsAtOnce(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	list := r.Next(r.At("browse"))
	var selected []int64
	for _, id := range ids(f.All("id")) {
		if id > 0 {
			selected = append(selected, id)
		}
	}
	what := f.Get("do")
	a, known := batch.ActionNamed(what)
	known = known && slices.Contains(a.Sources, admitto.OfApplications)
	chosen := what == "flag" || what == "unflag" || what == "officer" // the bar has all that is needed
	if known && !chosen && (len(selected) > 0 || f.Has("all")) {
		if a.AtOnce && f.Has("all") { // as few as those are changed without a preview
			all, err := p.allOf(r, list)
			if err != nil {
				return err
			}
			if len(all) <= batch.AtOnce {
				return batches.Prepare(r, f, &a, admitto.OfApplications, list, all...)
			}
		}
		return batches.Prepare(r, f, &a, admitto.OfApplications, list)
	}
	if f.Has("all") && what != "take" {
		if selected, err = p.allOf(r, list); err != nil {
			return err
		}
	}
	if len(selected) == 0 && what != "take" {
		r.Notify(ui.Warn, r.T("at_once.none"))
		return r.Redirect(list)
	}
	officer := batches.OfficerChosen(r, f)
	if known && len(selected) > batch.AtOnce {
		plan := batch.Plan{Action: what, Source: admitto.OfApplications}
		if plan.Params.Officer = officer; what != "officer" {
			plan.Params = admitto.BatchParams{Flag: f.Choice("flag")}
		}
		return p.prepareChosen(r, f, plan, selected, list)
	}
	d := done{Token: rand.Text()[:12]}
	changed := 0
	switch what {
	case "flag", "unflag":
		d.Flag, d.Set = f.Choice("flag"), what == "flag"
		d.Flagged, err = p.Admissions.FlagApplications(r.Context(), r.Caller(), selected, d.Flag, d.Set)
		changed = len(d.Flagged)
	case "officer":
		var changes []admissions.OfficerChange
		for _, id := range selected {
			changes = append(changes, admissions.OfficerChange{Application: id, Officer: officer})
		}
		d.Officers, err = p.Admissions.SetOfficers(r.Context(), r.Caller(), changes)
		changed = len(d.Officers)
	case "take":
		d.Officers, err = p.takeNext(r, list)
		changed = len(d.Officers)
	default:
		return &admitto.Error{Kind: admitto.NotFound}
	}
	said, refused, err := refusedAtOnce(r, err)
	if refused {
		r.Notify(ui.Bad, said)
	} else if err != nil {
		return err
	}
	if changed > 0 || !refused {
		if err := p.notifyDone(r, &d, what, changed, list); err != nil {
			return err
		}
	}
	if what == "take" && changed > 0 {
		return r.Redirect(ofMine(list))
	}
	return r.Redirect(list)
}

// prepareChosen prepares a batch of what the bar has chosen already, and leads to its preview; where that is refused,
// to the page that says why.
func (p *pages) prepareChosen(r *site.Request, f *site.Form, plan batch.Plan, selected []int64,
	list string) error {
	plan.Selection.IDs = selected
	if address, err := url.Parse(list); f.Has("all") && err == nil {
		if plan.Selection, err = p.selectApplications(r, address.RawQuery); err != nil {
			return err
		}
	}
	id, err := p.Batches.Prepare(r.Context(), r.Reader(), plan)
	if admitto.KindOf(err) == admitto.InvalidParameter {
		a, _ := batch.ActionNamed(plan.Action)
		return batches.Prepare(r, f, &a, admitto.OfApplications, list)
	} else if err != nil {
		return err
	}
	return r.To("batch", id)
}

// ofMine is a list of the browser with the reader's own applications only: those that were taken are to be worked on
// next.
func ofMine(list string) string {
	path, query, _ := strings.Cut(list, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return list
	}
	values.Set("officer", "me")
	values.Del("page")
	return path + "?" + values.Encode()
}

// allOf are the applications of a list, one more than may be changed at once where there are more.
func (p *pages) allOf(r *site.Request, list string) (ids []int64, err error) {
	b, err := p.browseAt(r, list)
	if err != nil {
		return nil, err
	}
	q := b.query
	q.Page.Rows, q.Page.Skip = 100, 0
	page, err := p.Query.BrowseApplications(r.Context(), r.Reader(), q)
	for i := range page.Rows {
		ids = append(ids, page.Rows[i].ID)
	}
	return ids, err
}

// browseAt reads a list of applications at another address.
func (p *pages) browseAt(r *site.Request, list string) (*browsing, error) {
	address, err := url.Parse(list)
	if err != nil {
		return nil, err
	}
	return p.browse(r, r.ViewAt(r.At("browse"), address.RawQuery, true, browseSorts()...))
}

// refusedAtOnce is what a use case says against a selection.
func refusedAtOnce(r *site.Request, err error) (said string, refused bool, _ error) {
	f, failed := r.Form(nil, 0)
	if err == nil || failed != nil {
		return "", false, err
	}
	if admitto.KindOf(err) == admitto.NotPermitted {
		return r.T("at_once.others"), true, nil
	}
	refused, err = f.Refused(err, nil)
	if err != nil || !refused {
		return "", false, err
	}
	summary := f.Summary()
	if summary == nil || len(summary.Faults) == 0 {
		return "", false, nil
	}
	return summary.Faults[0].Text, true, nil
}

// notifyDone says how many applications were changed, and lets that be taken back.
func (p *pages) notifyDone(r *site.Request, d *done, what string, changed int, list string) error {
	said := map[string]string{"flag": "at_once.done_flag", "unflag": "at_once.done_unflag",
		"officer": "at_once.done_officer",
		"take":    "at_once.done_take"}[what]
	if changed == 0 {
		r.Notify(ui.Info, r.T("at_once.unchanged"))
		return nil
	}
	kept, err := json.Marshal(d)
	if err != nil {
		return err
	}
	r.Keep(keepUndo, string(kept))
	r.NotifyUndo(r.Plural(said, changed), r.T("at_once.undo"), withNext(r.At("applications-undo"), list)+"&of="+d.Token)
	return nil
}

// takeNext makes the reader the officer of the applications of the list that nobody works on, the oldest submission
// first. What others take meanwhile is left to them, and the ones after it are taken.
func (p *pages) takeNext(r *site.Request, list string) (made []admissions.OfficerChange, err error) {
	b, err := p.browseAt(r, list)
	if err != nil {
		return nil, err
	}
	q := b.query
	yes, nobody := true, int64(admissions.Nobody)
	q.Officers, q.NoOfficer, q.SubmittedOnce = nil, true, &yes
	if q.Statuses == nil {
		q.Statuses = []string{string(admitto.Submitted), string(admitto.Reopened)}
	}
	q.Page = admitto.BrowsePage{Sort: admitto.BySubmitted, Rows: 25}
	for range mostTries {
		page, err := p.Query.BrowseApplications(r.Context(), r.Reader(), q)
		if err != nil {
			return nil, err
		}
		var changes []admissions.OfficerChange
		for i := range page.Rows[:min(taken-len(made), len(page.Rows))] {
			changes = append(changes, admissions.OfficerChange{Application: page.Rows[i].ID, Officer: r.Person.Account,
				Unless: &nobody})
		}
		if len(changes) == 0 {
			break
		}
		more, err := p.Admissions.SetOfficers(r.Context(), r.Caller(), changes)
		if err != nil {
			return nil, err
		}
		made = append(made, more...)
	}
	return made, nil
}

// applicationsUndo takes back what was done last at once, where nobody has changed it since.
func (p *pages) applicationsUndo(r *site.Request) error {
	list := r.Next(r.At("browse"))
	var d done
	if kept := r.Look(keepUndo); kept == "" || json.Unmarshal([]byte(kept), &d) != nil ||
		d.Token != r.URL.Query().Get("of") {
		r.Notify(ui.Warn, r.T("at_once.too_late"))
		return r.Redirect(list)
	}
	r.Take(keepUndo)
	changed := 0
	if len(d.Flagged) > 0 {
		back, err := p.Admissions.FlagApplications(r.Context(), r.Caller(), d.Flagged, d.Flag, !d.Set)
		if err != nil {
			return err
		}
		changed = len(back)
	}
	if len(d.Officers) > 0 {
		back, err := p.Admissions.SetOfficers(r.Context(), r.Caller(), d.Officers)
		if err != nil {
			return err
		}
		changed += len(back)
	}
	r.Notify(ui.OK, r.Plural("at_once.undone", changed))
	return r.Redirect(list)
}
