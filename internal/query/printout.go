package query

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// Printout makes the printout of an application (resources.md 11) from what it is now; not-found without the
// application. Its applicant gets it in the language of the account (lifecycle.md R11). The file was uploaded, so to
// speak, at the time of the last change that it shows, and its bytes depend on nothing else but the data.
func (s *Service) Printout(ctx context.Context, by admitto.Caller, application int64) (f admitto.File, data []byte,
	err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsView); err != nil {
		return f, data, err
	}
	var p printing
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := p.load(tx, by, application); err != nil {
			return err
		}
		if p.language, err = s.core.ReaderLanguage(tx, by); err != nil {
			return err
		}
		if p.language != "" {
			if err := p.answersIn(tx); err != nil {
				return err
			}
		}
		p.say = s.labelsIn(p.language)
		p.word = func(group, english string) string { return s.wordIn(p.language, group, english) }
		p.words, err = ReadClassificators(tx)
		return err
	})
	if err != nil {
		return f, nil, err
	}
	out := p.printout(s.core.Settings())
	if err := s.putPhoto(ctx, by, out, &p.photo); err != nil {
		return f, nil, err
	}
	var b bytes.Buffer
	if err := s.printer.Write(&b, out); err != nil {
		return f, nil, fmt.Errorf("printout of application %d: %w", application, err)
	}
	sum := sha256.Sum256(b.Bytes())
	return admitto.File{Owner: application, Uploaded: p.changed(), Name: fmt.Sprintf("application-%d.pdf", application),
		MIME: "application/pdf", Size: int64(b.Len()), Hash: hex.EncodeToString(sum[:])}, b.Bytes(), nil
}

