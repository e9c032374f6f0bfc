package main

import (
	"net/http"
	"testing"

	"github.com/admitto/admitto/internal/wait"
)

// What the command saves reaches a running service, with SQLite as with PostgreSQL.
func TestSettingReachesTheService(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		p.must("migrate")
		s := p.serve()
		for _, c := range []struct {
			args   []string
			status int
		}{{[]string{"config", "set", "api.enabled", "false"}, http.StatusNotFound}, {[]string{"config", "unset",
			"api.enabled"}, http.StatusOK}} {
			p.must(c.args...)
			wait.Until(t, "the setting to count", func() bool {
				a, err := s.do("GET", "/api/version", nil)
				return err == nil && a.status == c.status
			})
		}
		s.terminate()
	})
}
