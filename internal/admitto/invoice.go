package admitto

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/message"
)

// Invoice asks a payer for money (resources.md 13.2). Amounts are exact; IDs and times that are 0 are unset.
type Invoice struct {
	ID                                     int64
	Type, Number                           string
	Series                                 Series // ID and name, and whether it blocks
	Applicant, Application, Course         int64
	Issued                                 Time
	Deadline                               Date
	Delivered, Reminded, Collected, Lapsed Time
	Reminder                               bool
	Currency                               string
	Items                                  []InvoiceItem
	Total, Paid                            Hundredths
	Transactions                           []Transaction
	Instructions, Smallprint               string
	PayerName, PayerEmail                  string

	// What only the lifecycle asks about (lifecycle.md 6): read by store.Tx.LockInvoice and written once, with the new
	// invoice. Other reads and all lists leave it empty.
	Institution   int64 // that issues it; 0: none
	Administrator int64 // who issues it, and who is told with Notify; 0: nobody
	Automatic     bool
	Notify        bool  // tell the administrator when it is collected
	Fee           int64 // that brought it; 0: none
	// Versions are instructions, smallprint and items as they were in other languages when it was issued.
	Versions   Versions
	RowVersion int64
}

// Due is what of the total was not paid, at least 0; of an invoice that has lapsed, too.
func (i *Invoice) Due() Hundredths { return max(i.Total-i.Paid, 0) }

// Open is what somebody has yet to pay: nothing of an invoice that has lapsed.
func (i *Invoice) Open() Hundredths {
	if i.Lapsed != 0 && i.Collected == 0 {
		return 0
	}
	return i.Due()
}

// LeftOf is what is left of a transaction of the invoice after its reversals.
func (i *Invoice) LeftOf(t *Transaction) Hundredths {
	left := t.Amount
	for n := range i.Transactions {
		if i.Transactions[n].Reverses == t.ID {
			left += i.Transactions[n].Amount
		}
	}
	return left
}

// Blocks reports whether the invoice stops submissions: it is of a blocking series, and neither collected nor lapsed
// (lifecycle.md 3.2, G8).
func (i *Invoice) Blocks() bool { return i.Series.Blocking && i.Collected == 0 && i.Lapsed == 0 }

// InvoiceItem is one line of an invoice.
type InvoiceItem struct {
	Item          string
	Price, Qty    Hundredths
	Unit          string
	InventoryItem *int64
}

// TotalOf sums price × quantity exactly and rounds half up to hundredths once at the end.
func TotalOf(items []InvoiceItem) Hundredths {
	var sum int64 // in ten-thousandths
	for _, it := range items {
		sum += int64(it.Price) * int64(it.Qty)
	}
	if sum < 0 {
		return Hundredths(-((-sum + 50) / 100))
	}
	return Hundredths((sum + 50) / 100)
}

// ItemVersion is what the n-th item of an invoice, from 0, is called among its texts.
func ItemVersion(n int) string { return "item " + strconv.Itoa(n+1) }

// In is the invoice with its texts in a language, as far as it has versions of them (lifecycle.md R11).
func (i *Invoice) In(lang string, v Versions) Invoice {
	said := *i
	said.Instructions, _ = v.In(lang, "instructions", i.Instructions)
	said.Smallprint, _ = v.In(lang, "smallprint", i.Smallprint)
	said.Items = slices.Clone(i.Items)
	for n := range said.Items {
		said.Items[n].Item, _ = v.In(lang, ItemVersion(n), i.Items[n].Item)
	}
	return said
}

// Amount is price × quantity, rounded as the total is.
func (it *InvoiceItem) Amount() Hundredths { return TotalOf([]InvoiceItem{*it}) }

// RoundingOf is by how much the total differs from the sum of the amounts, each of which is rounded.
func RoundingOf(items []InvoiceItem) Hundredths {
	rest := TotalOf(items)
	for i := range items {
		rest -= items[i].Amount()
	}
	return rest
}

// Series numbers invoices (resources.md 13.5).
type Series struct {
	ID                           int64
	Name, Format                 string
	Blocking, Permanent, Default bool
	LastIssued                   Time
	LastNumber                   string
	// What an invoice says that has nothing of its own (lifecycle.md 6.2).
	Instructions, Smallprint string
	Versions                 Versions // of both
}

// Transaction is a payment towards an invoice (resources.md 13.6).
type Transaction struct {
	ID, Invoice, Administrator int64
	Amount                     Hundredths
	Currency                   string
	Inserted                   Time
	Collected                  Date
	Payment                    *Payment
	Reverses                   int64 // the transaction that it takes back, or a part of it (lifecycle.md I5); 0: none
}

// Payment is what a gateway said about a transaction.
type Payment struct {
	Payment    string  `json:"payment"`
	ExternalID string  `json:"external_id"`
	Status     string  `json:"status"`
	Message    string  `json:"message"`
	Inserted   Time    `json:"inserted"`
	Updated    Time    `json:"updated"`
	Gateway    Gateway `json:"gateway"`
}

// Gateway took a payment.
type Gateway struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Adapter string `json:"adapter"`
}

// InvoiceQuery selects invoices; a nil list is no condition, an empty one matches none. FromTime and ToTime
// bound the time of issue. Today is the current day in the instance's time zone, for Overdue and States. Only pages ask
// for what follows Limit.
type InvoiceQuery struct {
	FromID, ToID                       int64
	FromTime, ToTime                   Time
	CollectedSince                     Time
	Applicants, Applications, SerieIDs []int64
	Currencies                         []string
	Collected, Overdue                 *bool
	Today                              Date
	After                              int64
	Limit                              int

	States            []InvoiceState // nil: all
	CollectedUntil    Time
	DueFrom, DueTo    Date // the day by which it is to be paid
	Detached, Surplus bool // only those
	Newest            bool // the highest ID first
	Skip              int64
	Whole             bool // all of it is read, part by part: it is walked in its order
}

