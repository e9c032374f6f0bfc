package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
	"github.com/admitto/admitto/internal/text"
	"pgregory.net/rapid"
)

// people puts five applicants into the database, a second and a fraction apart, and two trackers:
// Fair on 2, 3 and 5, web on 3. Somebody pending and somebody deleted are there, too.
func people(t testing.TB, s *service) {
	t.Helper()
	for _, code := range []string{"Fair", "web"} {
		s.postForm(v10("/applicants/trackers"), "code="+code).want(t, 201)
	}
	var list []load.ApplicantRow
	for i, p := range []struct {
		state       admitto.ApplicantState
		email       string
		citizenship string
	}{
		{admitto.ApplicantLive, "ann@example.org", "EE"},
		{admitto.ApplicantLive, "Bob@Example.org", "LV"},
		{admitto.ApplicantBlocked, "cyd@bücher.example", "EE"},
		{admitto.ApplicantLive, "dan@example.org", ""},
		{admitto.ApplicantLive, "eve@example.org", "XK"},
		{admitto.ApplicantPending, "pending@example.org", "EE"},
		{admitto.ApplicantRecovery, "gone@example.org", "EE"},
	} {
		list = append(list, load.ApplicantRow{EmailKey: text.EmailKey(p.email), Applicant: admitto.Applicant{ID: int64(i + 1),
			Type: admitto.Natural, State: p.state, Email: p.email, Citizenship: p.citizenship,
			Registered: start + admitto.Time(i)*admitto.Second + admitto.Time(i)*100*1000}})
	}
	s.insert(t, list...)
	for _, path := range []string{"2/trackers/1", "3/trackers/1", "3/trackers/2", "5/trackers/1"} {
		s.do("PUT", v10("/applicants/"+path), "").want(t, 204)
	}
}

