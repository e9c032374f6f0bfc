package invoices

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// mostReason is how long the reasons of staff are, in characters.
const mostReason = 500

// impossible names the message that says why an action on the invoice is not possible now; "" for one that is.
func impossible(c *query.InvoiceCard, action string) string {
	lapsed, paid := c.Lapsed != 0 && c.Collected == 0, c.Collected != 0
	switch {
	case lapsed && action == collecting:
		return "invoice.why_lapsed"
	case lapsed && action == waiving:
		return "invoice.why_waived"
	case !lapsed && action == reviving:
		return "invoice.why_open"
	case !c.HasApplicant && action == sending:
		return "invoice.why_detached"
	case lapsed && action == sending:
		return "invoice.why_lapsed"
	case paid && action == sending:
		return "invoice.why_nothing_due"
	case paid && action == waiving:
		return "invoice.why_paid"
	case len(c.Transactions) > 0 && action == deleting:
		return "invoice.why_transactions"
	case c.Permanent && action == deleting:
		return "invoice.why_permanent"
	}
	return ""
}

// offered are the actions that are possible now, and why the others are not (screens.md A30).
func (p *pages) offered(r *site.Request, c *query.InvoiceCard) (buttons []ui.Button, refused []ui.KeyValue) {
	offer := func(action site.Action) {
		why := impossible(c, action.Name)
		switch {
		case !r.May(action.Name) || why == "invoice.why_open" || why == "invoice.why_waived": // the state says so
		case why == "":
			buttons = append(buttons, r.Buttons(action)...)
		default:
			refused = append(refused, ui.KeyValue{Key: r.T("action." + action.Name), Value: r.T(why)})
		}
	}
	collect := site.Primary(collecting, c.ID)
	if c.Collected != 0 {
		collect = site.Do(collecting, c.ID)
	}
	offer(collect)
	for _, b := range r.Buttons(site.Do(pdfFile, c.ID)) {
		b.Icon = "download"
		buttons = append(buttons, b)
	}
	offer(site.Do(sending, c.ID))
	offer(site.Do(editing, c.ID))
	offer(site.Do(reviving, c.ID))
	offer(site.Danger(waiving, c.ID))
	offer(site.Danger(deleting, c.ID))
	return show.Small(buttons), refused
}

// within names the invoice in the way back, and keeps the title of the page. What is not possible now says why, in the
// place of its form.
func (p *pages) within(action string, handle func(*site.Request, *query.InvoiceCard) error) func(*site.Request,
	*query.InvoiceCard) error {
	return func(r *site.Request, c *query.InvoiceCard) error {
		r.NameCrumb(ofOne, r.T("invoice.title", "Number", numberOf(&c.Invoice)))
		r.SetTitle("")
		if why := impossible(c, action); why != "" && !r.Posted() {
			return notNow(r, c, r.T(why))
		}
		return handle(r, c)
	}
}

// notNow says in the place of a form why it is not possible.
func notNow(r *site.Request, c *query.InvoiceCard, why string) error {
	return site.Sheet{Parts: []ui.Component{ui.Notice{Tone: ui.Warn, Text: why,
		Link: &ui.Link{Text: r.T("invoice.title", "Number", numberOf(&c.Invoice)),
			Href: r.Within(ofOne, c.ID)}}}}.Show(r)
}

// changing is the form of an action on an invoice.
func (p *pages) changing(r *site.Request, c *query.InvoiceCard, stored site.Values) (*site.Form, error) {
	version, err := p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.InvoiceRow, ID: c.ID})
	if err != nil {
		return nil, err
	}
	return r.Form(stored, version)
}

// done ends an action: what was refused stands in the form, and what was done is said on the card.
func (p *pages) done(r *site.Request, c *query.InvoiceCard, f *site.Form, err error, fields map[admitto.Path]string,
	said string) (ended bool, _ error) {
	refused, err := f.Refused(err, fields)
	if err != nil || refused {
		return false, err
	}
	r.Notify(ui.OK, said)
	return true, r.Redirect(r.Within(ofOne, c.ID))
}

