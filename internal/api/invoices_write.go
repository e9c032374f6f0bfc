package api

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// newInvoiceInput is what POST /applications/{id}/invoices takes next to the items (resources.md 13.4).
type newInvoiceInput struct {
	Currency      params.CurrencyCode `name:"currency"`
	Series        params.ObjectID     `name:"serie_ID"`
	Type          params.Line         `name:"type" len:"1-64"`
	Course        params.ObjectID     `name:"course_ID"`
	Deadline      day                 `name:"deadline"`
	Reminder      yesOrNo             `name:"reminder"`
	Instructions  params.Lines        `name:"instructions" len:"1-4096"`
	Smallprint    params.Lines        `name:"smallprint" len:"1-4096"`
	PayerName     params.Line         `name:"payer[name]" len:"1-255"`
	PayerEmail    params.EmailAddress `name:"payer[email]"`
	Class         params.Ignored      `name:"invoice_class_ID"`
	Institution   params.ObjectID     `name:"issuer_institution_ID"`
	Administrator params.ObjectID     `name:"issuer_administrator_ID"`
	Copy          copyTo              `name:"copy"`
	Notify        yesOrNo             `name:"notify"`
	Send          yesOrNo             `name:"send"`
}

// newApplicantInvoiceInput is what POST /applicants/{id}/invoices takes next to the items: the same, and which of the
// applicant's applications it is for.
type newApplicantInvoiceInput struct {
	newInvoiceInput
	Application applicationRef `name:"application"`
}

// newItemInput is one entry of items.
type newItemInput struct {
	Item      params.Line    `name:"item" len:"1-255" required:"true"`
	Price     params.Decimal `name:"price" required:"true"`
	Qty       params.Decimal `name:"qty"`
	Unit      params.Line    `name:"unit" len:"1-32"`
	Inventory wholeNumber    `name:"inventory_item_ID"`
}

const (
	maxCopies      = 5
	itemsParameter = "items"
)

// applicationPath is the path of an application with any prefix.
var applicationPath = regexp.MustCompile(`^/api(?:/v[0-9]+)?/applications/([^/]+)$`)

// applicationRef is an application by its ID or, since records name it so, by the link to it (conventions.md 1).
type applicationRef int64

func (v *applicationRef) Read(d *params.Decoder, f *params.Field, a *params.Arg) error {
	named := *a
	if s, err := a.Text(); err == nil {
		s = strings.TrimSpace(s)
		path := applicationPath.FindStringSubmatch(s)
		if path != nil {
			named.Values = []string{path[1]}
		} else if strings.Contains(s, "/") {
			return message.Of("no-application-named", text.Quote(s), config.NewestAPI()+"/applications/4")
		}
	}
	return (*params.ObjectID)(v).Read(d, f, &named)
}

func (applicationRef) Describe(*params.Place, *params.Field) *schema.Schema {
	s := schema.ID()
	s.Type, s.Pattern = []string{"integer", "string"}, `^(/api(/v[0-9]+)?/applications/)?[1-9][0-9]{0,17}$`
	s.Description = "The ID, or the link with any prefix."
	return s
}

// copyTo is who gets a copy of a mail: addresses, or yes for the issuing administrator.
type copyTo struct {
	addresses []string
	issuer    bool
}

func (v *copyTo) Read(d *params.Decoder, f *params.Field, a *params.Arg) error {
	if !a.IsList && len(a.Values) == 1 {
		var yes yesOrNo
		if err := yes.Read(d, f, a); err == nil {
			v.issuer = *yes.value
			return nil
		}
	}
	if a.Kind != params.IsText {
		return message.Of("no-copy-addresses")
	}
	if len(a.Values) > 1 && !a.IsList {
		return message.Of("parameter-repeated")
	}
	given := text.SplitList(a.Values)
	if len(given) == 0 {
		return message.Of("no-address-named")
	}
	addresses, err := params.List(given, text.Email)
	if err == nil && len(addresses) > maxCopies {
		err = message.Of("too-many-addresses", maxCopies)
	}
	v.addresses = addresses
	return err
}

func (copyTo) Describe(in *params.Place, f *params.Field) *schema.Schema {
	address := params.EmailAddress("").Describe(in, f)
	return &schema.Schema{Description: "Addresses, or true for the issuing administrator.",
		AnyOf: []*schema.Schema{{Type: "boolean"}, {Type: "string"},
			{Type: "array", Items: address, MinItems: new(1), MaxItems: new(maxCopies)}}}
}

// wholeNumber is an integer that means nothing here and is given back as it came.
type wholeNumber struct{ value *int64 }

