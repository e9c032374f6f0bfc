package params

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// Nested names mean the same in a form and in JSON.
func TestFlatNames(t *testing.T) {
	for _, c := range []struct{ form, json, want string }{
		{"a=1&b=2", `{"a":"1","b":"2"}`, "a=1 b=2"},
		{"a=x&a=y", `{"a":["x","y"]}`, "a=x|y"},
		{"a[]=x&a[]=y", `{"a":["x",null,"y"]}`, "a=x|y"},
		{"a[10]=y&a[2]=x", `{"a":["x","y"]}`, "a=x|y"},
		{"a[1]=y&a=w&a[0]=x", ``, "a=w|x|y"},
		{"a[b]=1", `{"a":{"b":"1"}}`, "a[b]=1"},
		{"a[0][b]=1&a[1][b]=2", `{"a":[{"b":"1"},{"b":"2"}]}`, "a[0][b]=1 a[1][b]=2"},
		{"a[b][c][d][e][f]=1", `{"a":{"b":{"c":{"d":{"e":{"f":"1"}}}}}}`, "a[b][c][d][e][f]=1"},
		{"a[x", ``, "a[x="},
		{"[0]=1", ``, "[0]=1"},
		{"", `{"a":null,"b":[],"c":{},"d":[null]}`, ""},
		{"=1", `{"":"1"}`, "=1"},
		{"a%5Bb%5D=%2B+1", `{"a":{"b":"+ 1"}}`, "a[b]=+ 1"},
		{"", `{"n":1.50,"m":-1e3,"t":true}`, "m=-1e3 n=1.50 t=true"},
	} {
		for _, way := range []struct{ name, body, contentType string }{{"form", c.form, "application/x-www-form-urlencoded"},
			{"JSON", c.json, "application/json"}} {
			if way.body == "" {
				continue
			}
			list, err := BodyArgs([]byte(way.body), way.contentType)
			if err != nil {
				t.Errorf("%s: %v", way.body, err)
				continue
			}
			got := []string{}
			for _, name := range slices.Sorted(maps.Keys(list)) {
				got = append(got, name+"="+strings.Join(list[name].Values, "|"))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s %s: %v, want %s", way.name, way.body, got, c.want)
			}
		}
	}
}

func TestHalfCharacters(t *testing.T) {
	for body, fine := range map[string]bool{`"\ud83d\ude00"`: true, `"\uD83D\uDE00x"`: true, `"\\ud83d"`: true,
		`"\\\\ud83d"`: true, `"\u00e9"`: true, `"\ufffd"`: true,
		`"\ud83d"`: false, `"\ud83dx"`: false, `"\ude00\ud83d"`: false, `"\ud83d\ud83d\ude00"`: false, `"\ud83d\n"`: false,
		`"\\\ud83d"`: false, `"\ud83d\`: false} {
		if err := CheckCharacters([]byte(body)); (err == nil) != fine {
			t.Errorf("%s: %v", body, err)
		}
	}
}
