package courses

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// most is how many applications of one applicant are looked at.
const most = 100

// applied is what an applicant has applied for already.
type applied struct {
	byTerm map[int64]*admitto.Application
	with   map[courseOfTerm]int64 // the application that has a course
	size   map[int64]int          // how many an application has
}

// courseOfTerm is a course in a term: one can apply for it again in another one.
type courseOfTerm struct{ course, term int64 }

// appliedFor reads it; nobody signed in has applied for nothing.
func (p *pages) appliedFor(r *site.Request) (a applied, err error) {
	a = applied{byTerm: map[int64]*admitto.Application{}, with: map[courseOfTerm]int64{},
		size: map[int64]int{}}
	if r.Person.Account == 0 {
		return a, nil
	}
	parts := &query.ApplicationParts{WantCourses: true}
	list, err := p.Query.ApplicationsOf(r.Context(), r.Reader(), r.Person.Account, admitto.ApplicationQuery{Limit: most},
		parts)
	if err != nil {
		return a, err
	}
	for one, err := range list.All() {
		if err != nil {
			return a, err
		}
		if one.Status == admitto.Closed {
			continue
		}
		kept := *one
		a.byTerm[one.Term] = &kept
		a.size[one.ID] = len(parts.Courses[one.ID])
		for _, c := range parts.Courses[one.ID] {
			a.with[courseOfTerm{c.Course, one.Term}] = one.ID
		}
	}
	return a, nil
}

// shown is a course as its reader finds it.
type shown struct {
	query.OfferedCourse
	titles  map[string]map[string]string
	country string
	own     applied
	reopens map[int64]bool // submitted applications that their applicant may open again, to add a course
}

func (p *pages) read(r *site.Request, id int64) (s shown, err error) {
	s.country = Citizenship(r)
	if r.Person.Account != 0 {
		account, err := p.Accounts.ApplicantAccount(r.Context(), r.Reader(), r.Person.Account)
		if err != nil {
			return s, err
		}
		s.country = account.Citizenship
	}
	var names query.OfferedPage
	if s.OfferedCourse, names, err = p.Query.OfferedCourse(r.Context(), id, s.country); err != nil {
		return s, err
	}
	s.titles = titlesOf(r, names.Words)
	if s.own, err = p.appliedFor(r); err != nil {
		return s, err
	}
	s.reopens = map[int64]bool{}
	for i := range s.Starts {
		a := s.own.byTerm[s.Starts[i].Term.ID]
		if a == nil || a.Status != admitto.Submitted {
			continue
		}
		chances, err := p.Admissions.Chances(r.Context(), r.Caller(), a.ID)
		if err != nil {
			return s, err
		}
		s.reopens[a.ID] = slices.ContainsFunc(chances, func(c admissions.Chance) bool {
			return c.Event == admitto.Reopen && c.Possible()
		})
	}
	return s, nil
}

// course is screens.md P02.
func (p *pages) course(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	s, err := p.read(r, id)
	if err != nil {
		return err
	}
	r.SetTitleIn(r.Said(s.NameIn(r.Lang)))
	if s.Status == "Closed" {
		return p.closed(r, &s)
	}
	leads, leadsIn := award(r, &s.OfferedCourse)
	page := site.Sheet{Lead: &ui.Words{Text: leads, Lang: leadsIn}}
	summary, lang := r.Version(s.Versions, "summary", s.Summary)
	if summary != "" {
		page.Parts = append(page.Parts, ui.Prose{Text: summary, Lang: lang})
	}
	told := map[int64]bool{}
	for i := range s.Starts {
		application := s.own.with[courseOfTerm{s.ID, s.Starts[i].Term.ID}]
		if application == 0 || told[application] {
			continue
		}
		told[application] = true
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.OK, Text: r.T("catalogue.applied", "ID",
			strconv.FormatInt(application, 10)), Link: &ui.Link{Text: r.T("title.applications"),
			Href: r.At("my-application", application)}})
	}
	page.Parts = append(page.Parts, s.texts(r)...)
	page.Parts = append(page.Parts, s.facts(r))
	page.Parts = append(page.Parts, s.citizen(r))
	page.Parts = append(page.Parts, p.starts(r, &s)...)
	if len(s.Fees) > 0 {
		page.Parts = append(page.Parts, s.fees(r))
	}
	page.Parts = append(page.Parts, s.asks(r))
	page.Buttons = r.Buttons(site.Do("wish-add", s.ID))
	if r.Person.Account == 0 {
		page.Buttons = []ui.Button{{Text: r.T("action.wish-add"), Href: r.At("wish-add", s.ID)}}
	}
	r.SetSearch(ui.Search{Canonical: r.Settings().BaseURL + r.URL.Path,
		Description: cmp.Or(summary, leads), Hidden: s.Status == "Private", Data: s.data(r)})
	return page.Show(r)
}

