package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
	"github.com/google/go-cmp/cmp"
)

// dump returns the rows of all tables but those that reading changes, so that a test can tell that nothing
// was written.
func (s *service) dump() string {
	s.t.Helper()
	var b strings.Builder
	content := s.contents(s.t, "api_key", "quota", "search_due")
	for _, table := range slices.Sorted(maps.Keys(content)) {
		fmt.Fprintf(&b, "%s:\n  %s\n", table, strings.ReplaceAll(content[table], "\n", "\n  "))
	}
	return b.String()
}

// refused sends a request that must be refused with the problem, and must write nothing and mail nothing.
func (s *service) refused(t testing.TB, slug string, send func() answer) answer {
	t.Helper()
	before, mails := s.dump(), len(s.mail.Taken())
	a := send()
	if a.status < 400 {
		t.Fatalf("status %d, want a refusal: %s", a.status, a.body)
	}
	a.problem(t, slug)
	if diff := cmp.Diff(before, s.dump()); diff != "" || len(s.mail.Taken()) != mails {
		t.Fatalf("the refused request left something behind: %s", diff)
	}
	return a
}

// faults returns the entries of errors, each as parameter or "/pointer", with #code when there is one.
func (a answer) faults(t testing.TB) []string {
	t.Helper()
	list := []string{}
	entries, _ := a.object(t)["errors"].([]any)
	for _, e := range entries {
		entry := e.(map[string]any)
		name, isParameter := entry["parameter"].(string)
		pointer, isPointer := entry["pointer"].(string)
		if isParameter == isPointer || entry["detail"] == "" {
			t.Fatalf("an entry of errors needs a parameter or a pointer, and a detail: %v", entry)
		}
		if isPointer {
			name = "@" + pointer
		}
		if code, ok := entry["code"].(string); ok {
			name += "#" + code
		}
		list = append(list, name)
	}
	return list
}

// wantFaults compares the entries of errors with a list divided by spaces, whatever their order.
func (a answer) wantFaults(t testing.TB, want string) {
	t.Helper()
	got, wanted := a.faults(t), strings.Fields(want)
	slices.Sort(got)
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		t.Fatalf("faults %q, want %q: %s", got, wanted, a.body)
	}
}

// create creates an applicant with a form and returns its path, /applicants/7.
func (s *service) create(t testing.TB, form string) string {
	t.Helper()
	made := s.postForm("/api/v10/applicants", form).want(t, 201)
	return strings.TrimPrefix(made.header.Get("Location"), "/api/v10")
}

// v10 is a path in version 10.
func v10(path string) string { return "/api/v10" + path }

