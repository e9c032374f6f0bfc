package store_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/text"
	"pgregory.net/rapid"
)

// person is an applicant of a campus with what lists look through.
type person struct {
	id                                     int64
	given, family, email, phone, country   string
	birth, matriculation                   string
	lead, blocked, visible, twin, accepted bool
	registered                             admitto.Time
	trackers                               []int64
}

// dealt is what an application has next to what the campus knows of it.
type dealt struct {
	officer                     int64
	frozen, unpaid, overridden  bool
	changed, decided, refusedAt admitto.Time
	answersBy                   []string // the days of offers that wait
	tasks                       []dealtTask
}

type dealtTask struct {
	template          int64
	status            string
	trashed, resolved bool
}

// crowd is a campus with its people.
type crowd struct {
	*campus
	people  map[int64]*person
	more    map[int64]*dealt
	today   admitto.Date
	expired []int64 // terms
}

var (
	givenNames  = []string{"Zoë", "Ana", "Łukasz", "Anna-Maria", "José", "Ilse"}
	familyNames = []string{"Ünal", "Ana", "d'Arc", "Varga", "Strauß", "van Dam"}
	countries   = []string{"PT", "HU", "DE", ""}
	taskWords   = []string{"Open", "Ready", "Done"}
)

func newCrowd(t *testing.T, s *store.Store, n int) *crowd {
	t.Helper()
	rnd := rand.New(rand.NewPCG(3, 4))
	pick := func(list []string) string { return list[rnd.IntN(len(list))] }
	c := &crowd{campus: newCampus(n), people: map[int64]*person{}, more: map[int64]*dealt{}}
	c.store(t, s)
	var script [][]any
	write := func(sql string, args ...any) { script = append(script, append([]any{sql}, args...)) }
	for id := int64(1); id <= int64(n/2+1); id++ {
		p := &person{id: id, given: pick(givenNames), family: pick(familyNames), country: pick(countries),
			lead:    rnd.IntN(9) == 0,
			blocked: rnd.IntN(30) == 0, visible: rnd.IntN(12) > 0,
			registered: intakeDay + admitto.Time(rnd.IntN(50))*admitto.Hour}
		p.email = fmt.Sprintf("%s.%d@mail%d.example.org", strings.ToLower(text.Words(p.family)[0]), id, rnd.IntN(3))
		if rnd.IntN(4) == 0 {
			p.birth = fmt.Sprintf("2004-05-%02d", 1+rnd.IntN(5))
		}
		if rnd.IntN(3) == 0 {
			p.phone = fmt.Sprint("+36 20 555 ", 1000+rnd.IntN(n))
		}
		if rnd.IntN(20) == 0 {
			p.matriculation = fmt.Sprint("M-", id)
		}
		for tracker := int64(1); tracker < 4; tracker++ {
			if rnd.IntN(6) == 0 {
				p.trackers = append(p.trackers, tracker)
				write("INSERT INTO applicant_tracker (tracker_id, applicant_id, assigned) VALUES ($1, $2, 1)", tracker, id)
			}
		}
		if p.accepted = rnd.IntN(5) == 0; p.accepted {
			write("INSERT INTO consent_decision (applicant_id, consent_id, decided, decision) VALUES ($1, 1, 1, 'Accept')", id)
		}
		state := "live"
		if p.blocked {
			state = "blocked"
		}
		if !p.visible {
			state = "recovery"
		}
		write(`UPDATE applicant SET given = $2, family = $3, email = $4, email_key = $4, phone = $5, citizenship = $6, matriculation = $7,
			lead = $8, state = $9, registered = $10 WHERE id = $1`, id, p.given, p.family, p.email, p.phone, p.country,
			p.matriculation, p.lead, state, p.registered)
		c.people[id] = p
	}
	c.today = admitto.DateOf(intakeDay.Std())
	for _, f := range c.applications {
		d := &dealt{}
		c.more[f.ID] = d
		if p := c.people[f.Applicant]; !p.visible && f.visible {
			f.visible = false
			write("UPDATE application SET visible = $2 WHERE id = $1", f.ID, false)
		}
		if rnd.IntN(3) == 0 {
			d.officer = 1 + rnd.Int64N(3)
		}
		d.frozen, d.overridden = rnd.IntN(15) == 0, rnd.IntN(15) == 0
		if f.Submitted != 0 && rnd.IntN(5) == 0 {
			d.changed = f.Submitted + admitto.Time(rnd.Int64N(int64(4*admitto.Day))-int64(admitto.Day))
		}
		override := admitto.Time(0)
		if d.overridden {
			override = intakeDay + 400*admitto.Day
		}
		frozen := admitto.Time(0)
		if d.frozen {
			frozen = intakeDay
		}
		write("UPDATE application SET officer_id = $2, frozen = $3, applicant_changed = $4, grace_override = $5 WHERE id = $1", f.ID,
			nullID(d.officer), frozen, d.changed, override)
		if birth := c.people[f.Applicant].birth; birth != "" {
			write("INSERT INTO application_content (application_id, content) VALUES ($1, $2)", f.ID,
				`{"profile":{"birth":{"date":"`+birth+`"}}}`)
		}
		if rnd.IntN(10) == 0 {
			d.refusedAt = intakeDay + admitto.Time(rnd.IntN(900))*admitto.Hour
			write("INSERT INTO receipt (application_id, made, accepted, text, signature) VALUES ($1, $2, FALSE, '', '')", f.ID,
				d.refusedAt)
			write("INSERT INTO receipt (application_id, made, accepted, text, signature) VALUES ($1, $2, TRUE, '', '')", f.ID,
				d.refusedAt+admitto.Day)
		}
		if d.unpaid = rnd.IntN(12) == 0; d.unpaid {
			write(`INSERT INTO invoice (type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, payer_name)
				VALUES ('Invoice', 'N', 1, $1, $2, 1, '2026-01-01', 'EUR', 100, 'P')`, f.Applicant, f.ID)
		}
		for range rnd.IntN(3) {
			k := dealtTask{template: 1 + rnd.Int64N(2), status: pick(taskWords), trashed: rnd.IntN(5) == 0,
				resolved: rnd.IntN(2) == 0}
			d.tasks = append(d.tasks, k)
			trashed, resolved := admitto.Time(0), admitto.Time(0)
			if k.trashed {
				trashed = 1
			}
			if k.resolved {
				resolved = 1
			}
			write("INSERT INTO task (application_id, template_id, created, status, trashed, resolved) VALUES ($1, $2, 1, $3, $4, $5)", f.ID,
				k.template, k.status, trashed, resolved)
		}
		if len(f.offers) > 0 && rnd.IntN(3) == 0 {
			d.decided = intakeDay + admitto.Time(rnd.IntN(900))*admitto.Hour
			write("UPDATE offer SET decided = $2 WHERE id = $1", f.offers[0].id, d.decided)
		}
	}
	for _, f := range c.applications {
		for _, o := range f.offers {
			if day := admitto.DateOf((intakeDay + admitto.Time(rnd.IntN(40))*admitto.Day).Std()).String(); rnd.IntN(2) == 0 {
				write("UPDATE offer SET decision_deadline = $2 WHERE id = $1", o.id, day)
				if o.confirmed && o.decision == "None" {
					c.more[f.ID].answersBy = append(c.more[f.ID].answersBy, day)
				}
			}
		}
	}
	c.expired = []int64{1, 4}
	write("UPDATE academic_term SET grace = '2099-01-01'")
	write("UPDATE academic_term SET grace = '2020-01-01' WHERE id = 1 OR id = 4")
	for _, p := range c.people {
		for _, o := range c.people {
			p.twin = p.twin || p != o && p.visible && o.visible && (p.birth != "" && p.birth == o.birth && p.given == o.given &&
				p.family == o.family || p.phone != "" && p.phone == o.phone)
		}
	}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		sql := sqltest.In(tx)
		for id := 1; id < 4; id++ {
			if _, err := sql.Exec("INSERT INTO tracker (id, created, code, code_key) VALUES ($1, 1, $2, $2)", id,
				fmt.Sprint(id)); err != nil {
				return err
			}
		}
		if _, err := sql.Exec("INSERT INTO consent (id, type, text) VALUES (1, 'Mandatory', '') ON CONFLICT (id) DO NOTHING"); err != nil {
			return err
		}
		for _, step := range script {
			if _, err := sql.Exec(step[0].(string), step[1:]...); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = s.IndexApplicants(t.Context())
	}
	for _, step := range []func(*store.Tx) error{(*store.Tx).RecountCounters, (*store.Tx).Analyze} {
		if err == nil {
			err = s.Write(t.Context(), step)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// found reports whether a person has words that begin with all of the terms.
func (p *person) found(terms []string) bool {
	words := slices.Concat(text.Words(p.given+" "+p.family), text.EmailWords(p.email), []string{text.PhoneKey(p.phone),
		text.Fold(p.matriculation)})
	return !slices.ContainsFunc(terms, func(term string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, term) })
	})
}

