package catalogue

import (
	"context"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Types of terms that the template of a season uses (resources.md 17).
const (
	autumnType = 2
	springType = 3
)

// seasonOfferTypes are the types that stay in use: nine with which most universities answer (screens.md A05).
var seasonOfferTypes = []int64{1, 6, 13, 15, 17, 20, 22, 23, 25}

// seasonTasks are the classes of the task templates that are switched on.
var seasonTasks = []string{"checklist-identity", "checklist-transcript", "checklist-diploma", "checklist-language"}

// decisionDays is how long applicants have for their answer in intakes of the template.
const decisionDays = 30

// SeasonTerm is a term of a season with its deadlines.
type SeasonTerm struct {
	Spring        bool
	Name          string
	World, Region admitto.Date // last days for applying
	Intakes       [2]string    // names for bachelor and master
}

// SeasonTemplate is a typical year that staff make their own from (screens.md A05).
type SeasonTemplate struct {
	Year    int64
	Terms   []SeasonTerm
	Region  string    // with deadlines of its own, "" for none
	Courses [2]string // names of a bachelor and a master course, "" for none

	OfferTypes, Tasks bool
	Consent           string // the text of a mandatory consent where there is none, "" to leave consents
}

// SeasonItem is something that a season consists of.
type SeasonItem struct {
	Kind   string // term, intake, course, offer_types, tasks or consent
	Name   string
	ID     int64 // of one that is there
	Exists bool  // nothing is to do
	Stays  bool  // a course that is no draft, and is tied to no new intake
	Count  int   // of what changes, where it is no single record
	Term   admitto.Term
	Intake admitto.Intake
}

// ProposedYear is the academic year whose first deadlines still lie ahead.
func ProposedYear(today admitto.Date) int64 {
	year := int64(today.Year)
	if !today.Before(admitto.Date{Year: today.Year, Month: 4, Day: 1}) {
		year++
	}
	return year
}

// ProposedDeadlines are the last days for applying in a year: for the world, and for a region that is near.
func ProposedDeadlines(year int64, spring bool) (world, region admitto.Date) {
	y := int16(year)
	if spring {
		return admitto.Date{Year: y, Month: 10, Day: 31}, admitto.Date{Year: y, Month: 11, Day: 30}
	}
	return admitto.Date{Year: y, Month: 4, Day: 30}, admitto.Date{Year: y, Month: 6, Day: 30}
}

// ProposedTerm is the next autumn or spring that is not among the terms, without a name (screens.md A01).
func ProposedTerm(today admitto.Date, terms []admitto.Term) (t admitto.Term, spring bool) {
	for year := ProposedYear(today); ; year++ {
		for _, s := range []SeasonTerm{{}, {Spring: true}} {
			t = s.term(year)
			if !slices.ContainsFunc(terms, func(old admitto.Term) bool {
				return old.Year == year && old.Type == t.Type
			}) {
				return t, s.Spring
			}
		}
	}
}

// ProposedIntake is an intake of a term with the name of the term: until the proposed deadline, or until the last day
// for applying of the term where that is over, or comes before applying opens.
func ProposedIntake(today admitto.Date, term *admitto.Term) admitto.Intake {
	t := SeasonTerm{Spring: term.Type == springType}
	t.World, _ = ProposedDeadlines(term.Year, t.Spring)
	i := t.intake(term.Name, "", term)
	if t.World.Before(today) || t.World.Before(i.Start) || term.Grace.Before(t.World) {
		i.Deadlines[0].Day = term.Grace
	}
	return i
}

// term is the term as it is stored.
func (t *SeasonTerm) term(year int64) admitto.Term {
	y := int16(year)
	if t.Spring {
		return admitto.Term{Year: year, Name: t.Name, Type: springType, Start: admitto.Date{Year: y + 1, Month: 2,
			Day: 1},
			Grace: admitto.Date{Year: y + 1, Month: 3, Day: 31}, Finish: admitto.Date{Year: y + 1, Month: 6, Day: 30}}
	}
	return admitto.Term{Year: year, Name: t.Name, Type: autumnType, Start: admitto.Date{Year: y, Month: 9, Day: 1},
		Grace: admitto.Date{Year: y, Month: 10, Day: 31}, Finish: admitto.Date{Year: y + 1, Month: 1, Day: 31}}
}

// intake is an intake of the term, which applicants can apply for from nine months before it.
func (t *SeasonTerm) intake(name, region string, term *admitto.Term) admitto.Intake {
	days := int64(decisionDays)
	i := admitto.Intake{Name: name, Term: *term, Policy: string(admitto.StrictSubmit), DecisionPolicy: "Required",
		DecisionDays: &days, Commence: term.Start, Arrival: term.Start.AddDays(-7), Start: term.Start.AddMonths(-9),
		Deadlines: []admitto.Deadline{{Territory: admitto.World, Day: t.World}}}
	if region != "" {
		i.Deadlines = append(i.Deadlines, admitto.Deadline{Territory: region, Day: t.Region})
	}
	return i
}

// PlanSeason says what a template would make, and what is there already. It writes nothing.
func (s *Service) PlanSeason(ctx context.Context, by admitto.Caller, season SeasonTemplate) ([]SeasonItem, error) {
	if err := by.Needs(admitto.AcademicTermsEdit); err != nil {
		return nil, err
	}
	if err := mayPlanSeason(by); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (list []SeasonItem, err error) {
		list, err = planSeason(tx, &season)
		for _, part := range []struct {
			wanted bool
			plan   func(tx *store.Tx) (SeasonItem, error)
		}{{season.OfferTypes, planOfferTypes}, {season.Tasks, planTasks}, {season.Consent != "", planConsent}} {
			if err == nil && part.wanted {
				var item SeasonItem
				item, err = part.plan(tx)
				list = append(list, item)
			}
		}
		return list, err
	})
}

