package api

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/text"
)

// maxInvoices bounds a list of invoices or transactions.
const maxInvoices = 16384

// currencyList is a list of currencies, in any letter case.
type currencyList []string

func (l *currencyList) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) (err error) {
	*l, err = params.List(text.SplitList(a.Values), text.Currency)
	return err
}

func (currencyList) Describe(*params.Place, *params.Field) *schema.Schema {
	return params.FilterOf(params.CurrencySchema())
}

// instant is a point in time, in whole seconds (type instant of resources.md 0.3).
type instant struct {
	at    admitto.Time
	given bool
}

func (m *instant) Read(d *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := a.Single()
	if err != nil {
		return err
	}
	at, err := text.Instant(s, d.Settings.Instance.Timezone)
	m.at, m.given = at.Floor(), err == nil
	return err
}

func (instant) Describe(*params.Place, *params.Field) *schema.Schema { return params.InstantSchema() }

// since returns the first time that is not before it; never 0, which means no bound.
func (m instant) since() admitto.Time {
	if m.given && m.at == 0 {
		return admitto.Microsecond
	}
	return m.at
}

// before returns the last time before it; 0, for no bound, when it is not given.
func (m instant) before() admitto.Time {
	if !m.given {
		return 0
	}
	return m.at - admitto.Microsecond
}

// day is a calendar day.
type day struct{ admitto.Date }

func (d *day) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := a.Single()
	if err == nil {
		d.Date, err = admitto.ParseDate(strings.TrimSpace(s))
	}
	return err
}

func (day) Describe(*params.Place, *params.Field) *schema.Schema {
	return &schema.Schema{Type: "string", Format: "date", Pattern: schema.DatePattern}
}

