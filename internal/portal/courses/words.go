package courses

import (
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// award is what a course leads to, and where, with its language where it is not that of the page.
func award(r *site.Request, c *query.OfferedCourse) (words, lang string) {
	awards, fallback := c.AwardsIn(r.Lang, " · ")
	return r.Said(strings.Trim(awards+" · "+c.InstitutionName, " ·"), fallback)
}

// stateTag says whether one can apply in an intake.
func stateTag(r *site.Request, in *query.OfferedIntake) ui.Tag {
	tone := ui.Info
	switch in.State {
	case admitto.IntakeOpen:
		tone = ui.OK
	case admitto.IntakeClosing, admitto.IntakeLate:
		tone = ui.Warn
	case admitto.IntakeBarred, admitto.IntakeClosed, admitto.IntakeNotYet:
	}
	return ui.Tag{Text: r.T("intake_state." + string(in.State)), Icon: tone.Icon(), Tone: tone}
}

// deadlineText is until when one can apply. Without a citizenship it says that others may have another deadline.
func deadlineText(r *site.Request, in *query.OfferedIntake, country string) string {
	if in.State == admitto.IntakeNotYet {
		return r.T("catalogue.opens_on", "Day", r.Date(in.Start.In(time.UTC)))
	}
	if in.State == admitto.IntakeBarred {
		return ""
	}
	day := lastDay(r, in)
	switch {
	case day.IsZero():
		return r.T("catalogue.no_deadline")
	case country == "" && len(in.Deadlines) > 1:
		return r.T("catalogue.depends", "Day", r.Date(day.In(time.UTC)))
	}
	return r.Date(day.In(time.UTC))
}

// lastDay is the day of the deadline, or the earlier one that is shown in its place until it is over (lifecycle.md
// 3.3).
func lastDay(r *site.Request, in *query.OfferedIntake) admitto.Date {
	if in.PreMask && in.IsEarly(r.Now(), r.Zone()) {
		return in.PreDeadline
	}
	return in.Deadline.Day
}

// early is what is said of a deadline that is over before the others and stops nothing, until then. Its day stands in
// the place of theirs where it is shown alone.
func early(r *site.Request, in *query.OfferedIntake) (facts []ui.KeyValue, notes []ui.Component) {
	if !in.IsEarly(r.Now(), r.Zone()) || in.State == admitto.IntakeBarred {
		return nil, nil
	}
	if words, lang := r.Version(in.Versions, "pre_info", in.PreInfo); words != "" {
		notes = []ui.Component{ui.Words{Text: words, Lang: lang}}
	}
	if in.PreMask {
		return nil, notes
	}
	day := ui.KeyValue{Key: r.T("catalogue.early"), Value: r.Date(in.PreDeadline.In(time.UTC))}
	if notes != nil {
		day.Parts = append([]ui.Component{ui.Words{Text: day.Value}}, notes...)
	}
	return []ui.KeyValue{day}, nil
}

// feeText is what applying costs; "" for nothing that is known.
func feeText(r *site.Request, fees []query.OfferedFee) string {
	for _, f := range fees {
		if f.Type == "Appfee" {
			if f.Territory == "" {
				return r.T("catalogue.fee_some")
			}
			amount := r.Money(int64(f.Amount), f.Currency)
			if f.Amount == 0 {
				amount = r.T("catalogue.fee_none")
			}
			if f.Varies {
				return r.T("catalogue.fee_depends", "Amount", amount)
			}
			return amount
		}
	}
	return ""
}

// world is the territory of everybody.
const world = "001"
