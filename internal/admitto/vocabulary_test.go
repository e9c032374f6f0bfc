package admitto_test

import (
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"pgregory.net/rapid"
)

func TestTimeForm(t *testing.T) {
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Date(2026, 3, 1, 9, 0, 0, 999_999_000, time.UTC), "2026-03-01T09:00:00+00:00"},
		{time.Date(1969, 12, 31, 23, 59, 59, 500_000_000, time.UTC), "1969-12-31T23:59:59+00:00"},
		{time.Date(2024, 2, 29, 23, 59, 59, 0, time.FixedZone("", 7200)), "2024-02-29T21:59:59+00:00"},
	} {
		if got := admitto.TimeOf(c.at).String(); got != c.want {
			t.Errorf("%v: %s, want %s", c.at, got, c.want)
		}
	}
}

// Times and dates agree with the standard library over all years the product meets.
func TestTimeProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(-62135596799, 253402300799).Draw(t, "seconds")
		std := time.Unix(seconds, 0).UTC()
		at := admitto.TimeOf(std)
		if want := std.Format("2006-01-02T15:04:05+00:00"); seconds != 0 && at.String() != want {
			t.Fatalf("%s, want %s", at, want)
		}
		day := admitto.DateOf(std)
		parsed, err := admitto.ParseDate(day.String())
		if err != nil || parsed != day {
			t.Fatalf("%s parses to %v, %v", day, parsed, err)
		}
		if next := day.AddDays(1); next.In(time.UTC).Sub(day.In(time.UTC)) != 24*time.Hour && day.Year < 9999 {
			t.Fatalf("the day after %s is %s", day, next)
		}
	})
}

func TestParseDate(t *testing.T) {
	for _, bad := range []string{"", "2026", "2026-02-30", "2026-2-3", "26-02-03", "2026-02-03T00:00", "2026-13-01",
		" 2026-02-03"} {
		if d, err := admitto.ParseDate(bad); err == nil {
			t.Errorf("%q became %v", bad, d)
		}
	}
}

func TestParseHundredths(t *testing.T) {
	for in, want := range map[string]string{"0": "0.00", "12": "12.00", "12.5": "12.50", "-0.05": "-0.05",
		"85.0000":      "85.00",
		"999999999.99": "999999999.99", "007": "7.00"} {
		if got, err := admitto.ParseHundredths(in); err != nil || got.String() != want {
			t.Errorf("%q: %s, %v, want %s", in, got, err, want)
		}
	}
	for _, bad := range []string{"", "-", ".", "1.", ".5", "1.005", "1e3", "+1", "1,5", "1234567890", "0x1", "١", "1.5.2",
		"--1", " 1"} {
		if got, err := admitto.ParseHundredths(bad); err == nil {
			t.Errorf("%q became %s", bad, got)
		}
	}
}

func FuzzParseHundredths(f *testing.F) {
	for _, seed := range []string{"1.50", "-0.01", "999999999.99", "1e9", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := admitto.ParseHundredths(s)
		if err != nil {
			return
		}
		again, err := admitto.ParseHundredths(got.String())
		if err != nil || again != got {
			t.Fatalf("%q: %s reads back as %s, %v", s, got, again, err)
		}
	})
}

func TestSplitName(t *testing.T) {
	for full, want := range map[string]admitto.Name{
		"Ilse Varga":        {Given: "Ilse", Family: "Varga"},
		"Maria da Silva":    {Given: "Maria da", Family: "Silva"},
		"Plato":             {Family: "Plato"},
		"Ilse  Varga":       {Given: "Ilse", Family: "Varga"},
		"Иван Иванов":       {Given: "Иван", Family: "Иванов"},
		"Ana Maria de León": {Given: "Ana Maria de", Family: "León"},
	} {
		if got := admitto.SplitName(full); got != want {
			t.Errorf("%q: %+v", full, got)
		}
	}
	if got := (admitto.Name{Given: "A", Family: "C"}).Full(); got != "A C" {
		t.Errorf("full name %q", got)
	}
}

func TestKeys(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		secret := admitto.NewKeySecret()
		if !strings.HasPrefix(secret, "admitto_") || seen[secret] {
			t.Fatalf("%q", secret)
		}
		seen[secret] = true
	}
}

func TestKeyScopes(t *testing.T) {
	some := admitto.Key{Scope: admitto.ScopeOperations, Operations: []string{"GET /applicants/{id}", "POST /applicants"}}
	for _, c := range []struct {
		key          admitto.Key
		method, path string
		want         bool
	}{
		{admitto.Key{Scope: admitto.ScopeAll}, "DELETE", "/invoices/{id}", true},
		{admitto.Key{Scope: admitto.ScopeReadOnly}, "HEAD", "/applicants", true},
		{admitto.Key{Scope: admitto.ScopeReadOnly}, "POST", "/applicants", false},
		{some, "HEAD", "/applicants/{id}", true},
		{some, "GET", "/applicants", false},
		{some, "POST", "/applicants", true},
		{admitto.Key{}, "GET", "/applicants", false},
	} {
		if got := c.key.Allows(c.method, c.path); got != c.want {
			t.Errorf("%s, %s %s: %v", c.key.Scope, c.method, c.path, got)
		}
	}
}

