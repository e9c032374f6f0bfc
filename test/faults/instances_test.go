package faults_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/wait"
	"github.com/admitto/admitto/test/internal/documents"
)

// pair starts two instances on one PostgreSQL, each with a data folder of its own.
func pair(t *testing.T, p *place, flags ...string) [2]*service {
	t.Helper()
	p.flags = append(p.flags, flags...)
	key, _ := p.key()
	return [2]*service{p.serve().as(key), p.another().serve().as(key)}
}

// The same addresses are created from both sides at once, each twice: everybody is there once and was told once.
func TestCreateOnBothSides(t *testing.T) {
	p := onPostgres(t)
	mails := startMailServer(t)
	sides := pair(t, p, "--mail.smtp="+mails.url, "--quota.per-minute=0", "--quota.per-hour=0")
	people := either(500, 5000)
	begun := time.Now()
	var created, existing, later atomic.Int64
	var running sync.WaitGroup
	const clients = 8
	for i := range clients {
		running.Go(func() {
			side := sides[i%2]
			// Both clients of a quarter of the addresses go through them in the same order, one on each side.
			for n := i / 2; n < people; n += clients / 2 {
				for decided := false; !decided; {
					a, err := side.create(fmt.Sprintf("p%d@example.org", n))
					switch {
					case err == nil && a.status == 201:
						created.Add(1)
						decided = true
					case err == nil && a.status == 409 && a.header.Get("Location") != "":
						existing.Add(1)
						decided = true
					case err == nil && a.isLater(): // the other side is at it
						later.Add(1)
					default:
						t.Errorf("p%d: %v, %+v", n, err, a)
						return
					}
				}
			}
		})
	}
	running.Wait()
	t.Logf("%d creates of %d addresses in %v: %d times 201, %d times 409, %d times 503", 2*people, people,
		time.Since(begun).Round(100*time.Millisecond), created.Load(), existing.Load(), later.Load())
	if created.Load() != int64(people) || existing.Load() != int64(people) {
		t.Errorf("%d created and %d refused, want %d of each", created.Load(), existing.Load(), people)
	}
	told := map[string]int{}
	for _, d := range mails.all() {
		told[d.to]++
	}
	for n := range people {
		if told[fmt.Sprintf("p%d@example.org", n)] != 1 {
			t.Errorf("p%d was told %d times", n, told[fmt.Sprintf("p%d@example.org", n)])
		}
	}
	if n := p.number("SELECT count(*) FROM applicant WHERE visible"); n != int64(people) || len(mails.all()) != people {
		t.Errorf("%d applicants and %d mails, want %d of each", n, len(mails.all()), people)
	}
	for _, side := range sides {
		side.Terminate()
	}
	p.whole()
}

// A key is revoked while both instances serve it all the time. When the command has returned it works on neither.
func TestRevokeOnBothSides(t *testing.T) {
	p := onPostgres(t)
	sides := pair(t, p, "--quota.per-minute=0", "--quota.per-hour=0")
	for range either(3, 30) {
		key, id := p.key()
		var passed, afterwards atomic.Int64
		var revoked atomic.Bool
		stop := make(chan struct{})
		var running sync.WaitGroup
		for i := range 4 {
			running.Go(func() {
				side := sides[i%2].as(key)
				for {
					select {
					case <-stop:
						return
					default:
					}
					over := revoked.Load() // before it is sent
					a, err := side.get("/api/v10/ping")
					switch {
					case err != nil || a.status != 200 && a.status != 401:
						t.Errorf("%v, %+v", err, a)
						return
					case a.status == 200 && over:
						t.Error("a revoked key works")
						return
					case a.status == 200:
						passed.Add(1)
					case over:
						afterwards.Add(1)
					}
				}
			})
		}
		wait.Until(t, "both sides know the key", func() bool { return passed.Load() > 50 })
		p.must("keys", "revoke", id)
		revoked.Store(true)
		wait.Until(t, "it is refused", func() bool { return afterwards.Load() > 50 })
		close(stop)
		running.Wait()
	}
}

