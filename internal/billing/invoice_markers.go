package billing

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
)

// InvoiceMarkers returns what a mail about an invoice may say of it (lifecycle.md 8.3, group i).
func (s *Service) InvoiceMarkers(i *admitto.Invoice) mail.Values {
	link := s.core.Links().Portal()
	if i.Application != 0 {
		link = s.core.Links().Invoices(i.Application)
	}
	return mail.Values{
		mail.InvoiceNumber:   i.Number,
		mail.InvoiceTotal:    i.Total.String() + " " + i.Currency,
		mail.InvoiceRest:     i.Due().String() + " " + i.Currency,
		mail.InvoiceDeadline: i.Deadline,
		mail.InvoiceLink:     link,
	}
}