func TestParseEvent(t *testing.T) {
	for _, c := range []struct {
		item    string
		pattern admitto.Pattern
		value   string
		ok      bool
	}{
		{"Offer was edited: ?", "Offer was edited: ?", "", true},
		{"Offer was edited: 7", "Offer was edited: ?", "7", true},
		{"Offer was edited: Positive feedback", "Offer was edited: ?", "Positive feedback", true},
		{"Applicant was collected", "Applicant was collected", "", true},
		{"Applicant was collected: 7", "", "", false},
		{"Offer was edited: ", "", "", false},
		{"", "", "", false},
		{"offer was edited: 7", "", "", false},
	} {
		pattern, bind, ok := admitto.ParseEvent(c.item)
		if pattern != c.pattern || ok != c.ok || strings.Join(bind, "") != c.value {
			t.Errorf("%q: %q %q %v", c.item, pattern, bind, ok)
		}
		if ok && bind != nil && (admitto.Event{Pattern: pattern, Bind: bind}).Filled() != c.item {
			t.Errorf("%q is not filled in again", c.item)
		}
	}
}

// The hash of a record notices every change.
func TestRecordHash(t *testing.T) {
	r := admitto.Record{ID: 1, Logged: 5, Event: admitto.Event{Pattern: admitto.EmailSent, Bind: []string{"x"},
		Links: admitto.Links{Applicant: 3}}, Actor: admitto.System(), PrevHash: admitto.GenesisHash}
	want := r.ComputeHash()
	if len(want) != 64 {
		t.Fatalf("hash %q", want)
	}
	for name, change := range map[string]func(*admitto.Record){
		"id":       func(r *admitto.Record) { r.ID++ },
		"logged":   func(r *admitto.Record) { r.Logged++ },
		"pattern":  func(r *admitto.Record) { r.Pattern = admitto.KeyCreated },
		"bind":     func(r *admitto.Record) { r.Bind = []string{"y"} },
		"actor":    func(r *admitto.Record) { r.Actor.Kind = admitto.ByKey },
		"link":     func(r *admitto.Record) { r.Links.Applicant = 4 },
		"task":     func(r *admitto.Record) { r.Links.Task = 4 },
		"sheet":    func(r *admitto.Record) { r.Links.Scoresheet = 4 },
		"score":    func(r *admitto.Record) { r.Links.Score = 4 },
		"note":     func(r *admitto.Record) { r.Links.Note = 4 },
		"mail":     func(r *admitto.Record) { r.Links.Email = 4 },
		"moved":    func(r *admitto.Record) { r.Links.Applicant, r.Links.Offer = 0, 3 },
		"details":  func(r *admitto.Record) { r.DetailHash = "a" },
		"previous": func(r *admitto.Record) { r.PrevHash = strings.Repeat("1", 64) },
	} {
		changed := r
		change(&changed)
		if changed.ComputeHash() == want {
			t.Errorf("the hash does not notice a changed %s", name)
		}
	}
}

func TestPoints(t *testing.T) {
	for _, c := range []struct {
		in    string
		scale int
		want  string
	}{{"7.5", 1, "7.5"}, {"7.50", 1, "7.5"}, {"100", 0, "100"}, {"0", 4, "0.0000"}, {"-3.25", 2, "-3.25"}, {"7.25", 1,
		""}, {"x", 2, ""}} {
		p, err := admitto.ParsePoints(c.in, c.scale)
		if (err != nil) != (c.want == "") || err == nil && string(p.Append(nil, c.scale)) != c.want {
			t.Errorf("%q with %d decimals: %s, %v, want %q", c.in, c.scale, p.Append(nil, c.scale), err, c.want)
		}
	}
}

func TestTotalOf(t *testing.T) {
	for want, items := range map[admitto.Hundredths][]admitto.InvoiceItem{
		0:     nil,
		8000:  {{Price: 8000, Qty: 100}},
		17:    {{Price: 33, Qty: 50}},                       // 0.165 rounds half up
		33:    {{Price: 33, Qty: 50}, {Price: 33, Qty: 50}}, // once at the end: 0.33
		-2000: {{Price: 8000, Qty: 100}, {Price: -10000, Qty: 100}},
	} {
		if got := admitto.TotalOf(items); got != want {
			t.Errorf("%v: %s, want %s", items, got, want)
		}
	}
}

func TestParsePartialDate(t *testing.T) {
	for s, ok := range map[string]bool{"2025": true, "2025-12": true, "2025-12-05": true, "2024-02-29": true, "1900": true,
		"2100-12-31": true,
		"":           false, "25": false, "1899": false, "2101": false, "2025-13": false, "2025-00": false, "2025-1": false,
		"2025-02-29": false, "2025-12-5": false,
		"2025-12-05T00:00:00": false, "2025 ": false, "+2025": false, "20255": false, "2025/12": false} {
		got, err := admitto.ParsePartialDate(s)
		if (err == nil) != ok || ok && got != s {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	}
}

func TestParseDecimalText(t *testing.T) {
	for s, ok := range map[string]bool{"0": true, "-0.5": true, "12.50": true, "999999999.999999999": true, "": false,
		"1e3": false, "1.": false, ".5": false,
		"+1": false, "1234567890": false, "0.1234567891": false, "NaN": false, " 1": false} {
		if got, err := admitto.ParseDecimalText(s); (err == nil) != ok || ok && got != s {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	}
}

func TestExtraAnswered(t *testing.T) {
	yes := false
	for _, e := range []admitto.Extra{{Text: "x"}, {Number: "0"}, {YesNo: &yes}, {Choices: []string{"A"}},
		{Money: &admitto.Money{}}, {Document: 1}, {Entries: []admitto.Extra{{}}}} {
		e.ID, e.Name, e.Type = 17, "Question", admitto.ExtraText
		if e.IsUnanswered() {
			t.Errorf("%+v is answered", e)
		}
		if e.Clear(); !e.IsUnanswered() || e.ID != 17 || e.Name != "Question" || e.Type != admitto.ExtraText {
			t.Errorf("%+v", e)
		}
	}
}
