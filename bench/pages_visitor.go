package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"html"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// visitor is one of the staff, signed in.
type visitor struct {
	run    *pageRun
	number int
	clicks int
	http   *http.Client
	chance *rand.Rand
}

// pageFilter is a filter of the applications browser with the values that it offers.
type pageFilter struct {
	name   string
	values []string
	day    bool // any day is a value
}

// pagesPassword is what all staff of the benchmark sign in with.
const pagesPassword = "a horse that is measured every night"

// enter opens a link, chooses the password and so is signed in.
func (r *pageRun) enter(number int, link string) (*visitor, error) {
	browser, err := newBrowser()
	if err != nil {
		return nil, err
	}
	browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	v := &visitor{run: r, number: number, chance: rand.New(rand.NewPCG(r.seed, uint64(number))), http: browser}
	request, err := formRequest(r.ctx, r.url, link, url.Values{"password": {pagesPassword},
		"password_again": {pagesPassword}})
	if err != nil {
		return nil, err
	}
	answer, err := v.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 3000))
		return nil, fmt.Errorf("POST %s: %s: %s", link, answer.Status, text)
	}
	return v, nil
}

// newBrowser is a client with cookies and one connection of its own, as a browser has.
func newBrowser() (*http.Client, error) {
	jar, err := cookiejar.New(nil)
	return &http.Client{Jar: jar, Timeout: 2 * time.Minute, Transport: &http.Transport{MaxConnsPerHost: 1,
		// The certificate is self-signed and made by the process that was just started on this machine.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}, err
}

// formRequest sends a form as the page does that it stands on.
func formRequest(ctx context.Context, site, path string, form url.Values) (*http.Request, error) {
	return pressed(ctx, site, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

// pressed is the request of a form of some type.
func pressed(ctx context.Context, site, path, kind string, body io.Reader) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, site+path, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", kind)
	request.Header.Set("Origin", site)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	return request, nil
}

// open asks for a page and notes it.
func (v *visitor) open(kind, path string) error {
	_, err := v.read(kind, path)
	return err
}

// read is open with the page. Applicants who are gone have none, which is an answer too.
func (v *visitor) read(kind, path string) (string, error) {
	request, err := http.NewRequestWithContext(v.run.ctx, http.MethodGet, v.run.url+path, nil)
	if err != nil {
		return "", err
	}
	v.clicks++
	id := fmt.Sprintf("staff-%d-%d", v.number, v.clicks)
	request.Header.Set("X-Request-Id", id)
	answer, err := v.http.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(answer.Body); err != nil {
		return "", err
	}
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusNotFound {
		return "", fmt.Errorf("GET %s: %s", path, answer.Status)
	}
	v.run.note(click{kind: kind, path: path, id: id, status: answer.StatusCode})
	return body.String(), nil
}

func (r *pageRun) note(c click) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clicks = append(r.clicks, c)
}

// pageKind is a kind of page, and how many of a hundred clicks open one.
type pageKind struct {
	name  string
	share int
	path  func(v *visitor) string
}

var pageKinds = []pageKind{
	{"dashboard", 8, func(*visitor) string { return "/admin/" }},
	{"search", 12, func(v *visitor) string { return "/admin/search?q=" + url.QueryEscape(v.word()) }},
	{"browser, three filters", 26, func(v *visitor) string {
		return "/admin/applications?" + v.filtered(v.run.options, 3, "applicant", "status", "submitted", "revised")
	}},
	{"applicants", 8, func(v *visitor) string { return "/admin/applicants?" + v.applicantFilters() }},
	{"card", 10, func(v *visitor) string { return v.applicant() }},
	{"tab of a card", 8, func(v *visitor) string {
		return v.applicant() + "/" + v.oneOf([]string{"applications", "emails", "invoices", "notes", "history"})
	}},
	{"card of an application", 8, func(v *visitor) string { return v.application() }},
	{"tab of an application", 8, func(v *visitor) string {
		return v.application() + "/" + v.oneOf([]string{"form/profile", "courses", "tasks", "documents", "scores", "invoices",
			"emails", "notes", "history"})
	}},
	{"tasks, filters", 10, func(v *visitor) string {
		return "/admin/tasks?" + v.filtered(v.run.ofTasks, v.chance.IntN(4), "deadline")
	}},
	{"batches", 2, func(*visitor) string { return "/admin/batches" }},
}

// clickOn opens the next page.
func (v *visitor) clickOn() error {
	n := v.chance.IntN(100)
	for _, k := range pageKinds {
		if n < k.share {
			return v.open(k.name, k.path(v))
		}
		n -= k.share
	}
	return nil
}

func (v *visitor) applicant() string {
	return fmt.Sprintf("/admin/applicants/%d", 1+v.chance.IntN(v.run.applicants))
}

// application is the card of one; four of five applicants of the invented data have applied.
func (v *visitor) application() string {
	return fmt.Sprintf("/admin/applications/%d", 1+v.chance.IntN(max(v.run.applicants*4/5, 1)))
}

func (v *visitor) oneOf(list []string) string { return list[v.chance.IntN(len(list))] }

// word is what somebody types who looks for a person: a name, its beginning, or two names.
func (v *visitor) word() string {
	word := v.oneOf(v.run.words)
	switch letters := []rune(word); v.chance.IntN(3) {
	case 0:
		return string(letters[:min(len(letters), 3)])
	case 1:
		return word + " " + v.oneOf(v.run.words)
	}
	return word
}

// filtered are n filters of a pane with a value each, in one of the terms or in all, sometimes in another order.
func (v *visitor) filtered(pane []pageFilter, n int, sorts ...string) string {
	q := url.Values{"term": {"all"}}
	for _, i := range v.chance.Perm(len(pane))[:n] {
		f := &pane[i]
		if f.day {
			q.Set(f.name, time.Now().AddDate(0, 0, -v.chance.IntN(400)).Format(time.DateOnly))
		} else {
			q.Set(f.name, v.oneOf(f.values))
		}
	}
	if v.chance.IntN(3) == 0 {
		q.Set("sort", v.oneOf(sorts))
		q.Set("order", v.oneOf([]string{"up", "down"}))
	}
	return q.Encode()
}

func (v *visitor) applicantFilters() string {
	q := url.Values{}
	if v.chance.IntN(2) == 0 {
		q.Set("text", v.word())
	}
	if v.chance.IntN(2) == 0 {
		q.Set("sort", v.oneOf([]string{"applicant", "email", "registered"}))
	}
	return q.Encode()
}

var (
	// The address of the list says which filters there are: those that staff see.
	paneBox    = regexp.MustCompile(`<input type="checkbox"[^>]* name="([a-z_]+)" value="([^"]*)"`)
	paneSelect = regexp.MustCompile(`(?s)<select [^>]*name="([a-z_]+)"[^>]*>(.*?)</select>`)
	paneOption = regexp.MustCompile(`<option value="([^"]+)"`)
	paneDay    = regexp.MustCompile(`<input [^>]*id="filter-[^>]* name="([a-z_]+)"[^>]*inputmode="numeric"`)
)

// readFilters reads the pane of a list, which has at least so many filters.
func (r *pageRun) readFilters(kind, path string, least int) (list []pageFilter, err error) {
	page, err := r.staff[0].read(kind, path)
	if err != nil {
		return nil, err
	}
	values := map[string][]string{}
	for _, m := range paneBox.FindAllStringSubmatch(page, -1) {
		values[m[1]] = append(values[m[1]], html.UnescapeString(m[2]))
	}
	for _, m := range paneSelect.FindAllStringSubmatch(page, -1) {
		for _, o := range paneOption.FindAllStringSubmatch(m[2], -1) {
			values[m[1]] = append(values[m[1]], html.UnescapeString(o[1]))
		}
	}
	for name, of := range values {
		if name != "size" && name != "sort" {
			list = append(list, pageFilter{name: name, values: of})
		}
	}
	for _, m := range paneDay.FindAllStringSubmatch(page, -1) {
		list = append(list, pageFilter{name: m[1], day: true})
	}
	slices.SortFunc(list, func(a, b pageFilter) int { return strings.Compare(a.name, b.name) })
	if len(list) < least {
		return nil, fmt.Errorf("the pane of %s has but %d filters", path, len(list))
	}
	return list, nil
}

// readWords takes names of applicants out of all the data.
func (r *pageRun) readWords(api *client) error {
	type person struct {
		Name struct{ Given, Family string }
	}
	for i := range 5 {
		var people map[string]person
		if err := api.read(get(fmt.Sprintf("/applicants?bySince=%d&limit=100", 1+i*r.applicants/5)), &people); err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(people)) { // the same seed clicks on the same pages
			for _, name := range []string{people[id].Name.Given, people[id].Name.Family} {
				if word, _, _ := strings.Cut(name, " "); len([]rune(word)) > 1 {
					r.words = append(r.words, word)
				}
			}
		}
	}
	if len(r.words) == 0 {
		return fmt.Errorf("no applicant has a name")
	}
	return nil
}

// apiEvery is the time from one call of the API to the next.
const apiEvery = 100 * time.Millisecond

// callAPI makes the next call of the mix.
func (r *pageRun) callAPI(api *client, n int) error {
	mix := []string{"/applicants/%d/applications", "/applicants?bySince=%d&limit=100",
		"/applications?bySince=%d&limit=100",
		"/applications?bySince=%d&expand=*&limit=20", "/invoices?bySince=%d&limit=100", "/journal?limit=100"}
	path := mix[n%len(mix)]
	if strings.Contains(path, "%d") {
		path = fmt.Sprintf(path, 1+rand.New(rand.NewPCG(r.seed, uint64(n))).IntN(r.applicants))
	}
	_, _, err := api.do(get(path))
	if err != nil && strings.Contains(err.Error(), "404 Not Found") {
		return nil // who is gone has no applications, which is an answer too
	}
	return err
}
