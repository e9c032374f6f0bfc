package faults_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/leads"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/admitto/admitto/internal/wait"
)

// fair is a service on a place, and an import of people of whom every twentieth has no address.
type fair struct {
	*crowd
	id, good int64
}

const leadsCreated = "SELECT count(*) FROM applicant WHERE email LIKE '%@fair.example.org' AND state = 'live'"

func (c *crowd) fair(rows int64) *fair {
	c.t.Helper()
	f := leads.File{Name: "fair.csv", Encoding: "UTF-8", Separator: ",",
		Rows: []leads.FileRow{{Line: 1, Cells: []string{"Name", "E-mail"}}}}
	o := &fair{crowd: c}
	for n := range rows {
		cells := []string{fmt.Sprintf("Eva No%d", n), fmt.Sprintf("p%d@fair.example.org", n)}
		if n%20 == 19 {
			cells[1] = ""
		} else {
			o.good++
		}
		f.Rows = append(f.Rows, leads.FileRow{Line: int(n) + 2, Cells: cells})
	}
	id, err := c.next.Leads.Upload(c.t.Context(), somebody(1), f)
	o.id = id
	o.must(err)
	v := o.view()
	v.Options.Basis = "Asked for news"
	o.must(c.next.Leads.SetOptions(c.t.Context(), o.by(), id, v.Options))
	wait.Until(c.t, "the rows are checked", func() bool { return o.view().State == admitto.ImportReady })
	if v := o.view(); v.Counts[admitto.LeadNew] != o.good || v.Counts[admitto.LeadWrong] != rows-o.good {
		c.t.Fatalf("%+v", v)
	}
	return o
}

func (o *fair) must(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

func (o *fair) by() usecase.Caller { return usecase.Caller{Caller: somebody(1)} }

func (o *fair) view() leads.View {
	o.t.Helper()
	v, err := o.next.Leads.Show(o.t.Context(), somebody(1), o.id)
	o.must(err)
	return v
}

// beyond waits until so many rows are in a state, and kills the service then: each row is done with its mark, or not at
// all. Another service goes on.
func (o *fair) beyond(state admitto.LeadRowState, n int64) int64 {
	o.t.Helper()
	wait.Until(o.t, "the import goes on", func() bool { return o.view().Counts[state] > n })
	o.s.Kill()
	v := o.view()
	if made := o.number(leadsCreated); made != v.Counts[admitto.LeadCreated]+v.Counts[admitto.LeadKept] ||
		!v.State.AtWork() {
		o.t.Fatalf("killed with %d leads: %+v", made, v)
	}
	o.again()
	return v.Counts[state]
}

// An import of leads is killed, stopped and gone on with, and undone with another kill: everybody is created, written
// to and deleted once.
func TestImportOfLeads(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, p *place) {
		o := p.crowded(5, 1).fair(either[int64](1000, 20_000))
		o.must(o.next.Leads.Start(t.Context(), o.by(), o.id))
		first := o.beyond(admitto.LeadCreated, 0)
		wait.Until(t, "the import goes on", func() bool { return o.view().Counts[admitto.LeadCreated] > first })
		o.must(o.next.Leads.Stop(t.Context(), o.by(), o.id))
		if v := o.view(); v.State != admitto.ImportStopped || o.number(leadsCreated) != v.Counts[admitto.LeadCreated] {
			t.Fatalf("stopped with %d leads: %+v", o.number(leadsCreated), v)
		}
		o.must(o.next.Leads.Start(t.Context(), o.by(), o.id))
		second := o.beyond(admitto.LeadCreated, o.view().Counts[admitto.LeadCreated])
		wait.Until(t, "the import is finished", func() bool { return o.view().State == admitto.ImportFinished })
		if v := o.view(); v.Counts[admitto.LeadCreated] != o.good || v.Counts[admitto.LeadFailed] != 0 ||
			o.number(leadsCreated) != o.good {
			t.Errorf("%d leads of %d: %+v", o.number(leadsCreated), o.good, v)
		}
		if n := o.number(`SELECT count(*) FROM journal j JOIN applicant a ON a.id = j.applicant_id
			WHERE a.email LIKE '%@fair.example.org' AND j.pattern = 'Applicant was collected'`); n != o.good {
			t.Errorf("%d events of %d", n, o.good)
		}
		wait.Until(t, "all mails have left", func() bool { return o.number("SELECT count(*) FROM outbox") == 0 })
		messages := map[string]string{}
		for _, d := range o.mails.all() {
			if before, twice := messages[d.to]; twice && before != d.id {
				t.Errorf("%s was written to twice: %s and %s", d.to, before, d.id)
			}
			if strings.HasSuffix(d.to, "@fair.example.org") {
				messages[d.to] = d.id
			}
		}
		if int64(len(messages)) != o.good {
			t.Errorf("%d of %d were written to", len(messages), o.good)
		}
		o.must(o.next.Leads.Undo(t.Context(), o.by(), o.id))
		third := o.beyond(admitto.LeadTakenBack, 0)
		wait.Until(t, "it is undone", func() bool { return o.view().State == admitto.ImportUndone })
		if v := o.view(); v.Counts[admitto.LeadTakenBack] != o.good || o.number(leadsCreated) != 0 {
			t.Errorf("%d are left: %+v", o.number(leadsCreated), v)
		}
		t.Logf("killed after %d, %d and, undoing, %d of %d", first, second, third, o.good)
		apptest.CountKills(t, o.kills)
		o.s.Terminate()
		p.whole()
	})
}
