package records

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Field is a field of the form of a record, or several that belong together.
type Field[T any] struct {
	Inputs [][2]string                 // names, with the messages that name them
	Put    func(v site.Values, of *T)  // what is stored
	Take   func(f *site.Form, into *T) // what was typed
	Draw   func(f *site.Form) []ui.Component
	// Pick draws the choice of a file, in the place of Draw.
	Pick func(f *site.Form) ([]ui.Component, error)
	// At names the input that a fault is about, "" for another one; nil where the path ends with the name of the input.
	At func(path admitto.Path) string
}

// Option changes how a field looks.
type Option func(r *site.Request, f *ui.Field)

// Optional says that a field may stay empty.
func Optional(_ *site.Request, f *ui.Field) { f.Optional = true }

// Hint is a sentence below the name of a field.
func Hint(key string) Option { return func(r *site.Request, f *ui.Field) { f.Hint = r.T(key) } }

// Narrow makes a field as wide as a short number.
func Narrow(_ *site.Request, f *ui.Field) { f.Width = "w4" }

// Maker makes the fields of one page.
type Maker[T any] struct{ R *site.Request }

func (m Maker[T]) settle(f *ui.Field, options []Option) {
	for _, o := range options {
		o(m.R, f)
	}
}

// one is a field with one input.
func one[T any](name, label string, get func(*T) []string, take func(*site.Form, *T),
	draw func(f *site.Form) ui.Component) Field[T] {
	return Field[T]{
		Inputs: [][2]string{{name, label}},
		Put:    func(v site.Values, of *T) { v[name] = get(of) },
		Take:   take,
		Draw:   func(f *site.Form) []ui.Component { return []ui.Component{draw(f)} },
	}
}

// Head is a heading between fields.
func (m Maker[T]) Head(title, text string) Field[T] {
	return Field[T]{Put: func(site.Values, *T) {}, Take: func(*site.Form, *T) {},
		Draw: func(*site.Form) []ui.Component {
			return []ui.Component{ui.Heading{Title: m.R.T(title), Text: m.R.T(text)}}
		}}
}

// Lacking says that there is nothing to choose from yet, and leads to the page that makes some; nothing where there is
// something.
func (m Maker[T]) Lacking(some bool, words, page string) Field[T] {
	return Field[T]{Put: func(site.Values, *T) {}, Take: func(*site.Form, *T) {},
		Draw: func(*site.Form) []ui.Component {
			if some {
				return nil
			}
			notice := ui.Notice{Tone: ui.Info, Text: m.R.T(words)}
			if m.R.May(page) {
				notice.Link = &ui.Link{Text: m.R.T("action." + page), Href: m.R.At(page)}
			}
			return []ui.Component{notice}
		}}
}

// Text is a text of one line.
func (m Maker[T]) Text(name, label string, at func(*T) *string, options ...Option) Field[T] {
	return one(name, label, func(v *T) []string { return site.One(*at(v)) },
		func(f *site.Form, v *T) { *at(v) = f.Get(name) },
		func(f *site.Form) ui.Component {
			c := f.Text(name, label)
			c.Autocomplete = "off"
			m.settle(&c.Field, options)
			return c
		})
}

// Long is a text of several lines.
func (m Maker[T]) Long(name, label string, rows, most int, at func(*T) *string, options ...Option) Field[T] {
	return one(name, label, func(v *T) []string { return site.One(*at(v)) },
		func(f *site.Form, v *T) { *at(v) = f.Get(name) },
		func(f *site.Form) ui.Component {
			c := f.Long(name, label, rows, most)
			m.settle(&c.Field, options)
			return c
		})
}

// Choose is one of a list of words.
func (m Maker[T]) Choose(name, label string, list []ui.Option, at func(*T) *string, options ...Option) Field[T] {
	return one(name, label, func(v *T) []string { return site.One(*at(v)) },
		func(f *site.Form, v *T) { *at(v) = f.Get(name) },
		func(f *site.Form) ui.Component {
			c := f.Select(name, label, list...)
			m.settle(&c.Field, options)
			return c
		})
}

// ChooseID is one of a list of records.
func (m Maker[T]) ChooseID(name, label string, list []ui.Option, at func(*T) *int64, options ...Option) Field[T] {
	return one(name, label, func(v *T) []string {
		if *at(v) == 0 {
			return nil
		}
		return site.One(strconv.FormatInt(*at(v), 10))
	}, func(f *site.Form, v *T) { *at(v) = f.Choice(name) },
		func(f *site.Form) ui.Component {
			c := f.Select(name, label, list...)
			m.settle(&c.Field, options)
			return c
		})
}

// inOrder are chosen values as the page sends them: in the order of its options. Stored in another order they would
// look like a change.
func inOrder(list []ui.Option, chosen []string) []string {
	at := func(value string) int {
		if n := slices.IndexFunc(list, func(o ui.Option) bool { return o.Value == value }); n >= 0 {
			return n
		}
		return len(list)
	}
	chosen = slices.Clone(chosen)
	slices.SortStableFunc(chosen, func(a, b string) int { return at(a) - at(b) })
	return chosen
}