func mayPlanSeason(by admitto.Caller) error {
	if err := by.Needs(admitto.IntakesEdit); err != nil {
		return err
	}
	return by.Needs(admitto.CoursesEdit)
}

// planSeason lists the terms, intakes and courses of a template with those that are there.
func planSeason(tx *store.Tx, season *SeasonTemplate) (list []SeasonItem, err error) {
	terms, err := tx.Terms()
	if err != nil {
		return nil, err
	}
	intakes, err := tx.Intakes()
	if err != nil {
		return nil, err
	}
	for n := range season.Terms {
		t := &season.Terms[n]
		term := SeasonItem{Kind: "term", Name: t.Name, Term: t.term(season.Year)}
		at := slices.IndexFunc(terms, func(old admitto.Term) bool {
			return old.Year == season.Year && old.Type == term.Term.Type
		})
		if at < 0 { // no two terms of a year have one name
			at = slices.IndexFunc(terms, func(old admitto.Term) bool {
				return old.Year == season.Year && strings.EqualFold(old.Name, t.Name)
			})
		}
		if at >= 0 {
			term.ID, term.Exists, term.Term, term.Name = terms[at].ID, true, terms[at], terms[at].Name
		}
		list = append(list, term)
		for level, name := range t.Intakes {
			if season.Courses[level] == "" {
				continue
			}
			item := SeasonItem{Kind: "intake", Name: name, Intake: t.intake(name, season.Region, &term.Term)}
			at := slices.IndexFunc(intakes, func(old admitto.Intake) bool {
				return term.ID != 0 && old.Term.ID == term.ID && old.Name == name
			})
			if at >= 0 {
				item.ID, item.Exists, item.Intake = intakes[at].ID, true, intakes[at]
			}
			list = append(list, item)
		}
	}
	courses, err := tx.Courses(admitto.CourseQuery{})
	if err != nil {
		return nil, err
	}
	for _, name := range season.Courses {
		if name == "" {
			continue
		}
		item := SeasonItem{Kind: "course", Name: name}
		if at := slices.IndexFunc(courses, func(c admitto.Course) bool { return c.Name == name }); at >= 0 {
			item.ID, item.Exists, item.Stays = courses[at].ID, true, courses[at].Status != draft
		}
		list = append(list, item)
	}
	return list, nil
}