func truth(wanted *bool, is bool) bool { return wanted == nil || *wanted == is }

// match is what a filter means.
func (c *crowd) match(q *admitto.ApplicationQuery, f *filed) bool {
	d, p := c.more[f.ID], c.people[f.Applicant]
	final := func(i int) bool { // the offer meets what is asked of one offer
		o := f.offers[i]
		decided := admitto.Time(0)
		if i == 0 {
			decided = d.decided
		}
		return among(q.OfferTypes, o.kind) && among(q.OfferDecisions, o.decision) &&
			among(q.OfferInstitutions, o.institution) &&
			(q.OfferConfirmed == nil || !*q.OfferConfirmed || o.confirmed) && truth(q.OfferAsConfirmed, o.confirmed) &&
			(q.DecidedSince == 0 || decided >= q.DecidedSince)
	}
	if q.AsksOffers() {
		met := false
		for i := range f.offers {
			met = met || final(i)
		}
		if !met || f.Submitted == 0 {
			return false
		}
	}
	if q.TaskTemplates != nil || q.TaskStatuses != nil || q.OpenTask {
		if !slices.ContainsFunc(d.tasks, func(k dealtTask) bool {
			return !k.trashed && among(q.TaskTemplates, k.template) && among(q.TaskStatuses, k.status) &&
				(!q.OpenTask || !k.resolved)
		}) {
			return false
		}
	}
	expired := slices.Contains(c.expired, f.Term) && !d.overridden
	return match(q, f) && among(q.Citizenships, p.country) &&
		(q.Trackers == nil || slices.ContainsFunc(p.trackers,
			func(id int64) bool { return slices.Contains(q.Trackers, id) })) &&
		(q.Officers == nil && !q.NoOfficer || slices.Contains(q.Officers, d.officer) || q.NoOfficer && d.officer == 0) &&
		(!q.Unpaid || d.unpaid) && truth(q.SubmittedOnce, f.Submitted != 0) && truth(q.Matriculated, p.matriculation != "") &&
		truth(q.Expired, expired) && truth(q.Frozen, d.frozen) && (q.ChangedSince == 0 || d.changed >= q.ChangedSince &&
		d.changed > f.Submitted) && (q.RefusedFrom == 0 || d.refusedAt >= q.RefusedFrom) &&
		(q.RefusedTo == 0 || d.refusedAt != 0 && d.refusedAt <= q.RefusedTo) &&
		(!q.AsksAnswer() || slices.ContainsFunc(d.answersBy,
			func(day string) bool {
				return day >= q.AnswerFrom.String() && (q.AnswerTo.IsZero() || day <= q.AnswerTo.String())
			})) && p.found(q.Terms)
}

