package application

import (
	"errors"
	"slices"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// mostReason is how many characters a reason in own words may have.
const mostReason = 500

// reasonFields ask why, which nobody has to say.
func (a *own) reasonFields(r *site.Request, f *site.Form) []ui.Component {
	options := []ui.Option{{Text: r.T("my_why.none")}}
	for i := range a.words {
		if a.words[i].Class != admitto.DeclineReasons {
			continue
		}
		for _, c := range a.words[i].Codes {
			if !c.Off {
				options = append(options, ui.Option{Value: c.Code, Text: c.Title})
			}
		}
	}
	class := f.Select("decline-class", "my_why.class", options...)
	class.Optional = true
	words := f.Long("decline-reason", "my_why.words", 3, mostReason)
	words.Optional = true
	return []ui.Component{class, words}
}

func whyTyped(f *site.Form) admitto.Declining {
	return admitto.Declining{Class: f.Get("decline-class"), Words: f.Get("decline-reason")}
}

// withdraw asks before an application is withdrawn, or discarded where it was never submitted (screens.md P25).
func (p *pages) withdraw(r *site.Request, a *own) error {
	a.crumb(r)
	discard := a.may(admitto.Close)
	if !discard && !a.may(admitto.Withdraw) && !r.Posted() {
		return r.To("my-application", a.ID)
	}
	f, err := r.Form(nil, a.RowVersion)
	if err != nil {
		return err
	}
	if r.Posted() && (a.Status == admitto.Withdrawn || a.Status == admitto.Closed) { // in another tab
		state, _ := a.state(r)
		r.Notify(ui.Info, r.T("my_withdraw.already", "State", state))
		return r.To("my-application", a.ID)
	}
	if r.Posted() {
		if discard {
			err = p.Admissions.CloseApplication(r.Context(), r.Caller(), a.ID, false)
		} else {
			err = p.Admissions.Withdraw(r.Context(), r.Caller(), a.ID, whyTyped(f))
		}
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			key := "my_withdraw.done"
			if discard {
				key = "my_withdraw.discarded"
			}
			r.Notify(ui.OK, r.T(key))
			return r.To("my-application", a.ID)
		}
		f.Version = a.RowVersion
	}
	minutes := r.Minutes(admitto.Time(r.Settings().Withdrawal.UndoMinutes) * admitto.Minute)
	ask := ui.Confirmation{Title: r.T("my_withdraw.title", "ID", number(a.ID)), Fields: []ui.Component{f.Head()},
		Effects: []ui.Effect{{Icon: "info", Text: r.T("my_withdraw.offers")},
			{Icon: "info", Text: r.T("my_withdraw.term", "Term", a.InTerm.Name)}},
		Undo:    r.T("my_withdraw.undo", "Time", minutes),
		Confirm: ui.Button{Text: r.T("action.my-withdraw"), Danger: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("my-application", a.ID)}}
	if discard {
		ask.Title = r.T("my_withdraw.discard_title", "ID", number(a.ID))
		ask.Effects = []ui.Effect{{Icon: "info", Text: r.T("my_withdraw.discard_effect")}}
		if slices.ContainsFunc(a.Invoices, func(in admitto.Invoice) bool { return in.Collected == 0 && in.Lapsed == 0 }) {
			ask.Effects = append(ask.Effects, ui.Effect{Icon: "info", Text: r.T("my_withdraw.discard_invoices")})
		}
		if slices.ContainsFunc(a.Invoices, func(in admitto.Invoice) bool { return in.Paid > 0 }) {
			ask.Effects = append(ask.Effects, ui.Effect{Icon: "info", Text: r.T("my_withdraw.discard_paid")})
		}
		ask.Confirm.Text = r.T("my_view.discard")
		return r.Ask(ask)
	}
	reasons := a.reasonFields(r, f)
	ask.Fields = append([]ui.Component{f.Head()}, reasons...)
	return r.Ask(ask)
}

// otherOfTerm is the application of the term that stands in the way, by what was refused; 0 for none.
func otherOfTerm(refused error) (id int64) {
	var e *admitto.Error
	if !errors.As(refused, &e) {
		return 0
	}
	for _, f := range e.Faults {
		if f.Code == admitto.CodeApplicationExists && len(f.Text.Args) > 0 {
			id, _ = f.Text.Args[0].(int64)
		}
	}
	return id
}

// undo takes a withdrawal, or a discarding, back.
func (p *pages) undo(r *site.Request, a *own) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	var kept []int64
	discarded := a.Status == admitto.Closed
	if discarded {
		err = p.Admissions.UndoClosing(r.Context(), r.Caller(), a.ID, "")
	} else {
		kept, err = p.Admissions.UndoWithdrawal(r.Context(), r.Caller(), a.ID)
	}
	if other := otherOfTerm(err); other != 0 {
		r.NotifyWay(ui.Warn, r.T("my_withdraw.replaced", "ID", number(other)), "my-application", other)
		return r.To("my-application", a.ID)
	}
	refused, err := f.Refused(err, nil)
	if err != nil {
		return err
	}
	if refused {
		return p.notNow(r, a, f, "my-application")
	}
	undone := "my_withdraw.undone"
	if discarded {
		undone = "my_withdraw.undiscarded"
	}
	r.Notify(ui.OK, r.T(undone))
	if len(kept) > 0 {
		r.Notify(ui.Warn, r.T("my_withdraw.kept"))
	}
	return r.To("my-application", a.ID)
}

// reopen opens a submitted application for changes, where offers allow it (lifecycle.md T8).
func (p *pages) reopen(r *site.Request, a *own) error {
	a.crumb(r)
	if !a.may(admitto.Reopen) && !r.Posted() {
		return r.To("my-application", a.ID)
	}
	f, err := r.Form(nil, a.RowVersion)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(p.Admissions.ReopenApplication(r.Context(), r.Caller(), a.ID,
			admissions.Reopening{}), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("my_withdraw.reopened"))
			return r.To("my-application", a.ID)
		}
		f.Version = a.RowVersion
	}
	return r.Ask(ui.Confirmation{Title: r.T("my_withdraw.reopen_title", "ID", number(a.ID)),
		Fields:  []ui.Component{f.Head()},
		Effects: []ui.Effect{{Icon: "info", Text: r.T("my_withdraw.reopen_effect")}},
		Confirm: ui.Button{Text: r.T("action.my-reopen"), Primary: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("my-application", a.ID)}})
}
