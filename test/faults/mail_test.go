package faults_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/wait"
)

// Ordinary mails through a mail server with every fault: the call that causes the mail is answered at once, no mail is
// lost, none leaves twice but one whose acceptance came too late, and then under the same Message-ID
// (lifecycle.md 8.1).
func TestMailFaults(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, p *place) {
		mails := startMailServer(t)
		key, _ := p.key()
		s := p.serve("--mail.smtp="+mails.url, "--mail.sync-timeout=1s", "--quota.per-minute=0", "--quota.per-hour=0").as(key)
		applicant := s.want(201)(s.create("ilse@example.org")).header.Get("Location")
		for _, c := range []struct {
			fault     fault
			name      string
			forGood   bool
			most      int // copies in the end
			keptAlone bool
		}{
			{refuses, "refuses", false, 1, false},
			{rejects, "rejects", true, 0, false},
			{hangs, "hangs", false, 1, false},
			{drops, "drops", false, 1, false},
			{late, "late", false, 2, true},
		} {
			words := fmt.Sprintf("words-%s-words", c.name)
			mails.be(c.fault)
			s.want(201)(s.do("POST", applicant+"/emails", "application/json", `{"subject":"Hello","message":"`+words+`"}`))
			wait.Until(t, c.name+" is met", func() bool { return mails.times() > 0 })
			wait.Until(t, c.name+" is written down", func() bool {
				waiting := p.number("SELECT count(*) FROM outbox WHERE lease_until > 0 AND lease >= 1")
				failed := p.number("SELECT count(*) FROM email WHERE failed IS NOT NULL")
				return c.forGood && waiting == 0 && failed == 1 || !c.forGood && waiting == 1 && p.postponed()
			})
			if n := len(mails.with(words)); n != 0 && !c.keptAlone {
				t.Errorf("%s: %d mails were accepted meanwhile", c.name, n)
			}
			mails.be(none)
			// The pause before the next try is over.
			p.touch(func(tx *store.Tx) error {
				_, err := sqltest.In(tx).Exec("UPDATE outbox SET lease_until = 0")
				return err
			})
			wait.Until(t, c.name+" is over", func() bool { return p.number("SELECT count(*) FROM outbox") == 0 })
			got := mails.with(words)
			if len(got) > c.most || len(got) == 0 && !c.forGood {
				t.Errorf("%s: %d mails", c.name, len(got))
			}
			for _, d := range got {
				if d.id == "" || d.id != got[0].id {
					t.Errorf("%s: Message-ID %q and %q", c.name, d.id, got[0].id)
				}
			}
		}
		if n := p.number("SELECT count(*) FROM email WHERE delivered IS NULL AND failed IS NULL"); n != 0 {
			t.Errorf("%d mails neither left nor failed", n)
		}
		s.Terminate()
		p.whole()
	})
}

// postponed reports whether the waiting mail was handed back: its next try is a minute away, more than any lease.
func (p *place) postponed() bool {
	return p.number("SELECT count(*) FROM outbox o WHERE o.lease_until > o.created + 40000000") == 1
}
