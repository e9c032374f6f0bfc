package admitto

// Course can be applied to (resources.md 15).
type Course struct {
	ID, Institution                     int64
	Status                              string
	Updated                             Time
	Intakes                             []int64
	Featured                            bool
	Type, Name, Mode, Duration, Credits string
	Awards                              []Award
	Language, Country, Location         string
	Code, CodeInternal, Accreditation   string
	Quota                               *int64
	ProspectURI                         string
	Summary, About, Requirements        string   // what the portal says (screens.md A38); the last two in several lines
	Versions                            Versions // of these three
}

// Award is what a course leads to.
type Award struct {
	Abbr string `json:"abbr"`
	Full string `json:"full"`
}

// CourseQuery selects courses; a nil list is no condition.
type CourseQuery struct {
	Institutions                  []int64
	Statuses, Types, Modes, Codes []string
}
