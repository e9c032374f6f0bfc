package billing

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// NewInvoice is what may be said of an invoice that is issued (resources.md 13.4); everything but the items has a
// default. IDs and days that are zero, and empty texts, are not given.
type NewInvoice struct {
	Type                     string // code(Invoice type)
	Series, Course           int64
	Institution              int64 // that issues it
	Administrator            int64 // who issues it
	Deadline                 admitto.Date
	NoReminder, NoMail       bool
	Currency                 string
	Items                    []admitto.InvoiceItem
	Instructions, Smallprint string
	versions                 admitto.Versions // of items
	PayerName, PayerEmail    string
	Copies                   []string // who gets a copy of the delivery mail
	CopyIssuer               bool     // the issuing administrator gets one
	Notify                   bool     // the issuing administrator is told when it is collected
}

// Debtor is whom an invoice is for: an application, or an applicant with or without one of the applicant's
// applications.
type Debtor struct{ Applicant, Application int64 }

// CheckInvoice returns the faults of a new invoice that only the database knows, together with those of its total and
// its deadline, as a refused creation does; not-found without the applicant or application that the debtor begins with.
// It writes nothing.
func (s *Service) CheckInvoice(ctx context.Context, by admitto.Caller, of Debtor,
	in NewInvoice) (faults []admitto.Fault, err error) {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return faults, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		find, id := tx.HasApplication, of.Application
		if of.Applicant != 0 {
			find, id = tx.HasApplicant, of.Applicant
		}
		if err := find(id); err != nil {
			return err
		}
		faults, err = s.invoiceFaults(tx, of, &in)
		return err
	})
	return faults, err
}

// invoiceFaults checks what a new invoice names.
func (s *Service) invoiceFaults(tx *store.Tx, of Debtor, in *NewInvoice) (faults []admitto.Fault, err error) {
	unknown := func(path admitto.Path, why message.Text, find error) error {
		if admitto.KindOf(find) != admitto.NotFound {
			return find
		}
		faults = append(faults, admitto.Fault{Path: path, Text: why})
		return nil
	}
	known := func(has bool, err error) error {
		if err == nil && !has {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	}
	faults = admitto.CheckItems(in.Items)
	if _, err = tx.SeriesOrDefault(in.Series); err != nil {
		detail := message.Of("no-such-series")
		if in.Series == 0 {
			detail = message.Of("series-required")
		}
		err = unknown("invoice.series", detail, err)
	}
	if err == nil && in.Type != "" {
		err = unknown("invoice.type", message.Of("no-code-of-class", text.Quote(in.Type), "Invoice type"),
			known(tx.HasCode("Invoice type", in.Type)))
	}
	var applications []int64
	if err == nil {
		applications, err = applicationsOf(tx, of)
	}
	if foreign := err == nil && of.Application != 0 && applications == nil; foreign {
		err = unknown("invoice.application", message.Of("no-such-application-of-applicant"), known(false, nil))
	} else if err == nil && in.Course != 0 {
		var courses map[int64][]admitto.ApplicationCourse
		courses, err = tx.CoursesOfApplications(applications)
		has := false
		for _, list := range courses {
			has = has || slices.ContainsFunc(list, func(c admitto.ApplicationCourse) bool { return c.Course == in.Course })
		}
		detail := message.Of("application-without-course")
		if of.Application == 0 {
			detail = message.Of("no-application-with-course")
		}
		err = unknown("invoice.course", detail, known(has, err))
	}
	if err == nil && in.Institution != 0 {
		_, err = tx.Institution(in.Institution)
		err = unknown("invoice.institution", message.Of("no-such-institution"), err)
	}
	if err == nil && in.Administrator != 0 {
		_, err = tx.Administrator(in.Administrator)
		err = unknown("invoice.administrator", message.Of("no-such-administrator"), err)
	}
	if today := s.core.Today(tx); !in.Deadline.IsZero() && in.Deadline.Before(today) {
		faults = append(faults, admitto.Fault{Path: "invoice.deadline", Text: message.Of("deadline-over", today)})
	}
	return faults, err
}

// applicationsOf returns the application that the invoice is for, nil when it is not the applicant's; all of the
// applicant's when none is named.
func applicationsOf(tx *store.Tx, of Debtor) ([]int64, error) {
	if of.Applicant == 0 {
		return []int64{of.Application}, nil
	}
	all, err := tx.ApplicationsOf(of.Applicant)
	switch {
	case of.Application == 0:
		return all, err
	case slices.Contains(all, of.Application):
		return []int64{of.Application}, err
	}
	return nil, err
}

// CoursesOf returns the courses of an application by priority.
func CoursesOf(tx *store.Tx, application int64) ([]admitto.ApplicationCourse, error) {
	all, err := tx.CoursesOfApplications([]int64{application})
	return all[application], err
}

// IssueInvoice issues an invoice for an applicant, or for an application whatever its status: the number is taken from
// the series in the same transaction, and the payer is told by mail. A total of 0.00 is collected at once; nobody is
// thanked for it. Errors: not-found and invalid-parameter as CheckInvoice says them.
func (s *Service) IssueInvoice(ctx context.Context, by usecase.Caller, of Debtor, in NewInvoice) (made admitto.Invoice,
	err error) {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return made, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := s.openDebtor(tx, by, of)
		if err != nil {
			return err
		}
		faults, err := s.invoiceFaults(tx, of, &in)
		if err != nil {
			return err
		}
		if faults != nil {
			return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
		}
		i, err := s.draftInvoice(tx, d, &in)
		if err != nil {
			return err
		}
		copies, err := copiesOf(tx, i, &in)
		if err != nil {
			return err
		}
		if err := s.issue(tx, d, i, copies, !in.NoMail); err != nil {
			return err
		}
		if made, err = tx.Invoice(i.ID); err != nil {
			return err
		}
		return by.Made(tx, i.ID)
	})
	return made, err
}

