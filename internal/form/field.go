// Package form has the application form as one table (resources.md 5.2, lifecycle.md 3.5): its sections, its fields
// with everything that is known of each, and the content that applicants filled in. The API, its documents, changes,
// printouts, tableviews, guards and invented data read it.
package form

import (
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
)

// Kind says what values a field takes.
type Kind int

// The kinds of fields, with the Go type of their values in a Content.
const (
	Text     Kind = iota // string: one line of at most 255 characters
	Person               // string: one line, the whole name of somebody
	Lines                // string: several lines of at most Max characters
	Day                  // string: a date, 2026-03-01
	Month                // string: a date of unknown precision, 2026 or 2026-03 or 2026-03-01
	Country              // string: alpha-2
	Language             // string: a code
	Code                 // string: a code of the classificator Class
	Word                 // string: one of Words
	Number               // int: from Min to Max
	YesNo                // bool
	Codes                // []string: codes of the classificator Class
	Schemes              // map[string]string: texts by free names
	Group                // Object: fields of its own
)

// Show says whether the form of a course shows and requires a field, or a section.
type Show int

// By default a field is shown and may stay empty.
const (
	Shown Show = iota
	Required
	Hidden
)

// shows are the words that stand for them.
var shows = []string{"shown", "required", "hidden"}

func (s Show) String() string { return shows[s] }

// MarshalText makes the word.
func (s Show) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word.
func (s *Show) UnmarshalText(word []byte) error {
	at := slices.Index(shows, string(word))
	if at < 0 {
		return fmt.Errorf("%.20q says nothing about a field", word)
	}
	*s = Show(at)
	return nil
}

// Data is a class of personal data.
type Data string

// The classes of personal data.
const (
	Identity  Data = "identity"  // who the applicant is
	Papers    Data = "papers"    // identity documents, visas, national codes
	Reach     Data = "reach"     // how the applicant is reached
	Relatives Data = "relatives" // about other people
	Studies   Data = "studies"   // education, languages, work and activities
	OwnWords  Data = "own words" // what the applicant writes freely
	Sensitive Data = "sensitive" // health, special needs and background
)

// Field is a row of the table. Only Path, Kind and Label are always there.
type Field struct {
	Path   string // below the content: profile/birth/date; in a section of rows below the row: education/level
	Kind   Kind
	Class  string // of the codes
	Words  []Choice
	Min    int
	Max    int
	Show   Show
	Phone  bool               // pages take what can be dialled only
	Past   bool               // pages take no day that is still to come
	After  string             // the name of a month of the same row, or group, before which pages take none
	Unless string             // the name of a yes-or-no field of the same row: yes there makes this field not required
	Data   Data               // that of the section by default
	Needs  admitto.Permission // without which staff do not see it; 0: that of the application
	Label  string             // English; internal/ui/locale/form has it in other languages
	// default title of its column in tableviews, with n in a section whose first rows have columns
	Column string
	AsCode bool // the column has the code instead of its title
	Since  int  // the first version of the API that has it; 0: all up to Until
	Until  int  // the last version of the API that has it; 0: all from Since

	Name      string   // the last part of Path
	Component string   // of a group: how the documents of the API call it
	Fields    []*Field // of a group, in the order of the API
}

// Choice is one of the words that a field takes.
type Choice struct{ Word, Label string }

// IsBefore reports whether a month of the table is before another one, both as far as they are known.
func IsBefore(month, other string) bool {
	known := min(len(month), len(other))
	return month[:known] < other[:known]
}

// Section is a part of the form: an object, a list of rows, or the answers to questions.
type Section struct {
	Key       string
	Title     string // English
	Component string // how the documents of the API call the object, or a row
	Rows      bool
	OneRow    bool     // at least one row is required by default
	Written   []string // what people write first, by paths below the section: fields, and groups with all theirs
	Heading   string   // the field that names a row
	OmitEmpty bool     // the versions of the API that leave out empty lists leave it out
	Columns   Pick
	Hidden    bool // shown only if a course asks for it
	Data      Data
	First     []string // what printouts have before the other fields

	Fields []*Field // in the order of the API
}

// Pick says of which rows of a section tableviews have columns.
type Pick int

// A section of rows has columns for none of them, for the latest, or for each of the first three.
const (
	PickNone Pick = iota
	PickLatest
	PickFirst
)

// PickedRows is how many rows of a section with PickFirst have columns.
const PickedRows = 3

// Questions is the key of the section of answers to questions.
const Questions = "extras"
