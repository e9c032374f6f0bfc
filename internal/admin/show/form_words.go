package show

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
)

// FormWords says the values of application forms that events keep, as people read them. What it needs is read at the
// first value that needs it; where that fails, values are said as they are kept.
type FormWords struct {
	classes   func() []admitto.Classificator
	questions func() []admitto.Question
}

// ReadFormWords reads what the values need.
func ReadFormWords(r *site.Request, q *query.Service) FormWords {
	return FormWords{classes: sync.OnceValue(func() []admitto.Classificator {
		list, _ := r.Classes(q.Classificators(r.Context(), r.Reader())) //nolint:errcheck // see FormWords
		return list
	}), questions: sync.OnceValue(func() []admitto.Question {
		list, _ := q.Questions(r.Context(), r.Reader()) //nolint:errcheck // see FormWords
		return list
	})}
}

// Name is what the value at a path is called, a question by its text.
func (w *FormWords) Name(r *site.Request, path string) string {
	if id, is := questionAt(path); is {
		if q := w.question(id); q != nil {
			return q.Name
		}
	}
	return DetailName(r, path)
}

// Value says the value at a path; is is false where the path is none of the form.
func (w *FormWords) Value(r *site.Request, path, text string) (said string, is bool) {
	if id, is := questionAt(path); is {
		return w.answer(r, id, text), true
	}
	f := form.FieldOf(strings.TrimPrefix(path, "/"))
	if f == nil || text == "" {
		return text, f != nil
	}
	if f.Kind == form.YesNo {
		return formpage.Value(r, f, text == "true", nil), true
	}
	return formpage.Value(r, f, text, w.classes()), true
}

// questionAt is the ID of the question whose answer is at a path.
func questionAt(path string) (id int64, is bool) {
	text, is := strings.CutPrefix(path, "/extras/")
	id, err := strconv.ParseInt(text, 10, 64)
	return id, is && err == nil
}

func (w *FormWords) question(id int64) *admitto.Question {
	list := w.questions()
	if n := slices.IndexFunc(list, func(q admitto.Question) bool { return q.ID == id }); n >= 0 {
		return &list[n]
	}
	return nil
}

// answer says an answer, which is kept without what the question says of it.
func (w *FormWords) answer(r *site.Request, id int64, text string) string {
	var e admitto.Extra
	if text == "" || json.Unmarshal([]byte(text), &e) != nil {
		return text
	}
	if q := w.question(id); q != nil {
		e.Type = q.Type
	}
	return formpage.Answer(r, &e)
}
