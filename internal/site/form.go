package site

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of a form: bytes of all of it, and fields.
const (
	mostBytes  = 1 << 20
	mostFields = 2000
)

// Names of fields that forms carry besides their own.
const (
	fieldStamp   = "of"      // whose form it is, signed
	fieldVersion = "version" // row version of what was shown
	fieldShown   = "was"     // digests of the values that were shown, by name
	fieldKeep    = "keep."   // keepMine or keepTheirs, after a conflict
	fieldMine    = "mine."   // the value that the reader's page had, where its field shows theirs
	fieldTheirs  = "theirs." // the value that somebody else saved meanwhile, where its field shows the reader's
	fieldDiscard = "discard" // the kept file that is to be forgotten, by its ID or its field, or wholeForm

	fieldUncertain = "uncertain" // of what is kept: it may have been saved
	fieldLost      = "lost"      // of what is kept: names of files that were too many to be kept with it
)

// OfForm begins the names of fields of the application form, none of which is secret whatever it is called.
const OfForm = "content."

// readForm reads what was posted.
func (r *Request) readForm() error {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	most := int64(mostBytes)
	withFiles := err == nil && kind == "multipart/form-data" && r.current.Files
	if withFiles {
		most += mostFiles * r.site.Accounts.MostFileBytes()
		if r.current.Several {
			most *= 2 // a few files too many are read past
		}
	} else if err != nil || kind != "application/x-www-form-urlencoded" {
		return errMalformed
	}
	body := http.MaxBytesReader(nil, r.Body, most)
	if withFiles {
		err = r.readParts(body, parameters["boundary"])
	} else {
		err = r.readFields(body)
	}
	if err != nil {
		return err
	}
	spreadDates(r.typed)
	r.stamp, _ = r.site.openStamp(r.typed.Get(fieldStamp))
	return nil
}

// readFields reads a form without files.
func (r *Request) readFields(body io.Reader) error {
	text, err := io.ReadAll(body)
	if isTooLarge(err) {
		return errTooLarge
	}
	if err != nil {
		return errMalformed
	}
	r.typed, err = parseForm(string(text))
	return err
}

// oneOf is the only argument of a sentence, where it is of that type.
func oneOf[T any](args []any) (value T, is bool) {
	if len(args) == 1 {
		value, is = args[0].(T)
	}
	return value, is
}

// isTooLarge reports whether a body was larger than it may be.
func isTooLarge(err error) bool {
	var large *http.MaxBytesError
	return errors.As(err, &large)
}

// parseForm reads the fields of a form. What cannot be shown again is taken out of the values: bytes that are no text,
// and control characters but line breaks and tabs.
func parseForm(body string) (url.Values, error) {
	if strings.Count(body, "&") >= mostFields {
		return nil, errTooLarge
	}
	values, err := url.ParseQuery(body)
	if err != nil {
		return nil, errMalformed
	}
	for name, list := range values {
		if !utf8.ValidString(name) {
			return nil, errMalformed
		}
		for i, v := range list {
			list[i] = readable(v)
		}
	}
	settle(values)
	return values, nil
}

func readable(v string) string {
	v = strings.ReplaceAll(strings.ToValidUTF8(v, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return -1
		}
		return c
	}, v)
}

// version is the row version that the form was made from; 0 for a form that carries none.
func (r *Request) version() int64 { return versionOf(r.typed) }

func versionOf(values url.Values) int64 {
	version, err := strconv.ParseInt(values.Get(fieldVersion), 10, 64)
	if err != nil || version < 0 {
		return 0
	}
	return version
}

// Form is the form of a page: what was typed into it, or what is stored; and what is wrong with it.
type Form struct {
	r        *Request
	values   url.Values
	stored   Values   // what was stored when the page was asked for
	order    []string // of the fields that were made
	ids      map[string]string
	words    map[string]string // instead of messages, as SetLabel says
	labels   map[string]string // as the fields are labelled
	offered  map[string][]ui.Option
	faults   []formFault
	guards   map[string]string // fields, by the codes of faults that have no path
	Restored bool              // it comes from the stash: what was typed was not saved yet
	Version  int64
	conflict *Conflict
	former   url.Values // what the page had in fields that show what somebody else has saved

	now       int64  // row version of what is stored
	since     since  // who has saved since what comes from the stash was typed
	press     string // what its first button says
	uncertain bool   // it comes from the stash, and may have been saved
	withFiles bool
	filesRead bool
	kept      []*File
	discards  []ui.Button // which forget files that are kept
	watched   bool        // it carries what was shown, though without a row version
}

type formFault struct {
	name, text string
	overtaken  bool // it says that somebody else has saved
}

