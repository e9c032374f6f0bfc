package ui

import (
	"slices"
	"strings"
)

// Field is what all fields of a form have. What was typed stays in Value, however malformed it is.
type Field struct {
	ID, Name     string
	Label        string
	Hint         string
	Error        string   // in words that say what to do
	Errors       []string // further ones: of several files, say
	Value        string
	Optional     bool
	Disabled     bool
	ReadOnly     bool
	Autocomplete string // token of HTML, for fields about the person
	Width        string // class: "w2", "w4", "w10", "w20", or "" for the whole column
	Lang         string // of the value, where it is known
	LabelLang    string // of the label, where it is not that of the page
	Focus        bool   // one types into it at once, on pages that are for that alone
}

// DescribedBy is the IDs of hint and error, as aria-describedby takes them.
func (f Field) DescribedBy() string {
	var ids []string
	if f.Hint != "" {
		ids = append(ids, f.ID+"-hint")
	}
	if f.Error != "" {
		ids = append(ids, f.ID+"-error")
	}
	return strings.Join(ids, " ")
}

// TextField is one line of text.
type TextField struct {
	Field
	Type      string // "" is text: email, password, search, tel, url
	InputMode string // such as numeric
}

func (TextField) template() string { return "text_field" }

// InputType is the attribute type.
func (f TextField) InputType() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

// LongText is text of several lines.
type LongText struct {
	Field
	Rows  int
	Limit int // characters, 0 for none
}

func (LongText) template() string { return "long_text" }

// Option is one of the values of a field.
type Option struct {
	Value, Text string
	Lang        string // of the text among choices, where it is not that of the page
	Hint        string
	Count       string
	Selected    bool
	Disabled    bool
}

// Select is one of several values, in a list that opens.
type Select struct {
	Field
	Options []Option
	Groups  []OptionGroup // after the options
}

// OptionGroup is options under a heading.
type OptionGroup struct {
	Label   string
	Options []Option
}

func (Select) template() string { return "select" }

// Country is a Select that app.js makes a type-ahead of; Options are all countries.
type Country struct {
	Field
	Options []Option
}

func (Country) template() string { return "country" }

// Choices is one (radio buttons) or several (check boxes) of a few values, all of which are seen.
type Choices struct {
	Field
	Text     string // what is decided about, where the label is not all of it
	TextLang string // of Text, where it is not that of the page
	Read     *Link  // the whole of it, which opens in a page of its own so that nothing typed is lost
	Multiple bool
	Options  []Option
}

func (Choices) template() string { return "choices" }

// DateField is a day, typed in three fields NAME-day, NAME-month and NAME-year, or a month without Day (Partial).
type DateField struct {
	Field
	Partial          bool
	Day, Month, Year string
	Wrong            []string // which of "day", "month" and "year" the error is about; none stands for all
}

func (DateField) template() string { return "date_field" }

// DatePart is one of the fields of a date.
type DatePart struct {
	ID, Name, Value, Key, Class string
	Autocomplete                string
	Invalid                     bool
	Describe                    string
	Disabled, ReadOnly          bool
}

// Parts returns the fields of the date in the order of day, month and year.
func (f DateField) Parts() (parts []DatePart) {
	for _, p := range []DatePart{
		{Key: "day", Value: f.Day, Class: "w2"}, {Key: "month", Value: f.Month, Class: "w2"}, {Key: "year",
			Value: f.Year,
			Class: "w4"},
	} {
		if p.Key == "day" && f.Partial {
			continue
		}
		p.ID, p.Name = f.ID+"-"+p.Key, f.Name+"-"+p.Key
		p.Invalid = f.Error != "" && (len(f.Wrong) == 0 || slices.Contains(f.Wrong, p.Key))
		if p.Invalid {
			p.Describe = f.ID + "-error"
		}
		if f.Autocomplete != "" {
			p.Autocomplete = f.Autocomplete + "-" + p.Key
		}
		p.Disabled, p.ReadOnly = f.Disabled, f.ReadOnly
		parts = append(parts, p)
	}
	return parts
}

// FirstID is the ID of the part that an error summary leads to.
func (f DateField) FirstID() string {
	parts := f.Parts()
	for _, p := range parts {
		if p.Invalid {
			return p.ID
		}
	}
	return parts[0].ID
}

// Money is an amount in a fixed currency.
type Money struct {
	Field
	Currency string
}

func (Money) template() string { return "money" }

// FileState is a file that was chosen or stored.
type FileState struct {
	Name, Meta string
	Href       string // address of what is stored
	Error      string
	Done       int      // percent; 100 is stored
	Image      string   // address of a picture that is shown
	Moves      []Button // to another place of the list
	GoOn       string   // address where more of it is taken; "" when it is whole
	Size       int64    // bytes of all of it, with GoOn
	Remove     *Button
}

// FileField takes files. Kinds and limit are said before one chooses.
type FileField struct {
	Field
	Accept   string
	Multiple bool
	Files    []FileState
	Ahead    *Ahead // nil: files are sent with the form
}

// Ahead says how scripts send files before their form.
type Ahead struct {
	Address         string // where an upload begins
	Most            int64  // bytes of a file
	TooLarge, Empty string // what is said of a file that is not sent
}

func (FileField) template() string { return "file_field" }

// Letter is the editor of a letter: marker buttons, and the text as people type it.
type Letter struct {
	Field
	Markers []string
}

func (Letter) template() string { return "letter" }

// LetterPart is a piece of a rendered letter.
type LetterPart struct {
	Text    string
	Unknown bool // a marker that there is not
	Bold    bool
	Italic  bool
	Href    string
}

// LetterBlock is a paragraph, a heading, or the items of a list.
type LetterBlock struct {
	Parts   []LetterPart
	Items   [][]LetterPart
	Heading bool
	Number  bool // the items are numbered
}

// Preview is a letter as it will be read.
type Preview struct {
	Label   string
	Lang    string
	Subject []LetterPart
	Blocks  []LetterBlock
	Plain   string // the whole as plain text, which opens below
}

func (Preview) template() string { return "preview" }

// Alone reports whether a line is a link and nothing else, which then is as big as one that stands by itself.
func (Preview) Alone(line []LetterPart) bool { return Prose{}.Alone(line) }
