package accounts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/text"
	"pgregory.net/rapid"
)

// mailable fails when the check of addresses takes what no mail can be sent to.
func mailable(t interface{ Fatalf(string, ...any) }, address string) {
	ascii, err := text.EmailASCII(address)
	if err != nil {
		return
	}
	m := mail.Message{ID: "1@example.org", Date: time.Unix(1_800_000_000, 0),
		From: mail.Address{Email: "admissions@example.org"},
		To:   mail.Address{Email: ascii}, Bcc: []string{ascii}, Text: "x"}
	if _, err := m.Bytes(); err != nil {
		t.Fatalf("%q is an address, but %v", address, err)
	}
}

// What the check of addresses accepts the mail package accepts as well (resources.md 0.4).
func TestAddressesCanBeMailed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{".", "a", "Z", "9", "+", "_", "-", "'", "{", "}", "!", "#", "$", "%", "&", "*",
			"/", "=", "?", "^", "`", "|", "~",
			"\"", "\\", "(", "<", ",", " ", "é", "\x7f", "\u200b"})
		local := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "local"), "")
		host := rapid.SampledFrom([]string{"example.org", "EXAMPLE.org", "ülikool.ee", "xn--likool-2ya.ee", "a.b", "1.2.3.4",
			"a..b", "例え.jp", "-a.b", "a", "a_b.c"}).Draw(t, "host")
		mailable(t, local+"@"+host)
	})
}

func FuzzAddressesCanBeMailed(f *testing.F) {
	for _, s := range []string{"mari@example.com", "a..b@x.example", ".a@x.example", "a.@x.example", "o'brien@example.ie",
		"{a}!#$%&*/=?^_`|~-@example.com", "Mari@ÜLIKOOL.ee"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) { mailable(t, address) })
}
