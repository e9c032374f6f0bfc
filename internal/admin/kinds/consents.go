package kinds

import (
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// consent is a consent with whether another text only corrects it.
type consent struct {
	admitto.KeptConsent
	correction bool
}

// consents are screens.md A46.
func (p *pages) consents() *records.Family[consent] {
	type of = consent
	all := func(r *site.Request) (list []of, err error) {
		kept, err := p.Query.KeptConsents(r.Context(), r.Reader())
		for i := range kept {
			list = append(list, of{KeptConsent: kept[i]})
		}
		return list, err
	}
	return &records.Family[of]{
		Query: p.Query, List: "consents", New: "consent-new", One: "consent", Kind: admitto.ConsentRow,
		Events: []admitto.Pattern{admitto.KeptConsentCreated, admitto.KeptConsentEdited},
		Texts: records.Texts{Count: "kept_consent.count", None: "kept_consent.none", NoneText: "kept_consent.none_text",
			NewIntro: "kept_consent.intro", Intro: "kept_consent.intro", Saved: "kept_consent.saved"},
		ID: func(c *of) int64 { return c.ID }, Name: consentName,
		All: all,
		Columns: func(r *site.Request, _ []of) ([]records.Column[of], error) {
			count := func(title string, at func(c *of) int64) records.Column[of] {
				return records.Column[of]{Title: title, Place: "label", Num: true, Cell: func(c *of) ui.Cell {
					return ui.Cell{Text: r.Number(int(at(c)))}
				}}
			}
			return []records.Column[of]{
				{Title: "kept_consent.text", Place: "main", Cell: func(c *of) ui.Cell {
					return ui.Cell{Text: consentName(c), Below: c.Link, Note: words(r, state{!c.Active, "kept_consent.off"})}
				}},
				{Title: "kept_consent.type", Place: "label", Cell: func(c *of) ui.Cell {
					return ui.Cell{Text: r.T("consent_type." + c.Type)}
				}},
				count("kept_consent.version", func(c *of) int64 { return c.Version }),
				count("kept_consent.accepted", func(c *of) int64 { return c.Accepted }),
				count("kept_consent.rejected", func(c *of) int64 { return c.Rejected }),
				count("kept_consent.undecided", func(c *of) int64 { return c.Undecided() }),
			}, nil
		},
		Read: func(r *site.Request, id int64) (of, error) {
			list, err := all(r)
			for i := range list {
				if list[i].ID == id {
					return list[i], nil
				}
			}
			if err == nil {
				err = &admitto.Error{Kind: admitto.NotFound}
			}
			return of{}, err
		},
		Blank: func(*site.Request) (of, error) {
			return of{KeptConsent: admitto.KeptConsent{Active: true, Consent: admitto.Consent{Type: "Voluntary"}}}, nil
		},
		Fields: func(m records.Maker[of], c *of) ([]records.Field[of], error) {
			types := []ui.Option{{Value: "Mandatory", Text: m.R.T("consent_type.Mandatory"),
				Hint: m.R.T("kept_consent.mandatory_text")}, {Value: "Voluntary", Text: m.R.T("consent_type.Voluntary"),
				Hint: m.R.T("kept_consent.voluntary_text")}}
			fields := []records.Field[of]{
				m.Long("text", "kept_consent.text", 6, 4000, func(c *of) *string { return &c.Text }),
				m.Versions([]records.Version{{Name: "text", Label: m.R.T("kept_consent.text"), First: c.Text, Rows: 6}},
					func(c *of) *admitto.Versions { return &c.Versions }),
				m.Text("link", "kept_consent.link", func(c *of) *string { return &c.Link }, records.Optional,
					records.Hint("kept_consent.link_hint")),
				m.Radio("type", "kept_consent.type", types, func(c *of) *string { return &c.Type }),
				m.Tick("active", "kept_consent.asked", "kept_consent.asked_text", func(c *of) *bool { return &c.Active }),
			}
			if c.ID != 0 {
				fields = append(fields, m.Tick("correction", "kept_consent.correction", "kept_consent.correction_text",
					func(c *of) *bool { return &c.correction }))
			}
			return fields, nil
		},
		Save: func(r *site.Request, c of) (int64, error) {
			return p.Catalogue.SaveConsent(r.Context(), r.Caller(), c.KeptConsent, c.correction)
		},
		Warn: func(r *site.Request, was, typed *of) (string, error) {
			if !typed.IsOther(&was.KeptConsent) || typed.correction {
				return "", nil
			}
			var words []string
			if was.Accepted+was.Rejected != 0 {
				words = append(words, r.T("kept_consent.asked_again"))
			}
			if typed.Text != was.Text {
				for _, lang := range typed.Versions.Kept(was.Versions, "text") {
					words = append(words, r.T("kept_consent.older_version", "Language", r.Language(lang)))
				}
			}
			return strings.Join(words, " "), nil
		},
	}
}

// consentName is the beginning of the text.
func consentName(c *consent) string {
	const most = 60
	runes := []rune(c.Text)
	if len(runes) <= most {
		return c.Text
	}
	return string(runes[:most]) + " …"
}
