// Package season sets up a whole season on an empty instance: the program as it is released, a folder with nothing in
// it, and nothing but pages, as a person without scripts uses them. Then people apply through the portal and the API.
package season

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/wait"
	"github.com/admitto/admitto/internal/web"
	"github.com/admitto/admitto/test/internal/program"
	"github.com/emersion/go-smtp"
)

func TestMain(m *testing.M) { program.Main(m) }

// mailbox is a mail server that keeps what it takes.
type mailbox struct {
	url string
	mu  sync.Mutex
	got []string
}

func openMailbox(t *testing.T) *mailbox {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &mailbox{url: "smtp://" + l.Addr().String() + "?tls=none"}
	server := smtp.NewServer(m)
	server.Domain = "mailbox.test"
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return m
}

func (m *mailbox) NewSession(*smtp.Conn) (smtp.Session, error) { return &taking{m}, nil }

type taking struct{ m *mailbox }

func (*taking) Reset()                               {}
func (*taking) Logout() error                        { return nil }
func (*taking) Mail(string, *smtp.MailOptions) error { return nil }
func (*taking) Rcpt(string, *smtp.RcptOptions) error { return nil }

func (s *taking) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	s.m.got = append(s.m.got, string(data))
	return err
}

// find waits for a mail that the pattern finds something in.
func (m *mailbox) find(t *testing.T, pattern string) (found string) {
	t.Helper()
	finds := regexp.MustCompile(pattern)
	wait.Until(t, "a mail with "+pattern, func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		for _, data := range m.got {
			// Lines end in the middle of words.
			if found = finds.FindString(strings.ReplaceAll(strings.ReplaceAll(data, "=\r\n", ""), "=3D", "=")); found != "" {
				return true
			}
		}
		return false
	})
	return found
}

// instance is a running service on an empty folder, and what its pages are asked with.
type instance struct {
	t       *testing.T
	service *program.Service
	pages   *sitetest.Instance
	mails   *mailbox
	flags   []string
}

func start(t *testing.T, flags ...string) *instance {
	t.Helper()
	i := &instance{t: t, mails: openMailbox(t), flags: append(flags, "--data="+filepath.Join(t.TempDir(), "data"))}
	i.service = program.Serve(t, program.Path(t), append([]string{"--base-url=https://season.example"}, i.flags...)...)
	to, err := url.Parse(i.service.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = "season.example" },
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	i.pages = sitetest.Of(&servicestest.Desk{T: t}, web.Site{Handler: proxy})
	return i
}

// must fails unless the page says the words and has no errors.
func must(t *testing.T, p *sitetest.Page, words string) *sitetest.Page {
	t.Helper()
	if errors := p.Errors(); errors != nil || !strings.Contains(p.Text("main"), words) {
		t.Fatalf("%d at %s: %q is not in %s; %q", p.Status, p.Path, words, p.Text("main"), errors)
	}
	return p
}

const password = "correct-horse-battery-7"

// TestSeason is J1 to J3 of screens.md, from an empty folder to an applicant who has accepted.
func TestSeason(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { season(t, start(t)) })
	t.Run("postgres", func(t *testing.T) {
		url, o := dbtest.Schema(t)
		season(t, start(t, "--database.url="+url+"&search_path="+o.Schema))
	})
}

func season(t *testing.T, i *instance) {
	t.Helper()
	link := program.Must(t, program.Path(t), append([]string{"setup-link", "--base-url=https://season.example"},
		i.flags...)...)
	staff := i.pages.Visitor()
	page := staff.Open(strings.TrimPrefix(strings.TrimSpace(link), "https://season.example"))
	must(t, page.Submit("Create", "name", "Mara Lind", "email", "mara@example.edu", "password", password,
		"password_again", password, "instance_name", "Northfield University", "instance_timezone", "Europe/Lisbon",
		"mail_smtp", i.mails.url), "The instance is set up.")
	i.catalogue(staff)
	applicant, application := i.apply()
	i.answer(staff, applicant, application)
	i.throughAPI()
}

