package replay

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A mask replaces what two runs may differ in: times around now, and names drawn at random.
type mask struct{ now time.Time }

var (
	instants = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2})?([+-][0-9]{2}:[0-9]{2})?`)
	seconds  = regexp.MustCompile(`\b1[0-9]{9}\b`)
	blobs    = regexp.MustCompile(`\b[1-9][0-9]{0,8}-[0-9a-f]{16}\b`)
	pdfTime  = regexp.MustCompile(`D:[0-9]{14}`)
	pdfID    = regexp.MustCompile(`/ID ?\[[^\]]*\]`)
)

// text masks a body or a header.
func (m mask) text(b []byte) []byte {
	b = instants.ReplaceAllFunc(b, func(found []byte) []byte {
		text := strings.Replace(string(found), "T", " ", 1)
		for _, layout := range []string{"2006-01-02 15:04:05-07:00", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
			if t, err := time.Parse(layout, text); err == nil && t.Sub(m.now).Abs() < 3*time.Hour {
				return []byte("NOW")
			}
		}
		return found
	})
	b = seconds.ReplaceAllFunc(b, func(found []byte) []byte {
		if n, err := strconv.ParseInt(string(found), 10, 64); err == nil && time.Unix(n, 0).Sub(m.now).Abs() < 3*time.Hour {
			return []byte("NOW")
		}
		return found
	})
	b = pdfTime.ReplaceAll(b, []byte("D:NOW"))
	b = pdfID.ReplaceAll(b, []byte("/ID"))
	return blobs.ReplaceAll(b, []byte("BLOB"))
}

// eventNow is an event of the journal that was recorded in this run, in a masked body.
var eventNow = regexp.MustCompile(`^\{"id":[0-9]+,"logged":"NOW",`)

// unordered sorts the events of this run by what they say and takes their IDs away: mails leave and rules run at their
// own pace, so that their events come before or after those of the requests. Any other body stays as it is.
func unordered(body []byte) []byte {
	var events map[string]json.RawMessage
	if json.Unmarshal(body, &events) != nil {
		return body
	}
	var old []int
	var now []string
	for id, event := range events {
		number, err := strconv.Atoi(id)
		if err != nil {
			return body
		}
		if found := eventNow.Find(event); found == nil {
			old = append(old, number)
		} else {
			now = append(now, string(event[len(found):]))
		}
	}
	if now == nil {
		return body
	}
	slices.Sort(old)
	slices.Sort(now)
	var sorted []string
	for _, number := range old {
		sorted = append(sorted, string(events[strconv.Itoa(number)]))
	}
	return []byte(strings.Join(append(sorted, now...), ",\n"))
}

// skipped are the headers that tell nothing about the answer.
var skipped = []string{"Date", "Ratelimit", "Retry-After"}

// lines are what is compared of an answer, a line each. An ETag stands for the whole body, so it is compared only where
// the body is seen and has nothing masked.
func (m mask) lines(a *answer) []string {
	list := []string{fmt.Sprint("status ", a.status)}
	body := unordered(m.text(a.body))
	masked := string(body) != string(a.body) || len(a.body) == 0
	var names []string
	for name := range a.header {
		if !slices.Contains(skipped, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		values := string(m.text([]byte(strings.Join(a.header[name], ", "))))
		switch {
		case masked && (name == "Etag" || name == "Content-Length"):
			values = "of a masked body"
		case name == "Last-Modified":
			if t, err := http.ParseTime(values); err == nil && t.Sub(m.now).Abs() < 3*time.Hour {
				values = "NOW"
			}
		}
		list = append(list, name+": "+values)
	}
	// One member a line, so that a difference shows where it is.
	return append(list, strings.Split(strings.ReplaceAll(string(body), `,"`, ",\n\""), "\n")...)
}

// difference returns the first lines that differ, "" when none does.
func (m mask) difference(before, after *answer) string {
	a, b := m.lines(before), m.lines(after)
	for i := range max(len(a), len(b)) {
		var left, right string
		if i < len(a) {
			left = a[i]
		}
		if i < len(b) {
			right = b[i]
		}
		if left != right {
			return fmt.Sprintf("line %d\n  before: %.400s\n  after:  %.400s", i+1, left, right)
		}
	}
	return ""
}
