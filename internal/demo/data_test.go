package demo_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/text"
)

// The tests of what is in the data read the same ones in the short size, and each its own in the long one.
const (
	people = 1500
	many   = 2500
	seed   = 17
)

// everybody reads all applicants.
func everybody(t *testing.T, s *store.Store) (list []admitto.Applicant) {
	t.Helper()
	read(t, s, func(tx *store.Tx) error {
		_, err := tx.EachApplicant(admitto.ApplicantQuery{Limit: 1 << 20}, func(a *admitto.Applicant) error {
			list = append(list, *a)
			return nil
		})
		return err
	})
	return list
}

// numbers reads the rows of a query of integers.
func numbers(t *testing.T, s *store.Store, sql string) (list [][]int64) {
	t.Helper()
	read(t, s, func(tx *store.Tx) error {
		columns := strings.Count(strings.SplitN(sql, "FROM", 2)[0], ",") + 1
		rows := sqltest.In(tx).Query(sql)
		for rows.Next() {
			row := make([]int64, columns)
			for i := range row {
				row[i] = rows.Int64(i)
			}
			list = append(list, row)
		}
		return rows.Close()
	})
	return list
}

func TestProportions(t *testing.T) {
	s := filled(t, apptest.Size(people, many), apptest.Size[uint64](seed, 11))
	list := everybody(t, s)
	share := func(what string, low, high float64, is func(*admitto.Applicant) bool) {
		t.Helper()
		n := 0
		for i := range list {
			if is(&list[i]) {
				n++
			}
		}
		if got := 100 * float64(n) / float64(len(list)); got < low || got > high {
			t.Errorf("%s: %.1f %%, want %g to %g", what, got, low, high)
		}
	}
	having := func(sql string) func(*admitto.Applicant) bool {
		ids := map[int64]bool{}
		for _, row := range numbers(t, s, sql) {
			ids[row[0]] = true
		}
		return func(a *admitto.Applicant) bool { return ids[a.ID] }
	}
	share("leads", 27, 33, func(a *admitto.Applicant) bool { return a.Lead })
	share("with a reference", 57, 63, func(a *admitto.Applicant) bool { return a.Reference != "" })
	share("matriculated", 6.5, 12.5, func(a *admitto.Applicant) bool { return a.Matriculation != "" })
	share("children", 0.8, 4, func(a *admitto.Applicant) bool { return a.Type == admitto.Child })
	share("legal persons", 0.2, 2, func(a *admitto.Applicant) bool { return a.Type == admitto.Legal })
	share("without citizenship", 4, 14, func(a *admitto.Applicant) bool { return a.Citizenship == "" })
	share("from home", 15, 24, func(a *admitto.Applicant) bool { return a.Citizenship == "HU" })
	share("with a telephone number", 70, 82, func(a *admitto.Applicant) bool { return a.Phone != "" })
	share("with a tracker", 32, 38, having("SELECT DISTINCT applicant_id FROM applicant_tracker"))
	share("with notes", 17, 23, having("SELECT DISTINCT applicant_id FROM note WHERE applicant_id IS NOT NULL"))
	share("with a welcome mail", 100, 100, having("SELECT applicant_id FROM email"))
	share("in original script", 0.5, 4, func(a *admitto.Applicant) bool {
		return strings.IndexFunc(a.Name.Given, func(r rune) bool { return r > 0x250 && (r < 0x1E00 || r > 0x1EFF) }) >= 0
	})
	share("in the six months of the deadlines", 65, 85, func(a *admitto.Applicant) bool {
		m := a.Registered.Std().Month()
		return m <= time.March || time.June <= m && m <= time.August
	})
	countries := map[string]bool{}
	for _, a := range list {
		countries[a.Citizenship] = true
	}
	if len(countries) < 75 {
		t.Errorf("%d citizenships, want some 80", len(countries))
	}
	for what, sql := range map[string]string{
		"removed notes":          "SELECT count(*) FROM note WHERE removed IS NOT NULL",
		"pinned notes":           "SELECT count(*) FROM note WHERE pinned",
		"collapsed notes":        "SELECT count(*) FROM note WHERE collapsed",
		"failed mails":           "SELECT count(*) FROM email WHERE failed IS NOT NULL AND delivered IS NULL",
		"trackers by percentage": "SELECT count(*) FROM tracker WHERE percent IS NOT NULL",
		"trackers by amount":     "SELECT count(*) FROM tracker WHERE amount IS NOT NULL AND currency <> ''",
		"applicants with two":    "SELECT count(*) FROM (SELECT 1 FROM applicant_tracker GROUP BY applicant_id HAVING count(*) > 1) t",
	} {
		if n := numbers(t, s, sql)[0][0]; n < 5 {
			t.Errorf("%s: %d, want some", what, n)
		}
	}
	if n := numbers(t, s, "SELECT count(DISTINCT colour) FROM note")[0][0]; n != int64(len(admitto.Colours)) {
		t.Errorf("%d colours of notes, want all", n)
	}
	if n := numbers(t, s, "SELECT count(DISTINCT tracker_id) FROM applicant_tracker")[0][0]; n < 24 {
		t.Errorf("%d trackers are in use, want nearly all", n)
	}
}