// events returns the filled names of the journal after the record, and what they link to.
func (s *service) events(t testing.TB, after int64) []string {
	t.Helper()
	list := []string{}
	err := s.store.Read(context.Background(), func(tx *store.Tx) error {
		_, err := tx.EachRecord(admitto.JournalQuery{After: after, Limit: 100_000}, func(r *admitto.Record) error {
			line := r.Filled()
			for _, l := range []struct {
				name string
				id   int64
			}{{"applicant", r.Links.Applicant}, {"tracker", r.Links.Tracker}} {
				if l.id != 0 {
					line += fmt.Sprintf(" %s=%d", l.name, l.id)
				}
			}
			list = append(list, line+" by "+string(r.Actor.Kind))
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// lastEvent returns the ID of the newest record.
func (s *service) lastEvent(t testing.TB) (id int64) {
	t.Helper()
	err := s.store.Read(context.Background(), func(tx *store.Tx) (err error) {
		id, _, err = tx.JournalHead()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// wantEvents compares what was recorded since.
func (s *service) wantEvents(t testing.TB, after int64, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), s.events(t, after)); diff != "" {
		t.Fatalf("events (-want +got): %s", diff)
	}
}

// insert puts applicants into the database next to the API.
func (s *service) insert(t testing.TB, list ...load.ApplicantRow) {
	t.Helper()
	err := s.store.Write(context.Background(), func(tx *store.Tx) error { return load.Applicants(tx, list) })
	if err != nil {
		t.Fatal(err)
	}
}

func TestGetApplicant(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		one := s.create(t, "email=ilse%40example.org&name=Ilse+Varga&notes=Called")
		row := func(path string, status int, slug, faults string, changes ...with) answer {
			t.Helper()
			a := s.get(path, changes...).want(t, status)
			if slug != "" {
				a.problem(t, slug)
			}
			if faults != "" {
				a.wantFaults(t, faults)
			}
			return a
		}
		plain := row(v10(one), 200, "", "")
		for _, c := range []struct {
			path, slug, faults string
			status             int
		}{
			{v10(one) + "/", "", "", 200},
			{v10(one) + "?expand=", "", "", 200},
			{v10(one) + "?expand=trackers,consents+wishes", "", "", 200},
			{v10(one) + "?expand=*", "", "", 200},
			{v10(one) + "?expand=photo,trackers", "invalid-parameter", "expand", 400},
			{v10(one) + "?expand=trackers&expand=wishes", "invalid-parameter", "expand", 400},
			{v10("/applicants/99"), "not-found", "", 404},
			{v10("/applicants/99?expand=photo"), "not-found", "", 404},
			{v10("/applicants/0"), "invalid-id", "", 400},
			{v10("/applicants/1000000000000000000"), "invalid-id", "", 400},
			{v10("/applicants/999999999999999999"), "not-found", "", 404},
			{v10("/applicants/01"), "invalid-id", "", 400},
		} {
			t.Run(c.path, func(t *testing.T) { row(c.path, c.status, c.slug, c.faults) })
		}
		if got := row(v10(one)+"?expand=", 200, "", "").body; got != plain.body {
			t.Errorf("an empty expand changes the record: %s", got)
		}
		if got := row(v10(one)+"?foo=1&Expand=*", 200, "", "").header.Get("Ignored-Parameters"); got != "Expand, foo" {
			t.Errorf("Ignored-Parameters %q", got)
		}
		row(v10(one)+"?foo=1", 400, "invalid-parameter", "foo", header("Prefer", "handling=strict"))
		head := s.do("HEAD", v10(one), "")
		if head.want(t, 200).body != "" || head.header.Get("Content-Length") != fmt.Sprint(len(plain.body)) ||
			head.header.Get("ETag") != plain.header.Get("ETag") {
			t.Errorf("HEAD: %v, GET %v", head.header, plain.header)
		}
	})
}

// Reference and matriculation are the same but for uniqueness and events.
func TestApplicantCodes(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		one := s.create(t, "email=one%40example.org&name=One")
		s.create(t, "email=two%40example.org&name=Two&reference=TAKEN&matriculation=TAKEN")
		long := strings.Repeat("9", 64)
		for _, field := range []string{"reference", "matriculation"} {
			path := v10(one) + "/" + field
			for _, c := range []struct{ name, body, want, event string }{
				{"clear what is clear", "null", "null", ""},
				{"set", `"CRM-20817"`, `"CRM-20817"`, "set"},
				{"the same", ` "CRM-20817" `, `"CRM-20817"`, ""},
				{"white space around the text", `" CRM-20817\n"`, `"CRM-20817"`, ""},
				{"escapes", `"\u0043RM\/20817"`, `"CRM/20817"`, "set"},
				{"a number", "12345", `"12345"`, "set"},
				{"the same as text", `"12345"`, `"12345"`, ""},
				{"empty", `""`, "null", "cleared"},
				{"empty again", `""`, "null", ""},
				{"a long number", long, `"` + long + `"`, "set"},
				{"another", `"A"`, `"A"`, "set"},
				{"64 characters", `"` + long + `"`, `"` + long + `"`, "set"},
				{"clear", "null", "null", "cleared"},
			} {
				t.Run(field+" "+c.name, func(t *testing.T) {
					last := s.lastEvent(t)
					if a := s.do("PUT", path, c.body, header("Content-Type", "image/png")).want(t, 204); a.body != "" {
						t.Fatalf("body %q", a.body)
					}
					if got := s.get(path).want(t, 200); got.body != c.want || got.header.Get("Content-Type") != "application/json" {
						t.Fatalf("%s, want %s", got.body, c.want)
					}
					want := []string{}
					if c.event != "" {
						want = append(want, "Applicant "+field+" was "+c.event+" applicant=1 by api_key")
					}
					s.wantEvents(t, last, want...)
				})
			}
			for _, c := range []struct {
				name, body, slug, faults string
				status                   int
			}{
				{"no body", "", "invalid-body", "@", 400},
				{"white space only", " \n", "invalid-body", "@", 400},
				{"spaces", `"  "`, "invalid-body", "@", 400},
				{"65 characters", `"` + long + `9"`, "invalid-body", "@", 400},
				{"a space inside", `"CRM 1"`, "invalid-body", "@", 400},
				{"other letters", `"Õ1"`, "invalid-body", "@", 400},
				{"a line break", `"a\nb"`, "invalid-body", "@", 400},
				{"NUL", `"a\u0000"`, "invalid-body", "@", 400},
				{"raw control character", "\"a\x01\"", "invalid-body", "@", 400},
				{"not UTF-8", "\"a\xff\"", "invalid-body", "@", 400},
				{"65 digits", long + "9", "invalid-body", "@", 400},
				{"negative number", "-20817", "invalid-body", "@", 400},
				{"number with decimals", "208.17", "invalid-body", "@", 400},
				{"number with an exponent", "1e5", "invalid-body", "@", 400},
				{"true", "true", "invalid-body", "@", 400},
				{"without quotes", "CRM-20817", "invalid-body", "@", 400},
				{"single quotes", "'CRM'", "invalid-body", "@", 400},
				{"object", `{"reference":"CRM"}`, "invalid-body", "@", 400},
				{"array", `["CRM"]`, "invalid-body", "@", 400},
				{"two values", `"a" "b"`, "invalid-body", "@", 400},
				{"value and rubbish", `"a"]`, "invalid-body", "@", 400},
				{"not ended", `"a`, "invalid-body", "@", 400},
				{"form", "reference=CRM", "invalid-body", "@", 400},
				{"too much", strings.Repeat("x", 1<<20+1), "too-large", "", 413},
			} {
				t.Run(field+" "+c.name, func(t *testing.T) {
					s.refused(t, c.slug, func() answer { return s.do("PUT", path, c.body) }).want(t, c.status).wantFaults(t, c.faults)
				})
			}
			for _, body := range []string{"", "rubbish", `"x"`, strings.Repeat("x", 1<<20+1)} {
				s.refused(t, "not-found", func() answer { return s.do("PUT", v10("/applicants/99/"+field), body) }).want(t, 404)
			}
			s.get(v10("/applicants/99/"+field)).want(t, 404)
			s.refused(t, "invalid-parameter", func() answer {
				return s.do("PUT", path+"?x=1", `"ok"`, header("Prefer", "handling=strict"))
			}).wantFaults(t, "x")
			if got := s.do("PUT", path+"?x=1", "null").want(t, 204).header.Get("Ignored-Parameters"); got != "x" {
				t.Errorf("Ignored-Parameters %q", got)
			}
		}
		used := s.refused(t, "invalid-body", func() answer { return s.do("PUT", v10(one)+"/reference", `"TAKEN"`) }).want(t,
			400)
		used.wantFaults(t, "@#reference-in-use")
		if used.object(t)["code"] != "reference-in-use" {
			t.Errorf("%s", used.body)
		}
		s.do("PUT", v10(one)+"/matriculation", `"TAKEN"`).want(t, 204)
	})
}

// A client walks all applicants by the last ID it has seen plus one, while others are created: it sees each
// exactly once and misses none.
func TestWalkWhileOthersCreate(t *testing.T) {
	const created, page = 200, 500
	there := apptest.Size(1500, 5000)
	onBoth(t, func(t *testing.T, s *service) {
		list := make([]load.ApplicantRow, there)
		for i := range list {
			email := fmt.Sprintf("a%d@example.org", i)
			list[i] = load.ApplicantRow{EmailKey: email, Applicant: admitto.Applicant{ID: int64(i)*2 + 1, Type: admitto.Natural,
				State: admitto.ApplicantLive, Registered: start, Email: email, Name: admitto.Name{Family: "A"}}}
		}
		s.insert(t, list...)
		const workers = 4
		done := make(chan string, workers)
		for w := range workers {
			go func() {
				for i := range created / workers {
					form := url.Values{"email": {fmt.Sprintf("new%d.%d@example.org", w, i)}, "name": {"New"}}
					if a := s.postForm(v10("/applicants"), form.Encode()); a.status != 201 {
						done <- a.body
						return
					}
				}
				done <- ""
			}()
		}
		seen := map[string]bool{}
		running, last := workers, int64(0)
		for {
			if running > 0 {
				select {
				case fault := <-done:
					if fault != "" {
						t.Fatal(fault)
					}
					running--
				default:
				}
			}
			finished := running == 0
			before := len(seen)
			last = s.walkPage(t, fmt.Sprintf("/applicants?limit=%d&bySince=%d", page, last+1), last, seen)
			if finished && len(seen) == before {
				break
			}
		}
		if len(seen) != there+created {
			t.Fatalf("%d seen of %d", len(seen), there+created)
		}
		if got := s.do("HEAD", v10("/applicants"), "").header.Get("X-Count"); got != fmt.Sprint(there+created) {
			t.Fatalf("X-Count %s", got)
		}
	})
}

// walkPage reads a page whose IDs must ascend from above last and not be seen yet, and returns the last one.
func (s *service) walkPage(t testing.TB, query string, last int64, seen map[string]bool) int64 {
	t.Helper()
	for _, id := range s.get(v10(query)).want(t, 200).ids(t) {
		if id <= last || seen[fmt.Sprint(id)] {
			t.Fatalf("%d comes after %d, or again", id, last)
		}
		seen[fmt.Sprint(id)], last = true, id
	}
	return last
}

// The number of statements of a list does not grow with what it lists.
func TestListStatements(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		paths := []string{"/api/v10/applicants", "/api/v5/applicants", "/api/v10/applicants?expand=*",
			"/api/v10/applicants?bySince=2026-03-09&byTrackerCodes=AB",
			"/api/v10/applicants?byCitizenships=EE,LV&byTrackerIDs=1", "/api/v10/applicants/trackers",
			"/api/v10/applicants/1/trackers",
			"/api/v10/journal", "/api/v10/journal?byEvents=Applicant was collected&bySince=2026-03-09"}
		s.postForm(v10("/applicants/trackers"), "code=AB").want(t, 201)
		s.create(t, "email=first%40example.org&name=First&notes=Hello&tracker_ID=1&citizenship=EE")
		count := func() (list []int64) {
			for _, path := range paths {
				before := s.store.Statements()
				s.get(strings.ReplaceAll(path, " ", "+")).want(t, 200)
				list = append(list, s.store.Statements()-before)
			}
			return list
		}
		count() // what is remembered about the key
		few := count()
		for i := range 60 {
			s.postForm(v10("/applicants/trackers"), fmt.Sprintf("code=T%d", i)).want(t, 201)
			s.create(t, fmt.Sprintf("email=e%d%%40example.org&name=First&notes=Hello&tracker_ID=1&citizenship=EE", i))
			s.do("PUT", v10(fmt.Sprintf("/applicants/1/trackers/%d", i+2)), "").want(t, 204)
		}
		if diff := cmp.Diff(few, count()); diff != "" {
			t.Fatalf("statements of %q (-few +many): %s", paths, diff)
		}
	})
}

