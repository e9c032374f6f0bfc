package store_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// planned is a query and the index that must drive it on both engines; "" is the primary key.
type planned struct {
	q     admitto.ApplicationQuery
	index string
	sorts bool // what is found is sorted as a whole: there are few matches, or no more than counting reads
	// few have the value, which PostgreSQL knows; where many have it, it may walk the primary key up to the limit
	rare bool
}

func plannedQueries() map[string]planned {
	yes, no := true, false
	many := make([]int64, 40)
	for i := range many {
		many[i] = int64(i + 1)
	}
	late := intakeDay + 19_900*admitto.Minute
	one, some := []int64{3}, []int64{3, 4, 5}
	const (
		flag, course, intake, kind = "application_flag", "application_course_course", "application_course_intake",
			"application_course_type"
	)
	return map[string]planned{
		"nothing":       {},
		"IDs":           {q: admitto.ApplicationQuery{FromID: 9000, ToID: 12_000}},
		"after":         {q: admitto.ApplicationQuery{After: 30_000}},
		"not confirmed": {q: admitto.ApplicationQuery{OfferConfirmed: &no}},
		"applicants":    {admitto.ApplicationQuery{Applicants: some}, "application_applicant", true, false},
		"many applicants": {admitto.ApplicationQuery{Applicants: many, Statuses: []string{"Draft"}},
			"application_applicant", true, false},
		"flag":         {admitto.ApplicationQuery{Flags: one}, flag, false, false},
		"flags":        {admitto.ApplicationQuery{Flags: some}, flag, false, false},
		"many flags":   {admitto.ApplicationQuery{Flags: many}, flag, true, false},
		"flag from ID": {admitto.ApplicationQuery{Flags: one, FromID: 9000}, flag, false, false},
		"flag and status": {admitto.ApplicationQuery{Flags: one, Statuses: []string{"Submitted"}}, flag, false,
			false},
		"flag and time":         {admitto.ApplicationQuery{Flags: one, RevisedSince: late}, flag, false, false},
		"course":                {admitto.ApplicationQuery{Courses: one}, course, false, false},
		"courses":               {admitto.ApplicationQuery{Courses: some}, course, false, false},
		"many courses":          {admitto.ApplicationQuery{Courses: many}, course, true, false},
		"course and intake":     {admitto.ApplicationQuery{Courses: one, CourseIntakes: some}, course, false, false},
		"course and offer type": {admitto.ApplicationQuery{Courses: one, OfferTypes: some}, course, false, false},
		"intake":                {admitto.ApplicationQuery{CourseIntakes: one}, intake, false, false},
		"intakes":               {admitto.ApplicationQuery{CourseIntakes: some}, intake, false, false},
		"course institution": {admitto.ApplicationQuery{CourseInstitutions: []int64{2}},
			"application_course_institution", false, false},
		"course type": {admitto.ApplicationQuery{CourseTypes: []string{"MA"}}, kind, false, false},
		"course types and statuses": {admitto.ApplicationQuery{CourseTypes: []string{"MA", "BA"},
			Statuses: []string{"Draft", "Blank"}}, kind, false, false},
		"offer type":  {admitto.ApplicationQuery{OfferTypes: one}, "offer_type_application", false, false},
		"offer types": {admitto.ApplicationQuery{OfferTypes: some}, "offer_type_application", false, false},
		"offer institution": {admitto.ApplicationQuery{OfferInstitutions: []int64{2}},
			"offer_institution_application", false, false},
		"decision": {admitto.ApplicationQuery{OfferDecisions: []string{"Final"}},
			"offer_decision_application", false, false},
		"offer type and decision": {admitto.ApplicationQuery{OfferTypes: one, OfferDecisions: []string{"Final"}},
			"offer_type_application", false, false},
		"confirmed": {admitto.ApplicationQuery{OfferConfirmed: &yes}, "offer_confirmed", false, false},
		"confirmed and type": {admitto.ApplicationQuery{OfferConfirmed: &yes, OfferTypes: one},
			"offer_type_application", false, false},
		"type, none confirmed": {admitto.ApplicationQuery{OfferConfirmed: &no, OfferTypes: one},
			"offer_type_application", false, false},
		"rare flag":   {admitto.ApplicationQuery{Flags: []int64{flagCount}}, flag, false, true},
		"rare course": {admitto.ApplicationQuery{Courses: []int64{courseCount}}, course, false, true},
		"rare offer type": {admitto.ApplicationQuery{OfferTypes: []int64{5}}, "offer_type_application", false,
			true},
		"rare status": {admitto.ApplicationQuery{Statuses: []string{"Reopened"}}, "application_status_id",
			false, true},
		"term": {admitto.ApplicationQuery{TermIDs: one}, "application_term", false, false},
		"year": {admitto.ApplicationQuery{Years: []int64{2025}}, "application_term", false, false},
		"year and status": {admitto.ApplicationQuery{Years: []int64{2025}, Statuses: []string{"Submitted"}},
			"application_term", false, false},
		"status": {admitto.ApplicationQuery{Statuses: []string{"Draft"}}, "application_status_id", false,
			false},
		"statuses": {admitto.ApplicationQuery{Statuses: []string{"Draft", "Blank"}}, "application_status_id",
			false, false},
		"status from ID": {admitto.ApplicationQuery{Statuses: []string{"Draft"}, FromID: 9000},
			"application_status_id", false, false},
		"accepted": {admitto.ApplicationQuery{Statuses: []string{"Accepted"}, ByOutcome: true},
			"offer_decision_application", false, false},
		"accepted with a type": {admitto.ApplicationQuery{Statuses: []string{"Accepted"}, ByOutcome: true,
			OfferTypes: one}, "offer_type_application", false, false},
		"rejected": {admitto.ApplicationQuery{Statuses: []string{"Rejected"}, ByOutcome: true},
			"application_status_id", false, false},
		"submitted by outcome": {admitto.ApplicationQuery{Statuses: []string{"Submitted"}, ByOutcome: true},
			"application_status_id", false, false},
		"all of submitted": {admitto.ApplicationQuery{Statuses: []string{"Submitted", "Accepted", "Rejected"},
			ByOutcome: true}, "application_status_id", false, false},
		"IDs by outcome": {q: admitto.ApplicationQuery{FromID: 9000, ToID: 12_000, ByOutcome: true}},
		"created between": {admitto.ApplicationQuery{FromTime: late, ToTime: late + admitto.Hour},
			"application_created", true, false},
		"created since": {admitto.ApplicationQuery{CreatedSince: late}, "application_created", true, false},
		"revised since": {admitto.ApplicationQuery{RevisedSince: late + 9*admitto.Day}, "application_revised",
			true, false},
		"revised since, from ID": {admitto.ApplicationQuery{RevisedSince: late + 9*admitto.Day, FromID: 9000},
			"application_revised", true, false},
		"submitted since": {admitto.ApplicationQuery{SubmittedSince: late + 5*admitto.Day}, "application_submitted",
			true, false},
	}
}

