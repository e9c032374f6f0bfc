package admin_test

import (
	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// browsePages are the dashboard, the applications browser and the search in their states.
func browsePages(i *sitetest.Instance) []uitest.Page {
	staff := i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))
	few := i.Cookie(accounts.Administration, i.Administrator("Kofi Haugen", admitto.ApplicantsView))
	return []uitest.Page{
		{Name: "browse-dashboard", Path: "/admin/", Cookie: staff, Typical: true},
		{Name: "browse-dashboard-few", Path: "/admin/", Cookie: few},
		{Name: "browse-applications", Path: "/admin/applications?term=all", Cookie: staff},
		{Name: "browse-filtered", Path: "/admin/applications?term=all&status=Submitted&status=Draft&officer=nobody&" +
			"decision=Final&created_since=yesterday&text=no+such+name", Cookie: staff},
		{Name: "browse-columns", Path: "/admin/applications?term=all&size=25&column=applicant_id&column=revised&column=flags", Cookie: staff},
		{Name: "browse-applicants", Path: "/admin/applicants?size=25&column=phone&column=trackers&column=reference", Cookie: staff},
		{Name: "browse-none", Path: "/admin/applicants?text=nobody-has-this&lead=no", Cookie: staff},
		{Name: "browse-card", Path: "/admin/applicants/6?list=order%3Ddown", Cookie: staff},
		{Name: "browse-start", Path: "/admin/applicants/6/start", Cookie: staff},
		{Name: "browse-search", Path: "/admin/search?q=an", Cookie: staff},
		{Name: "browse-search-empty", Path: "/admin/search?q=xyzzy", Cookie: staff},
	}
}
