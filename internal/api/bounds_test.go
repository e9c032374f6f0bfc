package api

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
)

// numbered writes n members of an object, "0" to "n-1".
func numbered(n int, value string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"%d":%s`, i, value)
	}
	return strings.Join(list, ",")
}

// allocated tells how many bytes fn allocates, those that are collected again included.
func allocated(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A body repeats a name in the flat names and pointers of everything below it: whatever is sent, that takes no more
// than some mebibytes, and neither does the answer.
func TestNamesAreBounded(t *testing.T) {
	deep := func(name string, inner string) string {
		return `{"` + name + `":{"` + name + `":{"` + name + `":{"` + name + `":{` + inner + `}}}}}`
	}
	for name, c := range map[string]struct {
		body    string
		refused bool
	}{
		"usual names":              {deep("a member of a usual length", numbered(1900, "1")), false},
		"the longest name":         {`{"` + strings.Repeat("k", params.MaxName) + `":1}`, false},
		"a longer name":            {`{"` + strings.Repeat("k", params.MaxName+1) + `":1}`, true},
		"a longer name below":      {`{"a":[{"` + strings.Repeat("k", params.MaxName+1) + `":1}]}`, true},
		"half a megabyte for 1990": {`{"` + strings.Repeat("k", 500_000) + `":{` + numbered(1990, "1") + `}}`, true},
		"long names for 1900":      {deep(strings.Repeat("k", params.MaxName), numbered(1900, "1")), true},
		"escaped names for 1900":   {deep(strings.Repeat("~", params.MaxName/2), numbered(1900, "1")), true},
		"long names for 1900 in a list": {deep(strings.Repeat("k", params.MaxName),
			`"a":[`+strings.Repeat(`[1],`, 1900)+`[1]]`), true},
		"long names given twice": {deep(strings.Repeat("k", params.MaxName), strings.Repeat(`"":1,`, 1900)+`"":1`),
			true},
	} {
		var refusal error
		var answer []byte
		took := allocated(func() {
			c, w := newCall("POST", "", jsonType, c.body)
			c.r.Header.Set("Prefer", "handling=strict")
			list, err := c.creationArgs()
			if refusal = err; err == nil {
				err = c.decode(list, &newTrackerInput{})
			}
			checkRefusal(t, c, w, err)
			answer, _ = c.problemFor(err).encode(c.r)
		})
		if kind := admitto.KindOf(refusal); (refusal != nil) != c.refused || c.refused && kind != admitto.InvalidBody {
			t.Errorf("%s: %v", name, refusal)
		}
		if took > 40<<20 || len(answer) > 1<<20 {
			t.Errorf("%s: %d bytes are allocated, the answer has %d", name, took, len(answer))
		}
	}
}

// The same holds for merge patches, in which a name may stand above half a mebibyte of members.
func TestPatchNamesAreBounded(t *testing.T) {
	deep := func(name string, inner string) string {
		return strings.Repeat(`{"`+name+`":`, 15) + inner + strings.Repeat("}", 15)
	}
	for name, c := range map[string]struct {
		body    string
		refused bool
	}{
		"usual names":           {deep("name", `{`+numbered(15_000, "1")+`}`), false},
		"the longest name":      {`{"` + strings.Repeat("k", params.MaxName) + `":1}`, false},
		"a longer name":         {`{"` + strings.Repeat("k", params.MaxName+1) + `":1}`, true},
		"a longer name below":   {`{"a":[{"` + strings.Repeat("k", params.MaxName+1) + `":1}]}`, true},
		"200 KB":                {`{"` + strings.Repeat("k", 100_000) + `":{` + numbered(9_000, "1") + `}}`, true},
		"long names for many":   {deep(strings.Repeat("k", params.MaxName), `{`+numbered(15_000, "1")+`}`), false},
		"long names for a list": {deep(strings.Repeat("k", params.MaxName), `[1`+strings.Repeat(",1", 15_000)+`]`), false},
		"many values":           {`{"a":[1` + strings.Repeat(",1", 200_000) + `]}`, true},
		"long names given twice": {deep(strings.Repeat("k", params.MaxName), `{`+strings.Repeat(`"":1,`, 80_000)+`"":1}`),
			true},
	} {
		var err error
		if took := allocated(func() { _, _, err = params.ReadPatch([]byte(c.body), "content") }); took > 64<<20 {
			t.Errorf("%s: %d bytes are allocated for %d", name, took, len(c.body))
		}
		if (err != nil) != c.refused || c.refused && admitto.KindOf(err) != admitto.InvalidBody {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A form has names of the same lengths; one that is too long is told by its beginning, with all other faults.
func TestFormNamesAreBounded(t *testing.T) {
	long := strings.Repeat("é", params.MaxName/2+1)
	for body, contentType := range map[string]string{
		long + "=1&kind=": "application/x-www-form-urlencoded",
		"--x\r\nContent-Disposition: form-data; name=\"" + long +
			"\"\r\n\r\n1\r\n--x--\r\n": "multipart/form-data; boundary=x",
	} {
		c, w := newCall("POST", "", contentType, body)
		list, err := c.creationArgs()
		if err != nil {
			t.Fatal(err)
		}
		err = c.decode(list, &newTrackerInput{})
		checkRefusal(t, c, w, err)
		p := c.problemFor(err)
		if len(p.Errors) != 2 || !strings.HasPrefix(p.Errors[1].Parameter, "éé") || len(p.Errors[1].Parameter) > 80 ||
			p.Errors[1].Detail != "the name has more than 1024 bytes" {
			t.Errorf("%s: %+v", contentType, p.Errors)
		}
	}
}

// A problem document lists a hundred faults and says how many more there are.
func TestFaultsAreCapped(t *testing.T) {
	for n, more := range map[int]string{1: "", maxFaults: "", maxFaults + 1: "; and 1 more faults, which are not listed",
		1990: "; and 1890 more faults, which are not listed"} {
		c, w := newCall("POST", "", jsonType, `{`+numbered(n, "1")+`,"code":"ab"}`)
		c.r.Header.Set("Prefer", "handling=strict")
		list, err := c.creationArgs()
		if err != nil {
			t.Fatal(err)
		}
		err = c.decode(list, &newTrackerInput{})
		checkRefusal(t, c, w, err)
		p := c.problemFor(err)
		body, _ := p.encode(c.r)
		if len(p.Errors) != min(n, maxFaults) || !json.Valid(body) || strings.Count(p.Detail,
			"there is no such parameter here") != min(n, maxFaults) ||
			!strings.HasSuffix(p.Detail, "there is no such parameter here"+more) {
			t.Errorf("%d faults: %d are listed, %s", n, len(p.Errors), p.Detail)
		}
	}
}
