package admissions

import "github.com/admitto/admitto/internal/admitto"

// invoiceMarkers returns what a mail about an invoice may say of it (lifecycle.md 8.3, group i).
func (o *Office) invoiceMarkers(i *admitto.Invoice) map[string]string {
	link := o.links().Portal()
	if i.Application != 0 {
		link = o.links().Invoices(i.Application)
	}
	return map[string]string{
		"invoice-Number":   i.Number,
		"invoice-Total":    i.Total.String() + " " + i.Currency,
		"invoice-Rest":     i.Due().String() + " " + i.Currency,
		"invoice-Deadline": i.Deadline.In(o.Settings().Instance.Timezone).Format("2 January 2006"),
		"invoice-Link":     link,
	}
}
