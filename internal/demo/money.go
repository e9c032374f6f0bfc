package demo

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// books are the counters of the invoice series.
type books struct {
	counters map[store.InvoiceCounter]int64 // by series and period; Last stays 0 in the keys
	latest   map[int64]admitto.Series
}

// number returns the next number of a series and notes it in the register.
func (b *books) number(id int64, at admitto.Time) store.InvoiceNumber {
	if b.counters == nil {
		b.counters, b.latest = map[store.InvoiceCounter]int64{}, map[int64]admitto.Series{}
	}
	text := "%inc%" // of the seeded series
	for _, s := range series {
		if s.ID == id {
			text = s.Format
		}
	}
	format, err := admitto.ParseNumberFormat(text)
	if err != nil {
		panic(err) // the formats are in this package
	}
	day := dayOf(at)
	line := store.InvoiceNumber{Series: id, Period: format.Period(day), Issued: at}
	line.Number = b.counters[store.InvoiceCounter{Series: id, Period: line.Period}] + 1
	line.Text = format.Number(day, line.Number)
	for _, period := range admitto.NumberPeriods(day) {
		key := store.InvoiceCounter{Series: id, Period: period}
		b.counters[key] = max(b.counters[key], line.Number)
	}
	b.latest[id] = admitto.Series{ID: id, LastIssued: at, LastNumber: line.Text}
	return line
}

// last returns the latest number of each series, by ID.
func (b *books) last() (list []admitto.Series) {
	for id := seriesGeneral; id <= seriesTuition; id++ {
		if s, ok := b.latest[id]; ok {
			list = append(list, s)
		}
	}
	return list
}

// counts returns the counters, from which the numbers go on.
func (b *books) counts() (list []store.InvoiceCounter) {
	for c, last := range b.counters {
		c.Last = last
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b store.InvoiceCounter) int {
		return cmp.Or(cmp.Compare(a.Series, b.Series), cmp.Compare(a.Period, b.Period))
	})
	return list
}

// invoice is one on its way.
type invoice struct {
	admitto.Invoice
	ap       *application
	payments []*payment
}

type payment struct {
	admitto.Transaction
	at admitto.Time
	by admitto.Actor
}

func (i *invoice) links() admitto.Links {
	l := i.ap.links()
	l.Invoice, l.Course = i.ID, i.Course
	return l
}

// howToPay is what every invoice says, also one that comes about in the demo.
const howToPay = "Pay by bank transfer to Example University, IBAN HU00 0000 0000 0000 0000 0000 0000."

// bill makes an invoice for the application; it is put in the queue by send, when payments are known.
func (ap *application) bill(kind string, series int64, at admitto.Time, automatic bool,
	items ...admitto.InvoiceItem) *invoice {
	i := &invoice{ap: ap}
	i.Type, i.Series.ID, i.Application, i.Applicant, i.Issued = kind, series, ap.row.ID, ap.p.ID, at
	i.Institution, i.Automatic, i.Currency, i.Items = mainInstitution, automatic, "EUR", items
	i.Deadline, i.Reminder = dayOf(at+14*admitto.Day), true
	i.Total = max(admitto.TotalOf(items), 0)
	i.PayerName, i.PayerEmail = ap.p.Name.Full(), ap.p.Email
	if ap.chance.per(40) {
		i.PayerName, i.PayerEmail = "Bright Path Education Ltd", "invoices@example.com"
	}
	i.Instructions = howToPay
	if series == seriesTuition {
		i.Smallprint = "Without payment the place may be given to somebody else."
	}
	sayInvoice(&i.Invoice)
	return i
}

