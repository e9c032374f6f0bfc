package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/config"
)

const deployed = "../../deploy"

// Where database and mail server are is in the settings file, which commands next to the service read too, and in no
// environment that only the service has.
func TestDeployedSettings(t *testing.T) {
	s, err := config.Load(config.Sources{File: filepath.Join(deployed, "admitto.toml")})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"data", "database.url", "mail.smtp"} {
		if v, _ := s.Value(name); !strings.HasSuffix(v.Origin, "admitto.toml") {
			t.Errorf("%s: from %s", name, v.Origin)
		}
	}
	files, err := filepath.Glob(filepath.Join(deployed, "*"))
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ADMITTO_DATABASE_", "ADMITTO_MAIL_", "Environment=ADMITTO_"} {
			if strings.Contains(string(text), name) {
				t.Errorf("%s puts %s into the environment", file, name)
			}
		}
	}
	toml, err := os.ReadFile(filepath.Join(deployed, "admitto.toml"))
	if err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("postgres://admitto:hunter2@db.example.edu/admitto\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The lines for PostgreSQL work when they take the place of those above them.
	var lines []string
	for line := range strings.Lines(string(toml)) {
		if strings.HasPrefix(line, "url = ") {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "#   url_file"); ok {
			line = strings.ReplaceAll("url_file"+rest, "/etc/admitto/database-url", secret)
		}
		lines = append(lines, line)
	}
	s, err = config.Load(config.Sources{File: write(t, "postgresql.toml", strings.Join(lines, ""))})
	if err != nil || !strings.HasPrefix(string(s.Database.URL), "postgres://admitto:hunter2@") {
		t.Errorf("%v", err)
	}
}
