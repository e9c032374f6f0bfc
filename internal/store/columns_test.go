package store

import (
	"strings"
	"testing"
)

func TestWidth(t *testing.T) {
	for columns, want := range map[string]int{
		"a.id": 1, "a.id, a.name": 2, "a.id, coalesce(a.x, a.y), max(b, min(c, d)), e": 4, applicantColumns: 1 + strings.Count(applicantColumns, ","), taskColumns: 11,
	} {
		if got := width(columns); got != want {
			t.Errorf("%s: %d, want %d", columns, got, want)
		}
	}
}
