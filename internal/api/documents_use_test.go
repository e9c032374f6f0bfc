package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// codesOf returns the error codes of a refusal, and for one without any its kind.
func codesOf(err error) string {
	var refusal *admitto.Error
	if !errors.As(err, &refusal) {
		return fmt.Sprint(err)
	}
	codes := []string{}
	for _, f := range refusal.Faults {
		codes = append(codes, f.Code+strings.TrimPrefix(string(f.Path), "content"))
	}
	if len(codes) == 0 {
		return string(refusal.Kind)
	}
	return strings.Join(codes, " ")
}

func applicantCaller(id int64) usecase.Caller {
	return usecase.Caller{Caller: admitto.ApplicantCaller(id, "")}
}

// contentOf makes a patch of the members section → member → value.
func contentOf(section, member, value string) admissions.ContentPatch {
	return admissions.ContentPatch{Members: map[string]any{section: map[string]any{member: value}}}
}

// Who may change the content and the documents in which status, with every guard that binds the applicant only.
func TestContentByActor(t *testing.T) {
	type expected struct{ status, codes string }
	statuses := map[admitto.ApplicationStatus]struct{ instance, applicant expected }{
		admitto.Blank: {expected{"Draft", ""}, expected{"Draft", ""}}, admitto.Draft: {expected{"Draft", ""},
			expected{"Draft", ""}},
		admitto.Inactive: {expected{"Draft", ""}, expected{"Draft", ""}}, admitto.Reopened: {expected{"Reopened", ""},
			expected{"Reopened", ""}},
		admitto.Submitted: {expected{"Submitted", ""}, expected{"", "application-submitted"}},
		admitto.Withdrawn: {expected{"", "application-withdrawn"}, expected{"", "application-withdrawn"}},
		admitto.Closed:    {expected{"", "application-closed"}, expected{"", "application-closed"}},
	}
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		actors := map[admitto.ActorKind]usecase.Caller{
			admitto.ByKey:           {Caller: admitto.KeyCaller(s.keyID, admitto.AllPermissions(), "")},
			admitto.ByAdministrator: {Caller: admitto.AdministratorCaller(3, admitto.AllPermissions(), "")},
			admitto.ByApplicant:     applicantCaller(4713), admitto.BySystem: {Caller: admitto.SystemCaller()}}
		n := 0
		for _, status := range admitto.ApplicationStatuses() {
			for kind, by := range actors {
				for _, expired := range []bool{false, true} {
					n++
					grace := "2026-10-31"
					if expired {
						grace = "2026-03-08"
					}
					s.put(fmt.Sprintf("UPDATE application SET status = '%s' WHERE id = 9004", status),
						"UPDATE academic_term SET grace = '"+grace+"' WHERE id = 12")
					want := statuses[status].instance
					if kind == admitto.ByApplicant {
						if want = statuses[status].applicant; expired && want.codes == "" {
							want = expected{"", "application-expired"}
						}
					}
					if kind == admitto.BySystem {
						want = expected{"", "application-" + strings.ToLower(string(status))}
					}
					for _, act := range []struct {
						name string
						do   func() error
					}{
						{"patch", func() error {
							return s.services.Admissions.PatchContent(t.Context(), by, 9004, contentOf("profile", "idcode", fmt.Sprint(n)))
						}},
						{"upload", func() error {
							_, err := s.services.Admissions.UploadDocument(t.Context(), by,
								admissions.Upload{Application: 9004, Content: strings.NewReader(someText), Size: int64(len(someText))})
							return err
						}},
						{"remove", func() error {
							s.put("DELETE FROM document WHERE id = 800",
								"INSERT INTO document (id, application_id, uploaded, name, mime, size, hash) VALUES (800, 9004, 1, 'x', 'text/plain', 1, 'x')")
							return s.services.Admissions.RemoveDocument(t.Context(), by, 9004, 800, "")
						}},
					} {
						s.put(fmt.Sprintf("UPDATE application SET status = '%s' WHERE id = 9004", status))
						err := act.do()
						want := want
						if act.name == "upload" && kind == admitto.ByApplicant && status == admitto.Submitted {
							want = expected{"Submitted", ""} // lifecycle.md T21
							if expired {
								want = expected{"", "application-expired"}
							}
						}
						got := expected{codes: ""}
						if err != nil {
							got.codes = codesOf(err)
						} else {
							got.status, _ = atPointer(t, s.get(v10("/applications/9004")).body, "/status").(string)
						}
						if got != want {
							t.Errorf("%s %s by %s, expired %t: %+v, want %+v", act.name, status, kind, expired, got, want)
						}
					}
				}
			}
		}
	})
}

