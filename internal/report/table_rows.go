package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// need says what must be read for the columns of a tableview.
type need uint

const (
	needApplicant need = 1 << iota
	needTrackers
	needFlags
	needCourses
	needOffers
	needContent
	needScores
	needTasks
	needBalances
	needRanks
	needTerms
	needClasses
	needQuestions
)

// tableRow is what the cells of one row are made of. Parts that no column needs are not read.
type tableRow struct {
	app       *admitto.Application
	offer     *admitto.Offer // of an Offer row, else nil
	applicant *admitto.Applicant
	values    store.ContentValues
	content   *form.Content               // only the lists
	offers    []admitto.Offer             // of the application, by priority
	courses   []admitto.ApplicationCourse // by priority
	flags     []admitto.FlagAssociation
	trackers  []admitto.TrackerAssociation
	scores    []admitto.Score
	tasks     []admitto.Task
	balances  []admitto.Balance
}

func (r *tableRow) id(byOffer bool) int64 {
	if byOffer {
		return r.offer.ID
	}
	return r.app.ID
}

// tableCatalogue is what is the same for all rows: titles by ID.
type tableCatalogue struct {
	statuses     map[admitto.ApplicationStatus]string
	terms        map[int64]admitto.Term
	years        map[int64]string
	flags        map[int64]string
	trackers     map[int64]string
	courses      map[int64]admitto.Course
	institutions map[int64]string
	intakes      map[int64]string
	offerTypes   map[int64]string
	classes      map[string]map[string]string // class → code → title
	sheets       map[string][]int64
	questions    map[string][]int64
	ranks        *ranks
}

// readTableCatalogue reads what the columns need of the catalogue.
func readTableCatalogue(tx *store.Tx, t *Table) (*tableCatalogue, error) {
	k := &tableCatalogue{}
	steps := []struct {
		when need
		read func() error
	}{
		{needTerms, func() (err error) { return k.readTerms(tx) }},
		{needFlags, func() (err error) {
			list, err := tx.Flags()
			k.flags, err = usecase.Named(list, err, func(f *admitto.Flag) (int64, string) { return f.ID, f.Name })
			return err
		}},
		{needTrackers, func() (err error) {
			list, err := tx.Trackers()
			k.trackers, err = usecase.Named(list, err, func(t *admitto.Tracker) (int64, string) { return t.ID, t.Code })
			return err
		}},
		{needCourses, func() error { return k.readCourses(tx) }},
		{needOffers, func() (err error) { k.offerTypes, err = tx.OfferTypeTitles(); return err }},
		{needClasses, func() error { return k.readClasses(tx) }},
		{needScores, func() error { return k.readSheets(tx) }},
		{needQuestions, func() error { return k.readQuestions(tx, t) }},
		{needRanks, func() (err error) { k.ranks, err = readRanks(tx); return err }},
	}
	for _, step := range steps {
		if t.needs&step.when != 0 {
			if err := step.read(); err != nil {
				return nil, err
			}
		}
	}
	return k, nil
}

func (k *tableCatalogue) readTerms(tx *store.Tx) error {
	statuses, err := tx.StatusTexts()
	if k.statuses, err = usecase.Named(statuses, err, func(s *admitto.StatusText) (admitto.ApplicationStatus,
		string) {
		return s.Name, s.Title
	}); err != nil {
		return err
	}
	terms, err := tx.Terms()
	if k.terms, err = usecase.Named(terms, err, func(t *admitto.Term) (int64, admitto.Term) {
		return t.ID,
			*t
	}); err != nil {
		return err
	}
	years, err := tx.Years()
	k.years, err = usecase.Named(years, err, func(y *admitto.Year) (int64, string) { return y.Year, y.Name })
	return err
}

func (k *tableCatalogue) readCourses(tx *store.Tx) error {
	courses, err := tx.Courses(admitto.CourseQuery{})
	if k.courses, err = usecase.Named(courses, err, func(c *admitto.Course) (int64, admitto.Course) {
		return c.ID,
			*c
	}); err != nil {
		return err
	}
	institutions, err := tx.Institutions(admitto.InstitutionQuery{})
	if k.institutions, err = usecase.Named(institutions, err, func(i *admitto.Institution) (int64, string) {
		return i.ID,
			i.Name
	}); err != nil {
		return err
	}
	intakes, err := tx.Intakes()
	k.intakes, err = usecase.Named(intakes, err, func(i *admitto.Intake) (int64, string) { return i.ID, i.Name })
	return err
}

