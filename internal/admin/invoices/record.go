package invoices

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// The names under which a session keeps the rows that were not booked, and the day of those that have none.
const (
	keptRows = "payments"
	keptDay  = "payments-day"
)

// monthFirst is the choice that 5/6/2026 is the sixth of May.
const monthFirst = "mdy"

// recording is the page on which many payments are recorded: what was typed, and what is known of each row.
type recording struct {
	*site.Form
	rows    []billing.PaymentRow
	checked []billing.CheckedPayment
}

// record records payments that are typed or pasted, the good ones of them; the others stay (screens.md A32).
func (p *pages) record(r *site.Request) error {
	stored := site.Values{"order": site.One("dmy"), "rows": site.One(r.Look(keptRows))}
	day := p.Core.DayOf(r.Now())
	if kept, err := admitto.ParseDate(r.Look(keptDay)); err == nil {
		day = kept
	}
	stored.SetDay("day", day)
	f, err := r.Form(stored, 0)
	if err != nil {
		return err
	}
	c := &recording{Form: f}
	if !r.Posted() && f.Get("rows") == "" {
		return c.show(r)
	}
	c.read(r)
	if f.Failed() {
		return c.show(r)
	}
	if r.Posted() && f.Has("book") {
		return p.book(r, c)
	}
	if c.checked, err = p.Billing.CheckPayments(r.Context(), r.Reader(), c.rows); err != nil {
		return err
	}
	return c.show(r)
}

// read takes the rows.
func (c *recording) read(r *site.Request) {
	day, _ := c.Day("day")
	c.rows = billing.Pasted(c.Typed("rows"), day, c.Get("order") != monthFirst)
	for i := range c.rows {
		c.rows[i].Again = slices.Contains(c.All("again"), tickOf(&c.rows[i]))
	}
	switch n := len(c.rows); {
	case n == 0:
		c.Fail("rows", "payments.no_rows")
	case n > billing.MaxPayments:
		c.Fail("rows", "payments.too_many", "Count", r.Number(n), "Most", r.Number(billing.MaxPayments))
	}
}

// tickOf is the value of the tick that books a row all the same. It holds for what the row said when it was shown: a
// line that comes to stand in its place, or says something else since, has no tick.
func tickOf(row *billing.PaymentRow) string {
	h := fnv.New64a()
	h.Write([]byte(row.Text)) // it never fails
	return fmt.Sprint(row.Line, "-", strconv.FormatUint(h.Sum64(), 36))
}

// book books the good rows, and comes back with the others.
func (p *pages) book(r *site.Request, c *recording) error {
	done, err := p.Billing.RecordPayments(r.Context(), r.Caller(), c.rows)
	if err != nil {
		return err
	}
	var left []string
	booked, sums := 0, map[string]admitto.Hundredths{}
	for i := range done {
		if !done[i].Done {
			left = append(left, c.rows[i].Text)
			continue
		}
		booked++
		sums[done[i].Invoice.Currency] += c.rows[i].Amount
	}
	if _, err := c.Refused(nil, nil); err != nil { // what was typed is not kept any more
		return err
	}
	day, _ := c.Day("day")
	r.Keep(keptRows, strings.Join(left, "\n"))
	r.Keep(keptDay, day.String())
	said := r.Plural("payments.booked", booked)
	if booked > 0 {
		said += " " + sumsOf(r, sums)
	}
	switch {
	case len(left) == 0:
		r.Notify(ui.OK, said)
		return r.To("transactions")
	case booked == 0:
		r.Notify(ui.Warn, said+" "+r.Plural("payments.left", len(left)))
	default:
		r.Notify(ui.OK, said+" "+r.Plural("payments.left", len(left)))
	}
	return r.To(recordName)
}

