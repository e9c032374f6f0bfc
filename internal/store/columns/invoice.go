package columns

import "github.com/admitto/admitto/internal/admitto"

// Invoice is the values of a new invoice, in the order of the statements that insert one.
func Invoice(i *admitto.InvoiceCase) []any {
	return []any{i.Type, i.Number, i.Series.ID, OrNull(i.Applicant), OrNull(i.Application), OrNull(i.Course), OrNull(i.Institution),
		i.Issued, i.Deadline, i.Delivered, i.Reminder, i.Reminded, i.Collected, i.Lapsed, i.Automatic, i.Currency, i.Total, i.Paid,
		i.Instructions, i.Smallprint, i.PayerName, i.PayerEmail, OrNull(i.Administrator), i.Notify, OrNull(i.Fee)}
}

// InsertItem is the statement that inserts an item of an invoice.
const InsertItem = `INSERT INTO invoice_item (invoice_id, n, item, price, qty, unit, inventory_item_id) VALUES ($1, $2, $3, $4, $5, $6, $7)`

// Item is the values of item n of an invoice, counted from 0.
func Item(invoice int64, n int, it *admitto.InvoiceItem) []any {
	var inventory any
	if it.InventoryItem != nil {
		inventory = *it.InventoryItem
	}
	return []any{invoice, n + 1, it.Item, it.Price, it.Qty, it.Unit, inventory}
}