// earliest returns the earlier of two bounds; 0 is none.
func earliest(a, b admitto.Time) admitto.Time {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// invoicesInput is the query of GET /invoices (resources.md 13.3).
type invoicesInput struct {
	Since          params.Boundary `name:"bySince"`
	Until          params.Boundary `name:"byUntil" bound:"upper"`
	IssuedSince    instant         `name:"byIssuedSince"`
	CollectedSince instant         `name:"byCollectedSince"`
	Applicants     params.IDList   `name:"byApplicantIDs"`
	Applications   params.IDList   `name:"byApplicationIDs"`
	Series         params.IDList   `name:"bySerieIDs"`
	Currencies     currencyList    `name:"byCurrencies"`
	Collected      yesOrNo         `name:"byCollected"`
	Overdue        yesOrNo         `name:"byOverdue"`
	Limit          params.Limit    `name:"limit"`
	After          afterID         `name:"after"`
}

// listInvoices answers GET /invoices.
func (a *API) listInvoices(c *call) error {
	var in invoicesInput
	args, err := c.queryArgs()
	if err != nil {
		return err
	}
	decoded := c.decode(args, &in)
	limit, err := limits{max: maxInvoices, otherwise: maxInvoices}.take(c, in.Limit)
	if err := faultsOf(decoded, err); err != nil {
		return err
	}
	q := admitto.InvoiceQuery{FromID: in.Since.ID, ToID: in.Until.LastID(),
		FromTime: max(in.Since.At, in.IssuedSince.since()),
		ToTime:   in.Until.At, CollectedSince: in.CollectedSince.since(), Applicants: in.Applicants,
		Applications: in.Applications,
		SerieIDs:     in.Series, Currencies: in.Currencies, Collected: in.Collected.value, Overdue: in.Overdue.value,
		After: int64(in.After), Limit: limit}
	found, err := a.services.Query.Invoices(c.ctx, c.by(), q)
	return sendList(c, found, err, func(l *bigList) func(*admitto.Invoice) error {
		var w invoiceWire
		return elements(l, &w, w.set, invoiceID)
	})
}

// getInvoice answers GET /invoices/{id}.
func (a *API) getInvoice(c *call) error {
	i, err := a.services.Query.Invoice(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, i, err, invoiceRecord)
}

// listApplicantInvoices answers GET /applicants/{id}/invoices.
func (a *API) listApplicantInvoices(c *call) error {
	list, err := a.services.Query.InvoicesOfApplicant(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, invoiceID, invoiceRecord)
}

// getApplicantInvoice answers GET /applicants/{id}/invoices/{id}.
func (a *API) getApplicantInvoice(c *call) error {
	i, err := a.services.Query.InvoiceOfApplicant(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeRecord(c, i, err, invoiceRecord)
}

// listApplicationInvoices answers GET /applications/{id}/invoices.
func (a *API) listApplicationInvoices(c *call) error {
	list, err := a.services.Query.InvoicesOfApplication(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, invoiceID, invoiceRecord)
}

// getApplicationInvoice answers GET /applications/{id}/invoices/{id}.
func (a *API) getApplicationInvoice(c *call) error {
	i, err := a.services.Query.InvoiceOfApplication(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeRecord(c, i, err, invoiceRecord)
}

// getInvoicesSeries answers GET /invoices/series (resources.md 13.5).
func (a *API) getInvoicesSeries(c *call) error {
	list, err := a.services.Query.InvoiceSeries(c.ctx, c.by())
	return wholeList(c, list, err, func(s *admitto.Series) int64 { return s.ID }, seriesRecord)
}

// transactionsInput is the query of GET /invoices/transactions (resources.md 13.6).
type transactionsInput struct {
	Invoices        params.IDList   `name:"byInvoiceIDs"`
	InsertedSince   instant         `name:"byInsertedSince"`
	InsertedBefore  instant         `name:"byInsertedBefore"`
	CollectedSince  day             `name:"byCollectedSince"`
	CollectedBefore day             `name:"byCollectedBefore"`
	Since           params.Boundary `name:"bySince"`
	Until           params.Boundary `name:"byUntil" bound:"upper"`
	Limit           params.Limit    `name:"limit"`
	After           afterID         `name:"after"`
}

// listInvoicesTransactions answers GET /invoices/transactions.
func (a *API) listInvoicesTransactions(c *call) error {
	var in transactionsInput
	args, err := c.queryArgs()
	if err != nil {
		return err
	}
	decoded := c.decode(args, &in)
	limit, err := limits{max: maxInvoices, otherwise: maxInvoices}.take(c, in.Limit)
	if err := faultsOf(decoded, err); err != nil {
		return err
	}
	q := admitto.TransactionQuery{FromID: in.Since.ID, ToID: in.Until.LastID(),
		FromTime: max(in.Since.At, in.InsertedSince.since()),
		ToTime: earliest(in.Until.At,
			in.InsertedBefore.before()), Invoices: in.Invoices, CollectedSince: in.CollectedSince.Date,
		CollectedBefore: in.CollectedBefore.Date, After: int64(in.After), Limit: limit}
	found, err := a.services.Query.Transactions(c.ctx, c.by(), q)
	return sendList(c, found, err, func(l *bigList) func(*admitto.Transaction) error {
		var w transactionWire
		return elements(l, &w, w.set, transactionID)
	})
}

// getInvoicesTransaction answers GET /invoices/transactions/{id}.
func (a *API) getInvoicesTransaction(c *call) error {
	t, err := a.services.Query.Transaction(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, t, err, transactionRecord)
}

// listInvoiceTransactions answers GET /invoices/{id}/transactions.
func (a *API) listInvoiceTransactions(c *call) error {
	list, err := a.services.Query.TransactionsOfInvoice(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, transactionID, transactionRecord)
}

// getInvoiceTransaction answers GET /invoices/{id}/transactions/{id}.
func (a *API) getInvoiceTransaction(c *call) error {
	t, err := a.services.Query.TransactionOfInvoice(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeRecord(c, t, err, transactionRecord)
}