// Values are what is stored, by name of the field.
type Values map[string][]string

// One is the values of a field that has one.
func One(value string) []string { return []string{value} }

// Form returns the form of the page: posted, what was typed; otherwise what is stored, or what could not be saved
// before. version is the row version of what is stored, 0 where nobody else could change it.
func (r *Request) Form(stored Values, version int64) (*Form, error) {
	f := &Form{r: r, values: url.Values(stored), stored: stored, ids: map[string]string{}, labels: map[string]string{},
		offered: map[string][]ui.Option{}, Version: version, now: version, former: url.Values{}}
	if f.values == nil {
		f.values = url.Values{}
	}
	if r.Posted() {
		f.values = r.typed
		if seen := r.version(); seen != 0 && version != 0 { // it stays so until the reader is told of another one
			f.Version = seen
		}
		return f, nil
	}
	kept, err := r.kept()
	if err != nil || kept == nil {
		return f, err
	}
	f.values, f.Restored, f.uncertain = kept, true, kept.Has(fieldUncertain)
	// It was typed over what was stored then: see Since, and what has no fields is noticed when it is saved.
	if then := versionOf(kept); then != 0 && version != 0 {
		f.Version = then
	}
	f.followUntouched()
	return f, nil
}

// Get is the value of a field, without the space around it.
func (f *Form) Get(name string) string { return strings.TrimSpace(f.values.Get(name)) }

// Typed is the value of a field as it was typed: for passwords.
func (f *Form) Typed(name string) string { return f.values.Get(name) }

// All are the values of a field that may have several.
func (f *Form) All(name string) []string { return f.values[name] }

// Set has a field show values instead of what was typed.
func (f *Form) Set(name string, values []string) { f.values[name] = values }

// Has reports whether the box is ticked, or the button pressed.
func (f *Form) Has(name string) bool { return f.values.Has(name) && f.values.Get(name) != "" }

// Number is the whole number in a field; fail names the message for what is none.
func (f *Form) Number(name, fail string) int64 {
	text := f.Get(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		f.Fail(name, fail)
	}
	return n
}

// Among refuses what was chosen in a field when it is none of what the page offers.
func (f *Form) Among(name string, offered ...string) {
	for _, chosen := range f.values[name] {
		if !slices.Contains(offered, chosen) {
			f.FailText(name, message.Of("choose-one"))
			return
		}
	}
}

// Choice is the ID that a list of options was set to; 0 for none, and -1, which nothing has, for what is no ID.
func (f *Form) Choice(name string) int64 {
	chosen := f.Get(name)
	id, err := strconv.ParseInt(chosen, 10, 64)
	switch {
	case chosen == "":
		return 0
	case err != nil || id < 0:
		return -1
	}
	return id
}

// Day is the day in three fields (ui.DateField); ok is false, and the fault noted, for what is no day.
func (f *Form) Day(name string) (admitto.Date, bool) {
	day, month, year := f.Get(name+"-day"), f.Get(name+"-month"), f.Get(name+"-year")
	if day == "" && month == "" && year == "" {
		return admitto.Date{}, true
	}
	date, ok := dayOf(day, month, year)
	if !ok {
		f.Fail(name, "form.no_day")
	}
	return date, ok
}

// DayWords is the day in three fields in words, as it was typed where it is no day.
func (f *Form) DayWords(name string) string {
	day, month, year := f.Get(name+"-day"), f.Get(name+"-month"), f.Get(name+"-year")
	date, ok := dayOf(day, month, year)
	if !ok {
		return strings.TrimSpace(day + " " + month + " " + year)
	}
	return f.r.Date(date.In(time.UTC))
}

// Wrong reports whether something is wrong with one of the fields.
func (f *Form) Wrong(names ...string) bool {
	return slices.ContainsFunc(f.faults, func(fault formFault) bool { return slices.Contains(names, fault.name) })
}

func padded(digits string, width int) string {
	if len(digits) < width {
		return strings.Repeat("0", width-len(digits)) + digits
	}
	return digits
}

// Fail says what is wrong with a field, by a message.
func (f *Form) Fail(name, key string, args ...any) { f.fail(name, f.r.T(key, args...)) }

// FailWords says what is wrong with a field, in words that are made already.
func (f *Form) FailWords(name, words string) { f.fail(name, words) }

// FailText says what is wrong with a field, by a sentence of a use case.
func (f *Form) FailText(name string, text message.Text) { f.fail(name, f.r.Say(text)) }

