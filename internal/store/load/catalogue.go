package load

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
)

// AdministratorRow is an administrator with the state of the account.
type AdministratorRow struct {
	admitto.Administrator
	Suspended, Removed bool
}

// QuestionRow is a question behind extras; Options are the titles of choices, Fields the questions of a
// custom section.
type QuestionRow struct {
	ID      int64
	Name    string
	Type    admitto.ExtraType
	Options []string
	Fields  []columns.Field
}

// Field is one question of a custom section.
type Field = columns.Field

// Administrators stores administrators with their roles, which must exist.
func Administrators(tx *store.Tx, list []AdministratorRow) error {
	err := insertMany(tx, "administrator", `INSERT INTO administrator (id, name, email, outgoing_name, outgoing_email, phone, function,
		suspended, removed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, list, func(a *AdministratorRow, row []any) (int64, []any) {
		return a.ID, append(row, a.ID, a.Name, a.Email, a.OutgoingName, a.OutgoingMail, a.Phone, a.Function, a.Suspended, a.Removed)
	})
	if err != nil {
		return err
	}
	var roles [][]any
	for _, a := range list {
		for _, r := range a.Roles {
			roles = append(roles, []any{a.ID, r.ID})
		}
	}
	return bulk(tx, "INSERT INTO administrator_role (administrator_id, role_id) VALUES ($1, $2)", roles)
}

// Roles stores roles next to the built-in ones.
func Roles(tx *store.Tx, list []admitto.Role) error {
	return insertMany(tx, "role", "INSERT INTO role (id, name) VALUES ($1, $2)", list, func(r *admitto.Role, row []any) (int64, []any) {
		return r.ID, append(row, r.ID, r.Name)
	})
}

// Institutions stores institutions; one that exists, such as the seeded one, takes the new values.
func Institutions(tx *store.Tx, list []admitto.Institution) error {
	return insertMany(tx, "institution", columns.Institution.Replace(), list, func(i *admitto.Institution, row []any) (int64, []any) {
		return i.ID, columns.Institution.Values(row, i)
	})
}

// Departments stores departments of institutions.
func Departments(tx *store.Tx, list []admitto.Department) error {
	return rows(tx, columns.Department, list)
}

// Courses stores courses with their ties to intakes, which must exist.
func Courses(tx *store.Tx, list []admitto.Course) error {
	err := insertMany(tx, "course", columns.Course.Load(), list, func(c *admitto.Course, row []any) (int64, []any) {
		return c.ID, columns.Course.Values(row, c, columns.Awards(c))
	})
	if err != nil {
		return err
	}
	var ties [][]any
	for _, c := range list {
		for _, intake := range c.Intakes {
			ties = append(ties, []any{c.ID, intake})
		}
	}
	return bulk(tx, "INSERT INTO course_intake (course_id, intake_id) VALUES ($1, $2)", ties)
}

// Terms stores academic terms, their types next to the built-in ones, and puts exactly the given years
// in the place of the seeded ones, which depend on the day of the set-up.
func Terms(tx *store.Tx, years []admitto.Year, types []admitto.TermType, terms []admitto.Term) error {
	if _, err := sql(tx).Exec("DELETE FROM academic_year"); err != nil {
		return err
	}
	err := insertMany(tx, "", "INSERT INTO academic_year (year, name, start) VALUES ($1, $2, $3)", years,
		func(y *admitto.Year, row []any) (int64, []any) { return 0, append(row, y.Year, y.Name, y.Start) })
	if err != nil {
		return err
	}
	err = insertMany(tx, "academic_term_type", "INSERT INTO academic_term_type (id, name) VALUES ($1, $2)", types,
		func(t *admitto.TermType, row []any) (int64, []any) { return t.ID, append(row, t.ID, t.Name) })
	if err != nil {
		return err
	}
	return insertMany(tx, "academic_term", `INSERT INTO academic_term (id, year, name, type, start, grace, finish)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, terms, func(t *admitto.Term, row []any) (int64, []any) {
		return t.ID, append(row, t.ID, t.Year, t.Name, t.Type, t.Start, t.Grace, t.Finish)
	})
}

