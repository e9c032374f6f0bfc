package admitto_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/admitto/admitto/internal/admitto"
)

const point admitto.Points = 10_000

// sheetOf makes a sheet of the type; those that say nothing of their range go from −10.5 to 25 with two decimals.
func sheetOf(kind admitto.SheetType) admitto.Scoresheet {
	t := admitto.Scoresheet{ID: 6, Name: kind.Name, Type: kind.Name, Min: kind.Min, Max: kind.Max, Scale: kind.Scale}
	if kind.IsFree {
		t.Min, t.Max, t.Scale = -105_000, 25*point, 2
	}
	if kind.Labelled {
		t.Maps = []admitto.ScoreMap{{Label: "bad", Value: t.Min}, {Label: "good", Value: t.Max}}
	}
	return t
}

func TestParsePoints(t *testing.T) {
	kinds := map[string]admitto.SheetType{}
	for _, kind := range admitto.SheetTypes() {
		kinds[kind.Name] = kind
	}
	for _, row := range []struct{ kind, right, wrong string }{
		{"Number", "-10.5 -10.50 0 -0 25 24.99 7.5000 3.14", "25.01 -10.51 1e1 +1 1. .5 1,5 7.505 ten 0x1 999999999999 NaN"},
		{"Percent", "0 100 85.00 85.25 0.01", "-0.01 100.01 85.255"},
		{"GPA4", "0 4 3.99 2.5", "4.01 -1 3.999"},
		{"Mapped", "-10.5 25.00", "0 24.99 25.01 -10.51 good"},
		{"CEFR", "1 6", "2 0 7 5.5 A1"},
		{"IELTS", "0 9 7.5 7.50 0.5", "7.3 9.5 -0.5 7.25 10"},
		{"TOEFL", "0 120 61", "121 -1 60.5"},
		{"TOEIC", "10 990 15 985", "0 12 995 11"},
		{"PTE", "10 90 53", "9 91 53.5"},
		{"Duolingo", "10 160 95", "5 165 96 12"},
		{"Cambridge", "80 230 181", "79 231 80.5"},
		{"SAT", "400 1600 1210", "390 1610 1215 1211"},
		{"ACT", "1 36 20", "0 37 20.5"},
		{"GRE", "260 340 301", "259 341"},
		{"GMAT", "205 215 805 705", "200 210 815 206"},
		{"IB", "0 45 24", "-1 46 24.5"},
	} {
		kind, known := kinds[row.kind]
		if !known {
			t.Fatalf("no type %s", row.kind)
		}
		delete(kinds, row.kind)
		sheet := sheetOf(kind)
		for text := range strings.FieldsSeq(row.right) {
			if p, err := sheet.ParsePoints(text); err != nil || p < sheet.Min || p > sheet.Max {
				t.Errorf("%s %s: %v", row.kind, text, err)
			}
		}
		for text := range strings.FieldsSeq(row.wrong + " x -") {
			if p, err := sheet.ParsePoints(text); err == nil {
				t.Errorf("%s %s: taken as %d", row.kind, text, p)
			}
		}
		if _, err := sheet.ParsePoints(""); err == nil {
			t.Errorf("%s: nothing is taken", row.kind)
		}
	}
	if len(kinds) > 0 {
		t.Errorf("not tested: %v", kinds)
	}
	labels := admitto.Scoresheet{Type: "Mapped", Max: 9 * point, Maps: []admitto.ScoreMap{{Label: "good",
		Value: 2 * point}}}
	if _, err := labels.ParsePoints("3"); err == nil || err.Error() != "the points must be one of 2 (good)" {
		t.Error(err)
	}
	unlabelled := admitto.Scoresheet{Type: "CEFR", Min: point, Max: 6 * point}
	if _, err := unlabelled.ParsePoints("5"); err != nil {
		t.Error(err)
	}
	if s := (admitto.Scoresheet{Type: "Duolingo", Min: 10 * point,
		Max: 160 * point}); fmt.Sprint(s.CheckPoints(12*point)) != "the points must be in steps of 5 from 10" {
		t.Error(s.CheckPoints(12 * point))
	}
}

