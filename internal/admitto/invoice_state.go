package admitto

import "github.com/admitto/admitto/internal/message"

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
		faults = append(faults, Fault{Path: "payment.currency", Code: "currency-mismatch", Text: message.Of("currency-mismatch", i.Currency, currency)})
	}
	if today.Before(day) {
		faults = append(faults, Fault{Path: "payment.day", Text: message.Of("payment-in-future", today.String())})
	}
	return faults
}
