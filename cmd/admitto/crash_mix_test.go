package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/wait"
)

// ledger is what one client knows of the writes it has sent. Every client has applications of its own, so what it
// was told is what must be there.
type ledger struct {
	client       int
	random       *rand.Rand
	count        int
	begun        atomic.Int64 // as count, for who looks on
	applications []writable
	values       map[string]*value     // of what PUT sets, by path
	creations    map[string]*creation  // by Idempotency-Key
	confirmed    map[string]*confirmed // letters of offers, by path
}

// writable is an application and what hangs on it that the clients change.
type writable struct {
	path, applicant   string
	offers, tasks     []string
	invoices          []string
	mayUpload, isOpen bool
}

// value is the last one that was acknowledged, and the one whose outcome is unknown.
type value struct{ known, pending string }

// creation is a POST that is sent until it was acknowledged.
type creation struct {
	path, contentType, body, marker string
	location                        string // "" while the outcome is unknown
}

// confirmed counts the letters of an offer: those acknowledged, and those whose outcome is unknown.
type confirmed struct{ least, most int }

// The service is killed at random times in the middle of a mix of writes. Afterwards everything that was
// acknowledged is there, nothing is there twice, the journal is whole, and the bytes of every file are stored.
func TestKillMix(t *testing.T) {
	if !apptest.Long() {
		return
	}
	onEach(t, func(t *testing.T, p *place) {
		seed := uint64(time.Now().UnixNano())
		if text := os.Getenv("ADMITTO_TEST_SEED"); text != "" {
			seed, _ = strconv.ParseUint(text, 10, 64)
		}
		t.Logf("ADMITTO_TEST_SEED=%d", seed)
		random := rand.New(rand.NewPCG(seed, 2))
		cycles := 10
		if p.shared {
			cycles = 4
		}
		if os.Getenv("ADMITTO_TEST_FAULTS") == "full" {
			cycles = 40
		}
		p.flags = append(p.flags, "--quota.per-minute=0", "--quota.per-hour=0")
		p.must("demo", "--applicants=120", "--seed=7")
		key := p.must("keys", "create", "--name=Mix")
		clients := p.ledgers(seed, 4)
		for cycle := range cycles {
			s := p.serve()
			s.key = key
			killed := make(chan struct{})
			var running sync.WaitGroup
			for _, l := range clients {
				if cycle > 0 {
					l.check(s)
				}
				running.Go(func() { l.write(s, killed) })
			}
			most := writes(clients) + 10 + random.Int64N(60)
			wait.Ever(func() bool { return writes(clients) > most }, nil)
			_ = s.cmd.Process.Kill()
			close(killed)
			if s.end() != -1 {
				t.Fatalf("the service ended by itself: %s", s.stderr)
			}
			running.Wait()
		}
		s := p.serve()
		s.key = key
		count := 0
		for _, l := range clients {
			l.check(s)
			l.settle(s)
			count += l.count
		}
		wait.Until(t, "all mails have left", func() bool { return p.number("SELECT count(*) FROM outbox") == 0 })
		s.terminate()
		t.Logf("%d writes in %d cycles", count, cycles)
		p.checkWhole()
		apptest.CountKills(t, cycles)
	})
}

// writes is how many writes have begun.
func writes(clients []*ledger) (n int64) {
	for _, l := range clients {
		n += l.begun.Load()
	}
	return n
}

