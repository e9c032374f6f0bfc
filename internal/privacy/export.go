package privacy

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

//go:embed export.html
var exportPage string

var exportTemplate = template.Must(template.New("export").Funcs(template.FuncMap{
	"object": func(v any) object { o, _ := v.(object); return o },
	"list":   func(v any) []any { l, _ := v.([]any); return l },
	"words":  func(name string) string { return strings.ReplaceAll(name, "_", " ") },
}).Parse(exportPage))

// personalData is all that is kept about an applicant, as data.json has it.
type personalData struct {
	Exported     admitto.Time
	Applicant    admitto.Applicant
	SignedIn     admitto.Time
	Language     string
	Photo        *fileData
	Notes        []admitto.Note
	Trackers     []named[admitto.TrackerAssociation]
	Consents     []admitto.ConsentChange
	Wishes       []named[admitto.Wish]
	Emails       []emailData
	Invoices     []admitto.Invoice
	Applications []applicationData
	Sessions     []sessionData
	WhatHappened []eventData
	MoreHappened bool // before what is listed
	files        []admitto.File
	places       []string // of the files in the archive, in their order
	fileName     func(string) string
}

// named is a record about another one, with the name of that.
type named[T any] struct {
	Name   string
	Record T
}

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
	Event       string
	By          string
	Application int64
	Changed     []admitto.Detail
}

// mostHappened is how many events an export lists, the newest.
const mostHappened = 20_000

// ExportApplicant prepares an archive with everything that is kept about an applicant, what only staff see included,
// to be read before it is handed out (lifecycle.md 13); the journal has that it was made. write writes it, one file
// after the other; its error means that what was written is not whole. It must be called when there is no error.
// fileName is a name that is safe in an archive. Not-found without the applicant.
func (s *Service) ExportApplicant(ctx context.Context, by usecase.Caller, applicant int64,
	fileName func(string) string) (write func(io.Writer) error, err error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return nil, err
	}
	var data personalData
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		data = personalData{Exported: tx.Now(), fileName: fileName}
		return data.read(tx, applicant)
	})
	if err != nil {
		return nil, err
	}
	texts, err := data.texts()
	if err != nil {
		return nil, err
	}
	write, err = s.files.Archive(ctx, by.Caller, texts, data.files, data.places)
	if err != nil {
		return nil, err
	}
	return write, s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantDataExported, Links: admitto.Links{Applicant: applicant}})
		return nil
	})
}

// texts are the data for programs, and the same for people.
func (d *personalData) texts() ([]files.Text, error) {
	tree, err := plain(reflect.ValueOf(*d))
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
	if err := exportTemplate.Execute(&page, tree); err != nil {
		return nil, err
	}
	return []files.Text{{Name: "index.html", Content: page.Bytes()}, {Name: "data.json", Content: data.Bytes()}}, nil
}

// file adds a file to the archive.
func (d *personalData) file(folder string, f *admitto.File) fileData {
	name := folder + "/" + strconv.FormatInt(f.ID, 10) + "-" + d.fileName(f.Name)
	d.files, d.places = append(d.files, *f), append(d.places, name)
	return fileData{ID: f.ID, Name: f.Name, Type: f.MIME, Uploaded: f.Uploaded, File: name}
}

func (d *personalData) filesIn(folder string, list []admitto.File) (all []fileData) {
	for i := range list {
		all = append(all, d.file(folder, &list[i]))
	}
	return all
}
