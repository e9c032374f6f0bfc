package application

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// declarations are what applicants declare when they submit, in the language of the reader.
func declarations(r *site.Request) (list []string) {
	text, _ := r.Settings().Portal.Declarations.In(r.Lang, r.Settings().Instance.Languages)
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if paragraph = strings.Join(strings.Fields(paragraph), " "); paragraph != "" {
			list = append(list, r.Seeded(paragraph))
		}
	}
	return list
}

// check is screens.md P14: everything that was filled in, what stands in the way, and the button that submits.
func (p *pages) check(r *site.Request, a *own) error {
	a.crumb(r)
	a.setSteps(r, "my-check")
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	unsaved, err := a.unsaved(r)
	if err != nil {
		return err
	}
	declared := declarations(r)
	if r.Posted() {
		if unsaved != nil && !f.Has(withoutUnsaved) {
			f.Fail(withoutUnsaved, "my_check.unsaved_left")
		}
		sent, err := p.submit(r, a, f, declared)
		if err != nil || sent {
			return err
		}
	}
	faults, known := a.against(admitto.Submit)
	page := site.Sheet{Parts: append(unsavedBox(r, unsaved), a.also(r)...)}
	if a.isOpen() && !onlyLate(faults) {
		page.Intro = []string{r.T("my_check.intro")}
	}
	words, _ := a.deadline(r)
	page.Parts = append(page.Parts, ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("my_check.now"),
		Value: r.ExactClock(r.Now())}, {Key: r.T("my_view.deadline"), Value: words}}})
	if !a.isOpen() {
		page.Parts = append(page.Parts, a.whyClosed(r))
	} else if !known || len(faults) > 0 {
		page.Parts = append(page.Parts, a.obstacles(r, faults, ui.Words{Text: r.T("my_check.mend")}))
	}
	page.Parts = append(page.Parts, a.whole(r)...)
	if a.isOpen() && known && len(faults) == 0 {
		var parts []ui.Component
		for n, text := range declared {
			parts = append(parts, f.Choices("declared-"+strconv.Itoa(n), "my_check.declaration", true,
				ui.Option{Value: "yes", Text: text}))
		}
		if unsaved != nil {
			parts = append(parts, f.Tick(withoutUnsaved, "my_check.unsaved", "my_check.unsaved_without"))
		}
		page.Parts = append(page.Parts, f.Box([]ui.Button{r.Save("action.my-check"),
			r.Cancel(r.At("my-application", a.ID))}, parts...))
	}
	return page.Show(r)
}

// whole is the application as it will be sent.
func (a *own) whole(r *site.Request) (parts []ui.Component) {
	parts = append(parts, a.courseBox(r))
	for _, part := range a.parts() {
		box := ui.Box{Title: formpage.SectionName(r, part.Section), Parts: a.shown(r, part.Section)}
		if a.mayFill(part.Key) {
			box.Actions = []ui.Button{{Text: r.T("my_form.edit"), About: box.Title, Small: true,
				Href: r.At("my-section", a.ID, part.Key)}}
		}
		if len(box.Parts) == 0 {
			box.Parts = []ui.Component{ui.Words{Text: r.T("my_check.nothing"), Muted: true}}
		}
		parts = append(parts, box)
	}
	list := ui.KeyValues{}
	for i := range a.Documents {
		list.Facts = append(list.Facts, ui.KeyValue{Key: a.Documents[i].Name, Value: r.Clock(a.Documents[i].Uploaded)})
	}
	if list.Facts != nil {
		parts = append(parts, ui.Box{Title: r.T("my_view.documents"), Parts: []ui.Component{list}})
	}
	return parts
}

// submit hands the application in. A refused attempt leads to its receipt, which says why (lifecycle.md 3.7).
func (p *pages) submit(r *site.Request, a *own, f *site.Form, declared []string) (sent bool, err error) {
	for n := range declared {
		if name := "declared-" + strconv.Itoa(n); !f.Has(name) {
			f.Fail(name, "my_check.not_declared")
		}
	}
	if f.Failed() {
		return false, nil
	}
	receipt, err := p.Admissions.Submit(r.Context(), r.Caller(), a.ID, admissions.Submission{Declared: declared})
	if receipt.Number != 0 {
		if _, known := f.Refused(nil, nil); known != nil {
			return false, known
		}
		return true, r.To("my-receipt", a.ID, receipt.Number)
	}
	_, err = f.Refused(err, nil)
	return false, err
}

// receiptOf is the receipt that a page is about.
func receiptOf(r *site.Request, a *own) (*admitto.Receipt, error) {
	id, err := r.IDAt("receipt")
	if err != nil {
		return nil, err
	}
	for i := range a.Receipts {
		if a.Receipts[i].Number == id {
			return &a.Receipts[i], nil
		}
	}
	return nil, &admitto.Error{Kind: admitto.NotFound}
}

