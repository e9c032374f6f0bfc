package demo_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// never are queries of what must not be there; each counts the faults.
var never = map[string]string{
	"priorities have holes":            `SELECT count(*) FROM (SELECT 1 FROM application_course GROUP BY application_id HAVING min(priority) <> 1 OR max(priority) <> count(*)) t`,
	"applications without course":      `SELECT count(*) FROM application a WHERE NOT EXISTS (SELECT 1 FROM application_course c WHERE c.application_id = a.id)`,
	"applications without content":     `SELECT count(*) FROM application a WHERE NOT EXISTS (SELECT 1 FROM application_content c WHERE c.application_id = a.id)`,
	"offers without submission":        `SELECT count(*) FROM offer o JOIN application_course c ON c.application_id = o.application_id AND c.course_id = o.course_id WHERE c.submitted IS NULL`,
	"submitted courses without offer":  `SELECT count(*) FROM application_course c LEFT JOIN offer o ON c.application_id = o.application_id AND c.course_id = o.course_id WHERE c.submitted IS NOT NULL AND o.id IS NULL`,
	"offers of another course":         `SELECT count(*) FROM offer o LEFT JOIN application_course c ON c.application_id = o.application_id AND c.course_id = o.course_id AND c.priority = o.priority WHERE c.course_id IS NULL`,
	"statuses against the submission":  `SELECT count(*) FROM application WHERE (status IN ('Submitted', 'Reopened') AND submitted IS NULL) OR (status IN ('Blank', 'Draft', 'Inactive') AND submitted IS NOT NULL)`,
	"confirmed offers without copy":    `SELECT count(*) FROM offer WHERE (confirmed IS NULL) <> (type_confirmed_id IS NULL) OR (confirmed IS NULL) <> (comments_confirmed = '')`,
	"markers in letters":               `SELECT count(*) FROM offer WHERE comments_confirmed LIKE '%\%%' ESCAPE '\'`,
	"confirmed types without letter":   `SELECT count(*) FROM offer o JOIN offer_type t ON t.id = o.type_confirmed_id WHERE NOT t.confirm`,
	"freezing types without freeze":    `SELECT count(*) FROM offer o JOIN offer_type t ON t.id = o.type_confirmed_id JOIN application a ON a.id = o.application_id WHERE t.freezes AND a.frozen IS NULL`,
	"decisions without a time":         `SELECT count(*) FROM offer WHERE (decision = 'None') <> (decided IS NULL)`,
	"answers before the letter":        `SELECT count(*) FROM offer WHERE decision = 'Final' AND confirmed IS NULL`,
	"deadlines missing":                `SELECT count(*) FROM offer WHERE (decision_policy = 'None') <> (decision_deadline IS NULL)`,
	"withdrawn, but not declined":      `SELECT count(*) FROM offer o JOIN application a ON a.id = o.application_id WHERE a.status = 'Withdrawn' AND o.decision <> 'Declined'`,
	"two acceptances in a term":        `SELECT count(*) FROM (SELECT 1 FROM offer o JOIN application a ON a.id = o.application_id WHERE o.decision = 'Final' GROUP BY o.applicant_id, a.academic_term_id HAVING count(*) > 1) t`,
	"two open applications in a term":  `SELECT count(*) FROM (SELECT 1 FROM application WHERE status <> 'Closed' GROUP BY applicant_id, academic_term_id HAVING count(*) > 1) t`,
	"applications of leads":            `SELECT count(*) FROM application a JOIN applicant p ON p.id = a.applicant_id WHERE p.lead`,
	"matriculated without acceptance":  `SELECT count(*) FROM applicant p WHERE matriculation <> '' AND NOT EXISTS (SELECT 1 FROM offer o WHERE o.applicant_id = p.id AND o.decision = 'Final')`,
	"courses of another intake":        `SELECT count(*) FROM application_course c LEFT JOIN course_intake i ON i.course_id = c.course_id AND i.intake_id = c.intake_id WHERE i.course_id IS NULL`,
	"intakes of another term":          `SELECT count(*) FROM application_course c JOIN intake i ON i.id = c.intake_id JOIN application a ON a.id = c.application_id WHERE i.academic_term_id <> a.academic_term_id`,
	"courses that cannot be applied":   `SELECT count(*) FROM application_course c JOIN course x ON x.id = c.course_id WHERE x.status NOT IN ('Online', 'Private') OR x.type <> c.course_type OR x.institution_id <> c.institution_id`,
	"invoice sums":                     `SELECT count(*) FROM invoice i WHERE paid <> (SELECT coalesce(sum(amount), 0) FROM invoice_transaction t WHERE t.invoice_id = i.id) OR paid > total`,
	"invoice states":                   `SELECT count(*) FROM invoice WHERE (collected IS NULL) <> (paid < total) OR lapsed IS NOT NULL AND (collected IS NOT NULL OR NOT automatic)`,
	"invoice totals":                   `SELECT count(*) FROM invoice i WHERE total <> (SELECT greatest_zero FROM (SELECT CASE WHEN sum(price * qty) < 0 THEN 0 ELSE (CAST(sum(price * qty) AS bigint) + 50) / 100 END AS greatest_zero FROM invoice_item t WHERE t.invoice_id = i.id) s)`,
	"invoices without their number":    `SELECT count(*) FROM invoice i LEFT JOIN invoice_number n ON n.invoice_id = i.id WHERE n.nr IS NULL OR n.nr <> i.nr OR n.series_id <> i.series_id OR n.void`,
	"counters behind":                  `SELECT count(*) FROM invoice_number n LEFT JOIN invoice_counter c ON c.series_id = n.series_id AND c.period = n.period WHERE c.last IS NULL OR c.last < n.number`,
	"automatic without a fee":          `SELECT count(*) FROM invoice WHERE automatic <> (fee_id IS NOT NULL)`,
	"invoice numbers twice":            `SELECT count(*) FROM (SELECT 1 FROM invoice GROUP BY series_id, nr HAVING count(*) > 1) t`,
	"submitted with an unpaid fee":     `SELECT count(*) FROM invoice i JOIN application a ON a.id = i.application_id WHERE i.series_id = 2 AND a.submitted IS NOT NULL AND (i.collected IS NULL OR i.collected > a.submitted)`,
	"payments before the invoice":      `SELECT count(*) FROM invoice_transaction t JOIN invoice i ON i.id = t.invoice_id WHERE t.inserted <= i.issued`,
	"resolved tasks":                   `SELECT count(*) FROM task k JOIN task_template_status s ON s.template_id = k.template_id AND s.name = k.status WHERE s.resolves <> (k.resolved IS NOT NULL)`,
	"closed tasks":                     `SELECT count(*) FROM task k JOIN task_template_status s ON s.template_id = k.template_id AND s.name = k.status WHERE s.closes <> k.closed`,
	"unknown task statuses":            `SELECT count(*) FROM task k LEFT JOIN task_template_status s ON s.template_id = k.template_id AND s.name = k.status WHERE s.name IS NULL`,
	"tasks of sleeping templates":      `SELECT count(*) FROM task k JOIN task_template t ON t.id = k.template_id WHERE NOT t.active`,
	"caused tasks without the mark":    `SELECT count(*) FROM task k JOIN task_template t ON t.id = k.template_id WHERE t.causing <> 'none' AND NOT EXISTS (SELECT 1 FROM rule_action r WHERE r.rule = 'task-cause' AND r.record = k.application_id AND r.occurrence = CAST(k.template_id AS text) || '/0')`,
	"marks of no task":                 `SELECT count(*) FROM rule_action r WHERE r.rule = 'task-cause' AND NOT EXISTS (SELECT 1 FROM task k WHERE k.application_id = r.record AND r.occurrence = CAST(k.template_id AS text) || '/0')`,
	"blocked submissions":              `SELECT count(*) FROM task k JOIN application a ON a.id = k.application_id JOIN task_template_status s ON s.template_id = k.template_id AND s.name = k.status WHERE s.blocks AND a.submitted IS NOT NULL AND k.trashed IS NULL`,
	"documents of another application": `SELECT count(*) FROM document d JOIN task k ON k.id = d.task_id WHERE k.application_id <> d.application_id`,
	"few documents":                    `SELECT count(*) FROM application a WHERE submitted IS NOT NULL AND (SELECT count(*) FROM document d WHERE d.application_id = a.id) < 2`,
	"points out of range":              `SELECT count(*) FROM score s JOIN scoresheet h ON h.id = s.scoresheet_id WHERE s.points < h.range_min OR s.points > h.range_max`,
	"scores without offer":             `SELECT count(*) FROM score s JOIN scoresheet h ON h.id = s.scoresheet_id WHERE (h.depth = 'Offer') <> (s.offer_id IS NOT NULL)`,
	"scores without a time":            `SELECT count(*) FROM score WHERE (points IS NULL) <> (scored IS NULL)`,
	"required fields of scores":        `SELECT count(*) FROM score s JOIN scoresheet h ON h.id = s.scoresheet_id WHERE h.date = 'Required' AND s.date IS NULL OR h.language = 'Required' AND s.language = '' OR h.date = 'None' AND s.date IS NOT NULL`,
	"blobs before the export":          `SELECT count(*) FROM export_blob b JOIN export e ON e.id = b.export_id WHERE e.processed IS NULL OR b.uploaded <> e.processed`,
	"processed without blobs":          `SELECT count(*) FROM export e WHERE processed IS NOT NULL AND NOT EXISTS (SELECT 1 FROM export_blob b WHERE b.export_id = e.id)`,
	"letters of another offer":         `SELECT count(*) FROM offer_letter l JOIN offer_attachment a ON a.id = l.attachment_id WHERE a.offer_id <> l.offer_id`,
	"times that run backwards":         `SELECT count(*) FROM application WHERE revised < created OR submitted < created OR frozen < submitted`,
	"offer IDs out of order":           `SELECT count(*) FROM offer a JOIN offer b ON b.id = a.id + 1 WHERE b.inserted < a.inserted`,
	"batches against their lines":      `SELECT count(*) FROM batch b WHERE size <> (SELECT count(*) FROM batch_record c WHERE c.batch_id = b.id) OR done <> (SELECT count(*) FROM batch_record c WHERE c.batch_id = b.id AND c.state IN ('done', 'put-back')) OR failed <> (SELECT count(*) FROM batch_record c WHERE c.batch_id = b.id AND c.state = 'failed')`,
	"done, but not flagged":            `SELECT count(*) FROM batch_record c JOIN batch b ON b.id = c.batch_id WHERE b.action = 'flag' AND (c.state = 'done') <> EXISTS (SELECT 1 FROM journal j JOIN application_flag f ON f.application_id = j.application_id AND f.flag_id = j.flag_id WHERE j.batch_id = b.id AND j.application_id = c.record)`,
	"notes on nothing":                 `SELECT count(*) FROM note WHERE (applicant_id IS NULL) = (offer_id IS NULL)`,
}

