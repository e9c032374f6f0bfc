package api_test

import (
	"strings"
	"testing"
)

// The main job on real input: an applicant is created, the mail leaves, the applicant comes back.
func TestMainJob(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		made := s.postForm("/api/v10/applicants",
			"email=Ilse.Varga%40example.org&name=Ilse+Varga&citizenship=hu&notes=Called").want(t, 201)
		location := made.header.Get("Location")
		if !strings.HasPrefix(location, "/api/v10/applicants/") || made.body != "" ||
			made.header.Get("Content-Length") != "0" {
			t.Fatalf("%v %q", made.header, made.body)
		}
		one := s.get(location).want(t, 200)
		list := s.get("/api/v10/applicants").want(t, 200)
		if id := strings.TrimPrefix(location, "/api/v10/applicants/"); list.body != `{"`+id+`":`+one.body+`}` ||
			list.header.Get("X-Count") != "1" {
			t.Fatalf("list %s, one %s, %v", list.body, one.body, list.header)
		}
		if got := s.mail.Taken(); len(got) != 1 || got[0].To.Email != "Ilse.Varga@example.org" {
			t.Fatalf("mails: %+v", got)
		}
		t.Log(one.body)
		t.Log(s.get("/api/journal").want(t, 200).body)
		t.Log(s.get("/api/v10/applicants/x").body)
		t.Log(s.log.String())
	})
}
