package admintest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

const submittedMail = "/admin/templates/application-submitted"

// saved fails unless a form was saved.
func saved(t *testing.T, p *sitetest.Page) *sitetest.Page {
	t.Helper()
	if !strings.Contains(p.Text(".notice"), "was saved") {
		t.Fatal(p.Path, p.Errors(), p.Text("main"))
	}
	return p
}

// Every kind of mail is in the list, with words for when it is sent, and opens.
func TestList(t *testing.T) {
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.Must(d.Store.Seed(t.Context(), "Northfield University", 2026))
		staff := i.Staff(i.Administrator("Mara Lind", admitto.TemplatesEdit))
		page := staff.Open("/admin/templates")
		if n := page.Find("main tbody tr").Length(); n != len(mail.Kinds()) {
			t.Errorf("%d rows for %d kinds", n, len(mail.Kinds()))
		}
		page.Find("main tbody tr").Each(func(_ int, row *goquery.Selection) {
			if text := row.Text(); strings.Contains(text, "mail_trigger") || !strings.Contains(text, "Shipped text") {
				t.Error(text)
			}
		})
		for _, k := range mail.Kinds() {
			one := staff.Open("/admin/templates/" + k.Code())
			shipped, found := mail.DefaultIn(k, "en")
			if !found {
				t.Fatal(k.Code())
			}
			if one.Status != 200 || one.Find("mark").Length() != 0 || len(one.Errors()) != 0 ||
				one.Find("#f-subject").AttrOr("value", "") != shipped.Subject ||
				strings.Contains(one.Text("main"), "mail_kind") ||
				one.Find("[data-insert]").Length() != len(k.Markers()) {
				t.Errorf("%s: %d %q %s", k.Code(), one.Status, one.Errors(), one.Text("#preview"))
			}
			if has := one.Find("[name=silenced]").Length() == 1; has != k.MayBeSilenced() {
				t.Errorf("%s: may be silenced: %v", k.Code(), has)
			}
		}
		for _, path := range []string{"/admin/templates/nobody-knows", "/admin/templates/nobody-knows/default"} {
			if p := staff.Open(path); p.Status != 404 {
				t.Error(path, p.Status)
			}
		}
	})
}

// What is saved is in the next mail, in the language of the applicant and on every instance; what is as it was is not
// recorded, and the shipped text comes back when staff take theirs away.
func TestSave(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Superuser("Mara Lind"))
		began := len(d.Journal())
		page := staff.Open(submittedMail)
		if text := page.Text("main"); !strings.Contains(text, "gets the shipped text until you save your own") {
			t.Error(text)
		}
		saved(t, page.Submit("Save"))
		page = saved(t, page.Submit("Save", "subject", "We have it, %applicant-GivenName%", "body",
			"Dear %applicant-GivenName%,\r\n\r\nyour number is *%receipt-Number%*.\r\n"))
		if text := page.Text("main"); !strings.Contains(text, "Who reads English gets this text") ||
			!strings.Contains(text, "Differences from the shipped text") || page.Find(".diff del").Length() < 3 ||
			page.Text(".diff ins") == "" {
			t.Error(text)
		}
		saved(t, page.Submit("Save"))
		page = staff.Open(submittedMail + "?language=ar")
		if text := page.Text("main"); !strings.Contains(text, "Who reads Arabic gets your English text") {
			t.Error(text)
		}
		saved(t, page.Submit("Save")) // from now on the shipped Arabic text, which the page starts from
		if text := staff.Open("/admin/templates").Text("main"); !strings.Contains(text, "Own text: English, Arabic") ||
			!strings.Contains(text, "Mara Lind") {
			t.Error(text)
		}
		if got := strings.Join(d.Since(began), ", "); got != strings.Repeat(
			", E-mail template was edited: application-submitted", 2)[2:] {
			t.Error(got)
		}
		post := &servicestest.Post{}
		other := d.Another(d.Store, post, nil)
		d.Submit(servicestest.Ann(), "", "")
		if _, err := other.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		m := post.Taken()[0]
		if m.Subject != "We have it, Ann" || !strings.Contains(m.Text, "your number is ") ||
			!strings.Contains(m.HTML, "<strong>") {
			t.Errorf("%+v", m)
		}
		// Who reads Arabic gets the text in Arabic, from every instance at once.
		page = staff.Open("/admin/templates/application-withdrawn?language=ar")
		page = saved(t, page.Submit("Save", "subject", "سُحب", "body", "مرحباً %applicant-GivenName%"))
		d.Put("UPDATE applicant SET language = 'ar' WHERE id = 1")
		d.Must(other.Admissions.Withdraw(t.Context(), servicestest.Ann(), 11, admitto.Declining{}))
		if _, err := other.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if all := post.Taken(); all[len(all)-1].Subject != "سُحب" || !strings.Contains(all[len(all)-1].HTML,
			`dir="rtl"`) {
			t.Errorf("%+v", all)
		}
		asked := staff.Open(page.Find(`main a[href*="/default"]`).AttrOr("href", ""))
		if text := asked.Text("main"); !strings.Contains(text, "From now on the shipped text is sent") {
			t.Error(text)
		}
		if back := asked.Submit("Back to default"); !strings.Contains(back.Text(".notice"),
			"has its shipped text again") ||
			!strings.HasSuffix(back.Path, "?language=ar") {
			t.Error(back.Path, back.Text("main"))
		}
		if n := d.Number("SELECT count(*) FROM email_template WHERE code = 'application-withdrawn'"); n != 0 {
			t.Error("the text is still there")
		}
		d.Chained()
	})
}

