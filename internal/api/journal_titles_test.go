package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
)

// putOfferEvents records events about offers of types 7, 17 and 5, and one without an offer type.
func putOfferEvents(s *service) {
	s.t.Helper()
	err := s.store.Write(s.t.Context(), func(tx *store.Tx) error {
		links := admitto.Links{Administrator: 3, Applicant: 4711, Application: 9001, Course: 55, Institution: 1, Offer: 7001}
		tx.Record(admitto.System(),
			admitto.Event{Pattern: "Offer was edited: ?", Bind: []string{"7"}, Links: links},
			admitto.Event{Pattern: "Offer was confirmed: ?", Bind: []string{"17"}, Links: links},
			admitto.Event{Pattern: "Offer letter was sent again: ?", Bind: []string{"5"}, Links: links},
			admitto.Event{Pattern: "Consent was accepted: ?", Bind: []string{"7"}, Links: admitto.Links{Applicant: 4711}})
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// offerEvents names what putOfferEvents records, in that order.
const offerEvents = "Offer was edited: ?,Offer was confirmed: ?,Offer letter was sent again: ?,Consent was accepted: ?"

func TestJournalOfferTypes(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putOfferEvents(s)
		s.put("UPDATE offer_type SET title = 'Encouraging: yes?', title_key = 'encouraging: yes?' WHERE id = 7")
		for version := config.OldestVersion; version <= 10; version++ {
			values := []string{"7", "17", "5", "7"}
			if version < 4 {
				values = []string{"Encouraging: yes?", "Accepted", "Nominated", "7"}
			}
			path := fmt.Sprintf("/api/v%d/journal?byEvents=%s", version, url.QueryEscape(offerEvents))
			got := s.get(path).want(t, 200)
			if got.header.Get("X-Count") != "4" {
				t.Fatalf("version %d: X-Count %s", version, got.header.Get("X-Count"))
			}
			for i, pattern := range strings.Split(offerEvents, ",") {
				part := fmt.Sprintf(`"event":%q,"pattern":%q,"bind":[%q],`, strings.Replace(pattern, "?", values[i], 1), pattern,
					values[i])
				if !strings.Contains(got.body, part) {
					t.Errorf("version %d: %s is missing in %s", version, part, got.body)
				}
			}
			if newest := s.get(path+"&order=newest-first&limit=2").want(t, 200); !strings.Contains(newest.body, values[2]) ||
				strings.Contains(newest.body, "edited") || newest.header.Get("X-Count") != "4" {
				t.Errorf("version %d, newest first: %s", version, newest.body)
			}
		}
	})
}

func TestJournalByOfferType(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putOfferEvents(s)
		s.put("UPDATE offer_type SET title = 'Encouraging: yes', title_key = 'encouraging: yes' WHERE id = 7",
			"UPDATE offer_type SET title = '17', title_key = '17' WHERE id = 5")
		for _, row := range []struct {
			version int
			events  string
			count   string
		}{
			{10, "Offer was edited: 7", "1"},
			{4, "Offer was confirmed: 17", "1"},
			{4, "Offer was confirmed: 16", "0"},
			{4, "Offer was confirmed: 999", "0"},
			{4, "Offer was edited: 7,Offer was confirmed: 17,Consent was accepted: 7", "3"},
			{3, "Offer was edited: Encouraging: yes", "1"},
			{3, "Offer was edited: encouraging: YES", "1"},
			{1, "Offer was confirmed: Accepted", "1"},
			{2, "Offer was confirmed: Accepted,Offer was edited: Encouraging: yes", "2"},
			{3, "Offer was edited: Positive feedback", "0"}, // the title of another day
			{3, "Offer was edited: 7", "0"},
			{3, "Offer letter was sent again: 17", "1"}, // a title of digits
			{3, "Offer was edited: Accepted", "0"},
			{3, "Offer was edited: ?", "1"},
			{3, "Consent was accepted: 7", "1"},
			{3, "Nothing was done,Offer was edited: No such type", "0"},
		} {
			path := fmt.Sprintf("/api/v%d/journal?byEvents=%s", row.version, url.QueryEscape(row.events))
			if dropped(path) {
				continue
			}
			got := s.get(path).want(t, 200)
			if got.header.Get("X-Count") != row.count || strings.Count(got.body, `"pattern"`) != int(row.count[0]-'0') {
				t.Errorf("version %d, %s: X-Count %s, %s", row.version, row.events, got.header.Get("X-Count"), got.body)
			}
			if head := s.do("HEAD", path, "").want(t, 200); head.header.Get("X-Count") != row.count {
				t.Errorf("HEAD of version %d, %s: X-Count %s", row.version, row.events, head.header.Get("X-Count"))
			}
		}
		for _, version := range []int{4, 10} {
			p := s.get(fmt.Sprintf("/api/v%d/journal?byEvents=Offer+was+edited:+Nominated", version)).want(t, 400).problem(t,
				"invalid-parameter")
			if fault := p["errors"].([]any)[0].(map[string]any); fault["parameter"] != "byEvents" {
				t.Errorf("%v", fault)
			}
		}
		strict := header("Prefer", "handling=strict")
		for _, prefix := range prefixesTo(3) {
			s.get(prefix+"/journal?byEvents=Offer+was+edited:+No+such+type", strict).want(t, 200)
		}
		s.get(defaultPath("/journal?byEvents=Offer+was+invented"), strict).want(t, 400).problem(t, "invalid-parameter")
	})
}
