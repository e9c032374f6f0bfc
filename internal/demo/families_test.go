package demo_test

import (
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// families are the tables that invented data fill, with how many rows 500 applicants have at least.
var families = map[string]int64{
	"administrator": 14, "role": 9, "administrator_role": 15, "institution": 18, "department": 20, "course": 40,
	"academic_year":      3,
	"academic_term_type": 14, "academic_term": 8, "intake": 25, "intake_deadline": 100, "course_intake": 100,
	"region":        7,
	"classificator": 100, "consent": 2, "flag": 8, "application_status": 7, "offer_type": 30, "offer_reason": 5,
	"letterhead": 1,
	"question":   12, "task_template": 12, "task_template_status": 50, "export_profile": 3, "invoice_series": 3,
	"scoresheet_group": 2,
	"scoresheet":       7, "tableview": 6, "ranking": 10, "ranking_course": 10,
	"applicant": 500, "applicant_search": 500, "applicant_word": 2000, "tracker": 25, "applicant_tracker": 50,
	"note":  50,
	"email": 700, "api_key": 2, "tally": 10,
	"application": 300, "application_content": 300, "application_course": 400, "application_flag": 30, "offer": 200,
	"offer_attachment": 10, "offer_letter": 10, "task": 400, "rule_action": 300, "document": 300, "applicant_photo": 80,
	"email_attachment": 60,
	"export":           5, "export_blob": 5, "study_plan": 3, "consent_decision": 300, "consent_history": 300,
	"wish": 50, "score": 100,
	"criterion": 60,
	"invoice":   60, "invoice_item": 60,
	"invoice_transaction": 40, "invoice_number": 60, "invoice_counter": 10, "fee": 4, "fee_amount": 8, "fee_course": 40,
	"login": 300, "purged_resource": 8, "journal": 3000, "journal_detail": 30,
	"batch": 4, "batch_record": 70, "data_request": 4, "setting": 1,
}

// empty are the tables that only requests fill.
var empty = []string{"access", "sign_in_token", "outbox", "failed_mail", "email_template", "email_kind",
	"idempotency", "job_run",
	"mail_key",
	"application_frozen", "deadline_extension", "receipt", "offer_confirmation", "binding_acceptance", "task_status",
	"task_template_course",
	"account_token", "recovery_code", "role_permission", "session", "setup_token", "sent_form", "sign_in_failure",
	"stash",
	"stash_file", "stash_part",
	"task_template_offer_type", "matriculation_counter", "loose_file", "api_key_use",
	"api_key_refused",
	"email_change",
	"hourly_use",
	// Made when somebody asks, and gone after days.
	"data_export", "own_data_export", "instance_report", "job_outcome", "backup_seen",
	"search_due", "journal_waiting", "tally_waiting", "term_snapshot", "kept_numbers", "kept_view",
	"lead_import", "lead_row"}

func TestEveryFamilyIsFilled(t *testing.T) {
	filled := func(t *testing.T, s *store.Store) {
		for table, low := range families {
			n := numbers(t, s, "SELECT count(*) FROM "+table)[0][0]
			if n < low {
				t.Errorf("%s has %d rows, want %d", table, n, low)
			}
		}
	}
	template := demoOf(apptest.Size(people, 500), apptest.Size[uint64](seed, 1))
	if !apptest.Long() { // that both engines hold the same is tested elsewhere
		filled(t, open(t, template.File(t), db.Options{}))
		return
	}
	template.Each(t, func(t *testing.T, url string, opts db.Options) { filled(t, open(t, url, opts)) })
}

func TestEveryTableIsKnown(t *testing.T) {
	known := map[string]bool{"instance": true, "migration": true, "journal_head": true, "journal_check": true}
	for table := range families {
		known[table] = true
	}
	for _, table := range empty {
		known[table] = true
	}
	read(t, filled(t, 0, 1), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
		for rows.Next() {
			if !known[rows.Text(0)] {
				t.Errorf("the table %s is neither filled nor known to be empty", rows.Text(0))
			}
		}
		return rows.Close()
	})
}

// TestArabicTexts finds what applicants read of courses, intakes, offer types, tasks, questions and consents in Arabic,
// too, and the language among those of the instance. A course that has a Hungarian name only has no Arabic one.
func TestArabicTexts(t *testing.T) {
	s := open(t, demoOf(people, seed).File(t), db.Options{})
	for what, sql := range map[string]string{
		"courses": "SELECT count(*) FROM course WHERE status <> 'Template' AND code <> 'INF-BSC' AND " +
			"(names NOT LIKE '%\"ar\"%' OR duration <> '' AND versions NOT LIKE '%\"duration\"%' OR " +
			"location <> '' AND versions NOT LIKE '%\"location\"%' OR awards <> '[]' AND versions NOT LIKE '%\"awards\"%')",
		"without Arabic": "SELECT count(*) - 1 FROM course WHERE code = 'INF-BSC' AND names NOT LIKE '%\"ar\"%'",
		"questions": "SELECT count(*) FROM question WHERE versions NOT LIKE '%\"name\"%' OR " +
			"options <> '[]' AND versions NOT LIKE '%\"option %' OR fields <> '[]' AND versions NOT LIKE '%\"field 104\"%'",
		"tasks": "SELECT count(*) FROM task_template WHERE versions NOT LIKE '%\"title\"%'",
		"intakes": "SELECT count(*) FROM intake WHERE versions NOT LIKE '%\"name\"%' OR " +
			"pre_info <> '' AND versions NOT LIKE '%\"pre_info\"%'",
		"deadlines": "SELECT count(*) FROM intake_deadline d JOIN intake i ON i.id = d.intake_id " +
			"WHERE d.info <> '' AND i.versions NOT LIKE '%\"deadline ' || d.territory || '\"%'",
		"offer types": "SELECT CASE WHEN count(*) > 20 THEN 0 ELSE 1 END FROM offer_type " +
			"WHERE versions LIKE '%\"public_title\"%' AND (comments = '' OR versions LIKE '%\"comments\"%')",
		"fees":      "SELECT count(*) FROM fee WHERE versions NOT LIKE '%\"name\"%'",
		"terms":     "SELECT count(*) FROM academic_term WHERE versions NOT LIKE '%\"name\"%'",
		"statuses":  "SELECT count(*) FROM application_status WHERE versions NOT LIKE '%\"title\"%'",
		"invoices":  "SELECT count(*) FROM invoice WHERE instructions <> '' AND versions NOT LIKE '%\"instructions\"%'",
		"series":    "SELECT count(*) FROM invoice_series WHERE instructions = '' OR versions NOT LIKE '%\"instructions\"%'",
		"consents":  "SELECT count(*) FROM consent WHERE versions NOT LIKE '%\"text\"%'",
		"languages": "SELECT 1 - count(*) FROM setting WHERE name = 'instance.languages' AND value = 'en, ar'",
	} {
		if n := numbers(t, s, sql)[0][0]; n != 0 {
			t.Errorf("%s: %d are not there in Arabic", what, n)
		}
	}
}
