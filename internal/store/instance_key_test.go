package store

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestSealedTables wants every column of bytes of the schema to be sealed again with the instance key, or to be one of
// those that are not sealed.
func TestSealedTables(t *testing.T) {
	plain := []string{"account", "body", "body_hash", "data", "hash", "logo", "mark", "network",
		"registration_proof", "salt"}
	known := map[string]bool{}
	for _, of := range sealedTables {
		known[of.name+" "+of.column] = true
	}
	names, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(names) < 50 {
		t.Fatal(len(names), err)
	}
	table := regexp.MustCompile(`(?m)^(?:CREATE (?:UNLOGGED )?TABLE|ALTER TABLE) (\w+)|^(?:.*ADD COLUMN)? +(\w+) +bytea`)
	n, at := 0, ""
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range table.FindAllStringSubmatch(string(text), -1) {
			if m[1] != "" {
				at = m[1]
			}
			if m[2] == "" || slices.Contains(plain, m[2]) {
				continue
			}
			if at == "outbox_remade" {
				at = "outbox"
			}
			if n++; !known[at+" "+m[2]] {
				t.Errorf("%s of %s is bytes in %s: does the instance key seal it?", m[2], at, name)
			}
		}
	}
	if n < 7 {
		t.Error("only ", n, " columns were found")
	}
}
