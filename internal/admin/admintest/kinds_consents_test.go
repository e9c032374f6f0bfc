package admintest

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/site/sitetest"
)

// Languages whose version was left as it was are named before another text is saved, decided about or not.
func TestConsentLanguages(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	v.Open("/admin/consents/new").Submit("Add consent", "text", "We may write to you.", "in-ar", "قد نكتب إليك.")
	path := "/admin/consents/" + i.Lines("SELECT max(id) FROM consent")
	for _, c := range []struct {
		typed []string
		told  bool
	}{
		{[]string{"text", "We may write to you about news.", "in-ar", "قد نكتب إليك عن الأخبار."}, false},
		{[]string{"text", "We may ring you."}, true},
		{[]string{"text", "We may ring you.", "in-ar", ""}, false},
		{[]string{"text", "We may write to you!", "correction", "yes"}, false},
		{[]string{"link", "https://example.org/news"}, false},
		{[]string{"text", "We may ring you.", "sure", "yes"}, false},
	} {
		errors := strings.Join(v.Open(path).Submit("Save", c.typed...).Errors(), " ")
		if strings.Contains(errors, "In Arabic, applicants go on reading") != c.told || !c.told && errors != "" {
			t.Errorf("%q: %q", c.typed, errors)
		}
		if c.typed[len(c.typed)-1] == "" {
			v.Open(path).Submit("Save", "in-ar", "قد نكتب إليك.")
		}
	}
}
