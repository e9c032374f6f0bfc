package kinds

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// fee is a fee as it is typed.
type fee struct {
	admitto.Fee
	automatic, cause, scope string
}

func feeOf(f admitto.Fee) fee {
	typed := fee{Fee: f, automatic: string(f.Automatic), cause: string(f.Cause), scope: listedCourses}
	if f.AllCourses {
		typed.scope = allCourses
	}
	return typed
}

func (f *fee) typed() admitto.Fee {
	kept := f.Fee
	kept.Automatic, kept.Cause = admitto.FeeAutomatic(f.automatic), admitto.FeeCause(f.cause)
	kept.AllCourses = f.scope == allCourses
	return kept
}

// fees are screens.md A33.
func (p *pages) fees() *records.Family[fee] {
	return &records.Family[fee]{
		Query: p.Query, List: "fees", New: "fee-new", One: "fee", Kind: admitto.FeeRow,
		Events: []admitto.Pattern{admitto.FeeCreated, admitto.FeeEdited},
		Texts: records.Texts{Count: "fee.count", None: "fee.none", NoneText: "fee.none_text", NewIntro: "fee.intro",
			Intro: "fee.intro", Saved: "fee.saved"},
		ID: func(f *fee) int64 { return f.ID }, Name: func(f *fee) string { return f.Fee.Name },
		All: func(r *site.Request) (list []fee, err error) {
			all, err := p.Billing.Fees(r.Context(), r.Reader())
			for i := range all {
				list = append(list, feeOf(all[i]))
			}
			return list, err
		},
		Columns: p.feeColumns,
		Read: func(r *site.Request, id int64) (fee, error) {
			f, err := p.Billing.Fee(r.Context(), r.Reader(), id)
			return feeOf(f), err
		},
		Blank: func(r *site.Request) (fee, error) {
			return feeOf(admitto.Fee{Type: "Appfee", Automatic: admitto.FeeNotAutomatic, Cause: admitto.FeeAtCourse,
				AllCourses: true, Amounts: []admitto.FeeAmount{{Territory: admitto.World,
					Currency: r.Settings().Instance.Currency, Basis: "One-time"}}}), nil
		},
		Fields: p.feeFields,
		Save: func(r *site.Request, f fee) (int64, error) {
			return p.Catalogue.SaveFee(r.Context(), r.Caller(), f.typed())
		},
		Below: p.whoPays,
	}
}

func (p *pages) feeColumns(r *site.Request, _ []fee) ([]records.Column[fee], error) {
	return []records.Column[fee]{
		{Title: "fee.name", Place: "main", Cell: func(f *fee) ui.Cell {
			return ui.Cell{Text: f.Fee.Name, Below: r.T("fee_type." + strings.ToLower(f.Type))}
		}},
		{Title: "fee.amounts", Place: "label", Cell: func(f *fee) (cell ui.Cell) {
			for _, a := range f.Amounts {
				if a.Territory == admitto.World || len(f.Amounts) == 1 {
					cell.Text = r.Money(int64(a.Amount), a.Currency)
				}
			}
			if n := len(f.Amounts); n > 1 {
				cell.Below = r.Plural("fee.territories", n)
			}
			return cell
		}},
		{Title: "fee.automatic", Place: "label", Cell: func(f *fee) ui.Cell {
			cell := ui.Cell{Text: r.T("fee_automatic." + f.automatic)}
			if f.Automatic != admitto.FeeNotAutomatic {
				cell.Below = r.T("fee_cause." + strings.ReplaceAll(f.cause, " ", "_"))
			}
			return cell
		}},
		{Title: "fee.courses", Place: "label", Cell: func(f *fee) ui.Cell {
			if f.AllCourses {
				return ui.Cell{Text: r.T("fee_scope.all")}
			}
			return ui.Cell{Text: r.Number(len(f.Courses))}
		}},
	}, nil
}

