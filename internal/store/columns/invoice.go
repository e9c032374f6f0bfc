package columns

import (
	"encoding/json"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
)

// Series is a series of invoices.
var Series = table("invoice_series", []Column[admitto.Series]{
	number("id", func(s *admitto.Series) *int64 { return &s.ID }),
	text("name", func(s *admitto.Series) *string { return &s.Name }),
	text("format", func(s *admitto.Series) *string { return &s.Format }),
	truth("blocking", func(s *admitto.Series) *bool { return &s.Blocking }),
	truth("permanent", func(s *admitto.Series) *bool { return &s.Permanent }),
	truth("is_default", func(s *admitto.Series) *bool { return &s.Default }),
	instant("last_issued", func(s *admitto.Series) *admitto.Time { return &s.LastIssued }),
	text("last_number", func(s *admitto.Series) *string { return &s.LastNumber }),
	text("instructions", func(s *admitto.Series) *string { return &s.Instructions }),
	text("smallprint", func(s *admitto.Series) *string { return &s.Smallprint }),
	versions("versions", func(s *admitto.Series) *admitto.Versions { return &s.Versions }),
})

// Invoice is an invoice without its items and transactions; of the series it has the ID.
var Invoice = table("invoice", []Column[admitto.Invoice]{
	number("id", func(i *admitto.Invoice) *int64 { return &i.ID }),
	text("type", func(i *admitto.Invoice) *string { return &i.Type }),
	text("nr", func(i *admitto.Invoice) *string { return &i.Number }),
	number("series_id", func(i *admitto.Invoice) *int64 { return &i.Series.ID }),
	reference("applicant_id", func(i *admitto.Invoice) *int64 { return &i.Applicant }),
	reference("application_id", func(i *admitto.Invoice) *int64 { return &i.Application }),
	reference("course_id", func(i *admitto.Invoice) *int64 { return &i.Course }),
	instant("issued", func(i *admitto.Invoice) *admitto.Time { return &i.Issued }),
	date("deadline", func(i *admitto.Invoice) *admitto.Date { return &i.Deadline }),
	instant("delivered", func(i *admitto.Invoice) *admitto.Time { return &i.Delivered }),
	truth("reminder", func(i *admitto.Invoice) *bool { return &i.Reminder }),
	instant("reminded", func(i *admitto.Invoice) *admitto.Time { return &i.Reminded }),
	instant("collected", func(i *admitto.Invoice) *admitto.Time { return &i.Collected }),
	instant("lapsed", func(i *admitto.Invoice) *admitto.Time { return &i.Lapsed }),
	text("currency", func(i *admitto.Invoice) *string { return &i.Currency }),
	number("total", func(i *admitto.Invoice) *admitto.Hundredths { return &i.Total }),
	number("paid", func(i *admitto.Invoice) *admitto.Hundredths { return &i.Paid }),
	text("instructions", func(i *admitto.Invoice) *string { return &i.Instructions }),
	text("smallprint", func(i *admitto.Invoice) *string { return &i.Smallprint }),
	text("payer_name", func(i *admitto.Invoice) *string { return &i.PayerName }),
	text("payer_email", func(i *admitto.Invoice) *string { return &i.PayerEmail }),
})

// WholeInvoice is an invoice with what its lifecycle needs, which lists do not read.
var WholeInvoice = table("invoice", append(slices.Clone(Invoice.columns),
	reference("issuer_institution_id", func(i *admitto.Invoice) *int64 { return &i.Institution }),
	reference("issuer_administrator_id", func(i *admitto.Invoice) *int64 { return &i.Administrator }),
	truth("automatic", func(i *admitto.Invoice) *bool { return &i.Automatic }),
	truth("notify", func(i *admitto.Invoice) *bool { return &i.Notify }),
	reference("fee_id", func(i *admitto.Invoice) *int64 { return &i.Fee }),
	versions("versions", func(i *admitto.Invoice) *admitto.Versions { return &i.Versions }),
	filled(number("row_version", func(i *admitto.Invoice) *int64 { return &i.RowVersion })),
))

// InvoiceItem is line N of an invoice, from 1.
var InvoiceItem = keyed("invoice_item", 2, []Column[Part[admitto.InvoiceItem]]{
	number("invoice_id", func(p *Part[admitto.InvoiceItem]) *int64 { return &p.Owner }),
	number("n", func(p *Part[admitto.InvoiceItem]) *int64 { return &p.N }),
	text("item", func(p *Part[admitto.InvoiceItem]) *string { return &p.Value.Item }),
	number("price", func(p *Part[admitto.InvoiceItem]) *admitto.Hundredths { return &p.Value.Price }),
	number("qty", func(p *Part[admitto.InvoiceItem]) *admitto.Hundredths { return &p.Value.Qty }),
	text("unit", func(p *Part[admitto.InvoiceItem]) *string { return &p.Value.Unit }),
	optional("inventory_item_id", func(p *Part[admitto.InvoiceItem]) **int64 { return &p.Value.InventoryItem }),
})

// Transaction is a payment towards an invoice, which has the currency.
var Transaction = table("invoice_transaction", []Column[admitto.Transaction]{
	number("id", func(t *admitto.Transaction) *int64 { return &t.ID }),
	number("invoice_id", func(t *admitto.Transaction) *int64 { return &t.Invoice }),
	number("amount", func(t *admitto.Transaction) *admitto.Hundredths { return &t.Amount }),
	instant("inserted", func(t *admitto.Transaction) *admitto.Time { return &t.Inserted }),
	date("collected", func(t *admitto.Transaction) *admitto.Date { return &t.Collected }),
	reference("administrator_id", func(t *admitto.Transaction) *int64 { return &t.Administrator }),
	{name: "payment", bind: func(t *admitto.Transaction) any {
		if t.Payment == nil {
			return ""
		}
		return JSON(t.Payment)
	}, decode: func(t *admitto.Transaction, text []byte) error {
		if len(text) == 0 {
			return nil
		}
		return json.Unmarshal(text, &t.Payment)
	}},
	reference("reverses", func(t *admitto.Transaction) *int64 { return &t.Reverses }),
})