func TestInvariants(t *testing.T) {
	demoOf(people, seed).Each(t, func(t *testing.T, url string, opts db.Options) {
		s := open(t, url, opts)
		for what, sql := range never {
			if n := numbers(t, s, sql)[0][0]; n != 0 {
				t.Errorf("%s: %d", what, n)
			}
		}
		for what, sql := range map[string]string{
			"unread":      "SELECT count(*) FROM document WHERE unread",
			"statuses":    "SELECT count(DISTINCT status) FROM application",
			"offer types": "SELECT count(DISTINCT type_id) FROM offer",
			"series":      "SELECT count(DISTINCT series_id) FROM invoice",
			"sheets":      "SELECT count(DISTINCT scoresheet_id) FROM score",
			"decisions":   "SELECT count(DISTINCT decision) FROM offer",
			"policies":    "SELECT count(DISTINCT policy) FROM intake",
		} {
			want := map[string]int64{"statuses": 7, "offer types": 27, "series": 3, "sheets": 7, "decisions": 3,
				"policies": 5, "unread": 3}[what]
			if n := numbers(t, s, sql)[0][0]; n < want {
				t.Errorf("%d %s, want %d", n, what, want)
			}
		}
		contents(t, s)
		invoiceNumbers(t, s)
	})
}

// contents checks that the content parses, that all sections and types of extras are there and that levels of
// education are those of the specification.
func contents(t *testing.T, s *store.Store) {
	t.Helper()
	sections, extras := map[string]bool{}, map[admitto.ExtraType]bool{}
	read(t, s, func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT content FROM application_content")
		for rows.Next() {
			var c form.Content
			var keys map[string]json.RawMessage
			if err := json.Unmarshal(rows.Bytes(0), &c); err != nil {
				t.Fatal(err)
			}
			_ = json.Unmarshal(rows.Bytes(0), &keys)
			for k := range keys {
				sections[k] = true
			}
			for _, e := range c.Extras {
				extras[e.Type] = true
			}
			for _, row := range c.Rows("education") {
				if level := form.TextAt(row, "level"); !strings.Contains("SE BA MA PD", level) {
					t.Errorf("education level %s", level)
				}
			}
		}
		return rows.Close()
	})
	if len(sections) != 15 || len(extras) != 12 {
		t.Errorf("%d sections and %d types of extras, want 15 and 12: %v %v", len(sections), len(extras), sections, extras)
	}
}