func TestFilters(t *testing.T) {
	many := strings.Repeat("7,", 9999)
	onBoth(t, func(t *testing.T, s *service) {
		people(t, s)
		for _, c := range []struct {
			query string
			want  string // IDs, or "!" and the faults
		}{
			{"", "1 2 3 4 5"},
			{"bySince=3", "3 4 5"},
			{"bySince=0", "1 2 3 4 5"},
			{"bySince=6", ""},
			{"bySince=+3+", "3 4 5"},
			{"bySince=999999999999999999", ""},
			{"bySince=1000000000000000000", "!bySince"},
			{"bySince=-1", "!bySince"},
			{"bySince=", "!bySince"},
			{"bySince=yesterday", "!bySince"},
			{"bySince=2026-02-30", "!bySince"},
			{"bySince=3&bySince=3", "!bySince"},
			{"bySince[]=3", "!bySince"},
			{"byUntil=3", "1 2 3"},
			{"byUntil=0", ""},
			{"byUntil=999999999999999999", "1 2 3 4 5"},
			{"byUntil=9999999999999999999", "!byUntil"},
			{"byUntil=%20", "!byUntil"},
			{"byUntil=3.0", "!byUntil"},
			{"bySince=2&byUntil=4", "2 3 4"},
			{"bySince=4&byUntil=2", ""},
			// The times have fractions; bounds are inclusive to the second that is shown.
			{"bySince=2026-03-09T09:00:02%2B00:00", "3 4 5"},
			{"byUntil=2026-03-09T09:00:02%2B00:00", "1 2 3"},
			{"bySince=2026-03-09T09:00:02%2B00:00&byUntil=2026-03-09T09:00:02Z", "3"},
			{"bySince=2026-03-09T09:00:02+00:00", "3 4 5"},
			{"byUntil=2026-03-09+09:00:02+0000", "1 2 3"},
			{"bySince=2026-03-09T11:00:02+02", "3 4 5"},
			{"bySince=2026-03-09T09:00:02.999Z", "3 4 5"},
			{"bySince=2026-03-09T09:01", ""},
			{"byUntil=2026-03-09T09:00", "1"},
			{"byUntil=2026-03-09", "1 2 3 4 5"},
			{"byUntil=2026-03-08", ""},
			{"bySince=2026-03-09", "1 2 3 4 5"},
			{"bySince=2026-03-10", ""},
			{"bySince=2026-03-09&byUntil=2026-03-09", "1 2 3 4 5"},
			{"bySince=2026-03-10&byUntil=2026-03-09", ""},
			{"bySince=1970-01-01T00:00:00Z&byUntil=1970-01-01T00:00:00Z", ""},
			{"bySince=2026-03-09T09:00:02Z&byUntil=4", "3 4"},
			{"bySince=2&byUntil=2026-03-09T09:00:02Z", "2 3"},
			{"byCitizenships=EE", "1 3"},
			{"byCitizenships=ee,lv", "1 2 3"},
			{"byCitizenships=EE+xk,,+", "1 3 5"},
			{"byCitizenships=FI", ""},
			{"byCitizenships=EE,EE", "1 3"},
			{"byCitizenships=EE,ZZ", "!byCitizenships"},
			{"byCitizenships=", "!byCitizenships"},
			{"byCitizenships=,+,", "!byCitizenships"},
			{"byCitizenships=EE&byCitizenships=LV", "1 2 3"},
			{"byCitizenships[]=EE&byCitizenships[]=LV", "1 2 3"},
			{"byCitizenships[0]=EE&byCitizenships[1]=LV&byCitizenships=XK", "1 2 3 5"},
			{"byCitizenships[7]=EE", "1 3"},
			{"byCitizenships[]=", "!byCitizenships"},
			{"byEmails=ann@example.org", "1"},
			{"byEmails=ANN@EXAMPLE.org,bob@example.org", "1 2"},
			{"byEmails=cyd@xn--bcher-kva.example+nobody@example.org", "3"},
			{"byEmails=cyd@bu%CC%88cher.example", "3"},
			{"byEmails=pending@example.org,gone@example.org", ""},
			{"byEmails=ann", "!byEmails"},
			{"byEmails=", "!byEmails"},
			{"byTrackerIDs=1", "2 3 5"},
			{"byTrackerIDs=1,2", "2 3 5"},
			{"byTrackerIDs=2+99", "3"},
			{"byTrackerIDs=99", ""},
			{"byTrackerIDs=999999999999999999", ""},
			{"byTrackerIDs=0", "!byTrackerIDs"},
			{"byTrackerIDs=Fair", "!byTrackerIDs"},
			{"byTrackerIDs=1000000000000000000", "!byTrackerIDs"},
			{"byTrackerIDs=", "!byTrackerIDs"},
			{"byTrackerIDs[x]=1", "!byTrackerIDs"},
			{"byTrackerIDs[-1]=1", "!byTrackerIDs"},
			{"byTrackerIDs[99999999999999999999]=1", "!byTrackerIDs"},
			{"byTrackerIDs[0][0]=1", "!byTrackerIDs"},
			{"byTrackerIDs[=1", "!byTrackerIDs"},
			{"byTrackerIDs[x]=1&byTrackerIDs=2", "!byTrackerIDs"},
			{"limit[x]=1&byTrackerIDs=2", "!limit"},
			{"byTrackerIDs=" + many + "1", "2 3 5"},
			{"byTrackerIDs=" + many + "1,2", "!byTrackerIDs"},
			{strings.Repeat("byTrackerIDs[]=7&", 9999) + "byTrackerIDs[]=1", "2 3 5"},
			{"byTrackerCodes=FAIR", "2 3 5"},
			{"byTrackerCodes=fair,WEB", "2 3 5"},
			{"byTrackerCodes=web+none", "3"},
			{"byTrackerCodes=none", ""},
			{"byTrackerCodes=", "!byTrackerCodes"},
			{"byTrackerCodes=" + strings.Repeat("x", 64), ""},
			{"byTrackerCodes=" + strings.Repeat("x", 65), "!byTrackerCodes"},
			{"byTrackerCodes=a%00b", "!byTrackerCodes"},
			{"byTrackerIDs=1&byTrackerCodes=web", "3"},
			{"byTrackerIDs=2&byTrackerCodes=fair&byCitizenships=EE&byEmails=cyd@b%C3%BCcher.example&bySince=2026-03-09T09:00:02Z&byUntil=3", "3"},
			{"byTrackerIDs=2&byTrackerCodes=fair&byCitizenships=LV&byEmails=cyd@b%C3%BCcher.example&bySince=2026-03-09T09:00:02Z&byUntil=3", ""},
			{"bySince=x&byUntil=x&byCitizenships=x&byEmails=x&byTrackerIDs=x&byTrackerCodes=&limit=x&expand=x&after=x",
				"!bySince byUntil byCitizenships byEmails byTrackerIDs byTrackerCodes limit expand after"},
			{"bysince=4&BYCITIZENSHIPS=FI", "1 2 3 4 5"},
			{"limit=2", "1 2"},
			{"limit=0", "!limit"},
			{"limit=-1", "!limit"},
			{"limit=abc", "!limit"},
			{"limit=1.0", "!limit"},
			{"limit=", "!limit"},
			{"limit=1&limit=1", "!limit"},
			{"limit=16384", "1 2 3 4 5"},
			{"limit=16385", "!limit"},
			{"limit=99999999999999999999", "!limit"},
			{"limit=512&expand=trackers", "1 2 3 4 5"},
			{"limit=513&expand=trackers", "!limit"},
			{"limit=513&expand=", "1 2 3 4 5"},
			{"after=2", "3 4 5"},
			{"after=99", ""},
			{"after=", "!after"},
			{"after=2&after=3", "!after"},
			{"after=2&bySince=1&limit=1", "3"},
			{"expand=trackers", "1 2 3 4 5"},
			{"expand=Trackers", "!expand"},
			{"expand=trackers&expand=wishes", "!expand"},
			{"a=%zz", "!"},
			{"byEmails=a%ff@example.org", "!byEmails"},
		} {
			name := c.query
			if len(name) > 80 {
				name = name[:80]
			}
			t.Run(name, func(t *testing.T) {
				a := s.get(v10("/applicants?" + c.query))
				head := s.do("HEAD", v10("/applicants?"+c.query), "")
				if head.status != a.status || head.body != "" || head.header.Get("X-Count") != a.header.Get("X-Count") {
					t.Fatalf("HEAD %d %v, GET %d %v", head.status, head.header, a.status, a.header)
				}
				if faults, bad := strings.CutPrefix(c.want, "!"); bad {
					a.want(t, 400).problem(t, "invalid-parameter")
					a.wantFaults(t, faults)
					if a.header.Get("X-Count") != "" {
						t.Fatal("a refusal counts")
					}
					return
				}
				ids := []string{}
				for _, id := range a.want(t, 200).ids(t) {
					ids = append(ids, strconv.FormatInt(id, 10))
				}
				if got := strings.Join(ids, " "); got != c.want {
					t.Fatalf("%s, want %s", got, c.want)
				}
				if len(ids) == 0 && a.body != "{}" {
					t.Fatalf("empty is %q", a.body)
				}
				if !strings.Contains(c.query, "limit=") && !strings.Contains(c.query, "after=") &&
					a.header.Get("X-Count") != strconv.Itoa(len(ids)) {
					t.Fatalf("X-Count %s of %d", a.header.Get("X-Count"), len(ids))
				}
				if head.header.Get("Content-Length") != "" || head.header.Get("Link") != a.header.Get("Link") ||
					head.header.Get("Content-Type") != "application/json" {
					t.Fatalf("HEAD: %v", head.header)
				}
			})
		}
		if got := s.get(v10("/applicants?limit=16385")).object(t)["detail"].(string); !strings.Contains(got, "1 to 16384") {
			t.Errorf("the range is not named: %s", got)
		}
		if got := s.get(v10("/applicants?limit=513&expand=*")).object(t)["detail"].(string); !strings.Contains(got,
			"1 to 512") {
			t.Errorf("the range is not named: %s", got)
		}
		if a := s.get(v10("/applicants"),
			header("Accept-Encoding", "identity")); a.header.Get("Content-Length") != strconv.Itoa(len(a.body)) ||
			a.header.Get("Content-Type") != "application/json" {
			t.Errorf("%v", a.header)
		}
		s.get(v10("/applicants?foo=1"), header("Prefer", "handling=strict")).want(t, 400).wantFaults(t, "foo")
		if got := s.get(v10("/applicants?foo=1&bySINCE=5")).header.Get("Ignored-Parameters"); got != "bySINCE, foo" {
			t.Errorf("Ignored-Parameters %q", got)
		}
	})
}

