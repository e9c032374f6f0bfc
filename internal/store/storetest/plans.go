package storetest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// testPlans asks the planner about every statement that lists and counts run. No filter may read a whole table, and no
// list may sort all its matches before it cuts them: SQLite must say SEARCH for the tables that grow, PostgreSQL
// anything but Seq Scan, and a sort of many rows must stand above streams that were cut. Addresses are the exception,
// as there are never more matches than addresses.
func testPlans(t *testing.T, e *env) {
	e.migrate(t)
	c := e.chronicle(t, e.size.Rows, 500, 4000, 40)
	p := e.crowd(t, e.size.Rows, 200)
	e.write(t, (*store.Tx).Analyze)
	tracker := p.trackers[1:]
	emails := make([]string, 100)
	for i := range emails {
		emails[i] = fmt.Sprintf("p%d@example.org", 31*i)
	}
	late, middle := p.visible[len(p.visible)-300], p.visible[len(p.visible)/2]
	for name, q := range map[string]admitto.ApplicantQuery{
		"nothing":              {},
		"first ID":             {FromID: late.ID},
		"IDs":                  {FromID: middle.ID, ToID: late.ID},
		"after":                {After: middle.ID},
		"first time":           {FromTime: epoch + 250*admitto.Day},
		"times":                {FromTime: epoch + 100*admitto.Day, ToTime: epoch + 101*admitto.Day},
		"all times":            {FromTime: epoch - 100_000*admitto.Day, ToTime: epoch + 1000*admitto.Day},
		"citizenship":          {Citizenships: citizenships[1:2]},
		"rare citizenship":     {Citizenships: citizenships[11:]},
		"citizenships":         {Citizenships: citizenships[1:4]},
		"address":              {EmailKeys: emails[:1]},
		"addresses":            {EmailKeys: emails},
		"tracker":              {TrackerIDs: tracker[:1]},
		"trackers":             {TrackerIDs: tracker[:5]},
		"code":                 {TrackerCodeIDs: tracker[:1]},
		"codes":                {TrackerCodeIDs: tracker[:5]},
		"tracker and code":     {TrackerIDs: tracker[:1], TrackerCodeIDs: tracker[1:3]},
		"tracker and first ID": {TrackerIDs: tracker[:1], FromID: late.ID},
		"trackers after":       {TrackerIDs: tracker[:5], After: middle.ID},
		"tracker and times": {TrackerIDs: tracker[:1], FromTime: epoch + 100*admitto.Day,
			ToTime: epoch + 200*admitto.Day},
		"tracker and citizenship":   {TrackerIDs: tracker[:1], Citizenships: citizenships[1:2]},
		"trackers and citizenships": {TrackerIDs: tracker[:5], Citizenships: citizenships[1:4]},
		"citizenship and first ID":  {Citizenships: citizenships[1:2], FromID: late.ID},
		"citizenship and times": {Citizenships: citizenships[1:2], FromTime: epoch + 100*admitto.Day,
			ToTime: epoch + 110*admitto.Day},
		"citizenship and first time":   {Citizenships: citizenships[1:2], FromTime: epoch + 250*admitto.Day},
		"first ID and time":            {FromID: late.ID, FromTime: epoch + 100*admitto.Day},
		"addresses and tracker":        {EmailKeys: emails, TrackerIDs: tracker[:1]},
		"addresses and citizenships":   {EmailKeys: emails, Citizenships: citizenships[1:4]},
		"addresses and times":          {EmailKeys: emails, FromTime: epoch + 100*admitto.Day},
		"addresses, tracker and times": {EmailKeys: emails, TrackerIDs: tracker[:1], ToTime: epoch + 100*admitto.Day},
	} {
		q.Limit = 1000
		limit := q.Limit
		if q.EmailKeys != nil {
			limit = 0
		}
		e.explain(t, name, limit, func(tx *store.Tx) error {
			_, err := tx.EachApplicant(q, func(*admitto.Applicant) error { return nil })
			return err
		})
		e.explain(t, name+", count", 0, func(tx *store.Tx) error {
			_, err := tx.CountApplicants(q)
			return err
		})
	}
	last := c.records[len(c.records)-300]
	filled := []admitto.EventFilter{{Pattern: admitto.EmailSent, Bind: []string{"<v> 3"}}}
	pattern := []admitto.EventFilter{{Pattern: admitto.TrackerAssigned}}
	events := []admitto.EventFilter{filled[0], {Pattern: admitto.KeyCreated}, {Pattern: admitto.ApplicantReferenceSet}}
	for name, q := range map[string]admitto.JournalQuery{
		"nothing":                  {},
		"first ID":                 {FromID: last.ID},
		"IDs":                      {FromID: 500, ToID: 900},
		"after":                    {After: 700},
		"first time":               {FromTime: last.Logged},
		"times":                    {FromTime: c.records[700].Logged, ToTime: c.records[900].Logged},
		"applicant":                {ApplicantIDs: []int64{7}},
		"applicants":               {ApplicantIDs: []int64{7, 8, 9}},
		"application":              {ApplicationIDs: []int64{7}},
		"applications":             {ApplicationIDs: []int64{7, 8, 9}},
		"pattern":                  {Events: pattern},
		"filled pattern":           {Events: filled},
		"patterns":                 {Events: events},
		"term":                     {TermIDs: []int64{30}},
		"year":                     {Years: []int64{2010}},
		"year and term":            {Years: []int64{2026}, TermIDs: []int64{1}},
		"applicant and pattern":    {ApplicantIDs: []int64{7}, Events: pattern},
		"applicant and first ID":   {ApplicantIDs: []int64{7}, FromID: last.ID},
		"applicant and first time": {ApplicantIDs: []int64{7}, FromTime: last.Logged},
		"application and pattern":  {ApplicationIDs: []int64{7, 8}, Events: filled},
		"applicant and year":       {ApplicantIDs: []int64{7, 8}, Years: []int64{2025}},
		"pattern and first ID":     {Events: pattern, FromID: last.ID},
		"patterns and times":       {Events: events, FromTime: c.records[700].Logged, ToTime: c.records[900].Logged},
		"pattern and year":         {Events: pattern, Years: []int64{2025}},
		"year and times":           {Years: []int64{2025}, FromTime: c.records[700].Logged, ToTime: c.records[900].Logged},
	} {
		for _, q.NewestFirst = range []bool{false, true} {
			q.Limit = 100
			limit := q.Limit
			if q.Years != nil || q.TermIDs != nil {
				limit = 0 // what is looked up through applications may be sorted
			}
			e.explain(t, fmt.Sprintf("journal by %s, newest first %v", name, q.NewestFirst), limit, func(tx *store.Tx) error {
				_, err := tx.EachRecord(q, func(*admitto.Record) error { return nil })
				return err
			})
		}
		e.explain(t, "journal by "+name+", count", 0, func(tx *store.Tx) error {
			_, err := tx.CountRecords(q)
			return err
		})
	}
}