// putPhoto adds the bytes of the photo. A printout that has none although there is one says so.
func (s *Service) putPhoto(ctx context.Context, by admitto.Caller, out *pdf.Printout, photo *admitto.File) error {
	if photo.Hash == "" {
		return nil
	}
	r, err := s.files.OpenFile(ctx, by, photo)
	if admitto.KindOf(err) == admitto.NotFound {
		s.log.Error("the bytes of a photo are missing", "applicant", photo.Owner, "hash", photo.Hash)
		out.Header = append(out.Header, pdf.Field{Label: out.Words.Of("Photo"),
			Text: out.Words.Of("It is missing, so it is not shown.")})
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close() // nothing was written
	out.Photo, err = io.ReadAll(r)
	return err
}

// printing is everything that a printout shows.
type printing struct {
	application  admitto.Application
	content      form.Content
	applicant    admitto.Applicant
	term         admitto.Term
	courses      []admitto.ApplicationCourse
	documents    []admitto.File
	photo        admitto.File // without a hash: none
	statuses     []admitto.StatusText
	words        []admitto.Classificator
	courseByID   map[int64]admitto.Course
	intakeByID   map[int64]admitto.Intake
	institutions map[int64]admitto.Institution
	language     string // of the reader; "": the first
	say          pdf.Words
	word         func(group, english string) string
}

// answersIn puts the answers to questions into the language of the reader.
func (p *printing) answersIn(tx *store.Tx) error {
	questions, err := tx.Questions()
	p.content.Extras = admitto.AnswersIn(p.language, questions, p.content.Extras)
	return err
}

func (p *printing) load(tx *store.Tx, by admitto.Caller, id int64) (err error) {
	if p.application, p.content, err = ReadApplication(tx, by, id, nil); err != nil {
		return err
	}
	var courses map[int64][]admitto.ApplicationCourse
	var documents map[int64][]admitto.File
	for _, read := range []func() error{
		func() error { p.applicant, err = tx.Applicant(p.application.Applicant); return err },
		func() error { p.term, err = tx.Term(p.application.Term); return err },
		func() error { courses, err = tx.CoursesOfApplications([]int64{id}); return err },
		func() error { documents, err = tx.DocumentsOf([]int64{id}); return err },
		func() error { p.statuses, err = tx.StatusTexts(); return err },
		func() error { p.photo, err = tx.Photo(p.applicant.ID); return orNotFound(err) },
	} {
		if err := read(); err != nil {
			return err
		}
	}
	p.courses, p.documents = courses[id], documents[id]
	slices.SortStableFunc(p.courses, func(a, b admitto.ApplicationCourse) int { return a.Priority - b.Priority })
	return p.loadCourses(tx)
}

// orNotFound takes not-found as an answer.
func orNotFound(err error) error {
	if admitto.KindOf(err) == admitto.NotFound {
		return nil
	}
	return err
}

func (p *printing) loadCourses(tx *store.Tx) (err error) {
	if len(p.courses) == 0 {
		return nil
	}
	var courses, intakes, institutions []int64
	for _, c := range p.courses {
		courses, intakes, institutions = append(courses, c.Course), append(intakes, c.Intake), append(institutions,
			c.Institution)
	}
	if p.courseByID, err = tx.CoursesByID(courses); err != nil {
		return err
	}
	if p.intakeByID, err = tx.IntakesByID(intakes); err != nil {
		return err
	}
	p.institutions, err = tx.InstitutionsByID(institutions)
	return err
}

// changed is the later of the last revision and the last upload of a document.
func (p *printing) changed() admitto.Time {
	at := p.application.Revised
	for _, f := range p.documents {
		at = max(at, f.Uploaded)
	}
	return at
}

// title returns the title of a code, "" for one that is not known.
func (p *printing) title(class, code string) string {
	for _, c := range p.words {
		if c.Class != class {
			continue
		}
		for _, known := range c.Codes {
			if known.Code == code {
				return p.word(class, known.Title)
			}
		}
	}
	return ""
}

// titleOr is title, with the code itself where it is not known.
func (p *printing) titleOr(class, code string) string {
	if title := p.title(class, code); title != "" {
		return title
	}
	return code
}

func (p *printing) documentName(id int64) string {
	for _, f := range p.documents {
		if f.ID == id {
			return f.Name
		}
	}
	return ""
}

// printout lays out what was read.
func (p *printing) printout(s *config.Settings) *pdf.Printout {
	instant := func(t admitto.Time) string {
		if t == 0 {
			return ""
		}
		return t.Std().In(s.Instance.Timezone).Format("2006-01-02 15:04 MST")
	}
	out := &pdf.Printout{Title: p.say.Of("Application") + " " + strconv.FormatInt(p.application.ID, 10),
		Language: cmp.Or(p.language, "en"), Words: p.say, Institution: s.Instance.Name,
		Name: p.name(), Generated: p.changed().Floor().Std().In(s.Instance.Timezone), Header: p.header(instant)}
	if list := p.courseEntries(instant); len(list) > 0 {
		out.Sections = append(out.Sections, pdf.Section{Title: p.say.Of("Courses"), Entries: list})
	}
	out.Sections = append(out.Sections, pdf.Content(&p.content, pdf.Names{Title: p.title, Country: p.country,
		Language: p.languageName, Document: p.documentName, Words: p.say})...)
	documents := pdf.Section{Title: p.say.Of("Documents")}
	for _, f := range p.documents {
		documents.Fields = append(documents.Fields, pdf.Field{Label: instant(f.Uploaded),
			Text: fmt.Sprintf("%s (%s, %s)", f.Name, f.MIME, bytesText(f.Size))})
	}
	if len(documents.Fields) > 0 {
		out.Sections = append(out.Sections, documents)
	}
	return out
}

// name is what the applicant is called, by the account.
func (p *printing) name() string {
	if full := p.applicant.Name.Full(); full != "" {
		return full
	}
	return p.applicant.Name.Legal
}

// header says what is known next to the content; what is unset is left out.
func (p *printing) header(instant func(admitto.Time) string) []pdf.Field {
	a, who := &p.application, &p.applicant
	status := string(a.Status)
	if i := slices.IndexFunc(p.statuses, func(t admitto.StatusText) bool { return t.Name == a.Status }); i >= 0 {
		status, _ = p.statuses[i].TitleIn(p.language)
	}
	citizenship := p.country(who.Citizenship)
	if citizenship == "" {
		citizenship = who.Citizenship
	}
	term, _ := p.term.NameIn(p.language)
	list := []pdf.Field{{Label: "Status", Text: status}, {Label: "Academic term", Text: term},
		{Label: "Created", Text: instant(a.Created)},
		{Label: "Submitted", Text: instant(a.Submitted)}, {Label: "Frozen", Text: instant(a.Frozen)},
		{Label: "Applicant", Text: strconv.FormatInt(who.ID, 10)}, {Label: "Legal name", Text: who.Name.Legal},
		{Label: "Parent", Text: who.Name.Parent}, {Label: "Reference code", Text: who.Reference},
		{Label: "Matriculation number", Text: who.Matriculation}, {Label: "E-mail", Text: who.Email}, {Label: "Telephone",
			Text: who.Phone},
		{Label: "Skype", Text: who.Skype}, {Label: "Citizenship", Text: citizenship}, {Label: "Address", Text: who.Address},
		{Label: "VAT number", Text: who.VATIN}}
	return p.said(list)
}

// country and languageName are what the reader calls them.
func (p *printing) country(code string) string { return text.CountryNameIn(code, p.language) }

func (p *printing) languageName(code string) string { return text.LanguageNameIn(code, p.language) }

// said are the fields with a text, with labels in the language of the reader.
func (p *printing) said(list []pdf.Field) []pdf.Field {
	list = withText(list)
	for n := range list {
		list[n].Label = p.say.Of(list[n].Label)
	}
	return list
}

// withText drops the fields without text.
func withText(list []pdf.Field) []pdf.Field {
	return slices.DeleteFunc(list, func(f pdf.Field) bool { return f.Text == "" })
}

// courseEntries returns the courses by priority.
func (p *printing) courseEntries(instant func(admitto.Time) string) (list []pdf.Entry) {
	for _, c := range p.courses {
		course, intake := p.courseByID[c.Course], p.intakeByID[c.Intake]
		name, _ := course.NameIn(p.language)
		begins, _ := intake.NameIn(p.language)
		term, _ := intake.Term.NameIn(p.language)
		list = append(list, pdf.Entry{Title: fmt.Sprintf("%d. %s", c.Priority, name), Fields: p.said([]pdf.Field{
			{Label: "Institution", Text: p.institutions[c.Institution].Name}, {Label: "Code", Text: course.Code},
			{Label: "Type", Text: p.titleOr("Course type", course.Type)}, {Label: "Mode",
				Text: p.titleOr("Course mode", course.Mode)},
			{Label: "Intake", Text: begins}, {Label: "Academic term", Text: term},
			{Label: "Entry", Text: p.titleOr("Course entry", c.Modifier)}, {Label: "Submitted", Text: instant(c.Submitted)}})})
	}
	return list
}

// bytesText tells a size as people do.
func bytesText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.0f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