// fee is the application fee that half of those from outside of the European Union pay before they submit. The best
// reduction of the trackers is a line of its own.
func (ap *application) fee(at admitto.Time) {
	c := ap.chance
	in := ap.in.deadline(ap.p.Citizenship)
	if in.Territory == "EU" || in.Territory == "EEA" || in.Territory == "HU" || ap.p.level >= exchange || !c.per(400) {
		return
	}
	const amount = applicationFee
	inventory := int64(700)
	items := []admitto.InvoiceItem{{Item: "Application fee, " + ap.in.Name, Price: amount, Qty: 100,
		InventoryItem: &inventory}}
	if best, code := ap.reduction(at, amount); best > 0 {
		items = append(items, admitto.InvoiceItem{Item: "Reduction " + code, Price: -best, Qty: 100})
	}
	i := ap.bill("Invoice", seriesFee, at, true, items...)
	i.Fee = feeApplication
	if i.Total == 0 {
		i.Collected = at
		i.send()
		return
	}
	pay := min(c.seconds(at, 1200, 12*86400), at+(max(ap.saved, at+2*admitto.Minute)-at)*9/10)
	switch {
	case ap.row.Submitted != 0:
		i.pay(i.Total, pay)
	default:
		share, pay := i.Total/2, c.seconds(at, 3600, 15*86400)
		if c.per(650) {
			share = i.Total
		}
		if pay < ap.limit && c.per(220) {
			i.pay(share, pay)
		}
	}
	if i.Collected == 0 {
		over := endOf(ap.in.term.Grace)
		if ap.closed != 0 {
			over = min(over, ap.closed)
		}
		if ap.withdrawn != 0 {
			over = ap.withdrawn + 15*admitto.Minute
		}
		if over = (over/admitto.Hour + 1) * admitto.Hour; over <= ap.ends { // the hourly job
			i.Lapsed = over
		}
	}
	i.send()
}

// reduction returns the best one that the trackers of the applicant have at the time, and whose it is.
func (ap *application) reduction(at admitto.Time, amount admitto.Hundredths) (best admitto.Hundredths, code string) {
	for _, set := range ap.p.trackers {
		t := &ap.world.trackers[set.Tracker-1]
		r := t.Reduction
		if set.Assigned > at || r == nil || r.ByAmount() && r.Currency != "EUR" {
			continue
		}
		value := r.Amount
		if !r.ByAmount() {
			value = (amount*r.Percent + 5000) / 10000
		}
		if value = min(value, amount); value > best {
			best, code = value, t.Code
		}
	}
	return best, code
}

// deposit is asked for after an acceptance: a part of the tuition, and sometimes a place in the dormitory.
func (ap *application) deposit(o *offer) {
	c := ap.chance
	if o.choice.course.level >= exchange || !c.per(780) {
		return
	}
	at := c.seconds(o.Decided, 600, 3*86400)
	if at >= ap.limit {
		return
	}
	kind := pick(c, []string{"Prepayment", "Prepayment", "Deposit"})
	i := ap.bill(kind, seriesTuition, at, false, admitto.InvoiceItem{Item: "Tuition, first semester, " +
		o.choice.course.Name,
		Price: admitto.Hundredths([...]int{150000, 190000, 650000,
			80000}[o.choice.course.level]), Qty: 100, Unit: "semester"})
	if c.per(60) {
		i.Items = append(i.Items, admitto.InvoiceItem{Item: "Early payment",
			Price: -admitto.Hundredths(c.between(2000, 9000)), Qty: 100})
		i.Total = admitto.TotalOf(i.Items)
	}
	i.Course = o.choice.course.ID
	paid := c.seconds(at, 3600, 24*86400)
	switch n := c.IntN(100); {
	case n < 66:
		i.pay(i.Total, paid)
	case n < 80:
		first := i.Total * admitto.Hundredths(c.between(20, 70)) / 100
		i.pay(first, paid)
		i.pay(i.Total-first, c.seconds(paid, 5*86400, 50*86400))
	case n < 88:
		i.pay(i.Total*admitto.Hundredths(c.between(10, 60))/100, paid)
	}
	i.send()
	if c.per(80) {
		i := ap.bill("Deposit", seriesGeneral, at+3*admitto.Minute, false,
			admitto.InvoiceItem{Item: "Dormitory", Price: 14500, Qty: admitto.Hundredths(c.between(3, 10) * 100), Unit: "month"},
			admitto.InvoiceItem{Item: "Key", Price: 2000, Qty: 100})
		if c.per(400) { // the dormitory is paid where it is
			i.Currency = secondCurrency
			for n := range i.Items {
				i.Items[n].Price *= 390
			}
			i.Total = admitto.TotalOf(i.Items)
		}
		if c.per(700) {
			i.pay(i.Total, paid)
		}
		i.send()
	}
}