func (v *wholeNumber) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := a.Single()
	if err == nil && a.Kind == params.IsBool {
		err = message.Of("value-no-integer")
	}
	if err != nil {
		return err
	}
	s = strings.TrimSpace(s)
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > 999_999_999_999_999_999 || n < -999_999_999_999_999_999 {
		return message.Of("no-integer-of-18-digits", text.Quote(s))
	}
	v.value = &n
	return nil
}

func (wholeNumber) Describe(in *params.Place, _ *params.Field) *schema.Schema {
	return in.Numeric(&schema.Schema{Type: "integer", Minimum: new(int64(-schema.MaxID)),
		Maximum: new(int64(schema.MaxID))}, "^-?[0-9]{1,18}$")
}

// createApplicationInvoice answers POST /applications/{id}/invoices.
func (a *API) createApplicationInvoice(c *call) error {
	if err := a.services.Query.HasApplication(c.ctx, c.by(), c.ids[0]); err != nil {
		return err
	}
	return a.createInvoice(c, func(list params.Args) (billing.Debtor, *newInvoiceInput, error) {
		in := &newInvoiceInput{}
		return billing.Debtor{Application: c.ids[0]}, in, c.decode(list, in)
	})
}

// createApplicantInvoice answers POST /applicants/{id}/invoices.
func (a *API) createApplicantInvoice(c *call) error {
	if err := a.services.Query.HasApplicant(c.ctx, c.by(), c.ids[0]); err != nil {
		return err
	}
	return a.createInvoice(c, func(list params.Args) (billing.Debtor, *newInvoiceInput, error) {
		in := &newApplicantInvoiceInput{}
		err := c.decode(list, in)
		return billing.Debtor{Applicant: c.ids[0], Application: int64(in.Application)}, &in.newInvoiceInput, err
	})
}

// createInvoice issues an invoice for whom decode says, and answers it below the path that was asked.
func (a *API) createInvoice(c *call, decode func(params.Args) (billing.Debtor, *newInvoiceInput, error)) error {
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	items, itemsErr := c.invoiceItems(list)
	of, in, err := decode(list)
	invalid, invoice := faultsOf(itemsErr, err), in.invoice(items)
	if invalid != nil {
		// The others are known only to the database; the client is to hear of all at once.
		more, err := a.services.Billing.CheckInvoice(c.ctx, c.by(), of, invoice)
		if err != nil {
			return err
		}
		return faultsOf(invalid, c.located(list, more))
	}
	made, err := a.services.Billing.IssueInvoice(c.ctx, c.caller(), of, invoice)
	if err != nil {
		return c.locate(list, err)
	}
	return c.created(made.ID, invoiceRecord(&made))
}

// invoice returns what the use case takes.
func (in *newInvoiceInput) invoice(items []admitto.InvoiceItem) billing.NewInvoice {
	no := func(v yesOrNo) bool { return v.value != nil && !*v.value }
	return billing.NewInvoice{Type: string(in.Type), Series: int64(in.Series), Course: int64(in.Course),
		Institution: int64(in.Institution), Administrator: int64(in.Administrator), Deadline: in.Deadline.Date,
		NoReminder: no(in.Reminder), NoMail: no(in.Send), Currency: string(in.Currency), Items: items,
		Instructions: string(in.Instructions), Smallprint: string(in.Smallprint), PayerName: string(in.PayerName),
		PayerEmail: string(in.PayerEmail), Copies: in.Copy.addresses, CopyIssuer: in.Copy.issuer,
		Notify: in.Notify.value != nil && *in.Notify.value}
}