// Intakes stores intakes of terms with their deadlines.
func Intakes(tx *store.Tx, list []admitto.Intake) error {
	err := rows(tx, columns.Intake, list)
	if err != nil {
		return err
	}
	var deadlines [][]any
	for _, i := range list {
		for _, d := range i.Deadlines {
			deadlines = append(deadlines, []any{i.ID, d.Territory, d.Day, d.Info, d.Barred})
		}
	}
	return bulk(tx, "INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES ($1, $2, $3, $4, $5)", deadlines)
}

// Flags stores flags. A name that exists is db.ErrUnique.
func Flags(tx *store.Tx, list []admitto.Flag) error {
	return insertMany(tx, "flag", "INSERT INTO flag (id, created, name, name_key) VALUES ($1, $2, $3, $4)", list,
		func(f *admitto.Flag, row []any) (int64, []any) {
			return f.ID, append(row, f.ID, f.Created, f.Name, columns.CodeKey(f.Name))
		})
}

// Questions stores questions in the order of the list.
func Questions(tx *store.Tx, list []QuestionRow) error {
	position := 0
	return insertMany(tx, "question", `INSERT INTO question (id, name, type, options, fields, position)
		VALUES ($1, $2, $3, $4, $5, $6)`, list, func(q *QuestionRow, row []any) (int64, []any) {
		position++
		options, fields := append([]string{}, q.Options...), append([]columns.Field{}, q.Fields...)
		return q.ID, append(row, q.ID, q.Name, string(q.Type), columns.JSON(options), columns.JSON(fields), position)
	})
}

// Tableviews stores tableviews of an owner, private or not.
func Tableviews(tx *store.Tx, list []admitto.Tableview, owner int64) error {
	return insertMany(tx, "tableview", `INSERT INTO tableview (id, created, modified, title, row_kind, columns, filters, private, owner_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, list, func(v *admitto.Tableview, row []any) (int64, []any) {
		kind := "Application"
		if v.ByOffer {
			kind = "Offer"
		}
		filters := v.Filters
		if filters == "" {
			filters = "{}"
		}
		return v.ID, append(row, v.ID, v.Created, v.Modified, v.Title, kind, columns.JSON(v.Columns), filters, false, owner)
	})
}

// ReseedMoments sets the times of the seeded letterhead and tableview, which are those of the set-up.
func ReseedMoments(tx *store.Tx, at admitto.Time) error {
	for _, table := range []string{"letterhead", "tableview"} {
		if _, err := sql(tx).Exec("UPDATE "+table+" SET created = $1, modified = $1 WHERE id = 1", at); err != nil {
			return err
		}
	}
	return nil
}

// ActivateTemplates switches task templates on.
func ActivateTemplates(tx *store.Tx, ids []int64) error {
	return insertMany(tx, "", "UPDATE task_template SET active = TRUE WHERE id = $1", ids,
		func(id *int64, row []any) (int64, []any) { return 0, append(row, *id) })
}

// Reasons stores predefined reasons of an offer type.
func Reasons(tx *store.Tx, offerType int64, list []admitto.OfferReason) error {
	return insertMany(tx, "offer_reason", "INSERT INTO offer_reason (id, offer_type_id, reason) VALUES ($1, $2, $3)", list,
		func(r *admitto.OfferReason, row []any) (int64, []any) {
			return r.ID, append(row, r.ID, offerType, r.Reason)
		})
}

// SeededTypes returns the offer types that Seed stored, by ID; none when Seed has not run.
func SeededTypes(tx *store.Tx) (list []admitto.OfferType, err error) {
	r := sql(tx).Query(`SELECT id, title, ranking, confirm, freezes, decide, decline, reopen, silence, subject, comments
		FROM offer_type ORDER BY id`)
	for r.Next() {
		list = append(list, admitto.OfferType{ID: r.Int64(0), Title: r.Text(1), Ranking: admitto.Ranked(r.Text(2)), Confirm: r.Bool(3),
			Freeze: r.Bool(4), Decide: r.Bool(5), Decline: r.Bool(6), Reopen: r.Bool(7), Silence: r.Bool(8), Subject: r.Text(9),
			Comments: r.Text(10)})
	}
	return list, r.Close()
}
