package admin

import (
	"slices"
	"strconv"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// browsing is a list of applications as its address asks for it.
type browsing struct {
	r     *site.Request
	view  *site.View
	query admitto.Browse
	term  int64           // 0: all
	wrong map[string]bool // names of values that cannot be read
	row   int             // that is being written, counted from 1 over all pages

	terms        []admitto.Term
	institutions []admitto.Institution
	courses      []admitto.Course
	intakes      []admitto.Intake
	flags        []admitto.Flag
	staff        []admitto.Administrator // all of them
	officers     []admitto.Administrator // who can be chosen now
	trackers     []admitto.Tracker
	offerTypes   []admitto.OfferType
	tasks        []query.TaskClass
	counts       query.PaneCounts
}

// shape is how a filter stands in the pane.
type shape int

const (
	boxes  shape = iota // all values are seen, several can be chosen
	chosen              // one of a list that opens; the address may have several
	truth               // yes, no, or any
	day                 // since a day
	words               // a line of text
)

// filter is one name of the address of the applications browser. The messages browse.<name> name it, and
// browse.<name>.<value> its values where they are words of ours.
type filter struct {
	name    string
	fold    string // the group of the pane that it is folded into; "": none
	shape   shape
	needs   admitto.Permission // 0: none of its own
	set     func(b *browsing, q *admitto.ApplicationQuery, values []string)
	options func(b *browsing) []ui.Option
}

// allTerms is the term of an address that asks for all.
const allTerms = "all"

// ids are the IDs that texts say; one that is none matches nothing.
func ids(values []string) []int64 {
	list := make([]int64, 0, len(values))
	for _, v := range values {
		id, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			id = -1
		}
		list = append(list, id)
	}
	return list
}

func inIDs(to func(*admitto.ApplicationQuery) *[]int64) func(*browsing, *admitto.ApplicationQuery, []string) {
	return func(_ *browsing, q *admitto.ApplicationQuery, values []string) { *to(q) = ids(values) }
}

func inWords(to func(*admitto.ApplicationQuery) *[]string) func(*browsing, *admitto.ApplicationQuery, []string) {
	return func(_ *browsing, q *admitto.ApplicationQuery, values []string) { *to(q) = values }
}

func inTruth(to func(*admitto.ApplicationQuery) **bool) func(*browsing, *admitto.ApplicationQuery, []string) {
	return func(_ *browsing, q *admitto.ApplicationQuery, values []string) {
		yes := values[0] == "yes"
		*to(q) = &yes
	}
}

// times are the first and the last of a day in the zone of the institution; links of ours have a time, too.
func (b *browsing) times(value string) (from, to admitto.Time, ok bool) {
	if d, err := admitto.ParseDate(value); err == nil {
		return admitto.TimeOf(d.In(b.r.Zone())), d.End(b.r.Zone()) - 1, true
	}
	if t, err := time.Parse(time.RFC3339, value); err == nil && t.Year() > 0 && t.Year() < 10000 {
		return admitto.TimeOf(t), admitto.TimeOf(t), true
	}
	return 0, 0, false
}

func since(to func(*admitto.ApplicationQuery) *admitto.Time) func(*browsing, *admitto.ApplicationQuery, []string) {
	return func(b *browsing, q *admitto.ApplicationQuery, values []string) {
		if from, _, ok := b.times(values[0]); ok {
			*to(q) = from
		}
	}
}

func onDay(to func(*admitto.ApplicationQuery) *admitto.Date) func(*browsing, *admitto.ApplicationQuery, []string) {
	return func(b *browsing, q *admitto.ApplicationQuery, values []string) {
		if from, _, ok := b.times(values[0]); ok {
			*to(q) = admitto.DateOf(from.Std().In(b.r.Zone()))
		}
	}
}

func until(b *browsing, q *admitto.ApplicationQuery, values []string) {
	if _, to, ok := b.times(values[0]); ok {
		q.RefusedTo = to
	}
}

// setMarks sets what applications are filtered by besides their status.
func setMarks(_ *browsing, q *admitto.ApplicationQuery, values []string) {
	yes := true
	if slices.Contains(values, "expired") {
		q.Expired = &yes
	}
	if slices.Contains(values, "frozen") {
		q.Frozen = &yes
	}
}

func setOfficers(b *browsing, q *admitto.ApplicationQuery, values []string) {
	for _, v := range values {
		switch v {
		case "me":
			q.Officers = append(q.Officers, b.r.Person.Account)
		case "nobody":
			q.NoOfficer = true
		default:
			q.Officers = append(q.Officers, ids([]string{v})...)
		}
	}
}

