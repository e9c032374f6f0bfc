package privacy

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"html/template"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/text"
)

//go:embed export.html
var exportPage string

// exportTemplate is cloned for each export, whose language its words are in.
var exportTemplate = template.Must(template.New("export").Funcs(template.FuncMap{
	"object": people,
	"list":   func(v any) []any { l, _ := v.([]any); return l },
	"say":    func(english string) string { return english },
	"name":   func(m member) string { return m.Name },
	"value":  func(m member) any { return m.Value },
}).Parse(exportPage))

// saying is the language that people read an export in: its code, the words of a group for English ones, and the lists
// of words that codes are of.
type saying struct {
	lang    string
	zone    *time.Location
	word    func(group, english string) string
	classes []admitto.Classificator
}

// saying is the language of an export: that of the account for its applicant; staff read theirs in English.
func (s *Service) saying(own bool, lang string) saying {
	zone := s.core.Settings().Instance.Timezone
	if !own || s.words == nil {
		return saying{lang: "en", zone: zone, word: func(_, english string) string { return english }}
	}
	return saying{lang: lang, zone: zone, word: s.words(lang)}
}

// people are the members of a record that people read: those of the record that one is about stand next to its name.
func people(v any) (o object) {
	all, _ := v.(object)
	for _, m := range all {
		switch inner, is := m.Value.(object); {
		case m.quiet:
		case is && m.Name == "record":
			o = append(o, people(inner)...)
		default:
			o = append(o, m)
		}
	}
	return o
}

// name is what people read for the name of a member: the label of a field of the form, or the plain name in words.
func (in saying) name(m member) string {
	if m.label != "" {
		return in.word("form", m.label)
	}
	return in.word("data", strings.ReplaceAll(m.Name, "_", " "))
}

// value is what people read for the value of a member: codes by what they stand for.
func (in saying) value(m member) any {
	switch {
	case m.at != 0:
		return mail.WriteTime(in.lang, mail.ZonedTime{At: m.at, Zone: in.zone})
	case !m.day.IsZero():
		return mail.WriteDay(in.lang, m.day)
	}
	switch v := m.Value.(type) {
	case bool:
		if v {
			return in.word("form", "Yes")
		}
		return in.word("form", "No")
	case string:
		return in.said(m, v)
	case []any:
		list := slices.Clone(v)
		for i := range list {
			if code, is := list[i].(string); is {
				list[i] = in.said(m, code)
			}
		}
		return list
	}
	return m.Value
}

func (in saying) said(m member, code string) string {
	if event, value, found := strings.Cut(code, ": "); m.group == "event" && found { // a status or a decision, in words
		for _, group := range enumerations {
			if said := in.word(group, value); said != value {
				return in.word(m.group, event+": "+said)
			}
		}
	}
	if m.group != "" {
		return in.word(m.group, code)
	}
	if m.field == nil {
		return code
	}
	switch m.field.Kind {
	case form.Day:
		if day, err := admitto.ParseDate(code); err == nil {
			return mail.WriteDay(in.lang, day)
		}
	case form.Month:
		if month, err := time.Parse("2006-01", code); err == nil {
			return mail.WriteMonth(in.lang, month.Year(), month.Month())
		}
		if day, err := admitto.ParseDate(code); err == nil {
			return mail.WriteDay(in.lang, day)
		}
	case form.Country:
		return cmp.Or(text.CountryNameIn(code, in.lang), code)
	case form.Language:
		return cmp.Or(text.LanguageNameIn(code, in.lang), code)
	case form.Word:
		for _, w := range m.field.Words {
			if w.Word == code {
				return in.word("form", w.Label)
			}
		}
	case form.Code, form.Codes:
		for i := range in.classes {
			for _, c := range in.classes[i].Codes {
				if in.classes[i].Class == m.field.Class && c.Code == code {
					return in.word(m.field.Class, c.Title)
				}
			}
		}
	}
	return code
}