var (
	// Everything that grows, by the names statements give it.
	sqliteScans   = regexp.MustCompile(`SCAN (a|x|n|offer|application\w*|offer)\b`)
	sqliteSearch  = regexp.MustCompile(`SEARCH (a|x) USING (?:COVERING )?INDEX (?:sqlite_autoindex_)?(\w+?)(?:_1)? \(`)
	sqliteByKey   = regexp.MustCompile(`SEARCH a USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)`)
	sqliteMerging = regexp.MustCompile(`SCAN (s[0-9]+|u|m)$`)
	postgresScans = regexp.MustCompile(`Seq Scan on (application\w*|offer)\b`)
	postgresIndex = regexp.MustCompile(`(?:using|Bitmap Index Scan on) (\w+?)(?:_pkey)?\b`)
)

// No filter reads a whole table, and none sorts what one of its streams cuts: the planners of both engines are
// asked about every statement that lists and counts run.
func TestApplicationPlans(t *testing.T) {
	apptest.Size(onSQLite, onEach)(t, func(t *testing.T, s *store.Store) {
		newCampus(apptest.Size(5_000, 20_000)).store(t, s)
		for name, p := range plannedQueries() {
			p.q.Limit = 500
			for what, run := range map[string]func(*store.Tx) error{
				"list": func(tx *store.Tx) error {
					_, err := tx.EachApplication(p.q, func(*admitto.Application) error { return nil })
					return err
				},
				"count": func(tx *store.Tx) error {
					_, err := tx.CountApplications(p.q)
					return err
				},
			} {
				err := s.Read(t.Context(), func(tx *store.Tx) error {
					if s.Shared() {
						// Tables as small as these are rightly read as a whole; what matters is that it need not be.
						if err := sqltest.In(tx).Script("SET LOCAL enable_seqscan = off"); err != nil {
							return err
						}
					}
					plans, err := tx.Plans(func() error { return run(tx) })
					for _, plan := range plans {
						if strings.Contains(plan.SQL, "FROM academic_term") {
							continue
						}
						if strings.Contains(plan.SQL, "FROM tally") {
							if !strings.Contains(plan.Steps, "COVERING INDEX tally_sum (family=? AND facet=? AND block>? AND block<?)") &&
								!strings.Contains(plan.Steps, "tally_pkey") {
								t.Errorf("%s, %s: the counts are not found by their key:\n%s", name, what, plan.Steps)
							}
							continue
						}
						fault := sqliteFault(plan.Steps, p, what == "list")
						if s.Shared() {
							fault = postgresFault(plan.Steps, p)
						}
						if fault != "" {
							t.Errorf("%s, %s: %s in\n%s\nplanned as\n%s", name, what, fault, plan.SQL, plan.Steps)
						}
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// sqliteFault names what a plan of SQLite must not hold.
func sqliteFault(steps string, p planned, ordered bool) string {
	if found := sqliteScans.FindString(steps); found != "" && (p.index != "" || ordered) {
		return found
	}
	if p.index == "" {
		return ""
	}
	indexes := []string{}
	for _, found := range sqliteSearch.FindAllStringSubmatch(steps, -1) {
		indexes = append(indexes, found[2])
	}
	if !slices.Contains(indexes, p.index) {
		return "no use of " + p.index
	}
	if sqliteByKey.MatchString(steps) {
		return "a walk of the primary key"
	}
	before := ""
	for line := range strings.Lines(steps) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "TEMP B-TREE FOR ORDER BY") && ordered && !p.sorts && !sqliteMerging.MatchString(before) {
			return "a sort of all matches"
		}
		before = line
	}
	return ""
}

// postgresFault names what a plan of PostgreSQL must not hold.
func postgresFault(steps string, p planned) string {
	if found := postgresScans.FindString(steps); found != "" {
		return found
	}
	if !p.rare && !p.sorts || len(p.q.Flags) > 1 || len(p.q.Courses) > 1 {
		return ""
	}
	for _, found := range postgresIndex.FindAllStringSubmatch(steps, -1) {
		if found[1] == p.index {
			return ""
		}
	}
	return "no use of " + p.index
}
