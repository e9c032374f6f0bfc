package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/config"
)

// What hangs on applicants and applications, in every version to the byte.
func TestHangingGolden(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putFiles(s)
		for _, prefix := range eachPrefix() {
			var b strings.Builder
			paths := []string{"/applicants/4711/consents", "/applicants/4711/consents/12", "/applicants/4713/consents",
				"/applicants/4711/emails",
				"/applicants/4711/emails/881", "/applicants/4713/emails", "/applicants/4711/emails/881/attachments",
				"/applicants/4711/emails/880/attachments",
				"/applicants/4711/wishes", "/applicants/4711/wishes/60", "/applicants/4713/wishes", "/applications/9001/tasks",
				"/applications/9001/tasks/411",
				"/applications/9001/tasks/410/status", "/applications/9002/tasks", "/applications/9001/documents",
				"/applications/9004/documents",
				"/applications/9002/documents", "/applications/9001/exports", "/applications/9001/exports/88",
				"/applications/9002/exports",
				"/applications/9001/exports/88/blobs", "/applications/9001/exports/89/blobs", "/applications/9001/exports/91/blobs",
				"/applicants/4711?expand=documents,consents,wishes", "/applicants?expand=documents,consents,wishes&bySince=4713",
				"/applicants?expand=*&byUntil=4711"}
			switch {
			case config.OldestVersion > 4: // the paths were dropped with the last version that has them
			case slices.Contains([]string{"/api/v1", "/api/v2", "/api/v3", "/api/v4", "/api"}, prefix):
				paths = append(paths, "/applicants/4711/documents", "/applicants/4713/documents")
			}
			for _, path := range paths {
				a := s.get(prefix+path).want(t, 200)
				isApplicants := strings.HasPrefix(path, "/applicants?")
				if head := s.do("HEAD", prefix+path, "").want(t, 200); head.header.Get("X-Count") != a.header.Get("X-Count") ||
					head.body != "" ||
					!isApplicants && head.header.Get("ETag") != strings.Replace(a.header.Get("ETag"), "-gzip", "", 1) {
					t.Errorf("HEAD %s%s: %v", prefix, path, head.header)
				}
				if a.header.Get("ETag") == "" && !isApplicants || a.header.Get("Content-Type") != "application/json" {
					t.Errorf("%s%s: %v", prefix, path, a.header)
				}
				fmt.Fprintf(&b, "GET %s%s\nX-Count: %s\n%s\n\n", prefix, path, a.header.Get("X-Count"),
					strings.ReplaceAll(a.body, `,"`, ",\n\""))
			}
			name := strings.TrimPrefix(strings.TrimPrefix(prefix, "/api"), "/")
			if name == "" {
				name = "unversioned"
			}
			golden(t, "hanging-"+name, b.String())
		}
	})
}

func TestHangingAbsent(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putFiles(s)
		strict := header("Prefer", "handling=strict")
		for _, path := range []string{"/applicants/4712/consents", "/applicants/1/consents", "/applicants/4711/consents/13",
			"/applicants/4711/consents/999",
			"/applicants/4712/consents/13", "/applicants/4712/emails", "/applicants/4712/emails/882",
			"/applicants/4711/emails/882", "/applicants/4713/emails/880",
			"/applicants/4712/emails/882/attachments", "/applicants/4711/emails/882/attachments", "/applicants/4712/wishes",
			"/applicants/4712/wishes/62",
			"/applicants/4711/wishes/62", "/applications/9003/tasks", "/applications/9003/tasks/413",
			"/applications/9001/tasks/412",
			"/applications/9001/tasks/413", "/applications/9002/tasks/410", "/applications/9001/tasks/412/status",
			"/applications/9002/tasks/410/status",
			"/applications/9003/documents", "/applications/1/documents", "/applications/9003/exports",
			"/applications/9003/exports/90",
			"/applications/9001/exports/90", "/applications/9002/exports/88", "/applications/9001/exports/90/blobs",
			"/applications/9003/exports/90/blobs"} {
			for _, prefix := range []string{"/api/v10", defaultPath("")} {
				s.get(prefix+path).want(t, 404).problem(t, "not-found")
				s.get(prefix+path+"?x=1", strict).want(t, 404).problem(t, "not-found")
				s.do("HEAD", prefix+path, "").want(t, 404)
			}
		}
		for _, path := range []string{"/applicants/4711/consents", "/applicants/4711/consents/12", "/applicants/4711/emails",
			"/applicants/4711/emails/880",
			"/applicants/4711/emails/881/attachments", "/applicants/4711/wishes", "/applicants/4711/wishes/60",
			"/applications/9001/tasks",
			"/applications/9001/tasks/410", "/applications/9001/tasks/410/status", "/applications/9001/documents",
			"/applications/9001/exports",
			"/applications/9001/exports/88", "/applications/9001/exports/88/blobs"} {
			if a := s.get(v10(path)+"?expand=*").want(t, 200); a.header.Get("Ignored-Parameters") != "expand" {
				t.Errorf("%s: %v", path, a.header)
			}
			s.get(v10(path)+"?expand=*", strict).want(t, 400).problem(t, "invalid-parameter")
		}
		for _, path := range []string{"/applicants/4711/consents/x", "/applicants/4711/emails/0",
			"/applicants/4711/wishes/-1", "/applications/9001/tasks/x",
			"/applications/9001/exports/x/blobs"} {
			s.get(v10(path)).want(t, 400).problem(t, "invalid-id")
		}
	})
}

// The documents of applicants have paths in the versions 1 to 4 only; expanded they are there in all.
func TestApplicantDocumentsByVersion(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putFiles(s)
		s.get("/api/v4/applicants/4712/documents").want(t, 404).problem(t, "not-found")
		s.get("/api/v4/applicants/1/documents").want(t, 404).problem(t, "not-found")
		for v := config.OldestVersion; v <= 10; v++ {
			prefix := fmt.Sprintf("/api/v%d", v)
			expanded := s.get(prefix+"/applicants/4711?expand=documents").want(t, 200)
			if v > 4 {
				for _, path := range []string{"/applicants/4711/documents", "/applicants/4711/documents/222"} {
					p := s.get(prefix+path).want(t, 404).problem(t, "not-in-version")
					if !strings.Contains(p["detail"].(string), "/applications/{id}/documents") {
						t.Error(p)
					}
				}
				if !strings.Contains(expanded.body, `"documents":{"221":{"id":221,`) {
					t.Errorf("%s: %s", prefix, expanded.body)
				}
				continue
			}
			list := s.get(prefix+"/applicants/4711/documents").want(t, 200)
			if !strings.Contains(expanded.body, `"documents":`+list.body+`,`) || list.header.Get("X-Count") != "3" {
				t.Errorf("%s: %s\n%s", prefix, list.body, expanded.body)
			}
		}
	})
}

// However many applicants a page has and whatever hangs on them, the number of statements is the same.
func TestExpandStatements(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putFiles(s)
		count := func(query string) int64 {
			before := s.store.Statements()
			s.get("/api/v5/applicants?expand=*&"+query).want(t, 200)
			return s.store.Statements() - before
		}
		count("limit=1") // whatever is remembered after the first time
		if one, all := count("bySince=4711&byUntil=4711"), count("bySince=4711&byUntil=4714"); one != all || one < 6 {
			t.Errorf("%d statements for one applicant, %d for several", one, all)
		}
	})
}