// TransactionQuery selects transactions; a nil list is no condition, an empty one matches none. FromTime and
// ToTime bound the time they were inserted; the day of payment is in CollectedSince or later, before CollectedBefore.
type TransactionQuery struct {
	FromID, ToID                    int64
	FromTime, ToTime                Time
	Invoices                        []int64
	CollectedSince, CollectedBefore Date
	After                           int64
	Limit                           int

	Newest, Whole bool // as in InvoiceQuery, for pages only
	Skip          int64
}

// LedgerSum is what invoices, or transactions, of one currency come to. Of transactions there is Paid alone.
type LedgerSum struct {
	Currency string
	Count    int64
	Total    Hundredths
	Paid     Hundredths
	Open     Hundredths // of those that can be paid
}

// InvoiceState is what an invoice is called (lifecycle.md 6.1). It is computed from stored facts on every read.
type InvoiceState string

// The states, the first that holds first.
const (
	InvoiceIsCollected       InvoiceState = "collected"
	InvoiceIsLapsed          InvoiceState = "lapsed"
	InvoiceIsPartlyCollected InvoiceState = "partly collected"
	InvoiceIsOverdue         InvoiceState = "overdue"
	InvoiceIsReminded        InvoiceState = "reminded"
	InvoiceIsDelivered       InvoiceState = "delivered"
	InvoiceIsNotDelivered    InvoiceState = "not delivered"
)

// State returns the state on a day of the instance's time zone. The deadline day counts fully.
func (i *Invoice) State(today Date) InvoiceState {
	over := i.Deadline.Before(today)
	for _, line := range []struct {
		state InvoiceState
		holds bool
	}{
		{InvoiceIsCollected, i.Paid >= i.Total},
		{InvoiceIsLapsed, i.Lapsed != 0},
		{InvoiceIsPartlyCollected, i.Paid > 0 && !over},
		{InvoiceIsOverdue, over},
		{InvoiceIsReminded, i.Reminded != 0},
		{InvoiceIsDelivered, i.Delivered != 0},
	} {
		if line.holds {
			return line.state
		}
	}
	return InvoiceIsNotDelivered
}

// Detached reports whether the applicant was erased and the invoice stays without one; it is shown next to the state.
func (i *Invoice) Detached() bool { return i.Applicant == 0 }

// MaxInvoiceTotal is the highest total of an invoice and the highest amount of a payment (resources.md 13.4, 13.6).
const MaxInvoiceTotal Hundredths = 999_999_999_99

// The bounds on the items of an invoice that somebody issues (resources.md 13.4).
const (
	MaxInvoiceItems            = 100
	MaxItemPrice    Hundredths = 999_999_99
	MaxItemQty      Hundredths = 99_999_99
)

// CheckItemPrice refuses a price outside of its bounds. The error is fit for the client.
func CheckItemPrice(price Hundredths) error {
	if price > MaxItemPrice || price < -MaxItemPrice {
		return message.Of("price-range", (-MaxItemPrice).String(), MaxItemPrice.String())
	}
	return nil
}

// CheckItemQty refuses a quantity outside of its bounds. The error is fit for the client.
func CheckItemQty(qty Hundredths) error {
	if qty < 1 || qty > MaxItemQty {
		return message.Of("quantity-range", MaxItemQty.String())
	}
	return nil
}

// CheckItems returns what is wrong with the items of a new invoice, nil for nothing (resources.md 13.4).
func CheckItems(items []InvoiceItem) (faults []Fault) {
	fault := func(err error) {
		if err != nil {
			faults = append(faults, Fault{Path: "invoice.items", Text: message.From(err)})
		}
	}
	if len(items) > MaxInvoiceItems {
		fault(message.Of("too-many-items", MaxInvoiceItems))
	}
	for i := range items {
		fault(CheckItemPrice(items[i].Price))
		fault(CheckItemQty(items[i].Qty))
	}
	if faults != nil {
		return faults // a total of them would mislead
	}
	return CheckTotal(items)
}

// CheckTotal returns the fault of items that sum up to a total outside of what an invoice may ask for, nil without
// one (resources.md 13.4).
func CheckTotal(items []InvoiceItem) []Fault {
	switch total := TotalOf(items); {
	case total < 0:
		return []Fault{{Path: "invoice.items", Text: message.Of("total-negative", total.String())}}
	case total > MaxInvoiceTotal:
		return []Fault{{Path: "invoice.items", Text: message.Of("total-too-large", MaxInvoiceTotal.String())}}
	}
	return nil
}

// CheckPayment returns the faults of a payment towards the invoice that its values alone show (lifecycle.md I1): day
// is the day of payment, today the current one; currency "" is that of the invoice.
func (i *Invoice) CheckPayment(amount Hundredths, currency string, day, today Date) (faults []Fault) {
	if amount <= 0 || amount > MaxInvoiceTotal {
		faults = append(faults, Fault{Path: "payment.amount", Code: "amount-invalid",
			Text: message.Of("amount-range", MaxInvoiceTotal.String())})
	}
	if currency != "" && currency != i.Currency {
		faults = append(faults, Fault{Path: "payment.currency", Code: "currency-mismatch",
			Text: message.Of("currency-mismatch", i.Currency, currency)})
	}
	if today.Before(day) {
		faults = append(faults, Fault{Path: "payment.day", Text: message.Of("payment-in-future", today)})
	}
	return faults
}