// FileRefused puts what is wrong with a file next to its field; any other error comes back. A file that nobody will
// take is forgotten, so that it does not stand in the way of the next press.
func (f *Form) FileRefused(name string, err error) error {
	var wrong *admitto.Error
	if !errors.As(err, &wrong) {
		return err
	}
	kind := wrong.Kind == admitto.TooLarge || wrong.Kind == admitto.UnsupportedFormat
	if !kind && !slices.ContainsFunc(wrong.Faults, func(f admitto.Fault) bool { return f.Path == "document.file" }) {
		return err
	}
	file, failed := f.File(name)
	if failed == nil && file != nil {
		failed = f.Taken(file)
	}
	if failed != nil || !kind {
		return errors.Join(failed, err)
	}
	f.FailWords(name, f.fileWords(wrong.Text))
	return nil
}

// fileWords says what is wrong with a file; sizes are those that people know.
func (f *Form) fileWords(text message.Text) string {
	if most, is := oneOf[int64](text.Args); is && text.Code == "file-too-large" {
		return f.r.T("form.file_too_large", "Size", f.r.Size(most))
	}
	return f.r.Say(text)
}

func (f *Form) fail(name, text string) {
	f.r.failed = true
	f.faults = append(f.faults, formFault{name: name, text: text})
}

// Failed reports whether anything is wrong.
func (f *Form) Failed() bool { return f.r.failed }

// Unsaid returns what takes back all that is said against the form from now on, for what may run again.
func (f *Form) Unsaid() func() {
	faults, failed := slices.Clip(f.faults), f.r.failed
	return func() { f.faults, f.r.failed = faults, failed }
}

// Store runs a use case that stores what was typed. Where the page has said already that something is wrong, the use
// case only checks: what else is wrong is said with the same answer (screens.md U7), and so is that somebody else has
// saved (U10).
func (f *Form) Store(act func() error) error {
	if !f.r.failed {
		return act()
	}
	f.r.checks = true
	defer func() { f.r.checks = false }()
	err := act()
	var refused *admitto.Error
	switch {
	case err == nil:
		return errStored
	case errors.As(err, &refused) && (len(refused.Faults) > 0 || Changed(err)),
		refused == nil && !errors.Is(err, usecase.ErrChecked):
		return err
	}
	return nil
}

// errStored is the fault of a page that stores by a use case which cannot only check.
var errStored = errors.New("what was refused is stored")

// NotifyFaults says what is wrong on the next page: for buttons that have no page of their own.
func (f *Form) NotifyFaults() {
	for _, fault := range f.faults {
		f.r.Notify(ui.Warn, fault.text)
	}
}

// Changed reports whether a use case refused because somebody else saved meanwhile (screens.md U10).
func Changed(err error) bool { return admitto.KindOf(err) == admitto.ChangedMeanwhile }

// Summary is the box above the form, nil without faults. It leads to the fields in the order of the page.
func (f *Form) Summary() *ui.ErrorSummary {
	if len(f.faults) == 0 {
		return nil
	}
	box := &ui.ErrorSummary{}
	add := func(fault formFault) {
		id := f.ids[fault.name]
		switch {
		case id != "":
		case fault.name == "" && len(f.order) > 0: // about the form as a whole
			id = f.ids[f.order[0]]
		default:
			id = "main"
		}
		box.Faults = append(box.Faults, ui.Fault{ID: id, Text: fault.text, Label: f.labels[fault.name]})
	}
	for _, fault := range f.faults {
		if f.ids[fault.name] == "" {
			add(fault)
		}
	}
	for _, name := range f.order {
		for _, fault := range f.faults {
			if fault.name == name {
				add(fault)
			}
		}
	}
	return box
}

// SetLabel names a field by words that are no message of ours, before it is made; it has no message of a hint.
func (f *Form) SetLabel(name, words string) {
	if f.words == nil {
		f.words = map[string]string{}
	}
	f.words[name] = words
}

// label is what a field is called.
func (f *Form) label(name, key string) string {
	if words := f.words[name]; words != "" {
		return words
	}
	return f.r.T(key)
}

// Attend says what is wrong with a value that is stored nevertheless, before its field is made.
func (f *Form) Attend(name, words string) {
	f.faults = append(f.faults, formFault{name: name, text: words})
}

// field makes what all fields have. The message label.<group>.<name> names it; hint.<group>.<name> says more, where
// there is one.
func (f *Form) field(name, label string) ui.Field {
	id := "f-" + strings.NewReplacer(".", "-", "_", "-").Replace(name)
	if f.ids[name] == "" {
		f.order = append(f.order, name)
	}
	f.ids[name] = id
	f.labels[name] = f.label(name, label)
	out := ui.Field{ID: id, Name: name, Label: f.labels[name], Value: f.values.Get(name)}
	if hint := label + "_hint"; label != "" && f.r.Has(hint) {
		out.Hint = f.r.T(hint)
	}
	for _, fault := range f.faults {
		switch {
		case fault.name != name:
		case out.Error == "":
			out.Error = fault.text
		default:
			out.Errors = append(out.Errors, fault.text)
		}
	}
	return out
}