// drawFilter adds what BrowseFilter asks, each condition one time in eight.
func (c *crowd) drawFilter(r *rapid.T, q *admitto.ApplicationQuery) {
	with := func(name string) bool { return rapid.IntRange(0, 7).Draw(r, "with "+name) == 0 }
	some := func(name string, highest int64) []int64 {
		if !with(name) {
			return nil
		}
		return rapid.SliceOfNDistinct(rapid.Int64Range(1, highest), 0, 2, rapid.ID[int64]).Draw(r, name)
	}
	words := func(name string, set []string) []string {
		if !with(name) {
			return nil
		}
		return rapid.SliceOfNDistinct(rapid.SampledFrom(set), 0, 2, rapid.ID[string]).Draw(r, name)
	}
	maybe := func(name string) *bool {
		if !with(name) {
			return nil
		}
		b := rapid.Bool().Draw(r, name)
		return &b
	}
	instant := func(name string) admitto.Time {
		if !with(name) {
			return 0
		}
		return intakeDay + admitto.Time(rapid.Int64Range(0, 40).Draw(r, name))*admitto.Day
	}
	q.Citizenships, q.TaskStatuses = words("citizenships", countries), words("task statuses", taskWords)
	q.Trackers, q.Officers, q.TaskTemplates = some("trackers", 3), some("officers", 4), some("templates", 2)
	q.NoOfficer, q.OpenTask, q.Unpaid = with("no officer"), with("open task"), with("unpaid")
	q.SubmittedOnce, q.Matriculated, q.Expired, q.Frozen = maybe("submitted once"), maybe("matriculated"),
		maybe("expired"), maybe("frozen")
	q.OfferAsConfirmed = maybe("as confirmed")
	q.DecidedSince, q.ChangedSince, q.RefusedFrom, q.RefusedTo = instant("decided"), instant("changed"),
		instant("refused from"), instant("refused to")
	if with("answers") {
		q.AnswerFrom = admitto.DateOf((intakeDay + admitto.Time(rapid.Int64Range(0, 40).Draw(r, "from"))*admitto.Day).Std())
	}
	if with("answers until") {
		q.AnswerTo = admitto.DateOf((intakeDay + admitto.Time(rapid.Int64Range(0, 40).Draw(r, "to"))*admitto.Day).Std())
	}
	q.Terms = c.drawTerms(r, with)
	q.Today, q.Now = c.today, intakeDay
}

