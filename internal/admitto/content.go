package admitto

// ExtraType says what kind of value the answer to a question is.
type ExtraType string

// The types of extras (resources.md 5.2).
const (
	ExtraText     ExtraType = "text"
	ExtraLongText ExtraType = "longtext"
	ExtraNumber   ExtraType = "number"
	ExtraDate     ExtraType = "date"
	ExtraCountry  ExtraType = "country"
	ExtraLanguage ExtraType = "language"
	ExtraChoice   ExtraType = "choice"
	ExtraChoices  ExtraType = "choices"
	ExtraYesNo    ExtraType = "yesno"
	ExtraMoney    ExtraType = "money"
	ExtraFile     ExtraType = "file"
	ExtraSection  ExtraType = "section"
)

// Extra is the answer to a question. Which field holds the value follows from Type: Number for number, YesNo
// for yesno, Choices for choices, Money for money, Document for file, Entries for section, Text for the rest.
type Extra struct {
	ID       int64     `json:"id"` // of the question
	Name     string    `json:"name"`
	Type     ExtraType `json:"type"`
	Text     string    `json:"text,omitempty"`
	Number   string    `json:"number,omitempty"` // decimal, as given
	YesNo    *bool     `json:"yesno,omitempty"`
	Choices  []string  `json:"choices,omitempty"`
	Money    *Money    `json:"money,omitempty"`
	Document int64     `json:"document,omitempty"`
	Entries  []Extra   `json:"entries,omitempty"`
}

// Money is an amount in a currency.
type Money struct {
	Amount   Hundredths `json:"amount"`
	Currency string     `json:"currency"`
}
