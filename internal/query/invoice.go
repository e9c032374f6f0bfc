package query

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Invoices lists invoices by ascending ID (resources.md 13.3), those of deleted applicants among them. The day for
// which invoices are overdue is set here.
func (s *Service) Invoices(ctx context.Context, by admitto.Caller,
	q admitto.InvoiceQuery) (*usecase.List[admitto.Invoice], error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return nil, err
	}
	return usecase.ListOf(ctx, s.core, func(tx *store.Tx) (usecase.Source[admitto.Invoice], error) {
		q := q
		q.Today = s.core.Today(tx)
		return usecase.Source[admitto.Invoice]{After: q.After, Limit: int64(q.Limit),
			Each: func(each func(*admitto.Invoice) error) (bool, error) {
				return tx.EachInvoice(q, func(page []admitto.Invoice) error { return eachOf(page, each) })
			},
			Count: func() (int64, error) { return tx.CountInvoices(q) },
			End:   func() (int64, error) { return tx.InvoicesEnd(q) }}, nil
	}), nil
}

// eachOf calls fn for what is on a page.
func eachOf[T any](page []T, fn func(*T) error) error {
	for i := range page {
		if err := fn(&page[i]); err != nil {
			return err
		}
	}
	return nil
}

// Invoice reads one invoice, or answers NotFound.
func (s *Service) Invoice(ctx context.Context, by admitto.Caller, id int64) (i admitto.Invoice, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return i, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Invoice, error) { return tx.Invoice(id) })
}

// InvoicesOfApplicant lists the invoices of an applicant, by ID; not-found without the applicant.
func (s *Service) InvoicesOfApplicant(ctx context.Context, by admitto.Caller, applicant int64) (list []admitto.Invoice,
	err error) {
	if err := by.NeedsOrOwns(admitto.AccountingView, applicant); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		all, err := tx.InvoicesOf([]int64{applicant})
		if list = all[applicant]; err != nil {
			return err
		}
		return s.itemsFor(tx, by, list)
	})
	return list, err
}

// InvoiceOfApplicant reads one invoice of an applicant; not-found without the applicant, or when the invoice is
// that of another.
func (s *Service) InvoiceOfApplicant(ctx context.Context, by admitto.Caller, applicant, id int64) (i admitto.Invoice,
	err error) {
	if err := by.NeedsOrOwns(admitto.AccountingView, applicant); err != nil {
		return i, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		if i, err = tx.Invoice(id); err == nil && i.Applicant != applicant {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		if err != nil {
			return err
		}
		list := []admitto.Invoice{i}
		err = s.itemsFor(tx, by, list)
		i = list[0]
		return err
	})
	return i, err
}

// PaidBefore finds the paid invoice of an applicant for the same fee as another one, of an application of the same
// term that is closed: each application has its own (lifecycle.md 6.4), which they may not expect. application is 0 for
// none.
func (s *Service) PaidBefore(ctx context.Context, by admitto.Caller, applicant, invoice int64) (nr string,
	application int64, err error) {
	if err := by.Owns(applicant); err != nil {
		return "", 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		nr, application, err = tx.PaidBefore(applicant, invoice)
		return err
	})
	return nr, application, err
}

// itemsFor puts invoices into the language of an applicant who reads them: what they said in it when they were issued,
// and the names of courses that items end with.
func (s *Service) itemsFor(tx *store.Tx, by admitto.Caller, list []admitto.Invoice) error {
	language, err := s.core.ReaderLanguage(tx, by)
	if err != nil || language == "" {
		return err
	}
	var courses, ids []int64
	for n := range list {
		if ids = append(ids, list[n].ID); list[n].Course != 0 {
			courses = append(courses, list[n].Course)
		}
	}
	versions, err := tx.InvoiceVersions(ids)
	if err != nil {
		return err
	}
	var byID map[int64]admitto.Course
	if courses != nil {
		byID, err = tx.CoursesByID(courses)
	}
	for n := range list {
		list[n] = list[n].In(language, versions[list[n].ID])
		if course, found := byID[list[n].Course]; found {
			for k := range list[n].Items {
				list[n].Items[k].Item = course.NamedIn(language, list[n].Items[k].Item)
			}
		}
	}
	return err
}

