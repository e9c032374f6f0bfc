package batches

import (
	"net/url"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// BulkFor is what the reader may do with the selected rows of a list, by the table of batches (lifecycle.md 11.3):
// actions that ask for a choice of the list next to it, the others as buttons. It is nil where there is nothing.
func BulkFor(r *site.Request, source admitto.BatchSource, choices map[string]ui.Select) *ui.Bulk {
	bulk := &ui.Bulk{}
	groups := map[string]int{}
	for _, a := range batch.Actions() {
		if !Offered(r, &a, source) {
			continue
		}
		button := ui.Button{Text: r.Say(a.Title), Name: "do", Value: a.Name, Small: true}
		field := ""
		if len(a.Fields) == 1 {
			field = a.Fields[0]
		}
		choice, known := choices[field]
		if !known {
			bulk.Actions = append(bulk.Actions, button)
			continue
		}
		if len(choice.Options) == 0 {
			continue
		}
		at, begun := groups[field]
		if !begun {
			at = len(bulk.Groups)
			groups[field] = at
			choice.Field = ui.Field{ID: "bulk-" + field, Name: field, Label: r.T("browse." + field)}
			bulk.Groups = append(bulk.Groups, ui.BulkGroup{Select: choice})
		}
		bulk.Groups[at].Actions = append(bulk.Groups[at].Actions, button)
	}
	if len(bulk.Groups)+len(bulk.Actions) == 0 {
		return nil
	}
	return bulk
}

// Offered reports whether the reader may do an action with the records of a list.
func Offered(r *site.Request, a *batch.Action, source admitto.BatchSource) bool {
	lacks := func(p admitto.Permission) bool { return !r.Reader().Has(p) }
	return slices.Contains(a.Sources, source) && !slices.ContainsFunc(a.NeededFor(source), lacks)
}

// AllWords are the words of the box for all that match, "" where there are not several. It stands there where all are
// on the page, too, for those without scripts, which tick all rows at once.
func AllWords(r *site.Request, total int64, more bool) string {
	if total < 2 {
		return ""
	}
	count := r.Number(int(total))
	if more {
		count += "+"
	}
	return r.T("at_once.all", "Count", count)
}

// Prepare leads from a list to the page that prepares a batch of what is selected there, or of those that are named.
func Prepare(r *site.Request, f *site.Form, a *batch.Action, source admitto.BatchSource, list string,
	named ...int64) error {
	values := url.Values{"action": {a.Name}, "source": {string(source)}, "next": {list}}
	if address, err := url.Parse(list); err == nil {
		values.Set("query", address.RawQuery)
		if of := address.Query()["course"]; len(of) == 1 { // what the list is of is most likely what is meant
			values.Set("course", of[0])
		}
	}
	if len(named) > 0 {
		for _, id := range named {
			values.Add("id", number(id))
		}
	} else if f.Has("all") {
		values.Set("all", "1")
	} else {
		values["id"] = f.All("id")
	}
	for _, field := range a.Fields {
		if value := f.Get(field); value != "" {
			values.Set(field, value)
		} else if field == "officer" {
			values.Set(field, "nobody")
		}
	}
	return r.Redirect(r.At("batch-new") + "?" + values.Encode())
}

// OfSelected leads from the bar below a list of the source to the batch of what is selected there.
func OfSelected(r *site.Request, source admitto.BatchSource, list string) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	a, known := batch.ActionNamed(f.Get("do"))
	if !known || !slices.Contains(a.Sources, source) {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if !f.Has("all") && len(f.All("id")) == 0 {
		r.Notify(ui.Warn, r.T("batches.none_selected"))
		return r.Redirect(list)
	}
	return Prepare(r, f, &a, source, list)
}