// code is the default of both patterns of codes (resources.md 3.6).
var code = regexp.MustCompile(`^[A-Za-z0-9./_-]{1,64}$`)

var exampleAddress = regexp.MustCompile(`^[A-Za-z0-9._-]+@example\.(org|com|net|edu)$`)

func TestValuesAreAccepted(t *testing.T) {
	s := filled(t, apptest.Size(people, many), apptest.Size[uint64](seed, 5))
	line := func(what, value string, low, high int) {
		t.Helper()
		if got, err := text.Line(value, low, high); err != nil || got != value {
			t.Errorf("%s: %q becomes %q, %v", what, value, got, err)
		}
	}
	emails, references := map[string]bool{}, map[string]bool{}
	last := admitto.Time(0)
	for i, a := range everybody(t, s) {
		if a.ID != int64(i+1) || a.Registered < last {
			t.Fatalf("applicant %d at %s: IDs and times must ascend", a.ID, a.Registered)
		}
		last = a.Registered
		line("given name", a.Name.Given, 1, 50)
		line("middle name", a.Name.Middle, 0, 50)
		line("family name", a.Name.Family, 1, 50)
		line("phone", a.Phone, 0, 30)
		line("skype", a.Skype, 0, 64)
		line("parent", a.Name.Parent, 0, 100)
		line("legal name", a.Name.Legal, 0, 100)
		line("VAT number", a.VATIN, 0, 20)
		if (a.Type == admitto.Child) != (a.Name.Parent != "") {
			t.Errorf("a %s has the parent %q", a.Type, a.Name.Parent)
		}
		if legal := a.Type == admitto.Legal; legal != (a.Name.Legal != "") || legal != (a.Address != "") ||
			legal != (a.VATIN != "") {
			t.Errorf("a %s has the legal name %q, address %q and VAT number %q", a.Type, a.Name.Legal, a.Address, a.VATIN)
		}
		if got, err := text.Multiline(a.Address, 0, 1000); err != nil || got != a.Address {
			t.Errorf("address %q becomes %q, %v", a.Address, got, err)
		}
		if got, err := text.Email(a.Email); err != nil || got != a.Email || !exampleAddress.MatchString(a.Email) {
			t.Errorf("e-mail address %q becomes %q, %v", a.Email, got, err)
		}
		if key := text.EmailKey(a.Email); emails[key] {
			t.Errorf("the e-mail address %s is there twice", a.Email)
		} else {
			emails[key] = true
		}
		if a.Citizenship != "" {
			if got, err := text.Country(a.Citizenship); err != nil || got != a.Citizenship {
				t.Errorf("citizenship %q becomes %q, %v", a.Citizenship, got, err)
			}
		}
		if a.Reference != "" && (!code.MatchString(a.Reference) || references[a.Reference]) {
			t.Errorf("reference %q has no good form or is there twice", a.Reference)
		}
		references[a.Reference] = true
		if a.Matriculation != "" && !code.MatchString(a.Matriculation) {
			t.Errorf("matriculation %q has no good form", a.Matriculation)
		}
	}
	read(t, s, func(tx *store.Tx) error {
		trackers, err := tx.Trackers()
		if err != nil {
			return err
		}
		for _, tr := range trackers {
			line("tracker code", tr.Code, 2, 16)
			if strings.ContainsAny(tr.Code, " ,") {
				t.Errorf("tracker code %q", tr.Code)
			}
			if r := tr.Reduction; r != nil && r.ByAmount() {
				if _, err := text.Currency(r.Currency); err != nil || r.Amount <= 0 || r.Percent != 0 {
					t.Errorf("tracker %s: reduction %+v", tr.Code, *r)
				}
			} else if r != nil && (r.Percent < 1 || r.Percent > 10000 || r.Amount != 0) {
				t.Errorf("tracker %s: reduction %+v", tr.Code, *r)
			}
		}
		rows := sqltest.In(tx).Query("SELECT colour, text FROM note")
		for rows.Next() {
			if got, err := text.Multiline(rows.Text(1), 1, 2048); err != nil || got != rows.Text(1) {
				t.Errorf("note %q becomes %q, %v", rows.Text(1), got, err)
			}
			if !slices.Contains(admitto.Colours[:], admitto.Colour(rows.Text(0))) {
				t.Errorf("colour %q", rows.Text(0))
			}
		}
		if len(trackers) != 25 {
			t.Errorf("%d trackers, want 25", len(trackers))
		}
		return rows.Close()
	})
}