// invoiceItems takes the entries items[n][…] out of the parameters, in the order of their indexes; holes close up.
func (c *call) invoiceItems(list params.Args) (items []admitto.InvoiceItem, err error) {
	entries, faults := c.takeEntries(list, itemsParameter, "item", "price", "qty", "unit", "inventory_item_ID")
	indexes := make([]int, 0, len(entries))
	for index := range entries {
		indexes = append(indexes, index)
	}
	slices.Sort(indexes)
	fault := func(name string, a *params.Arg, text message.Text) {
		faults = append(faults, params.FaultAt(name, a, text))
	}
	switch {
	case len(entries) == 0 && faults == nil:
		fault(itemsParameter, nil, message.Of("items-required"))
	case len(entries) > admitto.MaxInvoiceItems:
		fault(itemsParameter, nil, message.Of("too-many-items", admitto.MaxInvoiceItems))
		indexes = indexes[:admitto.MaxInvoiceItems]
	}
	for _, index := range indexes {
		entry, name := entries[index], func(of string) string { return fmt.Sprintf("%s[%d][%s]", itemsParameter, index, of) }
		in := newItemInput{Qty: params.Decimal{Value: 1_00}}
		if err, ok := c.decode(entry, &in).(*admitto.Error); ok {
			for _, f := range err.Faults {
				if at := params.PositionOf(f.Path); at.Parameter != "" {
					f.Path = params.Position{Parameter: name(at.Parameter)}.Path()
				}
				faults = append(faults, f)
			}
		}
		if err := admitto.CheckItemPrice(in.Price.Value); in.Price.Given && err != nil {
			fault(name("price"), entry["price"], message.From(err))
			in.Price.Value = 0
		}
		if err := admitto.CheckItemQty(in.Qty.Value); in.Qty.Given && err != nil {
			fault(name("qty"), entry["qty"], message.From(err))
			in.Qty.Value = 0
		}
		items = append(items, admitto.InvoiceItem{Item: string(in.Item), Price: in.Price.Value, Qty: in.Qty.Value,
			Unit:          string(in.Unit),
			InventoryItem: in.Inventory.value})
	}
	if faults != nil {
		return nil, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults} // a total of a part would mislead
	}
	return items, nil
}

// takeEntries takes the known members of name[n][member] out of the parameters, by index.
func (c *call) takeEntries(list params.Args, name string, members ...string) (entries map[int]params.Args,
	faults []admitto.Fault) {
	entries = map[int]params.Args{}
	for full, a := range list {
		if full == name {
			faults = append(faults, params.FaultAt(name, a, message.Of("parameter-no-objects")))
			delete(list, full)
			continue
		}
		rest, isEntry := strings.CutPrefix(full, name+"[")
		number, rest, closed := strings.Cut(rest, "][")
		member, ends := strings.CutSuffix(rest, "]")
		if !isEntry || !closed || !ends || !slices.Contains(members, member) {
			continue // told as unknown by decode
		}
		index, err := strconv.Atoi(number)
		if err != nil || index < 0 || strconv.Itoa(index) != number {
			faults = append(faults, params.FaultAt(full, a, message.Of("index-no-number", name+"[0]["+member+"]")))
			delete(list, full)
			continue
		}
		if entries[index] == nil {
			entries[index] = params.Args{}
		}
		entries[index][member] = a
		delete(list, full)
	}
	return entries, faults
}

// deleteInvoice answers DELETE /invoices/{id}.
func (a *API) deleteInvoice(c *call) error {
	err := c.noParametersOf(func() error {
		_, err := a.services.Query.Invoice(c.ctx, c.by(), c.ids[0])
		return err
	})
	if err == nil {
		err = a.services.Billing.DeleteInvoice(c.ctx, c.caller(), c.ids[0])
	}
	return c.done(err)
}

// newTransactionInput is what POST /invoices/{id}/transactions takes (resources.md 13.6).
type newTransactionInput struct {
	Amount    payment             `name:"amount" required:"true"`
	Currency  params.CurrencyCode `name:"currency"`
	Collected day                 `name:"collected"`
}

// payment is an amount that is paid; one that cannot be read has the error code of the contract.
type payment struct{ params.Decimal }

func (v *payment) Read(d *params.Decoder, f *params.Field, a *params.Arg) error {
	if err := v.Decimal.Read(d, f, a); err != nil {
		return params.Coded("amount-invalid", err)
	}
	return nil
}

func (payment) Describe(in *params.Place, f *params.Field) *schema.Schema {
	return params.Decimal{}.Describe(in, f)
}

// createInvoiceTransaction answers POST /invoices/{id}/transactions.
func (a *API) createInvoiceTransaction(c *call) error {
	invoice, err := a.services.Query.Invoice(c.ctx, c.by(), c.ids[0])
	if err != nil {
		return err
	}
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newTransactionInput
	if err := c.decode(list, &in); err != nil {
		amount := in.Amount.Value
		if !in.Amount.Given { // told already
			amount = 1
		}
		today := admitto.DateOf(a.services.Core.Now().Std().In(a.settings().Instance.Timezone))
		return faultsOf(err, c.located(list, invoice.CheckPayment(amount, string(in.Currency), in.Collected.Date, today)))
	}
	t, err := a.services.Billing.CollectInvoice(c.ctx, c.caller(), invoice.ID, billing.NewPayment{Amount: in.Amount.Value,
		Currency: string(in.Currency), Collected: in.Collected.Date})
	if err != nil {
		return c.locate(list, err)
	}
	return c.created(t.ID, transactionRecord(&t))
}
