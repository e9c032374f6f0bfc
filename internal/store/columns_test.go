package store_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// notListed are the tables whose columns package columns does not list, each with the reason.
var notListed = map[string]string{
	"account_token":            "written by one statement, and never read as a row",
	"api_key":                  "written by one statement, key.go",
	"api_key_refused":          "written by one statement, which adds to a counter",
	"api_key_use":              "written by one statement, which adds to a counter",
	"applicant_search":         "written by a trigger, and by one statement, search_index.go",
	"applicant_word":           "written by one statement, search_index.go",
	"application_frozen":       "one value, written by one statement",
	"application_status":       "written by Seed only",
	"batch_record":             "written by one statement, batch_record.go",
	"binding_acceptance":       "written by one statement, and never read as a row",
	"classificator":            "written by Seed and by SaveCodes, a few columns each",
	"deadline_extension":       "written by one statement, application_write.go",
	"email_change":             "written by one statement, sign_in_link.go",
	"email_kind":               "written by one statement, email_kind.go",
	"email_template":           "written by one statement, email_kind.go",
	"failed_mail":              "written by one statement, and never read as a row",
	"export_profile":           "written by Seed only",
	"hourly_use":               "one value, written by one statement",
	"idempotency":              "written by one statement, which takes a lease",
	"instance":                 "one value, written by one statement",
	"invoice_counter":          "one number, written by one statement",
	"invoice_number":           "a register: numbers are taken over, issued and voided by statements of their own",
	"backup_seen":              "one row, written by one statement",
	"instance_report":          "written by one statement, health.go",
	"job_outcome":              "every statement changes a part of it, health.go",
	"job_run":                  "written by one statement, which takes a lease",
	"journal":                  "written by one statement, whose values are those that the hash is made of",
	"journal_detail":           "written by one statement, journal.go",
	"journal_check":            "one row, made by a migration",
	"journal_head":             "one row, made by a migration",
	"lead_import":              "written by one statement, lead_import.go",
	"lead_row":                 "written by one statement, lead_import.go",
	"access":                   "written by one statement, access.go",
	"login":                    "written by one statement, login.go",
	"loose_file":               "counts holders: every statement is another",
	"mail_key":                 "one value, written by one statement",
	"matriculation_counter":    "one number, written by one statement",
	"migration":                "written by one statement, migrate.go",
	"offer_confirmation":       "written by one statement, confirmation.go",
	"outbox":                   "written by two statements, which take a lease or none, and never read as a row",
	"purged_resource":          "written by one statement, purged.go",
	"quota":                    "counters, changed in place",
	"quota_passed":             "counters, changed in place",
	"receipt":                  "written by one statement, and signed by another",
	"recovery_code":            "written by one statement, and never read as a row",
	"journal_waiting":          "written by one statement, waiting.go",
	"kept_view":                "written by two statements, kept_view.go",
	"kept_numbers":             "written by one statement, kept_numbers.go",
	"region":                   "written by Seed and by SaveRegion, a few columns each",
	"role_permission":          "one value, written by one statement",
	"search_due":               "written by triggers",
	"sent_form":                "written by two statements, sent_form.go",
	"session":                  "written by two statements, which keep what is not known, session.go",
	"setting":                  "written by one statement, instance.go",
	"setup_token":              "written by one statement, and never read as a row",
	"sign_in_failure":          "counted, and never read as a row",
	"sign_in_token":            "written by one statement, and never read as a row",
	"stash":                    "written by one statement, stash.go",
	"stash_file":               "written by one statement, stash.go",
	"stash_part":               "written by one statement, stash.go",
	"tally":                    "counts: every statement adds to them",
	"tally_waiting":            "written by one statement, waiting.go",
	"task_status":              "written by one statement, and never read as a row",
	"task_template_course":     "pairs, written by one statement, task_template.go",
	"task_template_offer_type": "pairs, written by one statement, task_template.go",
	"task_template_status":     "written by Seed and by saving a template",
	"term_snapshot":            "written by one statement, dashboard.go",
}

// TestTablesAreListed wants every table of the schema to have one list of its columns or a reason for none, and every
// column of a list to be there.
func TestTablesAreListed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		s, err := store.Open(t.Context(), url, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := s.Migrate(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		schema := map[string][]string{}
		err = s.Read(t.Context(), func(tx *store.Tx) error {
			sql := sqltest.In(tx)
			text := "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_'"
			if sql.Engine() == db.PostgreSQL {
				text = "SELECT CAST(table_name AS text), CAST(column_name AS text) FROM information_schema.columns WHERE table_schema = current_schema()"
			}
			r := sql.Query(text)
			for r.Next() {
				schema[r.Text(0)] = append(schema[r.Text(0)], r.Text(1))
			}
			return r.Close()
		})
		if err != nil {
			t.Fatal(err)
		}
		checkListed(t, schema, s.Shared())
	})
}

// checkListed compares the tables of a schema with the lists; all says that the schema has all tables, also those of
// one engine.
func checkListed(t *testing.T, schema map[string][]string, all bool) {
	listed := columns.Listed()
	for _, table := range slices.Sorted(maps.Keys(schema)) {
		switch isListed, reason := listed[table] != nil, notListed[table]; {
		case !isListed && reason == "":
			t.Errorf("table %s has no list of its columns, and no reason for that", table)
		case isListed && reason != "":
			t.Errorf("table %s has a list of its columns, although: %s", table, reason)
		}
	}
	for _, table := range slices.Sorted(maps.Keys(listed)) {
		for _, column := range listed[table] {
			if !slices.Contains(schema[table], column) {
				t.Errorf("table %s has no column %s", table, column)
			}
		}
	}
	for _, table := range slices.Sorted(maps.Keys(notListed)) {
		if schema[table] == nil && all {
			t.Errorf("there is no table %s", table)
		}
	}
}