// amountField is an amount of the invoice's currency.
func amountField(f *site.Form, c *query.InvoiceCard, label string) ui.Money {
	return ui.Money{Field: f.Text("amount", label).Field, Currency: c.Currency}
}

// typedAmount reads the field of an amount.
func typedAmount(r *site.Request, f *site.Form, c *query.InvoiceCard) admitto.Hundredths {
	amount, currency, err := billing.Amount(f.Get("amount"))
	switch {
	case err != nil:
		f.FailText("amount", message.From(err))
	case currency != "" && currency != c.Currency:
		f.FailText("amount", message.Of("currency-mismatch", c.Currency, currency))
	}
	return amount
}

// collect records a payment (lifecycle.md 6.3).
func (p *pages) collect(r *site.Request, c *query.InvoiceCard) error {
	stored := site.Values{}
	if due := c.Due(); due > 0 {
		stored["amount"] = site.One(due.String())
	}
	stored.SetDay("day", p.Core.DayOf(r.Now()))
	f, err := p.changing(r, c, stored)
	if err != nil {
		return err
	}
	over := c.Due() == 0
	if r.Posted() {
		in := billing.NewPayment{Amount: typedAmount(r, f, c), Surplus: f.Has("surplus")}
		over = over || in.Surplus || in.Amount > c.Due()
		in.Collected, _ = f.Day("day")
		var made admitto.Transaction
		err = f.Store(func() (err error) {
			made, err = p.Billing.CollectInvoice(r.Context(), r.Caller(), c.ID, in)
			return err
		})
		ended, err := p.done(r, c, f, err, map[admitto.Path]string{"": "amount"},
			r.T("invoice.was_collected", "Amount", money(r, &c.Invoice, made.Amount)))
		if err != nil || ended {
			return err
		}
	}
	parts := []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("invoice.payer"), Value: c.PayerName},
		{Key: r.T("applicant.total"), Value: money(r, &c.Invoice, c.Total)},
		{Key: r.T("applicant.due"), Value: money(r, &c.Invoice, c.Due())}}},
		amountField(f, c, "invoice.amount"), f.Date("day", "invoice.paid_on")}
	if over {
		parts = append(parts, f.Tick("surplus", "invoice.over", "invoice.over_tick"))
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.invoice-collect"),
		r.Cancel(r.Within(ofOne, c.ID))}, parts...)}}.Show(r)
}

// edit changes what may be changed after the invoice was issued.
func (p *pages) edit(r *site.Request, c *query.InvoiceCard) error {
	stored := site.Values{"instructions": site.One(c.Instructions), "smallprint": site.One(c.Smallprint)}
	stored.SetDay("deadline", c.Deadline)
	if c.Reminder {
		stored["reminder"] = site.One("yes")
	}
	f, err := p.changing(r, c, stored)
	if err != nil {
		return err
	}
	if r.Posted() {
		in := billing.InvoiceEdit{Instructions: f.Typed("instructions"), Smallprint: f.Typed("smallprint"),
			Reminder: f.Has("reminder")}
		in.Deadline, _ = f.Day("deadline")
		err = f.Store(func() error { return p.Billing.EditInvoice(r.Context(), r.Caller(), c.ID, in) })
		changed := site.Changed(err)
		ended, err := p.done(r, c, f, err, nil, r.T("invoice.was_edited"))
		if err != nil || ended {
			return err
		}
		if changed {
			if err := p.meanwhile(r, c, f, stored); err != nil {
				return err
			}
		}
	}
	instructions, smallprint := f.Long("instructions", "invoice.instructions", 5, mostWords), f.Long("smallprint",
		"invoice.smallprint", 4, mostWords)
	instructions.Optional, smallprint.Optional = true, true
	return site.Sheet{Intro: []string{r.T("invoice.edit_intro")}, Parts: []ui.Component{f.Box([]ui.Button{
		r.Save("action.save"), r.Cancel(r.Within(ofOne, c.ID))}, f.Date("deadline", "applicant.deadline"),
		f.Tick("reminder", "invoice.reminder", "invoice.will_remind"), instructions, smallprint)}}.Show(r)
}