// What may not be saved is said at its field, with the place and the nearest marker, and nothing typed is lost.
func TestBadInput(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.Must(d.Store.Seed(t.Context(), "Northfield University", 2026))
		staff := i.Staff(i.Superuser("Mara Lind"))
		welcome, api := "/admin/templates/applicant-welcome-register", "/admin/templates/applicant-welcome-api"
		began := len(d.Journal())
		for _, c := range []struct{ path, subject, body, field, says string }{
			{submittedMail, "", "Text", "subject", "Fill this in"},
			{submittedMail, "Subject", " \n ", "body", "Fill this in"},
			{submittedMail, strings.Repeat("x", 201), "Text", "subject", "at most 200"},
			{submittedMail, "Subject", strings.Repeat("x", 10_001), "body", "at most 10"},
			{submittedMail, "%offer-Link%", "Text", "subject",
				"%offer-Link% (line 1, place 1) is no marker of this e-mail"},
			{submittedMail, "Subject", "Dear\n\nü %applicant-GivenNme%!", "body",
				"%applicant-GivenNme% (line 3, place 3) is no marker of this e-mail. The nearest one is %applicant-GivenName%."},
			{submittedMail, "Subject", "Your %receiptNumber%", "body", "The nearest one is %receipt-Number%."},
			{submittedMail, "Subject", "%applicant-Password%", "body",
				"%applicant-Password% (line 1, place 1) is no marker"},
			{welcome, "Subject", "Welcome, %applicant-Name%", "body", "needs %applicant-SigninLink%"},
			{welcome, "%applicant-SigninLink%", "Welcome", "body", "needs %applicant-SigninLink%"},
			{welcome, "Subject", "%applicant-SigninLink% %applicant-Password%", "body",
				"%applicant-Password% (line 1, place 24)"},
			{api, "Subject", "Welcome", "body", "needs %applicant-SigninLink% / %applicant-Password%"},
		} {
			for _, button := range []string{"Save", "Send test to me"} {
				page := staff.Open(c.path).Submit(button, "subject", c.subject, "body", c.body)
				if said := page.Text("#f-" + c.field + "-error"); page.Status != 422 || !strings.Contains(said,
					c.says) ||
					len(page.Errors()) != 1 {
					t.Errorf("%s %q %.40q: %d %q %q", button, c.subject, c.body, page.Status, said, page.Errors())
				}
				if got := page.Find("#f-subject").AttrOr("value", ""); got != c.subject {
					t.Errorf("the subject is %q", got)
				}
				if got := page.Find("textarea").Text(); strings.TrimSpace(got) != strings.TrimSpace(c.body) {
					t.Errorf("the text is %.40q, want %.40q", got, c.body)
				}
			}
		}
		page := staff.Open(welcome).Submit("Save", "silenced", "yes")
		if text := page.Text(".errors"); page.Status != 422 || !strings.Contains(text, "always sent") {
			t.Error(page.Status, text)
		}
		if n := d.Count("email_template") + d.Count("email_kind"); n != 0 || len(d.Journal()) != began ||
			len(d.Mails()) != 0 {
			t.Error("something was stored or sent")
		}
		for _, p := range []admitto.Permission{admitto.InstanceAdmin, admitto.MessagesSend} {
			few := i.Staff(i.Administrator("Olu "+p.String(), p))
			for _, path := range []string{"/admin/templates", submittedMail, submittedMail + "/default"} {
				if got := few.Open(path); got.Status != 403 {
					t.Errorf("%s: %d", path, got.Status)
				}
			}
		}
	})
}

