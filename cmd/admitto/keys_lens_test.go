package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A running service counts what a key uses that will end; the command prints it.
func TestKeysLens(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		key := p.firstKey("--name=CRM")
		p.must("keys", "create", "--name=New")
		s := p.serve()
		s.key = key
		usual := fmt.Sprintf("/api/v%d/applicants", usualVersion)
		for _, path := range []string{usual, usual, "/api/applicants", "/api/v10/applicants",
			"/api/v7/applicants/1/studyplans",
			"/api/v4/applicants/1/documents", "/api/v10/applications?byCommenceYear=2026"} {
			if a, err := s.do("GET", path, nil); err != nil || a.status != 200 && a.status != 404 {
				t.Fatalf("%s: %v, %d %s", path, err, a.status, a.body)
			}
		}
		s.terminate()
		day := `\d{4}-\d\d-\d\d`
		got := strings.Split(p.must("keys", "lens", "1"), "\n")
		want := []string{
			`OPERATION +VERSION +ENDING +REQUESTS +FIRST +LAST +INSTEAD`,
			`GET /applicants +3 +version +2 +` + day + ` +` + day + ` +version 10`, // no later version will end
			`GET /applicants +3 +version, by default +1 +` + day + ` +` + day + ` +version 10`,
			`GET /applicants/\{id\}/documents +4 +path +1 +` + day + ` +` + day + ` +/applications/\{id\}/documents`,
			`GET /applicants/\{id\}/studyplans +7 +path +1 +` + day + ` +` + day + ` +-`,
			`GET /applications +10 +parameter byCommenceYear +1 +` + day + ` +` + day + ` +byAcademicYears`,
		}
		if usualVersion > 3 {
			want = slices.Delete(want, 1, 3)
		}
		if len(got) != len(want) {
			t.Fatalf("%d lines: %q", len(got), got)
		}
		for i, line := range want {
			if !regexp.MustCompile("^" + line + "$").MatchString(got[i]) {
				t.Errorf("line %d is %q, want %s", i, got[i], line)
			}
		}
		if out := p.must("keys", "lens", "2"); out != "" {
			t.Errorf("the other key: %q", out)
		}
	})
}
