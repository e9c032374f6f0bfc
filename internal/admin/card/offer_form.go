package card

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// Bounds of the texts of a letter (resources.md 7.3, 24.11).
const (
	mostSubject     = 255
	mostLetter      = 65535
	mostOfferReason = 500
)

// ownReason is the choice of a reason in one's own words; others are "r" and their IDs.
const ownReason = "own"

// offerValues are the stored values of the editor. Subject and letter are those that would be sent: where the working
// copy has none, those of its type.
func offerValues(c *onOffer) site.Values {
	kind := c.TypeOf(c.Type)
	subject, letter := c.LetterTexts(&kind)
	v := site.Values{"type": site.One(strconv.FormatInt(c.Type, 10)), "subject": site.One(subject),
		"letter": site.One(strings.ReplaceAll(letter, "\r\n", "\n")), "policy": site.One(c.DecisionPolicy)}
	switch {
	case c.Reason.ID != 0:
		v["reason"] = site.One("r" + strconv.FormatInt(c.Reason.ID, 10))
	case c.Reason.Reason != "":
		v["reason"], v["own"] = site.One(ownReason), site.One(c.Reason.Reason)
	}
	if c.DeadlineTyped {
		v.SetDay("deadline", c.DecisionDeadline)
	}
	return v
}

// typed is what the form changes of the working copy; what is wrong with it is noted in the form. Texts that are as
// they were shown are no change, so that another type brings its own.
func (c *onOffer) typed(r *site.Request, f *site.Form) (edit admissions.OfferEdit) {
	if !r.Posted() && !f.Restored {
		return edit
	}
	was := offerValues(c)
	if id := f.Choice("type"); c.TypeOf(id).ID == 0 {
		f.FailText("type", message.Of("choose-one"))
	} else if id != c.Type {
		edit.Type = &id
	}
	f.Among("policy", admitto.PolicyNone, admitto.PolicyAdvisory, admitto.PolicyRequired)
	for _, t := range []struct {
		name  string
		clean func(string, int, int) (string, error)
		most  int
		into  **string
	}{{"subject", text.Line, mostSubject, &edit.Subject}, {"letter", text.Multiline, mostLetter, &edit.Comments}} {
		value, err := t.clean(f.Typed(t.name), 0, t.most)
		if err != nil {
			f.FailText(t.name, message.From(err))
		} else if value != strings.TrimSpace(was[t.name][0]) {
			*t.into = &value
		}
	}
	if reason, ok := c.typedReason(f); ok && reason != c.Reason.Reason {
		edit.Reason = &reason
	}
	if policy := f.Get("policy"); policy != c.DecisionPolicy {
		edit.DecisionPolicy = &policy
	}
	if day, ok := f.Day("deadline"); ok {
		shown := admitto.Date{}
		if c.DeadlineTyped {
			shown = c.DecisionDeadline
		}
		if day != shown {
			edit.DecisionDeadline = &day
		}
	}
	return edit
}

// newOwn reports whether somebody has typed a reason in other words than the one that is stored.
func (c *onOffer) newOwn(f *site.Form) bool {
	typed := f.Get("own")
	return typed != "" && (c.Reason.ID != 0 || typed != c.Reason.Reason)
}

// typedReason is the reason that was chosen or typed; ok is false for what is none.
func (c *onOffer) typedReason(f *site.Form) (reason string, ok bool) {
	chosen := f.Get("reason")
	if chosen != ownReason && c.newOwn(f) {
		if chosen != "" {
			f.Fail("own", "offer.two_reasons")
			return "", false
		}
		chosen = ownReason // typed without choosing it above
	}
	switch chosen {
	case "":
		return "", true
	case ownReason:
		reason, err := text.Line(f.Typed("own"), 1, mostOfferReason)
		if err != nil {
			f.FailText("own", message.From(err))
		}
		return reason, err == nil
	default:
		for i := range c.Types {
			for _, known := range c.Types[i].Reasons {
				if "r"+strconv.FormatInt(known.ID, 10) != chosen {
					continue
				}
				if c.Types[i].ID != f.Choice("type") && known.ID == c.Reason.ID {
					return "", true // that of the former type, which nobody chose for this one
				}
				if c.Types[i].ID != f.Choice("type") {
					f.Fail("reason", "offer.reason_of_other", "Type", c.Types[i].Title)
					return "", false
				}
				return known.Reason, true
			}
		}
		f.FailText("reason", message.Of("choose-one"))
		return "", false
	}
}