// InvoicesOfApplication lists the invoices of an application, by ID; not-found without the application.
func (s *Service) InvoicesOfApplication(ctx context.Context, by admitto.Caller,
	application int64) (list []admitto.Invoice, err error) {
	if err := by.NeedsOrApplicant(admitto.AccountingView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		list, err = tx.InvoicesOfApplication(application)
		return err
	})
	return list, err
}

// InvoiceOfApplication reads one invoice of an application; not-found without the application, or when the
// invoice is that of another.
func (s *Service) InvoiceOfApplication(ctx context.Context, by admitto.Caller, application,
	id int64) (i admitto.Invoice, err error) {
	if err := by.NeedsOrApplicant(admitto.AccountingView); err != nil {
		return i, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		if i, err = tx.Invoice(id); err == nil && i.Application != application {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	})
	return i, err
}

// InvoiceSeries lists the series of invoices, by ID (resources.md 13.5).
func (s *Service) InvoiceSeries(ctx context.Context, by admitto.Caller) (list []admitto.Series, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).InvoiceSeries)
}

// Transactions lists transactions by ascending ID (resources.md 13.6).
func (s *Service) Transactions(ctx context.Context, by admitto.Caller,
	q admitto.TransactionQuery) (*usecase.List[admitto.Transaction], error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return nil, err
	}
	return usecase.ListOf(ctx, s.core, func(tx *store.Tx) (usecase.Source[admitto.Transaction], error) {
		return usecase.Source[admitto.Transaction]{After: q.After, Limit: int64(q.Limit),
			Each: func(each func(*admitto.Transaction) error) (bool, error) {
				return tx.EachTransaction(q, func(page []admitto.Transaction) error { return eachOf(page, each) })
			},
			Count: func() (int64, error) { return tx.CountTransactions(q) },
			End:   func() (int64, error) { return tx.TransactionsEnd(q) }}, nil
	}), nil
}

// Transaction reads one transaction, or answers NotFound.
func (s *Service) Transaction(ctx context.Context, by admitto.Caller, id int64) (t admitto.Transaction, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return t, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Transaction, error) { return tx.Transaction(id) })
}

// TransactionsOfInvoice lists the transactions of an invoice, by ID; not-found without the invoice.
func (s *Service) TransactionsOfInvoice(ctx context.Context, by admitto.Caller,
	invoice int64) (list []admitto.Transaction, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasInvoice(invoice); err != nil {
			return err
		}
		list, err = tx.TransactionsOfInvoice(invoice)
		return err
	})
	return list, err
}

// TransactionOfInvoice reads one transaction of an invoice; not-found without the invoice, or when the
// transaction is towards another.
func (s *Service) TransactionOfInvoice(ctx context.Context, by admitto.Caller, invoice,
	id int64) (t admitto.Transaction, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return t, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasInvoice(invoice); err != nil {
			return err
		}
		if t, err = tx.Transaction(id); err == nil && t.Invoice != invoice {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	})
	return t, err
}

// HasApplicant answers not-found unless there is a visible applicant with the ID.
func (s *Service) HasApplicant(ctx context.Context, by admitto.Caller, id int64) error {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return err
	}
	return s.core.Read(ctx, func(tx *store.Tx) error { return tx.HasApplicant(id) })
}

// HasApplication answers not-found unless there is a visible application with the ID.
func (s *Service) HasApplication(ctx context.Context, by admitto.Caller, id int64) error {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return err
	}
	return s.core.Read(ctx, func(tx *store.Tx) error { return tx.HasApplication(id) })
}

