package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// portalOptions say how the pages of applicants are measured.
type portalOptions struct {
	on      bool
	people  int // who sign in by a link that was mailed to them
	typists int // of them, who fill in a form at the same time
	submit  int // how many others submit their applications in a second
}

// atOnce is how many people are on the way in at the same time.
const atOnce = 32

// typesEvery is how often a page keeps what somebody is typing.
const typesEvery = 10 * time.Second

// withPassword is how many of the people choose a password, and sign in with it again and again.
const withPassword = 16

// measurePortal lets people sign in by the links that were mailed to them, sign in by passwords, and fill in forms, on
// each engine, and prints how many did in a second and what that took.
func measurePortal(ctx context.Context, o options, binary, work string) error {
	return onEngines(ctx, o, binary, work, (*pagesEngine).measurePortal)
}

func (e *pagesEngine) measurePortal(ctx context.Context, o options, binary, work string) error {
	key, err := createKey(ctx, binary, e.data, e.environment...)
	if err != nil {
		return err
	}
	links, load := &mailedLinks{links: map[string]string{}}, loadNow()
	server, stop, err := e.serve(ctx, o, binary, links.take)
	if err != nil {
		return err
	}
	defer stop()
	run := &portalRun{ctx: ctx, o: o, engine: e, server: server, links: links,
		api: newClients(ctx, server.url+"/api/v10", key)}
	for _, step := range []func() error{run.signIn, run.signInByPassword, run.typeAtOnce, run.submit} {
		if err := step(); err != nil {
			return err
		}
	}
	fmt.Printf("\n%s, %d applicants; load %s before and %s after; peak memory %s\n\n", e.name, o.applicants, load, loadNow(),
		mebibytes(server.peak()))
	writeMarkdown(os.Stdout, []string{"what", "times", "at once", "per second", "p50", "p95", "most",
		"CPU of the service each", "of the database", "of the clients"}, run.rows)
	return nil
}

// mailedLinks are the links to sign in that mails brought, by address.
type mailedLinks struct {
	mu    sync.Mutex
	links map[string]string
}

var mailedLink = regexp.MustCompile(`/sign-in/link/[A-Za-z0-9_-]{20,}`)

// take reads the link in a message. It is whole in one of its lines, or broken by the encoding of the mail.
func (l *mailedLinks) take(d delivery) {
	text := strings.NewReplacer("=\r\n", "", "=\n", "").Replace(string(d.content))
	if link := mailedLink.FindString(text); link != "" {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.links[d.to] = link
	}
}

// to is the link that an address has got; "": none.
func (l *mailedLinks) to(email string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.links[email]
}

// portalRun is one run on one engine.
type portalRun struct {
	ctx    context.Context
	o      options
	engine *pagesEngine
	server *server
	links  *mailedLinks
	api    []*client
	people []*person // who are signed in
	rows   [][]string

	document []byte // what is handed in
}

// invited is somebody who was mailed a link.
type invited struct {
	id          string
	email, link string
}

// invite registers people through the API, which mails them their links before it answers.
func (r *portalRun) invite(people int) ([]invited, error) {
	list := make([]invited, people)
	begun := time.Now().UnixNano()
	return list, forEach(len(r.api), people, func(i, n int) error {
		in := invited{email: fmt.Sprintf("portal-%d-%d@example.org", begun, n)}
		body := fmt.Sprintf(`{"email":%q,"name":"Ann Pórtal","citizenship":"HU"}`, in.email)
		_, head, err := r.api[i].do(call{method: http.MethodPost, path: "/applicants", body: body,
			status: http.StatusCreated})
		if err != nil {
			return err
		}
		if in.id, in.link = path.Base(head.Get("Location")), r.links.to(in.email); in.link == "" {
			return fmt.Errorf("%s got no link", in.email)
		}
		list[n] = in
		return nil
	})
}