// catalogue is what an instance needs before applications can come.
func (i *instance) catalogue(staff *sitetest.Visitor) {
	t := i.t
	t.Helper()
	must(t, staff.Open("/admin/institutions/1").Submit("Save", "country", "PT", "address", "1 College Road", "location",
		"Porto"), "was saved")
	must(t, staff.Open("/admin/terms/new").Submit("Add term", "name", "Autumn semester 2099/00", "year", "2099", "type",
		"2", "start-day", "1", "start-month", "9", "start-year", "2099", "grace-day", "31", "grace-month", "10",
		"grace-year", "2099", "finish-day", "31", "finish-month", "1", "finish-year", "2100"), "was saved")
	must(t, staff.Open("/admin/courses/new").Submit("Add course", "name", "Applied Physics", "type", "UG", "mode", "FT",
		"awards", "BSc: Bachelor of Science"), "was saved")
	must(t, staff.Open("/admin/intakes/new").Submit("Add intake", "name", "Autumn 2099", "term", "1",
		"start-day", "", "start-month", "", "start-year", "", "deadline-0-day", "15", "deadline-0-month", "4",
		"deadline-0-year", "2099", "territory-1", "EU", "deadline-1-day", "30", "deadline-1-month", "6",
		"deadline-1-year", "2099", "territory-2", "DE", "deadline-2-day", "1", "deadline-2-month", "7", "deadline-2-year",
		"2099", "courses", "1"), "was saved")
	must(t, staff.Open("/admin/courses/1/status").Submit("Save", "status", "Online"), "was changed")
	must(t, staff.Open("/admin/offer-types/17").Submit("Save", "public_title", "We offer you a place"), "was saved")
	template := staff.Open("/admin/templates/application-submitted").Submit("Save", "subject", "We have your application")
	must(t, template, "was saved")
	must(t, staff.Open("/admin/templates/application-submitted").Submit("Send test to me"), "mara@example.edu")
	i.mails.find(t, "Subject: We have your application")
	for country, until := range map[string]string{"DE": "1 July 2099", "FR": "30 June 2099", "BR": "15 April 2099"} {
		must(t, i.pages.Visitor().Open("/courses/1?citizenship="+country), until)
	}
}

// apply registers somebody who finds the course, applies, fills in the form and submits it.
func (i *instance) apply() (own *sitetest.Visitor, application string) {
	t := i.t
	t.Helper()
	visitor := i.pages.Visitor()
	page := must(t, visitor.Open("/courses"), "Applied Physics")
	page = visitor.Open("/courses/1")
	page = visitor.Open(page.Find("main a.btn.primary").AttrOr("href", ""))
	page = visitor.Open(page.Find("main a[href^='/register']").AttrOr("href", ""))
	page = must(t, page.Submit("Register", "given", "Ilse", "family", "Varga", "email", "ilse@example.org", "citizenship",
		"PT"), "mailbox")
	link := i.mails.find(t, `/sign-in/link/[^\s"<>]+`)
	own = i.pages.Visitor()
	page = own.Open(link)
	page = page.Submit(strings.Join(strings.Fields(page.Find("main form button").First().Text()), " "))
	if way := page.Find("main a.btn[href^='/my/apply']").AttrOr("href", ""); strings.HasPrefix(page.Path, "/my/password") {
		page = own.Open(way)
	}
	if strings.HasPrefix(page.Path, "/my/welcome") { // every consent is given
		var given []string
		page.Find("main [type=radio]").Each(func(_ int, s *goquery.Selection) {
			if name := s.AttrOr("name", ""); len(given) == 0 || given[len(given)-2] != name {
				given = append(given, name, s.AttrOr("value", ""))
			}
		})
		page = page.Submit("Save and continue", given...)
	}
	page = must(t, page.Submit("Add to my application"), "Applied Physics")
	application = strings.TrimPrefix(page.Path, "/my/applications/")
	form := "/my/applications/" + application + "/form/"
	for section, fields := range map[string][]string{
		"profile": {"content.name.given", "Ilse", "content.name.family", "Varga", "content.gender", "F",
			"content.birth.date-day", "3", "content.birth.date-month", "5", "content.birth.date-year", "2008",
			"content.birth.country", "PT", "content.nationality", "PT"},
		"contact": {"content.address.street", "1 Rua", "content.address.city", "Porto", "content.address.country", "PT",
			"content.telephone.mobile", "+351 910 000 000"},
		"motivation": {"content.general", "I like numbers."},
	} {
		must(t, own.Open(form+section).Submit("Save and continue", fields...), "Saved at")
	}
	must(t, own.Open(form+"education/rows/new").Submit("Save this entry", "content.level", "SE", "content.institution",
		"Escola", "content.country", "PT", "content.enrolment-month", "9", "content.enrolment-year", "2023"), "Saved at")
	must(t, own.Open(form+"languages/rows/new").Submit("Save this entry", "content.name", "en", "content.proficiency",
		"C1"), "Saved at")
	page = must(t, own.Open("/my/applications/"+application+"/check").Submit("Submit application", "declared-0", "yes"),
		"Your application was submitted")
	receipt := own.Open(page.Path + "/text").Body
	must(t, i.pages.Visitor().Open("/receipts").Submit("Check", "receipt", receipt), "Valid.")
	return own, application
}

