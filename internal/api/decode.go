package api

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/text"
)

// Request structs list the parameters of an operation: the type of a field says how its text is read, the
// tag name what it is called, and the tags len, max, required, words or alias say the rest. The tags since and until say which
// versions have the parameter, as those of the wire structs do; one that changed is two fields with one name. They are read by
// decode, which tells all faults at once, and by the OpenAPI documents.

// input is a parameter type. It reads the values that were given, which are at least one, and says which it reads.
type input interface {
	read(d *decoder, f *inputField, a *arg) error
	describe(in *inputPlace, f *inputField) *schema.Schema
}

// inputField is one parameter of a request struct.
type inputField struct {
	index    []int
	name     string
	alias    string
	required bool
	min, max int      // lengths of texts, or the range of a number
	upper    bool     // of a boundary: the upper one
	words    []string // of a wordList: the closed set
}

type inputPlan struct {
	fields []inputField
	known  map[string]bool
}

// inputKey names a plan: a request struct in a version.
type inputKey struct {
	of reflect.Type
	v  version.Number
}

// inputPlans holds the plans of request structs. It is safe for concurrent use.
type inputPlans struct{ byKey sync.Map } // inputKey → *inputPlan

func (p *inputPlans) of(t reflect.Type, v version.Number) *inputPlan {
	key := inputKey{t, v}
	if known, ok := p.byKey.Load(key); ok {
		return known.(*inputPlan)
	}
	plan := newInputPlan(t, v)
	p.byKey.Store(key, plan)
	return plan
}