// Every value on the step is taken and shown as it was written, every other one is refused.
func TestPointsOfAnyType(t *testing.T) {
	types := admitto.SheetTypes()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(types).Draw(t, "type")
		sheet := sheetOf(kind)
		p := admitto.Points(rapid.Int64Range(int64(sheet.Min)-3*int64(point), int64(sheet.Max)+3*int64(point)).Draw(t,
			"points"))
		if rapid.Bool().Draw(t, "whole") {
			p -= p % point
		}
		unit := admitto.Points(1)
		for range 4 - sheet.Scale {
			unit *= 10
		}
		right := p >= sheet.Min && p <= sheet.Max && p%unit == 0
		switch {
		case kind.Labelled:
			right = p == sheet.Min || p == sheet.Max
		case kind.Step != 0:
			right = right && (p-sheet.Min)%kind.Step == 0
		}
		got, err := sheet.ParsePoints(string(p.Append(nil, 4)))
		if (err == nil) != right || err == nil && got != p {
			t.Fatalf("%s %s: %d, %v, want %t", kind.Name, p.Append(nil, 4), got, err, right)
		}
		if err == nil {
			again, err := sheet.ParsePoints(string(got.Append(nil, sheet.Scale)))
			if err != nil || again != got {
				t.Fatalf("%s: %d, %v", got.Append(nil, sheet.Scale), again, err)
			}
		}
	})
}

func TestScoreFaults(t *testing.T) {
	seven, eight := 7*point, 85_500
	p := admitto.Points(eight)
	sheet := admitto.Scoresheet{Type: "IELTS", Max: 9 * point, Scale: 1, Date: "Required", Reference: "Optional",
		Subject: "None", Language: "None"}
	day := admitto.Date{Year: 2026, Month: 3, Day: 1}
	for _, row := range []struct {
		name          string
		s             admitto.Score
		given, judged admitto.ScoreFields
		want          string
	}{
		{"all is well", admitto.Score{Points: &seven, Date: day, Reference: "r", Comments: "c"}, admitto.AllScoreFields,
			admitto.AllScoreFields, ""},
		{"required", admitto.Score{Points: &seven}, admitto.ScorePoints, admitto.AllScoreFields, "date"},
		{"required, but not judged", admitto.Score{Points: &seven}, admitto.ScorePoints, admitto.ScorePoints, ""},
		{"not carried", admitto.Score{Date: day, Subject: "s", Language: "en"}, admitto.ScoreDetails, admitto.AllScoreFields,
			"subject language"},
		{"stored before", admitto.Score{Date: day, Subject: "s", Points: &p}, admitto.ScoreDate, admitto.AllScoreFields, ""},
		{"points", admitto.Score{Points: &p}, admitto.ScorePoints, admitto.AllScoreFields, "points#points-invalid date"},
		{"cleared", admitto.Score{}, admitto.ScorePoints | admitto.ScoreComments, admitto.ScorePoints, ""},
	} {
		var got []string
		for _, f := range sheet.ScoreFaults(&row.s, row.given, row.judged) {
			got = append(got, strings.TrimSuffix(strings.TrimPrefix(string(f.Path), "score.")+"#"+f.Code, "#"))
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: %v, want %s", row.name, got, row.want)
		}
	}
}

func TestScoreFields(t *testing.T) {
	seven := 7 * point
	full := admitto.Score{Points: &seven, Comments: "c", Date: admitto.Date{Year: 2026, Month: 3, Day: 1}, Reference: "r",
		Subject: "s", Language: "en", Scale: 1}
	var names []string
	for _, field := range admitto.AllScoreFields.Each() {
		empty := admitto.Score{Scale: 1}
		if empty.Text(field) != "" || full.Text(field) == "" || full.Differs(&empty)&field == 0 {
			t.Errorf("%s", field.Name())
		}
		if empty.Take(field, &full); empty.Differs(&admitto.Score{Scale: 1}) != field ||
			empty.Text(field) != full.Text(field) {
			t.Errorf("%s is not taken alone", field.Name())
		}
		names = append(names, field.Name())
	}
	if strings.Join(names, " ") != "points comments date reference subject language" || full.Differs(&full) != 0 ||
		full.Text(0) != "" {
		t.Error(names)
	}
}