// Without an offset a time is meant where the instance is, and so is a day.
func TestFiltersInZone(t *testing.T) {
	zone := time.FixedZone("", 3*3600)
	onBoth(t, func(t *testing.T, s *service) {
		people(t, s)
		for query, want := range map[string]int{
			"bySince=2026-03-09T12:00:02":                            3,
			"bySince=2026-03-09T12:00:02Z":                           0,
			"byUntil=2026-03-09T12:00:02":                            3,
			"byUntil=2026-03-09+12:00:02+03:00":                      3,
			"bySince=2026-03-09T12:00:02.5&byUntil=2026-03-09T12:00": 0,
			"byUntil=2026-03-09":                                     5,
			"bySince=2026-03-10":                                     0,
		} {
			if got := s.get(v10("/applicants?"+query)).want(t, 200).ids(t); len(got) != want {
				t.Errorf("%s: %v, want %d", query, got, want)
			}
		}
	}, func(o *options) { o.settings.Instance.Timezone = zone })
}

func TestRaisedLimits(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for query, status := range map[string]int{"limit=32768": 200, "limit=32769": 400, "limit=8192&expand=*": 200,
			"limit=8193&expand=*": 400} {
			s.get(v10("/applicants?"+query)).want(t, status)
		}
	}, func(o *options) { o.settings.API.MaxLimit, o.settings.API.MaxLimitExpand = 32768, 8192 })
	onEach(t, func(t *testing.T, s *service) { // the maximum is the default
		people(t, s)
		for query, want := range map[string]int{"": 3, "?expand=*": 2, "?expand=": 3} {
			if got := s.get(v10("/applicants"+query)).want(t, 200); len(got.ids(t)) != want ||
				got.header.Get("X-Count") != "5" || got.header.Get("Link") == "" {
				t.Errorf("%q: %s %v", query, got.body, got.header)
			}
		}
	}, func(o *options) { o.settings.API.MaxLimit, o.settings.API.MaxLimitExpand = 3, 2 })
}