// ledgers divides the applications among the clients.
func (p *place) ledgers(seed uint64, clients int) []*ledger {
	list := make([]*ledger, clients)
	for i := range list {
		list[i] = &ledger{client: i, random: rand.New(rand.NewPCG(seed, uint64(100+i))), values: map[string]*value{},
			creations: map[string]*creation{}, confirmed: map[string]*confirmed{}}
	}
	paths := func(tx *store.Tx, form, sql string, application int64) (found []string) {
		rows := sqltest.In(tx).Query(sql, application)
		for rows.Next() {
			found = append(found, fmt.Sprintf(form, application, rows.Int64(0)))
		}
		if err := rows.Close(); err != nil {
			p.t.Fatal(err)
		}
		return found
	}
	p.look(func(tx *store.Tx) error {
		var ids, applicants []int64
		var statuses []string
		rows := sqltest.In(tx).Query("SELECT id, applicant_id, status FROM application WHERE visible ORDER BY id LIMIT 80")
		for rows.Next() {
			ids, applicants, statuses = append(ids, rows.Int64(0)), append(applicants, rows.Int64(1)), append(statuses,
				rows.Text(2))
		}
		if err := rows.Close(); err != nil {
			return err
		}
		for i, id := range ids {
			w := writable{path: fmt.Sprintf("/api/v10/applications/%d", id),
				applicant: fmt.Sprintf("/api/v10/applicants/%d", applicants[i]),
				offers:    paths(tx, "/api/v10/applications/%d/offers/%d", "SELECT id FROM offer WHERE application_id = $1", id),
				tasks: paths(tx, "/api/v10/applications/%d/tasks/%d",
					"SELECT id FROM task WHERE application_id = $1 AND trashed IS NULL", id),
				isOpen:    statuses[i] == "Submitted",
				mayUpload: statuses[i] != "Withdrawn" && statuses[i] != "Closed"}
			l := list[int(applicants[i])%clients] // one applicant is one client's
			l.applications = append(l.applications, w)
		}
		return nil
	})
	for _, l := range list {
		if len(l.applications) == 0 {
			p.t.Fatal("a client has no application; invent more applicants")
		}
	}
	return list
}

// write sends writes until the service is killed.
func (l *ledger) write(s *service, killed <-chan struct{}) {
	for {
		select {
		case <-killed:
			return
		default:
		}
		if !l.step(s) {
			return
		}
	}
}

// step sends one write and reports whether the service still answers.
func (l *ledger) step(s *service) bool {
	l.count++
	l.begun.Add(1)
	w := &l.applications[l.random.IntN(len(l.applications))]
	text := fmt.Sprintf("c%d-%d", l.client, l.count)
	switch n := l.random.IntN(8); {
	case n == 0:
		return l.create(s, w.path+"/invoices", "application/json",
			fmt.Sprintf(`{"items":[{"item":"%s","price":"12.50"}],"send":false}`, text), text)
	case n == 1 && w.mayUpload:
		form := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + text + ".txt\"\r\n\r\n" + text +
			"\r\n--b--\r\n"
		return l.create(s, w.path+"/documents", "multipart/form-data; boundary=b", form, text)
	case n == 2:
		return l.create(s, w.applicant+"/notes", "application/json", fmt.Sprintf(`{"notes":"%s"}`, text), text)
	case n == 3:
		return l.put(s, w.applicant+"/matriculation", text)
	case n == 4 && len(w.tasks) > 0:
		return l.put(s, w.tasks[l.random.IntN(len(w.tasks))]+"/status", text)
	case n == 5 && len(w.offers) > 0:
		return l.put(s, w.offers[l.random.IntN(len(w.offers))]+"/subject", text)
	case n == 6 && len(w.invoices) > 0:
		path := w.invoices[l.random.IntN(len(w.invoices))]
		return l.create(s, path+"/transactions", "application/json", `{"amount":"0.01"}`, "")
	case len(w.offers) > 0 && w.isOpen:
		return l.confirm(s, w.offers[l.random.IntN(len(w.offers))], text)
	}
	return true
}

// send sends a request; ok is false when there was no answer.
func (l *ledger) send(s *service, method, path, contentType, body, token string) (a answer, ok bool) {
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return a, false
	}
	r.Header.Set("Authorization", `SERVICE apikey="`+s.key+`"`)
	r.Header.Set("Content-Type", contentType)
	if token != "" {
		r.Header.Set("Idempotency-Key", token)
	}
	a, err = ask(s.client, r)
	return a, err == nil
}