// InvoiceCard is an invoice with what it is bound to, and who issued it (screens.md A30).
type InvoiceCard struct {
	admitto.Invoice
	Issuer   admitto.Institution // without ID: none
	IssuedBy string              // the administrator, "" for none
	Subject  admitto.Course      // that it is for, without ID: none
	// HasApplication and HasApplicant report whether there is one that can be opened: neither when they are erased, or
	// wait for that.
	HasApplication, HasApplicant bool
	Language                     string           // that the payer reads
	Permanent                    bool             // the series: it cannot be deleted
	Mail                         admitto.Email    // that brought it last; without ID: none that is kept
	By                           map[int64]string // who recorded transactions, by ID
}

// InvoiceCard reads an invoice with what its page shows, or answers not-found.
func (s *Service) InvoiceCard(ctx context.Context, by admitto.Caller, id int64) (c InvoiceCard, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return c, err
	}
	return s.invoiceCard(ctx, id)
}

// invoiceCard reads an invoice for those who may see it.
func (s *Service) invoiceCard(ctx context.Context, id int64) (c InvoiceCard, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		c = InvoiceCard{}
		if c.Invoice, err = tx.Invoice(id); err != nil {
			return err
		}
		if c.Institution, c.Administrator, err = tx.IssuersOf(id); err != nil {
			return err
		}
		versions, err := tx.InvoiceVersions([]int64{id})
		if err != nil {
			return err
		}
		c.Versions = versions[id]
		for _, read := range []struct {
			id   int64
			from func(id int64) error
		}{
			{c.Institution, func(id int64) error { c.Issuer, err = tx.Institution(id); return err }},
			{c.Administrator, func(id int64) error {
				a, err := tx.Administrator(id)
				c.IssuedBy = a.Name
				return err
			}},
			{c.Course, func(id int64) error { c.Subject, err = tx.Course(id); return err }},
			{c.Application, func(id int64) error { err = tx.HasApplication(id); c.HasApplication = err == nil; return err }},
			{c.Applicant, func(id int64) error { err = tx.HasApplicant(id); c.HasApplicant = err == nil; return err }},
			{c.Series.ID, func(id int64) error {
				series, err := tx.SeriesOrDefault(id)
				c.Permanent = series.Permanent
				return err
			}},
		} {
			if read.id == 0 {
				continue
			}
			if err := orNotFound(read.from(read.id)); err != nil {
				return err
			}
		}
		c.Language = s.core.Language()
		if c.HasApplicant {
			if c.Language, err = s.core.LanguageOf(tx, c.Applicant); err != nil {
				return err
			}
		}
		return c.readPayments(tx)
	})
	return c, err
}

// readPayments reads who recorded the transactions, and the mail that brought the invoice.
func (c *InvoiceCard) readPayments(tx *store.Tx) (err error) {
	var staff []int64
	for i := range c.Transactions {
		staff = append(staff, c.Transactions[i].Administrator)
	}
	if c.By, err = tx.AdministratorNames(staff); err != nil {
		return err
	}
	email, err := tx.MailOfInvoice(c.ID)
	if err != nil || email == 0 {
		return err
	}
	c.Mail, err = tx.EmailByID(email)
	return orNotFound(err)
}

// mostHistory is how many events of an application are looked at for those of an invoice.
const mostHistory = 500

// InvoiceHistory reads what happened to an invoice, the newest first, with what was changed and why. Of a detached
// invoice there is nothing: what happened went with the applicant.
func (s *Service) InvoiceHistory(ctx context.Context, by admitto.Caller, id int64) (list []admitto.Record, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		i, err := tx.Invoice(id)
		if err != nil || i.Applicant == 0 {
			return err
		}
		find := admitto.JournalQuery{NewestFirst: true, Limit: mostHistory, ApplicantIDs: []int64{i.Applicant}}
		if i.Application != 0 {
			find.ApplicantIDs, find.ApplicationIDs = nil, []int64{i.Application}
		}
		for _, pattern := range admitto.InvoiceEvents() {
			find.Events = append(find.Events, admitto.EventFilter{Pattern: pattern})
		}
		list = nil
		var ids []int64
		if _, err = tx.EachRecord(find, func(r *admitto.Record) error {
			if r.Links.Invoice == id {
				list, ids = append(list, *r), append(ids, r.ID)
			}
			return nil
		}); err != nil || len(ids) == 0 {
			return err
		}
		details, err := tx.DetailsOf(ids)
		for n := range list {
			list[n].Details = details[list[n].ID]
		}
		return err
	})
	return list, err
}