// next returns the target of Link rel=next, "" without one.
func (a answer) next(t testing.TB) string {
	t.Helper()
	for _, link := range a.header.Values("Link") {
		if target, ok := strings.CutSuffix(link, `>; rel="next"`); ok {
			if !strings.HasPrefix(target, "</api/") {
				t.Fatalf("Link %s", link)
			}
			return target[1:]
		}
	}
	return ""
}

func TestNextPages(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		people(t, s)
		for _, c := range []struct{ path, want string }{
			{"/api/v10/applicants?limit=2", "[1 2] [3 4] [5]"},
			{defaultPath("/applicants?limit=2"), "[1 2] [3 4] [5]"},
			{"/api/applicants?limit=2&expand=*", "[1 2] [3 4] [5]"},
			{"/api/v9/applicants/?limit=5", "[1 2 3 4 5]"},
			{"/api/v10/applicants?limit=1&byTrackerIDs=1,2&foo=%26%3Db+%C3%A9", "[2] [3] [5]"},
			{"/api/v10/applicants?limit=1&byTrackerCodes[0]=web&byTrackerCodes[1]=fair", "[2] [3] [5]"},
			{"/api/v10/applicants?limit=2&bySince=2026-03-09T09:00:01+00:00", "[2 3] [4 5]"},
			{"/api/v10/applicants?limit=2&after=1&after_=x", "[2 3] [4 5]"},
			{"/api/v10/applicants?limit=2&bySince=9", "[]"},
		} {
			var pages []string
			count := ""
			for path := c.path; path != ""; {
				page := s.get(path).want(t, 200)
				if head := s.do("HEAD", path, "").want(t, 200); head.next(t) != page.next(t) {
					t.Errorf("%s: HEAD %s, GET %s", path, head.next(t), page.next(t))
				}
				pages = append(pages, fmt.Sprint(page.ids(t)))
				if got := page.header.Get("X-Count"); count == "" {
					count = got
				} else if got != count {
					t.Errorf("%s: X-Count %s, first %s", path, got, count)
				}
				if len(pages) == 1 && len(page.ids(t)) > 1 && strings.Contains(c.path, "foo") {
					t.Error("foo is a filter")
				}
				path = page.next(t)
			}
			if got := strings.Join(pages, " "); got != c.want {
				t.Errorf("%s: %s, want %s", c.path, got, c.want)
			}
		}
		// The query is repeated as it was written, so that it does not grow.
		codes := strings.Repeat("CZ,", 4000) + "EE,LV,XK"
		for query, want := range map[string]string{
			"limit=1&byCitizenships=EE,LV&bySince=2026-03-01T00:00:00%2b00:00": "after=1&byCitizenships=EE,LV&bySince=2026-03-01T00:00:00%2b00:00&limit=1",
			"limit=1&byCitizenships=" + codes:                                  "after=1&byCitizenships=" + codes + "&limit=1",
			"limit=1&byCitizenships[]=LV,EE&&byCitizenships[0]=XK&x=a|b":       "after=1&byCitizenships[0]=XK&byCitizenships[]=LV,EE&limit=1&x=a%7Cb",
			"&z&limit=1":                  "after=1&limit=1&z",
			"limit=1&byUntil=5&after=2":   "after=3&byUntil=5&limit=1",
			"limit=1&byUntil=5&afte%72=2": "after=3&byUntil=5&limit=1",
		} {
			if got := s.get("/api/v10/applicants?" + query).next(t); got != "/api/v10/applicants?"+want {
				t.Errorf("%.80s: next %.200s", query, got)
			}
		}
		// Another query than this is not asked for.
		u, err := url.Parse(s.get("/api/v10/applicants?limit=1&byTrackerIDs=1,2&foo=%26%3Db+%C3%A9").next(t))
		if err != nil || u.Path != "/api/v10/applicants" ||
			fmt.Sprint(u.Query()) != "map[after:[2] byTrackerIDs:[1,2] foo:[&=b é] limit:[1]]" {
			t.Errorf("%v %v", u, err)
		}
	})
}