// openDebtor locks whom an invoice is for. An application that is not the applicant's is left to invoiceFaults, and so
// is all that is to be said of it.
func (s *Service) openDebtor(tx *store.Tx, by usecase.Caller, of Debtor) (d *usecase.LockedApplication, err error) {
	if of.Applicant == 0 {
		return usecase.LockApplication(tx, by, of.Application)
	}
	d = &usecase.LockedApplication{Actor: by.Actor}
	d.Applicant, err = tx.LockApplicant(of.Applicant)
	if err != nil || of.Application == 0 {
		return d, err
	}
	own, err := applicationsOf(tx, of)
	if err != nil || own == nil {
		return d, err
	}
	return usecase.LockApplication(tx, by, of.Application)
}

// draftInvoice fills in the defaults.
func (s *Service) draftInvoice(tx *store.Tx, d *usecase.LockedApplication, in *NewInvoice) (*admitto.Invoice, error) {
	i := &admitto.Invoice{Institution: in.Institution, Administrator: in.Administrator, Notify: in.Notify,
		Type: in.Type, Series: admitto.Series{ID: in.Series}, Applicant: d.Applicant.ID, Application: d.ID,
		Course: in.Course, Issued: tx.Now(), Deadline: in.Deadline, Reminder: !in.NoReminder, Currency: in.Currency,
		Items:        in.Items,
		Versions:     in.versions.Clone(),
		Instructions: in.Instructions, Smallprint: in.Smallprint, PayerName: in.PayerName, PayerEmail: in.PayerEmail}
	if i.Type == "" {
		i.Type = "Invoice"
	}
	if i.Currency == "" {
		i.Currency = s.core.Settings().Instance.Currency
	}
	if i.Deadline.IsZero() {
		i.Deadline = s.core.Today(tx).AddDays(s.core.Settings().Invoices.PaymentDays)
	}
	if i.PayerName == "" {
		i.PayerName = d.Applicant.Name.Full()
	}
	if i.PayerEmail == "" {
		i.PayerEmail = d.Applicant.Email
	}
	var err error
	if i.Administrator == 0 {
		switch d.Actor.Kind {
		case admitto.ByAdministrator:
			i.Administrator = d.Actor.ID
		case admitto.ByKey:
			i.Administrator, err = tx.KeyIssuer(d.Actor.ID)
		}
	}
	if err == nil && i.Institution == 0 && i.Course != 0 {
		var course admitto.Course
		course, err = tx.Course(i.Course)
		i.Institution = course.Institution
	}
	if err == nil && i.Institution == 0 {
		i.Institution, err = tx.FirstInternalInstitution()
	}
	return i, err
}