// browseFilters are all filters, in the order of the pane.
func browseFilters() []filter {
	type q = *admitto.ApplicationQuery
	return []filter{
		{name: "status", set: inWords(func(q q) *[]string { return &q.Statuses }), options: (*browsing).statusOptions},
		{name: "mark", set: setMarks, options: (*browsing).markOptions},
		{name: "text", shape: words, set: func(_ *browsing, q q, v []string) { q.Text = v[0] }},
		{name: "officer", shape: chosen, set: setOfficers, options: (*browsing).staffOptions},
		{name: "flag", shape: chosen, set: inIDs(func(q q) *[]int64 { return &q.Flags }), options: (*browsing).flagOptions},

		{name: "institution", fold: "fold_courses", shape: chosen,
			set:     inIDs(func(q q) *[]int64 { return &q.CourseInstitutions }),
			options: (*browsing).institutionOptions},
		{name: "course", fold: "fold_courses", shape: chosen, set: inIDs(func(q q) *[]int64 { return &q.Courses }),
			options: (*browsing).courseOptions},
		{name: "course_type", fold: "fold_courses", shape: chosen,
			set:     inWords(func(q q) *[]string { return &q.CourseTypes }),
			options: (*browsing).courseTypeOptions},
		{name: "intake", fold: "fold_courses", shape: chosen, set: inIDs(func(q q) *[]int64 { return &q.CourseIntakes }),
			options: (*browsing).intakeOptions},

		{name: "offer", fold: "fold_offers", needs: admitto.OffersView,
			set:     inIDs(func(q q) *[]int64 { return &q.OfferTypes }),
			options: (*browsing).offerOptions},
		{name: "confirmed", fold: "fold_offers", shape: truth, needs: admitto.OffersView,
			set: inTruth(func(q q) **bool { return &q.OfferAsConfirmed }), options: truths("confirmed")},
		{name: "decision", fold: "fold_offers", needs: admitto.OffersView,
			set: inWords(func(q q) *[]string { return &q.OfferDecisions }), options: (*browsing).decisionOptions},
		{name: "quota", fold: "fold_offers", shape: truth, needs: admitto.OffersView,
			set:     func(_ *browsing, q q, v []string) { q.InQuota = v[0] == "yes" },
			options: func(b *browsing) []ui.Option { return truths("quota")(b)[:1] }},
		{name: "decided", fold: "fold_offers", shape: day, needs: admitto.OffersView,
			set: since(func(q q) *admitto.Time { return &q.DecidedSince })},

		{name: "answer_from", fold: "fold_offers", shape: day, needs: admitto.OffersView,
			set: onDay(func(q q) *admitto.Date { return &q.AnswerFrom })},
		{name: "answer_to", fold: "fold_offers", shape: day, needs: admitto.OffersView,
			set: onDay(func(q q) *admitto.Date { return &q.AnswerTo })},

		{name: "citizenship", fold: "fold_person", shape: chosen,
			set: inWords(func(q q) *[]string { return &q.Citizenships }), options: (*browsing).citizenshipOptions},
		{name: "tracker", fold: "fold_person", shape: chosen, needs: admitto.ApplicantsView,
			set: inIDs(func(q q) *[]int64 { return &q.Trackers }), options: (*browsing).trackerOptions},
		{name: "matriculated", fold: "fold_person", shape: truth, needs: admitto.ApplicantsView,
			set: inTruth(func(q q) **bool { return &q.Matriculated }), options: truths("matriculated")},

		{name: "task", fold: "fold_tasks", shape: chosen, set: inIDs(func(q q) *[]int64 { return &q.TaskTemplates }),
			options: (*browsing).taskOptions},
		{name: "task_status", fold: "fold_tasks", shape: chosen, set: inWords(func(q q) *[]string { return &q.TaskStatuses }),
			options: (*browsing).taskStatusOptions},
		{name: "unpaid", fold: "fold_tasks", shape: truth, needs: admitto.AccountingView,
			set:     func(_ *browsing, q q, v []string) { q.Unpaid = v[0] == "yes" },
			options: func(b *browsing) []ui.Option { return truths("unpaid")(b)[:1] }},

		{name: "submitted", fold: "fold_times", shape: truth, set: inTruth(func(q q) **bool { return &q.SubmittedOnce }),
			options: truths("submitted")},
		{name: "created_since", fold: "fold_times", shape: day,
			set: since(func(q q) *admitto.Time { return &q.CreatedSince })},
		{name: "revised_since", fold: "fold_times", shape: day,
			set: since(func(q q) *admitto.Time { return &q.RevisedSince })},
		{name: "submitted_since", fold: "fold_times", shape: day,
			set: since(func(q q) *admitto.Time { return &q.SubmittedSince })},
		{name: "changed_since", fold: "fold_times", shape: day,
			set: since(func(q q) *admitto.Time { return &q.ChangedSince })},
		{name: "refused_from", fold: "fold_times", shape: day, set: since(func(q q) *admitto.Time { return &q.RefusedFrom })},
		{name: "refused_to", fold: "fold_times", shape: day, set: until},
	}
}