func (p *pages) feeFields(m records.Maker[fee], f *fee) ([]records.Field[fee], error) {
	r := m.R
	series, err := p.Query.InvoiceSeries(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	if err != nil {
		return nil, err
	}
	territories, err := p.territories(r)
	if err != nil {
		return nil, err
	}
	seriesOptions := []ui.Option{{Text: r.T("fee.default_series")}}
	for i := range series {
		seriesOptions = append(seriesOptions, ui.Option{Value: number(series[i].ID), Text: series[i].Name})
	}
	var courseOptions []ui.Option
	for i := range courses {
		courseOptions = append(courseOptions, ui.Option{Value: number(courses[i].ID), Text: courses[i].Name,
			Hint: courses[i].Code})
	}
	return []records.Field[fee]{
		m.Text("name", "fee.name", func(f *fee) *string { return &f.Fee.Name }, records.Hint("fee.name_hint")),
		m.Radio("type", "fee.type", []ui.Option{{Value: "Appfee", Text: r.T("fee_type.appfee")},
			{Value: "Tuition", Text: r.T("fee_type.tuition")}}, func(f *fee) *string { return &f.Type }),
		m.Versions([]records.Version{{Name: "name", Label: r.T("fee.name"), First: f.Fee.Name}},
			func(f *fee) *admitto.Versions { return &f.Fee.Versions }),
		m.Long("notes", "fee.notes", 2, 2000, func(f *fee) *string { return &f.Notes }, records.Optional),
		m.Head("fee.amounts", "fee.amounts_text"),
		amountsField(m, territories, len(f.Amounts)),
		m.Head("fee.invoice", "fee.invoice_text"),
		m.Radio("automatic", "fee.automatic", []ui.Option{{Value: "none", Text: r.T("fee_automatic.none")},
			{Value: "application", Text: r.T("fee_automatic.application")},
			{Value: "course", Text: r.T("fee_automatic.course")}}, func(f *fee) *string { return &f.automatic }),
		m.Radio("cause", "fee.cause", []ui.Option{{Value: "course added", Text: r.T("fee_cause.course_added")},
			{Value: "submitted", Text: r.T("fee_cause.submitted")}}, func(f *fee) *string { return &f.cause }),
		m.ChooseID("series", "fee.series", seriesOptions, func(f *fee) *int64 { return &f.Series }, records.Optional),
		m.Number("days", "fee.days", func(f *fee) **int64 { return &f.PaymentDays }, records.Optional,
			records.Hint("fee.days_hint")),
		m.Radio("scope", "fee.courses", []ui.Option{{Value: allCourses, Text: r.T("fee_scope.all")},
			{Value: listedCourses, Text: r.T("fee_scope.listed")}}, func(f *fee) *string { return &f.scope }),
		foldedFee(r, "fee.listed", f.scope == listedCourses, m.IDs("courses", "fee.listed", courseOptions,
			func(f *fee) *[]int64 { return &f.Courses }, records.Optional)),
	}, nil
}

// foldedFee draws a field where it is opened.
func foldedFee(r *site.Request, title string, open bool, field records.Field[fee]) records.Field[fee] {
	draw := field.Draw
	field.Draw = func(f *site.Form) []ui.Component {
		return []ui.Component{ui.Fold{Title: r.T(title), Open: open || f.Wrong(field.Inputs[0][0]), Parts: draw(f)}}
	}
	return field
}

// territories are the world, the regions and the countries, with none at first.
func (p *pages) territories(r *site.Request) ([]ui.Option, error) {
	regions, err := r.Regions(p.Query.Regions(r.Context(), r.Reader()))
	options := []ui.Option{{Text: r.T("value.none")}, {Value: admitto.World, Text: r.T("intake.world")}}
	for i := range regions {
		options = append(options, ui.Option{Value: regions[i].Code, Text: r.T("intake.region", "Name", regions[i].Name)})
	}
	return append(options, r.Countries()...), err
}

// moreAmounts is how many empty lines the form has for further amounts.
const moreAmounts = 3

// amountsField has the amounts, a line each, and empty ones below. What only programs say of an amount stays.
func amountsField(m records.Maker[fee], territories []ui.Option, stored int) records.Field[fee] {
	r := m.R
	lines := stored + moreAmounts
	field := records.Field[fee]{
		Put: func(v site.Values, of *fee) {
			for n := range lines {
				v[line("basis", n)] = site.One("One-time") // as the list of an empty line says
			}
			for n, a := range of.Amounts {
				v[line("territory", n)], v[line("currency", n)] = site.One(a.Territory), site.One(a.Currency)
				v[line("basis", n)] = site.One(a.Basis)
				if a.Amount != 0 || of.ID != 0 {
					v[line("amount", n)] = site.One(a.Amount.String())
				}
			}
		},
		Take: func(f *site.Form, into *fee) {
			was := into.Amounts
			into.Amounts = nil
			for n := range lines {
				a := admitto.FeeAmount{}
				if n < len(was) {
					a.Qualifier, a.Info = was[n].Qualifier, was[n].Info
				}
				a.Territory, a.Basis = f.Get(line("territory", n)), f.Get(line("basis", n))
				a.Currency = strings.ToUpper(f.Get(line("currency", n)))
				if typed := f.Get(line("amount", n)); typed != "" {
					amount, currency, err := billing.Price(typed)
					if err != nil {
						f.FailText(line("amount", n), message.From(err))
						amount = 1 // the line is filled in, and asks for a territory
					}
					if a.Amount = amount; currency != "" {
						a.Currency = currency
					}
				} else if a.Territory != "" {
					f.Fail(line("amount", n), "fee.no_amount")
				}
				into.Amounts = append(into.Amounts, a)
			}
		},
		Draw: func(f *site.Form) (parts []ui.Component) {
			for n := range lines {
				parts = append(parts, amountLine(r, f, n, territories))
			}
			return parts
		},
	}
	for n := range lines {
		field.Inputs = append(field.Inputs, [2]string{line("territory", n), "fee.territory"},
			[2]string{line("amount", n), "fee.amount"}, [2]string{line("currency", n), "fee.currency"},
			[2]string{line("basis", n), "fee.basis"})
	}
	return field
}

// amountLine is one amount of the form.
func amountLine(r *site.Request, f *site.Form, n int, territories []ui.Option) ui.Component {
	for input, label := range map[string]string{"territory": "fee.line_territory", "amount": "fee.line_amount",
		"currency": "fee.line_currency", "basis": "fee.line_basis"} {
		f.SetLabel(line(input, n), r.T(label, "N", strconv.Itoa(n+1)))
	}
	territory := f.Select(line("territory", n), "", territories...) // the first of the line, in the summary of faults too
	amount, currency := f.Text(line("amount", n), ""), f.Text(line("currency", n), "")
	amount.InputMode, amount.Width, amount.Autocomplete = "decimal", "w10", "off"
	currency.Width, currency.Autocomplete = "w4", "off"
	return ui.Columns{Parts: []ui.Component{territory, amount, currency,
		f.Select(line("basis", n), "", ui.Option{Value: "One-time", Text: r.T("fee_basis.once")},
			ui.Option{Value: "Year", Text: r.T("fee_basis.year")})}}
}

// whoPays says what a person of a country pays, and by which line: the country's own before a region's, and that before
// the world's.
func (p *pages) whoPays(r *site.Request, f *fee) ([]ui.Component, error) {
	regions, err := r.Regions(p.Query.Regions(r.Context(), r.Reader()))
	if err != nil {
		return nil, err
	}
	chosen := r.URL.Query().Get("country")
	field := ui.Country{Field: ui.Field{ID: "country", Name: "country", Label: r.T("fee.citizen"), Value: chosen},
		Options: append([]ui.Option{{Text: r.T("value.none")}}, r.Countries()...)}
	for i := range field.Options {
		field.Options[i].Selected = chosen != "" && field.Options[i].Value == chosen
	}
	parts := []ui.Component{ui.Heading{ID: "who-pays", Title: r.T("fee.who_pays"), Text: r.T("fee.who_pays_text")},
		ui.FormBox{Get: true, Action: r.URL.Path, Parts: []ui.Component{field},
			Buttons: []ui.Button{{Text: r.T("fee.ask")}}}}
	if chosen == "" {
		return parts, nil
	}
	a, found := f.AmountFor(chosen, regions)
	if !found {
		return append(parts, ui.Notice{Tone: ui.Info, Text: r.T("fee.nothing", "Country", show.Country(r, chosen))}), nil
	}
	by := show.Country(r, a.Territory)
	if a.Territory == admitto.World {
		by = r.T("intake.world")
	}
	for i := range regions {
		if regions[i].Code == a.Territory {
			by = r.T("intake.region", "Name", regions[i].Name)
		}
	}
	basis := r.T("fee_basis.once")
	if a.Basis == "Year" {
		basis = r.T("fee_basis.year")
	}
	return append(parts, ui.KeyValues{Facts: []ui.KeyValue{{Key: show.Country(r, chosen),
		Value: r.Money(int64(a.Amount), a.Currency)}, {Key: r.T("fee.basis"), Value: basis},
		{Key: r.T("fee.by_line"), Value: by}}}), nil
}
