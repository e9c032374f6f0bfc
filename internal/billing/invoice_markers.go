package billing

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
)

// InvoiceMarkers returns what a mail about an invoice may say of it (lifecycle.md 8.3, group i).
func (s *Service) InvoiceMarkers(i *admitto.Invoice) mail.Values {
	return mail.Values{
		mail.InvoiceNumber:   i.Number,
		mail.InvoiceTotal:    i.Total.String() + " " + i.Currency,
		mail.InvoiceRest:     i.Due().String() + " " + i.Currency,
		mail.InvoiceDeadline: i.Deadline,
		mail.InvoiceLink:     s.core.Links().Invoice(i.ID),
	}
}
