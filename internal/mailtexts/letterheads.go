package mailtexts

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of what stands on a letterhead.
const (
	mostName  = 100
	MostPaper = 500 // characters of head and foot
	mostLines = 6
)

// LetterheadEdit is a letterhead as staff have typed it; without an ID it is a new one.
type LetterheadEdit struct {
	admitto.Letterhead
	Logo       []byte // a picture that takes the place of the one that there is; nil for none
	RemoveLogo bool
}

// SaveLetterhead changes a letterhead, or makes one, and returns its ID (screens.md A45). Letters that were made stay
// as they are. Errors: invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveLetterhead(ctx context.Context, by usecase.Caller, e LetterheadEdit) (id int64, err error) {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return 0, err
	}
	logo, kind, wrong := e.checked()
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		l := e.Letterhead
		l.Created, l.LogoKind = tx.Now(), kind
		var seen error
		row := admitto.Row{Kind: admitto.LetterheadRow, ID: l.ID}
		if l.ID != 0 {
			if err := tx.LockReference(row); err != nil {
				return err
			}
			seen = by.SeesRow(tx, row)
		}
		if err := by.Together(seen, wrong); err != nil {
			return err
		}
		if err := by.Checked(); err != nil {
			return err
		}
		if l.ID != 0 {
			was, err := tx.Letterhead(l.ID)
			if err != nil {
				return err
			}
			if l.Created, l.Modified = was.Created, was.Modified; logo == nil && !e.RemoveLogo {
				l.LogoKind = was.LogoKind
			}
			if id = l.ID; l == was && logo == nil {
				return nil
			}
		}
		made := l.ID == 0
		l.Modified = tx.Now()
		changes, err := tx.SaveLetterhead(&l)
		if err != nil {
			return err
		}
		if logo != nil || e.RemoveLogo {
			if err := tx.SetLetterheadLogo(l.ID, logo); err != nil {
				return err
			}
		}
		id = l.ID
		event := admitto.Event{Pattern: admitto.LetterheadCreated, Bind: []string{strconv.FormatInt(id, 10)}}
		if !made {
			event.Pattern, event.Details = admitto.LetterheadEdited, changes
		}
		tx.Record(by.Actor, event)
		return nil
	})
	return id, err
}

// checked are the bounds of a letterhead, and its picture in the form that letters take.
func (e *LetterheadEdit) checked() (logo []byte, kind string, err error) {
	var faults []admitto.Fault
	if e.Name, err = text.Line(e.Name, 1, mostName); err != nil {
		faults = append(faults, admitto.Fault{Path: "page.letterhead.name", Text: message.From(err)})
	}
	for _, of := range []struct {
		path admitto.Path
		text *string
	}{{"page.letterhead.head", &e.Head}, {"page.letterhead.foot", &e.Foot}} {
		if *of.text, err = text.Multiline(*of.text, 0, MostPaper); err != nil {
			faults = append(faults, admitto.Fault{Path: of.path, Text: message.From(err)})
		} else if strings.Count(*of.text, "\n") >= mostLines {
			faults = append(faults, admitto.Fault{Path: of.path, Text: message.Of("lines-too-many", mostLines)})
		}
	}
	logo = e.Logo
	if logo != nil {
		if kind, err = filekind.Logo(logo); err != nil {
			e, refused := errors.AsType[*admitto.Error](err)
			if !refused {
				return nil, "", err
			}
			faults = append(faults, admitto.Fault{Path: "page.letterhead.logo", Text: e.Text})
		}
	}
	if faults != nil {
		return nil, "", &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	if kind == "png" {
		logo, err = plainPNG(logo)
	}
	return logo, kind, err
}

// plainPNG writes a picture as a PNG of eight bits a colour that is not interlaced: letters take no other.
func plainPNG(content []byte) ([]byte, error) {
	picture, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	plain := image.NewNRGBA(picture.Bounds())
	draw.Draw(plain, plain.Bounds(), picture, picture.Bounds().Min, draw.Src)
	var out bytes.Buffer
	err = png.Encode(&out, plain)
	return out.Bytes(), err
}

// LetterheadLogo reads the picture of a letterhead with its media type. Errors: not-found, also without a picture.
func (s *Service) LetterheadLogo(ctx context.Context, by admitto.Caller, id int64) (logo []byte, mime string,
	err error) {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return nil, "", err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		l, err := tx.Letterhead(id)
		if err != nil {
			return err
		}
		mime = map[string]string{"png": "image/png", "jpg": "image/jpeg"}[l.LogoKind]
		logo, err = tx.LetterheadLogo(id)
		return err
	})
	if err == nil && logo == nil {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	return logo, mime, err
}

// PreviewLetterhead makes a letter to somebody invented on a letterhead, as PDF. Errors: not-found.
func (s *Service) PreviewLetterhead(ctx context.Context, by admitto.Caller, id int64) ([]byte, error) {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return nil, err
	}
	var letter pdf.Letter
	err := s.core.Read(ctx, func(tx *store.Tx) error {
		l, err := tx.Letterhead(id)
		if err != nil {
			return err
		}
		logo, err := tx.LetterheadLogo(id)
		if err != nil {
			return err
		}
		language := s.notify.Language()
		set := s.core.Settings()
		person := mail.InventedPerson(language)
		values := mail.Invented(language, tx.Now(), set.Instance.Timezone)
		written := tx.Now().Std().In(set.Instance.Timezone)
		t := s.notify.InLanguage(mail.Template{}, language)
		letter = pdf.Letter{Head: l.Head, Foot: l.Foot, Logo: logo, Institution: set.Instance.Name, Language: language,
			To: person.Name.Full(), Subject: cmp.Or(t.Value(values, mail.OfferType), l.Name),
			Text: strings.Join([]string{t.Value(values, mail.CourseFullName), t.Value(values, mail.TermName),
				t.Value(values, mail.OfferReason)}, "\n\n"),
			Day: mail.WriteDay(language, admitto.DateOf(written)), Written: written}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = s.printer.WriteLetter(&out, &letter)
	return out.Bytes(), err
}