// pay adds a payment unless it would come after the end.
func (i *invoice) pay(amount admitto.Hundredths, at admitto.Time) {
	c := i.ap.chance
	if at > i.ap.ends || at <= i.Issued || amount <= 0 {
		return
	}
	t := &payment{at: at, Transaction: admitto.Transaction{Amount: amount, Currency: i.Currency, Inserted: at,
		Collected: dayOf(at)}}
	switch n := c.IntN(10); {
	case n < 5: // by card, told by the gateway
		t.by = admitto.System()
		gateway := admitto.Gateway{ID: 1, Name: "Card payments", Adapter: "example"}
		if n == 0 {
			gateway = admitto.Gateway{ID: 2, Name: "Bank link", Adapter: "example-bank"}
		}
		t.Payment = &admitto.Payment{ExternalID: "pay_" + c.hex(16), Status: "captured", Gateway: gateway,
			Inserted: at - admitto.Time(c.between(20, 300))*admitto.Second, Updated: at}
		if n == 1 {
			t.Payment.Message = "3-D Secure"
		}
	case n < 9: // found on the account by the instance
		t.by = i.ap.administrator(adminMoney)
		t.Administrator = t.by.ID
		t.Collected = dayOf(max(at-admitto.Time(c.between(0, 3))*admitto.Day, i.Issued))
	default:
		t.by = i.ap.request(sisKey)
	}
	i.Paid += amount
	if i.Paid >= i.Total {
		i.Collected = at
	}
	i.payments = append(i.payments, t)
}

// send plans the invoice with its mail, payments and reminders.
func (i *invoice) send() {
	ap := i.ap
	delivered := ap.chance.seconds(i.Issued, 1, 6)
	if delivered <= ap.ends {
		i.Delivered = delivered
	}
	remind := startOf(i.Deadline) - 3*admitto.Day + 9*admitto.Hour
	if remind <= ap.ends && (i.Collected == 0 || i.Collected > remind) && (i.Lapsed == 0 || i.Lapsed > remind) {
		i.Reminded = remind
	}
	by := admitto.System()
	if !i.Automatic {
		by = ap.administrator(adminMoney)
	}
	ap.later(happening{at: i.Issued, actor: by, about: i, event: admitto.Event{Pattern: "Invoice was issued"},
		rows: func() {
			line := ap.books.number(i.Series.ID, i.Issued)
			i.ID, i.Number = ap.last.invoice.next(), line.Text
			line.Invoice = i.ID
			ap.batch.numbers = append(ap.batch.numbers, line)
			ap.batch.invoices = append(ap.batch.invoices, i.Invoice)
			f := ap.file(fileInvoice, i.PayerName)
			f.Name = "Invoice-" + i.Number + ".pdf"
			ap.mail(i.Issued, "invoice-delivery", "Invoice "+i.Number,
				"Hello "+i.PayerName+",\n\nplease find attached the invoice "+i.Number+
					" over "+i.Currency+" "+i.Total.String()+", to be paid until "+i.Deadline.String()+".\n\nKind regards\n"+
					institution, &f)
		}})
	ap.about(i, delivered, admitto.System(), "Invoice was delivered")
	if i.Reminded != 0 {
		ap.about(i, i.Reminded, admitto.System(), "Invoice was reminded")
	}
	if i.Lapsed != 0 {
		ap.about(i, i.Lapsed, admitto.System(), "Invoice was lapsed")
	}
	if i.Total == 0 {
		ap.about(i, i.Collected, admitto.System(), "Invoice was collected")
	}
	for _, p := range i.payments {
		ap.later(happening{at: p.at, actor: p.by, about: i, event: admitto.Event{Pattern: "Transaction was added: ?"},
			rows: func() {
				p.ID, p.Invoice = ap.last.transaction.next(), i.ID
				if p.Payment != nil {
					p.Payment.Payment = "P" + decimal(100000+p.ID)
				}
				ap.batch.transactions = append(ap.batch.transactions, p.Transaction)
			}, complete: func(e *admitto.Event) { e.Bind = []string{decimal(p.ID)} }})
		pattern := admitto.Pattern("Invoice was partly collected")
		if p.at == i.Collected {
			pattern = "Invoice was collected"
		}
		ap.about(i, p.at, p.by, pattern)
	}
}
