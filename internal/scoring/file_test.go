package scoring

import (
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

// cefr is a sheet for offers that takes nothing but labelled values, and asks for all there is.
func cefr() *admitto.Scoresheet {
	return &admitto.Scoresheet{Type: "CEFR", Min: 10_000, Max: 60_000, ByOffer: true, Date: "Required",
		Reference: "Optional", Subject: "Optional", Language: "Optional",
		Maps: []admitto.ScoreMap{{Label: "A1", Value: 10_000}, {Label: "B2", Value: 40_000}, {Label: "b2", Value: 50_000}}}
}

// TestFileHeads names the columns that a sheet has, and refuses what it lacks.
func TestFileHeads(t *testing.T) {
	plain := &admitto.Scoresheet{Date: "None", Reference: "Optional", Subject: "None", Language: "Required"}
	if got := strings.Join(FileHeads(plain), " "); got != "application points comments reference language" {
		t.Error(got)
	}
	if got := strings.Join(FileHeads(cefr()), " "); got != "application offer points comments date reference subject language" {
		t.Error(got)
	}
	for heads, want := range map[string]string{"application points": "", "points language application": "",
		"points": "points-file-column", "": "sheet-head-unknown points-file-column",
		"application offer":              "sheet-head-unknown", // the sheet is for applications
		"application date":               "sheet-head-unknown", // which it does not carry
		"application points points name": "sheet-head-twice sheet-head-unknown"} {
		var got []string
		for _, fault := range placePoints(plain, strings.Split(heads, " ")) {
			got = append(got, fault.Code)
		}
		if said := strings.Join(got, " "); said != want {
			t.Errorf("%q: %q, want %q", heads, said, want)
		}
	}
	if faults := placePoints(cefr(), []string{"application", "points"}); len(faults) != 1 ||
		!strings.Contains(faults[0].String(), "offer") {
		t.Error(faults)
	}
}

// TestReadPoints reads labels and numbers; the number of a value stands before a label that is called as it.
func TestReadPoints(t *testing.T) {
	sheet := cefr()
	for cell, want := range map[string]admitto.Points{"B2": 40_000, "b2": 50_000, "4": 40_000, "5,": 0, "a1": 10_000,
		" 1 ": 10_000, "C2": 0, "3": 0, "4.0": 40_000, "B2 (4)": 0} {
		in, faults := readPoints(sheet, []string{"points"}, []string{cell})
		if want == 0 {
			if len(faults) != 1 || faults[0].Column != "points" || in.Values.Points != nil {
				t.Errorf("%q is read as %v, %v", cell, in.Values.Points, faults)
			}
			continue
		}
		if faults != nil || in.Values.Points == nil || *in.Values.Points != want {
			t.Errorf("%q is read as %v (%v), want %d", cell, in.Values.Points, faults, want)
		}
	}
	if _, faults := readPoints(sheet, []string{"points"}, []string{"C2"}); faults[0].Text.Code != "points-labelled" ||
		!strings.Contains(faults[0].Text.String(), "4 (B2)") {
		t.Error(faults)
	}
}

// FuzzPointsFile: whatever a row has, its faults name its columns, and what is read without a fault fits the sheet.
func FuzzPointsFile(f *testing.F) {
	for _, seed := range [][4]string{{"9001", "B2", "2026-02-01", "en"}, {"0", "4,0", "1.2.2026", "xx"},
		{"", "=1", "", ""}, {"1e3", "999999999999999999999", "0000-00-00", "EN "}, {"9", "\x00", "\u202e", "\n"}} {
		f.Add(seed[0], seed[1], seed[2], seed[3], uint8(0))
	}
	f.Fuzz(func(t *testing.T, application, points, date, language string, kind uint8) {
		sheet := cefr()
		if kind > 0 {
			types := admitto.SheetTypes()
			of := types[int(kind)%len(types)]
			sheet = &admitto.Scoresheet{Type: of.Name, Min: of.Min, Max: of.Max, Scale: of.Scale, Date: "Optional",
				Language: "Optional"}
		}
		heads := []string{"application", "points", "date", "language", "comments"}
		in, faults := readPoints(sheet, heads, []string{application, points, date, language, points + date, "", language})
		for _, fault := range faults {
			if fault.Text.IsZero() || fault.Column != "" && !slices.Contains(heads, fault.Column) {
				t.Fatalf("%+v", fault)
			}
		}
		if len(faults) > 0 {
			return
		}
		if wrong := sheet.ScoreFaults(&in.Values, in.Fields, 0); len(wrong) > 0 {
			t.Fatalf("%+v: %+v", in, wrong)
		}
		for _, field := range in.Fields.Each() { // what is written is read again
			cell := in.Values.Text(field)
			if cell == "" {
				continue
			}
			again, faults := readPoints(sheet, []string{field.Name()}, []string{cell})
			if len(faults) > 0 || again.Values.Text(field) != cell {
				t.Fatalf("%s %q is read again as %q: %v", field.Name(), cell, again.Values.Text(field), faults)
			}
		}
	})
}
