package demo

import "github.com/admitto/admitto/internal/admitto"

// However few the applicants are and whatever the seed draws, somebody who tries out the data finds an offer whose
// letter can be sent and an invoice in a second currency. Both belong to the first applicant, who is given a life for
// it: from the country that most come from, made through the API, signed in, and with one application shortly before
// the end.

// secondCurrency is that of what is paid where the institution is; all else is in euro.
const secondCurrency = "HUF"

// firstApplicant is the ID of the one with the assured application.
const firstApplicant int64 = 1

// assuredDays is how long before the end of the data the assured application begins. The terms leave more than that
// between any day and the last grace day of the doctoral intakes that are open on it.
const assuredDays = 70 * admitto.Day

// assure plans the assured application; false when the applicant came too late for it, as one of very few may.
func (w *world) assure(p *person, active admitto.Time) bool {
	at := w.ends - assuredDays
	if active >= at {
		return false
	}
	// One can apply to doctoral schools on every day of the year. Of two terms the later one leaves more time.
	var in *intake
	for i := range w.catalogue.intakes {
		if x := &w.catalogue.intakes[i]; x.level == doctoral && startOf(x.Start) <= at && at < x.closing(p.Citizenship) {
			in = x
		}
	}
	if in == nil {
		return false
	}
	p.level = doctoral
	ap := &application{world: w, p: p, in: in, assured: true}
	w.plan(happening{at: at, actor: ap.self(), about: ap, event: admitto.Event{Pattern: "Application was created"},
		rows: func() { ap.begin(at) }})
	return true
}

// drawAssured lets the assured application be submitted within days, and nothing end it.
func (ap *application) drawAssured(at admitto.Time) {
	ap.limit = min(endOf(ap.in.term.Grace), ap.ends)
	ap.edited = ap.chance.seconds(at, 3700, 2*86400)
	ap.saved = ap.edited + 2*admitto.Hour + admitto.Time(ap.chance.Int64N(int64(3*admitto.Day)))
	ap.row.Submitted = ap.chance.seconds(ap.saved, 60, 3000)
}

// replyAssured sets a type of its offers whose letter nobody has sent yet, and bills what the instance did for the
// applicant.
func (ap *application) replyAssured(at admitto.Time) {
	c := ap.chance
	for _, ch := range ap.choices {
		ch.offer.edit(typeAccepted, c.inOffice(at, c.between(6, 30)))
	}
	i := ap.bill("Invoice", seriesGeneral, c.inOffice(at, 2), false,
		admitto.InvoiceItem{Item: "Certified translation of the diploma", Price: 1250000, Qty: 100})
	i.Currency = secondCurrency
	i.pay(i.Total, c.seconds(i.Issued, 3600, 10*86400))
	i.send()
}
