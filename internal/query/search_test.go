package query_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// Applicants are found by what is typed of them, however it is typed, as soon as they are there.
func TestSearch(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		ilse := servicestest.Ilse()
		ilse.Email = "ilse.varga@mail.example.org"
		id := d.Create(ilse)
		other := servicestest.Ilse()
		other.Email, other.Reference = "bo@example.org", ""
		d.Create(other)
		may := admitto.AdministratorCaller(1, admitto.PermissionsOf(admitto.ApplicantsView), "")
		for _, q := range []string{fmt.Sprint(id), fmt.Sprint("applicant ", id), fmt.Sprint("Applicant #", id),
			"ilse.varga@mail", "ILSE.VAR",
			"varga@mail.exa"} {
			found, err := d.Services.Query.Search(t.Context(), may, q)
			if err != nil || len(found.Applicants) == 0 || found.Applicants[0].ID != id {
				t.Errorf("%q: %+v, %v", q, found.Applicants, err)
			}
		}
		for q, n := range map[string]int{"": 0, "i": 0, "nobody": 0, "application 1": 0, "applicant 99": 0, "\xff%_": 0} {
			found, err := d.Services.Query.Search(t.Context(), may, q)
			if err != nil || found.Count() != n {
				t.Errorf("%q: %+v, %v", q, found, err)
			}
		}
		none := admitto.AdministratorCaller(1, admitto.PermissionsOf(admitto.TemplatesEdit), "")
		if found, err := d.Services.Query.Search(t.Context(), none, fmt.Sprint(id)); err != nil ||
			len(found.Applicants) != 0 {
			t.Errorf("somebody without the permission finds %+v, %v", found, err)
		}
		d.Sound()
	})
}

// Every panel of the dashboard answers those who may see it, and nobody else.
func TestDashboardPanels(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Create(servicestest.Ilse())
		q, ctx := d.Services.Query, t.Context()
		everything := admitto.AdministratorCaller(1, admitto.AllPermissions(), "")
		nothing := admitto.AdministratorCaller(1, 0, "")
		for name, panel := range map[string]func(by admitto.Caller) error{
			"numbers":      func(by admitto.Caller) error { _, err := q.Numbers(ctx, by, 0); return err },
			"funnel":       func(by admitto.Caller) error { _, err := q.Funnel(ctx, by, 1); return err },
			"days":         func(by admitto.Caller) error { _, err := q.PerDay(ctx, by, 1, 90); return err },
			"citizenships": func(by admitto.Caller) error { _, err := q.Citizenships(ctx, by, 1); return err },
			"offers":       func(by admitto.Caller) error { _, _, err := q.OffersByType(ctx, by, 1); return err },
			"tasks":        func(by admitto.Caller) error { _, err := q.TaskCounts(ctx, by, 1); return err },
			"pane":         func(by admitto.Caller) error { _, err := q.BrowseCounts(ctx, by, 1); return err },
			"tasks of a list": func(by admitto.Caller) error {
				_, err := q.BrowseTasks(ctx, by, admitto.TaskQuery{}, admitto.BrowsePage{})
				return err
			},
			"count of tasks": func(by admitto.Caller) error {
				_, _,
					err := q.CountTasks(ctx, by, admitto.TaskQuery{})
				return err
			},
			"scoring": func(by admitto.Caller) error { _, err := q.MyScoring(ctx, by); return err },
			"money":   func(by admitto.Caller) error { _, err := q.MoneyWork(ctx, by); return err },
			"applications": func(by admitto.Caller) error {
				_,
					err := q.BrowseApplications(ctx, by, admitto.Browse{})
				return err
			},
			"applicants": func(by admitto.Caller) error {
				_, err := q.BrowseApplicants(ctx, by, admitto.BrowseApplicants{})
				return err
			},
		} {
			if err := panel(everything); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := panel(nothing); admitto.KindOf(err) != admitto.NotPermitted {
				t.Errorf("%s without permissions: %v", name, err)
			}
		}
		if _, err := q.MyWork(ctx, everything); err != nil {
			t.Error(err)
		}
		if w, err := q.MyWork(ctx, nothing); err != nil || w.FailedEmails != 0 {
			t.Error(w, err)
		}
		if _, _, err := q.DeadlinesAhead(ctx, nothing, 0); err != nil {
			t.Error(err)
		}
		term, err := q.DefaultTerm(ctx, nothing)
		if err != nil {
			t.Error(err)
		}
		day := d.Services.Core.DayOf(d.Services.Core.Now())
		if err := q.SaveSnapshots(ctx, admitto.SystemCaller(), day); err != nil {
			t.Error(err)
		}
		d.Clock.Add(7 * admitto.Day)
		if n, err := q.Numbers(ctx, everything, term); err != nil || term != 0 && n.Before == nil {
			t.Errorf("%+v of term %d, %v", n, term, err)
		}
	})
}
