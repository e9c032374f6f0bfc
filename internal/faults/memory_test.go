package faults_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// attacked is a service whose memory was measured before something small is sent to it that may take much.
type attacked struct {
	*service
	before int64
}

// underAttack is a service with data, without quotas.
func underAttack(t *testing.T, p *place) *attacked {
	t.Helper()
	p.must("demo", "--applicants=50")
	key, _ := p.key()
	s := p.serve("--quota.per-minute=0", "--quota.per-hour=0").as(key)
	s.want(200)(s.get("/api/v10/applications"))
	return &attacked{s, s.memory("VmHWM")}
}

// grown fails the test when the service has taken more than so many megabytes beyond what it had before.
func (a *attacked) grown(what string, most int64) {
	a.t.Helper()
	grown := (a.memory("VmHWM") - a.before) >> 20
	if a.t.Logf("%s: %d MB more", what, grown); grown > most {
		a.t.Fatalf("%s: %d MB more than before, at most %d are allowed", what, grown, most)
	}
}

// numbered writes n members of an object, "0" to "n-1".
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `%q:1,`, fmt.Sprint(i))
	}
	return strings.TrimSuffix(b.String(), ",")
}

// A long name stands above many members: it takes no more memory than the body tells, and the answer is no longer than
// a client can read, whether it asks for all faults or not.
func TestLongNamesInJSON(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, p *place) {
		a := underAttack(t, p)
		for _, attack := range []struct {
			method, path, contentType, body, prefer string
		}{
			{"POST", "/api/v10/applications/flags", "application/json", `{"` + strings.Repeat("k", 500_000) + `":{` + numbered(1990) + `}}`, ""},
			{"POST", "/api/v10/applications/flags", "application/json", `{"` + strings.Repeat("k", 100_000) + `":{` + numbered(1990) + `}}`, "handling=strict"},
			{"POST", "/api/v10/applications/flags", "application/json", `{` + numbered(1990) + `}`, "handling=strict"},
			{"POST", "/api/v10/applications/flags", "application/x-www-form-urlencoded", strings.Repeat("k", 500_000) + "=1", "handling=strict"},
			{"PATCH", "/api/v10/applications/1", "application/merge-patch+json", `{"` + strings.Repeat("k", 100_000) + `":{` + numbered(9_000) + `}}`, ""},
			{"PATCH", "/api/v10/applications/1", "application/merge-patch+json", `{` + numbered(20_000) + `}`, ""},
		} {
			r, err := http.NewRequest(attack.method, a.url+attack.path, strings.NewReader(attack.body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", attack.contentType)
			if attack.prefer != "" {
				r.Header.Set("Prefer", attack.prefer)
			}
			answer, err := a.send(r)
			if err != nil || answer.status != 400 || len(answer.body) > 1<<20 {
				t.Fatalf("%s with %d bytes: %v, status %d with %d bytes", attack.path, len(attack.body), err, answer.status, len(answer.body))
			}
			a.grown(fmt.Sprintf("%s %s with %d bytes", attack.method, attack.path, len(attack.body)), 200)
		}
		a.terminate()
	})
}