// What was filled in when the application was frozen stays; empty fields and new rows and documents are free.
func TestFrozenContent(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		putQuestions(s)
		s.skipDocuments()
		by, admin := applicantCaller(4713), usecase.Caller{Caller: admitto.AdministratorCaller(3, admitto.AllPermissions(),
			"")}
		if err := s.services.Admissions.Freeze(t.Context(), admin, 9002); err != nil {
			t.Fatal(err)
		}
		object := func(pairs ...any) map[string]any {
			m := map[string]any{}
			for i := 0; i < len(pairs); i += 2 {
				m[pairs[i].(string)] = pairs[i+1]
			}
			return m
		}
		for _, c := range []struct {
			members map[string]any
			codes   string
		}{
			{object("profile", object("idcode", "1")), ""},
			{object("profile", object("idcode", "2")), ""}, // filled in after the freeze
			{object("profile", object("name", object("given", "Kim"))), "frozen/profile/name/given"},
			{object("profile", object("birth", nil)),
				"frozen/profile/birth/country frozen/profile/birth/date frozen/profile/birth/place"},
			{object("legal", object("name", "L")), ""},
			{object("career", []any{object("employer", "Mill", "company", "L", "type", "FT", "position", "Clerk", "country",
				"HU", "weekly", "40", "period", object("from", "2022-07")), object("employer", "New")}), ""},
			{object("activities", nil), "frozen/activities/0/nature frozen/activities/0/organization frozen/activities/0/type"},
			{object("extras", []any{object("id", json.Number("18"), "value", "New")}), ""},
			{object("extras", []any{object("id", json.Number("17"), "value", "Private")}), "frozen/extras/17"},
		} {
			err := s.services.Admissions.PatchContent(t.Context(), by, 9002, admissions.ContentPatch{Members: c.members})
			if got := codesOf(err); err == nil && c.codes != "" || err != nil && got != c.codes {
				t.Errorf("%v: %q, want %q", c.members, got, c.codes)
			}
		}
		if err := s.services.Admissions.RemoveDocument(t.Context(), by, 9002, 501, ""); codesOf(err) != "frozen" {
			t.Error(err)
		}
		f, err := s.services.Admissions.UploadDocument(t.Context(), by, admissions.Upload{Application: 9002, Name: "new.txt",
			Content: strings.NewReader(someText), Size: int64(len(someText))})
		if err != nil {
			t.Fatal(err)
		}
		last := s.lastEvent(t)
		if err := s.services.Admissions.RemoveDocument(t.Context(), by, 9002, f.ID, ""); err != nil {
			t.Error(err)
		}
		if got := s.recordsSince(t, last); len(got) != 1 || got[0].Filled() != "Document was removed" ||
			got[0].Links != (admitto.Links{Applicant: 4713, Application: 9002, Document: f.ID}) ||
			got[0].Actor.Kind != admitto.ByApplicant || got[0].Actor.ID != 4713 {
			t.Errorf("%+v", got)
		}
		if err := s.services.Admissions.RemoveDocument(t.Context(), by, 9002, f.ID,
			""); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}
		if err := s.services.Admissions.RemoveDocument(t.Context(), admin, 9002, 501,
			""); err != nil { // the freeze binds the applicant only
			t.Error(err)
		}
		s.get(v10("/applications/9002/documents/501")).want(t, 404)
		if got := s.get(v10("/applications/9002")).body; strings.Contains(got, "documents/501") {
			t.Error(got)
		}
		// A document of a task has its own event, and a page that somebody changed meanwhile is refused.
		last = s.lastEvent(t)
		stale := admin
		stale.Version = 99
		if err := s.services.Admissions.RemoveDocument(t.Context(), stale, 9001,
			222, ""); admitto.KindOf(err) != admitto.ChangedMeanwhile {
			t.Error(err)
		}
		if err := s.services.Admissions.PatchContent(t.Context(), stale, 9001,
			contentOf("profile", "idcode", "1")); admitto.KindOf(err) != admitto.ChangedMeanwhile {
			t.Error(err)
		}
		if err := s.services.Admissions.RemoveDocument(t.Context(), admin, 9001, 222, ""); err != nil {
			t.Error(err)
		}
		if got := s.recordsSince(t, last); len(got) != 1 || got[0].Filled() != "Document was removed from a task" ||
			got[0].Actor.Kind != admitto.ByAdministrator {
			t.Errorf("%+v", got)
		}
	})
}

