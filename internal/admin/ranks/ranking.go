package ranks

import (
	"cmp"
	"net/url"
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// mostFolded is how many entries without rank are shown below the others.
const mostFolded = 25

// withoutRank is the list of those, in the address.
const withoutRank = "unranked"

// ranked is a ranking with its entries and their names.
type ranked struct {
	admitto.Ranking
	entries   []admitto.RankingEntry
	competing []admitto.RankingEntry
	others    []admitto.RankingEntry // without rank
	names     map[int64]admitto.Name
	courses   map[int64]string
	types     map[int64]admitto.OfferType
	edit      int64      // the offer whose extra score is typed
	form      *site.Form // for it
}

func (p *pages) readRanking(r *site.Request) (k ranked, err error) {
	id, err := r.ID()
	if err != nil {
		return k, err
	}
	if k.Ranking, err = p.Query.Ranking(r.Context(), r.Reader(), id); err != nil {
		return k, err
	}
	if k.entries, err = p.Query.RankingEntries(r.Context(), r.Reader(), id); err != nil {
		return k, err
	}
	for i := range k.entries {
		if k.entries[i].Rank > 0 {
			k.competing = append(k.competing, k.entries[i])
		} else {
			k.others = append(k.others, k.entries[i])
		}
	}
	k.courses, k.types = map[int64]string{}, map[int64]admitto.OfferType{}
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	if err != nil {
		return k, err
	}
	for i := range courses {
		k.courses[courses[i].ID] = show.Course(courses[i].Code, courses[i].Name)
	}
	types, err := p.Query.OfferTypes(r.Context(), r.Reader())
	for i := range types {
		k.types[types[i].ID] = types[i]
	}
	return k, err
}

// readNames reads the names of some of the entries.
func (p *pages) readNames(r *site.Request, k *ranked, lists ...[]admitto.RankingEntry) (err error) {
	var ids []int64
	for _, entries := range lists {
		for i := range entries {
			ids = append(ids, entries[i].Application)
		}
	}
	k.names, err = p.Query.NamesOf(r.Context(), r.Reader(), ids)
	return err
}

// ranking is one list: the ranks with the line below the last place, and folded who has no rank.
func (p *pages) ranking(r *site.Request) error {
	view := r.View(false)
	edit, version := view.ID("extra"), int64(0)
	if edit != 0 && r.Reader().Has(admitto.OffersEdit) { // read before the offer: a change between the two is noticed
		var err error
		version, err = p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.OfferRow, ID: edit})
		if err != nil {
			return err
		}
	}
	k, err := p.readRanking(r)
	if err != nil {
		return err
	}
	r.SetTitle(k.Name)
	if saved, err := p.extra(r, &k, view, version); saved || err != nil {
		return err
	}
	list, folded := k.competing, k.others[:min(len(k.others), mostFolded)]
	alone := view.Get("show") == withoutRank
	if alone {
		list, folded = k.others, nil
	}
	if last, beyond := view.Beyond(max(len(list)-view.Offset(), 0), len(list)); beyond {
		return r.Redirect(last)
	}
	entries := list[min(view.Offset(), len(list)):min(view.Offset()+view.Size, len(list))]
	if err := p.readNames(r, &k, entries, folded); err != nil {
		return err
	}
	table := k.table(r, view, entries)
	table.Empty = ui.Empty{Icon: "trophy", Title: r.T("ranking.empty"), Text: r.T("ranking.empty_text")}
	above, err := p.aboutRanking(r, &k)
	if err != nil {
		return err
	}
	if len(k.others) > 0 && !alone {
		above = append(above, k.folded(r, view, folded))
	}
	if alone {
		above = append(above, ui.Links{Links: []ui.Link{{Text: r.T("ranking.back"), Href: view.With("show", "")}}})
	}
	csv := site.Action{Name: "ranking-csv", Values: []any{k.ID}, Button: ui.Button{Icon: "download"}}
	return site.ListPage{Head: ui.ListHead{Title: k.Name, Count: r.Plural("ranking.entries", len(k.entries)),
		Actions: append(k.toQuota(r), r.Buttons(site.Do("ranking-edit", k.ID), csv,
			site.Danger("ranking-delete", k.ID))...)},
		Above: above, Table: table, Pager: view.Pager(len(list))}.Show(r)
}

// mostToQuota is how many entries an address can name.
const mostToQuota = 500