func TestExpand(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		people(t, s)
		for _, prefix := range []string{defaultPath(""), "/api/v10", "/api"} {
			for _, c := range []struct{ expand, words string }{
				{"trackers", "trackers"}, {"documents", "documents"}, {"consents", "consents"}, {"invoices", "invoices"}, {"wishes",
					"wishes"},
				{"trackers,wishes", "trackers wishes"}, {"trackers+wishes,trackers", "trackers wishes"}, {"*",
					"trackers documents consents invoices wishes"},
				{"*,trackers", "trackers documents consents invoices wishes"}, {"", ""}, {",", ""},
			} {
				path := prefix + "/applicants"
				list := s.get(path+"?expand="+c.expand).want(t, 200).object(t)
				one := s.get(path+"/3?expand="+c.expand).want(t, 200).object(t)
				if fmt.Sprint(list["3"]) != fmt.Sprint(one) {
					t.Errorf("%s: list %v, alone %v", c.expand, list["3"], one)
				}
				for _, word := range []string{"trackers", "documents", "consents", "invoices", "wishes"} {
					link := path + "/3/" + word
					switch got := one[word].(type) {
					case string:
						if got != link || slices.Contains(strings.Fields(c.words), word) {
							t.Errorf("%s: %s is %q", c.expand, word, got)
						}
					case map[string]any:
						if !slices.Contains(strings.Fields(c.words), word) {
							t.Errorf("%s: %s is expanded", c.expand, word)
						}
						if word == "trackers" && fmt.Sprint(got) != fmt.Sprint(s.get(link).object(t)) || word != "trackers" &&
							len(got) > 0 {
							t.Errorf("%s: %s is %v", c.expand, word, got)
						}
					default:
						t.Errorf("%s: %s is %v", c.expand, word, got)
					}
				}
			}
		}
		if got := s.get(v10("/applicants/1?expand=trackers")).object(t)["trackers"]; fmt.Sprint(got) != "map[]" {
			t.Errorf("no trackers: %v", got)
		}
	})
}

