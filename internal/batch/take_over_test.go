package batch_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// open are the columns that name whose an open thing is, with the condition that it is open, and history those that say
// who once did something, which stays so. A new column that names an administrator belongs to one of them.
var (
	open = map[string]string{
		"api_key.administrator_id": "revoked IS NULL", "tableview.owner_id": "TRUE", "kept_view.owner_id": "shared",
		"application.officer_id": "visible",
		"batch.prepared_by":      "state IN ('preparing', 'prepared', 'waiting', 'running', 'stopped')",
		"batch.undone_by":        "state = 'undoing'", "scoresheet.scorers": "",
	}
	history = []string{"access.administrator_id", "account_token.administrator_id", "administrator_role.administrator_id",
		"applicant.deleted_by",
		"batch.released_by", "batch.sealed_by", "data_export.administrator_id", "data_request.administrator_id",
		"data_request.answered_by",
		"email_kind.edited_by", "invoice.issuer_administrator_id", "invoice_transaction.administrator_id",
		"journal.administrator_id", "lead_import.started_by", "lead_import.undone_by", "lead_import.uploaded_by",
		"login.administrator_id", "offer_letter.administrator_id",
		"own_data_export.administrator_id", "purged_resource.marked_by", "recovery_code.administrator_id",
		"setting.changed_by"}
)

// naming returns the columns whose names say that they hold an administrator.
func naming(t *testing.T, d *servicestest.Desk) []string {
	t.Helper()
	sql := "SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
	if d.Store.Shared() {
		sql = "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema()"
	}
	var list []string
	for line := range strings.FieldsSeq(d.Lines(sql)) {
		_, column, _ := strings.Cut(line, ".")
		if line == "api_key.replaced_by" { // another key
			continue
		}
		if strings.HasSuffix(column, "administrator_id") || strings.HasSuffix(column, "_by") || column == "owner_id" ||
			column == "officer_id" || column == "scorers" {
			list = append(list, line)
		}
	}
	slices.Sort(list)
	return list
}

// TestNothingIsOrphaned lets a colleague leave to whom everything hangs that can: nothing that is open stays theirs.
func TestNothingIsOrphaned(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 60)
		o.is(2, 1)
		ids := map[admitto.BatchState]int64{}
		for _, state := range []admitto.BatchState{admitto.BatchPrepared, admitto.BatchWaiting, admitto.BatchRunning,
			admitto.BatchStopped, admitto.BatchUndoing, admitto.BatchFinished} {
			ids[state] = o.prepare(flagging(o.all()...))
			d.Write(fmt.Sprintf("UPDATE batch SET state = '%s', undone_by = 1 WHERE id = %d", state, ids[state]))
		}
		d.Write("INSERT INTO api_key (id, created, label, owner, hash, scope, administrator_id) VALUES (1, 1, 'L', 'O', '', '', 1)",
			"INSERT INTO kept_view (owner_id, list, name, query, shared, created) VALUES (1, 'browse', 'All', '', TRUE, 1)",
			"INSERT INTO tableview (created, modified, title, row_kind, columns, private, owner_id) VALUES (1, 1, 'Own', 'application', '[]', TRUE, 1)",
			"UPDATE application SET officer_id = 1 WHERE id = 101",
			`INSERT INTO scoresheet (id, created, name, type, depth, range_min, range_max, scale, scorers) VALUES
			(1, 1, 'Interview', 'Number', 'Offer', 0, 100, 0, '[1]')`)
		known := slices.Sorted(maps.Keys(open))
		known = append(known, history...)
		slices.Sort(known)
		if found := naming(t, d); !slices.Equal(found, known) {
			t.Errorf("columns that name administrators are\n%v\nand the test knows\n%v", found, known)
		}
		left := func(who int) (list []string) {
			for column, condition := range open {
				table, name, _ := strings.Cut(column, ".")
				sql := fmt.Sprintf("SELECT count(*) FROM %s WHERE %s = %d AND %s", table, name, who, condition)
				if name == "scorers" {
					sql = fmt.Sprintf("SELECT count(*) FROM scoresheet WHERE scorers = '[%d]'", who)
				}
				if n := d.Number(sql); n > 0 {
					list = append(list, fmt.Sprintf("%s: %d", column, n))
				}
			}
			slices.Sort(list)
			return list
		}
		theirs := left(1)
		if len(theirs) != len(open) {
			t.Fatalf("only %v hang on them", theirs)
		}
		by := servicestest.As(admitto.ByAdministrator, 2)
		disable := func(batches int64) error {
			return d.Services.Accounts.DisableStaff(t.Context(), by, 1, accounts.TakeOver{Keys: 2, Tableviews: 2, Views: 2,
				Applications: 2, Scoresheets: 2, Batches: batches})
		}
		if e := servicestest.WantKind(t, disable(3), admitto.InvalidParameter); e.Faults[0].Path != "administrator.batches" {
			t.Errorf("%+v for somebody without roles", e.Faults)
		}
		before := len(d.Journal())
		d.Must(disable(2))
		if still := left(1); len(still) > 0 {
			t.Errorf("%v stay theirs", still)
		}
		if got := left(2); !slices.Equal(got, theirs) {
			t.Errorf("%v became another one's of %v", got, theirs)
		}
		taken := 0
		for _, event := range d.Since(before) {
			if strings.HasPrefix(event, "Batch was taken over") {
				taken++
			}
		}
		if taken != 5 {
			t.Errorf("%d batches were taken over, but for the finished one there are 5", taken)
		}
		o.run(d.Services)
		if b := o.show(ids[admitto.BatchRunning]); b.State != admitto.BatchFinished || b.Done != 60 {
			t.Errorf("what ran does not go on: %+v", b.Batch)
		}
	})
}

// TestTakenOverIsNoSecondPerson keeps the second person one who neither sealed the list nor has taken it over.
func TestTakenOverIsNoSecondPerson(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 60)
		o.is(2, 1)
		o.is(3, 1)
		id := o.prepare(of("freeze", admitto.BatchParams{}, o.all()...))
		release := func(who int64) error { _, err := o.Release(t.Context(), staff(who), id, 60); return err }
		d.Must(release(1))
		d.Must(d.Services.Accounts.DisableStaff(t.Context(), servicestest.As(admitto.ByAdministrator, 3), 1,
			accounts.TakeOver{Batches: 2}))
		servicestest.WantKind(t, release(2), admitto.NotAllowedNow)
		d.Must(d.Services.Accounts.EnableStaff(t.Context(), servicestest.As(admitto.ByAdministrator, 3), 1))
		servicestest.WantKind(t, release(1), admitto.NotAllowedNow)
		if n, err := o.WaitingFor(t.Context(), staff(1)); err != nil || n != 0 {
			t.Errorf("%d batches wait for the one who sealed the list: %v", n, err)
		}
		if v := o.show(id); v.State != admitto.BatchWaiting || v.PreparedBy != 2 || v.SealedBy != 1 {
			t.Errorf("%+v", v.Batch)
		}
		d.Must(release(3))
	})
}
