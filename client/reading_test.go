package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/client"
)

// A big list is read page by page by the links of the answers, in their order.
func TestIterator(t *testing.T) {
	page := func(next string, ids ...int64) reply {
		var members []string
		for _, id := range ids {
			members = append(members, fmt.Sprintf(`"%d":{"id":%d,"event":"E"}`, id, id))
		}
		if next == "" {
			return answering(200, "{"+strings.Join(members, ",")+"}")
		}
		return answering(200, "{"+strings.Join(members, ",")+"}",
			"Link: </developers/changelog>; rel=\"deprecation\", <"+next+`>; rel="next"`)
	}
	read := func(i *instance, most int) (ids []int64, err error) {
		for record, err := range i.client.AllJournal(t.Context(), client.ListJournalQuery{BySince: client.FromID(3),
			ByEvents: []string{"A b", "C"}, Limit: 2}) {
			if err != nil {
				return ids, err
			}
			ids = append(ids, record.ID)
			if len(ids) == most {
				break
			}
		}
		return ids, nil
	}
	next := "/api/v10/journal?bySince=3&byEvents=A%20b%2CC&limit=2&after=3"
	i := start(t, nil, page(next, 9, 3), refusing(429, "quota-exceeded", "Retry-After: 1"), page("", 2))
	ids, err := read(i, 100)
	if err != nil || !slices.Equal(ids, []int64{9, 3, 2}) || len(i.seen) != 3 {
		t.Fatal(ids, err, len(i.seen))
	}
	if q := i.seen[0].URL.Query(); q.Get("bySince") != "3" || q.Get("byEvents") != "A b,C" || q.Get("limit") != "2" ||
		len(q) != 3 {
		t.Error(i.seen[0].URL)
	}
	if got := i.seen[2].URL.String(); got != next {
		t.Error(got)
	}
	i = start(t, nil, page(next, 9, 3), page("", 2))
	if ids, err = read(i, 2); err != nil || len(ids) != 2 || len(i.seen) != 1 {
		t.Error("whoever stops asks for nothing more:", ids, err, len(i.seen))
	}
	i = start(t, nil, page(next, 9, 3), refusing(500, "internal"))
	if ids, err = read(i, 100); len(ids) != 2 || !client.IsProblem(err, "internal") {
		t.Error(ids, err)
	}
	for _, foreign := range []string{"https://elsewhere.example/api/v10/journal", "//elsewhere.example/api/",
		"/problems"} {
		i = start(t, nil, page(foreign, 9), page("", 8))
		if _, err = read(i, 100); err == nil || len(i.seen) != 1 {
			t.Errorf("%s is followed", foreign)
		}
	}
}

func TestGuarded(t *testing.T) {
	i := start(t, nil,
		answering(200, `"old"`, `ETag: "1"`), refusing(412, "changed-meanwhile"),
		answering(200, `"newer"`, `ETag: "2"`), answering(204, ""))
	var had client.Text
	change := func() error {
		return client.Guarded(t.Context(), 3,
			func(ctx context.Context, tag client.Option) (err error) {
				had, err = i.client.GetApplicantReference(ctx, 5, tag)
				return err
			},
			func(ctx context.Context, unchanged client.Option) error {
				return i.client.SetApplicantReference(ctx, 5, had+"!", unchanged)
			})
	}
	if err := change(); err != nil || len(i.seen) != 4 {
		t.Fatal(err, len(i.seen))
	}
	if i.seen[1].Header.Get("If-Match") != `"1"` || i.seen[3].Header.Get("If-Match") != `"2"` ||
		i.bodies[3] != `"newer!"` || i.seen[0].Header.Get("If-Match") != "" {
		t.Error(i.bodies)
	}
	i = start(t, nil, answering(200, `"old"`, `ETag: "1"`), refusing(412, "changed-meanwhile"),
		answering(200, `"old"`, `ETag: "1"`), refusing(412, "changed-meanwhile"),
		answering(200, `"old"`, `ETag: "1"`), refusing(412, "changed-meanwhile"))
	if err := change(); !client.IsProblem(err, "changed-meanwhile") || len(i.seen) != 6 {
		t.Error(err, len(i.seen))
	}
	i = start(t, nil, refusing(404, "not-found"))
	if err := change(); !client.IsProblem(err, "not-found") || len(i.seen) != 1 {
		t.Error(err)
	}
}

