package kinds

import (
	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// switches are the switches of an offer type, in the order of lifecycle.md 4.1.
func switches() []struct {
	name string
	at   func(t *admitto.OfferType) *bool
} {
	type of = admitto.OfferType
	return []struct {
		name string
		at   func(t *of) *bool
	}{
		{"confirm", func(t *of) *bool { return &t.Confirm }}, {"freeze", func(t *of) *bool { return &t.Freeze }},
		{"decide", func(t *of) *bool { return &t.Decide }}, {"decline", func(t *of) *bool { return &t.Decline }},
		{"strict_declined", func(t *of) *bool { return &t.StrictDeclined }},
		{"reopen", func(t *of) *bool { return &t.Reopen }}, {"silence", func(t *of) *bool { return &t.Silence }},
	}
}

// offerTypes are screens.md A43.
func (p *pages) offerTypes() *records.Family[admitto.OfferType] {
	type of = admitto.OfferType
	return &records.Family[of]{
		Query: p.Query, List: "offer-types", New: "offer-type-new", One: "offer-type", Kind: admitto.OfferTypeRow,
		Events: []admitto.Pattern{admitto.OfferTypeCreated, admitto.OfferTypeEdited, admitto.OfferTypeArchived},
		Texts: records.Texts{Count: "offer_type.count", None: "offer_type.none", NoneText: "offer_type.none_text",
			NewIntro: "offer_type.intro", Intro: "offer_type.intro", Saved: "offer_type.saved"},
		ID: func(t *of) int64 { return t.ID }, Name: func(t *of) string { return t.Title },
		All:     func(r *site.Request) ([]of, error) { return p.Query.OfferTypes(r.Context(), r.Reader()) },
		Columns: p.offerTypeColumns,
		Read:    func(r *site.Request, id int64) (of, error) { return p.Query.OfferType(r.Context(), r.Reader(), id) },
		Blank: func(r *site.Request) (of, error) {
			all, err := p.Query.OfferTypes(r.Context(), r.Reader())
			return of{Colour: "#5C9DED", Ranking: admitto.RankedPending, Confirm: true, Position: int64(len(all) + 1)}, err
		},
		Fields: offerTypeFields,
		Save: func(r *site.Request, t of) (int64, error) {
			return p.Catalogue.SaveOfferType(r.Context(), r.Caller(), t)
		},
		Warn:    p.affected,
		Preview: p.offerLetter,
	}
}

// offerLetter is the letter of a type as somebody invented would read it.
func (p *pages) offerLetter(r *site.Request, t *admitto.OfferType) (*ui.Box, error) {
	v, err := p.MailTexts.PreviewLetter(r.Context(), r.Reader(), *t)
	if err != nil {
		return nil, err
	}
	letter := show.Letter(r.T("offer_type.preview"), v.Subject, v.Letter)
	letter.Lang, letter.Plain = r.FirstLanguage(true), v.Mail.Text
	box := &ui.Box{ID: "preview", Title: r.T("offer_type.preview_of", "Name", show.Name(r, &v.Person))}
	if t.Subject == "" && t.Comments == "" {
		box.Parts = []ui.Component{ui.Words{Text: r.T("offer_type.no_letter"), Muted: true}}
		return box, nil
	}
	for _, fault := range v.Faults {
		box.Parts = append(box.Parts, ui.Notice{Tone: ui.Warn, Text: r.Say(fault.Text)})
	}
	box.Parts = append(box.Parts, letter)
	return box, nil
}

func (p *pages) offerTypeColumns(r *site.Request, _ []admitto.OfferType) ([]records.Column[admitto.OfferType], error) {
	type of = admitto.OfferType
	use, err := p.Query.OfferTypeUse(r.Context(), r.Reader())
	return []records.Column[of]{
		{Title: "offer_type.title", Place: "main", Cell: func(t *of) ui.Cell {
			cell := ui.Cell{Text: t.Title, Note: words(r, state{t.Archived, "offer_type.archived"})}
			if t.PublicTitle != t.Title {
				cell.Below = t.PublicTitle
			}
			return cell
		}},
		{Title: "offer_type.ranking", Place: "label", Cell: func(t *of) ui.Cell {
			return ui.Cell{Text: r.T(rankingKey(t.Ranking))}
		}},
		{Title: "offer_type.switches", Place: "label", Cell: func(t *of) ui.Cell {
			cell := ui.Cell{}
			for _, s := range switches() {
				cell.Tags = append(cell.Tags, yes(r, *s.at(t), "offer_switch."+s.name)...)
			}
			return cell
		}},
		{Title: "offer_type.use", Place: "label", Num: true, Cell: func(t *of) ui.Cell {
			return ui.Cell{Text: r.Number(int(use[t.ID]))}
		}},
	}, err
}

func rankingKey(ranking admitto.Ranked) string {
	switch ranking {
	case admitto.RankedInQuota:
		return "offer_ranking.in_quota"
	case admitto.RankedEliminated:
		return "offer_ranking.eliminated"
	}
	return "offer_ranking.pending"
}

func offerTypeFields(m records.Maker[admitto.OfferType], t *admitto.OfferType) ([]records.Field[admitto.OfferType],
	error) {
	type of = admitto.OfferType
	r := m.R
	var rankings []ui.Option
	for _, ranking := range []admitto.Ranked{admitto.RankedPending, admitto.RankedInQuota, admitto.RankedEliminated} {
		rankings = append(rankings, ui.Option{Value: string(ranking), Text: r.T(rankingKey(ranking))})
	}
	fields := []records.Field[of]{
		m.Text("title", "offer_type.title", func(t *of) *string { return &t.Title },
			records.Hint("offer_type.title_hint")),
		m.Text("public_title", "offer_type.public_title", func(t *of) *string { return &t.PublicTitle }, records.Optional,
			records.Hint("offer_type.public_hint")),
		m.Text("colour", "offer_type.colour", func(t *of) *string { return &t.Colour },
			records.Hint("offer_type.colour_hint")),
		m.Radio("ranking", "offer_type.ranking", rankings, func(t *of) *string { return (*string)(&t.Ranking) }),
		m.Whole("place", "lists.place", func(t *of) *int64 { return &t.Position }, records.Hint("offer_type.place_hint")),
		m.Head("offer_type.switches", "offer_type.switches_text"),
		switchField(m),
		m.Head("offer_type.letter", "offer_type.letter_text"),
		m.Text("subject", "offer_type.subject", func(t *of) *string { return &t.Subject }, records.Optional),
		m.Long("comments", "offer_type.comments", 12, 20_000, func(t *of) *string { return &t.Comments }, records.Optional),
		m.Versions([]records.Version{{Name: "public_title", Label: r.T("offer_type.public_title"), First: t.PublicTitle},
			{Name: "subject", Label: r.T("offer_type.subject"), First: t.Subject},
			{Name: "comments", Label: r.T("offer_type.comments"), First: t.Comments, Rows: 8}},
			func(t *of) *admitto.Versions { return &t.Versions }),
		m.Lines("bcc", "offer_type.bcc", 2, func(t *of) []string { return t.BCC },
			func(t *of, lines []string) { t.BCC = lines }, records.Optional, records.Hint("offer_type.bcc_hint")),
		m.Lines("reasons", "offer_type.reasons", 4, reasonLines, setReasons, records.Optional,
			records.Hint("offer_type.reasons_hint")),
	}
	if t.ID != 0 && t.ID != admitto.InitialOfferType {
		fields = append(fields, m.Tick("archived", "offer_type.archived", "offer_type.archived_text",
			func(t *of) *bool { return &t.Archived }))
	}
	return fields, nil
}

// switchField are all switches, each with what it does.
func switchField(m records.Maker[admitto.OfferType]) records.Field[admitto.OfferType] {
	type of = admitto.OfferType
	const name = "switches"
	return records.Field[of]{
		Inputs: [][2]string{{name, "offer_type.switches"}},
		Put: func(v site.Values, t *of) {
			for _, s := range switches() {
				if *s.at(t) {
					v[name] = append(v[name], s.name)
				}
			}
		},
		Take: func(f *site.Form, t *of) {
			for _, s := range switches() {
				*s.at(t) = false
				for _, chosen := range f.All(name) {
					*s.at(t) = *s.at(t) || chosen == s.name
				}
			}
		},
		Draw: func(f *site.Form) []ui.Component {
			var options []ui.Option
			for _, s := range switches() {
				options = append(options, ui.Option{Value: s.name, Text: m.R.T("offer_switch." + s.name),
					Hint: m.R.T("offer_switch_text." + s.name)})
			}
			c := f.Choices(name, "offer_type.switches", true, options...)
			c.Optional = true
			return []ui.Component{c}
		},
	}
}

func reasonLines(t *admitto.OfferType) (lines []string) {
	for _, r := range t.Reasons {
		lines = append(lines, r.Reason)
	}
	return lines
}

func setReasons(t *admitto.OfferType, lines []string) {
	t.Reasons = nil
	for _, line := range lines {
		t.Reasons = append(t.Reasons, admitto.OfferReason{Reason: line})
	}
}

// affected says how many confirmed offers other switches, or another public title, change at once.
func (p *pages) affected(r *site.Request, was, typed *admitto.OfferType) (string, error) {
	same := was.PublicTitle == typed.PublicTitle && !typed.Versions.AreOther(was.Versions, "public_title")
	for _, s := range switches() {
		same = same && *s.at(was) == *s.at(typed)
	}
	if same {
		return "", nil
	}
	use, err := p.Query.OfferTypeUse(r.Context(), r.Reader())
	if err != nil || use[was.ID] == 0 {
		return "", err
	}
	return r.Plural("offer_type.affected", int(use[was.ID])), nil
}
