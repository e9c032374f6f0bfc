package portal_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestReceiptOfFormerKey checks a receipt that was signed before the instance key was changed: the page lists the key
// and finds the receipt valid, and nothing else that was signed under it (screens.md P15).
func TestReceiptOfFormerKey(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		former := seal.NewKey().Signer("receipt")
		public := base64.StdEncoding.EncodeToString(former.Public().(ed25519.PublicKey))
		r := admitto.Receipt{Text: "Receipt 7\nApplicant 1\n"}
		r.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(former, []byte(r.Text)))
		check := func(text, says string) *sitetest.Page {
			t.Helper()
			page := i.Visitor().Open("/receipts").Submit("Check", "receipt", text)
			want(t, page, "/receipts", says)
			return page
		}
		if page := check(r.Whole(), "Not valid."); strings.Contains(page.Text("main"), public) ||
			strings.Contains(page.Text("main"), "before the key was changed") {
			t.Error("a key of nobody is listed")
		}
		for range 2 {
			i.Must(i.Store.RememberReceiptKey(t.Context(), public))
			i.Must(i.Store.RememberReceiptKey(t.Context(), i.Services.Admissions.ReceiptKey()))
		}
		i.Put("INSERT INTO instance (name, value) VALUES ('receipt-key no key', '1'), ('receipt-key AAAA', '1')")
		text := check(r.Whole(), "Valid. ").Text("main")
		for _, key := range []string{public, i.Services.Admissions.ReceiptKey()} {
			if strings.Count(text, key) != 1 {
				t.Errorf("the key %s is listed %d times", key, strings.Count(text, key))
			}
		}
		check(strings.Replace(r.Whole(), "Receipt 7", "Receipt 8", 1), "Not valid.")
	})
}

// TestPrintReceipt prints a receipt by the button that scripts bring, next to one that copies it; without scripts there
// is none that does nothing (screens.md P15).
func TestPrintReceipt(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	id, _ := atWork(t, i, "prints@example.org")
	i.Put(fmt.Sprintf("INSERT INTO receipt (id, application_id, made, accepted, text, signature) VALUES (901, %d, 1, TRUE, 'Receipt 901', 'x')", id))
	cookie := i.Cookie(accounts.Portal, i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id)))
	browser, address := uitest.Open(t, i), fmt.Sprintf("/my/applications/%d/receipts/901", id)
	const button, copies = "main button[data-print]", "main button[data-copy=receipt]"
	plain := browser.Tab(t, uitest.Page{Name: "print-plain", Path: address, Cookie: cookie}, false)
	if plain.Count(button+"[hidden]") != 1 || plain.Count(copies+"[hidden]") != 1 {
		t.Error("a button that does nothing is shown")
	}
	tab := browser.Tab(t, uitest.Page{Name: "print", Path: address, Cookie: cookie}, true)
	tab.Find(button + ":not([hidden])")
	if tab.Count(copies+":not([hidden])") != 1 {
		t.Error("there is no button that copies")
	}
	tab.Prints(func() {
		tab.Reach(button)
		tab.Enter()
	})
}

// TestReceiptOfRemovedCourse names a course that is not in the application any more.
func TestReceiptOfRemovedCourse(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "removed@example.org")
	i.Put(fmt.Sprintf("INSERT INTO receipt (id, application_id, made, accepted, text, signature) VALUES (901, %d, 1, TRUE, 'Courses 1 course 72, 2 course 99999', 'x')", id),
		"UPDATE course SET name = 'Alchemy' WHERE id = 72")
	page := own.Open(fmt.Sprintf("/my/applications/%d/receipts/901", id))
	if text := page.Text("main"); !strings.Contains(page.Text("main .kv"), "Alchemy") ||
		!strings.Contains(page.Text("main .kv"), "99999") {
		t.Error(text)
	}
	// Its text is English whatever the page is in.
	own.Lang = "ar"
	if own.Open(page.Path).Find("code[lang=en]").Length() != 1 || page.Find("code[lang]").Length() != 0 {
		t.Error("the language of the text is not said")
	}
}
