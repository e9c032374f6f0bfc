package leads_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/leads"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/admitto/admitto/internal/wait"
)

func TestMain(m *testing.M) { os.Exit(apptest.Run(m)) }

// desk is an instance with an administrator who has all permissions.
type desk struct {
	*servicestest.Desk
	leads *leads.Service
}

func onBoth(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	servicestest.OnBoth(t, func(t *testing.T, on *servicestest.Desk) {
		on.AtWork()
		on.Write("INSERT INTO administrator_role (administrator_id, role_id) VALUES (1, 1)")
		test(t, &desk{on, on.Services.Leads})
	})
}

var ann = servicestest.Staff()

// file is a table of lines with semicolons.
func file(lines ...string) (f leads.File) {
	f = leads.File{Name: "fair.csv", Encoding: "UTF-8", Separator: ";"}
	for n, line := range lines {
		f.Rows = append(f.Rows, leads.FileRow{Line: n + 1, Cells: strings.Split(line, ";")})
	}
	return f
}

// many are rows of so many people, of whom every twentieth has no address.
func many(n int) leads.File {
	lines := []string{"Name;E-mail"}
	for i := range n {
		at := "@example.org"
		if i%20 == 19 {
			at = ""
		}
		lines = append(lines, fmt.Sprintf("Eva No%d;p%d%s", i, i, at))
	}
	return file(lines...)
}

// ready uploads a file and says what its columns are as they were guessed, and what change says besides.
func (d *desk) ready(f leads.File, change func(*admitto.LeadOptions)) (id int64) {
	d.T.Helper()
	id, err := d.leads.Upload(d.T.Context(), ann.Caller, f)
	d.Must(err)
	d.options(id, change)
	return id
}

func (d *desk) options(id int64, change func(*admitto.LeadOptions)) {
	d.T.Helper()
	o := d.show(id).Options
	o.Basis = "Asked for news at the fair"
	if change != nil {
		change(&o)
	}
	d.Must(d.leads.SetOptions(d.T.Context(), ann, id, o))
	d.run(d.Services)
}

func quiet(o *admitto.LeadOptions) { o.Welcome = false }

func (d *desk) show(id int64) leads.View {
	d.T.Helper()
	v, err := d.leads.Show(d.T.Context(), ann.Caller, id)
	d.Must(err)
	return v
}

// run is what the job does.
func (d *desk) run(o *services.Services) {
	d.T.Helper()
	d.Must(o.Leads.Run(d.T.Context(), admitto.SystemCaller()))
}

// want compares state and counts of an import, those that are not 0.
func (d *desk) want(id int64, state admitto.LeadImportState, counts map[admitto.LeadRowState]int64) {
	d.T.Helper()
	v := d.show(id)
	got := map[admitto.LeadRowState]int64{}
	for s, n := range v.Counts {
		if n != 0 {
			got[s] = n
		}
	}
	if diff := cmp.Diff(counts, got); diff != "" || v.State != state {
		d.T.Errorf("%s: %s", v.State, diff)
	}
}

func (d *desk) start(id int64) {
	d.T.Helper()
	d.Must(d.leads.Start(d.T.Context(), ann, id))
}