// Requests of one key pass on both sides at once: together no more than the quota, and no less.
func TestQuotaOnBothSides(t *testing.T) {
	const quota = 150
	p := onPostgres(t)
	sides := pair(t, p, "--quota.per-minute=0", fmt.Sprintf("--quota.per-hour=%d", quota))
	paths := map[string]int{"/api/v10/ping": 200, "/api/v10/applicants?limit=5": 200, "/api/v10/applicants/1": 404,
		"/api/v10/applicants?limit=x": 400, "/api/v10/nothing": 404, "/api/v10/courses": 200}
	names := slices.Sorted(maps.Keys(paths))
	var passed, refused atomic.Int64
	var running sync.WaitGroup
	for i := range 8 {
		running.Go(func() {
			for n := range quota / 4 {
				path := names[(i+n)%len(names)]
				a, err := sides[i%2].get(path)
				switch {
				case err == nil && a.status == paths[path] && a.header.Get("RateLimit") != "":
					passed.Add(1)
				case err == nil && a.status == 429 && a.header.Get("Retry-After") != "":
					refused.Add(1)
				default:
					t.Errorf("%v, %+v", err, a)
				}
			}
		})
	}
	running.Wait()
	if passed.Load() != quota || refused.Load() != 8*(quota/4)-quota {
		t.Errorf("%d passed and %d were refused of a quota of %d", passed.Load(), refused.Load(), quota)
	}
}

// Who has used up the quota on one side is refused on the other, where that is found out next to the first read, with
// the same answer as where it is known before.
func TestQuotaUsedUpOnTheOtherSide(t *testing.T) {
	p := onPostgres(t)
	sides := pair(t, p, "--quota.per-minute=0", "--quota.per-hour=20")
	for _, path := range []string{"/api/v10/applicants", "/api/v10/applicants"} { // the first one makes the count known
		sides[0].want(200)(sides[0].get(path))
	}
	for range 18 {
		sides[1].want(200)(sides[1].get("/api/v10/ping"))
	}
	var first answer
	requestID := regexp.MustCompile(`"request_id":"[^"]*"`)
	for i := range 3 {
		a := sides[0].want(429)(sides[0].get("/api/v10/applicants"))
		a.body = requestID.ReplaceAllString(a.body, "")
		for _, name := range []string{"Date", "X-Request-Id", "RateLimit", "Retry-After"} {
			if a.header.Get(name) == "" {
				t.Errorf("there is no %s", name)
			}
			a.header.Del(name)
		}
		if i == 0 {
			first = a
			continue
		}
		retry := regexp.MustCompile(`\d+ seconds?`)
		if !reflect.DeepEqual(first.header, a.header) {
			t.Errorf("%v\nand\n%v", first.header, a.header)
		}
		if retry.ReplaceAllString(first.body, "") != retry.ReplaceAllString(a.body, "") {
			t.Errorf("%s\nand\n%s", first.body, a.body)
		}
	}
}

