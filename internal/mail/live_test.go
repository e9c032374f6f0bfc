package mail

import (
	"os"
	"path/filepath"
	"testing"
)

// Each message goes where the settings say when it is sent, and a mail server that is not there refuses as one that is
// asked again later.
func TestOpenLive(t *testing.T) {
	now := Settings{Outbox: filepath.Join(t.TempDir(), "one")}
	u, err := OpenLive(func() Settings { return now })
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	first := now.Outbox
	for _, folder := range []string{first, filepath.Join(t.TempDir(), "two")} {
		now.Outbox = folder
		if err := u.Send(t.Context(), sample()); err != nil {
			t.Fatal(err)
		}
	}
	for folder, want := range map[string]int{first: 1, now.Outbox: 1} {
		if files, err := os.ReadDir(folder); len(files) != want || err != nil {
			t.Errorf("%d files in %s, want %d; %v", len(files), folder, want, err)
		}
	}
	if err := u.(Trial).Try(t.Context()); err != nil {
		t.Error(err)
	}
	now.SMTP = "smtp://127.0.0.1:1"
	if r := refusal(t, u.Send(t.Context(), sample())); !r.Temporary {
		t.Error(r)
	}
	if err := u.(Trial).Try(t.Context()); err == nil {
		t.Error("a server that is not there takes mails")
	}
	now.SMTP = "nonsense"
	if err := u.Send(t.Context(), sample()); err == nil || u.String() != "no upstream" {
		t.Error(err)
	}
}
