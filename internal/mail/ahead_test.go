package mail

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/wait"
)

// The mail server hears everything but the end of a message before the message may leave, and no end of one that may
// not: what it takes for complete then, it would deliver.
func TestSendAhead(t *testing.T) {
	mayNot := errors.New("it may not leave")
	for _, fault := range []error{nil, mayNot} {
		s := startScript(t, polite(nil))
		u := open(t, Settings{SMTP: "smtp://" + s.address + "?tls=none"}).(*sender)
		asked := 0
		err := SendAhead(t.Context(), u, sample(), func() error {
			asked++
			wait.Until(t, "the mail server takes data", func() bool { return strings.Contains(s.transcript(), "DATA") })
			return fault
		})
		if !errors.Is(err, fault) || asked != 1 {
			t.Errorf("%v: %v after %d questions", fault, err, asked)
		}
		if fault == nil {
			continue
		}
		wait.Until(t, "the connection ends", s.over)
		for line := range strings.SplitSeq(s.transcript(), "\n") {
			if end := strings.TrimSpace(line); end == "." || end == "QUIT" {
				t.Errorf("the message was ended: %s", s.transcript())
			}
		}
		if err := u.Send(t.Context(), sample()); err != nil {
			t.Error("the next message:", err)
		}
	}
}

// A folder begins with nothing before the message may leave.
func TestSendAheadToFolder(t *testing.T) {
	folder := t.TempDir()
	u := open(t, Settings{Outbox: folder})
	mayNot := errors.New("it may not leave")
	if err := SendAhead(t.Context(), u, sample(), func() error { return mayNot }); err != mayNot {
		t.Error(err)
	}
	if files, err := os.ReadDir(folder); len(files) != 0 || err != nil {
		t.Error(files, err)
	}
	if err := SendAhead(t.Context(), u, sample(), func() error { return nil }); err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(folder); len(files) != 1 || err != nil {
		t.Error(files, err)
	}
}