// toQuota leads to batches of those who are ranked down to the line of the quota: of their types, and of the letters
// (screens.md A24). A batch is of one course, so a ranking of several has none.
func (k *ranked) toQuota(r *site.Request) (buttons []ui.Button) {
	if k.Quota == nil || !r.Reader().Has(admitto.OffersBulk) || !r.May("batch-new") {
		return nil
	}
	values := url.Values{"source": {"applications"}, "next": {r.URL.RequestURI()}}
	course, n := int64(0), 0
	for i := range k.competing {
		e := &k.competing[i]
		if int64(e.Rank) > *k.Quota {
			continue
		}
		if course != 0 && e.Course != course || n == mostToQuota {
			return nil
		}
		course, n = e.Course, n+1
		values.Add("id", number(e.Application))
	}
	if n == 0 {
		return nil
	}
	values.Set("course", number(course))
	for _, act := range []struct {
		name, text string
		needs      admitto.Permission
	}{{"offer-type", "ranking.first_offer_type", admitto.OffersEdit},
		{"confirm", "ranking.first_confirm", admitto.OffersConfirm}} {
		if r.Reader().Has(act.needs) {
			values.Set("action", act.name)
			buttons = append(buttons, ui.Button{Text: r.Plural(act.text, n), Small: true,
				Href: r.At("batch-new") + "?" + values.Encode()})
		}
	}
	return buttons
}

// aboutRanking says how many there are, and what the list is restricted to.
func (p *pages) aboutRanking(r *site.Request, k *ranked) ([]ui.Component, error) {
	taken := 0
	for i := range k.competing {
		if k.competing[i].InQuota {
			taken++
		}
	}
	places := r.T("ranking.no_quota")
	if k.Quota != nil {
		places = r.Number(int(*k.Quota))
	}
	facts := []ui.KeyValue{{Key: r.T("ranking.quota"), Value: places},
		{Key: r.T("ranking.in_quota"), Value: r.Number(taken)},
		{Key: r.T("ranking.ranked"), Value: r.Number(len(k.competing))},
		{Key: r.T("ranking.unranked"), Value: r.Number(len(k.others))}}
	restricted, err := p.restricted(r, k)
	return []ui.Component{ui.Columns{Parts: []ui.Component{ui.KeyValues{Facts: facts, Counts: true},
		ui.KeyValues{Facts: restricted}}}}, err
}

// restricted are the term, the courses and the filters of a list in words.
func (p *pages) restricted(r *site.Request, k *ranked) (facts []ui.KeyValue, err error) {
	fact := func(key string, words []string) {
		if len(words) > 0 {
			facts = append(facts, ui.KeyValue{Key: r.T(key), Value: r.Listed(words...)})
		}
	}
	term := r.T("ranking.any_term")
	if k.Term != 0 {
		t, err := p.Query.Term(r.Context(), r.Reader(), k.Term)
		if err != nil {
			return nil, err
		}
		term = t.Name
	}
	fact("intake.term", []string{term})
	var courses, statuses, intakes, flags, citizenships []string
	for _, id := range k.Courses {
		courses = append(courses, k.courses[id])
	}
	if len(courses) == 0 {
		courses = []string{r.T("ranking.all_courses")}
	}
	for _, s := range k.Filters.Statuses {
		statuses = append(statuses, show.Status(r, admitto.ApplicationStatus(s)).Text)
	}
	for _, code := range k.Filters.Citizenships {
		citizenships = append(citizenships, show.Country(r, code))
	}
	if len(k.Filters.Intakes) > 0 {
		all, err := p.Query.Intakes(r.Context(), r.Reader())
		if err != nil {
			return nil, err
		}
		for i := range all {
			for _, id := range k.Filters.Intakes {
				if all[i].ID == id {
					intakes = append(intakes, all[i].Name)
				}
			}
		}
	}
	if len(k.Filters.Flags) > 0 {
		all, err := p.Query.Flags(r.Context(), r.Reader())
		if err != nil {
			return nil, err
		}
		for i := range all {
			for _, id := range k.Filters.Flags {
				if all[i].ID == id {
					flags = append(flags, all[i].Name)
				}
			}
		}
	}
	fact("intake.courses", courses)
	fact("ranking.statuses", statuses)
	fact("ranking.intakes", intakes)
	fact("ranking.flags", flags)
	fact("ranking.citizenships", citizenships)
	return facts, nil
}

