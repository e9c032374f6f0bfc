package admissions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// extras merges answers: those listed take the place of what was answered before, the others stay.
func (m *merger) extras(old []admitto.Extra, value any, pointer string) []admitto.Extra {
	items, ok := m.list(value, pointer, admitto.MaxExtras)
	if !ok {
		return old
	}
	merged := m.answers(old, m.questions, items, pointer)
	if len(merged) > admitto.MaxExtras {
		m.fault(pointer, message.Of("too-many-extras", len(merged), admitto.MaxExtras))
	}
	return merged
}

// answers merges a list of {id, name, type, value} into the answers given before.
func (m *merger) answers(old []admitto.Extra, questions []admitto.Question, items []any,
	pointer string) []admitto.Extra {
	merged := slices.Clone(old)
	seen := map[int64]bool{}
	for i, item := range items {
		at := fmt.Sprintf("%s/%d", pointer, i)
		members, ok := item.(map[string]any)
		if !ok {
			m.fault(at, message.Of("entry-no-object"))
			continue
		}
		q := m.question(merged, questions, members, at)
		value, given := members["value"]
		switch {
		case !given:
			m.fault(at, message.Of("answer-value-missing"))
			continue
		case q == nil:
			continue
		case seen[q.ID]:
			m.fault(at, message.Of("question-answered-twice"))
			continue
		}
		seen[q.ID] = true
		place := slices.IndexFunc(merged, func(e admitto.Extra) bool { return e.ID == q.ID })
		answer := admitto.Extra{ID: q.ID, Name: q.Name, Type: q.Type}
		if value != nil {
			before := ""
			if place >= 0 {
				before = merged[place].Text
			}
			m.answer(&answer, q, value, before, at+"/value")
		}
		switch {
		case place >= 0:
			merged[place] = answer
		case !answer.IsUnanswered():
			merged = append(merged, answer)
		}
	}
	return merged
}

// question finds the question that an entry names and checks the members that describe it; nil with a fault.
func (m *merger) question(old []admitto.Extra, questions []admitto.Question, members map[string]any,
	pointer string) (found *admitto.Question) {
	known := []string{"id", "name", "type", "value"}
	if m.patch.QuestionsByText {
		known = known[1:]
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(known, name) {
			m.fault(pointer+"/"+pointerKey(name), message.Of("answer-members", strings.Join(known, ", ")))
		}
	}
	name, isText := members["name"].(string)
	if members["name"] != nil && !isText {
		m.fault(pointer+"/name", message.Of("no-string"))
	}
	kind, isText := members["type"].(string)
	if members["type"] != nil && !isText {
		m.fault(pointer+"/type", message.Of("no-string"))
	}
	if m.patch.QuestionsByText {
		found = m.byName(old, questions, name, kind, pointer)
	} else {
		found = m.byID(questions, members["id"], pointer)
	}
	if found != nil && kind != "" && kind != string(found.Type) {
		m.fault(pointer+"/type", message.Of("question-of-type", found.Type))
	}
	return found
}

func (m *merger) byID(questions []admitto.Question, given any, pointer string) *admitto.Question {
	if given == nil {
		m.fault(pointer, message.Of("question-id-missing"))
		return nil
	}
	number, _ := given.(json.Number)
	id, err := text.ID(string(number))
	for i := range questions {
		if err == nil && questions[i].ID == id {
			return &questions[i]
		}
	}
	m.fault(pointer+"/id", message.Of("no-question-with-id"))
	return nil
}

// byName finds a question by its text. Of several with the same text the one that is answered already is meant, then
// the one of the type that was given, then the oldest.
func (m *merger) byName(old []admitto.Extra, questions []admitto.Question, name, kind,
	pointer string) *admitto.Question {
	var found *admitto.Question
	rank := func(q *admitto.Question) int {
		isAnswered := slices.ContainsFunc(old, func(e admitto.Extra) bool { return e.ID == q.ID })
		switch {
		case isAnswered:
			return 0
		case kind == string(q.Type):
			return 1
		}
		return 2
	}
	for i := range questions {
		q := &questions[i]
		if q.Name == name && (found == nil || cmp.Or(cmp.Compare(rank(q), rank(found)), cmp.Compare(q.ID, found.ID)) < 0) {
			found = q
		}
	}
	switch {
	case found == nil && name == "":
		m.fault(pointer, message.Of("question-name-missing"))
	case found == nil:
		m.fault(pointer+"/name", message.Of("no-question-with-text"))
	}
	return found
}