// criteria reads lines such as "6 raw 11 required" of sheets with the range 0 to 9.
func criteria(lines ...string) (list []admitto.Criterion) {
	for _, line := range lines {
		f := strings.Fields(line)
		var c admitto.Criterion
		fmt.Sscan(f[0], &c.Sheet.ID)
		c.Sheet.Name, c.Sheet.Max, c.Sheet.Scale = "Sheet "+f[0], 9*point, 1
		weight, err := admitto.ParsePoints(f[2], 4)
		if err != nil {
			panic(err)
		}
		c.Weight, c.Percent, c.Required = weight, f[1] == "percent", len(f) > 3
		list = append(list, c)
	}
	return list
}

func TestAutoScore(t *testing.T) {
	points := map[int64]admitto.Points{6: 75_000, 7: 0, 8: 10_000, 9: 90_000, 10: 5_000}
	on := func(sheet *admitto.Scoresheet) *admitto.Score {
		if p, ok := points[sheet.ID]; ok {
			return &admitto.Score{ID: 900 + sheet.ID, Points: &p}
		}
		if sheet.ID == 20 {
			return &admitto.Score{ID: 920} // on the sheet, not scored yet
		}
		return nil
	}
	for _, row := range []struct {
		criteria []admitto.Criterion
		want     string
	}{
		{nil, "none"},
		{criteria("6 raw 11 required"), "82.50"},
		{criteria("6 percent 1"), "83.33"},
		{criteria("6 percent 0.5", "9 percent 0.5"), "91.67"},
		{criteria("7 raw 5"), "0.00"},
		{criteria("7 raw 5 required"), "0.00"}, // 0 is a value
		{criteria("6 raw 1", "99 raw 5"), "7.50"},
		{criteria("6 raw 1", "99 raw 5 required"), "none"},
		{criteria("6 raw 1", "20 raw 5 required"), "none"},
		{criteria("99 raw 5"), "0.00"},
		{criteria("8 raw 0.005"), "0.01"},
		{criteria("8 raw 0.0049"), "0.00"},
		{criteria("8 raw -0.005"), "0.00"}, // half up
		{criteria("8 raw -0.0051"), "-0.01"},
		{criteria("8 raw 0.0025", "8 raw 0.0025"), "0.01"}, // rounded at the end, not each line
		{criteria("8 percent 3"), "33.33"},
		{criteria("8 percent 3", "8 percent 6"), "100.00"},
		{criteria("10 raw 0.01"), "0.01"},
		{criteria("9 raw 111111111"), "999999999.00"},
		{criteria("9 raw 111111112"), "none"},
	} {
		got, explained := admitto.AutoScore(3, row.criteria, on)
		text := "none"
		if got != nil {
			text = got.String()
		}
		if text != row.want || explained.Auto != strings.TrimPrefix(row.want, "none") ||
			len(explained.Lines) != len(row.criteria) {
			t.Errorf("%+v: %s, want %s; %+v", row.criteria, text, row.want, explained)
		}
	}
	_, explained := admitto.AutoScore(3, criteria("6 percent 0.5 required", "99 raw 2.25"), on)
	want := `{"criteria":3,"lines":[{"scoresheet":6,"name":"Sheet 6","points":"7.5","mode":"percent","value":"83.3333","weight":"0.5","part":"41.6667","required":true},` +
		`{"scoresheet":99,"name":"Sheet 99","points":"","mode":"raw","value":"","weight":"2.25","part":"0.0000","required":false}],"auto":"41.67"}`
	if explained.JSON() != want {
		t.Errorf("%s", explained.JSON())
	}
	if (&admitto.Explanation{}).JSON() != "" {
		t.Error("nothing is explained")
	}
	flat := criteria("6 percent 1 required")
	flat[0].Sheet.Max = 0
	if got, _ := admitto.AutoScore(1, flat, on); got != nil {
		t.Errorf("percent of nothing: %s", got)
	}
}