// CreateSeason makes what of a template is not there: terms, intakes, courses as drafts; of the offer types nine stay
// in use; some task templates are switched on; a mandatory consent where there is none. Doing it again changes nothing,
// and goes on where it was interrupted (screens.md A05). Errors: invalid-parameter.
func (s *Service) CreateSeason(ctx context.Context, by usecase.Caller, season SeasonTemplate) error {
	if err := by.Needs(admitto.AcademicTermsEdit); err != nil {
		return err
	}
	if err := mayPlanSeason(by.Caller); err != nil {
		return err
	}
	type step struct {
		wanted bool
		needs  admitto.Permission
		do     func(tx *store.Tx) error
	}
	steps := []step{
		{true, admitto.CoursesEdit, func(tx *store.Tx) error { return s.makeSeason(tx, by, &season) }},
		{season.OfferTypes, admitto.OfferTypesEdit, func(tx *store.Tx) error { return archiveOfferTypes(tx, by) }},
		{season.Tasks, admitto.TaskClassesEdit, func(tx *store.Tx) error { return switchTasksOn(tx, by) }},
		{season.Consent != "", admitto.TemplatesEdit, func(tx *store.Tx) error {
			return makeConsent(tx, by,
				season.Consent)
		}},
	}
	for _, step := range steps {
		if !step.wanted {
			continue
		}
		if err := by.Needs(step.needs); err != nil {
			return err
		}
	}
	for _, step := range steps {
		if !step.wanted {
			continue
		}
		if err := s.core.Write(ctx, step.do); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a template with what no term and no intake may have.
func (season *SeasonTemplate) check(c *checks) {
	if season.Year < FirstYear || season.Year > LastYear {
		c.fault("page.season.year", message.Of("year-range", FirstYear, LastYear))
	}
	if len(season.Terms) == 0 {
		c.fault("page.season.terms", message.Of("choose-one"))
	}
	if season.Courses == [2]string{} {
		c.fault("page.season.levels", message.Of("choose-one"))
	}
	if season.Region != "" && !slices.ContainsFunc(c.regionList(), func(r admitto.Region) bool {
		return r.Code == season.Region
	}) {
		c.fault("page.season.region", message.Of("choose-one"))
	}
	for n := range season.Terms {
		t := &season.Terms[n]
		field := either(t.Spring, "spring_", "autumn_")
		term := t.term(season.Year)
		for _, day := range []struct {
			field  string
			day    admitto.Date
			wanted bool
		}{{"world", t.World, true}, {"region", t.Region, season.Region != ""}} {
			path := admitto.Path("page.season." + string(field) + day.field)
			switch {
			case !day.wanted:
			case day.day.IsZero():
				c.fault(path, message.Of("day-missing"))
			case term.Grace.Before(day.day):
				c.fault(path, message.Of("after-grace", term.Grace))
			}
		}
		if made := t.intake("", season.Region, &term); !t.World.IsZero() {
			// Its deadlines were held against the last day of the term.
			c.opens(admitto.Path("page.season."+string(field)+"world"), &made, admitto.Date{})
		}
	}
}

// makeSeason makes the terms, intakes and courses of a template.
func (s *Service) makeSeason(tx *store.Tx, by usecase.Caller, season *SeasonTemplate) error {
	c := &checks{tx: tx, known: map[string]error{}}
	if season.check(c); c.refusal() != nil {
		return c.refusal()
	}
	if err := by.Checked(); err != nil {
		return err
	}
	list, err := planSeason(tx, season)
	if err != nil {
		return err
	}
	var term admitto.Term
	var made [2][]int64 // intakes by level
	for n := range list {
		item := &list[n]
		switch item.Kind {
		case "term":
			if !item.Exists {
				if err := s.addTerm(tx, by, &item.Term); err != nil {
					return err
				}
			}
			term = item.Term
		case "intake":
			if item.Intake.Term = term; !item.Exists {
				c.intake(&item.Intake, &admitto.Intake{})
				if err := c.refusal(); err != nil {
					return err
				}
				if err := addIntake(tx, by, &item.Intake); err != nil {
					return err
				}
			}
			for level := range season.Courses {
				if slices.ContainsFunc(season.Terms, func(t SeasonTerm) bool { return t.Intakes[level] == item.Name }) {
					made[level] = append(made[level], item.Intake.ID)
				}
			}
		}
	}
	for level, name := range season.Courses {
		if name != "" {
			if err := s.seasonCourse(tx, by, name, level, made[level]); err != nil {
				return err
			}
		}
	}
	return nil
}

// addTerm stores a new term, with its year where there is none.
func (s *Service) addTerm(tx *store.Tx, by usecase.Caller, t *admitto.Term) error {
	if err := s.addYear(tx, by, t); err != nil {
		return err
	}
	if _, err := tx.SaveTerm(t); err != nil {
		return err
	}
	tx.Record(by.Actor, about(admitto.TermCreated, t.ID))
	return nil
}

func addIntake(tx *store.Tx, by usecase.Caller, i *admitto.Intake) error {
	if _, err := tx.SaveIntake(i); err != nil {
		return err
	}
	tx.Record(by.Actor, about(admitto.IntakeCreated, i.ID))
	return nil
}

// seasonCourse makes a course as a draft, or ties the draft of that name to intakes that it does not have.
func (s *Service) seasonCourse(tx *store.Tx, by usecase.Caller, name string, level int, intakes []int64) error {
	courses, err := tx.Courses(admitto.CourseQuery{})
	if err != nil {
		return err
	}
	at := slices.IndexFunc(courses, func(c admitto.Course) bool { return c.Name == name })
	if at >= 0 {
		c := courses[at]
		if err := tx.LockReference(admitto.Row{Kind: admitto.CourseRow, ID: c.ID}); err != nil || c.Status != draft {
			return err
		}
		c.Intakes = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(c.Intakes), intakes...))))
		changes, err := s.storeCourse(tx, &c)
		if err == nil && len(changes) > 0 {
			tx.Record(by.Actor, admitto.Event{Pattern: admitto.CourseEdited, Details: changes,
				Links: admitto.Links{Course: c.ID, Institution: c.Institution}})
		}
		return err
	}
	c := admitto.Course{Name: name, Status: draft, Type: "UG", Mode: "FT", Intakes: intakes, Duration: "6 semesters",
		Credits: "180 ECTS", Awards: []admitto.Award{{Abbr: "BSc", Full: "Bachelor of Science"}}}
	if level == 1 {
		c.Type, c.Duration, c.Credits = "PG", "4 semesters", "120 ECTS"
		c.Awards = []admitto.Award{{Abbr: "MSc", Full: "Master of Science"}}
	}
	for _, code := range []struct {
		class string
		at    *string
	}{{"Course type", &c.Type}, {"Course mode", &c.Mode}} {
		known, err := tx.HasCode(code.class, *code.at)
		if err != nil {
			return err
		}
		if !known {
			*code.at = ""
		}
	}
	if c.Institution, err = tx.FirstInternalInstitution(); err != nil {
		return err
	}
	if c.Institution == 0 {
		return admitto.Refused(admitto.InvalidParameter, message.Of("institution-required"))
	}
	if _, err = s.storeCourse(tx, &c); err != nil {
		return err
	}
	tx.Record(by.Actor, admitto.Event{Pattern: admitto.CourseCreated,
		Links: admitto.Links{Course: c.ID, Institution: c.Institution}})
	return nil
}

