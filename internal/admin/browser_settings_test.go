package admin_test

import (
	"net/http"

	"github.com/admitto/admitto/internal/uitest"
)

// settingsPages are the pages of settings in their states.
func settingsPages(staff *http.Cookie) []uitest.Page {
	return []uitest.Page{
		{Name: "settings-contact", Path: "/admin/settings/contact", Cookie: staff},
		{Name: "settings-texts", Path: "/admin/settings/texts", Cookie: staff},
		{Name: "settings-numbers", Path: "/admin/settings/numbers", Cookie: staff},
		{Name: "settings-api", Path: "/admin/settings/api", Cookie: staff},
		{Name: "settings-mail", Path: "/admin/settings/mail", Cookie: staff},
		{Name: "time-rule", Path: "/admin/time-rules/reopened-reminder", Cookie: staff},
		{Name: "time-rule-preview", Path: "/admin/time-rules/inactive/preview?days=1", Cookie: staff},
		{Name: "time-rule-preview-reminder", Path: "/admin/time-rules/draft-reminder/preview?rules.draft_reminder_before_days=365", Cookie: staff},
		{Name: "time-rule-preview-none", Path: "/admin/time-rules/inactive/preview?days=365", Cookie: staff},
		{Name: "time-rule-preview-error", Path: "/admin/time-rules/inactive/preview?days=many", Cookie: staff},
	}
}
