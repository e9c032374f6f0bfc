package main

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// asManyAsGo is how many submit as quickly as the service lets them.
const asManyAsGo = 16 * atOnce

// documentSize is the size of what each hands in, a page that was scanned; no two are the same.
const documentSize = 500_000

// filledIn is what an application needs before it can be submitted. Somebody's names come from their account.
const filledIn = `{"profile":{"name":{"given":"Ann","family":"Pórtal"},"citizenship":"HU","birth":{"date":"2004-05-17",
	"place":"Pécs","country":"HU"}},"contact":{"telephone":{"mobile":"+36 20 555 0000"},"address":{"type":"C",
	"street":"Fő utca","house":"1","city":"Pécs","country":"HU"}},"education":[{"level":"SE","institution":"Gymnasium",
	"country":"HU","enrolment":"2018-09","graduation":"2022-06"}],"languages":[{"name":"en","native":false,
	"proficiency":"C1"}],"motivation":{"general":"I want to study energy systems."}}`

// submitter is somebody whose application lacks nothing but a document that a task asks for.
type submitter struct {
	*person
	application, task string // addresses of their pages
}

// submit lets people hand in a document and then their application: some as quickly as they get through, then so many a
// second, whether or not those before are done.
func (r *portalRun) submit() error {
	seconds := int(max(r.o.pages.time, time.Second) / time.Second)
	r.document = make([]byte, documentSize)
	if _, err := rand.Read(r.document); err != nil {
		return err
	}
	list, err := r.prepare(asManyAsGo + r.o.portal.submit*seconds)
	if err != nil {
		return err
	}
	parts := new(submissionTimes)
	if err := r.measure("document, submission, receipt", asManyAsGo, atOnce, func(n int) error {
		return list[n].hand(parts)
	}); err != nil {
		return err
	}
	parts.rows(r, atOnce)
	list = list[asManyAsGo:]
	say("%d a second submit for %d s", r.o.portal.submit, seconds)
	parts = new(submissionTimes)
	took := make([]float64, len(list))
	every := time.Second / time.Duration(r.o.portal.submit)
	begun, done := time.Now(), r.cost()
	if err := eachOf(len(list), func(n int) error {
		due := begun.Add(time.Duration(n) * every)
		time.Sleep(time.Until(due))
		err := list[n].hand(parts)
		took[n] = float64(time.Since(due))
		return cmp.Or(err, r.ctx.Err())
	}); err != nil {
		return err
	}
	r.row(fmt.Sprintf("the same, %d come in a second", r.o.portal.submit), 0, took, done())
	parts.rows(r, 0)
	return nil
}

// submissionTimes are the times of the two parts of a submission, each with the page that it leads to.
type submissionTimes struct {
	mu               sync.Mutex
	document, submit []float64
}

func (t *submissionTimes) rows(r *portalRun, workers int) {
	r.row("of it the press that hands in the document", workers, t.document, expense{})
	r.row("of it the press that submits", workers, t.submit, expense{})
}

// hand hands in the document and the application.
func (s *submitter) hand(t *submissionTimes) error {
	form, err := s.form(s.task)
	if err != nil {
		return err
	}
	begun := time.Now()
	if err := s.upload(s.task, form); err != nil {
		return err
	}
	handed := time.Since(begun)
	if form, err = s.form(s.application + "/check"); err != nil {
		return err
	}
	form.Set("declared-0", "yes")
	begun = time.Now()
	request, err := formRequest(s.run.ctx, s.run.server.url, s.application+"/check", form)
	if err != nil {
		return err
	}
	receipt, err := s.ask(request)
	if err != nil {
		return err
	}
	submitted := time.Since(begun)
	if !strings.Contains(receipt, "Your application was submitted") {
		return fmt.Errorf("the submission of %s leads to %s: %.3000s", s.application, s.at, receipt)
	}
	s.http.CloseIdleConnections()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.document, t.submit = append(t.document, float64(handed)), append(t.submit, float64(submitted))
	return nil
}