// What the list answers is what filtering all applicants in memory gives, whatever the query.
func TestFiltersAreRight(t *testing.T) {
	countries := []string{"", "EE", "LV", "XK"}
	onBoth(t, func(t *testing.T, s *service) {
		for i := range 4 {
			s.postForm(v10("/applicants/trackers"), fmt.Sprintf("code=Code%d", i+1)).want(t, 201)
		}
		type person struct {
			load.ApplicantRow
			trackers []int64
		}
		var all []person
		grow := func(t *rapid.T) {
			var list []load.ApplicantRow
			var links []admitto.TrackerAssociation
			first := len(all)
			for range rapid.IntRange(1, 6).Draw(t, "more") {
				id := int64(1)
				if len(all) > 0 {
					id = all[len(all)-1].ID + rapid.SampledFrom([]int64{1, 1, 2, 700}).Draw(t, "gap")
				}
				p := person{ApplicantRow: load.ApplicantRow{EmailKey: fmt.Sprintf("p%d@example.org", id)}}
				p.Applicant = admitto.Applicant{ID: id, Type: admitto.Natural, Email: strings.ToUpper(p.EmailKey),
					State: rapid.SampledFrom([]admitto.ApplicantState{admitto.ApplicantLive, admitto.ApplicantLive,
						admitto.ApplicantBlocked, admitto.ApplicantPending, admitto.ApplicantRecovery}).Draw(t, "state"),
					Citizenship: rapid.SampledFrom(countries).Draw(t, "citizenship"),
					Registered: start + admitto.Time(rapid.Int64Range(-3*86400, 3*86400).Draw(t, "registered"))*admitto.Second +
						admitto.Time(rapid.Int64Range(0, 999_999).Draw(t, "fraction"))}
				if p.State == admitto.ApplicantLive || p.State == admitto.ApplicantBlocked {
					p.trackers = rapid.SliceOfNDistinct(rapid.Int64Range(1, 4), 0, 3, rapid.ID).Draw(t, "trackers")
				}
				for _, tracker := range p.trackers {
					links = append(links, admitto.TrackerAssociation{Applicant: id, Tracker: tracker, Assigned: start})
				}
				all, list = append(all, p), append(list, p.ApplicantRow)
			}
			err := s.store.Write(s.t.Context(), func(tx *store.Tx) error {
				if err := load.Applicants(tx, list); err != nil {
					return err
				}
				return load.TrackerAssociations(tx, links)
			})
			if err != nil {
				all = all[:first]
				t.Fatal(err)
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			if len(all) < 120 {
				grow(t)
			}
			query := url.Values{}
			var conditions []func(*person) bool
			when := func(name string, f func() func(*person) bool) {
				if rapid.IntRange(0, 2).Draw(t, name) == 0 {
					conditions = append(conditions, f())
				}
			}
			bound := func(name string, fits func(p *person, id, second int64) bool) {
				when(name, func() func(*person) bool {
					if rapid.Bool().Draw(t, "by ID") {
						id := rapid.Int64Range(0, all[len(all)-1].ID+2).Draw(t, "ID")
						query.Set(name, strconv.FormatInt(id, 10))
						return func(p *person) bool { return fits(p, id, -1) }
					}
					at := all[rapid.IntRange(0, len(all)-1).Draw(t, "like")].Registered +
						admitto.Time(rapid.Int64Range(-1, 1).Draw(t, "off"))*admitto.Second
					query.Set(name, at.String())
					return func(p *person) bool { return fits(p, -1, at.Unix()) }
				})
			}
			bound("bySince", func(p *person, id, second int64) bool {
				return id >= 0 && p.ID >= id || second >= 0 && p.Registered.Unix() >= second
			})
			bound("byUntil", func(p *person, id, second int64) bool {
				return id >= 0 && p.ID <= id || second >= 0 && p.Registered.Unix() <= second
			})
			when("byCitizenships", func() func(*person) bool {
				codes := rapid.SliceOfN(rapid.SampledFrom([]string{"EE", "LV", "XK", "FI"}), 1, 3).Draw(t, "codes")
				query.Set("byCitizenships", strings.ToLower(strings.Join(codes, ",")))
				return func(p *person) bool { return slices.Contains(codes, p.Citizenship) }
			})
			when("byEmails", func() func(*person) bool {
				var keys []string
				for range rapid.IntRange(1, 20).Draw(t, "addresses") {
					keys = append(keys, fmt.Sprintf("p%d@example.org", rapid.Int64Range(1, all[len(all)-1].ID).Draw(t, "ID")))
				}
				query.Set("byEmails", strings.Join(keys, " "))
				return func(p *person) bool { return slices.Contains(keys, p.EmailKey) }
			})
			for _, name := range []string{"byTrackerIDs", "byTrackerCodes"} {
				when(name, func() func(*person) bool {
					ids := rapid.SliceOfN(rapid.Int64Range(1, 5), 1, 3).Draw(t, "IDs")
					for _, id := range ids {
						value := strconv.FormatInt(id, 10)
						if name == "byTrackerCodes" {
							value = "CODE" + value
						}
						query.Add(name, value)
					}
					return func(p *person) bool {
						return slices.ContainsFunc(p.trackers, func(id int64) bool { return slices.Contains(ids, id) })
					}
				})
			}
			want, count := []int64{}, 0
			after, limit := int64(0), 1000
			if rapid.IntRange(0, 3).Draw(t, "after") == 0 {
				after = rapid.Int64Range(1, all[len(all)-1].ID+1).Draw(t, "last")
				query.Set("after", strconv.FormatInt(after, 10))
			}
			if rapid.Bool().Draw(t, "limited") {
				limit = rapid.IntRange(1, 10).Draw(t, "limit")
				query.Set("limit", strconv.Itoa(limit))
			}
			for i := range all {
				p := &all[i]
				if p.State != admitto.ApplicantLive && p.State != admitto.ApplicantBlocked ||
					slices.ContainsFunc(conditions, func(fits func(*person) bool) bool { return !fits(p) }) {
					continue
				}
				count++
				if p.ID > after {
					want = append(want, p.ID)
				}
			}
			shown := want[:min(limit, len(want))]
			version := rapid.SampledFrom([]string{"/api/v4", "/api/v10"}).Draw(t, "version")
			if rapid.IntRange(0, 3).Draw(t, "expanded") == 0 {
				query.Set("expand", "trackers")
				shown = want[:min(limit, len(want), 512)]
			}
			a := s.get(version + "/applicants?" + query.Encode())
			if a.status != http.StatusOK || !slices.Equal(a.ids(s.t), shown) || a.header.Get("X-Count") != strconv.Itoa(count) ||
				(a.next(s.t) != "") != (len(shown) < len(want)) {
				t.Fatalf("%s: status %d, X-Count %s (want %d), next %q, IDs %v, want %v", query.Encode(), a.status,
					a.header.Get("X-Count"), count, a.next(s.t), a.ids(s.t), shown)
			}
			head := s.do("HEAD", version+"/applicants?"+query.Encode(), "")
			if head.header.Get("X-Count") != strconv.Itoa(count) {
				t.Fatalf("HEAD %s: X-Count %s, want %d", query.Encode(), head.header.Get("X-Count"), count)
			}
		})
	})
}
