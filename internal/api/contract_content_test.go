package api_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/config"
)

// everySection is content with every repeating section, and a date of each precision in every place that has one.
const everySection = `{
	"education":[{"level":"SE","enrolment":"2018-09","graduation":"2022","suspension":"2020-01-31"},{"institution":"Second"}],
	"languages":[{"name":"en"}],
	"career":[{"employer":"Mill","period":{"from":"2019","to":"2020-02-03"}},{"employer":"Shop","period":null}],
	"activities":[{"organization":"Choir","period":{"from":"2021-05","to":null}}],
	"residences":[{"country":"AT","period":{"from":"2017-12-24","to":"2018"}}]}`

// yearMonths are the dates of everySection by their place, as versions 8 and 9 show them; null is the same in both.
func yearMonths() map[string][2]string {
	return map[string][2]string{
		"education 0 enrolment":    {"2018 09", "2018-09"},
		"education 0 graduation":   {"2022 <nil>", "2022"},
		"education 0 suspension":   {"2020 01", "2020-01-31"},
		"career 0 period from":     {"2019 <nil>", "2019"},
		"career 0 period to":       {"2020 02", "2020-02-03"},
		"activities 0 period from": {"2021 05", "2021-05"},
		"residences 0 period from": {"2017 12", "2017-12-24"},
		"residences 0 period to":   {"2018 <nil>", "2018"},
	}
}

// Version 9: the dates of every section are single strings, on every path that shows content.
func TestContractDates(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		s.do("PATCH", v10("/applications/9002"), everySection, header("Content-Type", "application/json")).want(t, 204)
		for _, path := range []string{"/applications/9002", "/applicants/4713/applications/9002"} {
			for version := config.OldestVersion; version <= 10; version++ {
				shown := yearMonthsIn(s.get(fmt.Sprintf("/api/v%d%s", version, path)).want(t, 200).object(t), "")
				for place, want := range yearMonths() {
					form := want[0]
					if version >= 9 {
						form = want[1]
					}
					if shown[place] != form {
						t.Errorf("version %d: %s: %s is %q, want %q", version, path, place, shown[place], form)
					}
					delete(shown, place)
				}
				if len(shown) > 0 {
					t.Errorf("version %d: %s: dates that nobody expects: %v", version, path, shown)
				}
			}
		}
	})
}

// yearMonthsIn finds the dates of unknown precision by their place: {yy, mm} as "yy mm", and the members that hold
// them.
func yearMonthsIn(node any, place string) map[string]string {
	found := map[string]string{}
	object, isObject := node.(map[string]any)
	if yy, is := object["yy"]; is {
		return map[string]string{place: fmt.Sprint(yy, " ", object["mm"])}
	}
	if text, is := node.(string); is {
		for _, name := range []string{"enrolment", "graduation", "suspension", "period from", "period to"} {
			if strings.HasSuffix(place, " "+name) {
				return map[string]string{place: text}
			}
		}
	}
	inner := func(name string, value any) {
		for at, date := range yearMonthsIn(value, strings.TrimSpace(place+" "+name)) {
			found[at] = date
		}
	}
	if isObject {
		for name, value := range object {
			inner(name, value)
		}
	}
	if list, is := node.([]any); is {
		for i, value := range list {
			inner(fmt.Sprint(i), value)
		}
	}
	return found
}

// Version 9: extras, those inside of sections too, have an ID that no other of the application has; else they are the
// same.
func TestContractExtras(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		extras := func(version int) (list []any, ids map[float64]string) {
			ids = map[float64]string{}
			body := s.get(fmt.Sprintf("/api/v%d/applications/9002", version)).want(t, 200).body
			list = parsedFloats(t, strings.ReplaceAll(body, fmt.Sprintf("/api/v%d/", version), "/api/"))["extras"].([]any)
			takeIDs(t, list, ids)
			return list, ids
		}
		before, none := extras(8)
		after, ids := extras(9)
		if len(none) != 0 || len(ids) < len(after)+2 {
			t.Errorf("IDs in version 8: %v, in version 9: %v", none, ids)
		}
		if !reflect.DeepEqual(before, after) {
			t.Errorf("without their IDs:\nversion 8 %v\nversion 9 %v", before, after)
		}
		kinds := map[any]bool{}
		for _, one := range after {
			kinds[one.(map[string]any)["type"]] = true
		}
		if len(kinds) != 12 {
			t.Errorf("extras of the types %v, want all twelve", kinds)
		}
	})
}

// takeIDs takes the IDs out of extras; each may be there once.
func takeIDs(t *testing.T, list []any, ids map[float64]string) {
	t.Helper()
	for _, one := range list {
		extra := one.(map[string]any)
		if id, has := extra["id"].(float64); has {
			if other, twice := ids[id]; twice {
				t.Errorf("%v and %s have the ID %v", extra["name"], other, id)
			}
			ids[id] = fmt.Sprint(extra["name"])
		}
		delete(extra, "id")
		if entries, is := extra["value"].([]any); is && extra["type"] == "section" {
			takeIDs(t, entries, ids)
		}
	}
}

// parsedFloats reads a JSON object.
func parsedFloats(t *testing.T, text string) map[string]any {
	t.Helper()
	return answer{body: text}.object(t)
}