// IDs are any of a list of records.
func (m Maker[T]) IDs(name, label string, list []ui.Option, at func(*T) *[]int64, options ...Option) Field[T] {
	return one(name, label, func(v *T) []string {
		var texts []string
		for _, id := range *at(v) {
			texts = append(texts, strconv.FormatInt(id, 10))
		}
		return inOrder(list, texts)
	}, func(f *site.Form, v *T) {
		var ids []int64
		for _, text := range f.All(name) {
			if id, err := strconv.ParseInt(text, 10, 64); err == nil {
				ids = append(ids, id)
			} else if text != "" {
				ids = append(ids, -1) // which nothing has
			}
		}
		*at(v) = slices.Compact(slices.Sorted(slices.Values(ids)))
	}, func(f *site.Form) ui.Component {
		c := f.Choices(name, label, true, list...)
		m.settle(&c.Field, options)
		return c
	})
}

// Words are any of a list of words.
func (m Maker[T]) Words(name, label string, list []ui.Option, at func(*T) *[]string, options ...Option) Field[T] {
	return one(name, label, func(v *T) []string { return inOrder(list, *at(v)) },
		func(f *site.Form, v *T) {
			*at(v) = slices.DeleteFunc(append([]string{}, f.All(name)...), func(word string) bool { return word == "" })
		},
		func(f *site.Form) ui.Component {
			c := f.Choices(name, label, true, list...)
			m.settle(&c.Field, options)
			return c
		})
}

// Country is a country, or none.
func (m Maker[T]) Country(name, label string, at func(*T) *string, options ...Option) Field[T] {
	return one(name, label, func(v *T) []string { return site.One(*at(v)) },
		func(f *site.Form, v *T) { *at(v) = f.Get(name) },
		func(f *site.Form) ui.Component {
			c := f.Country(name, label, append([]ui.Option{{Text: m.R.T("value.none")}}, m.R.Countries()...)...)
			m.settle(&c.Field, options)
			return c
		})
}

// Tick is a box to tick.
func (m Maker[T]) Tick(name, label, words string, at func(*T) *bool) Field[T] {
	return one(name, label, func(v *T) []string {
		if *at(v) {
			return site.One("yes")
		}
		return nil
	}, func(f *site.Form, v *T) { *at(v) = f.Has(name) },
		func(f *site.Form) ui.Component { return f.Tick(name, label, words) })
}

// Day is a day, or none.
func (m Maker[T]) Day(name, label string, at func(*T) *admitto.Date, options ...Option) Field[T] {
	return Field[T]{
		Inputs: [][2]string{{name, label}},
		Put:    func(v site.Values, of *T) { v.SetDay(name, *at(of)) },
		Take: func(f *site.Form, v *T) {
			if day, ok := f.Day(name); ok {
				*at(v) = day
			}
		},
		Draw: func(f *site.Form) []ui.Component {
			c := f.Date(name, label)
			m.settle(&c.Field, options)
			return []ui.Component{c}
		},
	}
}

// Number is a whole number, or none.
func (m Maker[T]) Number(name, label string, at func(*T) **int64, options ...Option) Field[T] {
	return one(name, label, func(v *T) []string {
		if *at(v) == nil {
			return nil
		}
		return site.One(strconv.FormatInt(**at(v), 10))
	}, func(f *site.Form, v *T) {
		*at(v) = nil
		if f.Get(name) != "" {
			*at(v) = new(f.Number(name, "record.no_number"))
		}
	}, func(f *site.Form) ui.Component {
		c := f.Text(name, label)
		c.InputMode, c.Autocomplete, c.Width = "numeric", "off", "w4"
		m.settle(&c.Field, options)
		return c
	})
}

// Lines is a list of texts, one a line.
func (m Maker[T]) Lines(name, label string, rows int, get func(*T) []string, set func(*T, []string),
	options ...Option) Field[T] {
	return one(name, label, func(v *T) []string { return site.One(strings.Join(get(v), "\n")) },
		func(f *site.Form, v *T) {
			var list []string
			for line := range strings.Lines(f.Get(name)) {
				if line = strings.TrimSpace(line); line != "" {
					list = append(list, line)
				}
			}
			set(v, list)
		},
		func(f *site.Form) ui.Component {
			c := f.Long(name, label, rows, 0)
			m.settle(&c.Field, options)
			return c
		})
}

// Whole is a whole number that is always there.
func (m Maker[T]) Whole(name, label string, at func(*T) *int64, options ...Option) Field[T] {
	field := m.Number(name, label, nil, options...)
	field.Put = func(v site.Values, of *T) {
		if n := *at(of); n != 0 {
			v[name] = site.One(strconv.FormatInt(n, 10))
		}
	}
	field.Take = func(f *site.Form, v *T) { *at(v) = f.Number(name, "record.no_number") }
	return field
}

// Radio is one of a few words, all of which are seen with what they mean.
func (m Maker[T]) Radio(name, label string, list []ui.Option, at func(*T) *string, options ...Option) Field[T] {
	return one(name, label, func(v *T) []string { return site.One(*at(v)) },
		func(f *site.Form, v *T) { *at(v) = f.Get(name) },
		func(f *site.Form) ui.Component {
			c := f.Choices(name, label, false, list...)
			m.settle(&c.Field, options)
			return c
		})
}