// put sets a value.
func (l *ledger) put(s *service, path, text string) bool {
	v := l.values[path]
	if v == nil {
		v = &value{}
		if a, ok := l.send(s, "GET", path, "", "", ""); !ok {
			return false
		} else if json.Unmarshal([]byte(a.body), &v.known) != nil {
			s.t.Errorf("GET %s: %+v", path, a)
		}
		l.values[path] = v
	}
	v.pending = text
	a, ok := l.send(s, "PUT", path, "application/json", strconv.Quote(text), "")
	if ok && a.status != 204 {
		s.t.Errorf("PUT %s: %+v", path, a)
	}
	if ok {
		v.known, v.pending = text, ""
	}
	return ok
}

// create sends a creation under a key of its own.
func (l *ledger) create(s *service, path, contentType, body, marker string) bool {
	token := fmt.Sprintf("k%d-%d", l.client, l.count)
	l.creations[token] = &creation{path: path, contentType: contentType, body: body, marker: marker}
	return l.repeat(s, token)
}

// repeat sends a creation (again) until its outcome is known.
func (l *ledger) repeat(s *service, token string) bool {
	c := l.creations[token]
	a, ok := l.send(s, "POST", c.path, c.contentType, c.body, token)
	switch {
	case !ok:
		return false
	case a.status == 409 && strings.Contains(a.body, "in-progress"):
		return true // the call that was cut off holds its lease for a while
	case a.status == 400 && strings.Contains(a.body, "over-payment"):
		delete(l.creations, token)
		return true
	case a.status != 201:
		s.t.Errorf("POST %s: %+v", c.path, a)
		return true
	}
	c.location = a.header.Get("Location")
	if strings.HasSuffix(c.path, "/invoices") {
		for i := range l.applications {
			if l.applications[i].path+"/invoices" == c.path {
				l.applications[i].invoices = append(l.applications[i].invoices,
					"/api/v10/invoices/"+c.location[strings.LastIndexByte(c.location, '/')+1:])
			}
		}
	}
	return true
}

// confirm changes the text of an offer and sends its letter.
func (l *ledger) confirm(s *service, path, text string) bool {
	c := l.confirmed[path]
	if c == nil {
		c = &confirmed{}
		l.confirmed[path] = c
	}
	// Setting the type fills texts in where they are those of the former type: what was read of them counts no more.
	for _, field := range []string{"/subject", "/comments"} {
		if v := l.values[path+field]; v != nil && !strings.Contains(v.known, fmt.Sprintf("c%d-", l.client)) {
			delete(l.values, path+field)
		}
	}
	if _, ok := l.send(s, "PUT", path+"/type", "application/json", "5", ""); !ok {
		return false
	}
	if !l.put(s, path+"/subject", text) || !l.put(s, path+"/comments", "Dear %applicant-Name%, "+text) {
		return false
	}
	c.most++
	a, ok := l.send(s, "POST", path+"/confirm", "", "", "")
	switch {
	case !ok:
		return false
	case a.status == 204:
		c.least++
	case a.status == 400 && strings.Contains(a.body, "not-allowed-now"): // of a term that is over, for example
		c.most--
	default:
		s.t.Errorf("POST %s/confirm: %+v", path, a)
	}
	return true
}

