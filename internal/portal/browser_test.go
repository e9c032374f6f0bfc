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
	uitest.Check(t, i,
		uitest.Page{Name: "front", Path: "/"},
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
		uitest.Page{Name: "consents", Path: "/my/consents", Cookie: own},
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