// browse reads the address. Without a term it is not whole: see pages.applications.
func (p *pages) browse(r *site.Request, view *site.View) (*browsing, error) {
	b := browsingOf(r, view)
	if err := p.readNames(b); err != nil {
		return nil, err
	}
	b.query.ApplicationQuery = b.filtered("", "")
	for _, f := range browseFilters() {
		for _, value := range b.view.All(f.name) {
			if b.unread(&f, value) {
				b.wrong[f.name] = true
			}
		}
	}
	return b, nil
}

// unread reports whether a value of a filter cannot be read.
func (b *browsing) unread(f *filter, value string) bool {
	_, _, ok := b.times(value)
	return f.shape == day && !ok || f.shape == truth && value != "yes" && value != "no"
}

// browsingOf reads order, page and term of the address.
func browsingOf(r *site.Request, view *site.View) *browsing {
	b := &browsing{r: r, view: view, wrong: map[string]bool{}}
	b.query.Page = admitto.BrowsePage{Sort: admitto.BrowseSort(b.view.Sort), Descending: b.view.Desc, Rows: b.view.Size,
		Skip: int64(b.view.Offset())}
	if term := b.view.Get("term"); term != allTerms {
		b.term = b.view.ID("term")
		b.query.TermIDs = ids([]string{term})
	}
	return b
}

// browseSorts are the orders of the list, the usual one first.
func browseSorts() (sorts []string) {
	for _, s := range admitto.ApplicationSorts() {
		sorts = append(sorts, string(s))
	}
	return sorts
}

// filtered is what the address asks for, without one value of a name.
func (b *browsing) filtered(name, value string) admitto.ApplicationQuery {
	q, nothing := admitto.ApplicationQuery{}, false
	if b.view.Get("term") != allTerms {
		q.TermIDs = ids([]string{b.view.Get("term")})
	}
	for _, f := range browseFilters() {
		values := b.view.All(f.name)
		if f.name == name {
			values = slices.DeleteFunc(values, func(v string) bool { return v == value })
		}
		if len(values) == 0 {
			continue
		}
		if f.set(b, &q, values); slices.ContainsFunc(values, func(v string) bool { return b.unread(&f, v) }) {
			nothing = true
		}
	}
	if nothing {
		q.TermIDs = []int64{-1} // a mistyped day must not become a list of everything
	}
	return q
}

// readNames reads what the pane and the rows name things by.
func (p *pages) readNames(b *browsing) (err error) {
	ctx, by := b.r.Context(), b.r.Reader()
	for _, read := range []func() error{
		func() (err error) { b.terms, err = p.Query.Terms(ctx, by); return err },
		func() (err error) {
			b.institutions, err = p.Query.Institutions(ctx, by, admitto.InstitutionQuery{})
			return err
		},
		func() (err error) { b.courses, err = p.Query.Courses(ctx, by, admitto.CourseQuery{}); return err },
		func() (err error) { b.intakes, err = p.Query.Intakes(ctx, by); return err },
		func() (err error) { b.flags, err = p.Query.Flags(ctx, by); return err },
		func() (err error) { b.staff, err = p.Query.Administrators(ctx, by); return err },
		func() (err error) { b.officers, err = p.Query.Officers(ctx, by); return err },
		func() (err error) { b.trackers, err = p.Query.Trackers(ctx, by); return err },
		func() (err error) { b.offerTypes, err = p.Query.OfferTypes(ctx, by); return err },
		func() (err error) { b.tasks, err = p.Query.TaskClasses(ctx, by); return err },
		func() (err error) { b.counts, err = p.Query.BrowseCounts(ctx, by, b.term); return err },
	} {
		if err = read(); err != nil {
			return err
		}
	}
	return nil
}

// termName is the name of a term, "" for none.
func (b *browsing) termName(id int64) string {
	for i := range b.terms {
		if b.terms[i].ID == id {
			return b.terms[i].Name
		}
	}
	return ""
}

// mayFilter reports whether the reader may use the filter.
func (b *browsing) mayFilter(f *filter) bool { return f.needs == 0 || b.r.Reader().Has(f.needs) }