// table are entries of the list; the line of the quota is drawn below the rank of the last place.
func (k *ranked) table(r *site.Request, view *site.View, entries []admitto.RankingEntry) ui.Table {
	table := ui.Table{Caption: k.Name, Cards: true, Columns: []ui.Column{
		{Title: r.T("ranking.rank"), Place: "meta", Num: true}, {Title: r.T("ranking.applicant"), Place: "main"},
		{Title: r.T("browse.course"), Place: "label"}, {Title: r.T("ranking.priority"), Place: "label", Num: true},
		{Title: r.T("ranking.auto"), Place: "label", Num: true}, {Title: r.T("ranking.extra"), Place: "label",
			Num: true},
		{Title: r.T("ranking.total"), Place: "label", Num: true}, {Title: r.T("ranking.type"), Place: "label"},
		{Title: r.T("ranking.decision"), Place: "label"},
		{Title: r.T("ranking.effect"), Place: "label"}}}
	for i := range entries {
		table.Rows = append(table.Rows, k.row(r, view, &entries[i]))
	}
	return table
}

// folded are those without rank.
func (k *ranked) folded(r *site.Request, view *site.View, entries []admitto.RankingEntry) ui.Component {
	parts := []ui.Component{k.table(r, view, entries)}
	if len(k.others) > len(entries) {
		parts = append(parts, ui.Links{Links: []ui.Link{{Text: r.T("ranking.all_unranked"),
			Href: view.With("show", withoutRank)}}})
	}
	return ui.Fold{Title: r.Plural("ranking.without", len(k.others)), Parts: parts}
}

// row is one entry of a list.
func (k *ranked) row(r *site.Request, view *site.View, e *admitto.RankingEntry) ui.Row {
	rank := ui.Cell{Text: "–", Below: k.reason(r, e)}
	if e.Rank > 0 {
		rank = ui.Cell{Text: r.Number(e.Rank)}
	}
	name := k.names[e.Application].Full()
	who := ui.Cell{Text: name, Below: r.T("scoring.application", "ID", number(e.Application))}
	if r.May("application-courses") {
		who.Href = r.At("application-courses", e.Application)
	}
	row := ui.Row{Label: name, Cells: []ui.Cell{rank, who, {Text: k.courses[e.Course]},
		{Text: r.Number(e.Priority)}, {Text: scoreText(e.Auto)}, k.extraCell(r, view, e), {Text: scoreText(e.Total())},
		k.typeCell(r, e), {Text: show.Decision(r, e.Decision)},
		{Tags: []ui.Tag{effect(r, e)}}}}
	if k.Quota != nil && e.Rank > 0 && int64(e.Rank) == *k.Quota {
		row.Line = r.Plural("ranking.line", e.Rank)
	}
	return row
}

// typeCell is the type of the offer, and the one that it is confirmed with.
func (k *ranked) typeCell(r *site.Request, e *admitto.RankingEntry) ui.Cell {
	cell := ui.Cell{Text: k.types[e.Type].Title}
	switch {
	case e.TypeConfirmed == e.Type:
		cell.Below = r.T("ranking.confirmed")
	case e.TypeConfirmed != 0:
		cell.Below = r.T("ranking.confirmed_as", "Type", k.types[e.TypeConfirmed].Title)
	}
	return cell
}

// reason says why an entry has no rank.
func (k *ranked) reason(r *site.Request, e *admitto.RankingEntry) string {
	switch {
	case e.Status == admitto.Withdrawn || e.Status == admitto.Closed:
		return show.Status(r, e.Status).Text
	case e.Decision == admitto.DecisionDeclined:
		return show.Decision(r, e.Decision)
	}
	return k.types[e.Type].Title
}

// effect is what an entry is in the list: it takes a place, it waits for one, or it does not compete.
func effect(r *site.Request, e *admitto.RankingEntry) ui.Tag {
	switch {
	case e.Rank == 0:
		return ui.Tag{Text: r.T("ranking.unranked"), Icon: "ban"}
	case e.InQuota:
		return ui.Tag{Text: r.T("ranking.in_quota"), Icon: "check", Tone: ui.OK}
	}
	return ui.Tag{Text: r.T("ranking.pending"), Icon: "clock"}
}

func scoreText(score *admitto.Hundredths) string {
	if score == nil {
		return ""
	}
	return score.String()
}

