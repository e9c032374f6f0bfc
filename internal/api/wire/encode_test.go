package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/config"
)

// FuzzString: a JSON string comes back as it was when it is UTF-8, and is valid JSON whatever it is.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a", `"`, `\`, "/", "<&>", "\x00\x1f\x7f", "\n\r\t\b\f", "é漢😀", "\u2028\u2029",
		"\ufffd", "\xff", "a\xe2\x82", "\xed\xa0\x80", "\u0080"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := AppendString([]byte("x"), s)
		if got[0] != 'x' {
			t.Fatal("what was there is lost")
		}
		got = got[1:]
		if !json.Valid(got) || !utf8.Valid(got) {
			t.Fatalf("%q became %q, which is no JSON", s, got)
		}
		var back string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); utf8.ValidString(s) && back != want {
			t.Fatalf("%q became %q", s, back)
		}
		var std bytes.Buffer
		enc := json.NewEncoder(&std)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		var same string
		if err := json.Unmarshal(std.Bytes(), &same); err != nil || same != back {
			t.Fatalf("%q: encoding/json has %q, we have %q", s, same, back)
		}
		// Nothing is escaped that need not be (conventions.md 5).
		for _, r := range s {
			if r >= 0x7f && r != utf8.RuneError && !strings.ContainsRune(string(got), r) || r == '/' &&
				strings.Contains(string(got), `\/`) {
				t.Fatalf("%q became %q", s, got)
			}
		}
	})
}

// The tags since and until: which names a version has, in which order.
func TestSinceAndUntil(t *testing.T) {
	for v := config.OldestVersion; v <= 10; v++ {
		want := []string{"always"}
		if v <= 5 {
			want = append(want, "shape:old")
		} else {
			want = append(want, "shape:new")
		}
		if v >= 4 && v <= 8 {
			want = append(want, "between")
		}
		if v == 10 {
			want = append(want, "last")
		}
		if got := sampleNames(v); !slices.Equal(got, want) {
			t.Errorf("version %d: %v, want %v", v, got, want)
		}
	}
}

// Each sort of value in JSON.
func TestEncodedValues(t *testing.T) {
	got, want := encodedValues(), map[string]string{
		"text": `"a/é\"\\\n\u0001"`, "null text": `null`, "set text": `"x"`, "number": `-12`, "true": `true`,
		"link": `"/api/v9/applicants/7/trackers/8"`, "no link": `null`, "expanded": `{"1":{}}`,
		"unexpanded": `"/api/v9/applicants/7"`,
		"time":       `"2026-03-09T09:00:00+00:00"`, "no time": `null`, "date": `"2026-03-09"`, "no date": `null`,
		"cents": `"-12.05"`, "no cents": `"0.00"`,
		"list": `["a","b"]`, "no list": `[]`, "name": `"Ilse Maria Varga"`, "half a name": `"Varga"`, "no name": `""`,
	}
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s: %s, want %s", name, got[name], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d values, want %d", len(got), len(want))
	}
}

// sampleNames returns the names that a struct with all sorts of tags has in a version; a name whose value tells
// shapes apart is followed by it.
func sampleNames(v int) (names []string) {
	body := string(encodeAs(v, &struct {
		Always  Nullable `wire:"always"`
		Old     Nullable `wire:"shape" until:"5"`
		New     int      `wire:"shape" since:"6"`
		Between Nullable `wire:"between" since:"4" until:"8"`
		Left    *string  `wire:"left,omit"`
		Last    Nullable `wire:"last" since:"10"`
		Hidden  string
	}{}))
	for member := range strings.SplitSeq(strings.Trim(body, "{}"), ",") {
		name, value, _ := strings.Cut(strings.ReplaceAll(member, `"`, ""), ":")
		if name == "shape" {
			name += map[string]string{"null": ":old", "0": ":new"}[value]
		}
		names = append(names, name)
	}
	return names
}

// encodedValues returns the JSON of values of each sort.
func encodedValues() map[string]string {
	day := time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC)
	of := func(v any) string { return string(encodeAs(9, v)) }
	return map[string]string{
		"text":        of(new("a/é\"\\\n\x01")),
		"null text":   of(new(Nullable(""))),
		"set text":    of(new(Nullable("x"))),
		"number":      of(new(-12)),
		"true":        of(new(true)),
		"link":        of(new(LinkTo("/applicants/{}/trackers/{}", 7, 8))),
		"no link":     of(new(LinkTo("/applicants/{}/trackers/{}", 7, 0))),
		"expanded":    of(&Expandable{LinkTo("/applicants/{}", 7), []byte(`{"1":{}}`)}),
		"unexpanded":  of(&Expandable{Link: LinkTo("/applicants/{}", 7)}),
		"time":        of(new(admitto.TimeOf(day))),
		"no time":     of(new(admitto.Time)),
		"date":        of(new(admitto.DateOf(day))),
		"no date":     of(new(admitto.Date)),
		"cents":       of(new(admitto.Hundredths(-1205))),
		"no cents":    of(new(admitto.Hundredths)),
		"list":        of(&[]string{"a", "b"}),
		"no list":     of(new([]string)),
		"name":        of(&FullName{&admitto.Name{Given: "Ilse", Middle: "Maria", Family: "Varga"}}),
		"half a name": of(&FullName{&admitto.Name{Family: "Varga"}}),
		"no name":     of(&FullName{&admitto.Name{}}),
	}
}

// encodeAs encodes a value in a version.
func encodeAs(v int, value any) []byte {
	return Encoder{Plans: &Plans{}, Version: version.Number(v), Prefix: "/api/v9"}.Append(nil, value)
}