// meanwhile lets the reader choose between what was typed and what somebody else has saved (screens.md U10).
func (p *pages) meanwhile(r *site.Request, c *query.InvoiceCard, f *site.Form, stored site.Values) error {
	version, err := p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.InvoiceRow, ID: c.ID})
	if err != nil {
		return err
	}
	who, at, err := p.Query.LastEdit(r.Context(), r.Reader(), []admitto.EventFilter{{Pattern: admitto.InvoiceEdited}},
		func(record *admitto.Record) bool { return record.Links.Invoice == c.ID })
	if err != nil {
		return err
	}
	if who == "" {
		who, at = r.T("record.somebody"), r.Now()
	}
	f.Meanwhile(stored, version, who, r.Clock(at), [2]string{"deadline", "applicant.deadline"},
		[2]string{"reminder", "invoice.reminder"}, [2]string{"instructions", "invoice.instructions"},
		[2]string{"smallprint", "invoice.smallprint"})
	return nil
}

// question is a page that asks before something happens to an invoice, with a reason where one is wanted.
type question struct {
	reason  bool
	effects []ui.Effect
	undo    string
	danger  bool
	act     func(f *site.Form) error
	said    string
	next    string // "": the card
}

func (p *pages) ask(r *site.Request, c *query.InvoiceCard, a question) error {
	f, err := p.changing(r, c, nil)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(a.act(f), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, a.said)
			if a.next == "" {
				a.next = r.Within(ofOne, c.ID)
			}
			return r.Redirect(a.next)
		}
	}
	var fields []ui.Component
	if a.reason {
		fields = append(fields, f.Long("reason", "card.reason", 3, mostReason))
	}
	name := r.T("invoice.title", "Number", numberOf(&c.Invoice))
	return r.Ask(ui.Confirmation{Title: r.Title(), Text: name + " · " + r.Isolated(c.PayerName) + " · " +
		money(r, &c.Invoice, c.Total), Fields: slices.Concat([]ui.Component{f.Head()}, fields), Effects: a.effects,
		Undo: a.undo, Confirm: ui.Button{Text: r.Title(), Primary: !a.danger, Danger: a.danger,
			Busy: r.T("form.saving")},
		Back: ui.Link{Text: r.T("dialog.cancel"), Href: r.Within(ofOne, c.ID)}})
}

// send mails the invoice to its payer.
func (p *pages) send(r *site.Request, c *query.InvoiceCard) error {
	effects := []ui.Effect{{Icon: "mail", Text: r.T("invoice.effect_mail", "Address", c.PayerEmail)}}
	if c.Delivered != 0 {
		effects = append(effects, ui.Effect{Icon: "info", Text: r.T("invoice.sent_before", "Time",
			r.Clock(c.Delivered))})
	}
	return p.ask(r, c, question{effects: effects, said: r.T("invoice.was_sent", "Address", c.PayerEmail),
		act: func(*site.Form) error { return p.Billing.SendInvoice(r.Context(), r.Caller(), c.ID) }})
}

// waive lets the invoice lapse.
func (p *pages) waive(r *site.Request, c *query.InvoiceCard) error {
	effects := []ui.Effect{{Icon: "ban", Text: r.T("invoice.waive_effect", "Amount", money(r, &c.Invoice, c.Due()))}}
	if c.Blocks() {
		effects = append(effects, ui.Effect{Icon: "check", Text: r.T("invoice.waive_unblocks")})
	}
	if c.Paid > 0 {
		effects = append(effects, ui.Effect{Icon: "info", Text: r.T("invoice.waive_paid", "Amount",
			money(r, &c.Invoice, c.Paid))})
	}
	return p.ask(r, c, question{reason: true, effects: effects, undo: r.T("invoice.waive_undo"), danger: true,
		said: r.T("invoice.was_waived"),
		act: func(f *site.Form) error {
			return p.Billing.WaiveInvoice(r.Context(), r.Caller(), c.ID, f.Typed("reason"))
		}})
}

