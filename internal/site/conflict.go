package site

import (
	"hash/fnv"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/ui"
)

// Which value stays after a conflict.
const (
	keepMine   = "mine"
	keepTheirs = "theirs"
)

// Conflict is what somebody else saved while the reader typed (screens.md U10): one choice for each field that differs.
type Conflict struct {
	Notice  ui.Notice
	Choices []ui.Choices
	Hidden  []ui.Option

	fields []differing // of the choices
	say    func(what string) string
}

// differing is a field with two values.
type differing struct {
	name         string
	mine, theirs []string
}

// Meanwhile makes the form ask, for each field that somebody else has saved, which value stays: the reader's, or what
// who saved at the time given in words. What the reader has not touched is proposed, and shown, as who saved it, so
// that saving takes nothing back unseen. What else is wrong stays said. labels are the messages of the fields by name,
// in the order of the page. The form carries the new row version afterwards.
func (f *Form) Meanwhile(stored Values, version int64, who, when string, labels ...[2]string) {
	f.faults = slices.DeleteFunc(f.faults, func(fault formFault) bool { return fault.overtaken })
	f.r.failed = true
	f.r.overtaken = true
	f.stored, f.now = stored, version
	named := make([][2]string, len(labels))
	for i, l := range labels {
		named[i] = [2]string{l[0], f.label(l[0], l[1])}
	}
	key := "form.meanwhile"
	if !f.differ(named) {
		key = "form.overtaken"
	}
	f.conflict.Notice.Text = f.r.T(key, "Who", who, "When", when)
}

// differ makes the form ask about the fields that somebody has saved and that say something else now, and carry the row
// version of that. fields are names with what they are called. A field shows the value that is proposed; the other one
// goes with the form, so that what is typed into the field is never taken for either.
func (f *Form) differ(fields [][2]string) (some bool) {
	c := &Conflict{Notice: ui.Notice{Tone: ui.Warn}}
	for _, l := range fields {
		name := l[0]
		if f.values.Has(fieldShown) && !f.savedSince(name) {
			continue
		}
		if f.untouched(name) {
			f.follow(name)
		}
		page, other, of := f.values, fieldTheirs, url.Values(f.stored)
		followed := f.former.Has(name)
		if followed {
			page, other, of = f.former, fieldMine, f.former
		}
		mine, theirs := valuesOf(page, name), valuesOf(f.stored, name)
		if slices.Equal(nonEmpty(mine), nonEmpty(theirs)) {
			continue
		}
		c.fields = append(c.fields, differing{name, mine, theirs})
		c.Choices = append(c.Choices, ui.Choices{
			Field: ui.Field{ID: "keep-" + name, Name: fieldKeep + name, Label: l[1]},
			Options: []ui.Option{
				{Value: keepMine, Selected: !followed},
				{Value: keepTheirs, Selected: followed},
			},
		})
		for _, part := range dateParts {
			if part != "" && !page.Has(name+part) {
				continue
			}
			list := of[name+part]
			for _, v := range append(slices.Clone(list), make([]string, max(1-len(list), 0))...) {
				c.Hidden = append(c.Hidden, ui.Option{Text: other + name + part, Value: v})
			}
		}
	}
	c.say = func(what string) string { return f.r.T("form.changed_what", "What", what) }
	f.Version, f.conflict = f.now, c
	return len(c.Choices) > 0
}

// since is who has saved since what comes from the stash was typed, when, and what, in words.
type since struct{ who, when, what string }

// Since names who has saved since what comes from the stash was typed. last is asked only where somebody has; the page
// then shows both values of each field (screens.md U8, U10), as it does without a name.
func (f *Form) Since(last func() (who, when, what string, err error)) (err error) {
	if f.moved() {
		f.since.who, f.since.when, f.since.what, err = last()
	}
	return err
}

