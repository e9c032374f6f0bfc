package demo

import (
	"fmt"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
)

// catalogue is what the institution has before the first applicant comes.
type catalogue struct {
	span
	keys         []admitto.Key
	terms        []*term
	intakes      []intake
	courses      []*course
	institutions []admitto.Institution
	departments  []admitto.Department
	staff        []load.AdministratorRow
	flags        []admitto.Flag
	sheets       []admitto.Scoresheet
	criteria     map[int64][]admitto.Criterion // by course
	rankings     []admitto.Ranking
	views        []admitto.Tableview
}

func planCatalogue(over span) *catalogue {
	c := &catalogue{span: over, terms: planTerms(over), staff: administrators(), flags: planFlags(over),
		sheets: planScoresheets(over),
		views:  planTableviews(over)}
	c.intakes = planIntakes(c.terms)
	c.courses = planCourses(over, c.intakes)
	c.criteria = planCriteria(c.courses, c.sheets)
	c.institutions, c.departments = institutions()
	c.rankings = planRankings(over, c.terms, c.courses, c.intakes)
	return c
}

// store puts the catalogue into the database, parents first.
func (c *catalogue) store(tx *store.Tx) error {
	for i := range c.keys {
		// A hash to which no text is known, so the key opens nothing even if it were active.
		if _, err := tx.InsertKey(&c.keys[i], [32]byte{31: byte(i)}); err != nil {
			return err
		}
	}
	terms := make([]admitto.Term, len(c.terms))
	for i, t := range c.terms {
		terms[i] = t.Term
	}
	intakes := make([]admitto.Intake, len(c.intakes))
	for i := range c.intakes {
		intakes[i] = c.intakes[i].Intake
	}
	courses := make([]admitto.Course, len(c.courses))
	for i, x := range c.courses {
		courses[i] = x.Course
	}
	steps := []func() error{
		func() error { return load.ReseedTimes(tx, c.setUp()) },
		func() error { return load.Roles(tx, []admitto.Role{customRole}) },
		func() error { return load.Administrators(tx, c.staff) },
		func() error { return load.Institutions(tx, c.institutions) },
		func() error { return load.Departments(tx, c.departments) },
		func() error {
			return load.Terms(tx, c.academicYears(), []admitto.TermType{{ID: termTypeSummer, Name: "Summer term"}}, terms)
		},
		func() error { return load.Intakes(tx, intakes) },
		func() error { return load.Courses(tx, courses) },
		func() error { return load.Flags(tx, c.flags) },
		func() error { return load.Questions(tx, sayQuestions(questions)) },
		func() error { return load.CourseForms(tx, courseForms(c.courses)) },
		func() error { return load.Series(tx, series) },
		func() error { return load.Fees(tx, sayFees(planFees(c.courses))) },
		func() error { return load.ActivateTemplates(tx, activeTemplates) },
		func() error { return load.Scoresheets(tx, c.sheets) },
		func() error { return tx.InsertCriteria(c.criteria) },
		func() error { return load.Rankings(tx, c.rankings) },
		func() error { return load.Tableviews(tx, c.views, adminHead) },
	}
	id := int64(0)
	for _, r := range reasons {
		var list []admitto.OfferReason
		for _, reason := range r.reasons {
			id++
			list = append(list, admitto.OfferReason{ID: id, Reason: reason})
		}
		steps = append(steps, func() error { return load.Reasons(tx, r.offerType, list) })
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// setUp is when the instance of the data was set up.
func (s span) setUp() admitto.Time { return s.begins - 230*admitto.Day + 8*admitto.Hour }

// The IDs of the two API keys through which other systems work. Their texts do not exist, and they end with
// the data.
const (
	crmKey int64 = 1
	sisKey int64 = 2
)

var keyLabels = [...]string{"CRM", "Student information system"}

// open plans what happens without any applicant: the instance is set up, keys and trackers are made, and the keys end.
func (w *world) open() {
	c := w.catalogue
	w.batch.catalogue = c
	at := c.setUp()
	tell := func(by int64, pattern admitto.Pattern, links admitto.Links, id int64) {
		e := admitto.Event{Pattern: pattern, Links: links}
		if id != 0 {
			e.Bind = []string{strconv.FormatInt(id, 10)}
		}
		at += admitto.Time(20+w.chance.IntN(200)) * admitto.Second
		actor := admitto.System()
		if by != 0 {
			actor = w.administrator(by)
		}
		w.plan(happening{at: at, actor: actor, event: e})
	}
	tell(0, "Instance was set up", admitto.Links{}, 0)
	for _, a := range c.staff {
		tell(adminHead, "Administrator was created: ?", admitto.Links{}, a.ID)
	}
	tell(adminHead, "Role was created: ?", admitto.Links{}, customRole.ID)
	tell(adminHead, "Institution was edited", admitto.Links{Institution: mainInstitution}, 0)
	for _, i := range c.institutions[1:] {
		tell(adminCourses, "Institution was created", admitto.Links{Institution: i.ID}, 0)
	}
	for _, d := range c.departments {
		tell(adminCourses, "Department was created: ?", admitto.Links{Institution: d.Institution}, d.ID)
	}
	tell(adminCourses, "Academic term type was created: ?", admitto.Links{}, termTypeSummer)
	for _, t := range c.terms {
		tell(adminCourses, "Academic term was created: ?", admitto.Links{}, t.ID)
	}
	for i := range c.intakes {
		tell(adminCourses, "Intake was created: ?", admitto.Links{}, c.intakes[i].ID)
	}
	for _, x := range c.courses {
		tell(adminCourses, "Course was created", admitto.Links{Course: x.ID, Institution: x.Institution}, 0)
	}
	for _, s := range series {
		tell(adminMoney, "Invoice series was created: ?", admitto.Links{}, s.ID)
	}
	for _, f := range planFees(c.courses) {
		tell(adminMoney, "Fee was created: ?", admitto.Links{}, f.ID)
	}
	for _, id := range activeTemplates {
		tell(adminHead, "Task template was edited: ?", admitto.Links{}, id)
	}
	w.openTables(c)
	w.openKeys()
}

// openTables plans the records of what has a time of its own.
func (w *world) openTables(c *catalogue) {
	tell := func(at admitto.Time, by int64, pattern admitto.Pattern, id int64) {
		w.later(happening{at: at, actor: w.administrator(by), event: admitto.Event{Pattern: pattern,
			Bind: []string{strconv.FormatInt(id, 10)}}})
	}
	for _, f := range c.flags {
		w.plan(happening{at: f.Created, actor: w.administrator(adminOfficer),
			event: admitto.Event{Pattern: "Flag was created", Links: admitto.Links{Flag: f.ID}}})
	}
	for _, s := range c.sheets {
		tell(s.Created, adminDean, "Scoresheet was created: ?", s.ID)
		if s.Confirmed != 0 {
			tell(s.Confirmed, adminDean, "Scoresheet was confirmed: ?", s.ID)
		}
	}
	for i, x := range c.courses {
		if c.criteria[x.ID] != nil {
			w.later(happening{at: c.criteriaSet() + admitto.Time(i)*5*admitto.Minute, actor: w.administrator(adminDean),
				event: admitto.Event{Pattern: admitto.CriteriaChanged, Links: admitto.Links{Course: x.ID}}})
		}
	}
	for _, r := range c.rankings {
		tell(r.Created, adminDean, "Ranking was created: ?", r.ID)
		if r.Modified != r.Created {
			tell(r.Modified, adminDean, "Ranking was edited: ?", r.ID)
		}
	}
	for _, v := range c.views {
		tell(v.Created, adminHead, "Tableview was created: ?", v.ID)
		tell(v.Modified, adminHead, "Tableview was edited: ?", v.ID)
	}
}

// openKeys plans keys and trackers.
func (w *world) openKeys() {
	made := w.trackers[0].Created - admitto.Day
	for i, label := range keyLabels {
		id := strconv.Itoa(i + 1)
		at := made + admitto.Time(i)*admitto.Minute
		w.catalogue.keys = append(w.catalogue.keys, admitto.Key{Label: label, Owner: institution, Scope: admitto.ScopeAll,
			Created: at, Expires: w.ends})
		w.plan(happening{at: at, actor: w.administrator(adminHead), event: admitto.Event{Pattern: admitto.KeyCreated,
			Bind: []string{id}}})
		w.plan(happening{at: w.ends, actor: admitto.System(), event: admitto.Event{Pattern: keyExpired, Bind: []string{id}}})
	}
	for i := range w.trackers {
		t := &w.trackers[i]
		w.plan(happening{at: t.Created, tracker: t, actor: admitto.Actor{Kind: admitto.ByKey, ID: crmKey,
			RequestID: w.chance.hex(16)},
			event: admitto.Event{Pattern: admitto.TrackerCreated, Links: admitto.Links{Tracker: t.ID}}})
	}
}

// administrator is one of the staff at work in the interface.
func (w *world) administrator(id int64) admitto.Actor {
	return admitto.Actor{Kind: admitto.ByAdministrator, ID: id, RequestID: w.chance.hex(16)}
}

// officer is one of those who work on applications.
func (w *world) officer() admitto.Actor {
	return w.administrator(pick(w.chance, []int64{adminOfficer, adminOfficer, adminOfficer2, adminOfficer2, adminHead,
		11}))
}

// seeds reads what Seed stored and checks that it did.
func seeds(tx *store.Tx) ([]admitto.OfferType, error) {
	types, err := tx.OfferTypes()
	if err == nil && len(types) < 30 {
		err = fmt.Errorf("%d offer types are there; the defaults of a new instance must be stored before invented data",
			len(types))
	}
	return types, err
}
