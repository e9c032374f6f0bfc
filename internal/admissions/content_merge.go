package admissions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// merger applies a patch to content, field by field as the table of package form says, and collects the faults
// of all values.
type merger struct {
	patch       *ContentPatch
	application int64
	codes       map[string]map[string]bool // class → codes that may be stored
	questions   []admitto.Question
	documents   map[int64]bool // of the application
	faults      []admitto.Fault
	today       admitto.Date // of what is typed into pages
}

// newMerger reads what values are compared with.
func newMerger(tx *store.Tx, content *form.Content, application int64, patch *ContentPatch) (m *merger, err error) {
	m = &merger{patch: patch, application: application, faults: slices.Clone(patch.Faults)}
	if m.codes, err = tx.ActiveCodes(); err != nil {
		return nil, err
	}
	for section, side := range map[string]struct{ class, mode string }{
		"home": {"Home institution", "External"}, "host": {"Host institution", "Internal"}} {
		if _, given := patch.Members[section]; !given {
			continue
		}
		institutions, err := tx.Institutions(admitto.InstitutionQuery{Statuses: []string{"Online"},
			Modes: []string{side.mode}})
		if err != nil {
			return nil, err
		}
		for _, i := range institutions {
			m.allow(side.class, cmp.Or(i.Erasmus, strconv.FormatInt(i.ID, 10)))
		}
	}
	// A code that was switched off may stay where it is.
	m.allowPresent(content)
	if _, given := patch.Members["extras"]; !given {
		return m, nil
	}
	if m.questions, err = tx.Questions(); err != nil {
		return nil, err
	}
	documents, err := tx.DocumentsOf([]int64{application})
	m.documents = map[int64]bool{}
	for _, f := range documents[application] {
		m.documents[f.ID] = true
	}
	return m, err
}

func (m *merger) allow(class, code string) {
	if m.codes[class] == nil {
		m.codes[class] = map[string]bool{}
	}
	m.codes[class][code] = true
}

// allowPresent allows the codes that the content has now.
func (m *merger) allowPresent(content *form.Content) {
	for _, section := range form.Sections() {
		rows := content.Rows(section.Key)
		if o := content.Section(section.Key); o != nil {
			rows = append(rows, o)
		}
		for _, row := range rows {
			for _, f := range section.Leaves() {
				switch value := form.At(row, f.Below()).(type) {
				case string:
					m.allow(f.Class, value)
				case []string:
					for _, code := range value {
						m.allow(f.Class, code)
					}
				}
			}
		}
	}
}

func (m *merger) fault(pointer string, text message.Text) {
	m.faults = append(m.faults, admitto.Fault{Path: "content" + admitto.Path(pointer), Text: text})
}

// object merges the members of the patch into the content.
func (m *merger) object(content *form.Content, members map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		section, value, at := form.SectionOf(name), members[name], "/"+pointerKey(name)
		switch {
		case section == nil:
			m.unknown(at)
		case name == form.Questions:
			if value == nil {
				content.Extras = nil
			} else {
				content.Extras = m.extras(content.Extras, value, at)
			}
		case value == nil:
			delete(content.Sections, name)
		case section.Rows:
			if rows, ok := m.rows(section.Fields, value, at); ok {
				content.SetSection(name, rows)
			}
		default:
			content.SetSection(name, m.group(section.Fields, content.Section(name), value, at))
		}
	}
}

func (m *merger) unknown(pointer string) {
	m.fault(pointer, message.Of("no-content-field"))
}

// members merges the members of an object into one with these fields.
func (m *merger) members(fields []*form.Field, into form.Object, members map[string]any, pointer string) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		at := pointer + "/" + pointerKey(name)
		i := slices.IndexFunc(fields, func(f *form.Field) bool { return f.Name == name })
		if i < 0 {
			m.unknown(at)
			continue
		}
		if value := members[name]; value == nil {
			delete(into, name)
		} else if value, ok := m.value(fields[i], into[name], value, at); ok {
			into[name] = value
		}
	}
}

// value reads the value of a field; before is what the field has now. Without ok there was a fault.
func (m *merger) value(f *form.Field, before, value any, pointer string) (any, bool) {
	switch f.Kind {
	case form.Group:
		inner, _ := before.(form.Object)
		return m.group(f.Fields, inner, value, pointer), true
	case form.Month:
		return m.partialDate(value, pointer), true
	case form.Number:
		return m.integer(f, value, pointer)
	case form.YesNo:
		yes, ok := value.(bool)
		if !ok {
			m.fault(pointer, message.Of("no-bool-or-null"))
		}
		return yes, ok
	case form.Codes:
		return m.codeList(f, value, pointer), true
	case form.Schemes:
		codes, _ := before.(map[string]string)
		return m.schemes(codes, value, pointer)
	}
	s, ok := value.(string)
	if !ok {
		m.fault(pointer, message.Of("no-string-or-null"))
		return nil, false
	}
	s, err := m.text(f, s)
	if err != nil {
		m.fault(pointer, message.From(err))
	}
	return s, err == nil
}

// group merges an object into a section or a group.
func (m *merger) group(fields []*form.Field, into form.Object, value any, pointer string) form.Object {
	if into == nil {
		into = form.Object{}
	}
	if members, ok := value.(map[string]any); ok {
		m.members(fields, into, members, pointer)
	} else {
		m.fault(pointer, message.Of("no-object-or-null"))
	}
	return into
}