// No given name is that of a mother here and of a father there.
func TestNamesOfParents(t *testing.T) {
	mothers, fathers := map[string]bool{}, map[string]bool{}
	read(t, filled(t, apptest.Size(people, 800), apptest.Size[uint64](seed, 5)), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT content FROM application_content")
		for rows.Next() {
			var c form.Content
			if err := json.Unmarshal(rows.Bytes(0), &c); err != nil {
				t.Fatal(err)
			}
			mother, _, _ := strings.Cut(c.Text("profile/family/mother"), " ")
			father, _, _ := strings.Cut(c.Text("profile/family/father"), " ")
			if mother == "" {
				continue
			}
			mothers[mother], fathers[father] = true, true
		}
		return rows.Close()
	})
	if len(mothers) < 20 || len(fathers) < 20 {
		t.Errorf("%d names of mothers, %d of fathers", len(mothers), len(fathers))
	}
	for name := range mothers {
		if fathers[name] {
			t.Errorf("%s is a mother and a father", name)
		}
	}
	for _, name := range []string{"Anna", "Emma", "Olivia", "Sophie"} {
		if fathers[name] || !mothers[name] {
			t.Errorf("%s: mother %v, father %v", name, mothers[name], fathers[name])
		}
	}
	for _, name := range []string{"Daniel", "James", "Thomas", "William"} {
		if mothers[name] || !fathers[name] {
			t.Errorf("%s: mother %v, father %v", name, mothers[name], fathers[name])
		}
	}
}

