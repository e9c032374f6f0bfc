package store

import (
	"cmp"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

var tableviewSelect = "SELECT " + columns.Tableview.Select("") + " FROM tableview"

// Tableviews returns all tableviews, private ones too, by ascending ID.
func (tx *Tx) Tableviews() (list []admitto.Tableview, err error) {
	err = each(tx.query(tableviewSelect+" ORDER BY id"), func(r *db.Rows) {
		list = append(list,
			scanned(columns.Tableview, r))
	})
	return list, err
}

// Tableview reads one tableview, or answers NotFound.
func (tx *Tx) Tableview(id int64) (v admitto.Tableview, err error) {
	err = one(tx.query(tableviewSelect+" WHERE id = $1", id), func(r *db.Rows) { columns.Tableview.Scan(r, &v) })
	return v, err
}

// SaveTableview stores a tableview.
func (tx *Tx) SaveTableview(v *admitto.Tableview) ([]admitto.Detail, error) {
	return saved(tx, columns.Tableview, &v.ID, v)
}

// DeleteTableview removes a tableview.
func (tx *Tx) DeleteTableview(id int64) error {
	_, err := tx.exec("DELETE FROM tableview WHERE id = $1", id)
	return err
}

// LockTableviews keeps others from changing tableviews, and from making them, until the transaction ends. The row of
// the second role stands for those that there are not yet.
func (tx *Tx) LockTableviews() error {
	if err := each(tx.query("SELECT id FROM role WHERE id = 2"+tx.forUpdate(lockTableviews, 0)),
		func(*db.Rows) {}); err != nil {
		return err
	}
	return each(tx.query("SELECT id FROM tableview ORDER BY id"+tx.forUpdate(lockTableviews, 0)), func(*db.Rows) {})
}

// ColumnsOf returns the columns of tableviews that are called by the records of a kind, by their IDs; nil for a kind
// that calls none.
func (tx *Tx) ColumnsOf(kind admitto.RowKind) (byID map[int64]string, err error) {
	var prefix, sql string
	switch kind {
	case admitto.ScoresheetRow:
		prefix, sql = admitto.ScoreColumn, "SELECT id, name FROM scoresheet"
	case admitto.TaskTemplateRow:
		prefix, sql = admitto.TaskColumn, "SELECT id, title FROM task_template"
	case admitto.QuestionRow:
		prefix, sql = admitto.QuestionColumn, "SELECT id, name FROM question"
	default:
		return nil, nil
	}
	byID = map[int64]string{}
	err = each(tx.query(sql), func(r *db.Rows) { byID[r.Int64(0)] = prefix + r.Text(1) })
	return byID, err
}

func (tx *Tx) highestID(table string) (int64, error) {
	return tx.number("SELECT coalesce(max(id), 0) FROM " + table)
}

// HighestApplication returns the highest ID of an application, visible or not.
func (tx *Tx) HighestApplication() (int64, error) { return tx.highestID("application") }

// HighestOffer returns the highest ID of an offer.
func (tx *Tx) HighestOffer() (int64, error) { return tx.highestID("offer") }

// offerRowsBuilder writes the statements that read the offers of a tableview, one by one in the order of their
// IDs, whose own course and application meet the query. In a list no condition may drive: the index of a
// condition would give all matches again for every page.
type offerRowsBuilder struct {
	listBuilder
	passive bool
}

func (b *offerRowsBuilder) ids(column string, list []int64) string {
	if list == nil {
		return ""
	}
	if b.passive {
		column += " + 0"
	}
	return " AND " + b.tx.dialect.in(column, b.arg(list))
}

func (b *offerRowsBuilder) words(column string, list []string) string {
	if list == nil {
		return ""
	}
	if b.passive {
		column = "coalesce(" + column + ", '')"
	}
	return " AND " + b.tx.dialect.in(column, b.arg(list))
}

func (b *offerRowsBuilder) since(column string, at admitto.Time) string {
	if at == 0 {
		return ""
	}
	return fmt.Sprintf(" AND %s + 0 >= $%d", column, b.arg(at))
}

// conditions writes all conditions on offer o and application a. The years of the query are resolved already.
func (b *offerRowsBuilder) conditions(q *admitto.ApplicationQuery) string {
	sql := "a.visible" + b.words("a.status", q.Statuses) + b.ids("a.academic_term_id", q.TermIDs) + b.ids("a.applicant_id",
		q.Applicants) +
		b.ids("o.course_id", q.Courses) + b.ids("o.intake_id", q.CourseIntakes) + b.ids("o.institution_id",
		q.CourseInstitutions) +
		b.ids("o.institution_id", q.OfferInstitutions) + b.ids("o.type_id", q.OfferTypes) + b.words("o.decision",
		q.OfferDecisions) +
		b.since("a.created", q.CreatedSince) + b.since("a.revised", q.RevisedSince) + b.since("a.submitted", q.SubmittedSince)
	if q.CourseTypes != nil {
		sql += " AND EXISTS (SELECT 1 FROM course c WHERE c.id = o.course_id AND " + b.tx.dialect.in("c.type",
			b.arg(q.CourseTypes)) + ")"
	}
	if q.Flags != nil {
		sql += " AND EXISTS (SELECT 1 FROM application_flag g WHERE g.application_id = a.id AND " +
			b.tx.dialect.in("g.flag_id", b.arg(q.Flags)) + ")"
	}
	if q.OfferConfirmed != nil {
		sql += " AND (o.confirmed IS NOT NULL) = " + fmt.Sprintf("$%d", b.arg(*q.OfferConfirmed))
	}
	return sql + b.browsed(q)
}

// browsed are the conditions of BrowseFilter: those on offers are met by offer o, all others by application a.
func (b *offerRowsBuilder) browsed(q *admitto.ApplicationQuery) (sql string) {
	a := &appBuilder{listBuilder: b.listBuilder, q: q}
	sql = a.browsed()
	b.listBuilder = a.listBuilder
	if q.InQuota {
		sql += " AND o.confirmed IS NOT NULL AND o.type_confirmed_id IN (" + inQuota + ")"
	}
	if as := q.OfferAsConfirmed; as != nil {
		sql += asConfirmed("o", *as)
	}
	if q.AsksAnswer() {
		sql += b.answerDue("o", &q.BrowseFilter)
	}
	return sql + b.since("o.decided", q.DecidedSince)
}

// CountOfferRows counts the offers that meet the query themselves (see OfferRows).
func (tx *Tx) CountOfferRows(q admitto.ApplicationQuery) (int64, error) {
	if err := tx.resolveYears(&q); err != nil || emptyMore(&q.BrowseFilter) {
		return 0, err
	}
	b := &offerRowsBuilder{listBuilder: listBuilder{tx: tx}}
	return tx.number("SELECT count(*) FROM offer o JOIN application a ON a.id = o.application_id WHERE "+b.conditions(&q),
		b.args...)
}

// OfferRows returns the offers of visible applications that meet the query themselves, with IDs above q.After and up
// to q.ToID, by ascending ID, at most q.Limit. The conditions on courses are met by the course of the offer.
func (tx *Tx) OfferRows(q admitto.ApplicationQuery) (list []admitto.Offer, err error) {
	if err := tx.resolveYears(&q); err != nil || emptyMore(&q.BrowseFilter) {
		return nil, err
	}
	b := &offerRowsBuilder{listBuilder{tx: tx}, true}
	err = each(tx.query("SELECT "+offerColumns+" FROM offer o CROSS JOIN application a WHERE a.id = o.application_id AND "+
		fmt.Sprintf("o.id > $%d AND o.id <= $%d AND ", b.arg(q.After), b.arg(q.ToID))+b.conditions(&q)+
		fmt.Sprintf(" ORDER BY o.id LIMIT $%d", b.arg(q.Limit)), b.args...), func(r *db.Rows) {
		list = append(list, scanOffer(r))
	})
	return list, err
}

// ApplicationsByID returns the applications with these IDs, visible or not.
func (tx *Tx) ApplicationsByID(ids []int64) (map[int64]*admitto.Application, error) {
	byID := map[int64]*admitto.Application{}
	err := each(tx.query("SELECT "+applicationColumns+" FROM application a WHERE "+tx.dialect.in("a.id", 1), ids),
		func(r *db.Rows) {
			a := &admitto.Application{}
			scanApplication(r, a)
			byID[a.ID] = a
		})
	return byID, err
}

// ContentsOf returns, for each application, what was filled in at the paths of texts ("profile/birth/date") and lists
// ("education"). Applications without a content are absent.
func (tx *Tx) ContentsOf(applications []int64, texts, lists []string) (map[int64]ContentValues, error) {
	byApplication := make(map[int64]ContentValues, len(applications))
	picker := contentPicker{root: contentParts(texts, lists)}
	var space []string // for the texts of many contents
	var broken error
	condition, args := tx.among("application_id", applications)
	err := each(tx.query("SELECT application_id, content FROM application_content WHERE "+condition, args...),
		func(r *db.Rows) {
			if len(space) < len(texts) {
				space = make([]string, len(applications)*len(texts))
			}
			id, own := r.Int64(0), space[:len(texts):len(texts)]
			space = space[len(texts):]
			values, err := picker.values(r.Raw(1), own)
			if err != nil {
				broken = fmt.Errorf("content of application %d: %w", id, err)
			}
			byApplication[id] = values
		})
	return byApplication, cmp.Or(err, broken)
}

// BalancesOf returns what the invoices of each application come to, by currency. Lapsed invoices are not due.
func (tx *Tx) BalancesOf(applications []int64) (map[int64][]admitto.Balance, error) {
	condition, args := tx.among("application_id", applications)
	return grouped(tx.query(`SELECT application_id, currency, CAST(sum(CASE WHEN lapsed IS NULL AND total > paid THEN total - paid ELSE 0 END) AS bigint),
		CAST(sum(paid) AS bigint) FROM invoice WHERE `+condition+" GROUP BY application_id, currency ORDER BY application_id, currency",
		args...), func(r *db.Rows, b *admitto.Balance) int64 {
		*b = admitto.Balance{Currency: r.Text(1), Due: admitto.Hundredths(r.Int64(2)), Paid: admitto.Hundredths(r.Int64(3))}
		return r.Int64(0)
	})
}

// QuestionIDs returns the IDs of the questions with these texts, by text.
func (tx *Tx) QuestionIDs(names []string) (map[string][]int64, error) {
	byName := map[string][]int64{}
	err := each(tx.query("SELECT name, id FROM question WHERE "+tx.dialect.in("name", 1)+" ORDER BY id", names),
		func(r *db.Rows) {
			byName[r.Text(0)] = append(byName[r.Text(0)], r.Int64(1))
		})
	return byName, err
}