// receipt is screens.md P15: what came of an attempt to submit, and what comes next.
func (p *pages) receipt(r *site.Request, a *own) error {
	a.crumb(r)
	receipt, err := receiptOf(r, a)
	if err != nil {
		return err
	}
	r.SetTitle(r.T("my_receipt.of", "Number", receipt.NumberText()))
	page := site.Sheet{Buttons: []ui.Button{{Text: r.T("my_receipt.print"), Icon: "printer", Prints: true},
		{Text: r.T("action.my-receipt-text"), Icon: "download", Href: r.At("my-receipt-text", a.ID, receipt.Number)}}}
	if receipt.Accepted {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.OK, Text: r.T("my_receipt.was_accepted", "Time",
			r.ExactClock(receipt.Made))}, ui.Words{Text: r.T("my_receipt.next")})
	} else {
		to := "my-check"
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Bad, Text: r.T("my_receipt.was_refused", "Time",
			r.ExactClock(receipt.Made))})
		switch faults, _ := a.against(admitto.Submit); {
		case len(faults) > 0 && a.isOpen():
			page.Parts = append(page.Parts, a.obstacles(r, faults))
			if onlyLate(faults) { // the page that submits has no button now
				to = "my-courses"
			}
		default: // what stood in the way then
			page.Parts = append(page.Parts, because(r, receipt))
			if !a.isOpen() {
				to = "my-application"
			}
		}
		page.Parts = append(page.Parts, ui.Acts{{Text: r.T("title." + to), Href: r.At(to, a.ID)},
			{Text: r.T("title.help"), Href: a.help(r, aboutRefused(receipt)).Href}})
	}
	gone := map[int64]string{}
	for _, id := range receipt.Courses() {
		c, err := p.Query.Course(r.Context(), r.Reader(), id)
		if err != nil && admitto.KindOf(err) != admitto.NotFound {
			return err
		}
		if err == nil {
			gone[id], _ = c.NameIn(r.Lang)
		}
	}
	page.Parts = append(page.Parts, a.receiptFacts(r, receipt, gone), ui.Secret{ID: "receipt", Lang: r.Foreign("en"),
		Label: r.T("my_receipt.text"), Hint: r.T("my_receipt.keep"),
		Code: receipt.Whole()}, ui.Acts{{Text: r.T("my_receipt.to_check"), Href: r.At("receipts")},
		{Text: r.T("my_form.to_overview"), Href: r.At("my-application", a.ID)}})
	return page.Show(r)
}

// because says why an attempt to submit was refused, in the words of the codes that its receipt has.
func because(r *site.Request, receipt *admitto.Receipt) ui.Component {
	var why []string
	for _, code := range receipt.Refused() {
		if key := "refused_for." + strings.ReplaceAll(code, "-", "_"); r.Has(key) {
			why = append(why, r.T(key))
		}
	}
	return ui.Words{Text: strings.Join(why, " ")}
}

// aboutRefused is what a question about a refused attempt to submit is about.
func aboutRefused(receipt *admitto.Receipt) string {
	if slices.Contains(receipt.Refused(), admitto.CodeDeadlinePassed) {
		return "deadline"
	}
	return "submit"
}

// receiptFacts are what a receipt says, with the courses by their names in the language of the reader; one that there
// is no more goes by its number. The names of those that are not in the application any more are in gone.
func (a *own) receiptFacts(r *site.Request, receipt *admitto.Receipt, gone map[int64]string) ui.Component {
	result := r.T("my_receipt.refused")
	if receipt.Accepted {
		result = r.T("my_receipt.accepted")
	}
	facts := []ui.KeyValue{{Key: r.T("my_receipt.number"), Value: receipt.NumberText()},
		{Key: r.T("my_receipt.time"), Value: r.ExactClock(receipt.Made)}, {Key: r.T("my_receipt.result"), Value: result}}
	for n, id := range receipt.Courses() {
		fact := ui.KeyValue{Key: r.T("my_receipt.course", "Place", r.Number(n+1)), Value: cmp.Or(gone[id], number(id))}
		for i := range a.Courses {
			if c := &a.Courses[i]; c.Course == id {
				fact.Value, fact.Lang = c.Named.Name, a.langs[c.Named.Name]
			}
		}
		facts = append(facts, fact)
	}
	return ui.KeyValues{Facts: append(facts, ui.KeyValue{Key: r.T("my_receipt.fingerprint"),
		Value: receipt.Fingerprint()})}
}

// receiptText is the receipt as a file.
func (p *pages) receiptText(r *site.Request, a *own) error {
	receipt, err := receiptOf(r, a)
	if err != nil {
		return err
	}
	return r.Download("receipt-"+receipt.NumberText()+".txt", "text/plain; charset=utf-8", func(w io.Writer) error {
		_, err := io.WriteString(w, receipt.Whole())
		return err
	})
}

// printout is the application as PDF.
func (p *pages) printout(r *site.Request, a *own) error {
	f, data, err := p.Query.Printout(r.Context(), r.Reader(), a.ID)
	return download(r, f.Name, data, err)
}
