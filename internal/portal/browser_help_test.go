package portal_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// ownTexts lets the institution say what it can, in its colour; not all of it in Arabic.
func ownTexts(t *testing.T, i *sitetest.Instance) {
	t.Helper()
	accent, err := config.ParseAccent("#7A1FA2")
	if err != nil {
		t.Fatal(err)
	}
	set := &i.Services.Core.Settings().Portal
	set.Accent, set.ContactEmail, set.ContactPhone = accent, "help@northfield.example.edu", "+351 21 000 00 00"
	set.ContactHours = config.Texts{"en": "Monday to Friday, 9:00 to 16:00", "ar": "من الاثنين إلى الجمعة، 9:00 إلى 16:00"}
	set.ContactAddress = config.Texts{"en": "Office of Admissions\n1 University Square\n1000-001 Lisboa"}
	set.Help = config.Texts{"en": "Before you write, look here:\n* https://northfield.example.edu/admissions/questions\n" +
		"* the page of your course, which says what documents it needs\n\nWe answer within two working days."}
	set.Privacy = config.Texts{"en": "We keep applications for ten years. Ask dpo@northfield.example.edu about your data."}
	set.Assessment = config.Texts{"en": "A committee of three decides. You may ask for a review within 14 days."}
}

// TestEarlierInBrowser looks at what an earlier application and the account offer for a new one.
func TestEarlierInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "earlier@example.org")
	fill(t, own, id)
	own.Open(fmt.Sprintf("/my/applications/%d/form/education/rows/new", id)).Submit("Save this entry", "content.level",
		"BA", "content.institution", "Universidade", "content.country", "PT", "content.enrolment-month", "9",
		"content.enrolment-year", "2026")
	own.Open(fmt.Sprintf("/my/applications/%d/withdraw", id)).Submit("Discard application")
	own.Open("/my/apply/72/71").Submit("Add to my application")
	address := fmt.Sprintf("/my/applications/%d/form/", i.Number("SELECT max(id) FROM application"))
	own.Open(address+"profile").Submit("Save", "content.name.family", "Varga-Pinto")
	own.Open(address+"languages/rows/new").Submit("Save this entry", "content.name", "hu", "content.proficiency", "C2")
	cookie := own.Cookie(site.PortalCookie)
	uitest.Check(t, i,
		uitest.Page{Name: "my-earlier", Path: address + "education", Cookie: cookie},
		uitest.Page{Name: "my-earlier-begun", Path: address + "languages", Cookie: cookie})
}
