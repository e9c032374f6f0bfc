package records

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Form is the page of a new record, or of one that is there.
type Form[T any] struct {
	Query        *query.Service
	Kind         admitto.RowKind
	ID           int64                             // 0: a new one
	Events       []admitto.Pattern                 // that tell of its changes
	About        func(v *T, of admitto.Links) bool // whether an event is about it; nil: its value is the ID
	Bound        string                            // the value of such events instead
	Back         string                            // where Cancel leads
	Intro, Saved string                            // messages; the second has {{.Name}}
	Press        string                            // message of the button that makes a new one

	Name   func(v *T) string
	Read   func() (T, error)
	Fields func(m Maker[T], v *T) ([]Field[T], error)
	Save   func(v T) (next string, err error) // next is the address to go on to
	Below  func(v *T) ([]ui.Component, error) // nil for nothing
	// Buttons lead on from a record; nil for none.
	Buttons func(v *T) []ui.Button
	// Warn says what follows from saving that nobody would want unseen, "" for nothing: it has to be ticked then.
	Warn func(was, typed *T) (string, error)
	// Preview is a box with the ID "preview" next to the form, of what was typed; nil for nothing. Live is the address
	// that makes it while somebody types.
	Preview func(v *T) (*ui.Box, error)
	Live    string

	warning string
	typed   *T // what the preview shows, where it is not what is stored
}

// Show answers with the form, or takes it.
func (p *Form[T]) Show(r *site.Request) error {
	var version int64
	if p.ID != 0 { // read before the record: a change between the two is noticed
		var err error
		version, err = p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: p.Kind, ID: p.ID})
		if err != nil {
			return err
		}
	}
	v, err := p.Read()
	if err != nil {
		return err
	}
	fields, err := p.Fields(Maker[T]{r}, &v)
	if err != nil {
		return err
	}
	stored := site.Values{}
	for _, field := range fields {
		field.Put(stored, &v)
	}
	f, err := r.Form(stored, version)
	if err != nil {
		return err
	}
	if err := f.Since(func() (who, when, what string, err error) {
		who, when, err = p.lastEdit(r, &v)
		return who, when, "", err
	}); err != nil {
		return err
	}
	if r.Posted() {
		taken, err := p.take(r, f, fields, &v, stored, version)
		if err != nil || taken {
			return err
		}
	}
	return p.page(r, f, fields, &v)
}

// take stores what was typed; taken is false where something is wrong with it.
func (p *Form[T]) take(r *site.Request, f *site.Form, fields []Field[T], v *T, stored site.Values,
	version int64) (taken bool, err error) {
	typed := *v
	for _, field := range fields {
		field.Take(f, &typed)
	}
	if p.Preview != nil {
		p.typed = &typed
	}
	if p.Preview != nil && f.Has("preview") {
		return false, nil
	}
	if p.Warn != nil && !f.Failed() {
		if p.warning, err = p.Warn(v, &typed); err != nil {
			return false, err
		}
		if p.warning != "" && !f.Has("sure") {
			f.FailWords("sure", p.warning)
		}
	}
	var next string
	err = f.Store(func() (err error) {
		next, err = p.Save(typed)
		return err
	})
	changed := site.Changed(err)
	refused, err := f.Refused(err, inputsOf(fields, err))
	switch {
	case err != nil:
		return false, err
	case !refused:
		r.Notify(ui.OK, r.T(p.Saved, "Name", p.Name(&typed)))
		return true, r.Redirect(next)
	case changed:
		return false, p.meanwhile(r, f, fields, v, stored, version)
	}
	return false, nil
}

// inputsOf are the inputs that the faults of a refusal are about, as far as the fields say so.
func inputsOf[T any](fields []Field[T], err error) map[admitto.Path]string {
	refused, _ := errors.AsType[*admitto.Error](err)
	if refused == nil {
		return nil
	}
	at := map[admitto.Path]string{}
	for _, fault := range refused.Faults {
		for _, field := range fields {
			if field.At == nil {
				continue
			}
			if name := field.At(fault.Path); name != "" {
				at[fault.Path] = name
			}
		}
	}
	return at
}

func (p *Form[T]) page(r *site.Request, f *site.Form, fields []Field[T], v *T) error {
	sheet := site.Sheet{}
	press := p.Press
	if p.ID != 0 {
		press = "action.save"
		r.SetTitle(p.Name(v))
		sheet.Title = p.Name(v)
		if p.Buttons != nil {
			sheet.Buttons = p.Buttons(v)
		}
	}
	if p.Intro != "" {
		sheet.Intro = []string{r.T(p.Intro)}
	}
	var parts []ui.Component
	for _, field := range fields {
		if field.Pick == nil {
			parts = append(parts, field.Draw(f)...)
			continue
		}
		drawn, err := field.Pick(f)
		if err != nil {
			return err
		}
		parts = append(parts, drawn...)
	}
	if p.warning != "" {
		parts = append(parts, f.Tick("sure", "record.sure", "record.sure_tick"))
	}
	buttons := []ui.Button{r.Save(press), r.Cancel(p.Back)}
	if p.Preview == nil {
		sheet.Parts = []ui.Component{f.Box(buttons, parts...)}
	} else {
		preview, err := p.Preview(cmp.Or(p.typed, v))
		if err != nil {
			return err
		}
		buttons = slices.Insert(buttons, 1, ui.Button{Text: r.T("record.preview"), Name: "preview", Value: "yes",
			Busy: r.T("record.preview")})
		box := f.Box(buttons, parts...)
		box.Live = p.Live
		sheet.Parts = []ui.Component{ui.Columns{Parts: []ui.Component{box, *preview}}}
	}
	if p.ID != 0 && p.Below != nil {
		below, err := p.Below(v)
		if err != nil {
			return err
		}
		sheet.Parts = append(sheet.Parts, below...)
	}
	return sheet.Show(r)
}

// meanwhile lets the reader choose between what was typed and what somebody else has saved (screens.md U10).
func (p *Form[T]) meanwhile(r *site.Request, f *site.Form, fields []Field[T], v *T, stored site.Values,
	version int64) error {
	who, when, err := p.lastEdit(r, v)
	if err != nil {
		return err
	}
	var inputs [][2]string
	for _, field := range fields {
		inputs = append(inputs, field.Inputs...)
	}
	f.Meanwhile(stored, version, who, when, inputs...)
	return nil
}

// lastEdit is who changed the record last, and when.
func (p *Form[T]) lastEdit(r *site.Request, v *T) (who, when string, err error) {
	var events []admitto.EventFilter
	of := func(*admitto.Record) bool { return true }
	for _, pattern := range p.Events {
		filter := admitto.EventFilter{Pattern: pattern}
		if p.About == nil {
			filter.Bind = []string{cmp.Or(p.Bound, strconv.FormatInt(p.ID, 10))}
		}
		events = append(events, filter)
	}
	if p.About != nil {
		of = func(record *admitto.Record) bool { return p.About(v, record.Links) }
	}
	who, at, err := p.Query.LastEdit(r.Context(), r.Reader(), events, of)
	if at == 0 {
		at = r.Now()
	}
	return cmp.Or(who, r.T("record.somebody")), r.Clock(at), err
}