// copiesOf returns the addresses that get a copy of the delivery mail.
func copiesOf(tx *store.Tx, i *admitto.Invoice, in *NewInvoice) ([]string, error) {
	copies := in.Copies
	if in.CopyIssuer && i.Administrator != 0 {
		issuer, err := tx.Administrator(i.Administrator)
		if err != nil {
			return nil, err
		}
		copies = []string{issuer.Email}
	}
	var list []string
	for _, address := range copies {
		ascii, err := text.EmailASCII(address)
		if err != nil {
			return nil, err
		}
		list = append(list, ascii)
	}
	return list, nil
}

// issue numbers a complete invoice, stores it and tells the payer. The application is locked.
func (s *Service) issue(tx *store.Tx, d *usecase.LockedApplication, i *admitto.Invoice, copies []string,
	send bool) error {
	number, err := s.takeNumber(tx, i)
	if err != nil {
		return err
	}
	for _, words := range []struct {
		name     string
		own, all *string
	}{{"instructions", &i.Instructions, &i.Series.Instructions}, {"smallprint", &i.Smallprint, &i.Series.Smallprint}} {
		if *words.own != "" {
			continue
		}
		*words.own = *words.all
		for lang, texts := range i.Series.Versions {
			i.Versions.Set(lang, words.name, texts[words.name])
		}
	}
	i.Total = admitto.TotalOf(i.Items)
	if i.Total == 0 {
		i.Collected = i.Issued
	}
	if err := tx.LockOrder(); err != nil {
		return err
	}
	if i.ID, err = tx.InsertInvoice(i); err != nil {
		return err
	}
	number.Invoice = i.ID
	if err := tx.RegisterNumber(number, admitto.NumberPeriods(s.core.Today(tx))); err != nil {
		return err
	}
	recordInvoice(tx, d.Actor, i, admitto.InvoiceIssued)
	if i.Total == 0 {
		recordInvoice(tx, d.Actor, i, admitto.InvoiceCollected)
	}
	if !send {
		return nil
	}
	p := s.invoiceMail(mail.KindInvoiceDelivery, &d.Applicant, i)
	p.Copies, p.Invoice = copies, i.ID
	email, err := s.notify.Queue(tx, p)
	if err == nil && email != 0 {
		err = tx.SetInvoiceMail(i.ID, email)
	}
	return err
}

// invoiceMail returns a mail about an invoice to its payer. It is among the e-mails of the applicant when it goes to
// that address.
func (s *Service) invoiceMail(template mail.Kind, applicant *admitto.Applicant,
	i *admitto.Invoice) notify.OutgoingMail {
	p := notify.OutgoingMail{Template: template, Applicant: applicant, Application: i.Application,
		Record: i.ID, Values: s.InvoiceMarkers(i)}
	if i.PayerEmail != "" && i.PayerEmail != applicant.Email {
		ascii, err := text.EmailASCII(i.PayerEmail)
		if err == nil { // it was checked when it came in
			p.To = &mail.Address{Name: i.PayerName, Email: ascii}
		}
	}
	return p
}

// recordInvoice writes an event about an invoice.
func recordInvoice(tx *store.Tx, actor admitto.Actor, i *admitto.Invoice, pattern admitto.Pattern,
	details ...admitto.Detail) {
	tx.Record(actor, admitto.Event{Pattern: pattern, Details: details,
		Links: admitto.Links{Applicant: i.Applicant, Application: i.Application, Course: i.Course, Invoice: i.ID}})
}
