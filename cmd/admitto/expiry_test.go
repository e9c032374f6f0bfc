package main

import (
	"slices"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

func TestParseExpiry(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	zone := func(name string) *time.Location {
		z, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	for _, c := range []struct{ in, zone, want string }{
		{"", "UTC", "2027-03-01T12:00:00Z"},
		{"30d", "UTC", "2026-03-31T12:00:00Z"},
		{"12h", "UTC", "2026-03-02T00:00:00Z"},
		{"36500d", "UTC", "2126-02-05T12:00:00Z"},
		{"876000h", "UTC", "2126-02-05T12:00:00Z"},
		{"2027-01-31", "UTC", "2027-02-01T00:00:00Z"},
		{"2027-01-31", "Europe/Prague", "2027-01-31T23:00:00Z"},
		{"2026-12-31", "America/New_York", "2027-01-01T05:00:00Z"},
		{"2026-03-01", "UTC", "2026-03-02T00:00:00Z"}, // today is not over
		{"2026-02-28", "America/Los_Angeles", ""},
		{"2026-02-28", "UTC", ""},
		{"2026-02-30", "UTC", ""},
		{"0d", "UTC", ""}, {"-1d", "UTC", ""}, {"+1d", "UTC", ""}, {"36501d", "UTC", ""}, {"876001h", "UTC", ""},
		{"d", "UTC", ""}, {"h", "UTC", ""}, {"30", "UTC", ""}, {"30m", "UTC", ""}, {"1.5d", "UTC", ""}, {"Never", "UTC", ""},
		{"99999999999999999999d", "UTC", ""}, {"0000-01-01", "UTC", ""}, {"31.1.2027", "UTC", ""}, {"1d12h", "UTC", ""},
	} {
		got, err := parseExpiry(c.in, now, zone(c.zone))
		text := ""
		if err == nil {
			text = got.UTC().Format(time.RFC3339)
		}
		if text != c.want {
			t.Errorf("%q in %s: %q %v, want %q", c.in, c.zone, text, err, c.want)
		}
	}
	if got, err := parseExpiry("never", now, time.UTC); err != nil || !got.IsZero() {
		t.Errorf("never: %v %v", got, err)
	}
	// Midnight does not exist on this day: clocks went from 00:00 to 01:00.
	early := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	if got, err := parseExpiry("2023-09-30", early, zone("America/Asuncion")); err != nil ||
		got.Format(time.RFC3339) != "2023-10-01T01:00:00-03:00" {
		t.Errorf("%v %v", got, err)
	}
}

func TestCheckOperation(t *testing.T) {
	for op, good := range map[string]bool{
		"GET /applicants/{id}": true, "DELETE /a": true, "GET /": true,
		"": false, "GET": false, "GET ": false, "GET applicants": false, "get /a": false, "HEAD /a": false, "FETCH /a": false,
		"GET  /a": false, "GET /a b": false, "GET /a?x": false, "GET /a#x": false, "GET /ž": false, "GET /a\n": false,
		"GET /api/v3/applicants": false, "GET /api": false, "GET /apish": true, "/a GET": false,
	} {
		if err := checkOperation(op); (err == nil) != good {
			t.Errorf("%q: %v", op, err)
		}
	}
}

func TestKeySettled(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	operation := func(text string) (string, bool) {
		if text == "GET /alias" {
			return "GET /a", true
		}
		return text, text == "GET /a" || text == "POST /a"
	}
	for _, c := range []struct {
		cmd   keysCreateCmd
		scope admitto.Scope
		ops   []string
	}{
		{keysCreateCmd{}, admitto.ScopeAll, nil},
		{keysCreateCmd{ReadOnly: true}, admitto.ScopeReadOnly, nil},
		{keysCreateCmd{Allow: []string{"POST /a", "GET /a", "POST /a"}}, admitto.ScopeOperations,
			[]string{"GET /a", "POST /a"}},
		{keysCreateCmd{Allow: []string{"GET /alias", "GET /a"}}, admitto.ScopeOperations, []string{"GET /a"}},
		{keysCreateCmd{Allow: []string{"GET /b"}}, "", nil},
		{keysCreateCmd{Expires: "soon"}, "", nil},
	} {
		scope, ops, _, err := c.cmd.settled(now, time.UTC, operation)
		if scope != c.scope || !slices.Equal(ops, c.ops) || (err == nil) != (c.scope != "") {
			t.Errorf("%+v: %q %q %v", c.cmd, scope, ops, err)
		}
		if err != nil && report(err, discard{}) != 2 {
			t.Errorf("%+v: not wrong usage: %v", c.cmd, err)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// FuzzExpiry: what is read is over after now, or never.
func FuzzExpiry(f *testing.F) {
	for _, seed := range []string{"", "never", "30d", "12h", "2027-01-31", "36501d", "-1d", "+1h", "0000-01-01",
		"9999-12-31", "99999999999999999999h"} {
		f.Add(seed)
	}
	now := time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if end, err := parseExpiry(text, now, time.UTC); err == nil && !end.IsZero() && !end.After(now) {
			t.Fatalf("%q is %s", text, end)
		}
	})
}
