package reports_test

import (
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestReportsInBrowser looks at the list of the reports and at reports: short, wide, with lines, person by person, with
// what cannot be read, and without rows.
func TestReportsInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("UPDATE applicant SET given = 'Maria Guadalupe Esperanza', family = 'Fernández-Villaverde y Ruiz de Alarcón' WHERE id % 5 = 0")
	staff := i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))
	few := i.Cookie(accounts.Administration, i.Administrator("Kofi Haugen", admitto.ReportsView))
	const at = "/admin/reports"
	uitest.Check(t, i, uitest.Page{Name: "reports-list", Path: at, Cookie: staff},
		uitest.Page{Name: "reports-status", Path: at + "/ReportStatus?term=all&compared=2026&institution=1",
			Cookie: staff},
		uitest.Page{Name: "reports-courses", Path: at + "/ReportCourses?term=all", Cookie: staff},
		uitest.Page{Name: "reports-days", Path: at + "/Registrations?calendar=2026&size=25", Cookie: staff},
		uitest.Page{Name: "reports-invoices", Path: at + "/ReportInvoices?calendar=2026", Cookie: staff},
		uitest.Page{Name: "reports-people", Path: at + "/ReportTrackersApplicantDetails?term=all&size=25",
			Cookie: staff},
		uitest.Page{Name: "reports-tasks", Path: at + "/ReportTasks?term=all", Cookie: staff},
		uitest.Page{Name: "reports-wrong", Path: at + "/Registrations?calendar=soon", Cookie: staff},
		uitest.Page{Name: "reports-none", Path: at + "/ReportTasks?term=all&intake=99999", Cookie: staff},
		uitest.Page{Name: "reports-few", Path: at + "/ReportCitizenships?term=all", Cookie: few})
}

// TestReportsByKeyboard opens a report from the list, narrows it, and goes from a number to the list behind it, with
// scripts and without.
func TestReportsByKeyboard(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	browser, hana := uitest.Open(t, i), i.Superuser("Hana Yildiz")
	for _, scripts := range []bool{true, false} {
		tab := browser.Tab(t, uitest.Page{Name: "keys-reports", Path: "/admin/reports",
			Cookie: i.Cookie(accounts.Administration, hana)}, scripts)
		tab.Reach(`main a[href="/admin/reports/ReportStatus"]`)
		tab.Enter()
		tab.Find("#filter-citizenship")
		tab.Reach("#filter-citizenship")
		tab.Press("P")
		tab.Press("o")
		tab.Press("r")
		tab.Reach(".filters .btn.primary")
		tab.Enter()
		tab.Wait(".chips .chip b", "Portugal")
		tab.Reach(`main td a[href*="status=Submitted"]`)
		tab.Enter()
		tab.Find(`form[action="/admin/applications"]`)
		tab.Wait(".chips .chip b", "Submitted")
	}
}