// restOfOfferTypes are the types that the template archives: none once somebody has applied.
func restOfOfferTypes(tx *store.Tx) (rest []admitto.OfferType, err error) {
	last, err := tx.HighestApplication()
	if err != nil || last > 0 {
		return nil, err
	}
	list, err := tx.OfferTypes()
	for _, t := range list {
		if !t.Archived && t.ID <= 30 && !slices.Contains(seasonOfferTypes, t.ID) {
			rest = append(rest, t)
		}
	}
	return rest, err
}

func planOfferTypes(tx *store.Tx) (SeasonItem, error) {
	rest, err := restOfOfferTypes(tx)
	return SeasonItem{Kind: "offer_types", Count: len(rest), Exists: len(rest) == 0}, err
}

func archiveOfferTypes(tx *store.Tx, by usecase.Caller) error {
	rest, err := restOfOfferTypes(tx)
	if err != nil {
		return err
	}
	for _, t := range rest {
		if err := tx.LockReference(admitto.Row{Kind: admitto.OfferTypeRow, ID: t.ID}); err != nil {
			return err
		}
		if t, err = tx.OfferType(t.ID); err != nil {
			return err
		}
		t.Archived = true
		changes, err := tx.SaveOfferType(&t)
		if err != nil {
			return err
		}
		event := about(admitto.OfferTypeArchived, t.ID)
		event.Details = changes
		tx.Record(by.Actor, event)
	}
	return nil
}

