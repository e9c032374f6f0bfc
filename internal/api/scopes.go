package api

import (
	"net/http"

	"github.com/admitto/admitto/internal/admitto"
)

// scopes knows the permissions of the scopes of keys: those of all rows that a key may call (lifecycle.md 12.2). A key
// may call no other row, whatever its permissions are.
type scopes struct {
	all, reading admitto.Permissions
	byOperation  map[string]admitto.Permissions // "GET /applicants/{id}"
}

func newScopes(table []route) *scopes {
	s := &scopes{byOperation: make(map[string]admitto.Permissions, len(table))}
	for i := range table {
		r := &table[i]
		operation := r.method + " " + r.path
		s.byOperation[operation] = s.byOperation[operation].Union(r.needs)
		s.all = s.all.Union(r.needs)
		if r.method == http.MethodGet {
			s.reading = s.reading.Union(r.needs)
		}
	}
	return s
}

// of is the permissions of the key.
func (s *scopes) of(key *admitto.Key) (may admitto.Permissions) {
	switch key.Scope {
	case admitto.ScopeAll:
		return s.all
	case admitto.ScopeReadOnly:
		return s.reading
	}
	for _, operation := range key.Operations {
		may = may.Union(s.byOperation[operation])
	}
	return may
}