// extraCell is the extra score; who may change it does so here.
func (k *ranked) extraCell(r *site.Request, view *site.View, e *admitto.RankingEntry) ui.Cell {
	text := scoreText(e.Extra)
	if !r.Reader().Has(admitto.OffersEdit) {
		return ui.Cell{Text: text}
	}
	offer := number(e.Offer)
	if k.edit != e.Offer || k.form == nil {
		return ui.Cell{Parts: []ui.Component{ui.Button{Text: cmp.Or(text, r.T("ranking.set_extra")), Small: true,
			Plain: true,
			About: r.T("ranking.extra_of", "ID", number(e.Application)), Href: onPage(view, offer)}}}
	}
	k.form.SetLabel("extra", r.T("ranking.extra_of", "ID", number(e.Application)))
	field := k.form.Text("extra", "")
	field.Width, field.InputMode, field.Autocomplete, field.Focus = "w4", "decimal", "off", !k.form.Failed()
	box := k.form.Box([]ui.Button{{Text: r.T("action.save"), Small: true, Primary: true, Busy: r.T("form.saving")},
		{Text: r.T("dialog.cancel"), Small: true, Plain: true, Href: onPage(view, "")}}, field)
	box.Action = onPage(view, offer)
	return ui.Cell{Parts: []ui.Component{box}}
}

// onPage is the same page of the list with the extra score of an offer open, "" for none.
func onPage(view *site.View, offer string) string {
	address := view.With("extra", offer)
	if view.Page > 1 {
		address = site.Add(address, "page", strconv.Itoa(view.Page))
	}
	return address
}

// extra makes the form of the extra score that the address names, and saves what was typed into it.
func (p *pages) extra(r *site.Request, k *ranked, view *site.View, version int64) (saved bool, err error) {
	if k.edit = view.ID("extra"); version == 0 {
		if r.Posted() {
			return false, &admitto.Error{Kind: admitto.NotFound}
		}
		return false, nil
	}
	var e *admitto.RankingEntry
	for i := range k.entries {
		if k.entries[i].Offer == k.edit {
			e = &k.entries[i]
		}
	}
	if e == nil {
		return false, &admitto.Error{Kind: admitto.NotFound}
	}
	stored := site.Values{"extra": site.One(scoreText(e.Extra))}
	if k.form, err = r.Form(stored, version); err != nil || !r.Posted() {
		return false, err
	}
	score, wrong := show.TypedExtra(k.form.Get("extra"))
	if wrong {
		k.form.Fail("extra", "offer.extra_range")
	} else {
		err = p.Admissions.SetExtraScore(r.Context(), r.Caller(), e.Application, k.edit, score)
	}
	changed := site.Changed(err)
	refused, err := k.form.Refused(err, nil)
	switch {
	case err != nil:
		return false, err
	case changed:
		k.form.Meanwhile(stored, version, r.T("record.somebody"), r.Clock(r.Now()), [2]string{"extra", "ranking.extra"})
	case !refused:
		r.Notify(ui.OK, r.T("offer.extra_saved"))
		return true, r.Redirect(onPage(view, ""))
	}
	return false, nil
}

// rankingCSV is the whole list as a file.
func (p *pages) rankingCSV(r *site.Request) error {
	k, err := p.readRanking(r)
	if err != nil {
		return err
	}
	if err := p.readNames(r, &k, k.entries); err != nil {
		return err
	}
	heads := []string{"position", "rank", "application", "applicant", "name", "course", "priority", "auto", "extra",
		"total", "type", "confirmed", "decision", "status", "in quota", "without rank"}
	return r.CSV("ranking-"+number(k.ID), heads, func(row func(cells ...string) error) error {
		for i := range k.entries {
			e := &k.entries[i]
			rank, quota, why := "", "", ""
			if e.Rank > 0 {
				rank = number(int64(e.Rank))
			} else {
				why = k.reason(r, e)
			}
			if e.InQuota {
				quota = "yes"
			}
			if err := row(number(int64(e.Position)), rank, number(e.Application), number(e.Applicant),
				k.names[e.Application].Full(), k.courses[e.Course], number(int64(e.Priority)), scoreText(e.Auto),
				scoreText(e.Extra), scoreText(e.Total()), k.types[e.Type].Title, k.types[e.TypeConfirmed].Title,
				string(e.Decision), string(e.Status), quota, why); err != nil {
				return err
			}
		}
		return nil
	})
}