// sumsOf are amounts by currency, in words.
func sumsOf(r *site.Request, sums map[string]admitto.Hundredths) string {
	var list []string
	for currency, amount := range sums {
		list = append(list, r.Money(int64(amount), currency))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// show is the form with what is known of the rows.
func (c *recording) show(r *site.Request) error {
	rows := c.Long("rows", "payments.rows", 10, 0)
	order := c.Choices("order", "payments.order", false, ui.Option{Value: "dmy", Text: r.T("payments.day_first")},
		ui.Option{Value: monthFirst, Text: r.T("payments.month_first")})
	check := ui.Button{Text: r.T("payments.check"), Name: "check", Value: "yes", Busy: r.T("form.saving")}
	inputs := []ui.Component{rows, ui.Columns{Parts: []ui.Component{c.Date("day", "payments.day"), order}}}
	buttons := []ui.Button{check}
	parts := inputs
	if c.checked == nil {
		buttons[0].Primary = true
	} else {
		good, sums := 0, map[string]admitto.Hundredths{}
		for i := range c.checked {
			if c.checked[i].Good(&c.rows[i]) {
				good++
				sums[c.checked[i].Invoice.Currency] += c.rows[i].Amount
			}
		}
		words := r.T("payments.none_good")
		if good > 0 {
			words = r.Plural("payments.good", good) + " " + sumsOf(r, sums)
		}
		book := r.Save("payments.book")
		book.Text = r.T("payments.book", "Good", r.Number(good), "All", r.Number(len(c.rows)))
		book.Name, book.Value = "book", "yes"
		buttons = []ui.Button{book, check}
		parts = append([]ui.Component{ui.Words{Text: words}, c.table(r)}, inputs...)
	}
	return site.Sheet{Intro: []string{r.T("payments.intro")}, Parts: []ui.Component{
		c.Box(append(buttons, r.Cancel(r.At("transactions"))), parts...)}}.Show(r)
}

// table says of each row whom it is from, what is open, and what is wrong.
func (c *recording) table(r *site.Request) ui.Table {
	t := ui.Table{Caption: r.T("payments.rows"), Cards: true, Columns: []ui.Column{
		{Title: r.T("payments.line"), Num: true, Place: "label"}, {Title: r.T("ledger.invoice"), Place: "main"},
		{Title: r.T("invoice.payer")}, {Title: r.T("invoice.amount"), Num: true, Place: "label"},
		{Title: r.T("invoice.paid_on"), Place: "label"}, {Title: r.T("payments.rest"), Num: true, Place: "label"},
		{Title: r.T("card.status")}}}
	for i := range c.rows {
		row, known := &c.rows[i], &c.checked[i]
		v := &known.Invoice
		invoice := ui.Cell{Text: cmp.Or(row.Number, row.Text)}
		if v.ID != 0 {
			invoice.Href = r.At(ofOne, v.ID)
		}
		payer := ui.Cell{Text: v.PayerName}
		if known.Applicant != v.PayerName {
			payer.Below = known.Applicant
		}
		amount, rest, day := ui.Cell{}, ui.Cell{}, ui.Cell{Text: show.Date(r, row.Day)}
		if row.Amount != 0 {
			amount.Text = strings.TrimSpace(r.Money(int64(row.Amount), cmp.Or(row.Currency, v.Currency)))
		}
		if v.ID != 0 {
			rest.Text = money(r, v, known.Rest)
		}
		t.Rows = append(t.Rows, ui.Row{Label: invoice.Text, Cells: []ui.Cell{{Text: r.Number(row.Line)}, invoice, payer,
			amount, day, rest, c.state(r, row, known)}})
	}
	return t
}

// state says whether a row can be booked, and what is wrong with it.
func (c *recording) state(r *site.Request, row *billing.PaymentRow, known *billing.CheckedPayment) (cell ui.Cell) {
	if len(known.Wrong) > 0 {
		var words []string
		for _, text := range known.Wrong {
			words = append(words, r.Say(text))
		}
		cell.Parts = []ui.Component{ui.Tag{Text: r.T("payments.wrong"), Icon: "circle-x", Tone: ui.Bad},
			ui.Words{Text: strings.Join(words, "; ")}}
	} else if !known.Doubtful() {
		return ui.Cell{Tags: []ui.Tag{{Text: r.T("payments.ready"), Icon: "check", Tone: ui.OK}}}
	}
	if known.Booked {
		cell.Parts = append(cell.Parts, ui.Tag{Text: r.T("payments.booked_before"), Icon: "triangle-alert", Tone: ui.Warn})
	}
	if known.Surplus > 0 {
		cell.Parts = append(cell.Parts, ui.Tag{Text: r.T("invoice.surplus", "Amount",
			money(r, &known.Invoice, known.Surplus)), Icon: "circle-alert", Tone: ui.Warn})
	}
	if len(known.Wrong) > 0 {
		return cell
	}
	line := strconv.Itoa(row.Line)
	cell.Parts = append(cell.Parts, ui.Choices{Field: ui.Field{ID: "again-" + line, Name: "again",
		Label: r.T("payments.line_n", "N", line)}, Multiple: true,
		Options: []ui.Option{{Value: tickOf(row), Text: r.T("payments.again"), Selected: row.Again}}})
	return cell
}