// A file becomes leads with trackers, consents, notes and mails; who is here already has the trackers; the same file
// again creates nobody.
func TestImport(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.Write("INSERT INTO consent (id, type, text, version) VALUES (41, 'Voluntary', 'News', 3), (42, 'Mandatory', 'M', 1)")
		tracker, second := d.Tracker("FAIR"), d.Tracker("LISBON")
		known := d.Create(servicestest.Ilse())
		d.Mails()
		began, people := len(d.Journal()), len(d.Applicants())
		f := file("First name;Last name;E-mail;Country;Phone;Notes;Colour", "Bo;Lind;Bob@example.org;Germany;+49 30 1234567;Physics;red",
			"Cyd;Wu;cyd@example.org;pt;;;", "Ilse;Again;"+servicestest.Ilse().Email+";;;;", "Bo;Lind;bob@EXAMPLE.org;;;;",
			";;nobody;;;;")
		id := d.ready(f, func(o *admitto.LeadOptions) {
			o.Trackers, o.Consents = []int64{second, tracker}, []admitto.LeadConsent{{Consent: 41}}
		})
		d.want(id, admitto.ImportReady, map[admitto.LeadRowState]int64{admitto.LeadNew: 2, admitto.LeadKnown: 2,
			admitto.LeadWrong: 1})
		if n := len(d.Journal()); n != began || len(d.Applicants()) != people {
			t.Errorf("the dry run has written: %v", d.Since(began))
		}
		lines, more, err := d.leads.Lines(t.Context(), ann.Caller, id, 0, "", 10)
		if err != nil || more || len(lines) != 5 || lines[2].Applicant != known || lines[3].Twin != 2 ||
			len(lines[4].Faults) != 2 || lines[0].Name != "Bo Lind" || lines[0].Email != "Bob@example.org" {
			t.Fatalf("%+v, %v", lines, err)
		}
		d.start(id)
		d.run(d.Services)
		d.want(id, admitto.ImportFinished, map[admitto.LeadRowState]int64{admitto.LeadCreated: 2, admitto.LeadMatched: 2,
			admitto.LeadWrong: 1})
		d.WantSince(began, "Tracker was assigned", "Tracker was assigned", // Ilse
			"Applicant was collected", "Tracker was assigned", "Tracker was assigned", "Consent was accepted: 41",
			"Note was added to applicant",
			"Applicant was collected", "Tracker was assigned", "Tracker was assigned", "Consent was accepted: 41")
		for _, r := range d.Journal()[began:] {
			if r.Actor.Kind != admitto.ByAdministrator || r.Actor.ID != 1 {
				t.Errorf("%s by %+v", r.Pattern, r.Actor)
			}
		}
		made := d.Applicants()[people:]
		if len(made) != 2 || made[0].Email != "Bob@example.org" || made[0].Citizenship != "DE" || !made[0].Lead ||
			made[0].Phone != "+49 30 1234567" || made[1].Citizenship != "PT" || made[1].Name.Full() != "Cyd Wu" {
			t.Errorf("%+v", made)
		}
		if n := d.Number("SELECT count(*) FROM note WHERE text = 'Physics'"); n != 1 {
			t.Error(n)
		}
		mails := d.Mails()
		if len(mails) != 2 {
			t.Fatal(len(mails))
		}
		who, err := d.Services.Accounts.UseSignInLink(t.Context(), servicestest.Token(t, mails[0]), "")
		if err != nil || who.Lead {
			t.Errorf("%+v, %v", who, err)
		}
		// Again.
		again := d.ready(f, nil)
		d.start(again)
		d.run(d.Services)
		d.want(again, admitto.ImportFinished, map[admitto.LeadRowState]int64{admitto.LeadMatched: 4, admitto.LeadWrong: 1})
		if len(d.Applicants()) != people+2 || len(d.Mails()) != 0 {
			t.Error("the same file again has created or written to somebody")
		}
		d.Chained()
	})
}

// A welcome that shows a password makes one for each, which nobody can read afterwards.
func TestPasswords(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.Must(d.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.SetEmailTemplate(mail.KindApplicantWelcomeImports.Code(), "en", "Welcome",
				"%applicant-Password%\n%applicant-SigninLink%")
		}))
		id := d.ready(file("name;e-mail", "Bo Lind;bob@example.org", "Cyd Wu;cyd@example.org"), nil)
		d.start(id)
		d.run(d.Services)
		seen := map[string]bool{}
		for _, m := range d.Mails() {
			password, _, _ := strings.Cut(m.Text, "\n")
			if len(password) != 14 || d.Readable(password) {
				t.Errorf("%+v", m)
			}
			seen[password] = true
		}
		if len(seen) != 2 {
			t.Error(len(seen))
		}
	})
}

// An import that is cut off at any time, stopped and gone on with by several instances at once creates everybody
// once.
func TestCutOff(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		people := apptest.Size(400, 5_000)
		before := int64(len(d.Applicants()))
		id := d.ready(many(people), quiet)
		wrong := int64(people / 20)
		good := int64(people) - wrong
		d.want(id, admitto.ImportReady, map[admitto.LeadRowState]int64{admitto.LeadNew: good, admitto.LeadWrong: wrong})
		d.start(id)
		created := func() int64 { return d.Number("SELECT count(*) FROM applicant") - before }
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = d.leads.Run(ctx, admitto.SystemCaller()) // it is cut off
		}()
		wait.Ever(func() bool { return created() >= good/4 }, ended)
		cancel()
		<-ended
		v := d.show(id)
		if n := created(); n != v.Counts[admitto.LeadCreated] {
			t.Errorf("%d are created, %d marked", n, v.Counts[admitto.LeadCreated])
		}
		// As after a kill: the lease of who is gone is still there, and nobody works before it is over.
		d.Write("UPDATE lead_import SET lease = 99, lease_until = " + fmt.Sprint(int64(d.Services.Core.Now()+admitto.Minute)))
		if v.State == admitto.ImportRunning {
			d.run(d.Services)
			if n := created(); n != v.Counts[admitto.LeadCreated] {
				t.Errorf("%d are created under the lease of another", n)
			}
			d.Must(d.leads.Stop(t.Context(), ann, id))
			d.start(id)
		}
		d.Write("UPDATE lead_import SET lease_until = 0")
		others := []*services.Services{d.Services, d.Another(d.Store, d.Post, nil), d.Another(d.Store, d.Post, nil)}
		done := make(chan error, len(others))
		for _, o := range others {
			go func() { done <- o.Leads.Run(t.Context(), admitto.SystemCaller()) }()
		}
		for range others {
			d.Must(<-done)
		}
		d.run(d.Services)
		d.want(id, admitto.ImportFinished, map[admitto.LeadRowState]int64{admitto.LeadCreated: good,
			admitto.LeadWrong: wrong})
		if n := created(); n != good {
			t.Errorf("%d are created, want %d", n, good)
		}
		if n := d.Number("SELECT count(*) FROM journal WHERE pattern = 'Applicant was collected'"); n < good {
			t.Errorf("%d events", n)
		}
		d.Chained()
	})
}

