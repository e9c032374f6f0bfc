package servicestest

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
)

// Mails does what people asked for who are not signed in, sends what is due, and returns the mails that have left since
// it was last called.
func (d *Desk) Mails() []mail.Message {
	d.T.Helper()
	if _, err := d.Services.Accounts.SettleRequests(d.T.Context(), admitto.SystemCaller()); err != nil {
		d.T.Fatal(err)
	}
	d.Deliver()
	all := d.Post.Taken()
	fresh := all[d.seen:]
	d.seen = len(all)
	return fresh
}

// Mail is Mails where there is one.
func (d *Desk) Mail() mail.Message {
	d.T.Helper()
	fresh := d.Mails()
	if len(fresh) != 1 {
		d.T.Fatalf("%d mails: %+v", len(fresh), fresh)
	}
	return fresh[0]
}

// Registered registers somebody and returns the ID and the token of the welcome mail.
func (d *Desk) Registered(email string) (id int64, token string) {
	d.T.Helper()
	_, err := d.Services.Accounts.Register(d.T.Context(), accounts.Registration{Given: "Ilse", Family: "Varga",
		Email: email, RequestID: "r4"})
	must(d.T, err)
	token = Token(d.T, d.Mail())
	return d.Number("SELECT id FROM applicant WHERE email_key = $1", strings.ToLower(email)), token
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Session signs an applicant in, in a session with the hash.
func (d *Desk) Session(applicant int64, hash [32]byte) {
	d.T.Helper()
	must(d.T, d.Store.Write(d.T.Context(), func(tx *store.Tx) error {
		return tx.InsertSession(&store.Session{Hash: hash, Area: "portal", Account: applicant, Begun: tx.Now(),
			Seen: tx.Now(), Data: []byte{}})
	}))
}
