package admissions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// merger applies a patch to content, field by field as the tag rule of package admitto says, and collects the faults
// of all values.
type merger struct {
	patch       *ContentPatch
	application int64
	codes       map[string]map[string]bool // class → codes that may be stored
	questions   []admitto.Question
	documents   map[int64]bool // of the application
	faults      []admitto.Fault
}

// newMerger reads what values are compared with.
func newMerger(tx *store.Tx, content *admitto.Content, application int64, patch *ContentPatch) (m *merger, err error) {
	m = &merger{patch: patch, application: application, faults: slices.Clone(patch.Faults)}
	if m.codes, err = tx.ActiveCodes(); err != nil {
		return nil, err
	}
	for section, side := range map[string]struct{ class, mode string }{
		"home": {"Home institution", "External"}, "host": {"Host institution", "Internal"}} {
		if _, given := patch.Members[section]; !given {
			continue
		}
		institutions, err := tx.Institutions(admitto.InstitutionQuery{Statuses: []string{"Online"}, Modes: []string{side.mode}})
		if err != nil {
			return nil, err
		}
		for _, i := range institutions {
			m.allow(side.class, cmp.Or(i.Erasmus, strconv.FormatInt(i.ID, 10)))
		}
	}
	// A code that was switched off may stay where it is.
	m.allowPresent(reflect.ValueOf(content).Elem(), "", "")
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
func (m *merger) allowPresent(v reflect.Value, rule, pointer string) {
	class, isCode := strings.CutPrefix(rule, "code:")
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			m.allowPresent(v.Elem(), rule, pointer)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			m.allowPresent(v.Field(i), f.Tag.Get("rule"), pointer+"/"+memberName(f))
		}
	case reflect.Slice:
		for i := range v.Len() {
			m.allowPresent(v.Index(i), rule, pointer)
		}
	case reflect.String:
		if isCode && v.Len() > 0 {
			m.allow(classAt(class, pointer), v.String())
		}
	}
}

// classAt gives the class of a field. The home and the host side share their types, not their institutions.
func classAt(class, pointer string) string {
	if class == "Home institution" && strings.HasPrefix(pointer, "/host/") {
		return "Host institution"
	}
	return class
}

func memberName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func (m *merger) fault(pointer, format string, args ...any) {
	m.faults = append(m.faults, admitto.Fault{Pointer: pointer, HasPointer: true, Detail: fmt.Sprintf(format, args...)})
}

// object merges the members of the patch into the content.
func (m *merger) object(content *admitto.Content, members map[string]any) {
	m.members(reflect.ValueOf(content).Elem(), members, "")
}

// members merges the members of an object into a struct.
func (m *merger) members(v reflect.Value, members map[string]any, pointer string) {
	t := v.Type()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		at, known := pointer+"/"+pointerKey(name), false
		for i := range t.NumField() {
			if f := t.Field(i); memberName(f) == name {
				m.value(v.Field(i), f.Tag.Get("rule"), members[name], at)
				known = true
			}
		}
		if !known {
			m.fault(at, "there is no such field in the content of an application")
		}
	}
}

// value merges one value of the patch into the field v; null clears it.
func (m *merger) value(v reflect.Value, rule string, value any, pointer string) {
	if value == nil {
		v.SetZero()
		return
	}
	switch into := v.Addr().Interface().(type) {
	case *admitto.Optional:
		s, ok := value.(string)
		if !ok {
			m.fault(pointer, "the value must be a string, or null to clear it")
			return
		}
		s, err := m.text(rule, s, pointer)
		if err != nil {
			m.fault(pointer, "%s", err)
			return
		}
		*into = admitto.Optional(s)
	case *admitto.PartialDate:
		*into = m.partialDate(value, pointer)
	case **int:
		*into = m.integer(rule, value, pointer)
	case **bool:
		b, ok := value.(bool)
		if !ok {
			m.fault(pointer, "the value must be true or false, or null to clear it")
			return
		}
		*into = &b
	case *[]string:
		*into = m.codeList(rule, value, pointer)
	case *map[string]string:
		m.schemes(into, value, pointer)
	case *[]admitto.Extra:
		*into = m.extras(*into, value, pointer)
	default:
		m.nested(v, value, pointer)
	}
}