// rows reads a list of objects, which replaces what there is.
func (m *merger) rows(fields []*form.Field, value any, pointer string) ([]form.Object, bool) {
	items, ok := m.list(value, pointer, admitto.MaxContentEntries)
	rows := make([]form.Object, len(items))
	for i, item := range items {
		rows[i] = form.Object{}
		at := fmt.Sprintf("%s/%d", pointer, i)
		if members, isObject := item.(map[string]any); isObject {
			m.members(fields, rows[i], members, at)
		} else {
			m.fault(at, message.Of("entry-no-object"))
		}
	}
	return rows, ok
}

// list checks that a value is a list of at most so many entries.
func (m *merger) list(value any, pointer string, most int) ([]any, bool) {
	items, ok := value.([]any)
	switch {
	case !ok:
		m.fault(pointer, message.Of("no-list-or-null"))
	case len(items) > most:
		m.fault(pointer, message.Of("too-many-entries", len(items), most))
	default:
		return items, true
	}
	return nil, false
}

// text checks a text by the kind of its field and returns its normal form; an empty one is unset.
func (m *merger) text(f *form.Field, s string) (string, error) {
	if strings.TrimSpace(s) == "" {
		return "", nil
	}
	switch f.Kind {
	case form.Country:
		return text.Country(s)
	case form.Language:
		return text.Language(s)
	case form.Day:
		return s, dateText(s)
	case form.Lines:
		return text.Multiline(s, 0, f.Max)
	case form.Word:
		words := make([]string, len(f.Words))
		for i, choice := range f.Words {
			words[i] = choice.Word
		}
		if !slices.Contains(words, s) {
			return "", message.Of("not-one-of", text.Quote(s), strings.Join(words, ", "))
		}
		return s, nil
	case form.Code, form.Codes:
		if !m.codes[f.Class][s] {
			return "", message.Of("no-code-in-use", text.Quote(s), f.Class)
		}
		return s, nil
	}
	return text.Line(s, 0, maxLine)
}

// maxLine is how long a text of one line may be.
const maxLine = 255

func dateText(s string) error {
	d, err := admitto.ParseDate(s)
	if err == nil && (d.Year < 1000 || d.String() != s) {
		err = message.Of("no-date", text.Quote(s))
	}
	return err
}

// partialDate reads a date of unknown precision, as one text or, where that is taken, in parts.
func (m *merger) partialDate(value any, pointer string) string {
	s, ok := value.(string)
	if parts, isObject := value.(map[string]any); isObject && m.patch.DatesInParts {
		s, ok = m.yearMonth(parts, pointer)
	} else if !ok {
		m.fault(pointer, message.Of("no-partial-date"))
	}
	if s = strings.TrimSpace(s); !ok || s == "" {
		return ""
	}
	date, err := admitto.ParsePartialDate(s)
	if err != nil {
		m.fault(pointer, message.From(err))
	}
	return date
}

// yearMonth puts {"yy":"2025","mm":"12"} together; mm may be null.
func (m *merger) yearMonth(parts map[string]any, pointer string) (date string, ok bool) {
	text := map[string]string{}
	ok = true
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		switch v := parts[name].(type) {
		case nil:
		case string:
			text[name] = v
		case json.Number:
			text[name] = v.String()
		default:
			m.fault(pointer+"/"+pointerKey(name), message.Of("no-string"))
			ok = false
		}
		if name != "yy" && name != "mm" {
			m.fault(pointer+"/"+pointerKey(name), message.Of("date-members"))
			ok = false
		}
	}
	switch year, month := text["yy"], text["mm"]; {
	case month == "":
		return year, ok
	case len(month) == 1:
		return year + "-0" + month, ok
	default:
		return year + "-" + month, ok
	}
}

// integer reads a whole number in the range of the field.
func (m *merger) integer(f *form.Field, value any, pointer string) (int, bool) {
	number, ok := value.(json.Number)
	n, err := strconv.Atoi(string(number))
	if !ok || err != nil || n < f.Min || n > f.Max {
		m.fault(pointer, message.Of("whole-number-range", f.Min, f.Max))
		return 0, false
	}
	return n, true
}

// codeList reads a list of codes; a code given twice counts once.
func (m *merger) codeList(f *form.Field, value any, pointer string) (codes []string) {
	items, _ := m.list(value, pointer, admitto.MaxContentEntries)
	for i, item := range items {
		at := fmt.Sprintf("%s/%d", pointer, i)
		s, ok := item.(string)
		if !ok || s == "" {
			m.fault(at, message.Of("entry-no-code"))
			continue
		}
		if s, err := m.text(f, s); err != nil {
			m.fault(at, message.From(err))
		} else if !slices.Contains(codes, s) {
			codes = append(codes, s)
		}
	}
	return codes
}

// schemes merges an object of texts by free names; null takes one away.
func (m *merger) schemes(before map[string]string, value any, pointer string) (map[string]string, bool) {
	members, ok := value.(map[string]any)
	if !ok {
		m.fault(pointer, message.Of("no-object-or-null"))
		return nil, false
	}
	merged := maps.Clone(before)
	if merged == nil {
		merged = map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		at := pointer + "/" + pointerKey(name)
		given, isText := members[name].(string)
		code, err := text.Line(given, 0, maxLine)
		if key, keyErr := text.Line(name, 1, 64); keyErr != nil || key != name {
			m.fault(at, message.Of("scheme-name"))
		}
		switch {
		case members[name] != nil && !isText:
			m.fault(at, message.Of("no-string-or-null"))
		case err != nil:
			m.fault(at, message.From(err))
		case code == "":
			delete(merged, name)
		default:
			merged[name] = code
		}
	}
	if len(merged) > admitto.MaxContentEntries {
		m.fault(pointer, message.Of("too-many-schemes", len(merged), admitto.MaxContentEntries))
	}
	return merged, true
}
