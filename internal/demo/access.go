package demo

import (
	"fmt"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// signIns invents the sign-ins of the staff over the last year, on working days: most succeed at once.
func signIns(c chance, over span, people []admitto.Administrator) (list []admitto.Login) {
	for day := over.ends - 365*admitto.Day; day < over.ends; day += admitto.Day {
		if weekday := day.Std().Weekday(); weekday == time.Saturday || weekday == time.Sunday {
			continue
		}
		at := day - day%admitto.Day + 6*admitto.Hour
		for range c.between(2, 5) {
			at = c.seconds(at, 60, 2*3600)
			p := &people[c.IntN(len(people))]
			l := admitto.Login{Logged: at, IP: fmt.Sprintf("192.0.2.%d", c.between(2, 40)), Administrator: p.ID,
				Result: admitto.LoginSuccess}
			if len(p.Roles) > 0 {
				l.Role, l.RoleName = p.Roles[0].ID, p.Roles[0].Name
			}
			if c.per(150) {
				l.IP = "2001:db8::" + c.hex(4)
			}
			if c.per(80) { // mistyped, and then right
				wrong := l
				wrong.Role, wrong.RoleName, wrong.Result = 0, "", pick(c, []admitto.LoginResult{admitto.LoginWrongPassword,
					admitto.LoginWrongCode})
				list = append(list, wrong)
				l.Logged += 20 * admitto.Second
				at = l.Logged
			}
			if at < over.ends {
				list = append(list, l)
			}
		}
	}
	return list
}

// erased invents people who came last, were deleted by an administrator soon after and are erased since. Their IDs lie
// above all others, and their events are no part of the data.
func erased(c chance, over span, lastApplicant, lastApplication int64, by int64) (list []admitto.PurgedResource) {
	for i := range int64(5) {
		p := admitto.PurgedResource{Object: lastApplicant + i + 1, Type: admitto.PurgedApplicant, MarkedBy: by,
			Created: c.seconds(over.lastComing, 60*int(i), 60*int(i)+50), Marked: c.seconds(over.ends, 600*int(i),
				600*int(i)+500)}
		p.Purged = over.erasing()
		if i%2 == 0 {
			p.ForgetRequested = p.Created + 30*admitto.Minute
		}
		list = append(list, p)
		if i < 3 {
			p.Object, p.Type, p.Created = lastApplication+i+1, admitto.PurgedApplication, p.Created+5*admitto.Minute
			list = append(list, p)
		}
	}
	return list
}

// access stores who signed in, and who was erased when there are applicants at all.
func (w *world) access(tx *store.Tx, applicants int) error {
	people, err := tx.Administrators()
	if err != nil {
		return err
	}
	logins := signIns(w.chance, w.span, people)
	for i := range logins {
		if _, err := tx.InsertLogin(&logins[i]); err != nil {
			return err
		}
	}
	if applicants == 0 {
		return nil
	}
	for _, p := range erased(w.chance, w.span, int64(applicants), int64(w.last.application), people[0].ID) {
		if err := tx.InsertPurged(&p); err != nil {
			return err
		}
		if err := tx.SkipIDs(map[admitto.PurgedType]string{admitto.PurgedApplicant: "applicant",
			admitto.PurgedApplication: "application"}[p.Type], p.Object); err != nil {
			return err
		}
	}
	return nil
}

// left is the invoice that stays of somebody who is erased, since it was paid: without applicant, with the name of the
// payer.
type left struct{ id int64 }

func (l *left) links() admitto.Links { return admitto.Links{Invoice: l.id} }

// leave plans the invoice of the first of those who came last and were erased (lifecycle.md 6.1).
func (w *world) leave() {
	i := admitto.Invoice{Institution: mainInstitution}
	i.Type, i.Series.ID, i.Currency, i.PayerName = "Deposit", seriesGeneral, "EUR", "Bright Path Education Ltd"
	i.Items = []admitto.InvoiceItem{{Item: "Dormitory", Price: 14500, Qty: 500, Unit: "month"}}
	i.Total = admitto.TotalOf(i.Items)
	i.Issued, i.Collected = w.lastComing+20*admitto.Minute, w.ends-10*admitto.Minute
	i.Deadline, i.Paid, i.RowVersion = dayOf(i.Issued+14*admitto.Day), i.Total, 1
	l := &left{}
	by := w.administrator(adminMoney)
	tell := func(at admitto.Time, by admitto.Actor, pattern admitto.Pattern, rows func()) {
		w.plan(happening{at: at, actor: by, about: l, event: admitto.Event{Pattern: pattern}, rows: rows})
	}
	tell(i.Issued, by, "Invoice was issued", func() {
		line := w.books.number(i.Series.ID, i.Issued)
		i.ID, i.Number = w.last.invoice.next(), line.Text
		l.id, line.Invoice = i.ID, i.ID
		w.batch.numbers, w.batch.invoices = append(w.batch.numbers, line), append(w.batch.invoices, i)
	})
	t := admitto.Transaction{Amount: i.Total, Currency: i.Currency, Inserted: i.Collected, Collected: dayOf(i.Collected),
		Administrator: by.ID}
	added := happening{at: i.Collected, actor: by, about: l, event: admitto.Event{Pattern: "Transaction was added: ?"}}
	added.rows = func() {
		t.ID, t.Invoice = w.last.transaction.next(), i.ID
		w.batch.transactions = append(w.batch.transactions, t)
	}
	added.complete = func(e *admitto.Event) { e.Bind = []string{decimal(t.ID)} }
	w.plan(added)
	tell(i.Collected, by, "Invoice was collected", nil)
	tell(w.erasing(), admitto.System(), "Invoice was detached", nil)
}
