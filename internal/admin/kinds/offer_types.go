package kinds

import (
	"slices"

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

// offerType is an offer type with the language in which its letter is previewed; "" is the first.
type offerType struct {
	admitto.OfferType
	reads string
}

// offerTypes are screens.md A43.
func (p *pages) offerTypes() *records.Family[offerType] {
	type of = offerType
	return &records.Family[of]{
		Query: p.Query, List: "offer-types", New: "offer-type-new", One: "offer-type", Kind: admitto.OfferTypeRow,
		Events: []admitto.Pattern{admitto.OfferTypeCreated, admitto.OfferTypeEdited, admitto.OfferTypeArchived},
		Texts: records.Texts{Count: "offer_type.count", None: "offer_type.none", NoneText: "offer_type.none_text",
			NewIntro: "offer_type.intro", Intro: "offer_type.intro", Saved: "offer_type.saved"},
		ID: func(t *of) int64 { return t.ID }, Name: func(t *of) string { return t.Title },
		All: func(r *site.Request) (list []of, err error) {
			all, err := p.Query.OfferTypes(r.Context(), r.Reader())
			for i := range all {
				list = append(list, of{OfferType: all[i]})
			}
			return list, err
		},
		Columns: p.offerTypeColumns,
		Read: func(r *site.Request, id int64) (t of, err error) {
			t.OfferType, err = p.Query.OfferType(r.Context(), r.Reader(), id)
			return t, err
		},
		Blank: func(r *site.Request) (of, error) {
			all, err := p.Query.OfferTypes(r.Context(), r.Reader())
			return of{OfferType: admitto.OfferType{Colour: "#5C9DED", Ranking: admitto.RankedPending, Confirm: true,
				Position: int64(len(all) + 1)}}, err
		},
		Fields: offerTypeFields,
		Save: func(r *site.Request, t of) (int64, error) {
			return p.Catalogue.SaveOfferType(r.Context(), r.Caller(), t.OfferType)
		},
		Warn:    p.affected,
		Preview: p.offerLetter,
	}
}

// offerLetter is the letter of a type as somebody invented would read it, in the language that is chosen.
func (p *pages) offerLetter(r *site.Request, t *offerType) (*ui.Box, error) {
	v, err := p.MailTexts.PreviewLetter(r.Context(), r.Reader(), t.OfferType, t.reads)
	if err != nil {
		return nil, err
	}
	box := &ui.Box{ID: "preview", Title: r.T("offer_type.preview_of", "Name", show.Name(r, &v.Person))}
	if len(v.Letter) == 0 && len(v.Subject) == 0 {
		box.Parts = []ui.Component{ui.Words{Text: r.T("offer_type.no_letter"), Muted: true}}
		return box, nil
	}
	for _, fault := range v.Faults {
		box.Parts = append(box.Parts, ui.Notice{Tone: ui.Warn, Text: r.Say(fault.Text)})
	}
	letter := show.Letter(r.T("offer_type.preview"), v.Subject, v.Letter)
	letter.Lang, letter.Plain = v.Language, v.Mail.Text
	if t.reads != "" && v.Language != t.reads {
		box.Parts = append(box.Parts, ui.Words{Muted: true, Text: r.T("offer_type.not_in", "Language",
			show.Language(r, t.reads), "Other", show.Language(r, v.Language))})
	}
	box.Parts = append(box.Parts, letter)
	return box, nil
}

// readsField chooses the language of the preview; nothing of it is stored. There is none with one language.
func readsField(m records.Maker[offerType]) (fields []records.Field[offerType]) {
	var options []ui.Option
	languages := m.R.Settings().Instance.Languages
	for _, lang := range languages {
		options = append(options, ui.Option{Value: lang, Text: show.Language(m.R, lang)})
	}
	if len(options) < 2 {
		return nil
	}
	field := m.Choose("reads", "offer_type.reads", options, func(t *offerType) *string { return &t.reads },
		records.Hint("offer_type.reads_hint"))
	field.Inputs, field.Put = nil, func(site.Values, *offerType) {}
	field.Take = func(f *site.Form, t *offerType) {
		if t.reads = f.Get("reads"); !slices.Contains(languages, t.reads) {
			t.reads = ""
		}
	}
	return []records.Field[offerType]{field}
}

func (p *pages) offerTypeColumns(r *site.Request, _ []offerType) ([]records.Column[offerType], error) {
	type of = offerType
	use, err := p.Query.OfferTypeUse(r.Context(), r.Reader())
	return []records.Column[of]{
		{Title: "offer_type.title", Place: "main", Cell: func(t *of) ui.Cell {
			cell := ui.Cell{Text: t.Title, Note: words(r, state{t.Archived, "offer_type.archived"})}
			if t.PublicTitle != t.Title {
				cell.Below = t.PublicTitle
			}
			return cell
		}},
		{Title: "offer_type.colour", Place: "label", Cell: func(t *of) ui.Cell {
			return ui.Cell{Parts: []ui.Component{ui.Dot{Text: t.Colour, Colour: t.Colour}}}
		}},
		{Title: "offer_type.ranking", Place: "label", Cell: func(t *of) ui.Cell {
			return ui.Cell{Text: r.T(rankingKey(t.Ranking))}
		}},
		{Title: "offer_type.switches", Place: "label", Cell: func(t *of) ui.Cell {
			cell := ui.Cell{}
			for _, s := range switches() {
				cell.Tags = append(cell.Tags, yes(r, *s.at(&t.OfferType), "offer_switch."+s.name)...)
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

func offerTypeFields(m records.Maker[offerType], t *offerType) ([]records.Field[offerType], error) {
	type of = offerType
	r := m.R
	var rankings []ui.Option
	for _, ranking := range []admitto.Ranked{admitto.RankedPending, admitto.RankedInQuota, admitto.RankedEliminated} {
		rankings = append(rankings, ui.Option{Value: string(ranking), Text: r.T(rankingKey(ranking)),
			Disabled: isInitial(t) && ranking != admitto.RankedPending})
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
		m.Head("offer_type.switches", switchesText(t)),
		switchField(m, isInitial(t)),
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
	fields = append(fields, readsField(m)...)
	if t.ID != 0 && !isInitial(t) {
		fields = append(fields, m.Tick("archived", "offer_type.archived", "offer_type.archived_text",
			func(t *of) *bool { return &t.Archived }))
	}
	return fields, nil
}

// isInitial reports whether the type is that of every new offer, most of which is fixed.
func isInitial(t *offerType) bool { return t.ID == admitto.InitialOfferType }

// switchesText is the message above the switches: from when they hold, or why they are fixed.
func switchesText(t *offerType) string {
	if isInitial(t) {
		return "offer_type.fixed"
	}
	return "offer_type.switches_text"
}

// switchField are all switches, each with what it does; those of the initial type cannot be set.
func switchField(m records.Maker[offerType], fixed bool) records.Field[offerType] {
	type of = offerType
	const name = "switches"
	return records.Field[of]{
		Inputs: [][2]string{{name, "offer_type.switches"}},
		Put: func(v site.Values, t *of) {
			for _, s := range switches() {
				if *s.at(&t.OfferType) {
					v[name] = append(v[name], s.name)
				}
			}
		},
		Take: func(f *site.Form, t *of) {
			for _, s := range switches() {
				at := s.at(&t.OfferType)
				*at = false
				for _, chosen := range f.All(name) {
					*at = *at || chosen == s.name
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
			c.Optional, c.Disabled = true, fixed
			return []ui.Component{c}
		},
	}
}

func reasonLines(t *offerType) (lines []string) {
	for _, r := range t.Reasons {
		lines = append(lines, r.Reason)
	}
	return lines
}

func setReasons(t *offerType, lines []string) {
	t.Reasons = nil
	for _, line := range lines {
		t.Reasons = append(t.Reasons, admitto.OfferReason{Reason: line})
	}
}

// affected says how many confirmed offers other switches, or another public title, change at once.
func (p *pages) affected(r *site.Request, was, typed *offerType) (string, error) {
	same := was.PublicTitle == typed.PublicTitle && !typed.Versions.AreOther(was.Versions, "public_title")
	for _, s := range switches() {
		same = same && *s.at(&was.OfferType) == *s.at(&typed.OfferType)
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
