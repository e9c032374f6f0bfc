package admitto

// Row names what people edit as one: a record, or a list that is shown and changed as a whole. Its row version differs
// after every change of it (lifecycle.md R8).
type Row struct {
	Kind RowKind
	ID   int64 // of the record, or of what the list is on
	Of   int64 // the applicant of a tracker, the application of a flag
}

// RowKind is a kind of Row.
type RowKind byte

// The kinds of rows.
const (
	ApplicantRow RowKind = iota + 1
	ApplicationRow
	OfferRow
	TaskRow
	InvoiceRow
	ScoreRow
	NoteRow
	TrackerRow
	FlagRow
	ApplicantNotesRow // all notes on an applicant, those taken off the card included
	OfferNotesRow
	AssignedTrackerRow // that an applicant has a tracker
	AssignedFlagRow    // that an application has a flag
	OfferTypeRow
	ConsentRow
	SeriesRow
	FeeRow
	TaskTemplateRow
	ScoresheetRow
	RankingRow
	InstitutionRow
	DepartmentRow
	CourseRow
	TermRow
	TermTypeRow
	YearRow
	IntakeRow
	LetterheadRow
	StatusTextsRow // all titles of statuses; its ID is 1, as that of the regions
	RegionsRow
	ClassRow // the codes of a class, by its number
	QuestionRow
	TableviewRow
	KeyRow // what staff say of an API key
	KeptViewRow
	RoleRow
)

// NoRowVersion is the row version that nothing has.
const NoRowVersion int64 = -1
