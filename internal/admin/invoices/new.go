package invoices

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// The bounds of texts of an invoice (resources.md 13.4), in characters.
const (
	mostLine  = 255
	mostUnit  = 32
	mostWords = 4096
)

// shownRows is how many rows for items a new form has, and how many more each press adds.
const shownRows = 3

// The parts of the names of the fields of an item, which its index follows.
var rowFields = []string{"item-", "price-", "qty-", "unit-"}

// creation is a new invoice of an application: what was typed, and what it comes to.
type creation struct {
	*site.Form
	head   *query.ApplicationHead
	series []admitto.Series
	in     billing.NewInvoice
}

// issuing issues an invoice in three steps: what was typed is shown with its total, and only then it gets its number.
func (p *pages) issuing(r *site.Request) error {
	id, err := strconv.ParseInt(r.URL.Query().Get("application"), 10, 64)
	if err != nil || id < 1 {
		r.HideCrumbs()
		return site.Sheet{Parts: []ui.Component{ui.Empty{Icon: "receipt", Title: r.T("invoice.nobody"),
			Text: r.T("invoice.nobody_text"), Actions: show.Lists(r, "browse", "applicants")}}}.Show(r)
	}
	h, err := p.card.PartOf(r, id, tab)
	if err != nil {
		return err
	}
	series, err := p.Query.InvoiceSeries(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	f, err := r.Form(p.proposed(r, h, series), 0)
	if err != nil {
		return err
	}
	c := &creation{Form: f, head: h, series: series}
	if !r.Posted() || f.Has("change") || f.Has("add") {
		return c.show(r)
	}
	c.read(r)
	of := billing.Debtor{Application: id}
	faults, err := p.Billing.CheckInvoice(r.Context(), r.Reader(), of, c.in)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		err = &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	var made admitto.Invoice
	issue := f.Has("issue")
	if err == nil && issue && !f.Failed() {
		made, err = p.Billing.IssueInvoice(r.Context(), r.Caller(), of, c.in)
	}
	refused, err := f.Refused(err, map[admitto.Path]string{"invoice.items": "item-0"})
	switch {
	case err != nil:
		return err
	case refused:
		return c.show(r)
	case !issue:
		return c.check(r)
	}
	r.Notify(ui.OK, r.T("invoice.issued", "Number", made.Number))
	return r.Redirect(r.Within(ofOne, made.ID))
}

// proposed is what a new form has in its fields.
func (p *pages) proposed(r *site.Request, h *query.ApplicationHead, series []admitto.Series) site.Values {
	v := site.Values{"payer": site.One(show.Name(r, &h.Person)), "email": site.One(h.Person.Email),
		"currency": site.One(r.Settings().Instance.Currency), "reminder": site.One("yes"), "send": site.One("yes")}
	v.SetDay("deadline", p.Core.DayOf(r.Now()).AddDays(r.Settings().Invoices.PaymentDays))
	if i := slices.IndexFunc(series, func(s admitto.Series) bool { return s.Default }); i >= 0 {
		v["series"] = site.One(strconv.FormatInt(series[i].ID, 10))
	}
	return v
}

// rows is how many rows the form has: those that are filled, and no less than a new form has.
func (c *creation) rows() int {
	last := 0
	for n := range admitto.MaxInvoiceItems + 1 {
		if slices.ContainsFunc(rowFields, func(name string) bool { return c.Get(name+strconv.Itoa(n)) != "" }) {
			last = n + 1
		}
	}
	if c.Has("add") {
		last += shownRows
	}
	return min(max(last, shownRows), admitto.MaxInvoiceItems)
}

// read takes what was typed; what is wrong is noted with its field.
func (c *creation) read(r *site.Request) {
	line := func(name string, least, most int) string {
		value, err := text.Line(c.Typed(name), least, most)
		c.wrong(name, err)
		return value
	}
	c.in = billing.NewInvoice{Series: c.Choice("series"), PayerName: line("payer", 1, mostLine),
		NoReminder: !c.Has("reminder"),
		NoMail:     !c.Has("send")}
	var err error
	if c.Get("email") != "" {
		c.in.PayerEmail, err = text.Email(c.Get("email"))
		c.wrong("email", err)
	}
	c.in.Currency, err = text.Currency(c.Get("currency"))
	c.wrong("currency", err)
	c.in.Deadline, _ = c.Day("deadline")
	for _, words := range []struct {
		name string
		to   *string
	}{{"instructions", &c.in.Instructions}, {"smallprint", &c.in.Smallprint}} {
		*words.to, err = text.Multiline(c.Typed(words.name), 0, mostWords)
		c.wrong(words.name, err)
	}
	filled := false
	for n := range admitto.MaxInvoiceItems + 1 {
		row := strconv.Itoa(n)
		if !slices.ContainsFunc(rowFields, func(name string) bool { return c.Get(name+row) != "" }) {
			continue
		}
		filled = true
		it := admitto.InvoiceItem{Item: line("item-"+row, 1, mostLine), Unit: line("unit-"+row, 0, mostUnit), Qty: 1_00}
		it.Price = c.amount("price-"+row, admitto.CheckItemPrice)
		if c.Get("qty-"+row) != "" {
			it.Qty = c.amount("qty-"+row, admitto.CheckItemQty)
		}
		c.in.Items = append(c.in.Items, it)
	}
	switch {
	case !filled:
		c.Fail("item-0", "invoice.no_items")
	case c.Failed(): // a total of them would mislead
		c.in.Items = nil
	}
}

// amount reads a decimal of two places, with a point or a comma.
func (c *creation) amount(name string, check func(admitto.Hundredths) error) admitto.Hundredths {
	typed := c.Get(name)
	if !strings.Contains(typed, ".") && strings.Count(typed, ",") == 1 {
		typed = strings.Replace(typed, ",", ".", 1)
	}
	if typed == "" {
		c.Fail(name, "invoice.no_amount")
		return 0
	}
	value, err := admitto.ParseHundredths(typed)
	if whole, _, _ := strings.Cut(strings.TrimPrefix(typed, "-"), "."); err != nil && isLong(whole) {
		value, err = math.MaxInt64, nil // a number, and out of any bounds
	} else if err != nil {
		_, err = admitto.ParseHundredths(c.Get(name)) // quoted as it was typed
	}
	if err == nil {
		err = check(value)
	}
	c.wrong(name, err)
	return value
}

// isLong reports whether digits are those of a number that is larger than any that is taken.
func isLong(digits string) bool {
	return len(digits) > 9 && strings.Trim(digits, "0123456789") == ""
}

// wrong notes what is wrong with a field, if anything is.
func (c *creation) wrong(name string, err error) {
	if err != nil {
		c.FailText(name, message.From(err))
	}
}

// show is the form.
func (c *creation) show(r *site.Request) error {
	var series []ui.Option
	for i := range c.series {
		s := &c.series[i]
		o := ui.Option{Value: strconv.FormatInt(s.ID, 10), Text: s.Name}
		if s.Blocking {
			o.Text = r.T("invoice.series_blocks", "Name", s.Name)
		}
		series = append(series, o)
	}
	email := c.Email("email", "invoice.payer_email", "")
	email.Optional = true
	currency := c.Text("currency", "invoice.currency")
	currency.Width = "w4"
	parts := []ui.Component{ui.Columns{Parts: []ui.Component{c.Select("series", "card.series", series...), currency,
		c.Text("payer", "invoice.payer"), email}}, c.Date("deadline", "applicant.deadline"), ui.Heading{
		Title: r.T("invoice.items"), Text: r.T("invoice.items_text")}}
	for n := range c.rows() {
		parts = append(parts, c.row(r, n))
	}
	instructions, smallprint := c.Long("instructions", "invoice.instructions", 3, mostWords), c.Long("smallprint",
		"invoice.smallprint", 3, mostWords)
	instructions.Optional, smallprint.Optional = true, true
	parts = append(parts, ui.Heading{Title: r.T("invoice.words")}, instructions, smallprint,
		c.Tick("reminder", "invoice.reminder", "invoice.will_remind"), c.Tick("send", "invoice.send", "invoice.send_now"))
	check := r.Save("invoice.check")
	check.Name, check.Value = "check", "yes"
	more := ui.Button{Text: r.T("invoice.add_rows"), Icon: "plus", Name: "add", Value: "yes"}
	return site.Sheet{Parts: []ui.Component{c.Box([]ui.Button{check, more, r.Cancel(r.Within(tab, c.head.ID))},
		parts...)}}.Show(r)
}

// row are the fields of an item.
func (c *creation) row(r *site.Request, n int) ui.Component {
	field := func(name, label, width string) ui.TextField {
		full := name + strconv.Itoa(n)
		c.SetLabel(full, r.T(label, "N", n+1))
		t := c.Text(full, "")
		t.Width = width
		return t
	}
	price, qty := field("price-", "invoice.price_n", "w10"), field("qty-", "invoice.qty_n", "w10")
	price.InputMode, qty.InputMode = "decimal", "decimal"
	unit := field("unit-", "invoice.unit_n", "w10")
	qty.Optional, unit.Optional = true, true
	return ui.Columns{Parts: []ui.Component{field("item-", "invoice.item_n", ""), price, qty, unit}}
}

// check shows what would be issued, with its total; everything that was typed goes on from here.
func (c *creation) check(r *site.Request) error {
	draft := &admitto.Invoice{Currency: c.in.Currency, Items: c.in.Items}
	total := admitto.TotalOf(c.in.Items)
	at := slices.IndexFunc(c.series, func(s admitto.Series) bool {
		return s.ID == c.in.Series || c.in.Series == 0 &&
			s.Default
	})
	series := &c.series[at] // checked before
	to := c.in.PayerEmail
	if to == "" {
		to = r.T("invoice.own_address")
	}
	facts := []ui.KeyValue{{Key: r.T("applicant.total"), Value: money(r, draft, total)},
		{Key: r.T("card.series"), Value: series.Name},
		{Key: r.T("invoice.payer"), Value: c.in.PayerName}, {Key: r.T("invoice.payer_email"), Value: to},
		{Key: r.T("applicant.deadline"), Value: show.Date(r, c.in.Deadline)}}
	effects := ui.Effects{{Icon: "list-ordered", Text: r.T("invoice.effect_number", "Series", series.Name)}}
	add := func(is bool, icon, key string, args ...any) {
		if is {
			effects = append(effects, ui.Effect{Icon: icon, Text: r.T(key, args...)})
		}
	}
	add(!c.in.NoMail, "mail", "invoice.effect_mail", "Address", to)
	add(c.in.NoMail, "mail", "invoice.effect_no_mail")
	add(series.Blocking && total > 0, "ban", "invoice.effect_blocks")
	add(!c.in.NoReminder && total > 0, "bell", "invoice.effect_reminder")
	add(total == 0, "check", "invoice.effect_collected")
	issue := r.Save("action.invoice-issue")
	issue.Name, issue.Value = "issue", "yes"
	parts := []ui.Component{ui.KeyValues{Facts: facts}, itemTable(r, draft)}
	for _, words := range []struct{ title, text string }{{"invoice.instructions", c.in.Instructions},
		{"invoice.smallprint", c.in.Smallprint}} {
		if words.text != "" {
			parts = append(parts, ui.Box{Title: r.T(words.title), Parts: []ui.Component{ui.Prose{Text: words.text}}})
		}
	}
	r.SetTitle(r.T("invoice.check_title"))
	return site.Sheet{Intro: []string{r.T("invoice.check_text")},
		Parts: []ui.Component{ui.FormBox{Head: ui.FormHead{Hidden: c.typed()},
			Parts: append(parts, effects), Buttons: []ui.Button{issue,
				{Text: r.T("invoice.change"), Name: "change", Value: "yes"},
				r.Cancel(r.Within(tab, c.head.ID))}}}}.Show(r)
}

// typed are all fields as they were typed.
func (c *creation) typed() (list []ui.Option) {
	names := []string{"series", "payer", "email", "currency", "deadline-day", "deadline-month", "deadline-year",
		"instructions",
		"smallprint", "reminder", "send"}
	for n := range admitto.MaxInvoiceItems {
		for _, name := range rowFields {
			names = append(names, name+strconv.Itoa(n))
		}
	}
	for _, name := range names {
		for _, value := range c.All(name) {
			if value != "" {
				list = append(list, ui.Option{Text: name, Value: value})
			}
		}
	}
	return list
}