// Based says what is stored where that is known only after the form was read; nil is nothing that it is compared with.
func (f *Form) Based(stored Values) {
	maps.Copy(f.values, f.former) // it followed something else
	clear(f.former)
	if f.stored = stored; stored == nil {
		f.now = f.Version
		f.values.Del(fieldShown)
	}
	f.followUntouched()
}

// moved reports whether something else is stored than when what comes from the stash was typed.
func (f *Form) moved() bool {
	switch {
	case !f.Restored || f.conflict != nil:
		return false
	case len(f.stored) > 0 || f.values.Get(fieldShown) != "":
		return f.values.Has(fieldShown) && f.values.Get(fieldShown) != digests(f.stored)
	}
	return f.now != f.Version
}

// tellSince has a form that comes from the stash ask about what was saved since.
func (f *Form) tellSince() {
	if !f.moved() {
		return
	}
	var fields [][2]string
	for _, name := range f.order {
		if f.savedSince(name) {
			fields = append(fields, [2]string{name, f.labels[name]})
		}
	}
	key := "form.since"
	if !f.differ(fields) {
		key = "form.since_seen"
	}
	if f.since.who == "" {
		f.since.who, f.since.when = f.r.T("form.somebody"), f.r.T("form.some_time")
	}
	f.conflict.Notice.Text = f.r.T(key, "Who", f.since.who, "When", f.since.when)
	f.conflict.Tell(f.since.what)
}

// Tell adds to the notice what was changed, in words; nothing for "".
func (c *Conflict) Tell(what string) {
	if what != "" {
		c.Notice.Text += " " + c.say(what)
	}
}

// Differs reports whether one of the fields says something else than what is stored.
func (f *Form) Differs(stored Values, labels ...[2]string) bool {
	return slices.ContainsFunc(labels, func(l [2]string) bool {
		return !slices.Equal(nonEmpty(valuesOf(f.values, l[0])), nonEmpty(valuesOf(stored, l[0])))
	})
}

// Between are both values of a field with one; "" where it is not asked about.
func (c *Conflict) Between(name string) (mine, theirs string) {
	for _, d := range c.fields {
		if d.name == name {
			return url.Values{name: d.mine}.Get(name), url.Values{name: d.theirs}.Get(name)
		}
	}
	return "", ""
}

// name says which values differ, in the words of the options of a field that has some. It comes after the fields are
// made; what a page has said itself stays.
func (c *Conflict) name(f *Form) {
	words := func(name string, list []string) string {
		var said []string
		for _, v := range nonEmpty(list) {
			if at := slices.IndexFunc(f.offered[name], func(o ui.Option) bool { return o.Value == v }); at >= 0 {
				v = f.offered[name][at].Text
			} else if day, err := admitto.ParseDate(v); err == nil && f.values.Has(name+"-day") {
				v = f.r.Date(day.In(time.UTC))
			}
			said = append(said, v)
		}
		switch {
		case len(said) > 0:
			return f.r.Listed(said...)
		case len(f.offered[name]) == 1: // a box without its tick
			return f.r.T("value.no")
		}
		return f.r.T("value.none")
	}
	for i, d := range c.fields {
		options := c.Choices[i].Options
		if options[0].Text == "" {
			options[0].Text = f.r.T("form.mine", "Value", words(d.name, d.mine))
		}
		if options[1].Text == "" {
			options[1].Text = f.r.T("form.theirs", "Value", words(d.name, d.theirs))
		}
	}
}

// digests are short forms of values by name, as the form carries them.
func digests(values Values) string {
	list := url.Values{}
	for name, v := range values {
		if d := digest(v); d != "" {
			list.Set(name, d)
		}
	}
	return list.Encode()
}

