package portal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestLetterAsPDF downloads the letter of an offer: what was sent, on the letterhead that staff had taken for it, after
// it was sent and while the offer is shown, and nothing that staff have written since (screens.md P16).
func TestLetterAsPDF(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		address := fmt.Sprintf("/my/offers/%d", offers[0])
		own := i.Applicant(applicant)
		text := func() string {
			t.Helper()
			page := own.Open(address)
			link, _ := page.Find("main a:contains('Letter as PDF')").Attr("href")
			if link != address+"/letter" {
				t.Fatalf("the page leads to %q: %s", link, page.Text("main"))
			}
			file := own.Open(link)
			if file.Status != 200 || file.Header.Get("Content-Type") != "application/pdf" ||
				file.Header.Get("Content-Disposition") != fmt.Sprintf(`attachment; filename="letter-%d.pdf"`, offers[0]) {
				t.Fatalf("%d %s", file.Status, file.Header)
			}
			return pdftest.Text(t, []byte(file.Body))
		}
		has := func(text string, want ...string) {
			t.Helper()
			for _, w := range want {
				if !strings.Contains(text, w) {
					t.Errorf("%q is missing: %s", w, text)
				}
			}
		}
		i.Put("UPDATE applicant SET given = 'Ilse', family = 'Varga'",
			"UPDATE offer_confirmation SET confirmed = 1000",
			"INSERT INTO letterhead (id, name, created, modified, head) VALUES (91, 'Old', 1, 1, 'Old Hall'), (92, 'New', 1, 1, 'New Hall')")
		has(text(), "Your place", "We offer you a place.", "Ilse Varga", "1 January 1970", "Page 1 of 1")
		i.Put(fmt.Sprintf("INSERT INTO offer_letter (id, offer_id, rendered, letterhead_id) VALUES (901, %[1]d, 900, 91), (902, %[1]d, 1001, 92)", offers[0]),
			"UPDATE offer SET subject = 'Not yet', comments = 'Not decided yet.'")
		sent := text()
		has(sent, "Old Hall", "We offer you a place.")
		if strings.Contains(sent, "Not") || strings.Contains(sent, "New Hall") {
			t.Error("what staff prepare is in it:", sent)
		}
		i.Put("UPDATE application SET status = 'Withdrawn', status_before = 'Submitted', withdrawn = 1")
		has(text(), "We offer you a place.")

		_, other := signedIn(t, i, "other@example.org")
		for _, v := range []*sitetest.Visitor{other, i.Visitor()} {
			if file := v.Open(address + "/letter"); strings.Contains(file.Body, "%PDF") || file.Status == 200 &&
				!strings.HasPrefix(file.Path, "/sign-in") && !strings.HasPrefix(file.Path, "/my/welcome") {
				t.Errorf("somebody else gets %d %s", file.Status, file.Path)
			}
		}
		i.Put(fmt.Sprintf("UPDATE offer SET confirmed = NULL, type_confirmed_id = NULL WHERE id = %d", offers[0]))
		for _, path := range []string{address, "/my/offers/0", "/my/offers/x", "/my/offers/-1",
			"/my/offers/9223372036854775808", "/my/offers/900719925474099"} {
			if file := own.Open(path + "/letter"); file.Status != 404 {
				t.Errorf("%s: %d", path, file.Status)
			}
		}
	})
}
