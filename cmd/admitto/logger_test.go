package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/config"
)

func TestLogger(t *testing.T) {
	s, err := config.Load(config.Sources{})
	if err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{"": `{"time"`, "json": `{"time"`, "text": "time="} {
		s.Log.Format = format
		var b strings.Builder
		log := newLogger(s, &b)
		log.Debug("not told")
		log.Info("told")
		if !strings.HasPrefix(b.String(), want) || strings.Contains(b.String(), "not told") {
			t.Errorf("%q: %s", format, b.String())
		}
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if isTerminal(f) || isTerminal(io.Discard) {
		t.Error("a file is taken for a terminal")
	}
}