// digest is a short form of the values of a field; "" of none.
func digest(list []string) string {
	list = nonEmpty(list)
	if len(list) == 0 {
		return ""
	}
	h := fnv.New32a()
	h.Write([]byte(strings.ReplaceAll(strings.Join(list, "\x00"), "\r\n", "\n"))) // it never fails
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// Watch lets the form carry what its page showed, for values that are stored without a row version, and reports whether
// a field was posted from a page that showed another value than the stored one.
func (f *Form) Watch(name string) (moved bool) {
	f.watched = true
	shown, err := url.ParseQuery(f.values.Get(fieldShown))
	return f.r.Posted() && f.values.Has(fieldShown) && err == nil && shown.Get(name) != digest(f.stored[name])
}

// untouched reports whether a field says what it said when the page was shown.
func (f *Form) untouched(name string) bool {
	shown, err := url.ParseQuery(f.values.Get(fieldShown))
	if err != nil || !f.values.Has(fieldShown) {
		return false
	}
	for _, part := range dateParts {
		if shown.Get(name+part) != digest(f.values[name+part]) {
			return false
		}
	}
	return true
}

// savedSince reports whether something else is stored for a field than when the page was shown.
func (f *Form) savedSince(name string) bool {
	shown, err := url.ParseQuery(f.values.Get(fieldShown))
	return err == nil && slices.ContainsFunc(dateParts, func(part string) bool {
		return shown.Get(name+part) != digest(f.stored[name+part])
	})
}

// Conflict is what Meanwhile found, nil without one.
func (f *Form) Conflict() *Conflict { return f.conflict }

// valuesOf are the values of a field; a date as one text.
func valuesOf(values map[string][]string, name string) []string {
	var parts []string
	for _, part := range []string{"-year", "-month", "-day"} {
		if list := nonEmpty(values[name+part]); len(list) > 0 {
			parts = append(parts, padded(list[0], 2))
		}
	}
	if len(parts) > 0 {
		return []string{strings.Join(parts, "-")}
	}
	return values[name]
}

// nonEmpty are the values that say something, without the spaces around them, which are never stored.
func nonEmpty(list []string) (said []string) {
	for _, v := range list {
		if v = strings.TrimSpace(v); v != "" {
			said = append(said, v)
		}
	}
	return said
}

// Carried are the values of the fields as they were posted, for a page that asks once more before they are taken.
func (f *Form) Carried(but ...string) (list []ui.Option) {
	own := append(but, fieldStamp, fieldVersion, fieldShown, fieldDiscard, fieldUncertain, fieldLost)
	for _, name := range slices.Sorted(maps.Keys(f.values)) {
		if slices.Contains(own, name) || strings.HasPrefix(name, fieldKeep) ||
			strings.HasPrefix(name, fieldMine) || strings.HasPrefix(name, fieldTheirs) {
			continue
		}
		for _, value := range f.values[name] {
			list = append(list, ui.Option{Text: name, Value: value})
		}
	}
	return list
}

// settle carries out what was chosen after a conflict: fields have their other value where it was taken.
func settle(values url.Values) {
	for name := range values {
		field, kept := strings.CutPrefix(name, fieldKeep)
		other := fieldMine
		if values.Get(name) == keepTheirs {
			other = fieldTheirs
		}
		for _, part := range dateParts {
			if kept && values.Has(other+field+part) {
				values[field+part] = values[other+field+part]
			}
		}
	}
}

// follow has a field show what is stored now, and keeps what the page had.
func (f *Form) follow(name string) {
	if f.former.Has(name) {
		return
	}
	f.former[name] = nil
	for _, part := range dateParts {
		if f.values.Has(name+part) || len(f.stored[name+part]) > 0 {
			f.former[name+part], f.values[name+part] = f.values[name+part], slices.Clone(f.stored[name+part])
		}
	}
}

// followUntouched has what comes from the stash show what is stored now in the fields that nobody had touched.
func (f *Form) followUntouched() {
	if !f.Restored || !f.values.Has(fieldShown) {
		return
	}
	for name := range f.stored {
		for _, part := range dateParts {
			name = strings.TrimSuffix(name, part)
		}
		if f.untouched(name) && f.savedSince(name) {
			f.follow(name)
		}
	}
}
