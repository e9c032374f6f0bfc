package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// invoiceWire is an invoice, in one shape on all paths (resources.md 13.2).
type invoiceWire struct {
	ID           int64                             `wire:"id"`
	Type         string                            `wire:"type"`
	Number       string                            `wire:"nr"`
	Series       invoiceSeries                     `wire:"serie"`
	Applicant    wire.Link                         `wire:"applicant"`
	Application  wire.Link                         `wire:"application"`
	Course       wire.Link                         `wire:"course"`
	Issued       admitto.Time                      `wire:"issued"`
	Deadline     admitto.Date                      `wire:"deadline"`
	Delivered    admitto.Time                      `wire:"delivered"`
	Reminder     bool                              `wire:"reminder"`
	Reminded     admitto.Time                      `wire:"reminded"`
	Collected    admitto.Time                      `wire:"collected"`
	Lapsed       admitto.Time                      `wire:"lapsed"`
	Currency     string                            `wire:"currency"`
	Items        []invoiceItem                     `wire:"items"`
	Total        admitto.Hundredths                `wire:"total"`
	Paid         admitto.Hundredths                `wire:"paid"`
	Due          admitto.Hundredths                `wire:"due"`
	Collections  wire.Embedded[invoiceCollections] `wire:"collections" right:"/invoices/{id}/transactions"`
	Instructions wire.Nullable                     `wire:"instructions"`
	Smallprint   wire.Nullable                     `wire:"smallprint"`
	Payer        invoicePayer                      `wire:"payer"`
	Transactions wire.Link                         `wire:"transactions"`
}

type invoiceSeries struct {
	ID   int64  `wire:"id"`
	Name string `wire:"name"`
}

type invoiceItem struct {
	Item        string             `wire:"item"`
	Price       admitto.Hundredths `wire:"price"`
	Qty         admitto.Hundredths `wire:"qty"`
	Unit        wire.Nullable      `wire:"unit"`
	InventoryID *int64             `wire:"inventory_item_ID"`
}

// invoiceCollections are the payments, keyed by transaction ID; they have the fields of transactionWire in an order of
// their own.
type invoiceCollections []invoiceCollection

func (invoiceCollections) ByID() {}

type invoiceCollection struct {
	ID            int64              `wire:"id"`
	Inserted      admitto.Time       `wire:"inserted"`
	Collected     admitto.Date       `wire:"collected"`
	Amount        admitto.Hundredths `wire:"amount"`
	Currency      string             `wire:"currency"`
	Invoice       wire.Link          `wire:"invoice"`
	Administrator wire.Link          `wire:"administrator"`
	Payment       *paymentWire       `wire:"payment"`
}

type invoicePayer struct {
	Name  string        `wire:"name"`
	Email wire.Nullable `wire:"email"`
}

// set fills the record from an invoice with its items and transactions; the lists are used again.
func (w *invoiceWire) set(i *admitto.Invoice) {
	items, collections := w.Items[:0], w.Collections.Value[:0]
	for _, it := range i.Items {
		items = append(items, invoiceItem{it.Item, it.Price, it.Qty, wire.Nullable(it.Unit), it.InventoryItem})
	}
	for _, t := range i.Transactions {
		collections = append(collections, invoiceCollection{t.ID, t.Inserted, t.Collected, t.Amount, t.Currency,
			wire.LinkTo("/invoices/{}", t.Invoice),
			wire.LinkTo("/administrators/{}", t.Administrator), paymentRecord(t.Payment)})
	}
	*w = invoiceWire{ID: i.ID, Type: i.Type, Number: i.Number, Series: invoiceSeries{i.Series.ID, i.Series.Name},
		Applicant:   wire.LinkTo("/applicants/{}", i.Applicant),
		Application: wire.LinkTo("/applications/{}", i.Application),
		Course:      wire.LinkTo("/courses/{}", i.Course),
		Issued:      i.Issued, Deadline: i.Deadline, Delivered: i.Delivered, Reminder: i.Reminder, Reminded: i.Reminded,
		Collected: i.Collected, Lapsed: i.Lapsed, Currency: i.Currency, Items: items, Total: i.Total, Paid: i.Paid,
		Due: i.Due(),
		Collections: wire.Embedded[invoiceCollections]{Link: wire.LinkTo("/invoices/{}/transactions", i.ID),
			Value: collections}, Instructions: wire.Nullable(i.Instructions), Smallprint: wire.Nullable(i.Smallprint),
		Payer:        invoicePayer{i.PayerName, wire.Nullable(i.PayerEmail)},
		Transactions: wire.LinkTo("/invoices/{}/transactions", i.ID)}
}

