package api_test

import (
	"testing"

	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// TestAnswersOfRemovedQuestion answers a question that a course requires through the API, and takes the question out of
// the form of the course: the answer stays in every version (screens.md A39).
func TestAnswersOfRemovedQuestion(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putContract(s)
		const path = "/applications/9001"
		missing := func(want bool) {
			t.Helper()
			read, err := s.services.Query.ApplicationForm(t.Context(), servicestest.Staff().Caller, 9001)
			if err != nil {
				t.Fatal(err)
			}
			is := false
			for _, at := range read.Missing {
				is = is || at == "extras/17"
			}
			if is != want {
				t.Errorf("it is missing: %t, %q", is, read.Missing)
			}
		}
		set := func(settings form.Settings) {
			t.Helper()
			if err := s.services.Catalogue.SaveCourseForm(t.Context(), servicestest.Staff(), 55, settings); err != nil {
				t.Fatal(err)
			}
		}
		answer := func(value string) {
			t.Helper()
			s.patch(v10(path), `{"extras":[{"id":17,"value":`+value+`}]}`).want(t, 204)
		}
		set(form.Settings{Questions: []form.Ask{{ID: 17, Required: true}}})
		answer("null")
		missing(true)
		answer(`"Private"`)
		missing(false)
		set(form.Settings{})
		for _, c := range []struct{ path, want string }{
			{v10(path), `{"id":17,"name":"Accommodation preference","type":"choice","value":"Private"}`},
			{"/api/v7" + path, `{"name":"Accommodation preference","type":"choice","value":"Private"}`},
		} {
			got := s.get(c.path).want(t, 200).body
			if value := atPointer(t, got, "/extras/0"); !sameJSON(t, value, c.want) {
				t.Errorf("%s has %v, want %s", c.path, value, c.want)
			}
		}
		answer(`"Dormitory"`)
		missing(false)
	})
}