// citizen says for whom deadlines and fees are shown, and lets visitors choose that here, too.
func (s *shown) citizen(r *site.Request) ui.Component {
	field := citizenField(r, s.country)
	if r.Person.Account != 0 {
		return field
	}
	return ui.FormBox{Get: true, Action: r.At("course", s.ID), Parts: []ui.Component{field},
		Buttons: []ui.Button{{Text: r.T("catalogue.show_mine")}}}
}

// closed is what is left of a course that nobody can apply for any more: that it was there, and others of its kind.
func (p *pages) closed(r *site.Request, s *shown) error {
	r.SetGone()
	q := query.OfferedList{Citizenship: s.country, Limit: 5}
	if s.Type != "" {
		q.Types = []string{s.Type}
	}
	found, err := p.Query.OfferedCourses(r.Context(), q)
	if err != nil {
		return err
	}
	page := site.Sheet{Intro: []string{r.T("catalogue.closed", "Institution", s.InstitutionName)},
		Buttons: append(r.Buttons(site.Primary("courses")), ui.Button{Text: r.T("title.help"),
			Href: r.At("help") + "?about=course&id=" + strconv.FormatInt(s.ID, 10)})}
	others := ui.KeyValues{}
	for i := range found.Courses {
		c := &found.Courses[i]
		fact := ui.KeyValue{KeyHref: r.At("course", c.ID)}
		fact.Value, fact.Lang = award(r, c)
		fact.Key, fact.KeyLang = r.Said(c.NameIn(r.Lang))
		others.Facts = append(others.Facts, fact)
	}
	if len(others.Facts) > 0 {
		page.Parts = append(page.Parts, ui.Box{Title: r.T("catalogue.similar"), Parts: []ui.Component{others}})
	}
	return page.Show(r)
}

// texts are what staff wrote about the course.
func (s *shown) texts(r *site.Request) (parts []ui.Component) {
	for _, text := range []struct{ name, first string }{{"about", s.About}, {"requirements", s.Requirements}} {
		if words, lang := r.Version(s.Versions, text.name, text.first); words != "" {
			parts = append(parts, ui.Box{Title: r.T("catalogue." + text.name),
				Parts: []ui.Component{ui.Prose{Text: words, Lang: lang}}})
		}
	}
	return parts
}

// facts are what is known of the course.
func (s *shown) facts(r *site.Request) ui.Component {
	var facts []ui.KeyValue
	add := func(key, value, href string) {
		if value != "" {
			facts = append(facts, ui.KeyValue{Key: r.T(key), Value: value, Href: href})
		}
	}
	said := func(key, name, first string) {
		if value, lang := r.Version(s.Versions, name, first); value != "" {
			facts = append(facts, ui.KeyValue{Key: r.T(key), Value: value, Lang: lang})
		}
	}
	add("catalogue.type", s.titles["Course type"][s.Type], "")
	add("catalogue.mode", s.titles["Course mode"][s.Mode], "")
	add("catalogue.language", r.Language(s.Language), "")
	said("catalogue.duration", "duration", s.Duration)
	add("catalogue.credits", s.Credits, "")
	location, _ := r.Version(s.Versions, "location", s.Location)
	add("catalogue.place", r.Listed(location, r.Country(s.Country)), "")
	add("catalogue.code", s.Code, "")
	add("catalogue.accreditation", s.Accreditation, "")
	if s.Quota != nil {
		add("catalogue.quota", r.Number(int(*s.Quota)), "")
	}
	if web(s.ProspectURI) {
		add("catalogue.prospect", s.ProspectURI, s.ProspectURI)
	}
	return ui.Box{Title: r.T("catalogue.facts"), Parts: []ui.Component{ui.KeyValues{Facts: facts}}}
}

