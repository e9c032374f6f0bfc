package db_test

import (
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/store/db"
)

func TestPlainHosts(t *testing.T) {
	for url, want := range map[string][]string{
		"sqlite:/x":                                         nil,
		"postgres://u@/d":                                   nil, // a socket
		"postgres://u@/d?host=/run/postgresql":              nil,
		"postgres://u@127.0.0.1/d":                          nil,
		"postgres://u@localhost/d?sslmode=disable":          nil,
		"postgres://u@[::1]:5432/d":                         nil,
		"postgres://u@db.example.edu/d":                     {"db.example.edu"},
		"postgres://u@db.example.edu/d?sslmode=disable":     {"db.example.edu"},
		"postgres://u@db.example.edu/d?sslmode=allow":       {"db.example.edu"},
		"postgres://u@db.example.edu/d?sslmode=prefer":      {"db.example.edu"},
		"postgres://u@db.example.edu/d?sslmode=require":     nil,
		"postgres://u@db.example.edu/d?sslmode=verify-full": nil,
		"postgres://u@127.0.0.1:1,10.0.0.2:2,10.0.0.3:3/d":  {"10.0.0.2", "10.0.0.3"},
		"postgres://u@db.example.edu:wrong/d":               nil,
		"postgresql://u@[fd00::11]:5432/d?sslmode=disable":  {"fd00::11"},
	} {
		if got := db.PlainHosts(url); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}