// invoiceNumbers checks that the numbers of each series and period have no gaps and follow the IDs.
func invoiceNumbers(t *testing.T, s *store.Store) {
	t.Helper()
	counters := map[string]int{}
	read(t, s, func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT series_id, nr FROM invoice ORDER BY id")
		for rows.Next() {
			nr := rows.Text(1)
			period, number := "", nr
			if i := strings.LastIndexByte(nr, '-'); i >= 0 {
				period, number = nr[:i], nr[i+1:]
			}
			key := fmt.Sprint(rows.Int64(0), period)
			counters[key]++
			if n := strings.TrimLeft(number, "0"); n != fmt.Sprint(counters[key]) {
				t.Errorf("series %d: %s, want %d", rows.Int64(0), nr, counters[key])
			}
		}
		return rows.Close()
	})
}

// TestWaitingBatchRuns has a second person release the message that waits: it is done for everybody on its list.
func TestWaitingBatchRuns(t *testing.T) {
	d := servicestest.OnFile(t, demoOf(500, 1))
	id := d.Number("SELECT id FROM batch WHERE state = $1", string(admitto.BatchWaiting))
	second := servicestest.As(admitto.ByAdministrator, 1).Caller
	b, err := d.Services.Batches.Release(t.Context(), second, id, d.Number("SELECT size FROM batch WHERE id = $1", id))
	d.Must(err)
	d.Must(d.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	if done := d.Number("SELECT done FROM batch WHERE id = $1", id); done == 0 || done != b.Size {
		t.Errorf("%d of %d are done: %s", done, b.Size, d.Lines("SELECT DISTINCT reasons FROM batch_record WHERE batch_id = "+strconv.FormatInt(id, 10)))
	}
}
