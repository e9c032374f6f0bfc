package ranks

import (
	"errors"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// work are the documents with the fields of the score at their side, and the sections of the form that the sheet shows.
func (s *scorer) work(f *site.Form) (parts []ui.Component) {
	fields := s.fields(f)
	if len(s.c.Documents) > 0 {
		viewer := s.viewer()
		viewer.Aside = []ui.Component{fields}
		parts = append(parts, viewer)
	} else {
		parts = append(parts, ui.Box{Title: s.r.T("scoring.points"), Parts: []ui.Component{fields}})
	}
	if sections := s.sections(); len(sections) > 0 {
		parts = append(parts, ui.Columns{Parts: sections})
	}
	return parts
}

// viewer shows one of the documents.
func (s *scorer) viewer() ui.Viewer {
	r, at := s.r, 0
	for i := range s.c.Documents {
		if s.c.Documents[i].ID == s.view.ID("document") {
			at = i
		}
	}
	var out ui.Viewer
	for i := range s.c.Documents {
		d := &s.c.Documents[i]
		out.Documents = append(out.Documents, ui.Document{Name: d.Name, Current: i == at,
			Meta: r.Listed(show.FileKind(r, d.MIME), r.Size(d.Size)),
			Href: s.view.With("at", number(s.at), "document", number(d.ID))})
	}
	d := &s.c.Documents[at]
	address := r.At("scoring-document", s.t.ID, s.at, d.ID)
	out.Name, out.Alt, out.Download = d.Name, d.Name, r.At("scoring-document-download", s.t.ID, s.at, d.ID)
	switch {
	case d.MIME == site.PDF, d.MIME == site.PlainText:
		out.Frame, out.Sandbox, out.Open = address, d.MIME != site.PDF, address
	case site.IsPicture(d.MIME):
		out.Image, out.Open = address, address
	default:
		out.Reason = r.T("card.not_shown", "Kind", show.FileKind(r, d.MIME))
	}
	return out
}

// sections are the sections of the form that the sheet shows and that have something.
func (s *scorer) sections() (boxes []ui.Component) {
	if s.c.Form == nil {
		return nil
	}
	content := &s.c.Form.Content
	for _, section := range form.Sections() {
		if !s.t.HasShown(section.Key) {
			continue
		}
		box := ui.Box{Title: formpage.SectionName(s.r, section)}
		switch {
		case section.Key == form.Questions:
			box.Parts = s.answers(content.Extras)
		case !section.Rows:
			box.Parts = s.facts(section, content.Section(section.Key))
		default:
			for i, row := range content.Rows(section.Key) {
				if facts := s.facts(section, row); facts != nil {
					box.Parts = append(box.Parts, ui.Heading{Title: formpage.RowName(s.r, section, row, i, s.words)})
					box.Parts = append(box.Parts, facts...)
				}
			}
		}
		if len(box.Parts) > 0 {
			boxes = append(boxes, box)
		}
	}
	return boxes
}

// facts are the fields of a section, or of a row, that have something.
func (s *scorer) facts(section *form.Section, o form.Object) []ui.Component {
	var facts []ui.KeyValue
	for _, field := range section.Leaves() {
		if value := formpage.Value(s.r, field, form.At(o, field.Below()), s.words); value != "" {
			facts = append(facts, ui.KeyValue{Key: s.r.Label(field.Label), Value: value})
		}
	}
	if facts == nil {
		return nil
	}
	return []ui.Component{ui.KeyValues{Facts: facts}}
}

// answers are those to the questions of courses.
func (s *scorer) answers(list []admitto.Extra) []ui.Component {
	var facts []ui.KeyValue
	for i := range list {
		if value := formpage.Answer(s.r, &list[i]); value != "" {
			facts = append(facts, ui.KeyValue{Key: list[i].Name, Value: value})
		}
	}
	if facts == nil {
		return nil
	}
	return []ui.Component{ui.KeyValues{Facts: facts}}
}

// scoringDocument answers with a document that the sheet shows.
func (p *pages) scoringDocument(inline bool) func(*site.Request) error {
	return func(r *site.Request) error {
		sheet, score, err := ofScore(r)
		if err != nil {
			return err
		}
		id, err := r.IDAt("document")
		if err != nil {
			return err
		}
		f, err := p.Query.ScoringDocument(r.Context(), r.Reader(), sheet, score, id)
		if err != nil {
			return err
		}
		content, err := p.Files.OpenFile(r.Context(), r.Reader(), &f)
		if err != nil {
			return err
		}
		return r.File(&f, inline, content)
	}
}

// scoringPhoto answers with the photo of an applicant, where the sheet shows it.
func (p *pages) scoringPhoto(r *site.Request) error {
	sheet, score, err := ofScore(r)
	if err != nil {
		return err
	}
	f, err := p.Query.ScoringPhoto(r.Context(), r.Reader(), sheet, score)
	if err != nil {
		return err
	}
	content, err := p.Files.OpenFile(r.Context(), r.Reader(), &f)
	if err != nil {
		return err
	}
	return r.Inline("image/jpeg", content)
}

// ofScore are the sheet and the score in the path.
func ofScore(r *site.Request) (sheet, score int64, err error) {
	sheet, err = r.ID()
	score, of := r.IDAt("score")
	return sheet, score, errors.Join(err, of)
}
