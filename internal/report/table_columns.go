package report

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/usecase"
)

// tableColumn makes the cells of one column. The zero column is one whose source is gone: all cells are empty.
type tableColumn struct {
	needs need
	cell  func(*Table, *tableRow) string
	list  string // the list of the content that cell needs, "" for none
	// A column of a text of the content has its path and its form in the place of a cell.
	text string
	form func(*Table, string) string
	at   int // which of the table's texts it is
}

// parametrised returns the parameter of a source with the prefix.
func parametrised(source, prefix string) (string, bool) { return strings.CutPrefix(source, prefix) }

// columnOf finds the column of a source, which is a default title of resources.md 21.
func columnOf(source string) tableColumn {
	for _, group := range []map[string]tableColumn{applicationColumns(), applicantColumns(), formColumns(),
		offerColumns()} {
		if c, ok := group[source]; ok {
			return c
		}
	}
	if name, ok := parametrised(source, admitto.ScoreColumn); ok {
		return scoreColumn(name)
	}
	if title, ok := parametrised(source, admitto.TaskColumn); ok {
		return taskColumn(title)
	}
	if name, ok := parametrised(source, admitto.QuestionColumn); ok {
		return questionColumn(name)
	}
	if rest, ok := strings.CutPrefix(source, "Course"); ok {
		return courseColumn(rest)
	}
	return tableColumn{}
}

func applicationColumns() map[string]tableColumn {
	app := func(value func(*Table, *admitto.Application) string) tableColumn {
		return tableColumn{needs: needTerms, cell: func(t *Table, r *tableRow) string { return value(t, r.app) }}
	}
	balance := func(amount func(*admitto.Balance) admitto.Hundredths) tableColumn {
		return tableColumn{needs: needBalances, cell: func(t *Table, r *tableRow) string {
			return usecase.Joined(r.balances, func(b *admitto.Balance) string { return money(b.Currency, amount(b)) })
		}}
	}
	return map[string]tableColumn{
		"Application": app(func(_ *Table, a *admitto.Application) string { return usecase.Number(a.ID) }),
		"Applicant":   app(func(_ *Table, a *admitto.Application) string { return usecase.Number(a.Applicant) }),
		"Status": app(func(t *Table, a *admitto.Application) string {
			return cmp.Or(t.catalogue.statuses[a.Status], string(a.Status))
		}),
		"Academic term": app(func(t *Table, a *admitto.Application) string { return t.catalogue.terms[a.Term].Name }),
		"Academic year": app(func(t *Table, a *admitto.Application) string {
			year := t.catalogue.terms[a.Term].Year
			return cmp.Or(t.catalogue.years[year], usecase.Number(year))
		}),
		"Created date":   app(func(t *Table, a *admitto.Application) string { return t.instant(a.Created) }),
		"Revised date":   app(func(t *Table, a *admitto.Application) string { return t.instant(a.Revised) }),
		"Submitted date": app(func(t *Table, a *admitto.Application) string { return t.instant(a.Submitted) }),
		"Frozen date":    app(func(t *Table, a *admitto.Application) string { return t.instant(a.Frozen) }),
		"Flags": {needs: needFlags, cell: func(t *Table, r *tableRow) string {
			return usecase.Joined(r.flags, func(f *admitto.FlagAssociation) string { return t.catalogue.flags[f.Flag] })
		}},
		"Invoices due":  balance(func(b *admitto.Balance) admitto.Hundredths { return b.Due }),
		"Invoices paid": balance(func(b *admitto.Balance) admitto.Hundredths { return b.Paid }),
	}
}

// money is an amount with its currency; nothing is empty.
func money(currency string, amount admitto.Hundredths) string {
	if amount == 0 {
		return ""
	}
	return currency + " " + amount.String()
}

func applicantColumns() map[string]tableColumn {
	person := func(value func(*Table, *admitto.Applicant) string) tableColumn {
		return tableColumn{needs: needApplicant, cell: func(t *Table, r *tableRow) string { return value(t, r.applicant) }}
	}
	return map[string]tableColumn{
		"Registered date":      person(func(t *Table, a *admitto.Applicant) string { return t.instant(a.Registered) }),
		"E-mail":               person(func(_ *Table, a *admitto.Applicant) string { return a.Email }),
		"Phone":                person(func(_ *Table, a *admitto.Applicant) string { return a.Phone }),
		"Name":                 person(func(_ *Table, a *admitto.Applicant) string { return shownName(a) }),
		"Given name(s)":        person(func(_ *Table, a *admitto.Applicant) string { return a.Name.Given }),
		"Middle name(s)":       person(func(_ *Table, a *admitto.Applicant) string { return a.Name.Middle }),
		"Family name(s)":       person(func(_ *Table, a *admitto.Applicant) string { return a.Name.Family }),
		"Citizenship":          person(func(t *Table, a *admitto.Applicant) string { return t.country(a.Citizenship) }),
		"Reference":            person(func(_ *Table, a *admitto.Applicant) string { return a.Reference }),
		"Matriculation number": person(func(_ *Table, a *admitto.Applicant) string { return a.Matriculation }),
		"Trackers": {needs: needTrackers, cell: func(t *Table, r *tableRow) string {
			return usecase.Joined(r.trackers,
				func(a *admitto.TrackerAssociation) string { return t.catalogue.trackers[a.Tracker] })
		}},
	}
}

