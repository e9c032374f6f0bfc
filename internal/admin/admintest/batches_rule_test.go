package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// A list that the rule of automatic declining has prepared waits for somebody who may release batches: it says the rule
// and its version, what each would read, and leads to the offers. The rule itself is off or makes lists, never
// automatic.
func TestListOfRule(t *testing.T) {
	i := sitetest.Filled(t)
	boss := i.Staff(i.Superuser("Ada Boss"))
	rule := boss.Open("/admin/time-rules/auto-decline")
	if page := rule.Submit("Save", "rules.auto_decline", "automatic"); page.Status != 422 {
		t.Errorf("automatic: %d", page.Status)
	}
	page := rule.Submit("Save", "rules.auto_decline", "preview")
	if text := strings.Join(strings.Fields(page.Find(`tr:contains("Automatic declining")`).Text()),
		" "); page.Path != "/admin/time-rules" ||
		!strings.Contains(text, "Version 2") {
		t.Fatalf("%s: %s", page.Path, text)
	}
	offer := i.Number(`SELECT min(o.id) FROM offer o JOIN application a ON a.id = o.application_id JOIN offer_type t ON t.id = o.type_confirmed_id
		JOIN academic_term x ON x.id = a.academic_term_id WHERE o.confirmed IS NOT NULL AND a.visible AND a.status = 'Submitted'
		AND (x.grace = '' OR x.grace > '2026-03-09')`)
	i.Write("UPDATE offer SET decision = 'Final' WHERE decision = 'None'",
		"UPDATE offer_type SET decide = TRUE WHERE id <> 1",
		fmt.Sprintf("UPDATE offer SET decision = 'None', decision_policy = 'Required', decision_deadline = '2026-02-02' WHERE id = %d", offer),
		fmt.Sprintf(`INSERT INTO offer_confirmation (offer_id, confirmed, type_id, subject, body, html, attachments, policy, deadline, reason, source)
			VALUES (%d, 1, 2, 'Our offer', 'Answer by 2 February 2026.', '', '[]', 'Required', '2026-02-02', '', '')`, offer))
	if text := boss.Open("/admin/time-rules/auto-decline/preview").Text("table"); !strings.Contains(text,
		i.Lines(fmt.Sprintf("SELECT application_id FROM offer WHERE id = %d", offer))) {
		t.Errorf("whom it concerns: %s", text)
	}
	if err := i.Services.Batches.PrepareUnanswered(t.Context(), admitto.SystemCaller()); err != nil {
		t.Fatal(err)
	}
	id := i.Number("SELECT max(id) FROM batch")
	at := fmt.Sprintf("/admin/batches/%d", id)
	if text := boss.Open("/admin/batches?state=waiting").Text("table"); !strings.Contains(text, "A time rule") {
		t.Error(text)
	}
	if page := i.Staff(i.Administrator("Ola Offers", admitto.OffersEdit)).Open(at); page.Status != 403 {
		t.Errorf("without the permission to release: %d", page.Status)
	}
	page = boss.Open(at)
	if text := page.Text("main"); !strings.Contains(text, "Decline offers that were not answered in time") ||
		!strings.Contains(text, "A time rule") || !strings.Contains(text, "no answer → declined") ||
		page.Find(fmt.Sprintf(`a[href="/admin/offers/%d"]`, offer)).Length() == 0 {
		t.Error(text)
	}
	if text := boss.Open(at + "/lines/1").Text("main"); !strings.Contains(text, "no answer came by its deadline") {
		t.Error(text)
	}
	if page = boss.Open(at + "/release").Submit("Release"); page.Status != 200 {
		t.Fatalf("%d %s", page.Status, page.Text("main"))
	}
	if err := i.Services.Batches.Run(t.Context(), admitto.SystemCaller()); err != nil {
		t.Fatal(err)
	}
	if got := i.Lines(fmt.Sprintf("SELECT decision || ' ' || decision_origin FROM offer WHERE id = %d",
		offer)); got != "Declined deadline" {
		t.Error(got)
	}
	application := i.Number(fmt.Sprintf("SELECT application_id FROM offer WHERE id = %d", offer))
	if text := boss.Open(fmt.Sprintf("/admin/applications/%d/courses", application)).Text("main"); !strings.Contains(text,
		"since the deadline passed") {
		t.Error("the card does not say why it is declined")
	}
	boss.Open(at + "/undo").Submit("Undo")
	if err := i.Services.Batches.Run(t.Context(), admitto.SystemCaller()); err != nil {
		t.Fatal(err)
	}
	if got := i.Lines(fmt.Sprintf("SELECT decision FROM offer WHERE id = %d", offer)); got != "None" {
		t.Errorf("undone: %s", got)
	}
}