// answer sends the applicant a letter, who accepts.
func (i *instance) answer(staff, own *sitetest.Visitor, application string) {
	t := i.t
	t.Helper()
	page := must(t, staff.Open("/admin/applications?term=all&status=Submitted"), "Varga")
	page = staff.Open("/admin/applications/" + application + "/courses")
	offer := page.Find("main a[href^='/admin/offers/']").First().AttrOr("href", "")
	page = staff.Open(offer).Submit("Save", "type", "17")
	if text := own.Open("/my/applications/" + application).Text("main"); strings.Contains(text, "a place") {
		t.Fatal("the applicant sees what was not confirmed: ", text)
	}
	page = staff.Open(offer).Submit("Confirm and send letter")
	for n := 0; n < 2 && page.Find("main form.confirm").Length() > 0; n++ {
		page = page.Submit(strings.Join(strings.Fields(page.Find("main form.confirm .acts button").First().Text()), " "))
	}
	if errors := page.Errors(); errors != nil {
		t.Fatal(errors)
	}
	page = must(t, own.Open("/my"), "We offer you a place")
	way := page.Find("main a[href^='/my/offers/']").First().AttrOr("href", "")
	must(t, own.Open(way+"/answer/accept").Submit("Yes, accept"), "You accepted")
	i.mails.find(t, "(?s)To: [^\n]*ilse@example.org.*Varga")
	must(t, staff.Open("/admin/applications/"+application+"/courses"), "Accepted")
}

// throughAPI makes another application, as a student system does.
func (i *instance) throughAPI() {
	t := i.t
	t.Helper()
	key := program.Must(t, program.Path(t), append([]string{"keys", "create", "--name=season", "--expires=never"},
		i.flags...)...)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	send := func(method, path string, form url.Values) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, i.service.URL+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", `SERVICE apikey="`+key+`"`)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close() //nolint:errcheck // it was only read
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, answer.Header.Get("Location") + "\n" + string(body)
	}
	status, body := send(http.MethodPost, "/api/v10/applicants", url.Values{"email": {"bo@example.org"},
		"name_given": {"Bo"}, "name_family": {"Lind"}, "citizenship": {"SE"}})
	if status != http.StatusCreated {
		t.Fatal(status, body)
	}
	applicant := regexp.MustCompile(`applicants/([0-9]+)`).FindStringSubmatch(body)[1]
	status, body = send(http.MethodPost, "/api/v10/applications", url.Values{"applicant": {applicant}, "course": {"1"},
		"intake": {"1"}})
	if status != http.StatusCreated {
		t.Fatal(status, body)
	}
	status, body = send(http.MethodGet, "/api/v10/applications", nil)
	var list map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body[strings.IndexByte(body, '\n')+1:]), &list); err != nil || status != 200 ||
		len(list) != 2 {
		t.Errorf("%d: %v %.300s", status, err, body)
	}
	program.Must(t, program.Path(t), append([]string{"journal", "verify"}, i.flags...)...) // which exits with 0
}