// personalData is all that is kept about an applicant, as data.json has it.
type personalData struct {
	Exported     admitto.Time
	Applicant    admitto.Applicant
	SignedIn     admitto.Time
	Language     string
	Photo        *fileData
	Notes        []admitto.Note
	Trackers     []named[admitto.TrackerAssociation]
	Imports      []importData
	Consents     []admitto.ConsentChange
	Wishes       []named[admitto.Wish]
	Emails       []emailData
	Invoices     []admitto.Invoice
	Applications []applicationData
	Sessions     []sessionData
	Accesses     []admitto.Access // what staff opened of it
	WhatHappened []eventData
	MoreHappened bool   // before what is listed
	own          bool   // for the applicant: what the portal shows
	reads        string // the language of the applicant
	in           saying // that people read it in
	files        []admitto.File
	places       []string // of the files in the archive, in their order
}

// named is a record about another one, with the name of that.
type named[T any] struct {
	Name   string
	Record T
}

// importData is a row of a file that staff imported.
type importData struct {
	Uploaded admitto.Time
	File     string
	Basis    string
	Line     int64
	Cells    []cellData
}

type cellData struct{ Column, Text string }

// fileData is a file, and where it is in the archive.
type fileData struct {
	ID       int64
	Name     string
	Type     string
	Uploaded admitto.Time
	File     string
}

type emailData struct {
	admitto.Email
	Attachments []fileData
}

type applicationData struct {
	TermName string
	admitto.ApplicationCase
	Form       form.Content
	Courses    []named[admitto.ApplicationCourse]
	Flags      []named[admitto.FlagAssociation]
	Offers     []offerData
	Tasks      []admitto.TaskCase
	Scores     []named[admitto.Score]
	StudyPlans []admitto.StudyPlan
	Receipts   []admitto.Receipt
	Documents  []fileData
}

type offerData struct {
	CourseName, TypeTitle, TypeConfirmedTitle string
	admitto.Offer
	Letters     []letterData
	Attachments []fileData
	Notes       []admitto.Note
}

type letterData struct {
	admitto.Confirmation
	Attachments []fileData
}

type sessionData struct {
	Begun, Seen admitto.Time
	Browser     string
}

type eventData struct {
	ID          int64
	Logged      admitto.Time
	Event       string `words:"event"`
	By          string `words:"data"`
	Application int64
	Changed     []admitto.Detail
}

// mostHappened is how many events an export lists, the newest.
const mostHappened = 20_000

// texts are the data for programs, and the same for people.
func (d *personalData) texts() ([]files.Text, error) {
	tree, err := plain(reflect.ValueOf(*d))
	if err != nil {
		return nil, err
	}
	read, err := plain(reflect.ValueOf(d.said()))
	if err != nil {
		return nil, err
	}
	var data, page bytes.Buffer
	out := json.NewEncoder(&data)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(tree); err != nil {
		return nil, err
	}
	people, err := exportTemplate.Clone()
	if err != nil {
		return nil, err
	}
	people.Funcs(template.FuncMap{"name": d.in.name, "value": d.in.value,
		"say": func(english string) string { return d.in.word("data", english) }})
	if err := people.Execute(&page, struct {
		Lang  string
		Right bool // to left
		Data  any
	}{d.in.lang, text.IsRightToLeft(d.in.lang), read}); err != nil {
		return nil, err
	}
	return []files.Text{{Name: "index.html", Content: page.Bytes()}, {Name: "data.json", Content: data.Bytes()}}, nil
}

// said are the data with the texts that have versions in the language that people read the export in.
func (d *personalData) said() personalData {
	said := *d
	said.Consents, said.Invoices = slices.Clone(d.Consents), slices.Clone(d.Invoices)
	for i := range said.Consents {
		c := &said.Consents[i]
		c.Text, _ = c.Versions.In(d.in.lang, "text", c.Text)
	}
	for i := range said.Invoices {
		said.Invoices[i] = d.Invoices[i].In(d.in.lang, d.Invoices[i].Versions)
	}
	return said
}

// file adds a file to the archive.
func (d *personalData) file(folder string, f *admitto.File) fileData {
	name := folder + "/" + strconv.FormatInt(f.ID, 10) + "-" + text.SafeName(f.Name)
	d.files, d.places = append(d.files, *f), append(d.places, name)
	return fileData{ID: f.ID, Name: f.Name, Type: f.MIME, Uploaded: f.Uploaded, File: name}
}

func (d *personalData) filesIn(folder string, list []admitto.File) (all []fileData) {
	for i := range list {
		all = append(all, d.file(folder, &list[i]))
	}
	return all
}
