package store

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/text"
)

// FindApplicants returns the visible applicants who have a word that begins with each of the terms, by name, at most
// limit.
func (tx *Tx) FindApplicants(terms []string, limit int) ([]int64, error) {
	found, err := tx.BrowseApplicants(admitto.BrowseApplicants{
		ApplicantQuery: admitto.ApplicantQuery{ApplicantFilter: admitto.ApplicantFilter{Terms: terms}},
		Page:           admitto.BrowsePage{Sort: admitto.ByName, Rows: limit}}, false)
	return found.IDs, err
}

// ApplicantsByNumber returns the visible applicants with a reference or a matriculation number, as it is typed.
func (tx *Tx) ApplicantsByNumber(number string) ([]int64, error) {
	return tx.ids(`SELECT a.id FROM applicant a WHERE a.visible AND a.reference = $1 AND a.reference <> '' AND a.state <> 'recovery'
		UNION SELECT a.id FROM applicant a WHERE a.visible AND a.matriculation = $1 AND a.matriculation <> '' ORDER BY 1 LIMIT 11`, number)
}

// OfferFound is where an offer is.
type OfferFound struct{ ID, Application, Applicant, Course, Type int64 }

// OfferByID finds an offer of a visible application.
func (tx *Tx) OfferByID(id int64) (list []OfferFound, err error) {
	err = each(tx.query(`SELECT o.id, o.application_id, o.applicant_id, o.course_id, o.type_id FROM offer o JOIN application a ON a.id = o.application_id
		WHERE o.id = $1 AND a.visible`, id), func(r *db.Rows) {
		list = append(list, OfferFound{r.Int64(0), r.Int64(1), r.Int64(2), r.Int64(3), r.Int64(4)})
	})
	return list, err
}

// InvoiceFound is an invoice as the search shows it.
type InvoiceFound struct {
	ID, Applicant int64
	Number, Payer string
}

// InvoicesByNumber returns the invoices with a number, or the ID, at most limit.
func (tx *Tx) InvoicesByNumber(number string, id int64, limit int) (list []InvoiceFound, err error) {
	err = each(tx.query(`SELECT i.id, i.applicant_id, i.nr, i.payer_name FROM invoice i WHERE i.nr = $1
		UNION SELECT i.id, i.applicant_id, i.nr, i.payer_name FROM invoice i WHERE i.id = $2 ORDER BY 1 LIMIT $3`, number, id, limit),
		func(r *db.Rows) { list = append(list, InvoiceFound{r.Int64(0), r.Int64(1), r.Text(2), r.Text(3)}) })
	return list, err
}

// FindCourses returns the courses whose names or codes have a word that begins with each of the terms, by ID, at most
// limit. There are few enough to look at each.
func (tx *Tx) FindCourses(terms []string, limit int) (list []CourseName, err error) {
	err = each(tx.query("SELECT id, institution_id, name, code, code_internal FROM course ORDER BY id"), func(r *db.Rows) {
		if len(list) < limit && text.Begins(fmt.Sprint(r.Text(2), " ", r.Text(3), " ", r.Text(4)), terms) {
			list = append(list, CourseName{ID: r.Int64(0), Institution: r.Int64(1), Name: r.Text(2), Code: r.Text(3)})
		}
	})
	return list, err
}

// OnlyVisible returns those of the applicants that are visible, each once, in the order given.
func (tx *Tx) OnlyVisible(ids []int64) (list []int64, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	visible, err := tx.VisibleApplicants(ids)
	for _, id := range ids {
		if visible[id] != nil {
			list = append(list, id)
			delete(visible, id)
		}
	}
	return list, err
}
