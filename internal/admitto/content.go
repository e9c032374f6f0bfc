package admitto

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/admitto/admitto/internal/message"
)

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

// The limits of content (resources.md 5.2).
const (
	MaxContentEntries = 64        // of one list
	MaxExtras         = 255       // of one application
	MaxContentBytes   = 512 << 10 // of one application, as it is stored
	MaxDocuments      = 200       // of one application (lifecycle.md 1)

	MaxOfferAttachments = 10
)

// ParsePartialDate reads a date of unknown precision: 2025, 2025-12 or 2025-12-05, in the years 1900 to 2100.
func ParsePartialDate(s string) (string, error) {
	forms := []string{"2006", "2006-01", time.DateOnly}
	for _, form := range forms {
		if at, err := time.Parse(form, s); err == nil && len(s) == len(form) && at.Year() >= 1900 && at.Year() <= 2100 {
			return s, nil
		}
	}
	return "", message.Of("no-date-of-some-precision", fmt.Sprintf("%.40q", s))
}

// ParseDecimalText checks a decimal of any scale up to nine places (resources.md 0.4) and returns it as it was written.
func ParseDecimalText(s string) (string, error) {
	if _, err := parseFixed(s, 9); err != nil {
		return "", message.Of("no-decimal-of-any-scale", fmt.Sprintf("%.40q", s))
	}
	return s, nil
}

// Clear makes the question unanswered.
func (e *Extra) Clear() { *e = Extra{ID: e.ID, Name: e.Name, Type: e.Type} }

// IsUnanswered reports whether the question has no answer.
func (e *Extra) IsUnanswered() bool {
	return e.Text == "" && e.Number == "" && e.YesNo == nil && len(e.Choices) == 0 && e.Money == nil && e.Document == 0 &&
		len(e.Entries) == 0
}

// IsAnswered reports whether the question, or one inside of it, has a value.
func (e *Extra) IsAnswered() bool {
	return e.Text != "" || e.Number != "" || e.YesNo != nil || len(e.Choices) > 0 || e.Money != nil || e.Document != 0 ||
		slices.ContainsFunc(e.Entries, func(inner Extra) bool { return inner.IsAnswered() })
}

// Question is what applications ask beyond the sections: extras are its answers (resources.md 5.2).
type Question struct {
	ID       int64
	Name     string
	Help     string // what stands below it
	Type     ExtraType
	Options  []string   // titles of choice and choices; empty: free
	Fields   []Question // of a custom section
	Versions Versions   // of name, help, options, and questions of a custom section
}

// OptionText is what the n-th option, or the answer that it stands for, is called in a language.
func (q *Question) OptionText(lang string, n int) string {
	text, _ := q.Versions.In(lang, OptionVersion(q.Options[n]), q.Options[n])
	return text
}

// In is the question with its texts in a language, as far as it has versions of them (lifecycle.md R11).
func (q *Question) In(lang string) Question {
	said := *q
	said.Name, _ = q.Versions.In(lang, "name", q.Name)
	said.Help, _ = q.Versions.In(lang, "help", q.Help)
	said.Options = make([]string, len(q.Options))
	for n := range q.Options {
		said.Options[n] = q.OptionText(lang, n)
	}
	said.Fields = slices.Clone(q.Fields)
	for n := range said.Fields {
		said.Fields[n].Name, _ = q.Versions.In(lang, FieldVersion(q.Fields[n].ID), q.Fields[n].Name)
	}
	return said
}

// AnswerIn is an answer with the question and what was chosen in a language.
func (q *Question) AnswerIn(lang string, e *Extra) Extra {
	said, in := *e, q.In(lang)
	if e.Name == q.Name {
		said.Name = in.Name
	}
	if q.Type == ExtraChoice || q.Type == ExtraChoices {
		said.Choices = slices.Clone(e.Choices)
		for n, option := range q.Options {
			if e.Text == option {
				said.Text = in.Options[n]
			}
			if at := slices.Index(e.Choices, option); at >= 0 {
				said.Choices[at] = in.Options[n]
			}
		}
	}
	said.Entries = slices.Clone(e.Entries)
	for n := range said.Entries {
		entry := &said.Entries[n]
		for at := range q.Fields {
			if f := &q.Fields[at]; f.ID == entry.ID && f.Name == entry.Name {
				entry.Name = in.Fields[at].Name
				break
			}
		}
	}
	return said
}

// AnswersIn are answers with their questions and what was chosen in a language; those to other questions stay.
func AnswersIn(lang string, questions []Question, answers []Extra) []Extra {
	said := slices.Clone(answers)
	for n := range said {
		at := slices.IndexFunc(questions, func(q Question) bool { return q.ID == said[n].ID })
		if at >= 0 {
			said[n] = questions[at].AnswerIn(lang, &said[n])
		}
	}
	return said
}

// OptionVersion is what an option is called among the texts of a question.
func OptionVersion(option string) string { return "option " + option }

// FieldVersion is what a question of a custom section is called among the texts of it.
func FieldVersion(id int64) string { return "field " + strconv.FormatInt(id, 10) }