// The page shows the mail as it would be read, and the test e-mail is the same: of somebody invented, or of an
// applicant, as far as the reader may see them. A test is no mail to anybody else.
func TestPreview(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		me := i.Superuser("Mara Lind")
		d.Put(fmt.Sprintf("UPDATE administrator SET email = 'mara@example.edu' WHERE id = %d", me))
		staff := i.Staff(me)
		offer := "/admin/templates/offer-decision-reminder"
		const body = "h2. Hello %applicant-GivenName%\n\n* _%course-FullName%_\n* %application-ID%\n\n" +
			"\"Answer\":%offer-Link% by %offer-DecisionDeadline% & <b>now</b>"
		for _, c := range []struct{ applicant, name, course, id string }{
			{"", "Ilse", "BSc Computer Science", "1001"}, {"2", "Bo", "Energy", "12"}} {
			page := staff.Open(offer).Submit("Preview", "subject", "For %applicant-Name%", "body", body, "applicant",
				c.applicant)
			if page.Status != 200 || len(page.Errors()) != 0 {
				t.Fatal(page.Errors())
			}
			shown := page.Find("#preview .letter")
			for _, want := range []string{"For " + c.name, "Hello " + c.name, c.course, c.id, "& <b>now</b>"} {
				if !strings.Contains(shown.Text(), want) {
					t.Errorf("no %q in %s", want, shown.Text())
				}
			}
			if d.Count("email_template") != 0 || len(d.Mails()) != 0 {
				t.Error("a preview stores or sends something")
			}
			page = page.Submit("Send test to me")
			if text := page.Text("main .notice"); !strings.Contains(text, "on its way to mara@example.edu") {
				t.Error(text)
			}
			m := d.Mail()
			if m.To.Email != "mara@example.edu" || len(m.Bcc) != 0 ||
				m.Subject != page.Text("#preview .letter > h3:first-child") {
				t.Errorf("%+v", m)
			}
			if plain := page.Find("#preview details p").Text(); plain != m.Text {
				t.Errorf("the text is\n%s\nand the mail\n%s", plain, m.Text)
			}
			sent, err := goquery.NewDocumentFromReader(strings.NewReader(m.HTML))
			d.Must(err)
			for _, of := range []string{"h3 + h3", "li", "a"} {
				inMail := map[string]string{"h3 + h3": "h2", "li": "li", "a": "a"}[of]
				got := page.Find("#preview .letter > " + of + ", #preview .letter > * " + of).Text()
				if want := sent.Find("body " + inMail).Text(); got != want || got == "" {
					t.Errorf("%s: the page shows %q, the mail %q", of, got, want)
				}
			}
			if page.Find("#preview .letter a").AttrOr("href", "") != sent.Find("a").AttrOr("href", "-") {
				t.Error("a link leads elsewhere")
			}
		}
		if d.Count("email") != 0 || d.Count("email_template") != 0 {
			t.Error("a test is kept among the mails of applicants")
		}
		// A text without a script is made on the server again while it is typed.
		if p := staff.Open(offer).Submit("Preview", "applicant", "999"); p.Status != 422 ||
			!strings.Contains(p.Text("#f-applicant-error"), "There is no applicant 999") ||
			!strings.Contains(p.Text("#preview"), "Ilse") {
			t.Error(p.Status, p.Text("main"))
		}
		// Without the permission to see applicants, all are invented.
		few := i.Staff(i.Administrator("Olu Brandt", admitto.TemplatesEdit))
		if p := few.Open(offer); p.Find("[name=applicant]").Length() != 0 {
			t.Error("an applicant can be chosen")
		}
		if p := few.Open(offer).Submit("Preview", "applicant", "2"); p.Status != 403 {
			t.Error(p.Status, p.Text("#preview"))
		}
		some := i.Staff(i.Administrator("Kim Adeyemi", admitto.TemplatesEdit, admitto.ApplicantsView))
		p := some.Open(offer).Submit("Preview", "applicant", "2", "body",
			"%applicant-Name% %application-ID% %offer-Type%")
		if text := p.Text("#preview"); !strings.Contains(text, "Bo Dijk 1001 Conditionally accepted") {
			t.Error(text)
		}
	})
}