func TestApplicantTypes(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		s.insert(t,
			load.ApplicantRow{EmailKey: "c@example.org", Applicant: admitto.Applicant{ID: 5, Type: admitto.Child,
				State:      admitto.ApplicantBlocked,
				Registered: start, Email: "c@example.org", Name: admitto.Name{Given: "Kim", Middle: "van", Family: "Dijk",
					Parent: "Piet van Dijk"}}},
			load.ApplicantRow{EmailKey: "l@example.org", Applicant: admitto.Applicant{ID: 6, Type: admitto.Legal,
				State:      admitto.ApplicantLive,
				Registered: start, Email: "l@example.org", Name: admitto.Name{Family: "Lee",
					Legal: "Lee & Co \"Ltd\""}, Address: "1 Road\nTown", VATIN: "EE1"}},
			load.ApplicantRow{EmailKey: "p@example.org", Applicant: admitto.Applicant{ID: 7, Type: admitto.Natural,
				State:      admitto.ApplicantPending,
				Registered: start, Email: "p@example.org"}},
			load.ApplicantRow{EmailKey: "r@example.org", Applicant: admitto.Applicant{ID: 8, Type: admitto.Natural,
				State:      admitto.ApplicantRecovery,
				Registered: start, Email: "r@example.org"}})
		for path, want := range map[string]string{
			"/applicants/5": `"type":"Child","registered":"2026-03-09T09:00:00+00:00","name":{"full":"Kim van Dijk","given":"Kim","middle":"van","family":"Dijk","parent":"Piet van Dijk"},`,
			"/applicants/6": `"type":"Legal","registered":"2026-03-09T09:00:00+00:00","name":{"full":"Lee","given":"","middle":"","family":"Lee","legal":"Lee & Co \"Ltd\""},`,
		} {
			if a := s.get(v10(path)).want(t, 200); !strings.Contains(a.body, want) {
				t.Errorf("%s: %s", path, a.body)
			}
		}
		if a := s.get(v10("/applicants/6")); !strings.Contains(a.body, `"address":"1 Road\nTown","vatin":"EE1"`) {
			t.Errorf("%s", a.body)
		}
		for _, id := range []string{"7", "8"} {
			s.get(v10("/applicants/"+id)).want(t, 404)
			s.do("PUT", v10("/applicants/"+id+"/reference"), `"x"`).want(t, 404)
		}
		if list := s.get(v10("/applicants")); !slices.Equal(list.ids(t), []int64{5, 6}) || list.header.Get("X-Count") != "2" {
			t.Errorf("%s", list.body)
		}
		// The address of somebody deleted is free, that of a blocked one is not.
		s.postForm(v10("/applicants"), "email=r%40example.org&name=R").want(t, 201)
		if got := s.postForm(v10("/applicants"), "email=C%40Example.org&name=C").want(t,
			409).header.Get("Location"); got != "/api/v10/applicants/5" {
			t.Errorf("Location %q", got)
		}
	})
}

// ids returns the keys of a collection in the order they were sent; each element must repeat its own.
func (a answer) ids(t testing.TB) []int64 {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(a.body))
	ids := []int64{}
	if _, err := dec.Token(); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	for dec.More() {
		token, err := dec.Token()
		id, idErr := strconv.ParseInt(fmt.Sprint(token), 10, 64)
		var element struct {
			ID int64 `json:"id"`
		}
		if err = errors.Join(err, idErr, dec.Decode(&element)); err != nil || element.ID != id {
			t.Fatalf("element %v: %v: %s", token, err, a.body)
		}
		ids = append(ids, id)
	}
	return ids
}