// Undoing deletes whom the import has created, but for who signed in or has business here; nobody else goes.
func TestUndo(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		known := d.Create(servicestest.Ilse())
		id := d.ready(file("name;e-mail", "A A;a@example.org", "B B;b@example.org", "C C;c@example.org", "D D;d@example.org",
			"I I;"+servicestest.Ilse().Email), quiet)
		servicestest.WantKind(t, d.leads.Undo(t.Context(), ann, id), admitto.NotAllowedNow)
		d.start(id)
		d.run(d.Services)
		at := func(email string) int64 { return d.Number("SELECT id FROM applicant WHERE email = $1", email) }
		d.Must(d.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.NoteSignIn(at("b@example.org")) }))
		d.Write(fmt.Sprintf("INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) "+
			"VALUES (901, %d, 13, 'Blank', 1, 1)", at("c@example.org")))
		d.Write(fmt.Sprintf("UPDATE applicant SET state = 'recovery', deleted = 1, deleted_by = 1 WHERE id = %d",
			at("d@example.org")))
		began := len(d.Journal())
		if v := d.show(id); !v.MayUndo || v.UndoUntil == 0 {
			t.Errorf("%+v", v)
		}
		d.Must(d.leads.Undo(t.Context(), ann, id))
		d.run(d.Services)
		d.want(id, admitto.ImportUndone, map[admitto.LeadRowState]int64{admitto.LeadTakenBack: 1, admitto.LeadKept: 3,
			admitto.LeadMatched: 1})
		d.WantSince(began, "Applicant was deleted")
		if d.Number("SELECT count(*) FROM applicant WHERE state = 'recovery' AND deleted_by = 1") != 2 ||
			d.Number("SELECT count(*) FROM applicant WHERE state = 'live' AND id = $1", known) != 1 {
			t.Error("others are deleted")
		}
		servicestest.WantKind(t, d.leads.Undo(t.Context(), ann, id), admitto.NotAllowedNow)
	})
}

// Rows go with their applicant, and when the import cannot be undone any more; imports that nobody starts go whole.
func TestRetention(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		rows := func() int64 { return d.Count("lead_row") }
		f := file("name;e-mail", "A A;a@example.org", "B B;b@example.org", "C;")
		done, left := d.ready(f, quiet), d.ready(f, quiet)
		d.start(done)
		d.run(d.Services)
		d.Write("UPDATE applicant SET state = 'recovery', deleted = 1, deleted_by = 1 WHERE email = 'a@example.org'")
		d.Must(d.Services.Privacy.EraseDeleted(t.Context(), admitto.SystemCaller()))
		if n := rows(); n != 2+3 {
			t.Errorf("%d rows", n)
		}
		tidy := func() { d.Must(d.leads.Tidy(t.Context(), admitto.SystemCaller())) }
		tidy()
		if rows() != 5 {
			t.Error("rows went too early")
		}
		d.Clock.Add(leads.Kept + admitto.Hour)
		tidy()
		_, err := d.leads.Show(t.Context(), ann.Caller, left)
		servicestest.WantKind(t, err, admitto.NotFound)
		if n := rows(); n != 2 {
			t.Errorf("%d rows", n)
		}
		d.Clock.Add(30 * admitto.Day)
		tidy()
		v := d.show(done)
		if rows() != 0 || !v.RowsGone || v.MayUndo || v.Counts[admitto.LeadCreated] != 2 {
			t.Errorf("%d rows, %+v", rows(), v)
		}
		servicestest.WantKind(t, d.leads.Undo(t.Context(), ann, done), admitto.NotAllowedNow)
	})
}

