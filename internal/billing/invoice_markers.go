package billing

import (
	"github.com/admitto/admitto/internal/admitto"
)

// InvoiceMarkers returns what a mail about an invoice may say of it (lifecycle.md 8.3, group i).
func (s *Service) InvoiceMarkers(i *admitto.Invoice) map[string]string {
	link := s.core.Links().Portal()
	if i.Application != 0 {
		link = s.core.Links().Invoices(i.Application)
	}
	return map[string]string{
		"invoice-Number":   i.Number,
		"invoice-Total":    i.Total.String() + " " + i.Currency,
		"invoice-Rest":     i.Due().String() + " " + i.Currency,
		"invoice-Deadline": i.Deadline.In(s.core.Settings().Instance.Timezone).Format("2 January 2006"),
		"invoice-Link":     link,
	}
}
