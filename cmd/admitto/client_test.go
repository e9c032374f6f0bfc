package main

import (
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/client"
	"github.com/admitto/admitto/internal/apptest"
)

// recorder keeps the body of the last answer.
type recorder struct {
	http.RoundTripper
	body []byte
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.RoundTripper.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	r.body, err = io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(strings.NewReader(string(r.body)))
	return response, err
}

// Whatever the service has to tell, package client reads whole: everything that needs no ID is asked for, with all
// that can be expanded, and compared with what was sent.
// In the long size only.
func TestClientReadsEverything(t *testing.T) {
	if !apptest.Long() {
		return
	}
	s := demoService(t)
	sent := &recorder{RoundTripper: s.client.Transport}
	c, err := client.New(client.Config{BaseURL: s.url, Key: s.key, Transport: sent})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	methods := reflect.ValueOf(c)
	for n := range methods.NumMethod() {
		name, f := methods.Type().Method(n).Name, methods.Method(n)
		if !strings.HasPrefix(name, "Get") && !strings.HasPrefix(name, "List") {
			continue
		}
		arguments := []reflect.Value{reflect.ValueOf(t.Context())}
		if f.Type().NumIn() == 3 && f.Type().In(1).Kind() == reflect.Struct {
			arguments = append(arguments, everything(f.Type().In(1)))
		}
		if len(arguments) != f.Type().NumIn()-1 {
			continue // it asks for IDs
		}
		results := f.Call(arguments)
		if err, _ := results[1].Interface().(error); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		calls++
		if difference := unread(sent.body, results[0].Interface()); difference != "" {
			t.Errorf("%s does not read all:\n%s", name, difference)
		}
	}
	if calls < 20 {
		t.Errorf("only %d calls", calls)
	}
	all(t, "applicants", c.AllApplicants(t.Context(), client.ListApplicantsQuery{Limit: 7}), func() (int64, error) {
		return c.CountApplicants(t.Context(), client.ListApplicantsQuery{})
	})
	all(t, "records", c.AllJournal(t.Context(), client.ListJournalQuery{Limit: 500}), func() (int64, error) {
		return c.CountJournal(t.Context(), client.ListJournalQuery{})
	})
	wholeApplications(t, c, sent)
}

// everything is a query that expands all there is to expand.
func everything(query reflect.Type) reflect.Value {
	value := reflect.New(query).Elem()
	if field := value.FieldByName("Expand"); field.IsValid() {
		field.Set(reflect.ValueOf([]string{"*"}))
	}
	return value
}

// all compares the length of a list that is read page by page with its count.
func all[T any](t *testing.T, what string, list iter.Seq2[T, error], count func() (int64, error)) {
	t.Helper()
	var read int64
	for _, err := range list {
		if err != nil {
			t.Fatal(what, err)
		}
		read++
	}
	if n, err := count(); err != nil || n != read || n == 0 {
		t.Errorf("%d %s were read of %d (%v)", read, what, n, err)
	}
}

// wholeApplications reads some applications with all their sections, and the file of one.
func wholeApplications(t *testing.T, c *client.Client, sent *recorder) {
	t.Helper()
	list, err := c.ListApplications(t.Context(), client.ListApplicationsQuery{Limit: 40})
	if err != nil {
		t.Fatal(err)
	}
	for id := range list.All() {
		application, err := c.GetApplication(t.Context(), id, client.GetApplicationQuery{Expand: []string{"*"}})
		if err != nil {
			t.Fatal(err)
		}
		if difference := unread(sent.body, application); difference != "" {
			t.Fatalf("application %d is not read whole:\n%s", id, difference)
		}
	}
	application, err := c.GetApplication(t.Context(), list.Last(), client.GetApplicationQuery{})
	if err != nil {
		t.Fatal(err)
	}
	applicant, err := client.Follow[client.Applicant](t.Context(), c, application.Applicant.Link)
	if err != nil || applicant.ID != application.Applicant.Link.ID() {
		t.Error(applicant.ID, err)
	}
	printout, err := c.Open(t.Context(), application.PDF)
	if err != nil {
		t.Fatal(err)
	}
	defer printout.Close()
	if data, err := io.ReadAll(printout); err != nil || !strings.HasPrefix(string(data), "%PDF-") ||
		!strings.HasSuffix(printout.Name, ".pdf") {
		t.Errorf("%.10s %q %v", data, printout.Name, err)
	}
}

// unread tells what of an answer is not in the value that was read from it. What an answer leaves out may be null.
func unread(text []byte, value any) string {
	var want, got any
	encoded, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(encoded, &got)
	}
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil {
		return err.Error()
	}
	return cmp.Diff(want, withoutNulls(got, want))
}

// withoutNulls takes members out of got that are null and that want does not have.
func withoutNulls(got, want any) any {
	switch g := got.(type) {
	case map[string]any:
		w, _ := want.(map[string]any)
		for key, value := range g {
			if _, has := w[key]; !has && value == nil {
				delete(g, key)
				continue
			}
			g[key] = withoutNulls(value, w[key])
		}
	case []any:
		if w, _ := want.([]any); len(w) == len(g) {
			for i := range g {
				g[i] = withoutNulls(g[i], w[i])
			}
		}
	}
	return got
}
