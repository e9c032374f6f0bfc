package portal_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestPages looks at every page in a browser.
func TestPages(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	i.Write("INSERT INTO consent (id, type, text, link) VALUES (31, 'Mandatory', '"+strings.Repeat("We use what you enter to decide about your application, and keep it for ten years. ", 4)+"', 'https://example.org/data'), (32, 'Voluntary', 'We may write to you about news of the university, some four times a year.', '')",
		"UPDATE consent SET active = FALSE WHERE id < 31")
	applicant := i.Number("SELECT min(applicant_id) FROM application WHERE status = 'Submitted'")
	i.Put(fmt.Sprintf("UPDATE applicant SET given = 'Maria da Conceição Antonieta', family = 'Vasconcelos-Wolfeschlegelsteinhausenbergerdorff' WHERE id = %d", applicant))
	_, waiting := i.Registered("ilse.varga@example.org")
	fresh, used := i.Registered("adaeze.okafor@example.org")
	i.Visitor().Post("/sign-in/link/"+used, nil)
	welcome := i.Cookie(accounts.Portal, fresh)
	i.Put(fmt.Sprintf("INSERT INTO consent_decision (applicant_id, consent_id, decided, decision, version) VALUES (%d, 31, 1, 'Reject', 1)", applicant),
		fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", applicant))
	i.Put(fmt.Sprintf("INSERT INTO consent_history (applicant_id, consent_id, decided, decision, version) VALUES (%d, 31, 1, 'Reject', 1)", applicant))
	own := i.Cookie(accounts.Portal, applicant)
	i.Cookie(accounts.Portal, applicant)
	i.Put(fmt.Sprintf("UPDATE session SET agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' WHERE account_id = %d", applicant))
	i.Visitor() // its own cookies
	empty, token := i.Registered("bo.lind@example.org")
	i.Visitor().Post("/sign-in/link/"+token, nil)
	i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'SE' WHERE id = %d", empty),
		fmt.Sprintf("INSERT INTO consent_decision (applicant_id, consent_id, decided, decision, version) VALUES (%d, 31, 1, 'Accept', 1)", empty))
	nobodys := i.Cookie(accounts.Portal, empty)
	i.As(accounts.Portal, applicant).Open("/my/account/e-mail").Submit("Send the link", "email", "maria.new@example.org")
	address := ""
	for _, m := range i.Mails() {
		if found := emailLink.FindStringSubmatch(m.Text); found != nil {
			address = found[1]
		}
	}
	ownTexts(t, i)
	offered := i.Number("SELECT min(c.id) FROM course c JOIN course_intake ci ON ci.course_id = c.id WHERE c.status = 'Online'")
	i.Put(fmt.Sprintf("INSERT INTO wish (id, applicant_id, course_id, intake_id, wished, notes) SELECT 901, %d, c.id, min(ci.intake_id), 1, 'Ask about housing, and whether the winter term can be spent abroad.' FROM course c JOIN course_intake ci ON ci.course_id = c.id WHERE c.status = 'Online' GROUP BY c.id ORDER BY c.id LIMIT 1", empty),
		fmt.Sprintf("INSERT INTO course (id, status, updated, institution_id, name) SELECT 901, 'Closed', 1, institution_id, 'Paper Conservation' FROM course WHERE id = %d", offered))
	intake := i.Number(fmt.Sprintf("SELECT min(intake_id) FROM course_intake WHERE course_id = %d", offered))
	i.Put(fmt.Sprintf(`UPDATE course SET summary = 'Physics that one can use.', duration = '3 years',
		names = '{"ar": {"name": "الفيزياء التطبيقية وعلوم المواد"}}', versions = '{"ar": {"about":
		"ستة فصول في المختبر، مع فصل في الخارج.", "duration": "ثلاث سنوات"}}' WHERE id = %d`, offered),
		fmt.Sprintf(`UPDATE intake SET pre_deadline = '2027-01-15', pre_info = 'Applications until this day are answered first.',
		versions = '{"ar": {"name": "خريف 2026"}}' WHERE id = %d`, intake))
	uitest.Check(t, i,
		uitest.Page{Name: "front", Path: "/"},
		uitest.Page{Name: "courses", Path: "/courses?q=e&open=yes&citizenship=PT"},
		uitest.Page{Name: "courses-none", Path: "/courses?q=nothing+of+the+kind"},
		uitest.Page{Name: "course", Path: fmt.Sprintf("/courses/%d", offered)},
		uitest.Page{Name: "course-closed", Path: "/courses/901", Fails: true},
		uitest.Page{Name: "apply", Path: fmt.Sprintf("/my/apply/%d/%d", offered, intake), Cookie: nobodys},
		uitest.Page{Name: "wishes", Path: "/my/wishes", Cookie: nobodys},
		uitest.Page{Name: "wish-add", Path: fmt.Sprintf("/my/wish/%d", offered), Cookie: nobodys},
		uitest.Page{Name: "wish-note", Path: "/my/wishes/901/note", Cookie: nobodys},
		uitest.Page{Name: "register", Path: "/register"},
		uitest.Page{Name: "sign-in", Path: "/sign-in?next=%2Fmy%2Faccount"},
		uitest.Page{Name: "mailbox", Path: "/sign-in/mailbox", Cookie: justRegistered(i)},
		uitest.Page{Name: "link", Path: "/sign-in/link/" + waiting},
		uitest.Page{Name: "link-used", Path: "/sign-in/link/" + used, Fails: true},
		uitest.Page{Name: "link-unknown", Path: "/sign-in/link/unknown", Fails: true},
		uitest.Page{Name: "welcome", Path: "/my/welcome", Cookie: welcome},
		uitest.Page{Name: "password", Path: "/my/password", Cookie: welcome},
		uitest.Page{Name: "applications", Path: "/my", Cookie: own},
		uitest.Page{Name: "applications-none", Path: "/my", Cookie: nobodys},
		uitest.Page{Name: "account", Path: "/my/account", Cookie: own},
		uitest.Page{Name: "account-edit", Path: "/my/account/person", Cookie: own},
		uitest.Page{Name: "account-email", Path: "/my/account/e-mail", Cookie: own},
		uitest.Page{Name: "account-display", Path: "/my/account/display", Cookie: own},
		uitest.Page{Name: "sessions", Path: "/my/account/sessions", Cookie: own},
		uitest.Page{Name: "confirm-email", Path: address},
		uitest.Page{Name: "my-consents", Path: "/my/consents", Cookie: own},
		uitest.Page{Name: "consents-none", Path: "/my/consents", Cookie: nobodys},
		uitest.Page{Name: "consent", Path: "/my/consents/31", Cookie: own},
		uitest.Page{Name: "help", Path: "/help?about=mail"},
		uitest.Page{Name: "privacy", Path: "/privacy"},
		uitest.Page{Name: "accessibility", Path: "/accessibility"},
		uitest.Page{Name: "status", Path: "/status"},
		uitest.Page{Name: "missing", Path: "/my/missing", Cookie: own, Fails: true},
	)
}

// justRegistered is the cookie of somebody who has just registered.
func justRegistered(i *sitetest.Instance) *http.Cookie {
	v := i.Visitor()
	v.Open("/register").Submit("Register", "given", "Tomás", "family", "Rey", "email", "tomas.rey@example.org")
	return v.Cookie("__Host-admitto-applicant")
}