// forEach does something for each of so many, by so many workers; i is the worker.
func forEach(workers, times int, do func(i, n int) error) error {
	var next atomic.Int64
	return eachOf(workers, func(i int) error {
		for n := next.Add(1) - 1; n < int64(times); n = next.Add(1) - 1 {
			if err := do(i, int(n)); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachOf runs do so many times at once, and waits for all.
func eachOf(n int, do func(i int) error) error {
	faults := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { faults[i] = do(i) })
	}
	group.Wait()
	return errors.Join(faults...)
}

// signIn lets all people open their link, press the button, and see where they stand.
func (r *portalRun) signIn() error {
	say("%d people get a link on %s", r.o.portal.people, r.engine.name)
	list, err := r.invite(r.o.portal.people)
	if err != nil {
		return err
	}
	r.people = make([]*person, min(len(list), max(r.o.portal.typists, withPassword)))
	return r.measure("link, session, /my", len(list), atOnce, func(n int) error {
		p, err := r.enter(list[n])
		if n < len(r.people) {
			r.people[n] = p
		} else if p != nil {
			p.http.CloseIdleConnections() // the others leave
		}
		return err
	})
}

// signInByPassword lets some people choose a password, and measures how often they sign in with it.
func (r *portalRun) signInByPassword() error {
	some := r.people[:min(withPassword, len(r.people))]
	for _, p := range some {
		if err := p.later(); err != nil {
			return err
		}
		form, err := p.form("/my/password")
		if err != nil {
			return err
		}
		form.Set("password", pagesPassword)
		form.Set("password_again", pagesPassword)
		if err := p.post("/my/password", form); err != nil {
			return err
		}
	}
	return r.measure("password, session, /my", 4*len(some), len(some), func(n int) error {
		p, err := r.visit()
		if err != nil {
			return err
		}
		form, err := p.form("/sign-in")
		if err != nil {
			return err
		}
		form.Set("email", some[n%len(some)].email)
		form.Set("password", pagesPassword)
		form.Set("do", "password")
		if err := p.post("/sign-in", form); err != nil {
			return err
		}
		return p.isIn()
	})
}

// typeAtOnce lets people fill in a form, each with a page that keeps what they type every ten seconds.
func (r *portalRun) typeAtOnce() error {
	typists := r.people[:min(r.o.portal.typists, len(r.people))]
	forms := make([]url.Values, len(typists))
	if err := forEach(atOnce, len(typists), func(_, n int) (err error) {
		if err = typists[n].later(); err == nil {
			forms[n], err = typists[n].form("/my/account/person")
		}
		return err
	}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.ctx, r.o.pages.time)
	defer cancel()
	var mu sync.Mutex
	var times []float64
	done := r.cost()
	err := eachOf(len(typists), func(i int) error {
		delay := typesEvery * time.Duration(i) / time.Duration(len(typists))
		return paced(ctx, delay, typesEvery, func(n int) error {
			forms[i].Set("given", "Ann "+strconv.Itoa(n))
			begun := time.Now()
			err := typists[i].post("/my/draft", forms[i])
			mu.Lock()
			defer mu.Unlock()
			times = append(times, float64(time.Since(begun)))
			return err
		})
	})
	if err == nil {
		r.row("what is typed is kept", len(typists), times, done())
	}
	return err
}

// measure does something so many times, so many at once.
func (r *portalRun) measure(what string, times, workers int, do func(n int) error) error {
	say("%s: %d times, %d at once", what, times, workers)
	took := make([]float64, times)
	done, profiled := r.cost(), r.profile(what)
	err := forEach(workers, times, func(_, n int) error {
		begun := time.Now()
		if err := do(n); err != nil {
			return err
		}
		took[n] = float64(time.Since(begun))
		return r.ctx.Err()
	})
	if err == nil {
		r.row(what, workers, took, done())
	}
	return errors.Join(err, profiled())
}

// profile takes a CPU profile of the service if one is wanted, until the function is called that it returns.
func (r *portalRun) profile(what string) func() error {
	if r.o.profiles == "" {
		return func() error { return nil }
	}
	name, _, _ := strings.Cut(what, ",")
	done := make(chan error, 1)
	go func() {
		done <- download(fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", r.server.metrics,
			int(profileTime.Seconds())), filepath.Join(r.o.profiles, "portal-"+r.engine.name+"-"+name+".cpu.pprof"))
	}()
	return func() error { return <-done }
}

// expense is what something took.
type expense struct{ clock, service, database, clients time.Duration }

// cost begins to measure what is done until the function is called that it returns.
func (r *portalRun) cost() func() expense {
	now := func() (e expense) {
		e.service, e.clients = exact(r.server.cmd.Process.Pid), exact(os.Getpid())
		if r.engine.cluster != nil {
			e.database = r.engine.cluster.exactOfAll()
		}
		return e
	}
	before, begun := now(), time.Now()
	return func() expense {
		after := now()
		return expense{clock: time.Since(begun), service: max(after.service-before.service, 0),
			database: max(after.database-before.database, 0), clients: max(after.clients-before.clients, 0)}
	}
}

func (r *portalRun) row(what string, workers int, times []float64, e expense) {
	n := time.Duration(len(times))
	if n == 0 {
		return
	}
	rate, each := "", func(time.Duration) string { return "" } // of what is part of something
	if e.clock != 0 {
		rate = fmt.Sprintf("%.0f", float64(n)/e.clock.Seconds())
		each = func(of time.Duration) string { return duration(of / n) }
	}
	atOnce := strconv.Itoa(workers)
	if workers == 0 {
		atOnce = "as they come"
	}
	slices.Sort(times)
	r.rows = append(r.rows, []string{what, strconv.Itoa(len(times)), atOnce, rate,
		duration(time.Duration(percentile(times, 50))),
		duration(time.Duration(percentile(times, 95))), duration(time.Duration(percentile(times, 100))),
		each(e.service), each(e.database), each(e.clients)})
}

// person is an applicant with a browser of their own.
type person struct {
	run   *portalRun
	http  *http.Client
	at    string // the path of the last page, which may be another than was asked for
	email string
}

func (r *portalRun) visit() (*person, error) {
	browser, err := newBrowser()
	return &person{run: r, http: browser}, err
}

// enter goes the way from a link to /my.
func (r *portalRun) enter(in invited) (*person, error) {
	p, err := r.visit()
	if err != nil {
		return nil, err
	}
	p.email = in.email
	form, err := p.form(in.link)
	if err != nil {
		return nil, err
	}
	if err := p.post(in.link, form); err != nil {
		return nil, err
	}
	return p, p.isIn()
}

// isIn opens /my, which asks first for what is missing before one starts, and wants to be let in.
func (p *person) isIn() error {
	_, err := p.get("/my")
	if err == nil && !strings.HasPrefix(p.at, "/my") {
		err = fmt.Errorf("/my leads to %s", p.at)
	}
	return err
}

// later leaves what is asked before one starts for another day.
func (p *person) later() error {
	form, err := p.form("/my/welcome")
	if err == nil {
		form.Set("do", "later")
		err = p.post("/my/welcome", form)
	}
	return err
}

func (p *person) get(path string) (string, error) {
	request, err := http.NewRequestWithContext(p.run.ctx, http.MethodGet, p.run.server.url+path, nil)
	if err != nil {
		return "", err
	}
	return p.ask(request)
}

// post sends a form, and opens the page that it leads to.
func (p *person) post(path string, form url.Values) error {
	request, err := formRequest(p.run.ctx, p.run.server.url, path, form)
	if err != nil {
		return err
	}
	_, err = p.ask(request)
	return err
}

func (p *person) ask(request *http.Request) (string, error) {
	path := request.URL.Path
	answer, err := p.http.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return "", err
	}
	p.at = answer.Request.URL.Path
	if answer.StatusCode >= 300 {
		return "", fmt.Errorf("%s %s: %s at %s: %.2000s", request.Method, path, answer.Status, answer.Request.URL, text)
	}
	return string(text), nil
}