// Both instances find the same jobs due, which cause mails: each mail leaves once and each run is done once.
func TestJobsOnBothSides(t *testing.T) {
	p := onPostgres(t)
	mails := startMailServer(t)
	p.flags = append(p.flags, "--mail.smtp="+mails.url)
	p.must("demo", "--applicants=300", "--seed=5")
	hour := time.Now().Add(-24 * time.Hour).UnixMicro()
	p.touch(func(tx *store.Tx) error { // every job has run a day ago, so all are due now
		for _, job := range jobs.SharedNames() {
			if _, err := sqltest.In(tx).Exec("INSERT INTO job_run (job, due, lease, lease_until, finished) VALUES ($1, $2, 1, 0, $2)", job, hour); err != nil {
				return err
			}
		}
		// Whatever the day, some open invoices are due three days after the run, so that reminders are sent.
		for i := range 3 {
			if _, err := sqltest.In(tx).Exec("UPDATE invoice SET deadline = $1, reminder = TRUE, reminded = NULL, lapsed = NULL WHERE collected IS NULL AND id % 3 = $2",
				time.Now().UTC().AddDate(0, 0, 2+i).Format(time.DateOnly), i); err != nil {
				return err
			}
		}
		return nil
	})
	sides := pair(t, p)
	wait.Until(t, "all jobs have run", func() bool {
		return p.number("SELECT count(DISTINCT job) FROM job_run WHERE due > $1 AND finished IS NOT NULL",
			hour) == int64(len(jobs.SharedNames())) &&
			p.number("SELECT count(*) FROM outbox") == 0
	})
	if n := p.number("SELECT count(*) FROM job_run WHERE due > $1 AND lease > 1", hour); n != 0 {
		t.Errorf("%d runs were begun twice", n)
	}
	seen := map[string]int{}
	for _, d := range mails.all() {
		seen[d.id]++
		if seen[d.id] > 1 {
			t.Errorf("a mail left twice: %s", d.data)
		}
	}
	if len(seen) == 0 {
		t.Error("no job has sent a mail; invent more applicants")
	}
	if n := p.number("SELECT count(*) FROM (SELECT 1 FROM email WHERE inserted > $1 GROUP BY applicant_id, subject, message HAVING count(*) > 1) d", hour); n != 0 {
		t.Errorf("%d applicants were written to twice", n)
	}
	t.Logf("%d mails by jobs", len(seen))
	for _, side := range sides {
		side.Terminate()
	}
	p.whole()
}

// A stolen read-only key walks every operation of every version, as the OpenAPI documents list them: it is refused at
// everything that is not reading, and nothing is another than before.
func TestReadOnlyKey(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, p *place) {
		p.must("demo", "--applicants=30", "--seed=3")
		key, _ := p.key("--read-only")
		s := p.serve("--quota.per-minute=0", "--quota.per-hour=0").as(key)
		state := func() string {
			return fmt.Sprint(p.number("SELECT max(id) FROM journal"), p.number("SELECT count(*) FROM applicant"),
				p.number("SELECT count(*) FROM email"),
				p.number("SELECT count(*) FROM outbox"), p.number("SELECT count(*) FROM document"),
				p.number("SELECT count(*) FROM invoice"),
				p.number("SELECT count(*) FROM api_key"), p.number("SELECT CAST(sum(row_version) AS bigint) FROM application"))
		}
		before := state()
		tried, read := 0, 0
		for _, version := range documents.Versions(t) {
			for _, o := range operations(t, version) {
				body := ""
				if o.method != "GET" {
					body = `{"name":"Ilse Varga","email":"stolen@example.org"}`
				}
				a, err := s.do(o.method, fmt.Sprintf("/api/v%d%s", version, o.path), "application/json", body)
				switch {
				case err != nil || a.status >= 500:
					t.Errorf("%s %s: %v, %+v", o.method, o.path, err, a)
				case o.method == "GET":
					read++
				case a.status != 403:
					t.Errorf("version %d: %s %s: status %d %s", version, o.method, o.path, a.status, a.body)
				default:
					tried++
				}
			}
		}
		if tried < 300 || read < 300 {
			t.Errorf("%d writes and %d reads were tried", tried, read)
		}
		s.Terminate()
		if after := state(); before != after {
			t.Errorf("before %s, after %s", before, after)
		}
		t.Logf("%d writes in 10 versions were refused", tried)
	})
}

type operation struct{ method, path string }

// operations lists what a version has, with 1 for every ID.
func operations(t *testing.T, version int) (list []operation) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "openapi", fmt.Sprintf("openapi-v%d.json", version)))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for path, methods := range document.Paths {
		for path != "" && strings.Contains(path, "{") {
			before, rest, _ := strings.Cut(path, "{")
			_, after, _ := strings.Cut(rest, "}")
			path = before + "1" + after
		}
		for method := range methods {
			switch method = strings.ToUpper(method); method {
			case "GET", "POST", "PUT", "PATCH", "DELETE":
				list = append(list, operation{method, path})
			}
		}
	}
	return list
}