// offerColumns are those of an offer. In an Application row they hold the values of all its offers, by priority.
func offerColumns() map[string]tableColumn {
	offer := func(value func(*Table, *admitto.Offer) string) tableColumn {
		return tableColumn{needs: needOffers, cell: func(t *Table, r *tableRow) string {
			if r.offer != nil {
				return value(t, r.offer)
			}
			return usecase.Joined(r.offers, func(o *admitto.Offer) string { return value(t, o) })
		}}
	}
	decimal := func(h *admitto.Hundredths) string {
		if h == nil {
			return ""
		}
		return h.String()
	}
	rank := offer(func(t *Table, o *admitto.Offer) string {
		return usecase.Joined(t.catalogue.ranks.of[o.ID], func(p *place) string { return strconv.Itoa(p.rank) })
	})
	rank.needs |= needRanks
	declining := offer(func(t *Table, o *admitto.Offer) string {
		return o.Declining.Say(t.title(admitto.DeclineReasons, o.Declining.Class))
	})
	declining.needs |= needClasses
	return map[string]tableColumn{
		"Offer":      offer(func(_ *Table, o *admitto.Offer) string { return usecase.Number(o.ID) }),
		"Priority":   offer(func(_ *Table, o *admitto.Offer) string { return strconv.Itoa(o.Priority) }),
		"Offer type": offer(func(t *Table, o *admitto.Offer) string { return t.catalogue.offerTypes[o.Type] }),
		"Offer type (confirmed)": offer(func(t *Table,
			o *admitto.Offer) string {
			return t.catalogue.offerTypes[o.TypeConfirmed]
		}),
		"Offer date (confirmed)": offer(func(t *Table, o *admitto.Offer) string { return t.instant(o.Confirmed) }),
		"Decision":               offer(func(_ *Table, o *admitto.Offer) string { return string(o.Decision) }),
		"Decision date":          offer(func(t *Table, o *admitto.Offer) string { return t.instant(o.Decided) }),
		"Decision deadline":      offer(func(_ *Table, o *admitto.Offer) string { return o.DecisionDeadline.String() }),
		"Decline reason":         declining,
		"Score (automatic)":      offer(func(_ *Table, o *admitto.Offer) string { return decimal(o.ScoreAuto) }),
		"Score (extra)":          offer(func(_ *Table, o *admitto.Offer) string { return decimal(o.ScoreExtra) }),
		"Score (total)": offer(func(_ *Table, o *admitto.Offer) string {
			entry := admitto.RankingEntry{Auto: o.ScoreAuto, Extra: o.ScoreExtra}
			return decimal(entry.Total())
		}),
		"Rank": rank,
	}
}

// courseColumn reads "", " n", ": Code", " n: Code" and the like behind Course. With a number it is the course
// of that priority; without, that of the offer or, in an Application row, all courses by priority.
func courseColumn(rest string) tableColumn {
	place, part, _ := strings.Cut(rest, ": ")
	priority := 0
	if place != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(place, " "))
		if err != nil || n < 1 || n > 5 || place != " "+strconv.Itoa(n) {
			return tableColumn{}
		}
		priority = n
	}
	var value func(k *tableCatalogue, course, intake int64) string
	switch part {
	case "":
		value = func(k *tableCatalogue, course, _ int64) string { return k.courses[course].Name }
	case "Code":
		value = func(k *tableCatalogue, course, _ int64) string { return k.courses[course].Code }
	case "Institution":
		value = func(k *tableCatalogue, course, _ int64) string { return k.institutions[k.courses[course].Institution] }
	case "Intake":
		value = func(k *tableCatalogue, _, intake int64) string { return k.intakes[intake] }
	default:
		return tableColumn{}
	}
	return tableColumn{needs: needCourses, cell: func(t *Table, r *tableRow) string {
		if priority == 0 && r.offer != nil {
			return value(t.catalogue, r.offer.Course, r.offer.Intake)
		}
		return usecase.Joined(r.courses, func(c *admitto.ApplicationCourse) string {
			if priority != 0 && c.Priority != priority {
				return ""
			}
			return value(t.catalogue, c.Course, c.Intake)
		})
	}}
}

// scoreColumn holds the points on the scoresheet of the name. An Offer row has those of its offer.
func scoreColumn(name string) tableColumn {
	return tableColumn{needs: needScores, cell: func(t *Table, r *tableRow) string {
		return usecase.Joined(r.scores, func(s *admitto.Score) string {
			another := r.offer != nil && s.Offer != 0 && s.Offer != r.offer.ID
			if s.Points == nil || another || !contains(t.catalogue.sheets[name], s.Scoresheet) {
				return ""
			}
			return string(s.Points.Append(nil, s.Scale))
		})
	}}
}

// taskColumn holds the status of the tasks with the title.
func taskColumn(title string) tableColumn {
	return tableColumn{needs: needTasks, cell: func(_ *Table, r *tableRow) string {
		return usecase.Joined(r.tasks, func(k *admitto.Task) string {
			if k.Title != title {
				return ""
			}
			return k.Status
		})
	}}
}