var (
	postForm   = regexp.MustCompile(`(?s)<form [^>]*method="post"[^>]*>(.*?)</form>`)
	formInput  = regexp.MustCompile(`<input [^>]*>`)
	inputName  = regexp.MustCompile(` name="([^"]*)"`)
	inputValue = regexp.MustCompile(` value="([^"]*)"`)
)

// form is what the main form of a page sends as it is: that with the most fields.
func (p *person) form(path string) (url.Values, error) {
	page, err := p.get(path)
	if err != nil {
		return nil, err
	}
	if p.at != path {
		return nil, fmt.Errorf("%s leads to %s", path, p.at)
	}
	return formOf(path, page)
}

// formOf is form with the page.
func formOf(path, page string) (url.Values, error) {
	var most []string // nothing but a button is a form, too
	forms := postForm.FindAllStringSubmatch(page[max(strings.Index(page, "<main"), 0):], -1)
	if len(forms) == 0 {
		return nil, fmt.Errorf("%s has no form", path)
	}
	for _, form := range forms {
		if inputs := formInput.FindAllString(form[1], -1); len(inputs) > len(most) {
			most = inputs
		}
	}
	values := url.Values{}
	for _, input := range most {
		name, value := inputName.FindStringSubmatch(input), inputValue.FindStringSubmatch(input)
		if name == nil || strings.Contains(input, `type="checkbox"`) || strings.Contains(input, `type="radio"`) {
			continue
		}
		if values.Set(html.UnescapeString(name[1]), ""); value != nil {
			values.Set(html.UnescapeString(name[1]), html.UnescapeString(value[1]))
		}
	}
	return values, nil
}
