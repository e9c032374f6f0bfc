package accounts_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/google/go-cmp/cmp"
)

func TestSessionCodec(t *testing.T) {
	var codec accounts.SessionCodec
	deadline := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	for name, values := range map[string]map[string]any{
		"nothing": {},
		"all": {"account": int64(7), "begun": int64(1_773_046_800_000), "proved": int64(math.MaxInt64),
			"agent":   "Firefox, Linux",
			"session": "0123456789abcdef", "flash": "Saved.", "": "", "pages": 3, "n": int64(-1), "yes": true, "no": false},
		"letters": {"naïve \x00": "日本語\n"},
	} {
		b, err := codec.Encode(deadline, values)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		until, got, err := codec.Decode(b)
		if err != nil || !until.Equal(deadline) {
			t.Errorf("%s: %v, %v", name, until, err)
		}
		if diff := cmp.Diff(values, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, values := range map[string]map[string]any{
		"a kind that is not kept": {"x": 1.5}, "too much": {"x": strings.Repeat("x", 64<<10)},
	} {
		if _, err := codec.Encode(deadline, values); err == nil {
			t.Errorf("%s is encoded", name)
		}
	}
}

// badSessions are no encodings of a session.
func badSessions() map[string]string {
	const empty = "\x00\x00\x00\x00\x00\x00"
	return map[string]string{
		"nothing": "", "no head": "\x01", "another format": "\x02" + empty, "a short head": "\x01\x00\x00\x00\x00",
		"no deadline": "\x01\x00\x00\x00\x00\x00", "a name without value": "\x01" + empty + "\x01a",
		"no such kind": "\x01" + empty + "\x01ax", "a long name": "\x01" + empty + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		"a long text":       "\x01" + empty + "\x01as\x05abc",
		"a number too long": "\x01" + empty + "\x01an" + strings.Repeat("\xff", 11),
		"too much":          "\x01" + empty + strings.Repeat("\x01at", 64<<10),
	}
}

func TestBadSessions(t *testing.T) {
	for name, text := range badSessions() {
		if _, values, err := (accounts.SessionCodec{}).Decode([]byte(text)); err == nil {
			t.Errorf("%s is read: %v", name, values)
		}
	}
}

// What is decoded is encoded to what decodes to the same.
func FuzzSessionCodec(f *testing.F) {
	for _, text := range badSessions() {
		f.Add([]byte(text))
	}
	var codec accounts.SessionCodec
	good, _ := codec.Encode(time.UnixMicro(1), map[string]any{"account": int64(1), "a": "b", "c": true, "d": 4})
	f.Add(good)
	f.Fuzz(func(t *testing.T, b []byte) {
		until, values, err := codec.Decode(b)
		if err != nil {
			return
		}
		again, err := codec.Encode(until, values)
		if err != nil {
			return // such as more bytes than are kept: an encoding may name a value twice
		}
		_, same, err := codec.Decode(again)
		if diff := cmp.Diff(values, same); err != nil || diff != "" {
			t.Errorf("%v, %s", err, diff)
		}
		third, err := codec.Encode(until, same)
		if err != nil || !bytes.Equal(again, third) {
			t.Errorf("two encodings of one session: %v", err)
		}
	})
}