func (k *tableCatalogue) readClasses(tx *store.Tx) error {
	classes, err := tx.Classificators()
	k.classes, err = usecase.Named(classes, err, func(c *admitto.Classificator) (string, map[string]string) {
		titles, _ := usecase.Named(c.Codes, nil, func(c *admitto.ClassificatorCode) (string, string) {
			return c.Code,
				c.Title
		})
		return c.Class, titles
	})
	return err
}

func (k *tableCatalogue) readSheets(tx *store.Tx) error {
	sheets, err := tx.Scoresheets()
	k.sheets = map[string][]int64{}
	for _, s := range sheets {
		k.sheets[s.Name] = append(k.sheets[s.Name], s.ID)
	}
	return err
}

func (k *tableCatalogue) readQuestions(tx *store.Tx, t *Table) (err error) {
	var names []string
	for _, c := range t.View.Columns {
		if name, ok := parametrised(c.Source, admitto.QuestionColumn); ok {
			names = append(names, name)
		}
	}
	k.questions, err = tx.QuestionIDs(names)
	return err
}

// fill reads what the columns need for a page, one statement for each kind.
func (t *Table) fill(tx *store.Tx, page []tableRow) error {
	var applications, applicants []int64
	for i := range page {
		app := page[i].app
		if app == nil {
			return fmt.Errorf("offer %d has no application", page[i].offer.ID)
		}
		applications, applicants = append(applications, app.ID), append(applicants, app.Applicant)
	}
	slices.Sort(applications)
	applications = slices.Compact(applications)
	slices.Sort(applicants)
	applicants = slices.Compact(applicants)
	if len(page) == 0 {
		return nil
	}
	app := func(r *tableRow) int64 { return r.app.ID }
	person := func(r *tableRow) int64 { return r.app.Applicant }
	needs := t.needs
	if t.View.ByOffer {
		needs &^= needOffers // each row has its own
	}
	for _, step := range []struct {
		when need
		read func() error
	}{
		{needApplicant, func() error {
			return fillPart(page, tx.VisibleApplicants, applicants, person,
				func(r *tableRow) **admitto.Applicant { return &r.applicant })
		}},
		{needTrackers, func() error {
			return fillPart(page, tx.TrackersOf, applicants, person,
				func(r *tableRow) *[]admitto.TrackerAssociation { return &r.trackers })
		}},
		{needFlags, func() error {
			return fillPart(page, tx.FlagsOfApplications, applications, app,
				func(r *tableRow) *[]admitto.FlagAssociation { return &r.flags })
		}},
		{needCourses, func() error {
			return fillPart(page, tx.CoursesOfApplications, applications, app,
				func(r *tableRow) *[]admitto.ApplicationCourse { return &r.courses })
		}},
		{needOffers, func() error {
			return fillPart(page, tx.OffersOf, applications, app, func(r *tableRow) *[]admitto.Offer { return &r.offers })
		}},
		{needContent, func() error {
			contents := func(ids []int64) (map[int64]store.ContentValues, error) { return tx.ContentsOf(ids, t.texts, t.lists) }
			return fillPart(page, contents, applications, app, func(r *tableRow) *store.ContentValues { return &r.values })
		}},
		{needScores, func() error {
			return fillPart(page, tx.ScoresOf, applications, app, func(r *tableRow) *[]admitto.Score { return &r.scores })
		}},
		{needTasks, func() error {
			return fillPart(page, tx.TasksOf, applications, app, func(r *tableRow) *[]admitto.Task { return &r.tasks })
		}},
		{needBalances, func() error {
			return fillPart(page, tx.BalancesOf, applications, app, func(r *tableRow) *[]admitto.Balance { return &r.balances })
		}},
		{needRanks, func() error { return t.catalogue.ranks.fill(tx, page) }},
	} {
		if needs&step.when != 0 {
			if err := step.read(); err != nil {
				return err
			}
		}
	}
	for i := range page {
		page[i].arrange()
	}
	return nil
}

// fillPart reads one kind of things for all rows and hands each row its own.
func fillPart[T any](page []tableRow, read func([]int64) (map[int64]T, error), ids []int64, id func(*tableRow) int64,
	part func(*tableRow) *T) error {
	of, err := read(ids)
	for i := range page {
		*part(&page[i]) = of[id(&page[i])]
	}
	return err
}

// arrange sorts by priority and puts something where cells would otherwise meet nothing.
func (r *tableRow) arrange() {
	if r.applicant == nil {
		r.applicant = &admitto.Applicant{}
	}
	if r.content = r.values.Lists; r.content == nil {
		r.content = &form.Content{}
	}
	slices.SortFunc(r.courses, func(a, b admitto.ApplicationCourse) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Course, b.Course))
	})
	slices.SortFunc(r.offers, func(a, b admitto.Offer) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.ID, b.ID))
	})
}
