package uitest

// screensVariable names the folder of the pictures of screens. With it nothing is checked: pictures are taken.
const screensVariable = "ADMITTO_TEST_SCREENS"

// screens are the pages, by their names, whose pictures are in docs/screenshots, and the screens of screens.md that
// they show.
func screens() map[string]string {
	return map[string]string{
		"tableviews-one": "A47",
		"set-up":         "A01", "staff-sign-in": "A02", "invitation": "A03", "confirm-identity": "A04",
		"browse-dashboard": "A05", "browse-search": "A06", "browse-applicants": "A07", "applicant-tab-": "A08",
		"applicant-add": "A09", "browse-applications": "A10", "batch-preview": "A11", "card-submitted": "A12",
		"card-form": "A13", "card-offer-courses": "A14", "card-offer": "A15", "card-task-list": "A17",
		"card-picture": "A18", "score-tab": "A19", "card-invoices": "A20", "mail-list": "A21", "card-notes": "A22",
		"tasks-list": "A23", "ranks-ranking": "A24", "ranks-sheet": "A26", "ranks-score": "A27",
		"ranks-course": "A28", "kinds-series-one": "A31", "kinds-trackers": "A34", "kinds-flags": "A35",
		"import-ready": "A36",
		"institution":  "A37", "catalogue-course": "A38", "course-form": "A39", "intake": "A40", "terms": "A41",
		"list-class":            "A42",
		"kinds-offer-types-one": "A43", "kinds-task-templates-one": "A44", "mailtexts-one": "A45",
		"kinds-consents": "A46", "reports-status": "A48",
		"journal-list": "A49", "api-keys": "A50", "administrators": "A52", "time-rule-preview": "A53",
		"batch-list": "A54", "settings": "A55",
		"protection-requests": "A56", "system": "A57", "staff-account": "A58", "courses": "P01",
		"course":   "P02",
		"register": "P03", "sign-in": "P04", "link": "P05", "welcome": "P06", "my-board": "P07",
		"my-application": "P08", "my-profile": "P09", "my-documents": "P11", "my-courses": "P13",
		"my-check": "P14", "my-offer": "P16", "my-answer": "P17", "my-tasks": "P18", "my-invoice": "P19",
		"my-photo": "P12", "my-messages": "P20", "my-consents": "P21", "wishes": "P22", "my-data": "P23", "account": "P24",
		"status": "P26",
	}
}

// portrait takes the pictures of a screen.
func (v *visit) portrait() {
	v.t.Helper()
	for _, l := range []look{
		{name: "light-1280", width: 1280, lang: "en"},
		{name: "dark-1280", width: 1280, lang: "en", dark: true},
		{name: "light-320", width: 320, lang: "en"},
		{name: "ar-light-1280", width: 1280, lang: "ar"},
	} {
		v.load(l)
		v.picture()
	}
}