// check compares what the client knows with what the service answers after a restart.
func (l *ledger) check(s *service) {
	for path, v := range l.values {
		var now string
		a := s.want(200, "GET", path, nil)
		if a.body != "null" {
			if err := json.Unmarshal([]byte(a.body), &now); err != nil {
				s.t.Errorf("%s: %v", path, err)
			}
		}
		if now != v.known && (v.pending == "" || now != v.pending) {
			s.t.Errorf("%s is %q; acknowledged was %q, on its way %q", path, now, v.known, v.pending)
		}
		v.known, v.pending = now, ""
	}
	for _, c := range l.creations {
		if c.location == "" {
			continue
		}
		a := s.want(200, "GET", c.location, nil)
		if !strings.Contains(a.body, c.marker) {
			s.t.Errorf("%s was made with %q and is %s", c.location, c.marker, a.body)
		}
	}
	for path, c := range l.confirmed {
		offer := path[strings.LastIndexByte(path, '/')+1:]
		id, _ := strconv.ParseInt(offer, 10, 64)
		c.letters(s, path, id)
	}
}

// letters compares the letters of an offer with what was acknowledged.
func (c *confirmed) letters(s *service, path string, offer int64) {
	n := int(s.place.number("SELECT count(*) FROM offer_confirmation WHERE offer_id = $1 AND subject LIKE 'c%-%'", offer))
	if n < c.least || n > c.most {
		s.t.Errorf("%s has %d letters; %d were acknowledged, %d sent", path, n, c.least, c.most)
	}
	c.least, c.most = n, n
}

// settle sends again what has no known outcome, and then finds each creation exactly once.
func (l *ledger) settle(s *service) {
	for token, c := range l.creations {
		wait.Until(s.t, "the outcome of "+c.path, func() bool {
			return c.location != "" || l.creations[token] == nil || l.repeat(s, token) && c.location != ""
		})
		if c.marker == "" || l.creations[token] == nil {
			continue
		}
		list := s.want(200, "GET", c.path, nil).body
		marker := strings.ReplaceAll(c.marker, "-", `-`)
		if strings.HasSuffix(c.path, "/documents") {
			marker += ".txt"
		}
		if n := strings.Count(list, `"`+marker+`"`); n != 1 {
			s.t.Errorf("%q is in %s %d times", c.marker, c.path, n)
		}
	}
}

// checkWhole looks at the database and the files of a service that has stopped.
func (p *place) checkWhole() {
	p.t.Helper()
	p.must("journal", "verify")
	p.look(func(tx *store.Tx) error { return tx.VerifyCounters() })
	for _, c := range []struct{ what, sql string }{
		{"series whose numbers have gaps", `SELECT count(*) FROM (SELECT 1 FROM invoice_number GROUP BY series_id, period
			HAVING max(number) - min(number) + 1 <> count(*)) g`},
		{"invoices without a number of their own", `SELECT count(*) FROM invoice i WHERE (SELECT count(*) FROM invoice_number n WHERE n.invoice_id = i.id AND NOT n.void) <> 1`},
		{"invoices that do not agree with their transactions", `SELECT count(*) FROM invoice i
			WHERE i.paid <> (SELECT coalesce(sum(t.amount), 0) FROM invoice_transaction t WHERE t.invoice_id = i.id) OR i.paid > i.total AND i.total > 0`},
		{"confirmations without their letter",
			`SELECT count(*) FROM offer_confirmation c WHERE c.subject LIKE 'c%-%' AND c.email_id IS NULL`},
		{"mails that neither left nor failed", "SELECT count(*) FROM email WHERE delivered IS NULL AND failed IS NULL AND inserted > 1767225600000000 AND EXISTS (SELECT 1 FROM offer_confirmation c WHERE c.email_id = email.id)"},
	} {
		if n := p.number(c.sql); n != 0 {
			p.t.Errorf("%d %s", n, c.what)
		}
	}
	p.look(func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT hash FROM document UNION SELECT hash FROM offer_attachment UNION SELECT hash FROM email_attachment UNION SELECT hash FROM applicant_photo")
		for rows.Next() {
			hash := rows.Text(0)
			if _, err := os.Stat(filepath.Join(p.folder, "files", hash[:2], hash[2:4], hash)); err != nil {
				p.t.Errorf("the bytes of a file are missing: %v", err)
			}
		}
		return rows.Close()
	})
}