func (c *crowd) drawTerms(r *rapid.T, with func(string) bool) []string {
	if !with("text") {
		return nil
	}
	return text.Terms(rapid.SampledFrom([]string{"an", "ANA una", "lukasz", "strauss", "Unal zoe", "mail1.exa", "darc",
		"maria ana", "m-1", "3620555",
		"nobody"}).Draw(r, "text"))
}

func drawPage(r *rapid.T, sorts []admitto.BrowseSort) admitto.BrowsePage {
	return admitto.BrowsePage{Sort: rapid.SampledFrom(sorts).Draw(r, "sort"),
		Descending: rapid.Bool().Draw(r, "descending"),
		Rows:       rapid.SampledFrom([]int{1, 3, 50, 400}).Draw(r, "rows")}
}

// walkThrough reads a list forwards and backwards, by places and by neighbours, and compares it with what is wanted.
func walkThrough(r *rapid.T, page admitto.BrowsePage, want []int64, read func(admitto.BrowsePage) store.Listed) {
	at, skip := 0, int64(rapid.IntRange(0, max(0, len(want)-1)).Draw(r, "skip"))
	end := func(from int) int { return min(len(want), from+page.Rows) }
	got := read(page)
	for n := 0; ; n++ {
		if !slices.Equal(got.IDs, want[at:end(at)]) || got.Total.N != int64(len(want)) || got.Total.More ||
			got.More != (end(at) < len(want)) || got.Back != (at > 0) {
			r.Fatalf("at %d: got %v of %+v, back %v, more %v\nwant %v", at, got.IDs, got.Total, got.Back, got.More, want)
		}
		if !got.More || n > 5 {
			break
		}
		at = end(at)
		page.After = want[at-1]
		got = read(page)
	}
	if at > 0 {
		page.After, page.Before = 0, want[at]
		got = read(page)
		if from := max(0, at-page.Rows); !slices.Equal(got.IDs, want[from:at]) || got.Back != (from > 0) || !got.More {
			r.Fatalf("before %d: got %v, back %v, more %v, want %v", at, got.IDs, got.Back, got.More, want[from:at])
		}
	}
	page.After, page.Before, page.Skip = 0, 0, skip
	if got = read(page); !slices.Equal(got.IDs, want[skip:end(int(skip))]) {
		r.Fatalf("from place %d: got %v, want %v", skip, got.IDs, want[skip:end(int(skip))])
	}
}

// All ways to read a list find, in every order, what filtering and sorting in memory finds.
func TestBrowse(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		c := newCrowd(t, s, 400)
		name := func(p *person) string { return text.Fold(p.family + " " + p.given) }
		for _, bound := range []int64{0, 20, 1000} {
			undo := store.SetNarrowest(bound)
			rapid.Check(t, func(r *rapid.T) {
				var q admitto.Browse
				q.ApplicationQuery = c.drawQuery(r)
				q.ApplicationQuery.ByOutcome, q.Statuses = false, nil
				if rapid.IntRange(0, 3).Draw(r, "statuses") == 0 {
					q.Statuses = []string{"Submitted", "Draft"}[rapid.IntRange(0, 1).Draw(r, "fewer"):]
				}
				c.drawFilter(r, &q.ApplicationQuery)
				q.Page = drawPage(r, admitto.ApplicationSorts())
				var want []*filed
				for _, f := range c.applications {
					if c.match(&q.ApplicationQuery, f) {
						want = append(want, f)
					}
				}
				slices.SortFunc(want, func(a, b *filed) int {
					order := 0
					switch q.Page.Sort {
					case admitto.ByName:
						order = cmp.Or(cmp.Compare(name(c.people[a.Applicant]), name(c.people[b.Applicant])),
							cmp.Compare(a.Applicant, b.Applicant))
					case admitto.ByStatus:
						order = cmp.Compare(a.Status, b.Status)
					case admitto.BySubmitted:
						order = cmp.Compare(a.Submitted, b.Submitted)
					case admitto.ByRevised:
						order = cmp.Compare(a.Revised, b.Revised)
					}
					if order = cmp.Or(order, cmp.Compare(a.ID, b.ID)); q.Page.Descending {
						return -order
					}
					return order
				})
				ids := make([]int64, len(want))
				for i, f := range want {
					ids[i] = f.ID
				}
				walkThrough(r, q.Page, ids, func(p admitto.BrowsePage) (page store.Listed) {
					q.Page = p
					err := s.Read(t.Context(), func(tx *store.Tx) (err error) {
						page, err = tx.BrowseApplications(q, true)
						return err
					})
					if err != nil {
						r.Fatal(err)
					}
					return page
				})
			})
			undo()
		}
	})
}