// loose returns the hashes of bytes that may be referred to by nothing.
func (s *service) loose(t testing.TB) (list []string) {
	t.Helper()
	err := s.store.Read(context.Background(), func(tx *store.Tx) (err error) {
		list, err = tx.LooseFiles(1<<62, "", 1000)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Bytes that nothing refers to go after an hour, all others stay, and a store that fails is tried again.
func TestTidyFiles(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putContract(s)
		hashes := map[string]bool{} // hash → must stay
		for _, text := range []string{"loose", "fresh", "photo", portrait, letterPDF} {
			s.keep(text)
			hashes[hashOf(text)] = text == portrait || text == letterPDF || text == "fresh"
		}
		loosen := func(texts ...string) {
			err := s.store.Write(t.Context(), func(tx *store.Tx) error {
				for _, text := range texts {
					if err := tx.LoosenFile(hashOf(text)); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		loosen("loose", "photo", portrait, letterPDF)
		s.clock.Add(2 * admitto.Hour)
		loosen("fresh")
		s.shelf.Backend = brokenFiles{}
		if err := s.services.Files.TidyFiles(t.Context(), admitto.SystemCaller()); err == nil || len(s.loose(t)) < 3 {
			t.Errorf("%v, %v", err, s.loose(t))
		}
		s.shelf.Backend = s.files
		s.put("INSERT INTO outbox (kind, template, created, sealed, lease, lease_until) VALUES ('mail', 'x', 1, 'x', 0, 0)")
		if err := s.services.Files.TidyFiles(t.Context(), admitto.SystemCaller()); err != nil ||
			!slices.Contains(s.loose(t), hashOf("loose")) {
			t.Errorf("%v, %v", err, s.loose(t))
		}
		s.put("DELETE FROM outbox")
		for range 2 {
			if err := s.services.Files.TidyFiles(t.Context(), admitto.SystemCaller()); err != nil {
				t.Fatal(err)
			}
			for hash, stays := range hashes {
				if there, err := s.files.Exists(t.Context(), hash); err != nil || there != stays {
					t.Errorf("%s: there %t, want %t: %v", hash, there, stays, err)
				}
			}
			if got := s.loose(t); len(got) != 1 || got[0] != hashOf("fresh") {
				t.Errorf("%v", got)
			}
		}
	})
}

// Many store, refuse and tidy away the same bytes at once: every document that was made has them.
func TestSameBytesAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putContract(s)
		putQuestions(s)
		by := usecase.Caller{Caller: admitto.KeyCaller(s.keyID, admitto.AllPermissions(), "")}
		for range 5 {
			var all sync.WaitGroup
			for i := range 12 {
				application := []int64{9001, 9011, 9012}[i%3] // two of them are refused
				all.Go(func() {
					_, err := s.services.Admissions.UploadDocument(context.Background(), by,
						admissions.Upload{Application: application, Content: strings.NewReader(someText), Size: int64(len(someText))})
					if (err != nil) != (application != 9001) {
						t.Errorf("%d: %v", application, err)
					}
				})
			}
			all.Go(func() {
				if err := s.services.Files.TidyFiles(context.Background(), admitto.SystemCaller()); err != nil {
					t.Error(err)
				}
			})
			all.Wait()
			documents, err := s.services.Query.Documents(t.Context(), admitto.SystemCaller(), 9001)
			if err != nil || len(documents) != 5 {
				t.Fatalf("%d documents, %v", len(documents), err)
			}
			for _, f := range documents {
				if f.ID == 222 { // that of the contract
					continue
				}
				r, err := s.services.Files.OpenFile(t.Context(), admitto.SystemCaller(), &f)
				if err != nil {
					t.Fatal(err)
				}
				data, err := io.ReadAll(r)
				if r.Close(); err != nil || string(data) != someText {
					t.Fatalf("%q %v", data, err)
				}
			}
			s.put("DELETE FROM document WHERE id <> 222 AND application_id = 9001", "DELETE FROM loose_file")
			if err := s.files.Remove(t.Context(), hashOf(someText)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// watchedFiles is a store of files that says when one is removed.
type watchedFiles struct {
	*blob.Store
	used func()
}

func (f watchedFiles) Remove(ctx context.Context, hash string) error {
	f.used()
	return f.Store.Remove(ctx, hash)
}

// While the bytes of a refused upload are removed again, others can write.
func TestRefusedUploadHoldsUpNobody(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		uses := 0
		s.shelf.Backend = watchedFiles{s.files, func() {
			uses++
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // which nothing waits for when all is well
			defer cancel()
			if err := s.store.Write(ctx, func(tx *store.Tx) error { return tx.SetInstanceFact("others", "write") }); err != nil {
				t.Errorf("nobody else can write meanwhile: %v", err)
			}
		}}
		by := usecase.Caller{Caller: admitto.KeyCaller(s.keyID, admitto.AllPermissions(), "")}
		_, err := s.services.Admissions.UploadDocument(t.Context(), by, admissions.Upload{Application: 404,
			Content: strings.NewReader(someText), Size: int64(len(someText))})
		if admitto.KindOf(err) != admitto.NotFound || uses != 1 || len(s.loose(t)) != 0 {
			t.Errorf("%v, %d uses, %v", err, uses, s.loose(t))
		}
	})
}