// A link in a test opens nothing, and the marker of a password makes one in the mail that has it, which lets in.
func TestPassword(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.Must(d.Store.Seed(t.Context(), "Northfield University", 2026))
		staff := i.Staff(i.Superuser("Mara Lind"))
		saved(t, staff.Open("/admin/templates/applicant-welcome-imports").Submit("Save", "subject", "Welcome", "body",
			"%applicant-Password%\n%applicant-SigninLink%"))
		tokens := d.Count("sign_in_token")
		page := staff.Open("/admin/templates/applicant-welcome-imports").Submit("Send test to me")
		if text := page.Text("#preview"); !strings.Contains(text, "invented-password") {
			t.Error(text)
		}
		if m := d.Mail(); !strings.Contains(m.Text, "invented-password") || d.Count("sign_in_token") != tokens {
			t.Errorf("%+v", m)
		}
		id, err := d.Services.Accounts.AddApplicant(t.Context(), servicestest.Staff(),
			accounts.AddedApplicant{Given: "Bo",
				Family: "Lind", Email: "lind@example.org", Welcome: true})
		d.Must(err)
		password, _, _ := strings.Cut(d.Mail().Text, "\n")
		who, err := d.Services.Accounts.SignInApplicant(t.Context(), accounts.ApplicantSignIn{Email: "lind@example.org",
			Password: password})
		if err != nil || who.ID != id {
			t.Errorf("%+v %v", who, err)
		}
		var with []string
		for _, k := range mail.Kinds() {
			p := staff.Open("/admin/templates/" + k.Code())
			if p.Find(`[data-insert="%applicant-Password%"]`).Length() == 1 {
				with = append(with, k.Code())
			}
		}
		if got := strings.Join(with, " "); got != "applicant-welcome-api applicant-welcome-imports" {
			t.Error(got)
		}
	})
}