// offerFields are the fields of the editor, and what stands below its buttons.
func (p *pages) offerFields(r *site.Request, c *onOffer, f *site.Form, v *admissions.OfferPreview) (fields,
	below []ui.Component, err error) {
	letter := ui.Letter{Field: f.Long("letter", "offer.letter", 14, 0).Field, Markers: letterMarkers()}
	own := f.Text("own", "offer.own")
	own.Optional = true
	deadline := f.Date("deadline", "offer.deadline")
	deadline.Hint, deadline.Optional = deadlineHint(r, v), true
	fields = []ui.Component{
		ui.Columns{Parts: []ui.Component{f.Grouped("type", "offer.type", nil, typeGroups(r, c)...),
			f.Grouped("reason", "offer.reason", []ui.Option{{Text: r.T("offer.no_reason")},
				{Value: ownReason, Text: r.T("offer.own_reason")}}, reasonGroups(c)...)}}, own,
		f.Text("subject", "offer.subject"), letter,
		f.Select("policy", "offer.policy", ui.Option{Value: admitto.PolicyNone, Text: r.T("offer.policy_none")},
			ui.Option{Value: admitto.PolicyAdvisory, Text: r.T("offer.policy_advisory")},
			ui.Option{Value: admitto.PolicyRequired, Text: r.T("offer.policy_required")}), deadline,
	}
	if c.Confirmed != 0 && c.Decision != admitto.DecisionNone {
		fields = append(fields, f.Tick("again", "offer.former_answer", "offer.ask_again"))
	}
	upload, err := f.Upload("file", "offer.files", ".pdf,.jpg,.jpeg,.png,.webp,.docx,.xlsx,.pptx,.odt,.ods,.odp")
	if err != nil {
		return nil, nil, err
	}
	for i := range c.Files {
		file := &c.Files[i]
		upload.Files = append(upload.Files, ui.FileState{Name: file.Name, Href: r.At("offer-file", c.OfferCase.ID, file.ID),
			Meta: r.T("offer.file_size", "Size", (file.Size+1023)/1024),
			Done: 100, Remove: &ui.Button{Text: r.T("offer.remove"), Name: "remove", Value: strconv.FormatInt(file.ID, 10),
				About: file.Name, Small: true, Plain: true}, Moves: fileMoves(r, c, i)})
	}
	upload.Optional = true
	below = []ui.Component{upload, ui.Acts{{Text: r.T("offer.attach"), Icon: "upload", Name: "attach", Value: "yes",
		Small: true}}}
	if len(c.Letterheads) > 0 {
		var heads []ui.Option
		for _, h := range c.Letterheads {
			heads = append(heads, ui.Option{Value: strconv.FormatInt(h.ID, 10), Text: h.Name})
		}
		below = append(below, f.Select("letterhead", "offer.letterhead", heads...),
			ui.Acts{{Text: r.T("offer.print"), Icon: "printer", Name: "print", Value: "yes", Small: true}})
	}
	return fields, below, nil
}

// fileMoves are the buttons that move an attachment up and down.
func fileMoves(r *site.Request, c *onOffer, at int) (moves []ui.Button) {
	file := &c.Files[at]
	add := func(name, key, icon string) {
		moves = append(moves, ui.Button{Text: r.T(key), Icon: icon, Name: name, Value: strconv.FormatInt(file.ID, 10),
			About: file.Name, Small: true, Plain: true})
	}
	if at > 0 {
		add("file-up", "card.move_up", "arrow-up")
	}
	if at+1 < len(c.Files) {
		add("file-down", "card.move_down", "arrow-down")
	}
	return moves
}

// typeGroups are the types that can be chosen, by their place in rankings; an archived one only while the offer has it.
func typeGroups(r *site.Request, c *onOffer) (groups []ui.OptionGroup) {
	for _, ranked := range []admitto.Ranked{admitto.RankedInQuota, admitto.RankedPending, admitto.RankedEliminated} {
		group := ui.OptionGroup{Label: r.T("offer." + rankedKey(ranked))}
		for i := range c.Types {
			if t := &c.Types[i]; t.Ranking == ranked && (!t.Archived || t.ID == c.Type) {
				group.Options = append(group.Options, ui.Option{Value: strconv.FormatInt(t.ID, 10), Text: t.Title})
			}
		}
		if len(group.Options) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// rankedKey is the message of a place in rankings.
func rankedKey(ranked admitto.Ranked) string {
	switch ranked {
	case admitto.RankedInQuota:
		return "ranked_in"
	case admitto.RankedEliminated:
		return "ranked_out"
	case admitto.RankedPending:
	}
	return "ranked_pending"
}

// reasonGroups are the reasons of all types that have some, under the titles of the types.
func reasonGroups(c *onOffer) (groups []ui.OptionGroup) {
	for i := range c.Types {
		t := &c.Types[i]
		group := ui.OptionGroup{Label: t.Title}
		for _, reason := range t.Reasons {
			group.Options = append(group.Options, ui.Option{Value: "r" + strconv.FormatInt(reason.ID, 10), Text: reason.Reason})
		}
		if len(group.Options) > 0 && (!t.Archived || t.ID == c.Type) {
			groups = append(groups, group)
		}
	}
	return groups
}

// deadlineHint says what day it would be without one typed, and why.
func deadlineHint(r *site.Request, v *admissions.OfferPreview) string {
	rule, day := &v.Deadline, show.Date(r, v.Offer.DecisionDeadline)
	switch {
	case !v.Type.Decide:
		return r.T("offer.deadline_unasked")
	case v.Offer.DecisionPolicy == admitto.PolicyNone && !rule.Typed:
		return r.T("offer.deadline_none")
	case rule.Typed || v.Offer.DecisionDeadline.IsZero():
		return r.T("offer.deadline_free")
	case rule.Fewest:
		return r.T("offer.deadline_fewest", "Day", day, "Days", rule.Days)
	case rule.OnDay:
		return r.T("offer.deadline_intake_day", "Day", day)
	case rule.OfIntake:
		return r.T("offer.deadline_intake", "Day", day, "Days", rule.Days)
	}
	return r.T("offer.deadline_default", "Day", day, "Days", rule.Days)
}

// sentTitle says when a letter was sent and what became of its mail.
func sentTitle(r *site.Request, c *onOffer, l int) string {
	sent := &c.Sent[l]
	state := r.T("offer.mail_gone")
	if sent.Email.ID != 0 {
		state = show.Mail(r, &sent.Email).Text
	}
	return joined(" · ", r.Isolated(c.TypeOf(sent.Type).Title), r.Clock(sent.Confirmed), state)
}
