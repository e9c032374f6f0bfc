package store

import "github.com/admitto/admitto/internal/admitto"

// rowVersionSQL reads the row version of each kind of row, $1 being its ID and $2 what it is of. Lists count the
// changes of their elements, which are never removed one by one. What is only set and taken away is known by when it
// was set.
func rowVersionSQL(kind admitto.RowKind) (sql string, ofOther bool) {
	switch kind {
	case admitto.ApplicantRow:
		return "SELECT row_version FROM applicant WHERE id = $1", false
	case admitto.ApplicationRow:
		return "SELECT row_version FROM application WHERE id = $1", false
	case admitto.OfferRow:
		return "SELECT row_version FROM offer WHERE id = $1", false
	case admitto.TaskRow:
		return "SELECT row_version FROM task WHERE id = $1", false
	case admitto.InvoiceRow:
		return "SELECT row_version FROM invoice WHERE id = $1", false
	case admitto.ScoreRow:
		return "SELECT row_version FROM score WHERE id = $1", false
	case admitto.NoteRow:
		return "SELECT row_version FROM note WHERE id = $1", false
	case admitto.TrackerRow:
		return "SELECT row_version FROM tracker WHERE id = $1", false
	case admitto.FlagRow:
		return "SELECT row_version FROM flag WHERE id = $1", false
	case admitto.InstitutionRow:
		return "SELECT row_version FROM institution WHERE id = $1", false
	case admitto.ScoresheetRow:
		return "SELECT row_version FROM scoresheet WHERE id = $1", false
	case admitto.RankingRow:
		return "SELECT row_version FROM ranking WHERE id = $1", false
	case admitto.OfferTypeRow:
		return "SELECT row_version FROM offer_type WHERE id = $1", false
	case admitto.ConsentRow:
		return "SELECT row_version FROM consent WHERE id = $1", false
	case admitto.SeriesRow:
		return "SELECT row_version FROM invoice_series WHERE id = $1", false
	case admitto.FeeRow:
		return "SELECT row_version FROM fee WHERE id = $1", false
	case admitto.TaskTemplateRow:
		return "SELECT row_version FROM task_template WHERE id = $1", false
	case admitto.DepartmentRow:
		return "SELECT row_version FROM department WHERE id = $1", false
	case admitto.TermTypeRow:
		return "SELECT row_version FROM academic_term_type WHERE id = $1", false
	case admitto.YearRow:
		return "SELECT row_version FROM academic_year WHERE year = $1", false
	case admitto.CourseRow:
		return "SELECT row_version FROM course WHERE id = $1", false
	case admitto.TermRow:
		return "SELECT row_version FROM academic_term WHERE id = $1", false
	case admitto.IntakeRow:
		return "SELECT row_version FROM intake WHERE id = $1", false
	case admitto.QuestionRow:
		return "SELECT row_version FROM question WHERE id = $1", false
	case admitto.TableviewRow:
		return "SELECT row_version FROM tableview WHERE id = $1", false
	case admitto.KeyRow:
		return "SELECT row_version FROM api_key WHERE id = $1", false
	case admitto.RoleRow:
		return "SELECT row_version FROM role WHERE id = $1", false
	case admitto.KeptViewRow:
		return "SELECT row_version FROM kept_view WHERE id = $1", false
	case admitto.LetterheadRow:
		return "SELECT row_version FROM letterhead WHERE id = $1", false
	case admitto.StatusTextsRow:
		return "SELECT CAST(sum(row_version) AS bigint) FROM application_status WHERE 1 = CAST($1 AS bigint)", false
	case admitto.RegionsRow:
		return "SELECT 1 + CAST(coalesce(sum(row_version), 0) AS bigint) FROM region WHERE 1 = CAST($1 AS bigint)", false
	case admitto.ClassRow:
		return "SELECT CAST(coalesce(sum(row_version), 0) AS bigint) FROM classificator WHERE class_position = $1", false
	case admitto.ApplicantNotesRow:
		return "SELECT 1 + CAST(coalesce(sum(row_version), 0) AS bigint) FROM note WHERE applicant_id = $1", false
	case admitto.OfferNotesRow:
		return "SELECT 1 + CAST(coalesce(sum(row_version), 0) AS bigint) FROM note WHERE offer_id = $1", false
	case admitto.AssignedTrackerRow:
		return "SELECT assigned FROM applicant_tracker WHERE tracker_id = $1 AND applicant_id = $2", true
	case admitto.AssignedFlagRow:
		return "SELECT assigned FROM application_flag WHERE flag_id = $1 AND application_id = $2", true
	}
	panic("a kind of row without a version")
}

// ApplicationOfRow is the application that an offer or a task belongs to, 0 for none.
func (tx *Tx) ApplicationOfRow(row admitto.Row) (int64, error) {
	if row.Kind == admitto.TaskRow {
		return tx.number("SELECT application_id FROM task WHERE id = $1", row.ID)
	}
	return tx.number("SELECT application_id FROM offer WHERE id = $1", row.ID)
}

// HasRow answers NotFound for a row that is not there.
func (tx *Tx) HasRow(row admitto.Row) error {
	version, err := tx.RowVersion(row)
	if err == nil && version == 0 {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	return err
}

// RowVersion reads the row version of what people edit as one; 0 when it is not there.
func (tx *Tx) RowVersion(row admitto.Row) (int64, error) {
	sql, ofOther := rowVersionSQL(row.Kind)
	if ofOther {
		return tx.number(sql, row.ID, row.Of)
	}
	return tx.number(sql, row.ID)
}
