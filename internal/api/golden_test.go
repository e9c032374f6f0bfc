package api_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files again")

// The answers of every version to the byte: fields and their order, links, notes, what appears and what goes.
// The files are one for each version, the same on both engines.
func TestGolden(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		goldenData(t, s)
		for v := config.OldestVersion - 1; v <= 10; v++ {
			prefix, name := fmt.Sprintf("/api/v%d", v), fmt.Sprintf("v%d", v)
			if v < config.OldestVersion {
				prefix, name = "/api", "unversioned"
			}
			t.Run(name, func(t *testing.T) {
				var b strings.Builder
				for _, path := range []string{"/applicants", "/applicants?expand=trackers&byTrackerCodes=fair-bud",
					"/applicants?limit=1&byUntil=3", "/applicants/2?expand=*",
					"/applicants/2/trackers", "/applicants/2/trackers/1", "/applicants/1/trackers", "/applicants/2/reference",
					"/applicants/1/matriculation",
					"/applicants/trackers", "/applicants/trackers/2", "/journal?byApplicantIDs=2&limit=5",
					"/journal?order=newest-first&limit=2"} {
					a := s.get(prefix+path).want(t, 200)
					text := strings.ReplaceAll(a.body, `,"`, ",\n\"") // one field a line: differences show
					fmt.Fprintf(&b, "GET %s%s\nX-Count: %s\nLink: %s\n%s\n\n", prefix, path, a.header.Get("X-Count"),
						strings.Join(a.header.Values("Link"), ", "), text)
				}
				file := filepath.Join("testdata", name+".golden")
				if *update {
					if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), b.String()); diff != "" {
					t.Fatalf("%s (-want +got), write it again by go test ./internal/api -run Golden -update: %s", file, diff)
				}
			})
		}
	})
}

// goldenData is two applicants made by the API, one of each other type, and trackers of each form.
func goldenData(t testing.TB, s *service) {
	t.Helper()
	for _, tracker := range []string{"code=FAIR-BUD&notes=Budapest+fair&reduction[reduction]=Percent&reduction[percent]=10",
		"code=web", "code=Staff&reduction[reduction]=Amount&reduction[amount]=12.5&reduction[currency]=eur"} {
		s.postForm(v10("/applicants/trackers"), tracker).want(t, 201)
	}
	s.create(t, "email=first%40example.org&name=First")
	s.clock.Add(90 * admitto.Second)
	s.create(t, "email=Ilse.Varga%40example.org&name_given=Ilse&name_family=Varga&name_middle=%C3%81gnes+%22A%22&citizenship=hu&phone=%2B372+5550+0000&skype=ilse"+
		"&reference=CRM-20817&matriculation=M/1&notes=Called,+says+%3C%22hi%22%3E%0Aand+so+on&tracker_ID=1")
	s.do("PUT", v10("/applicants/2/trackers/3"), "").want(t, 204)
	s.do("PUT", v10("/applicants/2/reference"), `"CRM-20818"`).want(t, 204)
	s.insert(t,
		load.ApplicantRow{EmailKey: "kim@example.org", Applicant: admitto.Applicant{ID: 3, Type: admitto.Child,
			State:      admitto.ApplicantBlocked,
			Registered: start + 123456, Email: "kim@example.org", Citizenship: "NL", Name: admitto.Name{Given: "Kim",
				Family: "Dijk", Parent: "Piet Dijk"}}},
		load.ApplicantRow{EmailKey: "lee@example.org", Applicant: admitto.Applicant{ID: 40, Type: admitto.Legal,
			State:      admitto.ApplicantLive,
			Registered: start + admitto.Hour, Email: "lee@example.org", Name: admitto.Name{Legal: "Lee & Co"},
			Address: "1 Road\nTown", VATIN: "EE123"}})
	err := s.store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.InsertNote(2, &admitto.Note{Created: start, Colour: "Green", Text: "Transcript received"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