// upload sends a form with the document.
func (s *submitter) upload(path string, form url.Values) error {
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	for _, name := range slices.Sorted(maps.Keys(form)) {
		if name != "file" {
			if err := parts.WriteField(name, form.Get(name)); err != nil {
				return err
			}
		}
	}
	file, err := parts.CreateFormFile("file", "passport.pdf")
	if err == nil {
		_, err = fmt.Fprintf(file, "%%PDF-1.7\n%%%s\n%s", path, s.run.document)
	}
	if err = errors.Join(err, parts.Close()); err != nil {
		return err
	}
	request, err := pressed(s.run.ctx, s.run.server.url, path, parts.FormDataContentType(), &body)
	if err == nil {
		_, err = s.ask(request)
	}
	return err
}

var (
	ownTask      = regexp.MustCompile(`/my/tasks/\d+`)
	consentField = regexp.MustCompile(`<input type="radio"[^>]* name="(consent-[0-9-]+)"`)
)

// prepare registers people with an application each, who look at it for what they are asked for.
func (r *portalRun) prepare(people int) ([]*submitter, error) {
	say("%d people fill in applications on %s", people, r.engine.name)
	invited, err := r.invite(people)
	if err != nil {
		return nil, err
	}
	course, intake, first, err := r.openCourse(invited[0].id)
	if err != nil {
		return nil, err
	}
	list := make([]*submitter, people)
	return list, forEach(len(r.api), people, func(i, n int) error {
		at := first
		if n > 0 {
			if at, err = r.apply(r.api[i], invited[n].id, course, intake); err != nil {
				return err
			}
		}
		if _, _, err := r.api[i].do(call{method: http.MethodPatch, path: "/applications/" + at, body: filledIn,
			status: http.StatusNoContent}); err != nil {
			return err
		}
		list[n], err = r.look(invited[n], at)
		return err
	})
}

// openCourse is the first course with an intake that somebody can apply for, who does.
func (r *portalRun) openCourse(applicant string) (course, intake, application string, err error) {
	var courses map[string]struct {
		Intakes map[string]string `json:"intakes"`
	}
	if err := r.api[0].read(call{method: http.MethodGet, path: "/courses?limit=100", status: http.StatusOK},
		&courses); err != nil {
		return "", "", "", err
	}
	number := func(text string) int {
		n, _ := strconv.Atoi(text)
		return n
	}
	byNumber := func(a, b string) int { return cmp.Compare(number(a), number(b)) }
	for _, course := range slices.SortedFunc(maps.Keys(courses), byNumber) {
		intakes := slices.SortedFunc(maps.Keys(courses[course].Intakes), byNumber)
		slices.Reverse(intakes)
		for _, intake := range intakes {
			if application, err = r.apply(r.api[0], applicant, course, intake); err == nil {
				return course, intake, application, nil
			}
		}
	}
	return "", "", "", fmt.Errorf("nobody can apply: %w", err)
}

// apply creates an application.
func (r *portalRun) apply(api *client, applicant, course, intake string) (string, error) {
	_, head, err := api.do(call{method: http.MethodPost, path: "/applications", status: http.StatusCreated,
		body: fmt.Sprintf(`{"applicant":%s,"course":%s,"intake":%s}`, applicant, course, intake)})
	return path.Base(head.Get("Location")), err
}

// look signs somebody in, who consents and reads what their application still needs.
func (r *portalRun) look(in invited, application string) (*submitter, error) {
	p, err := r.enter(in)
	if err != nil {
		return nil, err
	}
	page, err := p.get("/my/welcome")
	if err != nil {
		return nil, err
	}
	form, err := formOf("/my/welcome", page)
	if err != nil {
		return nil, err
	}
	for _, consent := range consentField.FindAllStringSubmatch(page, -1) {
		form.Set(consent[1], "Accept")
	}
	if err := p.post("/my/welcome", form); err != nil {
		return nil, err
	}
	s := &submitter{person: p, application: "/my/applications/" + application}
	if page, err = p.get(s.application); err != nil {
		return nil, err
	}
	if s.task = ownTask.FindString(page); s.task == "" {
		return nil, fmt.Errorf("%s has no task", s.application)
	}
	p.http.CloseIdleConnections()
	return s, nil
}