// The same of applicants.
func TestBrowseApplicants(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		c := newCrowd(t, s, 600)
		inTerm := map[[2]int64]bool{}
		for _, f := range c.applications {
			inTerm[[2]int64{f.Applicant, f.Term}] = inTerm[[2]int64{f.Applicant, f.Term}] || f.visible
		}
		for _, bound := range []int64{0, 20, 1000} {
			undo := store.SetNarrowest(bound)
			rapid.Check(t, func(r *rapid.T) {
				with := func(name string) bool { return rapid.IntRange(0, 5).Draw(r, "with "+name) == 0 }
				maybe := func(name string) *bool {
					if !with(name) {
						return nil
					}
					b := rapid.Bool().Draw(r, name)
					return &b
				}
				var q admitto.BrowseApplicants
				q.Terms, q.Lead, q.Blocked, q.Twin = c.drawTerms(r, with), maybe("lead"), maybe("blocked"), with("twin")
				if with("citizenships") {
					q.Citizenships = rapid.SliceOfNDistinct(rapid.SampledFrom(countries), 0, 2, rapid.ID[string]).Draw(r,
						"citizenships")
				}
				if with("trackers") {
					q.TrackerIDs = rapid.SliceOfNDistinct(rapid.Int64Range(1, 4), 0, 2, rapid.ID[int64]).Draw(r, "trackers")
				}
				if with("times") {
					q.FromTime = intakeDay + admitto.Time(rapid.IntRange(0, 50).Draw(r, "from"))*admitto.Hour
					q.ToTime = q.FromTime + admitto.Time(rapid.IntRange(0, 30).Draw(r, "hours"))*admitto.Hour
				}
				if with("consent") {
					q.Consent, q.Decision = 1, rapid.SampledFrom([]string{"Accept", "Reject", ""}).Draw(r, "decision")
				}
				if with("term") {
					q.InTerm = rapid.Int64Range(1, termCount).Draw(r, "term")
				}
				q.Page = drawPage(r, admitto.ApplicantSorts())
				var want []*person
				for _, p := range c.people {
					decision := ""
					if p.accepted {
						decision = "Accept"
					}
					if p.visible && p.found(q.Terms) && truth(q.Lead, p.lead) && truth(q.Blocked, p.blocked) && (!q.Twin || p.twin) &&
						among(q.Citizenships, p.country) && (q.TrackerIDs == nil || slices.ContainsFunc(p.trackers,
						func(id int64) bool { return slices.Contains(q.TrackerIDs, id) })) && p.registered >= q.FromTime &&
						(q.ToTime == 0 || p.registered <= q.ToTime) && (q.Consent == 0 || decision == q.Decision) &&
						(q.InTerm == 0 || inTerm[[2]int64{p.id, q.InTerm}]) {
						want = append(want, p)
					}
				}
				slices.SortFunc(want, func(a, b *person) int {
					order := 0
					switch q.Page.Sort {
					case admitto.ByName:
						order = cmp.Compare(text.Fold(a.family+" "+a.given), text.Fold(b.family+" "+b.given))
					case admitto.ByEmail:
						order = cmp.Compare(a.email, b.email)
					case admitto.ByRegistered:
						order = cmp.Compare(a.registered, b.registered)
					}
					if order = cmp.Or(order, cmp.Compare(a.id, b.id)); q.Page.Descending {
						return -order
					}
					return order
				})
				ids := make([]int64, len(want))
				for i, p := range want {
					ids[i] = p.id
				}
				walkThrough(r, q.Page, ids, func(p admitto.BrowsePage) (page store.Listed) {
					q.Page = p
					err := s.Read(t.Context(), func(tx *store.Tx) (err error) {
						page, err = tx.BrowseApplicants(q, true)
						return err
					})
					if err != nil {
						r.Fatal(err)
					}
					return page
				})
			})
			undo()
		}
	})
}