func TestNotModified(t *testing.T) {
	i := start(t, nil, answering(304, "", `ETag: "1"`))
	var header http.Header
	_, err := i.client.GetCourse(t.Context(), 5, client.IfNoneMatch(`"1"`), client.Headers(&header))
	if !errors.Is(err, client.ErrNotModified) || i.seen[0].Header.Get("If-None-Match") != `"1"` ||
		header.Get("ETag") != `"1"` || len(i.seen) != 1 {
		t.Error(err, header)
	}
}

func TestFiles(t *testing.T) {
	for disposition, want := range map[string]string{
		`attachment; filename="a b.pdf"`:                               "a b.pdf",
		`attachment; filename="_.pdf"; filename*=UTF-8''%C5%91szi.pdf`: "őszi.pdf",
		`attachment; filename="../../etc/passwd"`:                      "passwd",
		`attachment; filename="..\\..\\boot.ini"`:                      "boot.ini",
		`attachment; filename=".."`:                                    "",
		`inline`:                                                       "",
		`;`:                                                            "",
	} {
		i := start(t, nil, answering(200, "%PDF", "Content-Disposition: "+disposition, "Content-Type: application/pdf",
			`ETag: "h"`))
		file, err := i.client.GetApplicationDocument(t.Context(), 4, 7)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(file)
		if err != nil || string(data) != "%PDF" || file.Name != want || file.Size != 4 ||
			file.ContentType != "application/pdf" || file.ETag != `"h"` {
			t.Errorf("%s: %+v %s %v", disposition, file, data, err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
	i := start(t, nil, answering(206, "PD", "Content-Range: bytes 1-2/4"))
	part, err := i.client.Open(t.Context(), "/api/v10/applications/4/documents/7", client.Range("bytes=1-2"))
	if err != nil || i.seen[0].Header.Get("Range") != "bytes=1-2" ||
		i.seen[0].URL.Path != "/api/v10/applications/4/documents/7" {
		t.Fatal(err, i.seen)
	}
	part.Close()
	if _, err := i.client.Open(t.Context(), "https://elsewhere.example/"); err == nil {
		t.Error("a foreign link is opened")
	}
	i = start(t, nil, answering(200, `{"id":4}`))
	if year, err := client.Follow[client.Year](t.Context(), i.client, "/api/v10/academic-years/2026"); err != nil ||
		year.ID != 4 {
		t.Error(year, err)
	}
}

// An upload is the same bytes when it is sent again, though the reader can be read once only.
func TestUpload(t *testing.T) {
	i := start(t, nil, refusing(503, "unavailable", "Retry-After: 1"), func(w http.ResponseWriter, r *http.Request) {
		answering(201, `{"id":9,"name":"ő.pdf"}`)(w, r)
	})
	file, err := i.client.CreateApplicationDocument(t.Context(), 4,
		client.Upload{File: io.MultiReader(strings.NewReader("%PDF"), strings.NewReader("-1.7")), FileName: "ő \"1\".pdf",
			Fields: map[string]string{"name": "Transcript"}})
	if err != nil || file.ID != 9 || len(i.bodies) != 2 || i.bodies[0] != i.bodies[1] ||
		i.seen[0].Header.Get("Idempotency-Key") != i.seen[1].Header.Get("Idempotency-Key") {
		t.Fatal(file, err, i.bodies)
	}
	r := i.seen[1]
	r.Body = io.NopCloser(strings.NewReader(i.bodies[1]))
	got, header, err := r.FormFile("file")
	if err != nil {
		t.Fatal(err)
	}
	data, _ := io.ReadAll(got)
	if string(data) != "%PDF-1.7" || header.Filename != `ő "1".pdf` || r.FormValue("name") != "Transcript" {
		t.Errorf("%s %q %v", data, header.Filename, r.Form)
	}
}

func TestRaw(t *testing.T) {
	i := start(t, nil, answering(200, `{"a":1}`))
	response, err := i.client.Raw(t.Context(), "PUT", "/new/thing", map[string][]string{"q": {"a b"}}, "application/json",
		[]byte(`1`))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || string(body) != `{"a":1}` || i.seen[0].URL.String() != "/api/v10/new/thing?q=a+b" ||
		i.bodies[0] != "1" || i.seen[0].Method != "PUT" {
		t.Error(string(body), err, i.seen[0].URL)
	}
	if _, err := i.client.Raw(t.Context(), "GET", "ping", nil, "", nil); err == nil {
		t.Error("a path without / passes")
	}
}

// Values go out as they came in, nothing as null.
func TestValues(t *testing.T) {
	type record struct {
		T client.Text                            `json:"t"`
		L client.Link                            `json:"l"`
		D client.Day                             `json:"d"`
		N client.Decimal                         `json:"n"`
		M client.Moment                          `json:"m"`
		C client.Collection[client.Text]         `json:"c"`
		X client.Linked[client.Collection[bool]] `json:"x"`
	}
	for _, text := range []string{
		`{"t":null,"l":null,"d":null,"n":null,"m":null,"c":{},"x":null}`,
		`{"t":"a","l":"/api/v10/courses/7","d":"2026-03-01","n":"12.50","m":"2026-03-01T12:00:00+00:00","c":{"9":"x","2":null},"x":"/api/v10/x"}`,
		`{"t":"ő","l":null,"d":null,"n":"-0.01","m":null,"c":{},"x":{"3":true}}`,
	} {
		var r record
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(text, err)
		}
		back, err := json.Marshal(r)
		if err != nil || string(back) != text {
			t.Errorf("%s (%v), want %s", back, err, text)
		}
	}
	for _, bad := range []string{`{"m":"yesterday"}`, `{"c":[]}`, `{"c":{"x":"y"}}`, `{"c":{"1":2}}`, `{"n":true}`,
		`{"x":{"1":2}}`} {
		if err := json.Unmarshal([]byte(bad), new(record)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
	var number client.Decimal
	if err := json.Unmarshal([]byte(`7.5`), &number); err != nil || number != "7.5" {
		t.Error(number, err)
	}
	if client.Link("/api/v10/courses/7").ID() != 7 || client.Link("").ID() != 0 ||
		client.Link("/api/v10/classificators").ID() != 0 {
		t.Error("the ID of a link is wrong")
	}
	if day, err := client.Day("2026-03-01").Time(time.UTC); err != nil || !day.Equal(noon.Add(-12*time.Hour)) {
		t.Error(day, err)
	}
	if client.At(noon) != "2026-03-01T12:00:00Z" || client.FromID(0) != "0" {
		t.Error(client.At(noon))
	}
}

// A change says what is set, what is cleared, and nothing of the rest.
func TestChanges(t *testing.T) {
	i := start(t, nil, answering(204, ""))
	err := i.client.UpdateScoresheetScore(t.Context(), 1, 2,
		client.UpdateScoresheetScoreInput{Points: client.Set[client.Decimal]("7.50"), Comments: client.Clear[client.Text]()})
	if err != nil || i.bodies[0] != `{"points":"7.50","comments":null}` {
		t.Error(i.bodies, err)
	}
	err = i.client.PatchApplication(t.Context(), 1, client.PatchApplicationInput{Legal: client.Clear[any](),
		Visa: client.Set[any](client.Visa{Country: "HU"})})
	if err != nil || !strings.HasPrefix(i.bodies[1], `{"legal":null,"visa":{`) ||
		i.seen[1].Header.Get("Content-Type") != "application/merge-patch+json" {
		t.Error(i.bodies, err)
	}
	if err = i.client.SetApplicantReference(t.Context(), 1, ""); err != nil || i.bodies[2] != "null" {
		t.Error(i.bodies, err)
	}
}
