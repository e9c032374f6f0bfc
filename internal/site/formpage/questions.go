package formpage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// QuestionName is the text of a question in the language of the reader.
func QuestionName(r *site.Request, q *admitto.Question) string {
	name, _ := q.Versions.In(r.Lang, "name", q.Name)
	return name
}

// AnswerIn is Answer with what was chosen in the language of the reader.
func AnswerIn(r *site.Request, q *admitto.Question, e *admitto.Extra) string {
	said := q.AnswerIn(r.Lang, e)
	return Answer(r, &said)
}

// QuestionGroups are the titles above questions, by the first of each: the course that asks them, where there are
// several courses, and that nobody asks the others any more. by has the course that asks a question, by both IDs.
func QuestionGroups(r *site.Request, questions []admitto.Question, by map[int64]int64,
	courses map[int64]string) map[int64]string {
	groups := map[int64]string{}
	last := int64(-1)
	for i := range questions {
		id := questions[i].ID
		course := by[id] // 0: none any more
		if course == last {
			continue
		}
		if last = course; course == 0 {
			groups[id] = r.T("formpage.no_longer_asked")
		} else if len(courses) > 1 {
			groups[id] = courses[course]
		}
	}
	return groups
}

// wording is what a question says: its text, help, and the language of the text where it is not that of the reader.
type wording struct{ name, help, lang string }

// questionParts are the questions with the fields for their answers.
func (s *Section) questionParts(r *site.Request, f *site.Form) (parts []ui.Component) {
	for i := range s.Questions {
		q := &s.Questions[i]
		if title := s.Groups[q.ID]; title != "" {
			parts = append(parts, ui.Heading{Title: title})
		}
		answers := s.answersTo(q, &admitto.Extra{})
		if q.Type != admitto.ExtraSection {
			name, fallback := q.Versions.In(r.Lang, "name", q.Name)
			help, _ := q.Versions.In(r.Lang, "help", q.Help)
			parts = append(parts, s.answerField(r, f, answers[0], wording{name, help, r.FirstLanguage(fallback)}))
			continue
		}
		help, _ := q.Versions.In(r.Lang, "help", q.Help)
		var inner []ui.Component
		for _, a := range answers {
			name, fallback := q.Versions.In(r.Lang, admitto.FieldVersion(a.ID), a.Name)
			inner = append(inner, s.answerField(r, f, a, wording{name, "", r.FirstLanguage(fallback)}))
		}
		if help != "" {
			inner = append([]ui.Component{ui.Words{Text: help, Muted: true}}, inner...)
		}
		name, fallback := q.Versions.In(r.Lang, "name", q.Name)
		parts = append(parts, ui.Box{Title: name, Lang: r.FirstLanguage(fallback), Parts: inner})
	}
	return parts
}

// wrongAnswer is the message for an answer that its question does not take.
func wrongAnswer(t admitto.ExtraType) string {
	switch t {
	case admitto.ExtraDate:
		return "formpage.wrong_date"
	case admitto.ExtraNumber:
		return "formpage.wrong_decimal"
	case admitto.ExtraMoney:
		return "formpage.wrong_money"
	case admitto.ExtraText, admitto.ExtraLongText:
		return "formpage.wrong_answer"
	}
	return "formpage.wrong_choice"
}

// answerField is the field for an answer.
func (s *Section) answerField(r *site.Request, f *site.Form, a answer, says wording) ui.Component {
	name := nameOf(a.path)
	f.SetLabel(name, says.name)
	settle := func(c *ui.Field, hint string) {
		c.Optional, c.ReadOnly = !s.Asked.Requires(form.Questions+"/"+a.outer()), s.isLocked(a.outer())
		c.Hint, c.LabelLang = cmp.Or(says.help, hint), says.lang
	}
	choose := func(list []ui.Option) ui.Component {
		choice := f.Select(name, "", s.options(r, f, name, list)...)
		settle(&choice.Field, "")
		choice.Disabled, choice.ReadOnly = choice.ReadOnly, false
		return choice
	}
	titles := make([]ui.Option, len(a.Options))
	for i, o := range a.Options {
		titles[i] = ui.Option{Value: o, Text: a.OptionText(r.Lang, i)}
	}
	switch a.Type {
	case admitto.ExtraLongText:
		long := f.Long(name, "", 6, mostAnswer)
		settle(&long.Field, "")
		return long
	case admitto.ExtraDate:
		day := s.asTyped(r, f.Date(name, ""), form.Questions+"/"+a.path)
		settle(&day.Field, day.Hint)
		return day
	case admitto.ExtraYesNo:
		list, _ := s.choices(r, &form.Field{Kind: form.YesNo})
		return choose(list)
	case admitto.ExtraCountry:
		country := f.Country(name, "", s.options(r, f, name, r.Countries())...)
		settle(&country.Field, "")
		country.Disabled, country.ReadOnly = country.ReadOnly, false
		return country
	case admitto.ExtraLanguage:
		list, _ := s.choices(r, &form.Field{Kind: form.Language})
		return choose(list)
	case admitto.ExtraFile:
		return s.fileField(r, f, name, settle)
	case admitto.ExtraChoice:
		if len(titles) > 0 {
			return choose(titles)
		}
	case admitto.ExtraChoices:
		if len(titles) > 0 {
			several := f.Choices(name, "", true, withTyped(f, name, titles)...)
			settle(&several.Field, "")
			several.Disabled, several.ReadOnly = several.ReadOnly, false
			return several
		}
		long := f.Long(name, "", 3, 0)
		settle(&long.Field, r.T("formpage.choices_hint"))
		return long
	case admitto.ExtraMoney:
		money := f.Text(name, "")
		settle(&money.Field, r.T("formpage.money_hint"))
		return money
	}
	line := f.Text(name, "")
	settle(&line.Field, "")
	if a.Type == admitto.ExtraNumber {
		line.InputMode, line.Width = "decimal", "w10"
	}
	return line
}