// answer reads a value by the type of its question; before is the text answered so far.
func (m *merger) answer(e *admitto.Extra, q *admitto.Question, value any, before, pointer string) {
	s, isText := value.(string)
	var err error
	switch q.Type {
	case admitto.ExtraNumber:
		if number, ok := value.(json.Number); ok {
			s, isText = string(number), true
		}
		if !isText {
			err = message.Of("no-number-or-null")
		} else if strings.TrimSpace(s) != "" {
			e.Number, err = admitto.ParseDecimalText(strings.TrimSpace(s))
		}
	case admitto.ExtraYesNo:
		b, ok := value.(bool)
		if !ok {
			err = message.Of("no-bool-or-null")
		}
		e.YesNo = &b
	case admitto.ExtraChoices:
		e.Choices = m.choices(q, value, pointer)
	case admitto.ExtraMoney:
		e.Money = m.money(value, pointer)
	case admitto.ExtraFile:
		e.Document, err = m.document(s, isText)
	case admitto.ExtraSection:
		if items, ok := m.list(value, pointer, admitto.MaxContentEntries); ok {
			e.Entries = m.answers(nil, q.Fields, items, pointer)
		}
	default:
		if !isText {
			err = message.Of("no-string-or-null")
			break
		}
		e.Text, err = m.answerText(q, s, before, pointer)
	}
	if err != nil {
		m.fault(pointer, message.From(err))
	}
}

// answerText reads the answers that are texts.
func (m *merger) answerText(q *admitto.Question, s, before, pointer string) (string, error) {
	switch q.Type {
	case admitto.ExtraLongText:
		return m.text(&form.Field{Kind: form.Lines, Max: 4096}, s)
	case admitto.ExtraDate:
		return m.text(&form.Field{Kind: form.Day}, s)
	case admitto.ExtraCountry:
		return m.text(&form.Field{Kind: form.Country}, s)
	case admitto.ExtraLanguage:
		return m.text(&form.Field{Kind: form.Language}, s)
	case admitto.ExtraChoice:
		if s != "" && len(q.Options) > 0 && s != before && !slices.Contains(q.Options, s) {
			return "", message.Of("no-choice-of-question", text.Quote(s))
		}
	}
	return m.text(&form.Field{Kind: form.Text}, s)
}

func (m *merger) choices(q *admitto.Question, value any, pointer string) (titles []string) {
	items, _ := m.list(value, pointer, admitto.MaxContentEntries)
	for i, item := range items {
		at := fmt.Sprintf("%s/%d", pointer, i)
		s, ok := item.(string)
		s, err := text.Line(s, 1, 255)
		switch {
		case !ok:
			m.fault(at, message.Of("entry-no-string"))
		case err != nil:
			m.fault(at, message.From(err))
		case len(q.Options) > 0 && !slices.Contains(q.Options, s):
			m.fault(at, message.Of("no-choice-of-question", text.Quote(s)))
		case !slices.Contains(titles, s):
			titles = append(titles, s)
		}
	}
	return titles
}

func (m *merger) money(value any, pointer string) *admitto.Money {
	members, ok := value.(map[string]any)
	if !ok {
		m.fault(pointer, message.Of("no-money"))
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if name != "amount" && name != "currency" {
			m.fault(pointer+"/"+pointerKey(name), message.Of("money-members"))
		}
	}
	given, ok := members["amount"].(string)
	if number, isNumber := members["amount"].(json.Number); isNumber {
		given, ok = string(number), true
	}
	amount, err := admitto.ParseHundredths(strings.TrimSpace(given))
	if !ok || err != nil {
		m.fault(pointer+"/amount", message.Of("no-money-amount"))
	}
	currency, _ := members["currency"].(string)
	currency, err = text.Currency(currency)
	if err != nil {
		m.fault(pointer+"/currency", message.From(err))
	}
	return &admitto.Money{Amount: amount, Currency: currency}
}

// document reads the link to a document of this application.
func (m *merger) document(link string, isText bool) (int64, error) {
	if isText && link == "" {
		return 0, nil
	}
	application, id, ok := int64(0), int64(0), false
	if isText {
		application, id, ok = m.patch.Document(link)
	}
	if !ok || application != m.application || !m.documents[id] {
		return 0, message.Of("no-document-of-application")
	}
	return id, nil
}

// pointerKey escapes the name of a member for a JSON pointer (RFC 6901).
func pointerKey(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

func byPointer(a, b admitto.Fault) int { return form.ComparePaths(string(a.Path), string(b.Path)) }
