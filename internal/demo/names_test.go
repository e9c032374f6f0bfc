package demo

import (
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/text"
)

func TestTables(t *testing.T) {
	w := newWorld(1, spanBefore(day(2026, time.October, 3)), nil)
	if len(w.groups) != len(nameGroups)+len(moreNameGroups) {
		t.Error("a group of names is in both maps")
	}
	used, seen := map[string]bool{}, map[string]bool{}
	for _, c := range countries {
		if len(w.groups[c.names].given) < 15 || len(w.groups[c.names].family) < 15 {
			t.Errorf("%s: the names %q are missing or few", c.code, c.names)
		}
		if _, err := text.Country(c.code); err != nil || seen[c.code] {
			t.Errorf("%s: no country, or there twice", c.code)
		}
		used[c.names], seen[c.code] = true, true
	}
	plain := func(name string) {
		t.Helper()
		folded := fold(name)
		if strings.Trim(folded, "abcdefghijklmnopqrstuvwxyz-") != "" || folded == "" || folded[0] == '-' {
			t.Errorf("%q is folded to %q", name, folded)
		}
		if normal, err := text.Line(spaced(name), 1, 50); err != nil || normal != spaced(name) {
			t.Errorf("%q is not in normal form: %v", name, err)
		}
	}
	for key, g := range w.groups {
		if !used[key] {
			t.Errorf("nobody has %s names", key)
		}
		for _, name := range append(append([]string{}, g.given...), g.family...) {
			plain(name)
		}
		for _, pair := range append(append([]string{}, g.originalGiven...), g.originalFamily...) {
			original, name, ok := strings.Cut(pair, "=")
			if normal, err := text.Line(original, 1, 50); !ok || err != nil || normal != original {
				t.Errorf("%s: %q is no pair of names", key, pair)
			}
			plain(name)
		}
	}
}

func TestTimesAscendWithinTheSeason(t *testing.T) {
	s, c := newSeason(spanBefore(day(2026, time.October, 3))), newChance(1)
	for _, n := range []int{1, 2, 1000, 10_000_000} {
		last := s.begins
		for i := range min(n, 2000) {
			at := s.instant(c, i, n)
			if at < last || at >= s.lastComing {
				t.Fatalf("%d of %d registers at %s, the one before at %s", i, n, at, last)
			}
			last = at
		}
		if n <= 2000 {
			continue
		}
		if at := s.instant(c, n-1, n); at < last || at >= s.lastComing {
			t.Errorf("the last of %d registers at %s", n, at)
		}
	}
}
