package mailtexts

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/mailtexts"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// paper is a letterhead as it is typed.
type paper struct {
	mailtexts.LetterheadEdit
	failed error // of reading the file that was chosen
}

func (p *pages) letterheadRoutes(access site.Access) []site.Route {
	routes := p.letterheads().Routes("/admin/letterheads", access)
	for i := range routes {
		if routes[i].Parent = "letterheads"; routes[i].Name == "letterheads" {
			routes[i].Parent = "templates"
		}
	}
	return append(routes,
		site.Route{Name: "letterhead-logo", Path: "/admin/letterheads/{id}/logo", Access: access, Handle: p.logo},
		site.Route{Name: "letterhead-preview", Path: "/admin/letterheads/{id}/preview", Access: access,
			Handle: p.letter})
}

// letterheads are the paper of letters.
func (p *pages) letterheads() *records.Family[paper] {
	return &records.Family[paper]{
		Query: p.Query, List: "letterheads", New: "letterhead-new", One: "letterhead", Files: true,
		Kind: admitto.LetterheadRow, Events: []admitto.Pattern{admitto.LetterheadCreated, admitto.LetterheadEdited},
		Texts: records.Texts{Count: "letterhead.count", None: "letterhead.none", NoneText: "letterhead.none_text",
			NewIntro: "letterhead.intro", Intro: "letterhead.intro", Saved: "letterhead.saved"},
		ID: func(v *paper) int64 { return v.ID }, Name: func(v *paper) string { return v.Name },
		All: func(r *site.Request) (list []paper, err error) {
			all, err := p.Query.Letterheads(r.Context(), r.Reader())
			for i := range all {
				list = append(list, paper{LetterheadEdit: mailtexts.LetterheadEdit{Letterhead: all[i]}})
			}
			return list, err
		},
		Columns: letterheadColumns,
		Read: func(r *site.Request, id int64) (paper, error) {
			l, err := p.Query.Letterhead(r.Context(), r.Reader(), id)
			return paper{LetterheadEdit: mailtexts.LetterheadEdit{Letterhead: l}}, err
		},
		Blank:  func(*site.Request) (paper, error) { return paper{}, nil },
		Fields: letterheadFields,
		Save: func(r *site.Request, v paper) (int64, error) {
			if v.failed != nil {
				return 0, v.failed
			}
			return p.MailTexts.SaveLetterhead(r.Context(), r.Caller(), v.LetterheadEdit)
		},
		Below: func(r *site.Request, v *paper) ([]ui.Component, error) {
			name, at := r.T("letterhead.preview"), r.At("letterhead-preview", v.ID)
			return []ui.Component{ui.Heading{Title: name, Text: r.T("letterhead.preview_text")},
				ui.Viewer{Documents: []ui.Document{{Name: v.Name, Href: r.At("letterhead", v.ID), Current: true}}, Name: name,
					Frame: at, Open: at}}, nil
		},
	}
}

// failLogo says what is wrong with a picture at its field; any other error comes back.
func failLogo(f *site.Form, err error) error {
	e, refused := errors.AsType[*admitto.Error](err)
	if !refused || e.Kind != admitto.TooLarge && e.Kind != admitto.UnsupportedFormat {
		return err
	}
	f.FailText("logo", e.Text)
	return nil
}

func letterheadColumns(r *site.Request, _ []paper) ([]records.Column[paper], error) {
	lines := func(text string) ui.Cell { // as many as there is room for
		const most = 40
		words := []rune(strings.Join(strings.Split(text, "\n"), " · "))
		if len(words) > most {
			words = append(words[:most], []rune(" …")...)
		}
		return ui.Cell{Text: string(words)}
	}
	return []records.Column[paper]{
		{Title: "letterhead.name", Place: "main", Cell: func(v *paper) ui.Cell { return ui.Cell{Text: v.Name} }},
		{Title: "letterhead.head", Place: "label", Cell: func(v *paper) ui.Cell { return lines(v.Head) }},
		{Title: "letterhead.foot", Place: "label", Cell: func(v *paper) ui.Cell { return lines(v.Foot) }},
		{Title: "letterhead.logo", Place: "label", Cell: func(v *paper) ui.Cell {
			if v.LogoKind == "" {
				return ui.Cell{}
			}
			return ui.Cell{Text: strings.ToUpper(v.LogoKind)}
		}},
		{Title: "letterhead.modified", Place: "label", Cell: func(v *paper) ui.Cell {
			return ui.Cell{Text: show.Day(r, v.Modified)}
		}},
	}, nil
}

func letterheadFields(m records.Maker[paper], v *paper) ([]records.Field[paper], error) {
	fields := []records.Field[paper]{
		m.Text("name", "letterhead.name", func(v *paper) *string { return &v.Name }, records.Hint("letterhead.name_hint")),
		m.Long("head", "letterhead.head", 4, mailtexts.MostPaper, func(v *paper) *string { return &v.Head },
			records.Optional, records.Hint("letterhead.head_hint")),
		m.Long("foot", "letterhead.foot", 3, mailtexts.MostPaper, func(v *paper) *string { return &v.Foot },
			records.Optional, records.Hint("letterhead.foot_hint")),
		{
			Put: func(site.Values, *paper) {},
			Take: func(f *site.Form, v *paper) {
				file, err := f.File("logo")
				if v.failed = err; file != nil {
					v.Logo, err = file.Bytes(filekind.MaxLogoBytes)
					v.failed = failLogo(f, err)
				}
			},
			Pick: func(f *site.Form) ([]ui.Component, error) {
				field, err := f.Upload("logo", "letterhead.logo", "image/png,image/jpeg")
				if field.Optional = true; v.LogoKind != "" {
					field.Files = append([]ui.FileState{{Name: m.R.T("letterhead.logo_now"), Done: 100,
						Image: m.R.At("letterhead-logo", v.ID)}}, field.Files...)
				}
				return []ui.Component{field}, err
			},
		},
	}
	if v.LogoKind != "" {
		fields = append(fields, m.Tick("without", "letterhead.without", "letterhead.without_text",
			func(v *paper) *bool { return &v.RemoveLogo }))
	}
	return fields, nil
}

// logo answers the picture of a letterhead.
func (p *pages) logo(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	logo, mime, err := p.MailTexts.LetterheadLogo(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	return r.Inline(mime, io.NopCloser(bytes.NewReader(logo)))
}

// letter answers a letter on a letterhead, as PDF.
func (p *pages) letter(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	letter, err := p.MailTexts.PreviewLetterhead(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	return r.Inline("application/pdf", io.NopCloser(bytes.NewReader(letter)))
}