// Text is a line of text. label is a message; the message label+"_hint" is shown below it, where there is one.
func (f *Form) Text(name, label string) ui.TextField {
	return ui.TextField{Field: f.field(name, label)}
}

// Email is an e-mail address.
func (f *Form) Email(name, label, autocomplete string) ui.TextField {
	t := ui.TextField{Field: f.field(name, label), Type: "email"}
	t.Autocomplete = autocomplete
	return t
}

// Password is a password; autocomplete is "current-password" or "new-password". It is never shown again.
func (f *Form) Password(name, label, autocomplete string) ui.TextField {
	t := ui.TextField{Field: f.field(name, label), Type: "password"}
	t.Autocomplete, t.Value = autocomplete, ""
	return t
}

// Long is text of several lines; limit is the most characters, 0 for none.
func (f *Form) Long(name, label string, rows, limit int) ui.LongText {
	return ui.LongText{Field: f.field(name, label), Rows: rows, Limit: limit}
}

// Select is a list of options; the one that was chosen is marked.
func (f *Form) Select(name, label string, options ...ui.Option) ui.Select {
	return ui.Select{Field: f.field(name, label), Options: f.chosen(name, options)}
}

// Grouped is a list of options under headings, after those without one.
func (f *Form) Grouped(name, label string, options []ui.Option, groups ...ui.OptionGroup) ui.Select {
	s := f.Select(name, label, options...)
	for _, g := range groups {
		s.Groups = append(s.Groups, ui.OptionGroup{Label: g.Label, Options: f.chosen(name, g.Options)})
	}
	return s
}

// Country is the choice of a country.
func (f *Form) Country(name, label string, options ...ui.Option) ui.Country {
	return ui.Country{Field: f.field(name, label), Options: f.chosen(name, options)}
}

// Choices are a few options that are all seen: radio buttons, or check boxes with multiple.
func (f *Form) Choices(name, label string, multiple bool, options ...ui.Option) ui.Choices {
	return ui.Choices{Field: f.field(name, label), Multiple: multiple, Options: f.chosen(name, options)}
}

// Tick is one box with its words.
func (f *Form) Tick(name, label, words string) ui.Choices {
	return f.Choices(name, label, true, ui.Option{Value: "yes", Text: f.r.T(words)})
}

// Date is a day in three fields. Stored values are NAME-day, NAME-month and NAME-year (see DayValues).
func (f *Form) Date(name, label string) ui.DateField {
	d := ui.DateField{Field: f.field(name, label)}
	d.Day, d.Month, d.Year = f.values.Get(name+"-day"), f.values.Get(name+"-month"), f.values.Get(name+"-year")
	f.ids[name] = d.FirstID()
	return d
}

// Month is a month and a year in two fields.
func (f *Form) Month(name, label string) ui.DateField {
	d := f.Date(name, label)
	d.Partial = true
	f.ids[name] = d.FirstID()
	return d
}

// SetDay puts a day into the stored values of a form.
func (v Values) SetDay(name string, d admitto.Date) {
	if d == (admitto.Date{}) {
		return
	}
	v[name+"-day"], v[name+"-month"] = One(strconv.Itoa(int(d.Day))), One(strconv.Itoa(int(d.Month)))
	v[name+"-year"] = One(strconv.Itoa(int(d.Year)))
}

func (f *Form) chosen(name string, options []ui.Option) []ui.Option {
	f.offered[name] = append(f.offered[name], options...)
	list := make([]ui.Option, len(options))
	for i, o := range options {
		for _, v := range f.values[name] {
			o.Selected = o.Selected || v == o.Value
		}
		list[i] = o
	}
	return list
}

// Hidden are the fields that a template puts into the form unseen: the row version, and what was shown with it.
func (f *Form) Hidden() []ui.Option {
	if f.Version == 0 && !f.watched {
		return nil
	}
	shown := digests(f.stored)
	if (f.r.Posted() || f.Restored) && f.conflict == nil {
		shown = f.values.Get(fieldShown)
	}
	hidden := []ui.Option{{Text: fieldShown, Value: shown}}
	if f.Version != 0 {
		hidden = append(hidden, ui.Option{Text: fieldVersion, Value: strconv.FormatInt(f.Version, 10)})
	}
	return hidden
}