// The welcome mail of the API has the text of staff, and who is created with a refused one is not created
// (lifecycle.md 8.2).
func TestWelcomeOfAPI(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.Must(d.Store.Seed(t.Context(), "Northfield University", 2026))
		staff := i.Staff(i.Superuser("Mara Lind"))
		saved(t, staff.Open("/admin/templates/applicant-welcome-api").Submit("Save", "subject",
			"Come in, %applicant-GivenName%",
			"body", "Your password: %applicant-Password%, or %applicant-SigninLink%"))
		d.Post.Will(func(context.Context, *mail.Message) error {
			return &mail.Refusal{Step: "rcpt", Code: 550}
		})
		if _, err := d.Services.Accounts.CreateApplicant(t.Context(), servicestest.ByKey(),
			servicestest.Ilse()); admitto.KindOf(err) != admitto.MailRefused {
			t.Error(err)
		}
		d.Nothing()
		d.Post.Will(nil)
		d.Create(servicestest.Ilse())
		m := d.Post.Taken()[0]
		if !strings.HasPrefix(m.Subject, "Come in, ") || !strings.Contains(m.Text, "Your password: ") {
			t.Errorf("%+v", m)
		}
		if got := d.Lines("SELECT message FROM email"); strings.Count(got, admitto.SecretRemoved) != 2 {
			t.Error(got)
		}
	})
}

// A mail that is silenced is not sent, in whatever language, and the history says so; nothing is made up for later.
func TestSilence(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Superuser("Mara Lind"))
		page := saved(t, staff.Open(submittedMail+"?language=ar").Submit("Save", "silenced", "yes"))
		if text := page.Text("main"); !strings.Contains(text, "is silenced: it is not sent in any language") {
			t.Error(text)
		}
		if text := staff.Open("/admin/templates").Text("main"); strings.Count(text, "Silenced") != 1 {
			t.Error(text)
		}
		began := len(d.Journal())
		d.Submit(servicestest.Ann(), "", "")
		if mails := d.Mails(); len(mails) != 0 || d.Count("email") != 0 {
			t.Errorf("%+v", mails)
		}
		if got := d.Since(began); len(got) == 0 || got[len(got)-1] != "E-mail was not sent: application-submitted" {
			t.Error(got)
		}
		last := d.Journal()[len(d.Journal())-1]
		if last.Links.Applicant != 1 || last.Links.Application != 11 || last.Actor.Kind != admitto.BySystem {
			t.Errorf("%+v", last)
		}
		if text := staff.Open("/admin/applications/11/history").Text("main"); !strings.Contains(text,
			"E-mail was not sent, it is silenced: Application submitted") {
			t.Error(text)
		}
		test := staff.Open(submittedMail).Submit("Send test to me")
		if len(d.Mails()) != 1 {
			t.Error("no test of what is silenced", test.Errors())
		}
		saved(t, staff.Open(submittedMail).Submit("Save", "silenced", "-"))
		if len(d.Mails()) != 0 {
			t.Error("what was silenced is sent later")
		}
	})
}

// Two who edit the same text see what the other has saved.
func TestConflict(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.Must(d.Store.Seed(t.Context(), "Northfield University", 2026))
		one, two := i.Staff(i.Superuser("Mara Lind")), i.Staff(i.Superuser("Kim Adeyemi"))
		mine := one.Open(submittedMail)
		saved(t, two.Open(submittedMail).Submit("Save", "subject", "Theirs"))
		page := mine.Submit("Save", "subject", "Mine")
		if text := page.Text("main"); page.Status != 422 || !strings.Contains(text, "Kim Adeyemi") ||
			!strings.Contains(text, "Theirs") || page.Find("#f-subject").AttrOr("value", "") != "Mine" {
			t.Fatal(page.Status, text)
		}
		saved(t, page.Submit("Save"))
		if got := d.Lines("SELECT subject FROM email_template"); strings.TrimSpace(got) != "Mine" {
			t.Error(got)
		}
		old := one.Open(submittedMail + "/default")
		saved(t, two.Open(submittedMail).Submit("Save", "subject", "Again"))
		if page = old.Submit("Back to default"); page.Status != 422 || d.Count("email_template") != 1 {
			t.Error(page.Status, page.Text("main"))
		}
		if page = page.Submit("Back to default"); d.Count("email_template") != 0 {
			t.Error(page.Status, page.Text("main"))
		}
	})
}