// nested merges an object into an inner object, or replaces a list of objects.
func (m *merger) nested(v reflect.Value, value any, pointer string) {
	if v.Kind() == reflect.Pointer {
		members, ok := value.(map[string]any)
		if !ok {
			m.fault(pointer, "the value must be an object, or null to clear it")
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		m.members(v.Elem(), members, pointer)
		return
	}
	items, ok := m.list(value, pointer, admitto.MaxContentEntries)
	if !ok {
		return
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		at := fmt.Sprintf("%s/%d", pointer, i)
		members, ok := item.(map[string]any)
		if !ok {
			m.fault(at, "an entry of the list must be an object")
			continue
		}
		m.members(list.Index(i), members, at)
	}
	v.Set(list)
}

// list checks that a value is a list of at most so many entries.
func (m *merger) list(value any, pointer string, most int) ([]any, bool) {
	items, ok := value.([]any)
	switch {
	case !ok:
		m.fault(pointer, "the value must be a list, or null to clear it")
	case len(items) > most:
		m.fault(pointer, "the list has %d entries; at most %d are allowed", len(items), most)
	default:
		return items, true
	}
	return nil, false
}

// text checks a text by its rule and gives its normal form; an empty one is unset.
func (m *merger) text(rule, s, pointer string) (string, error) {
	kind, argument, _ := strings.Cut(rule, ":")
	if strings.TrimSpace(s) == "" {
		return "", nil
	}
	switch kind {
	case "country":
		return text.Country(s)
	case "language":
		return text.Language(s)
	case "date":
		return s, dateText(s)
	case "lines":
		most, _ := strconv.Atoi(argument) // the tags are ours
		return text.Multiline(s, 0, most)
	case "words":
		if words := strings.Fields(argument); !slices.Contains(words, s) {
			return "", fmt.Errorf("%s is not one of %s", text.Quote(s), strings.Join(words, ", "))
		}
		return s, nil
	case "code":
		if class := classAt(argument, pointer); !m.codes[class][s] {
			return "", fmt.Errorf("%s is not a code of the classificator %s that is in use", text.Quote(s), class)
		}
		return s, nil
	}
	return text.Line(s, 0, 255)
}

func dateText(s string) error {
	d, err := admitto.ParseDate(s)
	if err == nil && (d.Year < 1000 || d.String() != s) {
		err = fmt.Errorf("%s is not a date of the form 2026-03-01", text.Quote(s))
	}
	return err
}

// partialDate reads a date of unknown precision, in the form of versions 1 to 8 where that is taken.
func (m *merger) partialDate(value any, pointer string) admitto.PartialDate {
	s, ok := value.(string)
	if parts, isObject := value.(map[string]any); isObject && m.patch.ObjectDates {
		s, ok = m.yearMonth(parts, pointer)
	} else if !ok {
		m.fault(pointer, "the value must be a date such as \"2025\", \"2025-12\" or \"2025-12-05\", or null to clear it")
	}
	if s = strings.TrimSpace(s); !ok || s == "" {
		return ""
	}
	date, err := admitto.ParsePartialDate(s)
	if err != nil {
		m.fault(pointer, "%s", err)
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
			m.fault(pointer+"/"+pointerKey(name), "the value must be a string")
			ok = false
		}
		if name != "yy" && name != "mm" {
			m.fault(pointer+"/"+pointerKey(name), "a date has the members yy and mm only")
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

// integer reads a whole number in the range of the rule.
func (m *merger) integer(rule string, value any, pointer string) *int {
	_, bounds, _ := strings.Cut(rule, ":")
	low, high, _ := strings.Cut(bounds, "-")
	least, _ := strconv.Atoi(low)
	most, _ := strconv.Atoi(high)
	number, ok := value.(json.Number)
	n, err := strconv.Atoi(string(number))
	if !ok || err != nil || n < least || n > most {
		m.fault(pointer, "the value must be a whole number from %d to %d, or null to clear it", least, most)
		return nil
	}
	return &n
}

// codeList reads a list of codes; a code given twice counts once.
func (m *merger) codeList(rule string, value any, pointer string) (codes []string) {
	items, _ := m.list(value, pointer, admitto.MaxContentEntries)
	for i, item := range items {
		at := fmt.Sprintf("%s/%d", pointer, i)
		s, ok := item.(string)
		if !ok || s == "" {
			m.fault(at, "an entry of the list must be a code")
			continue
		}
		if s, err := m.text(rule, s, at); err != nil {
			m.fault(at, "%s", err)
		} else if !slices.Contains(codes, s) {
			codes = append(codes, s)
		}
	}
	return codes
}

// schemes merges an object of texts by free names; null takes one away.
func (m *merger) schemes(into *map[string]string, value any, pointer string) {
	members, ok := value.(map[string]any)
	if !ok {
		m.fault(pointer, "the value must be an object, or null to clear it")
		return
	}
	merged := maps.Clone(*into)
	if merged == nil {
		merged = map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		at := pointer + "/" + pointerKey(name)
		given, isText := members[name].(string)
		code, err := text.Line(given, 0, 255)
		if key, keyErr := text.Line(name, 1, 64); keyErr != nil || key != name {
			m.fault(at, "the name of a scheme must be a text of 1 to 64 characters")
		}
		switch {
		case members[name] != nil && !isText:
			m.fault(at, "the value must be a string, or null to clear it")
		case err != nil:
			m.fault(at, "%s", err)
		case code == "":
			delete(merged, name)
		default:
			merged[name] = code
		}
	}
	if len(merged) > admitto.MaxContentEntries {
		m.fault(pointer, "there would be %d schemes; at most %d are allowed", len(merged), admitto.MaxContentEntries)
	}
	*into = merged
}