// explain runs fn, which lists at most limit rows in order (0: no list), and looks at the plans of what it asked.
func (e *env) explain(t *testing.T, name string, limit int, fn func(*store.Tx) error) {
	t.Helper()
	e.read(t, func(tx *store.Tx) error {
		if e.Shared() {
			// Tables as small as these are rightly read as a whole; what matters is that it need not be.
			if err := sqltest.In(tx).Script("SET LOCAL enable_seqscan = off"); err != nil {
				return err
			}
		}
		plans, err := tx.Plans(func() error { return fn(tx) })
		for _, p := range plans {
			fault := sqliteFault(p, limit > 0)
			if e.Shared() {
				fault = postgresFault(p.Steps, limit)
			}
			if fault != "" {
				t.Errorf("%s: %s in\n%s\nplanned as\n%s", name, fault, p.SQL, p.Steps)
			}
		}
		return err
	})
}

// The tables that grow, by name and by the names that statements give them.
var (
	sqliteScan   = regexp.MustCompile(`\bSCAN (applicant|a|journal|j|applicant_tracker|t|x|application|p|tally)\b`)
	sqliteStream = regexp.MustCompile(`^SCAN (s[0-9]+|u)$`)
	postgresRows = regexp.MustCompile(`\(cost=\S+ rows=(\d+)`)
	postgresScan = regexp.MustCompile(`Scan.* on (applicant|journal|applicant_tracker|application)\b`)
)

// sqliteDriver names the index that must answer a condition: walking the primary key is no scan for SQLite.
var sqliteDriver = map[string]string{
	"t.tracker_id = $":     "INDEX sqlite_autoindex_applicant_tracker_1 (tracker_id=? AND applicant_id>? AND applicant_id<?)",
	"a.citizenship = $":    "INDEX applicant_citizenship (citizenship=? AND id>? AND id<?)",
	"a.email_key ":         "INDEX applicant_email (email_key=?",
	"DISTINCT t.":          "INDEX sqlite_autoindex_applicant_tracker_1 (tracker_id=?)",
	"a.id = m.id":          "SEARCH a USING INTEGER PRIMARY KEY (rowid=?)",
	"j.applicant_id = $":   "INDEX journal_applicant (applicant_id=? AND id>? AND id<?)",
	"j.application_id = $": "INDEX journal_application (application_id=? AND id>? AND id<?)",
	"WHERE j.pattern = $":  "INDEX journal_",
}

// sqliteFault names what a plan of SQLite must not hold. A scan of an index is one of the table.
func sqliteFault(plan store.Plan, ordered bool) string {
	if found := sqliteScan.FindString(plan.Steps); found != "" {
		return found
	}
	for condition, index := range sqliteDriver {
		if strings.Contains(plan.SQL, condition) && !strings.Contains(plan.Steps, index) {
			return "no use of " + index
		}
	}
	before := ""
	for line := range strings.Lines(plan.Steps) {
		// Sorting a stream that was cut already is what merging costs.
		if strings.Contains(line, "TEMP B-TREE FOR ORDER BY") && ordered && !sqliteStream.MatchString(before) {
			return "a sort of all matches"
		}
		before = strings.TrimSpace(line)
	}
	return ""
}

// postgresFault names what a plan of PostgreSQL must not hold: a scan of a table, or in a list of at most limit
// rows a sort of more than that which no stream's limit cut before. limit 0 is no list.
func postgresFault(plan string, limit int) string {
	sort, cut := -1, -1 // how deep the outermost big sort and the innermost limit under it stand
	for line := range strings.Lines(plan) {
		node := strings.TrimLeft(line, " ->")
		cost := postgresRows.FindStringSubmatch(node)
		if cost == nil {
			continue // the details of a node
		}
		depth := len(line) - len(node)
		if depth <= sort {
			sort = -1
		}
		if depth <= cut {
			cut = -1
		}
		table := postgresScan.MatchString(node)
		switch rows, _ := strconv.Atoi(cost[1]); {
		case table && strings.Contains(node, "Seq Scan on "):
			return "a scan of the table"
		case table && sort >= 0 && cut < 0:
			return "a sort of all matches"
		case limit > 0 && sort < 0 && rows > 2*limit && (strings.HasPrefix(node, "Sort") ||
			strings.HasPrefix(node, "Incremental Sort")):
			sort = depth
		case strings.HasPrefix(node, "Limit") && sort >= 0:
			cut = depth
		}
	}
	return ""
}
