package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/web"
)

// TestKeyReadsApplicant reads with a key that was made on its page what another page shows of an applicant.
func TestKeyReadsApplicant(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Must(d.Store.Seed(t.Context(), "Northfield University", 2026))
		i := sitetest.On(d)
		staff := i.Staff(i.Superuser("Mara Lind"))
		card := staff.Open("/admin/applicants/new").Submit("Add applicant", "given", "Zoë", "family", "Nguyễn-الزهراء",
			"email",
			"zoe@example.org", "phone", "+351 21 555 01 00", "citizenship", "PT")
		path, _, _ := strings.Cut(card.Path, "?")
		secret := staff.Open("/admin/api-keys/new").Submit("Create the key", "label", "Student system").Text("#key")
		if card.Status != 200 || secret == "" {
			t.Fatal(card.Status, card.Errors())
		}
		rest := api.New(d.Services, web.NewBudget(32<<20, 1, 0), config.NewLive(d.Services.Core.Settings()),
			slog.New(slog.DiscardHandler))
		chain := web.Chain(web.Config{Sites: []web.Site{rest.Site()}, Log: slog.New(slog.DiscardHandler)})
		ask := func(key string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(http.MethodGet, "https://example.edu/api/v10/applicants/"+
				path[strings.LastIndex(path, "/")+1:], nil)
			r.Header.Set("Authorization", `SERVICE apikey="`+key+`"`)
			w := httptest.NewRecorder()
			chain.ServeHTTP(w, r)
			return w
		}
		if w := ask(secret + "x"); w.Code != http.StatusUnauthorized && w.Code != http.StatusForbidden {
			t.Errorf("another key: %d", w.Code)
		}
		answer := ask(secret)
		var read struct {
			Name                      struct{ Given, Family string }
			Email, Phone, Citizenship string
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &read); err != nil || answer.Code != http.StatusOK {
			t.Fatal(answer.Code, err, answer.Body)
		}
		shown := staff.Open(path).Text("main")
		for _, value := range []string{read.Name.Given, read.Name.Family, read.Email, read.Phone} {
			if value == "" || !strings.Contains(shown, value) {
				t.Errorf("%q is not on the page: %s", value, answer.Body)
			}
		}
		if read.Citizenship != "PT" || !strings.Contains(shown, "Portugal") {
			t.Errorf("citizenship %q", read.Citizenship)
		}
		staff.Open("/admin/api-keys/1/revoke").Submit("Revoke the key")
		d.Clock.Add(admitto.Second)
		if w := ask(secret); w.Code == http.StatusOK {
			t.Error("a revoked key reads")
		}
	})
}
