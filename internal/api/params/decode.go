package params

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

// Input is a parameter type. It reads the values that were given, which are at least one, and says which it reads.
type Input interface {
	Read(d *Decoder, f *Field, a *Arg) error
	Describe(in *Place, f *Field) *schema.Schema
}

// Field is one parameter of a request struct.
type Field struct {
	index    []int
	Name     string
	Alias    string
	Required bool
	min, max int      // lengths of texts, or the range of a number
	upper    bool     // of a boundary: the upper one
	words    []string // of a wordList: the closed set
}

type inputPlan struct {
	fields []Field
	known  map[string]bool
}

// inputKey names a plan: a request struct in a version.
type inputKey struct {
	of reflect.Type
	v  version.Number
}

// Plans holds the plans of request structs. It is safe for concurrent use.
type Plans struct{ byKey sync.Map } // inputKey → *inputPlan

func (p *Plans) of(t reflect.Type, v version.Number) *inputPlan {
	key := inputKey{t, v}
	if known, ok := p.byKey.Load(key); ok {
		return known.(*inputPlan)
	}
	plan := newInputPlan(t, v)
	p.byKey.Store(key, plan)
	return plan
}

// Known returns the names of all parameters that were decoded.
func (p *Plans) Known() (names []string) {
	p.byKey.Range(func(_, plan any) bool {
		names = slices.AppendSeq(names, maps.Keys(plan.(*inputPlan).known))
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// FieldsOf returns the parameters that a request struct has in a version.
func FieldsOf(t reflect.Type, v version.Number) []Field { return newInputPlan(t, v).fields }

func newInputPlan(t reflect.Type, v version.Number) *inputPlan {
	p := &inputPlan{known: map[string]bool{}}
	for _, field := range reflect.VisibleFields(t) { // of what is embedded, too
		if field.Anonymous || !version.Tagged(field.Tag, v) {
			continue
		}
		tag := field.Tag
		f := Field{index: field.Index, Name: tag.Get("name"), Alias: tag.Get("alias"),
			Required: tag.Get("required") == "true",
			upper:    tag.Get("bound") == "upper"}
		if lo, hi, ok := strings.Cut(tag.Get("len"), "-"); ok {
			f.min, _ = strconv.Atoi(lo)
			f.max, _ = strconv.Atoi(hi)
		}
		if words := tag.Get("words"); words != "" {
			f.words = strings.Split(words, ",")
		}
		p.fields = append(p.fields, f)
		p.known[f.Name] = true
		if f.Alias != "" {
			p.known[f.Alias] = true
		}
	}
	return p
}

// Decoder reads the parameters of one request.
type Decoder struct {
	Plans    *Plans
	Version  version.Number
	Settings *config.Settings
	Strict   bool // a name that nobody knows is a fault
}

// Decode reads the parameters into the request struct that into points to. Its error, if any, lists every
// fault; what was well-formed is stored all the same. Names that nobody knows are ignored, or faults.
func (d *Decoder) Decode(list Args, into any) (ignored []string, err error) {
	v := reflect.ValueOf(into).Elem()
	plan := d.Plans.of(v.Type(), d.Version)
	var faults []admitto.Fault
	for i := range plan.fields {
		f := &plan.fields[i]
		a := list[f.Name]
		if other := list[f.Alias]; f.Alias != "" && other != nil {
			if a != nil { // given by both names is given twice
				other = &Arg{Values: slices.Concat(a.Values, other.Values), Kind: a.Kind, IsList: a.IsList || other.IsList,
					Pointer: a.Pointer, Fault: a.Fault.Or(other.Fault)}
			}
			a = other
		}
		switch {
		case a == nil && f.Required:
			faults = append(faults, FaultAt(f.Name, nil, message.Of("parameter-required")))
		case a != nil && !a.Fault.IsZero():
			faults = append(faults, FaultAt(f.Name, a, a.Fault))
		}
		if a == nil || !a.Fault.IsZero() {
			continue
		}
		if err := v.FieldByIndex(f.index).Addr().Interface().(Input).Read(d, f, a); err != nil {
			faults = append(faults, FaultAt(f.Name, a, err))
		}
	}
	unknown, ignored := d.unknown(list, plan)
	if faults = append(faults, unknown...); len(faults) > 0 {
		return ignored, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return ignored, nil
}

// FaultAt names a parameter in the way it came: by name, or by a pointer into the JSON body. A coded error
// brings its error code.
func FaultAt(name string, a *Arg, err error) admitto.Fault {
	f := admitto.Fault{Path: Position{Parameter: name}.Path(), Text: message.From(err)}
	var coded *codedError
	if errors.As(err, &coded) {
		f.Code, f.Text = coded.code, message.From(coded.error)
	}
	if a != nil && a.Pointer != "" {
		f.Path = AtPointer(a.Pointer)
	}
	return f
}

// codedError is a refused value with the error code of the contract.
type codedError struct {
	code string
	error
}

// Coded adds an error code of the contract to a refusal.
func Coded(code string, err error) error { return &codedError{code, err} }

// UnknownOf is unknown for parameters that are known by name only.
func (d *Decoder) UnknownOf(list Args, known map[string]bool) (faults []admitto.Fault, ignored []string) {
	return d.unknown(list, &inputPlan{known: known})
}

// unknown returns which parameters nobody knows, fit for a header, and refuses those that cannot be read, or have
// another shape than the parameter they name.
func (d *Decoder) unknown(list Args, plan *inputPlan) (faults []admitto.Fault, ignored []string) {
	var names []string
	for name, a := range list {
		switch {
		case plan.known[name]:
			continue
		case !a.Fault.IsZero():
			faults = append(faults, FaultAt(name, a, a.Fault))
			continue
		case a.Pointer != "" && plan.known[topName(name)]:
			faults = append(faults, FaultAt(topName(name), a, message.Of("parameter-not-single")))
			continue
		case plan.known[topName(name)]: // ignored, a filter would let everything pass
			faults = append(faults, FaultAt(topName(name), a, message.Of("no-list-index", text.Quote(name))))
			continue
		case slices.ContainsFunc(plan.fields, func(f Field) bool { return strings.HasPrefix(f.Name, name+"[") }):
			faults = append(faults, FaultAt(name, a, message.Of("parameter-no-object")))
			continue
		}
		names = append(names, name)
	}
	slices.Sort(names)
	if d.Strict {
		for _, name := range names {
			faults = append(faults, FaultAt(name, list[name], message.Of("no-such-parameter")))
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
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("._-[]", r)) {
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

// Single returns the one value of a parameter that is no list.
func (a *Arg) Single() (string, error) {
	switch {
	case a.IsList:
		return "", message.Of("parameter-is-list")
	case len(a.Values) != 1:
		return "", message.Of("parameter-repeated")
	}
	return a.Values[0], nil
}

// Text returns the one value of a parameter that must be a text.
func (a *Arg) Text() (string, error) {
	s, err := a.Single()
	if err == nil && a.Kind != IsText {
		return "", message.Of("no-string")
	}
	return s, err
}

// Line is a single-line text of len characters.
type Line string

func (l *Line) Read(_ *Decoder, f *Field, a *Arg) error {
	s, err := a.Text()
	if err == nil {
		s, err = text.Line(s, f.min, f.max)
	}
	*l = Line(s)
	return err
}

// Lines is a multi-line text of len characters.
type Lines string

func (l *Lines) Read(_ *Decoder, f *Field, a *Arg) error {
	s, err := a.Text()
	if err == nil {
		s, err = text.Multiline(s, f.min, f.max)
	}
	*l = Lines(s)
	return err
}

// Checked makes an input of a text and the function that checks it.
func Checked(a *Arg, check func(string) (string, error)) (string, error) {
	s, err := a.Text()
	if err != nil {
		return "", err
	}
	return check(s)
}

// EmailAddress is an address as it is stored: trimmed, otherwise as it was sent.
type EmailAddress string

func (e *EmailAddress) Read(_ *Decoder, _ *Field, a *Arg) error {
	s, err := Checked(a, text.Email)
	*e = EmailAddress(s)
	return err
}

// CountryCode is one of ISO 3166-1 alpha-2, in capitals.
type CountryCode string

func (v *CountryCode) Read(_ *Decoder, _ *Field, a *Arg) error {
	s, err := Checked(a, text.Country)
	*v = CountryCode(s)
	return err
}

// CurrencyCode is one of ISO 4217, in capitals.
type CurrencyCode string

func (v *CurrencyCode) Read(_ *Decoder, _ *Field, a *Arg) error {
	s, err := Checked(a, text.Currency)
	*v = CurrencyCode(s)
	return err
}

// ObjectID is the ID of an object, as number or text.
type ObjectID int64

func (v *ObjectID) Read(_ *Decoder, _ *Field, a *Arg) error {
	s, err := a.Single()
	if err == nil && a.Kind == IsBool {
		err = message.Of("value-no-id")
	}
	if err != nil {
		return err
	}
	id, err := text.ID(strings.TrimSpace(s))
	*v = ObjectID(id)
	return err
}

// Decimal is an exact decimal with two places, as number or text.
type Decimal struct {
	Value admitto.Hundredths
	Given bool
}

func (v *Decimal) Read(_ *Decoder, _ *Field, a *Arg) error {
	s, err := a.Single()
	if err == nil && a.Kind == IsBool {
		err = message.Of("value-no-decimal")
	}
	if err != nil {
		return err
	}
	v.Value, err = admitto.ParseHundredths(strings.TrimSpace(s))
	v.Given = err == nil
	return err
}

// Ignored is a parameter that is accepted and has no effect.
type Ignored struct{}

func (Ignored) Read(*Decoder, *Field, *Arg) error { return nil }

// Boundary is an end of a range: an ID or a time.
type Boundary struct {
	ID   int64
	At   admitto.Time
	IsID bool
}

func (b *Boundary) Read(d *Decoder, f *Field, a *Arg) error {
	s, err := a.Single()
	if err == nil {
		b.ID, b.At, b.IsID, err = text.Boundary(s, d.Settings.Instance.Timezone, f.upper)
	}
	return err
}

// LastID returns the ID up to which a list goes: 0 is no bound, below 0 is nothing.
func (b Boundary) LastID() int64 {
	if b.IsID && b.ID == 0 {
		return -1
	}
	return b.ID
}

// MaxItems bounds every list filter.
const MaxItems = 10_000

// List reads a list filter; a filter that is present must have items.
func List[T any](items []string, read func(string) (T, error)) ([]T, error) {
	switch {
	case len(items) == 0:
		return nil, message.Of("filter-empty")
	case len(items) > MaxItems:
		return nil, message.Of("list-too-long", MaxItems)
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

// IDList is a list of IDs, each once.
type IDList []int64

func (l *IDList) Read(_ *Decoder, _ *Field, a *Arg) (err error) {
	*l, err = List(text.SplitList(a.Values), text.ID)
	return err
}

// CountryList is a list of codes of ISO 3166-1 alpha-2 in capitals, each once.
type CountryList []string

func (l *CountryList) Read(_ *Decoder, _ *Field, a *Arg) (err error) {
	*l, err = List(text.SplitList(a.Values), text.Country)
	return err
}

// EmailList holds the normal forms of addresses.
type EmailList []string

func (l *EmailList) Read(_ *Decoder, _ *Field, a *Arg) (err error) {
	*l, err = List(text.SplitList(a.Values), func(s string) (string, error) {
		s, err := text.Email(s)
		return text.EmailKey(s), err
	})
	return err
}

// CodeList is a list of texts of at most 64 characters, each once.
type CodeList []string

func (l *CodeList) Read(_ *Decoder, _ *Field, a *Arg) (err error) {
	*l, err = List(text.SplitList(a.Values), func(s string) (string, error) { return text.Line(s, 1, 64) })
	return err
}

// WordList is a list of words of the closed set in the tag words, in any letter case.
type WordList []string

func (l *WordList) Read(_ *Decoder, f *Field, a *Arg) (err error) {
	*l, err = List(text.SplitList(a.Values), func(s string) (string, error) {
		for _, word := range f.words {
			if strings.EqualFold(s, word) {
				return word, nil
			}
		}
		return "", message.Of("not-one-of", text.Quote(s), strings.Join(f.words, ", "))
	})
	return err
}

// TitleList is a list of texts with commas between them, which may have spaces in them, each once.
type TitleList []string

func (l *TitleList) Read(_ *Decoder, _ *Field, a *Arg) (err error) {
	*l, err = List(text.SplitTitles(a.Values), func(s string) (string, error) { return text.Line(s, 1, MaxBody) })
	return err
}

// YearList is a list of years from 1900 to 2100, each once.
type YearList []int64

func (l *YearList) Read(_ *Decoder, _ *Field, a *Arg) (err error) {
	*l, err = List(text.SplitList(a.Values), func(s string) (int64, error) {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || len(s) != 4 || n < 1900 || n > 2100 {
			return 0, message.Of("no-year", text.Quote(s))
		}
		return n, nil
	})
	return err
}

// Limit is how many objects a list answers at most; 0 when not given. Its range is checked by the list,
// since it depends on other parameters.
type Limit struct {
	N     int
	Given bool
}

func (l *Limit) Read(_ *Decoder, _ *Field, a *Arg) error {
	s, err := a.Single()
	if err != nil {
		return err
	}
	s = strings.TrimSpace(s)
	n, err := strconv.Atoi(s)
	if err != nil && strings.Trim(s, "0123456789") == "" && s != "" {
		n, err = int(^uint(0)>>1), nil // too big for an integer: too big for every range
	}
	if err != nil {
		return message.Of("no-integer", text.Quote(s))
	}
	l.N, l.Given = n, true
	return nil
}

// Expansion is the parameter expand: the words in the order they were named, until check gives * its meaning.
type Expansion struct{ Words []string }

func (e *Expansion) Read(_ *Decoder, _ *Field, a *Arg) error {
	s, err := a.Single()
	e.Words = text.SplitList([]string{s})
	return err
}

// Has reports whether a word was named.
func (e *Expansion) Has(word string) bool { return slices.Contains(e.Words, word) }

// Check refuses words that the operation does not have and puts those that * means in its place.
func (e *Expansion) Check(allowed ...string) error {
	var wrong []string
	for _, word := range e.Words {
		if word != "*" && !slices.Contains(allowed, word) {
			wrong = append(wrong, text.Quote(word))
		}
	}
	if wrong != nil {
		return message.Of("not-expandable", strings.Join(wrong, ", "), strings.Join(allowed, ", "))
	}
	if e.Has("*") {
		e.Words = allowed
	}
	return nil
}

// Order is oldest-first, also when it is empty, unless newest-first is asked for.
type Order struct{ NewestFirst bool }

// The words of order (resources.md 2.3).
const (
	oldestFirst = "oldest-first"
	newestFirst = "newest-first"
)

func (o *Order) Read(_ *Decoder, _ *Field, a *Arg) error {
	s, err := a.Single()
	if err != nil {
		return err
	}
	switch s = strings.TrimSpace(s); {
	case strings.EqualFold(s, newestFirst):
		o.NewestFirst = true
	case s != "" && !strings.EqualFold(s, oldestFirst):
		return message.Of("not-one-of", text.Quote(s), oldestFirst+", "+newestFirst)
	}
	return nil
}
