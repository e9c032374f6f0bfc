package admitto

// SampleIDs are IDs of objects that there are, for the examples of the documentation; all are 0 where there is not
// enough.
type SampleIDs struct {
	// Application is the first one that is submitted and has a document, with its applicant, its term, a course and the
	// document.
	Application, Applicant, Term, Course, Document int64
	// Others are two more applicants, the applicant again where there are no others.
	Others [2]int64
	// FirstRecord and LastRecord are the records of the journal about the application.
	FirstRecord, LastRecord int64
	Tableview               int64
}