// The score is never further than half a hundredth from the exact sum, halves go up, and the order of the criteria
// does not matter.
func TestAutoScoreIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "lines")
		list, points := []admitto.Criterion{}, map[int64]admitto.Points{}
		exact, missing := new(big.Rat), false
		for i := range n {
			id := int64(i + 1)
			low := rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "min")
			high := low + rapid.Int64Range(1, 10_000_000).Draw(t, "range")
			c := admitto.Criterion{Sheet: admitto.Scoresheet{ID: id, Min: admitto.Points(low), Max: admitto.Points(high),
				Scale: 4},
				Weight:  admitto.Weight(rapid.Int64Range(-100_000, 100_000).Draw(t, "weight")),
				Percent: rapid.Bool().Draw(t, "percent"), Required: rapid.IntRange(0, 9).Draw(t, "required") == 0}
			if rapid.IntRange(0, 4).Draw(t, "scored") > 0 {
				p := rapid.Int64Range(low, high).Draw(t, "points")
				points[id] = admitto.Points(p)
				value := big.NewRat(p, 10_000)
				if c.Percent {
					value = new(big.Rat).Mul(big.NewRat(100, 1), big.NewRat(p-low, high-low))
				}
				exact.Add(exact, value.Mul(value, big.NewRat(int64(c.Weight), 10_000)))
			} else {
				missing = missing || c.Required
			}
			list = append(list, c)
		}
		on := func(sheet *admitto.Scoresheet) *admitto.Score {
			if p, ok := points[sheet.ID]; ok {
				return &admitto.Score{ID: sheet.ID, Points: &p}
			}
			return nil
		}
		got, _ := admitto.AutoScore(1, list, on)
		if (got == nil) != missing {
			t.Fatalf("%v, missing %t", got, missing)
		}
		if missing {
			return
		}
		// got − exact is above −0.005 (or at it never) and at most 0.005.
		off := new(big.Rat).Sub(big.NewRat(int64(*got), 100), exact)
		if half := big.NewRat(1, 200); off.Cmp(half) > 0 || off.Cmp(new(big.Rat).Neg(half)) <= 0 {
			t.Fatalf("%s is %s from %s", got, off.FloatString(6), exact.FloatString(6))
		}
		turned := rapid.Permutation(list).Draw(t, "order")
		if other, _ := admitto.AutoScore(1, turned, on); *other != *got {
			t.Fatalf("%s in another order, %s", other, got)
		}
	})
}

func TestCriteriaFaults(t *testing.T) {
	flat := criteria("6 percent 1")
	flat[0].Sheet.Max = 0
	many := make([]admitto.Criterion, admitto.MaxCriteria+1)
	for _, row := range []struct {
		list []admitto.Criterion
		want string
	}{
		{nil, ""},
		{criteria("6 raw 1", "7 percent -2.5 required"), ""},
		{criteria("6 raw 1", "6 percent 1"), "criteria/1"},
		{criteria("6 raw 0", "7 raw 0"), "criteria/0 criteria/1"},
		{flat, "criteria/0"},
		{many, "criteria"},
		{criteria("6 raw 111111111"), ""},
		{criteria("6 raw 111111112"), "criteria"},
		{criteria("6 raw 99999999", "7 raw -99999999"), "criteria"}, // one of them may be missing
	} {
		var got []string
		for _, f := range admitto.CriteriaFaults(row.list) {
			got = append(got, string(f.Path))
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%v: %v, want %s", row.list, got, row.want)
		}
	}
}
