package report

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
)

// ColumnGroup is a group of the columns that an administrator can choose (resources.md 21), by default titles.
type ColumnGroup struct {
	Key     string // "application", and so on
	Columns []string
}

// The groups of columns whose sources are records: of scoresheets, tasks and questions.
const (
	groupScores = "scores"
	groupTasks  = "tasks"
	groupExtras = "extras"
)

// fixedGroups are the columns that there always are, in the order of the contract.
func fixedGroups() []ColumnGroup {
	groups := []ColumnGroup{
		{"application", []string{"Application", "Status", "Academic term", "Academic year", "Created date", "Revised date",
			"Submitted date", "Frozen date", "Flags"}},
		{"applicant", []string{"Applicant", "Registered date", "E-mail", "Phone", "Name", "Given name(s)", "Middle name(s)",
			"Family name(s)", "Citizenship", "Reference", "Matriculation number", "Trackers"}},
	}
	known := formColumns()
	for _, section := range form.Sections() {
		var titles []string
		add := func(title string) {
			if _, ok := known[title]; ok && title != "" {
				titles = append(titles, title)
			}
		}
		rows := 1
		if section.Columns == form.PickFirst {
			rows = form.PickedRows
		}
		for n := range rows {
			for _, f := range section.Leaves() {
				title := strings.Replace(f.Column, " n", " "+string(rune('1'+n)), 1)
				if f.Kind == form.Person && f.Column != "" {
					add(f.Column + ": Given name(s)")
					add(f.Column + ": Family name(s)")
				} else {
					add(title)
				}
			}
		}
		if titles != nil {
			groups = append(groups, ColumnGroup{section.Key, titles})
		}
	}
	courses := ColumnGroup{Key: "courses"}
	for _, place := range []string{"", " 1", " 2", " 3", " 4", " 5"} {
		for _, part := range []string{"", ": Code", ": Institution", ": Intake"} {
			courses.Columns = append(courses.Columns, "Course"+place+part)
		}
	}
	return append(groups, courses,
		ColumnGroup{"offers", []string{"Offer", "Priority", "Offer type", "Offer type (confirmed)", "Offer date (confirmed)",
			"Decision", "Decision date", "Decision deadline", "Decline reason", "Score (automatic)", "Score (extra)",
			"Score (total)", "Rank"}},
		ColumnGroup{"invoices", []string{"Invoices due", "Invoices paid"}})
}

// TableColumns returns all columns that there are, by group: also those that the caller may not choose, since tables of
// others have them.
func (s *Service) TableColumns(ctx context.Context, by admitto.Caller) (groups []ColumnGroup, err error) {
	if err := by.Needs(admitto.TableviewsUse); err != nil {
		return nil, err
	}
	groups = fixedGroups()
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		sheets, err := tx.Scoresheets()
		if err != nil {
			return err
		}
		templates, err := tx.TaskTemplates()
		if err != nil {
			return err
		}
		questions, err := tx.Questions()
		if err != nil {
			return err
		}
		scores, tasks, extras := ColumnGroup{Key: groupScores}, ColumnGroup{Key: groupTasks}, ColumnGroup{Key: groupExtras}
		for i := range sheets {
			scores.add(admitto.ScoreColumn + sheets[i].Name)
		}
		for i := range templates {
			tasks.add(admitto.TaskColumn + templates[i].Title)
		}
		for i := range questions {
			extras.add(admitto.QuestionColumn + questions[i].Name)
		}
		for _, g := range []ColumnGroup{scores, tasks, extras} {
			if g.Columns != nil {
				groups = append(groups, g)
			}
		}
		return nil
	})
	return groups, err
}

// add appends a column that the group does not have: several records may have one title.
func (g *ColumnGroup) add(title string) {
	if !slices.Contains(g.Columns, title) {
		g.Columns = append(g.Columns, title)
	}
}

// ColumnNeeds are the permissions of which one shows an administrator elsewhere what a column has (screens.md A47).
func ColumnNeeds(source string) []admitto.Permission {
	const applicants, applications, offers, accounting = admitto.ApplicantsView, admitto.ApplicationsView,
		admitto.OffersView, admitto.AccountingView
	switch source {
	case "Application", "Status": // the head of its card
		return []admitto.Permission{applications, offers, accounting}
	case "Applicant", "Name":
		return []admitto.Permission{applicants, applications, offers, accounting}
	case "Given name(s)", "Middle name(s)", "Family name(s)", "Citizenship":
		return []admitto.Permission{applicants, applications}
	}
	if _, ok := applicantColumns()[source]; ok {
		return []admitto.Permission{applicants}
	}
	if _, ok := offerColumns()[source]; ok {
		return []admitto.Permission{offers}
	}
	if strings.HasPrefix(source, "Invoices ") {
		return []admitto.Permission{accounting}
	}
	return []admitto.Permission{applications}
}

// MayColumn refuses administrators who do not see elsewhere what a column has. Keys have scopes in place of that.
func MayColumn(by admitto.Caller, source string) error {
	if by.Actor.Kind != admitto.ByAdministrator {
		return nil
	}
	needs := ColumnNeeds(source)
	return by.NeedsAny(needs[0], needs[1:]...)
}

// MayRows refuses administrators who do not see elsewhere what a tableview filters by, or the offers that it lists.
func MayRows(by admitto.Caller, v *admitto.Tableview) error {
	if by.Actor.Kind != admitto.ByAdministrator {
		return nil
	}
	if v.ByOffer {
		if err := by.Needs(admitto.OffersView); err != nil {
			return err
		}
	}
	filters, err := admitto.ReadTableFilters(v.Filters)
	if err != nil {
		return err
	}
	return mayFilter(by, &filters)
}

// mayFilter refuses callers who do not see elsewhere what is filtered by.
func mayFilter(by admitto.Caller, f *admitto.TableFilters) error {
	q := f.Query()
	for _, p := range q.Shows() {
		if err := by.Needs(p); err != nil {
			return err
		}
	}
	if plain, err := json.Marshal(f); err != nil || string(plain) == "{}" {
		return err
	}
	return by.Needs(admitto.ApplicationsView)
}
