package servicestest

import (
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// The actors of these tests: applicant 1, administrator 3, and a key.
func Ann() usecase.Caller { return As(admitto.ByApplicant, 1) }

func Staff() usecase.Caller { return As(admitto.ByAdministrator, 1) }

// AtWork is fair with an administrator, and courses that ask for nothing.
func (d *Desk) AtWork() {
	d.T.Helper()
	d.Fair()
	d.Must(d.Store.Write(d.T.Context(), func(tx *store.Tx) error { return tx.SkipIDs("application", 100) }))
	d.Write(`INSERT INTO administrator (id, name, email) VALUES (1, 'Ann Admin', 'admin@example.edu')`,
		`INSERT INTO course_intake (course_id, intake_id) VALUES (56, 8)`, `UPDATE consent SET type = 'Voluntary'`,
		"UPDATE course SET form = '"+FormRequiring()+"'")
}

// Chained fails unless the chain of the journal is whole.
func (d *Desk) Chained() {
	d.T.Helper()
	if id, reason, err := d.Services.Maintenance.VerifyJournal(d.T.Context(), admitto.SystemCaller(), 1, 0,
		func(int64) {}); id != 0 || err != nil {
		d.T.Errorf("the journal is broken at %d: %s, %v", id, reason, err)
	}
}

func (d *Desk) Status(application int64) string {
	d.T.Helper()
	a, _, err := d.Services.Query.Application(d.T.Context(), admitto.SystemCaller(), application, nil)
	if err != nil {
		d.T.Fatal(err)
	}
	return string(a.Status)
}

func (d *Desk) Must(err error) {
	d.T.Helper()
	if err != nil {
		d.T.Fatal(err)
	}
}

// Submit submits application 11 and must succeed or be refused with the codes.
func (d *Desk) Submit(by usecase.Caller, reason, want string) {
	d.T.Helper()
	r, err := d.Services.Admissions.Submit(d.T.Context(), by, 11, admissions.Submission{Reason: reason})
	if want != "" {
		if got := Codes(d.T, err); got != want {
			d.T.Errorf("codes %q, want %q", got, want)
		}
	} else {
		d.Must(err)
	}
	if (r.Number == 0) != (want != "" && by.Actor.Kind != admitto.ByApplicant) || r.Number != 0 &&
		r.Accepted != (want == "") {
		d.T.Errorf("receipt %+v", r)
	}
}