// InvoiceOfMail returns the invoice that a mail to an applicant brought and its number, 0 for none.
func (s *Service) InvoiceOfMail(ctx context.Context, by admitto.Caller, applicant,
	email int64) (id int64, nr string, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return 0, "", err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		id, nr, err = tx.InvoiceOfMail(applicant, email)
		return err
	})
	return id, nr, err
}

// InvoicePDF makes the document that the payer of an invoice gets (lifecycle.md 6.1), or answers not-found. It is one
// document for all who read it, in the language of the account of the payer.
func (s *Service) InvoicePDF(ctx context.Context, by admitto.Caller, id int64) (name string, data []byte, err error) {
	if err := by.NeedsOrApplicant(admitto.AccountingView); err != nil {
		return "", nil, err
	}
	c, err := s.invoiceCard(ctx, id)
	if err == nil {
		err = usecase.OnlyOwn(by, c.Applicant)
	}
	if err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	if err := s.printer.WriteInvoice(&b, c.document(s.core.Settings(), s.labelsIn(c.Language))); err != nil {
		return "", nil, fmt.Errorf("invoice %d: %w", id, err)
	}
	return "Invoice-" + inFileName.Replace(c.Number) + ".pdf", b.Bytes(), nil
}

// inFileName takes out of a number what separates folders.
var inFileName = strings.NewReplacer("/", "-", `\`, "-", ":", "-")

// document lays the invoice out.
func (c *InvoiceCard) document(s *config.Settings, say pdf.Words) *pdf.Invoice {
	said := c.In(c.Language, c.Versions)
	money := func(h admitto.Hundredths) string { return h.String() + " " + c.Currency }
	day := func(at time.Time) string { return mail.WriteDay(cmp.Or(c.Language, "en"), admitto.DateOf(at)) }
	issued := c.Issued.Std().In(s.Instance.Timezone)
	doc := &pdf.Invoice{Title: say.Of("Invoice") + " " + c.Number, Language: c.Language, Words: say,
		Institution: cmp.Or(c.Issuer.Name, s.Instance.Name), Issued: issued,
		Facts: []pdf.Field{{Label: say.Of("Number, to be named with the payment"), Text: c.Number},
			{Label: say.Of("Issued"), Text: day(issued)},
			{Label: say.Of("To be paid by"), Text: day(c.Deadline.In(time.UTC))}},
		Total: money(c.Total), Instructions: said.Instructions, Smallprint: said.Smallprint}
	for _, f := range withText([]pdf.Field{{Text: c.Issuer.Address},
		{Label: "Registration number", Text: c.Issuer.Registration},
		{Label: "VAT number", Text: c.Issuer.VAT}}) {
		if f.Label != "" {
			f.Text = say.Of(f.Label) + " " + f.Text
		}
		doc.Issuer = append(doc.Issuer, f.Text)
	}
	for _, line := range withText([]pdf.Field{{Text: c.PayerName}, {Text: c.PayerEmail}}) {
		doc.Payer = append(doc.Payer, line.Text)
	}
	for n := range said.Items {
		it := &said.Items[n]
		quantity := it.Qty.String()
		if it.Unit != "" {
			quantity += " " + it.Unit
		}
		doc.Lines = append(doc.Lines, pdf.InvoiceLine{Item: c.Subject.NamedIn(c.Language, it.Item), Quantity: quantity,
			Price:  money(it.Price),
			Amount: money(it.Amount())})
	}
	if r := admitto.RoundingOf(c.Items); r != 0 {
		doc.Rounding = money(r)
	}
	if doc.Instructions == "" && c.Collected == 0 && c.Lapsed == 0 {
		doc.Instructions = say.Of("This invoice does not say how to pay it. Write to us; we will tell you.")
		if email := s.ContactEmail(); email != "" {
			doc.Instructions += "\n" + email
		}
	}
	return doc
}