// known returns the names of all parameters that were decoded.
func (p *inputPlans) known() (names []string) {
	p.byKey.Range(func(_, plan any) bool {
		names = slices.AppendSeq(names, maps.Keys(plan.(*inputPlan).known))
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// inputFields returns the parameters that a request struct has in a version.
func inputFields(t reflect.Type, v version.Number) []inputField { return newInputPlan(t, v).fields }

func newInputPlan(t reflect.Type, v version.Number) *inputPlan {
	p := &inputPlan{known: map[string]bool{}}
	for _, field := range reflect.VisibleFields(t) { // of what is embedded, too
		if field.Anonymous || !version.Tagged(field.Tag, v) {
			continue
		}
		tag := field.Tag
		f := inputField{index: field.Index, name: tag.Get("name"), alias: tag.Get("alias"), required: tag.Get("required") == "true",
			upper: tag.Get("bound") == "upper"}
		if lo, hi, ok := strings.Cut(tag.Get("len"), "-"); ok {
			f.min, _ = strconv.Atoi(lo)
			f.max, _ = strconv.Atoi(hi)
		}
		if words := tag.Get("words"); words != "" {
			f.words = strings.Split(words, ",")
		}
		p.fields = append(p.fields, f)
		p.known[f.name] = true
		if f.alias != "" {
			p.known[f.alias] = true
		}
	}
	return p
}

// decoder reads the parameters of one request.
type decoder struct {
	plans    *inputPlans
	version  version.Number
	settings *config.Settings
	strict   bool // a name that nobody knows is a fault
}

// decode reads the parameters into the request struct that into points to. Its error, if any, lists every
// fault; what was well-formed is stored all the same. Names that nobody knows are ignored, or faults.
func (d *decoder) decode(list args, into any) (ignored []string, err error) {
	v := reflect.ValueOf(into).Elem()
	plan := d.plans.of(v.Type(), d.version)
	var faults []admitto.Fault
	for i := range plan.fields {
		f := &plan.fields[i]
		a := list[f.name]
		if other := list[f.alias]; f.alias != "" && other != nil {
			if a != nil { // given by both names is given twice
				other = &arg{values: slices.Concat(a.values, other.values), kind: a.kind, isList: a.isList || other.isList, pointer: a.pointer, fault: a.fault + other.fault}
			}
			a = other
		}
		switch {
		case a == nil && f.required:
			faults = append(faults, faultAt(f.name, nil, errors.New("the parameter is required")))
		case a != nil && a.fault != "":
			faults = append(faults, faultAt(f.name, a, errors.New(a.fault)))
		}
		if a == nil || a.fault != "" {
			continue
		}
		if err := v.FieldByIndex(f.index).Addr().Interface().(input).read(d, f, a); err != nil {
			faults = append(faults, faultAt(f.name, a, err))
		}
	}
	unknown, ignored := d.unknown(list, plan)
	if faults = append(faults, unknown...); len(faults) > 0 {
		return ignored, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return ignored, nil
}

// faultAt names a parameter in the way it came: by name, or by a pointer into the JSON body. A coded error
// brings its error code.
func faultAt(name string, a *arg, err error) admitto.Fault {
	f := admitto.Fault{Parameter: name, Text: message.From(err)}
	var coded *codedError
	if errors.As(err, &coded) {
		f.Code, f.Text = coded.code, message.From(coded.error)
	}
	if a != nil && a.pointer != "" {
		f.Parameter, f.Pointer, f.HasPointer = "", a.pointer, true
	}
	return f
}

// codedError is a refused value with the error code of the contract.
type codedError struct {
	code string
	error
}

// coded returns a refusal with an error code of the contract.
func coded(code string, err error) error { return &codedError{code, err} }

// unknownOf is unknown for parameters that are known by name only.
func (d *decoder) unknownOf(list args, known map[string]bool) (faults []admitto.Fault, ignored []string) {
	return d.unknown(list, &inputPlan{known: known})
}

// unknown returns which parameters nobody knows, fit for a header, and refuses those that cannot be read, or have
// another shape than the parameter they name.
func (d *decoder) unknown(list args, plan *inputPlan) (faults []admitto.Fault, ignored []string) {
	var names []string
	for name, a := range list {
		switch {
		case plan.known[name]:
			continue
		case a.fault != "":
			faults = append(faults, faultAt(name, a, errors.New(a.fault)))
			continue
		case a.pointer != "" && plan.known[topName(name)]:
			faults = append(faults, faultAt(topName(name), a, errors.New("the parameter must be a single value")))
			continue
		case plan.known[topName(name)]: // ignored, a filter would let everything pass
			faults = append(faults, faultAt(topName(name), a, fmt.Errorf("%s has no index of a list: brackets are empty or hold a number from 0 on",
				text.Quote(name))))
			continue
		case slices.ContainsFunc(plan.fields, func(f inputField) bool { return strings.HasPrefix(f.name, name+"[") }):
			faults = append(faults, faultAt(name, a, errors.New("the parameter must be an object")))
			continue
		}
		names = append(names, name)
	}
	slices.Sort(names)
	if d.strict {
		for _, name := range names {
			faults = append(faults, faultAt(name, list[name], errors.New("there is no such parameter here")))
		}
		return faults, nil
	}
	if len(names) > 20 {
		names = names[:20]
	}
	for i, name := range names {
		names[i] = printableName(name)
	}
	return faults, names
}

// printableName makes a name fit for a header: other characters become _, cut at 64.
func printableName(name string) string {
	var b strings.Builder
	n := 0
	for _, r := range name {
		if n++; n > 64 {
			break
		}
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-[]", r)) {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	if b.Len() == 0 {
		return "_"
	}
	return b.String()
}

// single returns the one value of a parameter that is no list.
func (a *arg) single() (string, error) {
	switch {
	case a.isList:
		return "", errors.New("the parameter must be a single value, not a list")
	case len(a.values) != 1:
		return "", errors.New("the parameter is given more than once")
	}
	return a.values[0], nil
}

// text returns the one value of a parameter that must be a text.
func (a *arg) text() (string, error) {
	s, err := a.single()
	if err == nil && a.kind != isText {
		return "", errors.New("the value must be a string")
	}
	return s, err
}

// line is a single-line text of len characters.
type line string

func (l *line) read(_ *decoder, f *inputField, a *arg) error {
	s, err := a.text()
	if err == nil {
		s, err = text.Line(s, f.min, f.max)
	}
	*l = line(s)
	return err
}

// lines is a multi-line text of len characters.
type lines string

func (l *lines) read(_ *decoder, f *inputField, a *arg) error {
	s, err := a.text()
	if err == nil {
		s, err = text.Multiline(s, f.min, f.max)
	}
	*l = lines(s)
	return err
}

// checked makes an input of a text and the function that checks it.
func checked(a *arg, check func(string) (string, error)) (string, error) {
	s, err := a.text()
	if err != nil {
		return "", err
	}
	return check(s)
}

type emailAddress string

func (e *emailAddress) read(_ *decoder, _ *inputField, a *arg) error {
	s, err := checked(a, text.Email)
	*e = emailAddress(s)
	return err
}

type countryCode string

func (v *countryCode) read(_ *decoder, _ *inputField, a *arg) error {
	s, err := checked(a, text.Country)
	*v = countryCode(s)
	return err
}

type currencyCode string

func (v *currencyCode) read(_ *decoder, _ *inputField, a *arg) error {
	s, err := checked(a, text.Currency)
	*v = currencyCode(s)
	return err
}

// objectID is the ID of an object, as number or text.
type objectID int64

func (v *objectID) read(_ *decoder, _ *inputField, a *arg) error {
	s, err := a.single()
	if err == nil && a.kind == isBool {
		err = errors.New("the value must be an ID")
	}
	if err != nil {
		return err
	}
	id, err := text.ID(strings.TrimSpace(s))
	*v = objectID(id)
	return err
}

// decimal is an exact decimal with two places, as number or text.
type decimal struct {
	value admitto.Hundredths
	given bool
}

func (v *decimal) read(_ *decoder, _ *inputField, a *arg) error {
	s, err := a.single()
	if err == nil && a.kind == isBool {
		err = errors.New("the value must be a decimal such as 12.50")
	}
	if err != nil {
		return err
	}
	v.value, err = admitto.ParseHundredths(strings.TrimSpace(s))
	v.given = err == nil
	return err
}

// ignored is a parameter that is accepted and has no effect.
type ignored struct{}

func (ignored) read(*decoder, *inputField, *arg) error { return nil }

// boundary is an end of a range: an ID or a time.
type boundary struct {
	id   int64
	at   admitto.Time
	isID bool
}

func (b *boundary) read(d *decoder, f *inputField, a *arg) error {
	s, err := a.single()
	if err == nil {
		b.id, b.at, b.isID, err = text.Boundary(s, d.settings.Instance.Timezone, f.upper)
	}
	return err
}

// lastID returns the ID up to which a list goes: 0 is no bound, below 0 is nothing.
func (b boundary) lastID() int64 {
	if b.isID && b.id == 0 {
		return -1
	}
	return b.id
}

// maxItems bounds every list filter.
const maxItems = 10_000

// list reads a list filter; a filter that is present must have items.
func list[T any](items []string, read func(string) (T, error)) ([]T, error) {
	switch {
	case len(items) == 0:
		return nil, errors.New("the filter is empty; leave it out, or name at least one item")
	case len(items) > maxItems:
		return nil, fmt.Errorf("the list has more than %d items", maxItems)
	}
	seen := make(map[string]bool, len(items))
	out := make([]T, 0, len(items))
	for _, item := range items {
		v, err := read(item)
		if err != nil {
			return nil, err
		}
		if key := fmt.Sprint(v); !seen[key] {
			seen[key] = true
			out = append(out, v)
		}
	}
	return out, nil
}

type idList []int64

func (l *idList) read(_ *decoder, _ *inputField, a *arg) (err error) {
	*l, err = list(text.SplitList(a.values), text.ID)
	return err
}

type countryList []string

func (l *countryList) read(_ *decoder, _ *inputField, a *arg) (err error) {
	*l, err = list(text.SplitList(a.values), text.Country)
	return err
}

// emailList holds the normal forms of addresses.
type emailList []string

func (l *emailList) read(_ *decoder, _ *inputField, a *arg) (err error) {
	*l, err = list(text.SplitList(a.values), func(s string) (string, error) {
		s, err := text.Email(s)
		return text.EmailKey(s), err
	})
	return err
}

type codeList []string

func (l *codeList) read(_ *decoder, _ *inputField, a *arg) (err error) {
	*l, err = list(text.SplitList(a.values), func(s string) (string, error) { return text.Line(s, 1, 64) })
	return err
}

// wordList is a list of words of the closed set in the tag words, in any letter case.
type wordList []string

func (l *wordList) read(_ *decoder, f *inputField, a *arg) (err error) {
	*l, err = list(text.SplitList(a.values), func(s string) (string, error) {
		for _, word := range f.words {
			if strings.EqualFold(s, word) {
				return word, nil
			}
		}
		return "", fmt.Errorf("%s is not one of %s", text.Quote(s), strings.Join(f.words, ", "))
	})
	return err
}

type titleList []string

func (l *titleList) read(_ *decoder, _ *inputField, a *arg) (err error) {
	*l, err = list(text.SplitTitles(a.values), func(s string) (string, error) { return text.Line(s, 1, maxBody) })
	return err
}

type yearList []int64

func (l *yearList) read(_ *decoder, _ *inputField, a *arg) (err error) {
	*l, err = list(text.SplitList(a.values), func(s string) (int64, error) {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || len(s) != 4 || n < 1900 || n > 2100 {
			return 0, fmt.Errorf("%s is not a year from 1900 to 2100", text.Quote(s))
		}
		return n, nil
	})
	return err
}

// limit is how many objects a list answers at most; 0 when not given. Its range is checked by the list,
// since it depends on other parameters.
type limit struct {
	n     int
	given bool
}

func (l *limit) read(_ *decoder, _ *inputField, a *arg) error {
	s, err := a.single()
	if err != nil {
		return err
	}
	s = strings.TrimSpace(s)
	n, err := strconv.Atoi(s)
	if err != nil && strings.Trim(s, "0123456789") == "" && s != "" {
		n, err = int(^uint(0)>>1), nil // too big for an integer: too big for every range
	}
	if err != nil {
		return fmt.Errorf("%s is not an integer", text.Quote(s))
	}
	l.n, l.given = n, true
	return nil
}

// expansion is the parameter expand: the words in the order they were named, until check gives * its meaning.
type expansion struct{ words []string }

func (e *expansion) read(_ *decoder, _ *inputField, a *arg) error {
	s, err := a.single()
	e.words = text.SplitList([]string{s})
	return err
}

func (e *expansion) has(word string) bool { return slices.Contains(e.words, word) }

// check refuses words that the operation does not have and returns * its meaning.
func (e *expansion) check(allowed ...string) error {
	var wrong []string
	for _, word := range e.words {
		if word != "*" && !slices.Contains(allowed, word) {
			wrong = append(wrong, text.Quote(word))
		}
	}
	if wrong != nil {
		return fmt.Errorf("%s cannot be expanded; allowed are %s and *", strings.Join(wrong, ", "), strings.Join(allowed, ", "))
	}
	if e.has("*") {
		e.words = allowed
	}
	return nil
}

// order is oldest-first, also when it is empty, unless newest-first is asked for.
type order struct{ newestFirst bool }

// The words of order (resources.md 2.3).
const (
	oldestFirst = "oldest-first"
	newestFirst = "newest-first"
)

func (o *order) read(_ *decoder, _ *inputField, a *arg) error {
	s, err := a.single()
	if err != nil {
		return err
	}
	switch s = strings.TrimSpace(s); {
	case strings.EqualFold(s, newestFirst):
		o.newestFirst = true
	case s != "" && !strings.EqualFold(s, oldestFirst):
		return fmt.Errorf("%s is not one of %s, %s", text.Quote(s), oldestFirst, newestFirst)
	}
	return nil
}
