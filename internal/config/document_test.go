package config

import (
	"cmp"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/settings.md again")

const documentIntro = `# Settings

Made from the table of [internal/config/table.go](../internal/config/table.go) by ` + "`make docs`" + `; a change belongs there. How a setting is
given is in [operating.md](operating.md), and ` + "`admitto config`" + ` shows the values of an instance.

"Saved" is when a value that is saved in the database counts: at once, which is within two seconds on every instance, or at its next
restart. "No" marks settings that are needed before or next to the database: only the command line, the environment and the settings file
have them. Secrets are never shown, and are read from files, too.
`

// document is the page about all settings.
func document() string {
	b := &strings.Builder{}
	b.WriteString(documentIntro)
	group := "-"
	for _, s := range Table() {
		of, _, found := strings.Cut(s.Name, ".")
		if !found {
			of = ""
		}
		if of != group {
			group = of
			b.WriteString("\n## " + cmp.Or(of,
				"Data and address") + "\n\n| setting | default | meaning | it must be | saved |\n|---|---|---|---|---|\n")
		}
		means, shown, saved := s.Means, s.ShownDefault(), map[string]string{"outside only": "no"}[s.Changes()]
		if s.Secret {
			means += " Secret."
		}
		if s.DefaultMeans == "" && s.Default != "" {
			shown = "`" + s.Default + "`"
			if s.Unit != "" && strings.IndexFunc(s.Default, func(r rune) bool { return r < '0' || r > '9' }) < 0 {
				shown += " " + s.Unit
			}
		}
		cells := []string{"`" + s.Name + "`", shown, means, cmp.Or(s.Want(), "one line of text"), cmp.Or(saved, s.Changes())}
		for i := range cells {
			cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return b.String()
}

// TestDocument compares docs/settings.md with the table.
func TestDocument(t *testing.T) {
	const path = "../../docs/settings.md"
	want := document()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("docs/settings.md is not what the table says (%v): make docs", err)
	}
}