// web reports whether an address leads to the web.
func web(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// starts are a box for each intake, with how one applies, or why one cannot.
func (p *pages) starts(r *site.Request, s *shown) (boxes []ui.Component) {
	if len(s.Starts) == 0 {
		return []ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("catalogue.no_intake"), Link: &ui.Link{
			Text: r.T("catalogue.others"), Href: r.At("courses")}}}
	}
	primary := true
	for i := range s.Starts {
		in := &s.Starts[i]
		facts := []ui.KeyValue{{Key: r.T("catalogue.state"), Tags: []ui.Tag{stateTag(r, in)}},
			{Key: r.T("catalogue.begins"), Value: r.Date(in.Begins().In(time.UTC))}}
		if day := s.deadline(r, in); day != "" {
			facts = append(facts, ui.KeyValue{Key: r.T("catalogue.deadline"), Value: day})
		}
		first, notes := early(r, in)
		facts = append(facts, first...)
		if in.Deadline.Until != 0 && in.State != admitto.IntakeBarred {
			facts = append(facts, ui.KeyValue{Key: r.T("catalogue.policy"),
				Value: r.T("after_deadline." + policyKey(in.Policy))})
		}
		if info, lang := r.Version(in.Versions, admitto.DeadlineVersion(in.Territory), in.Info); info != "" {
			notes = append(notes, ui.Words{Text: info, Lang: lang})
		}
		if notes != nil {
			facts = append(facts, ui.KeyValue{Key: r.T("catalogue.info"), Parts: notes})
		}
		box := ui.Box{Parts: []ui.Component{ui.KeyValues{Facts: facts}}}
		box.Title, box.Lang = r.Said(in.NameIn(r.Lang))
		box.Parts = append(box.Parts, s.way(r, in, primary)...)
		primary = primary && !in.State.IsOpen()
		boxes = append(boxes, box)
	}
	return boxes
}

// deadline is the last day with the time and the zone, how many days are left, and that it depends on the citizenship.
func (s *shown) deadline(r *site.Request, in *query.OfferedIntake) string {
	if in.Deadline.Until == 0 || in.State == admitto.IntakeNotYet || in.State == admitto.IntakeBarred {
		return deadlineText(r, in, s.country)
	}
	key := "catalogue.until"
	if !in.State.IsOpen() || in.State == admitto.IntakeLate {
		key = "catalogue.was_until"
	}
	last := lastDay(r, in)
	said := r.T(key, "Day", r.Date(last.In(time.UTC)), "Zone", r.Zone().String())
	left := int(last.In(time.UTC).Sub(admitto.DateOf(r.Now().Std().In(r.Zone())).In(time.UTC)).Hours() / 24)
	switch {
	case key != "catalogue.until":
	case left == 0:
		said += " " + r.T("catalogue.last_day")
	default:
		said += " " + r.Plural("catalogue.left", left)
	}
	if s.country == "" && len(in.Deadlines) > 1 {
		said += " " + r.T("catalogue.by_citizenship")
	}
	return said
}

// barrier says why one cannot apply for an intake, and what to do; nil where nothing is known to stand in the way.
func (s *shown) barrier(r *site.Request, in *query.OfferedIntake) []ui.Component {
	why := func(key string, args ...any) []ui.Component {
		about := "course"
		if in.State == admitto.IntakeClosed {
			about = "course-deadline"
		}
		return []ui.Component{ui.Notice{Tone: ui.Info, Text: r.T(key, args...), Link: &ui.Link{Text: r.T("title.help"),
			Href: r.At("help") + "?about=" + about + "&id=" + strconv.FormatInt(s.ID, 10)}}}
	}
	switch in.State {
	case admitto.IntakeBarred:
		return why("catalogue.barred")
	case admitto.IntakeClosed:
		return why("catalogue.over", "Day", r.Date(in.Deadline.Day.In(time.UTC)))
	case admitto.IntakeNotYet:
		return []ui.Component{ui.Words{Muted: true, Text: r.T("catalogue.not_yet", "Day", r.Date(in.Start.In(time.UTC)))}}
	case admitto.IntakeOpen, admitto.IntakeClosing, admitto.IntakeLate:
	}
	if a := s.own.byTerm[in.Term.ID]; a != nil && (a.Status == admitto.Submitted || a.Status == admitto.Withdrawn) {
		key, id := "catalogue.submitted", strconv.FormatInt(a.ID, 10)
		switch {
		case a.Status == admitto.Withdrawn:
			key = "catalogue.withdrawn"
		case s.reopens[a.ID]:
			return []ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("catalogue.submitted_reopen", "ID", id),
				Link: &ui.Link{Text: r.T("action.my-reopen"), Href: r.At("my-reopen", a.ID)}}}
		}
		return append(why(key, "ID", id), ui.Acts{{Text: r.T("applications.title", "ID", id),
			Href: r.At("my-application", a.ID)}})
	} else if most := r.Settings().Applications.MaxCourses; a != nil && s.own.size[a.ID] >= most {
		id := strconv.FormatInt(a.ID, 10)
		return []ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("catalogue.full", "ID", id, "Most", r.Number(most)),
			Link: &ui.Link{Text: r.T("title.my-courses"), Href: r.At("my-courses", a.ID)}}}
	}
	return nil
}