// fileField chooses one of the documents of the application; they are uploaded on a page of their own.
func (s *Section) fileField(r *site.Request, f *site.Form, name string,
	settle func(*ui.Field, string)) ui.Component {
	options := []ui.Option{{Text: r.T("value.none")}}
	for i := range s.Documents {
		options = append(options, ui.Option{Value: strconv.FormatInt(s.Documents[i].ID, 10), Text: s.Documents[i].Name})
	}
	if given := f.Get(name); given != "" && !slices.ContainsFunc(options, func(o ui.Option) bool {
		return o.Value == given
	}) {
		options = append(options, ui.Option{Value: given, Text: r.T("formpage.document", "ID", given)})
	}
	choice := f.Select(name, "", options...)
	hint := r.T("formpage.file_hint")
	if len(s.Documents) == 0 {
		hint = r.T("formpage.file_first")
	}
	settle(&choice.Field, "")
	choice.Hint = strings.TrimSpace(choice.Hint + " " + hint)
	choice.Disabled, choice.ReadOnly = choice.ReadOnly, false
	return choice
}

// answerValues puts a stored answer into the values of a form.
func (s *Section) answerValues(v site.Values, a answer) {
	var texts []string
	switch e := a.given; {
	case e.YesNo != nil:
		texts = site.One(yesNo(*e.YesNo))
	case len(e.Choices) > 0:
		texts = e.Choices
	case e.Money != nil:
		texts = site.One(e.Money.Amount.String() + " " + e.Money.Currency)
	case e.Document != 0:
		texts = site.One(strconv.FormatInt(e.Document, 10))
	default:
		texts = site.One(e.Text + e.Number)
	}
	if raw, wrong := s.Content.Attention[form.Questions+"/"+a.path]; wrong {
		texts = strings.Split(raw, "\n")
		if a.Type != admitto.ExtraChoices {
			texts = site.One(raw)
		}
	}
	if a.Type == admitto.ExtraChoices && len(a.Options) == 0 {
		texts = site.One(strings.Join(texts, "\n"))
	}
	put(v, nameOf(a.path), a.Type == admitto.ExtraDate, texts)
}

// typedAnswer puts what was typed as an answer among the texts.
func (s *Section) typedAnswer(f *site.Form, a answer, typed map[string][]string) {
	if s.isLocked(a.outer()) {
		return
	}
	texts := textsIn(f, nameOf(a.path), a.Type == admitto.ExtraDate)
	if a.Type == admitto.ExtraChoices && len(a.Options) == 0 && len(texts) > 0 {
		texts = strings.Split(texts[0], "\n")
	}
	typed[a.path] = texts
}

// Again are the answers of an earlier application to questions that are asked now: to the same ones, or to those of
// another course with the same words. Documents stay where they are, and so does a choice that is not offered any more.
func Again(questions []admitto.Question, earlier []admitto.Extra) (answers []admitto.Extra) {
	for i := range questions {
		q := &questions[i]
		at := slices.IndexFunc(earlier, func(e admitto.Extra) bool { return e.ID == q.ID && e.Type == q.Type })
		if at < 0 {
			at = slices.IndexFunc(earlier, func(e admitto.Extra) bool {
				return e.Type == q.Type && e.IsAnswered() &&
					strings.EqualFold(strings.TrimSpace(e.Name), strings.TrimSpace(q.Name))
			})
		}
		if at < 0 {
			continue
		}
		answer := earlier[at]
		answer.ID, answer.Name, answer.Document = q.ID, q.Name, 0
		if len(q.Options) > 0 {
			if !slices.Contains(q.Options, answer.Text) {
				answer.Text = ""
			}
			answer.Choices = slices.DeleteFunc(slices.Clone(answer.Choices), func(choice string) bool {
				return !slices.Contains(q.Options, choice)
			})
		}
		if answer.Entries = Again(q.Fields, answer.Entries); !answer.IsUnanswered() {
			answers = append(answers, answer)
		}
	}
	return answers
}
