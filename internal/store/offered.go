package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// What visitors find: courses that are Online, of institutions that are (screens.md P01).

const offered = "c.status = 'Online' AND c.institution_id IN (SELECT id FROM institution WHERE status = 'Online')"

// OfferedCourses returns what the courses of the query are searched and ordered by, by ascending ID.
func (tx *Tx) OfferedCourses(q admitto.OfferedQuery) (list []admitto.OfferedCourse, err error) {
	w := where{listBuilder: listBuilder{tx: tx}, conditions: []string{offered}}
	w.ids("c.institution_id", q.Institutions)
	w.texts("c.type", q.Types)
	w.texts("c.mode", q.Modes)
	w.texts("c.language", q.Languages)
	w.texts("c.country", q.Countries)
	if q.Intakes != nil {
		w.conditions = append(w.conditions, "EXISTS (SELECT 1 FROM course_intake ci WHERE ci.course_id = c.id AND "+
			tx.dialect.in("ci.intake_id", w.arg(q.Intakes))+")")
	}
	err = each(tx.query("SELECT c.id, c.institution_id, c.featured, c.name, c.code, c.names FROM course c"+w.String()+
		" ORDER BY c.id", w.args...), func(r *db.Rows) {
		list = append(list, admitto.OfferedCourse{ID: r.Int64(0), Institution: r.Int64(1), Featured: r.Bool(2),
			Name: r.Text(3), Code: r.Text(4), Names: readVersions(r, 5)})
	})
	return list, err
}

// OfferedChoices returns the types, modes, languages, countries and institutions that visitors can choose from,
// unordered.
func (tx *Tx) OfferedChoices() (c admitto.OfferedChoices, err error) {
	for _, choice := range []struct {
		column string
		list   *[]string
	}{{"type", &c.Types}, {"mode", &c.Modes}, {"language", &c.Languages}, {"country", &c.Countries}} {
		err := each(tx.query("SELECT DISTINCT c."+choice.column+" FROM course c WHERE "+offered+" AND c."+choice.column+
			" <> ''"), func(r *db.Rows) { *choice.list = append(*choice.list, r.Text(0)) })
		if err != nil {
			return c, err
		}
	}
	return c, each(tx.query("SELECT DISTINCT c.institution_id FROM course c WHERE "+offered),
		func(r *db.Rows) { c.Institutions = append(c.Institutions, r.Int64(0)) })
}