// way is the button by which one applies, or the sentence that says why one cannot and what to do.
func (s *shown) way(r *site.Request, in *query.OfferedIntake, primary bool) []ui.Component {
	open := in.State.IsOpen() || in.State == admitto.IntakeLate
	if open && s.own.with[courseOfTerm{s.ID, in.Term.ID}] != 0 {
		return nil
	}
	if why := s.barrier(r, in); why != nil {
		return why
	}
	name, _ := in.NameIn(r.Lang)
	parts := []ui.Component{ui.Acts{{Text: r.T("catalogue.apply", "Intake", name), Href: r.At("apply", s.ID, in.ID),
		Primary: primary}}}
	if in.State == admitto.IntakeLate {
		parts = append([]ui.Component{ui.Words{Text: r.T("catalogue.late")}}, parts...)
	}
	return parts
}

// fees are what the course costs with the citizenship of the reader, and why.
func (s *shown) fees(r *site.Request) ui.Component {
	var facts []ui.KeyValue
	for _, f := range s.Fees {
		value := r.T("catalogue.fee_once", "Amount", r.Money(int64(f.Amount), f.Currency))
		if f.Basis == "Year" {
			value = r.T("catalogue.fee_year", "Amount", r.Money(int64(f.Amount), f.Currency))
		}
		if f.Amount == 0 {
			value = r.T("catalogue.fee_none")
		}
		switch {
		case f.Territory == "":
			value = r.T("catalogue.fee_some")
		case f.Varies:
			value += " " + r.T("catalogue.fee_unknown")
		case f.Territory == s.country:
			value += " " + r.T("catalogue.fee_country", "Country", r.Country(s.country))
		case f.Territory == world && f.Others:
			value += " " + r.T("catalogue.fee_others")
		case f.Territory == world:
			value += " " + r.T("catalogue.fee_world")
		default:
			value += " " + r.T("catalogue.fee_region", "Country", r.Country(s.country))
		}
		name, lang := r.Version(f.Versions, "name", f.Name)
		facts = append(facts, ui.KeyValue{Key: name, KeyLang: lang, Value: value})
	}
	return ui.Box{Title: r.T("catalogue.fees"), Parts: []ui.Component{ui.KeyValues{Facts: facts}}}
}

// asks are the sections that who applies fills in, and the documents that they send.
func (s *shown) asks(r *site.Request) ui.Component {
	var needed, others, before, later []string
	for _, section := range form.Sections() {
		if !s.Asked.Shows(section.Key) {
			continue
		}
		name := formpage.SectionName(r, section)
		if s.Asked.Requires(section.Key) || !section.Rows && s.Asked.RequiresOf(section) {
			needed = append(needed, name)
		} else {
			others = append(others, name)
		}
	}
	for i := range s.Papers {
		t := r.TaskTemplate(&s.Papers[i])
		if t.Cause == "created" {
			before = append(before, t.Title)
		} else {
			later = append(later, t.Title)
		}
	}
	var facts []ui.KeyValue
	for _, fact := range []struct {
		key   string
		names []string
	}{{"catalogue.asks_sections", needed}, {"catalogue.asks_others", others}, {"catalogue.asks_papers", before},
		{"catalogue.asks_later", later}} {
		if fact.names != nil {
			facts = append(facts, ui.KeyValue{Key: r.T(fact.key), Value: r.Listed(fact.names...)})
		}
	}
	return ui.Box{Title: r.T("catalogue.asks"), Parts: []ui.Component{ui.KeyValues{Facts: facts}}}
}

// policyKey is the policy of an intake in the keys of messages.
func policyKey(policy string) string {
	return strings.Trim(strings.NewReplacer(" ", "_", "(", "", ")", "", ",", "").Replace(strings.ToLower(policy)), "_")
}

// data is the course in the words of schema.org.
func (s *shown) data(r *site.Request) any {
	name, _ := s.NameIn(r.Lang)
	data := map[string]any{"@context": "https://schema.org", "@type": "Course", "name": name,
		"url":      r.Settings().BaseURL + r.At("course", s.ID),
		"provider": map[string]any{"@type": "CollegeOrUniversity", "name": s.InstitutionName}}
	summary, _ := r.Version(s.Versions, "summary", s.Summary)
	of, _ := award(r, &s.OfferedCourse)
	awards, _ := s.AwardsIn(r.Lang, ", ")
	for key, value := range map[string]string{"description": cmp.Or(summary, of), "courseCode": s.Code,
		"inLanguage": s.Language, "educationalCredentialAwarded": awards} {
		if value != "" {
			data[key] = value
		}
	}
	var instances []map[string]any
	for i := range s.Starts {
		name, _ := s.Starts[i].NameIn(r.Lang)
		instance := map[string]any{"@type": "CourseInstance", "name": name, "startDate": s.Starts[i].Begins().String()}
		if mode := s.titles["Course mode"][s.Mode]; mode != "" {
			instance["courseMode"] = mode
		}
		instances = append(instances, instance)
	}
	if instances != nil {
		data["hasCourseInstance"] = instances
	}
	return data
}