// dueTasks are the templates that the template of a season switches on, by ID.
func dueTasks(tx *store.Tx) (due []int64, err error) {
	list, err := tx.TaskTemplates()
	for _, t := range list {
		if !t.Active && slices.Contains(seasonTasks, t.Class) {
			due = append(due, t.ID)
		}
	}
	slices.Sort(due)
	return due, err
}

func planTasks(tx *store.Tx) (SeasonItem, error) {
	due, err := dueTasks(tx)
	return SeasonItem{Kind: "tasks", Count: len(due), Exists: len(due) == 0}, err
}

func switchTasksOn(tx *store.Tx, by usecase.Caller) error {
	due, err := dueTasks(tx)
	if err != nil {
		return err
	}
	for _, id := range due {
		if err := tx.LockReference(admitto.Row{Kind: admitto.TaskTemplateRow, ID: id}); err != nil {
			return err
		}
		t, err := tx.TaskTemplate(id)
		if err != nil {
			return err
		}
		t.Active = true
		changes, err := tx.SaveTaskTemplate(&t)
		if err != nil {
			return err
		}
		event := about(admitto.TemplateEdited, id)
		event.Details = changes
		tx.Record(by.Actor, event)
	}
	return nil
}

func planConsent(tx *store.Tx) (SeasonItem, error) {
	list, err := tx.KeptConsents()
	there := slices.ContainsFunc(list, func(c admitto.KeptConsent) bool { return c.Active && c.Type == "Mandatory" })
	return SeasonItem{Kind: "consent", Exists: there, Count: 1}, err
}

func makeConsent(tx *store.Tx, by usecase.Caller, words string) error {
	item, err := planConsent(tx)
	if err != nil || item.Exists {
		return err
	}
	if words, err = text.Multiline(words, 1, mostConsent); err != nil {
		return admitto.Refuse(admitto.InvalidParameter, "page.season.consent", "", message.From(err))
	}
	c := admitto.KeptConsent{Consent: admitto.Consent{Type: "Mandatory", Text: words}, Active: true, Version: 1}
	if _, err := tx.SaveConsent(&c); err != nil {
		return err
	}
	tx.Record(by.Actor, about(admitto.KeptConsentCreated, c.ID))
	return nil
}