func invoiceID(i *admitto.Invoice) int64 { return i.ID }

// invoiceRecord is the record of an invoice with its items and transactions.
func invoiceRecord(i *admitto.Invoice) any {
	w := &invoiceWire{}
	w.set(i)
	return w
}

// seriesWire is a series of invoice numbers (resources.md 13.5).
type seriesWire struct {
	ID        int64       `wire:"id"`
	Name      string      `wire:"name"`
	Format    string      `wire:"format"`
	Blocking  bool        `wire:"blocking"`
	Permanent bool        `wire:"permanent"`
	Default   bool        `wire:"default"`
	Last      *seriesLast `wire:"last"`
}

type seriesLast struct {
	When   admitto.Time `wire:"when"`
	Number string       `wire:"number"`
}

func seriesRecord(s *admitto.Series) any {
	w := &seriesWire{ID: s.ID, Name: s.Name, Format: s.Format, Blocking: s.Blocking, Permanent: s.Permanent,
		Default: s.Default}
	if s.LastIssued != 0 {
		w.Last = &seriesLast{s.LastIssued, s.LastNumber}
	}
	return w
}

// transactionWire is a payment towards an invoice (resources.md 13.6).
type transactionWire struct {
	ID            int64              `wire:"id"`
	Amount        admitto.Hundredths `wire:"amount"`
	Currency      string             `wire:"currency"`
	Invoice       wire.Link          `wire:"invoice"`
	Inserted      admitto.Time       `wire:"inserted"`
	Collected     admitto.Date       `wire:"collected"`
	Administrator wire.Link          `wire:"administrator"`
	Payment       *paymentWire       `wire:"payment"`
}

type paymentWire struct {
	Payment    string         `wire:"payment"`
	ExternalID wire.Nullable  `wire:"external_id"`
	Status     string         `wire:"status"`
	Message    wire.Nullable  `wire:"message"`
	Inserted   admitto.Time   `wire:"inserted"`
	Updated    admitto.Time   `wire:"updated"`
	Gateway    paymentGateway `wire:"gateway"`
}

type paymentGateway struct {
	ID      *int64        `wire:"id"`
	Name    wire.Nullable `wire:"name"`
	Adapter wire.Nullable `wire:"adapter"`
}

// set fills the record from a transaction.
func (w *transactionWire) set(t *admitto.Transaction) {
	*w = transactionWire{ID: t.ID, Amount: t.Amount, Currency: t.Currency, Invoice: wire.LinkTo("/invoices/{}", t.Invoice),
		Inserted: t.Inserted, Collected: t.Collected, Administrator: wire.LinkTo("/administrators/{}", t.Administrator)}
	w.Payment = paymentRecord(t.Payment)
}

// paymentRecord is what a gateway said of a transaction, null for others.
func paymentRecord(p *admitto.Payment) *paymentWire {
	if p == nil {
		return nil
	}
	w := &paymentWire{p.Payment, wire.Nullable(p.ExternalID), p.Status, wire.Nullable(p.Message), p.Inserted, p.Updated,
		paymentGateway{nil, wire.Nullable(p.Gateway.Name), wire.Nullable(p.Gateway.Adapter)}}
	if p.Gateway.ID != 0 {
		w.Gateway.ID = &p.Gateway.ID
	}
	return w
}

func transactionID(t *admitto.Transaction) int64 { return t.ID }

// transactionRecord is the record of a transaction.
func transactionRecord(t *admitto.Transaction) any {
	w := &transactionWire{}
	w.set(t)
	return w
}
