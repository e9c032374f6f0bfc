package admin

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/ui"
)

// number is an ID as addresses say it.
func number(id int64) string { return strconv.FormatInt(id, 10) }

func optionsOf[T any](list []T, option func(*T) ui.Option) []ui.Option {
	options := make([]ui.Option, 0, len(list))
	for i := range list {
		options = append(options, option(&list[i]))
	}
	return options
}

// truths are the values yes and no of a filter, in its words.
func truths(name string) func(*browsing) []ui.Option {
	return func(b *browsing) []ui.Option {
		return []ui.Option{{Value: "yes", Text: b.r.T("browse." + name + "_yes")},
			{Value: "no", Text: b.r.T("browse." + name + "_no")}}
	}
}

func (b *browsing) statusOptions() []ui.Option {
	options := make([]ui.Option, 0, len(b.counts.Statuses))
	for _, c := range b.counts.Statuses {
		options = append(options, ui.Option{Value: string(c.Status), Text: show.Status(b.r, c.Status).Text,
			Count: b.r.Number(int(c.N))})
	}
	return options
}

func (b *browsing) markOptions() []ui.Option {
	return []ui.Option{
		{Value: "expired", Text: b.r.T("browse.expired"), Count: b.r.Number(int(b.counts.Expired))},
		{Value: "frozen", Text: b.r.T("browse.frozen"), Count: b.r.Number(int(b.counts.Frozen))},
	}
}

func (b *browsing) staffOptions() []ui.Option { return b.officerOptions(b.staff) }

// officerOptions are those who work on applications, the reader and nobody first.
func (b *browsing) officerOptions(staff []admitto.Administrator) []ui.Option {
	options := b.r.ByText(optionsOf(staff, func(a *admitto.Administrator) ui.Option {
		return ui.Option{Value: number(a.ID), Text: a.Name}
	}))
	return append([]ui.Option{{Value: "me", Text: b.r.T("browse.me")}, {Value: "nobody", Text: b.r.T("browse.nobody")}},
		options...)
}

func (b *browsing) flagOptions() []ui.Option {
	return b.r.ByText(optionsOf(b.flags, func(f *admitto.Flag) ui.Option {
		return ui.Option{Value: number(f.ID),
			Text: f.Name}
	}))
}

func (b *browsing) institutionOptions() []ui.Option {
	offering := map[int64]bool{}
	for i := range b.courses {
		offering[b.courses[i].Institution] = true
	}
	options := optionsOf(b.institutions, func(i *admitto.Institution) ui.Option {
		return ui.Option{Value: number(i.ID), Text: i.Name, Disabled: !offering[i.ID]}
	})
	return b.r.ByText(slices.DeleteFunc(options, func(o ui.Option) bool { return o.Disabled }))
}

func (b *browsing) courseOptions() []ui.Option {
	return b.r.ByText(optionsOf(b.courses, func(c *admitto.Course) ui.Option {
		o := ui.Option{Value: number(c.ID), Text: c.Name}
		if c.Code != "" {
			o.Text = c.Code + " " + c.Name
		}
		return o
	}))
}

func (b *browsing) courseTypeOptions() []ui.Option {
	options := optionsOf(b.courses, func(c *admitto.Course) ui.Option { return ui.Option{Value: c.Type, Text: c.Type} })
	return slices.Compact(b.r.ByText(slices.DeleteFunc(options, func(o ui.Option) bool { return o.Value == "" })))
}

// intakeOptions are those of the term.
func (b *browsing) intakeOptions() []ui.Option {
	var options []ui.Option
	for i := range b.intakes {
		if in := &b.intakes[i]; b.term == 0 || in.Term.ID == b.term || slices.Contains(b.view.All("intake"), number(in.ID)) {
			options = append(options, ui.Option{Value: number(in.ID), Text: in.Name})
		}
	}
	return options
}

// offerOptions are the types in use in the term, and those that the address has.
func (b *browsing) offerOptions() []ui.Option {
	used := b.view.All("offer")
	for _, c := range b.counts.Offers {
		used = append(used, number(c.Type))
	}
	options := optionsOf(b.offerTypes, func(t *admitto.OfferType) ui.Option {
		return ui.Option{Value: number(t.ID), Text: t.Title}
	})
	return slices.DeleteFunc(options, func(o ui.Option) bool { return !slices.Contains(used, o.Value) })
}

func (b *browsing) decisionOptions() []ui.Option {
	return []ui.Option{{Value: string(admitto.DecisionFinal), Text: b.r.T("browse.final")},
		{Value: string(admitto.DecisionDeclined), Text: b.r.T("browse.declined")},
		{Value: string(admitto.DecisionNone), Text: b.r.T("browse.undecided")}}
}

func (b *browsing) citizenshipOptions() []ui.Option {
	return b.r.Countries()
}

func (b *browsing) trackerOptions() []ui.Option {
	return b.r.ByText(optionsOf(b.trackers, func(t *admitto.Tracker) ui.Option {
		return ui.Option{Value: number(t.ID), Text: t.Code}
	}))
}

func (b *browsing) taskOptions() (options []ui.Option) {
	for _, t := range b.tasks {
		options = append(options, ui.Option{Value: number(t.Template), Text: t.Class})
	}
	return b.r.ByText(options)
}

// taskStatusOptions are those of the classes chosen, or of all.
func (b *browsing) taskStatusOptions() (options []ui.Option) {
	chosen := b.view.All("task")
	for _, t := range b.tasks {
		if len(chosen) > 0 && !slices.Contains(chosen, number(t.Template)) {
			continue
		}
		for _, s := range t.Statuses {
			if o := (ui.Option{Value: s.Name, Text: s.Name}); !slices.Contains(options, o) {
				options = append(options, o)
			}
		}
	}
	return options
}

// termOptions are all terms, the last first, and all together.
func (b *browsing) termOptions() []ui.Option {
	options := []ui.Option{{Value: allTerms, Text: b.r.T("browse.all_terms"), Selected: b.term == 0}}
	for _, t := range lastFirst(b.terms) {
		options = append(options, ui.Option{Value: number(t.ID), Text: t.Name, Selected: t.ID == b.term})
	}
	return options
}

// lastFirst are terms, those that begin last first.
func lastFirst(terms []admitto.Term) []admitto.Term {
	list := slices.Clone(terms)
	slices.SortStableFunc(list, func(a, b admitto.Term) int {
		if a.Start.Before(b.Start) {
			return 1
		} else if b.Start.Before(a.Start) {
			return -1
		}
		return cmp.Compare(b.ID, a.ID)
	})
	return list
}
