package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
)

// Seed puts the defaults of a new instance (resources.md 25) into a database that has none yet. name is the
// name of the first institution, currentYear the current academic year. Doing it again changes nothing.
func (s *Store) Seed(ctx context.Context, name string, currentYear int) error {
	const fact = "seeded"
	return s.Write(ctx, func(tx *Tx) error {
		if err := tx.lockMigrations(); err != nil {
			return err
		}
		done, err := tx.InstanceFact(fact)
		if err != nil || done != "" {
			return err
		}
		for _, seed := range []func() error{
			tx.seedWords, tx.seedOfferTypes, tx.seedTasks,
			func() error { return tx.seedCatalogue(name, currentYear) },
		} {
			if err := seed(); err != nil {
				return err
			}
		}
		return tx.SetInstanceFact(fact, "1")
	})
}

// customIDs is below the first ID of term types and roles that administrators add.
const customIDs = 100

func (tx *Tx) seedWords() error {
	var rows [][]any
	for i, s := range seedStatuses {
		rows = append(rows, []any{s[0], i + 1, s[1], s[2], s[3]})
	}
	if err := tx.bulk("INSERT INTO application_status (name, position, title, colour, explained) VALUES ($1, $2, $3, $4, $5)", rows); err != nil {
		return err
	}
	rows = nil
	for i, c := range seedClasses {
		for j, code := range c.codes {
			rows = append(rows, []any{c.name, code[0], code[1], i + 1, j + 1})
		}
	}
	err := tx.bulk("INSERT INTO classificator (class, code, title, class_position, position) VALUES ($1, $2, $3, $4, $5)",
		rows)
	if err != nil {
		return err
	}
	rows = nil
	names := map[string]string{"EU": "European Union", "EEA": "European Economic Area", "002": "Africa", "009": "Oceania",
		"019": "Americas", "142": "Asia", "150": "Europe"}
	for i, r := range seedRegions {
		members, err := json.Marshal(strings.Fields(r[1]))
		if err != nil {
			return err
		}
		rows = append(rows, []any{r[0], names[r[0]], i + 1, string(members)})
	}
	return tx.bulk("INSERT INTO region (code, name, position, members) VALUES ($1, $2, $3, $4)", rows)
}

func (tx *Tx) seedOfferTypes() error {
	var rows [][]any
	for i, t := range seedOfferTypes {
		subject, comments := "", ""
		has := func(letter string) bool { return strings.Contains(t.attributes, letter) }
		if has("C") {
			subject = "Your application: " + t.title
			comments = "Dear %applicant-Name%,\n\nyour application to %course-FullName% at %institution-Name% now has the status \"" + t.title + "\"."
		}
		rows = append(rows, []any{i + 1, "Online", t.title, strings.ToLower(t.title), t.title, t.colour, t.ranking,
			has("C"), has("F"), has("D"), has("L"), has("R"), has("S"), subject, comments})
	}
	err := tx.bulk(`INSERT INTO offer_type (id, position, status, title, title_key, public_title, colour, ranking, confirm, freezes,
		decide, decline, reopen, silence, subject, comments)
		VALUES ($1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`, rows)
	if err != nil {
		return err
	}
	return tx.SkipIDs("offer_type", int64(len(rows)))
}

func (tx *Tx) seedTasks() error {
	var templates, statuses [][]any
	for i, t := range seedTemplates {
		templates = append(templates, []any{i + 1, t.class, t.title, t.trigger})
		list := seedChecklist[:]
		if i == 0 {
			list = seedDocumentCheck[:]
		}
		for j, s := range list {
			has := func(letter string) bool { return strings.Contains(s.switches, letter) }
			statuses = append(statuses, []any{i + 1, s.name, j + 1, has("P"), has("D"), t.blocks && has("D"), has("R"), has("C"),
				has("F"), has("T")})
		}
	}
	if err := tx.bulk("INSERT INTO task_template (id, class, title, causing) VALUES ($1, $2, $3, $4)",
		templates); err != nil {
		return err
	}
	err := tx.bulk(`INSERT INTO task_template_status (template_id, name, position, title, public, is_default, blocks, resolves, closes,
		requires_document, tells) VALUES ($1, $2, $3, $2, $4, $5, $6, $7, $8, $9, $10)`, statuses)
	if err != nil {
		return err
	}
	return tx.SkipIDs("task_template", int64(len(templates)))
}

func (tx *Tx) seedCatalogue(name string, currentYear int) error {
	var types []admitto.TermType
	for i, name := range seedTermTypes {
		types = append(types, admitto.TermType{ID: int64(i + 1), Name: name})
	}
	var years []admitto.Year
	for year := currentYear - 1; year <= currentYear+2; year++ {
		years = append(years, admitto.Year{Year: int64(year), Name: fmt.Sprintf("%d/%02d", year, (year+1)%100),
			Start: admitto.Date{Year: int16(year), Month: 9, Day: 1}})
	}
	var profiles [][]any
	for _, p := range seedProfiles {
		profiles = append(profiles, []any{p[0], p[1], "archive"})
	}
	now := tx.Now()
	view := admitto.Tableview{ID: 1, Created: now, Modified: now, Title: "Applications", Columns: seedTableview()}
	for _, step := range []func() error{
		func() error { return insertRows(tx, columns.TermType, types) },
		func() error { return insertRows(tx, columns.Role, admitto.BuiltInRoles()) },
		func() error { return insertRows(tx, columns.Year, years) },
		func() error {
			return insertRows(tx, columns.Institution, []admitto.Institution{{ID: 1, Status: "Online", Mode: "Internal",
				Name: name}})
		},
		func() error {
			return insertRows(tx, columns.Series, []admitto.Series{{ID: 1, Name: "General", Format: "%inc%", Default: true}})
		},
		func() error { return insertRows(tx, columns.Tableview, []admitto.Tableview{view}) },
		func() error {
			return tx.bulk("INSERT INTO export_profile (code, name, adapter) VALUES ($1, $2, $3)", profiles)
		},
		func() error {
			return tx.bulk("INSERT INTO letterhead (id, name, created, modified) VALUES (1, 'Plain', $1, $1)", [][]any{{now}})
		},
		func() error {
			return tx.bulk("INSERT INTO consent (id, type, text) VALUES ($1, $2, $3)", [][]any{
				{1, "Mandatory", "I agree that my data are processed to handle my applications."},
				{2, "Voluntary", "I would like to receive the newsletter."}})
		},
	} {
		if err := step(); err != nil {
			return err
		}
	}
	for table, id := range map[string]int64{"academic_term_type": customIDs, "role": customIDs, "institution": 1,
		"invoice_series": 1,
		"letterhead":     1, "consent": 2, "tableview": 1} {
		if err := tx.SkipIDs(table, id); err != nil {
			return err
		}
	}
	return nil
}

// seedTableview returns the columns of tableview 1; a source is the default title of the column it stands for.
func seedTableview() (columns []admitto.TableColumn) {
	for _, title := range []string{"Application", "Applicant", "Status", "E-mail", "Given name(s)", "Family name(s)",
		"Citizenship",
		"Gender", "Date of birth", "Address: Country", "Created date", "Submitted date"} {
		columns = append(columns, admitto.TableColumn{Source: title, Title: title})
	}
	return columns
}