// What staff say about an import is checked as a whole, and an import does only what its state allows.
func TestRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.Write("INSERT INTO consent (id, type, text, version) VALUES (42, 'Mandatory', 'M', 1)")
		for _, f := range []leads.File{{}, file("name;e-mail")} {
			_, err := d.leads.Upload(t.Context(), ann.Caller, f)
			servicestest.WantKind(t, err, admitto.InvalidParameter)
		}
		id, err := d.leads.Upload(t.Context(), ann.Caller, file("Bo Lind;bob@example.org;x"))
		d.Must(err)
		if o := d.show(id).Options; !slices.Equal(o.Columns, []admitto.LeadField{"", admitto.LeadEmail, ""}) || !o.Welcome {
			t.Errorf("%+v", o)
		}
		columns := []admitto.LeadField{admitto.LeadName, admitto.LeadEmail}
		good := admitto.LeadOptions{Columns: columns, Basis: "Fair"}
		for want, bad := range map[string]admitto.LeadOptions{
			"page.import.column-1 page.import.column-1 page.import.basis": {},
			"page.import.column-3": {Columns: append(columns, "colour"), Basis: "Fair"},
			"page.import.column-2 page.import.column-1": {Columns: []admitto.LeadField{admitto.LeadName, admitto.LeadName},
				Basis: "Fair"},
			"page.import.tracker": {Columns: columns, Basis: "Fair", Trackers: []int64{99}},
			"page.import.consent page.import.consent": {Columns: columns, Basis: "Fair",
				Consents: []admitto.LeadConsent{{Consent: 42}, {Consent: 77}}},
			"page.import.basis": {Columns: columns, Basis: strings.Repeat("x", 1001)},
		} {
			var paths []string
			for _, fault := range servicestest.WantKind(t, d.leads.SetOptions(t.Context(), ann, id, bad),
				admitto.InvalidParameter).Faults {
				paths = append(paths, string(fault.Path))
			}
			if got := strings.Join(paths, " "); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		servicestest.WantKind(t, d.leads.Start(t.Context(), ann, id), admitto.NotAllowedNow)
		servicestest.WantKind(t, d.leads.Stop(t.Context(), ann, id), admitto.NotAllowedNow)
		old := usecase.Caller{Caller: ann.Caller, Version: d.show(id).RowVersion}
		d.Must(d.leads.SetOptions(t.Context(), old, id, good))
		servicestest.WantKind(t, d.leads.SetOptions(t.Context(), old, id, good), admitto.ChangedMeanwhile)
		servicestest.WantKind(t, d.leads.Start(t.Context(), old, id), admitto.ChangedMeanwhile)
		d.run(d.Services)
		d.start(id)
		for _, refused := range []error{d.leads.SetOptions(t.Context(), ann, id, good), d.leads.Discard(t.Context(), ann, id),
			d.leads.Start(t.Context(), ann, id)} {
			servicestest.WantKind(t, refused, admitto.NotAllowedNow)
		}
		// Who started it may not import any more.
		d.Write("DELETE FROM administrator_role")
		d.run(d.Services)
		if v := d.show(id); v.State != admitto.ImportStopped || len(v.Why) != 1 {
			t.Errorf("%+v", v)
		}
		d.Write("INSERT INTO administrator_role (administrator_id, role_id) VALUES (1, 1)")
		d.start(id)
		d.run(d.Services)
		d.want(id, admitto.ImportFinished, map[admitto.LeadRowState]int64{admitto.LeadCreated: 1})
		none := d.ready(file("name;e-mail", "Bo;x"), nil)
		servicestest.WantKind(t, d.leads.Start(t.Context(), ann, none), admitto.NotAllowedNow)
		d.Must(d.leads.Discard(t.Context(), ann, none))
		servicestest.WantKind(t, d.leads.Discard(t.Context(), ann, none), admitto.NotFound)
	})
}

// A row that cannot be done is marked, and does not keep the others from being done; one that comes at the same time
// by another way is known.
func TestFailedRow(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		id := d.ready(file("name;e-mail", "A A;a@example.org", "B B;b@example.org", "C C;c@example.org"), quiet)
		d.Crash(servicestest.Ilse()) // whose address is being created
		d.Write("UPDATE applicant SET email = 'b@example.org', email_key = 'b@example.org' WHERE state = 'pending'")
		d.start(id)
		d.run(d.Services)
		d.want(id, admitto.ImportFinished, map[admitto.LeadRowState]int64{admitto.LeadCreated: 2, admitto.LeadFailed: 1})
	})
}
