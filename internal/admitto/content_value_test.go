package admitto

import "testing"

func TestParsePartialDate(t *testing.T) {
	for s, ok := range map[string]bool{"2025": true, "2025-12": true, "2025-12-05": true, "2024-02-29": true, "1900": true, "2100-12-31": true,
		"": false, "25": false, "1899": false, "2101": false, "2025-13": false, "2025-00": false, "2025-1": false, "2025-02-29": false, "2025-12-5": false,
		"2025-12-05T00:00:00": false, "2025 ": false, "+2025": false, "20255": false, "2025/12": false} {
		got, err := ParsePartialDate(s)
		if (err == nil) != ok || ok && got != s {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	}
}

func TestParseDecimalText(t *testing.T) {
	for s, ok := range map[string]bool{"0": true, "-0.5": true, "12.50": true, "999999999.999999999": true, "": false, "1e3": false, "1.": false, ".5": false,
		"+1": false, "1234567890": false, "0.1234567891": false, "NaN": false, " 1": false} {
		if got, err := ParseDecimalText(s); (err == nil) != ok || ok && got != s {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	}
}

func TestExtraAnswered(t *testing.T) {
	yes := false
	for _, e := range []Extra{{Text: "x"}, {Number: "0"}, {YesNo: &yes}, {Choices: []string{"A"}}, {Money: &Money{}}, {Document: 1}, {Entries: []Extra{{}}}} {
		e.ID, e.Name, e.Type = 17, "Question", ExtraText
		if e.IsUnanswered() {
			t.Errorf("%+v is answered", e)
		}
		if e.Clear(); !e.IsUnanswered() || e.ID != 17 || e.Name != "Question" || e.Type != ExtraText {
			t.Errorf("%+v", e)
		}
	}
}