// TestJournalTellsTheStory plays the journal and compares what comes out with the rows.
func TestJournalTellsTheStory(t *testing.T) {
	n := apptest.Size(people, many)
	s := filled(t, n, apptest.Size[uint64](seed, 9))
	type fate struct{ came, active, reference, matriculation, notes, removed, trackers, mails, edits int }
	fates := make([]fate, n+1)
	trackers := 0
	last := admitto.Time(0)
	finish := admitto.TimeOf(made().In(time.UTC)) - 1 // nothing comes after the day before
	list := everybody(t, s)
	read(t, s, func(tx *store.Tx) error {
		_, err := tx.EachRecord(admitto.JournalQuery{Limit: 1 << 20}, func(r *admitto.Record) error {
			if !admitto.Catalogued(r.Pattern) {
				t.Errorf("%q is not in the catalogue", r.Pattern)
			}
			if strings.Count(string(r.Pattern), "?") != len(r.Bind) {
				t.Errorf("%q has the values %v", r.Pattern, r.Bind)
			}
			if r.Logged < last || r.Logged > finish {
				t.Errorf("record %d at %s, the one before at %s", r.ID, r.Logged, last)
			}
			last = r.Logged
			if r.Actor.Kind == admitto.ByApplicant && r.Actor.ID != r.Links.Applicant {
				t.Errorf("record %d: applicant %d did something to %d", r.ID, r.Actor.ID, r.Links.Applicant)
			}
			f := &fates[r.Links.Applicant]
			coming := false
			switch r.Pattern {
			case "Applicant was collected", "Applicant registered":
				coming = true
				f.came++
				if at := list[r.Links.Applicant-1].Registered; r.Logged < at || r.Logged > at+10*admitto.Second {
					t.Errorf("applicant %d registered at %s and is recorded at %s", r.Links.Applicant, at, r.Logged)
				}
			case "Lead was activated":
				f.active++
			case "Applicant reference was set":
				f.reference++
			case "Applicant matriculation was set":
				f.matriculation++
			case "Note was added to applicant":
				f.notes++
			case "Note on applicant was removed":
				f.removed++
			case "Tracker was assigned":
				f.trackers++
			case "E-mail was sent: ?", "E-mail failed: ?":
				f.mails++
			case "Applicant was edited":
				f.edits++
			case "Tracker was created":
				trackers++
			}
			if r.Links.Applicant != 0 && !coming && f.came != 1 {
				t.Errorf("record %d: %s before applicant %d came", r.ID, r.Pattern, r.Links.Applicant)
			}
			return nil
		})
		return err
	})
	rows := make([]fate, n+1)
	for _, a := range list {
		f := &rows[a.ID]
		f.came = 1
		if !a.Lead {
			f.active = 1
		}
		if a.Matriculation != "" {
			f.matriculation = 1
		}
		// Most references come with the creation, which tells nothing of them; so do most citizenships.
		f.reference, f.edits = fates[a.ID].reference, fates[a.ID].edits
		if f.reference > 1 || f.reference == 1 && a.Reference == "" || f.edits > f.active {
			t.Errorf("applicant %d: %d references set, %d edits, %+v", a.ID, f.reference, f.edits, a)
		}
	}
	for _, row := range numbers(t, s,
		"SELECT applicant_id, count(*), count(removed) FROM note WHERE applicant_id IS NOT NULL GROUP BY applicant_id") {
		rows[row[0]].notes, rows[row[0]].removed = int(row[1]), int(row[2])
	}
	for _, row := range numbers(t, s, "SELECT applicant_id, count(*) FROM email GROUP BY applicant_id") {
		rows[row[0]].mails = int(row[1])
	}
	for _, row := range numbers(t, s, "SELECT applicant_id, count(*) FROM applicant_tracker GROUP BY applicant_id") {
		rows[row[0]].trackers = int(row[1])
	}
	for id := range n {
		if fates[id+1] != rows[id+1] {
			t.Errorf("applicant %d: the journal tells %+v, the rows %+v", id+1, fates[id+1], rows[id+1])
		}
	}
	if trackers != 25 {
		t.Errorf("%d trackers were created, want 25", trackers)
	}
	for what, sql := range map[string]string{
		"associations before the applicant or the tracker": `SELECT count(*) FROM applicant_tracker x JOIN applicant a ON a.id = x.applicant_id
			JOIN tracker t ON t.id = x.tracker_id WHERE x.assigned < a.registered OR x.assigned < t.created`,
		"notes before the applicant": "SELECT count(*) FROM note n JOIN applicant a ON a.id = n.applicant_id WHERE n.created < a.registered",
		"notes removed too early":    "SELECT count(*) FROM note WHERE removed <= created",
		"mails out of order":         "SELECT count(*) FROM email WHERE coalesce(delivered, failed) NOT BETWEEN inserted + 1 AND inserted + 20000000",
		"note IDs out of order":      "SELECT count(*) FROM note a JOIN note b ON b.id = a.id + 1 WHERE b.created < a.created",
		"details without a record":   "SELECT count(*) FROM journal_detail d JOIN journal j ON j.id = d.journal_id WHERE j.detail_hash = ''",
	} {
		if n := numbers(t, s, sql)[0][0]; n != 0 {
			t.Errorf("%s: %d", what, n)
		}
	}
}