// revive makes a lapsed invoice payable again.
func (p *pages) revive(r *site.Request, c *query.InvoiceCard) error {
	effects := []ui.Effect{{Icon: "rotate-ccw", Text: r.T("invoice.revive_effect", "Amount",
		money(r, &c.Invoice, c.Due()))}}
	if c.Series.Blocking {
		effects = append(effects, ui.Effect{Icon: "ban", Text: r.T("invoice.effect_blocks")})
	}
	return p.ask(r, c, question{effects: effects, said: r.T("invoice.was_revived"),
		act: func(*site.Form) error { return p.Billing.ReviveInvoice(r.Context(), r.Caller(), c.ID) }})
}

// remove deletes the invoice; its number stays void.
func (p *pages) remove(r *site.Request, c *query.InvoiceCard) error {
	next := r.At("invoices")
	if c.HasApplication {
		next = r.Within(tab, c.Application)
	}
	return p.ask(r, c, question{effects: []ui.Effect{{Icon: "list-ordered", Text: r.T("invoice.delete_effect", "Number",
		c.Number)}}, undo: r.T("invoice.delete_undo"), danger: true,
		said: r.T("invoice.was_deleted", "Number", numberOf(&c.Invoice)), next: next,
		act: func(*site.Form) error { return p.Billing.DeleteInvoice(r.Context(), r.Caller(), c.ID) }})
}

// reverse takes a payment back, or a part of it (lifecycle.md I5).
func (p *pages) reverse(r *site.Request, c *query.InvoiceCard) error {
	id, err := r.IDAt("transaction")
	if err != nil {
		return err
	}
	at := slices.IndexFunc(c.Transactions, func(t admitto.Transaction) bool { return t.ID == id })
	if at < 0 {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	t := &c.Transactions[at]
	left := c.LeftOf(t)
	switch {
	case r.Posted():
	case t.Reverses != 0:
		return notNow(r, c, r.Say(message.Of("reversal-of-reversal")))
	case left <= 0:
		return notNow(r, c, r.T("invoice.why_taken_back"))
	}
	stored := site.Values{}
	if left > 0 {
		stored["amount"] = site.One(left.String())
	}
	stored.SetDay("day", p.Core.DayOf(r.Now()))
	f, err := p.changing(r, c, stored)
	if err != nil {
		return err
	}
	if r.Posted() {
		in := billing.Reversal{Amount: typedAmount(r, f, c), Reason: f.Typed("reason")}
		in.Day, _ = f.Day("day")
		err = f.Store(func() error {
			_, err := p.Billing.ReverseTransaction(r.Context(), r.Caller(), id, in)
			return err
		})
		ended, err := p.done(r, c, f, err, nil, r.T("invoice.was_reversed", "Amount", money(r, &c.Invoice, in.Amount)))
		if err != nil || ended {
			return err
		}
	}
	facts := []ui.KeyValue{{Key: r.T("ledger.nr"), Value: strconv.FormatInt(t.ID, 10)},
		{Key: r.T("invoice.paid_on"), Value: show.Date(r, t.Collected)},
		{Key: r.T("invoice.amount"), Value: money(r, &c.Invoice, t.Amount)}}
	if left != t.Amount {
		facts = append(facts, ui.KeyValue{Key: r.T("invoice.left"), Value: money(r, &c.Invoice, left)})
	}
	return site.Sheet{Intro: []string{r.T("invoice.reverse_intro")}, Parts: []ui.Component{
		f.Box([]ui.Button{r.Save("action.transaction-reverse"), r.Cancel(r.Within(ofOne, c.ID))},
			ui.KeyValues{Facts: facts},
			amountField(f, c, "invoice.reverse_amount"), f.Date("day", "invoice.reverse_day"),
			f.Long("reason", "card.reason", 3, mostReason))}}.Show(r)
}
