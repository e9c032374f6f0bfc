package catalogue

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// mostDeadlines is how many territories an intake may tell apart.
const mostDeadlines = 300

// mostDecisionDays is the longest time for an answer to an offer.
const mostDecisionDays = 366

// decisionPolicies say whether applicants answer offers.
func decisionPolicies() []string { return []string{"None", "Advisory", "Required"} }

// SaveIntake stores an intake with its deadlines, a new one where its ID is 0, and ties it to the courses given and to
// no others. It returns the ID (screens.md A40). Empty deadlines are lines of a form that nobody filled in. Errors:
// invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveIntake(ctx context.Context, by usecase.Caller, i admitto.Intake, courses []int64) (int64, error) {
	if err := by.Needs(admitto.IntakesEdit); err != nil {
		return 0, err
	}
	given := i
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.IntakeRow, ID: i.ID},
		check: func(c *checks) {
			i = given
			i.Deadlines = slices.Clone(given.Deadlines)
			var was admitto.Intake
			if i.ID != 0 {
				was, c.err = c.tx.Intake(i.ID)
			}
			c.intake(&i, &was)
			for _, id := range courses {
				_, err := c.tx.Course(id)
				c.there("page.intake.courses", err)
			}
			if i.ID != 0 {
				c.keepIntakes(i.ID, courses)
			}
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) {
			changes, err := tx.SaveIntake(&i)
			if err != nil {
				return nil, err
			}
			tied, err := tx.SetCoursesOf(i.ID, courses)
			return append(changes, tied...), err
		},
		recorded: func(made bool) admitto.Event {
			return about(either(made, admitto.IntakeCreated, admitto.IntakeEdited), i.ID)
		},
	})
	return i.ID, err
}

// intake checks an intake; was is the one that is stored, or empty.
func (c *checks) intake(i, was *admitto.Intake) {
	c.line("page.intake.name", &i.Name, 1, mostLine)
	term, err := c.term(i.Term.ID)
	c.there("page.intake.term", err)
	c.line("page.intake.pre_info", &i.PreInfo, 0, mostLine)
	if i.PreMask && i.PreDeadline.IsZero() {
		c.fault("page.intake.pre_deadline", message.Of("day-missing"))
	}
	if !slices.Contains(admitto.DeadlinePolicies(), admitto.DeadlinePolicy(i.Policy)) {
		c.fault("page.intake.policy", message.Of("choose-one"))
	}
	c.among("page.intake.decision_policy", i.DecisionPolicy, decisionPolicies()...)
	if i.DecisionDays != nil && (*i.DecisionDays < 1 || *i.DecisionDays > mostDecisionDays) {
		c.fault("page.intake.decision_days", message.Of("number-range", 1, mostDecisionDays))
	}
	if i.DecisionPolicy != "None" && i.DecisionDays == nil && i.DecisionDate.IsZero() {
		c.fault("page.intake.decision_days", message.Of("days-or-date"))
	}
	if i.DecisionDays != nil && !i.DecisionDate.IsZero() {
		c.fault("page.intake.decision_date", message.Of("days-or-date"))
	}
	if len(i.Deadlines) > mostDeadlines {
		c.fault("page.intake.deadlines", message.Of("too-many-entries", len(i.Deadlines), mostDeadlines))
		return
	}
	regions := c.regionList()
	if c.err != nil {
		return
	}
	seen := map[string]bool{}
	for n := range i.Deadlines {
		d := &i.Deadlines[n]
		place := admitto.Path("page.intake.territory-" + strconv.Itoa(n)) // a line of the form
		if *d == (admitto.Deadline{}) {
			continue
		}
		country, err := text.Country(d.Territory)
		switch {
		case d.Territory == admitto.World || slices.ContainsFunc(regions, func(r admitto.Region) bool {
			return r.Code == d.Territory
		}):
		case err == nil:
			d.Territory = country
		case d.Territory == "":
			c.fault(place, message.Of("territory-missing"))
		default:
			c.fault(place, message.Of("choose-one"))
		}
		if seen[d.Territory] {
			c.fault(place, message.Of("territory-twice", d.Territory))
		}
		seen[d.Territory] = true
		c.line(admitto.Path("page.intake.deadline_info-"+strconv.Itoa(n)), &d.Info, 0, mostLine)
	}
	i.Deadlines = slices.DeleteFunc(i.Deadlines, func(d admitto.Deadline) bool { return d.Territory == "" })
	slices.SortFunc(i.Deadlines, func(a, b admitto.Deadline) int { return strings.Compare(a.Territory, b.Territory) })
	i.Versions = c.versionsOf("page.intake", i.Versions, intakeTexts(i))
	if i.Start != was.Start || i.Term.ID != was.Term.ID || i.Policy != was.Policy ||
		!slices.Equal(i.Deadlines, was.Deadlines) {
		c.opens("page.intake.start", i, term.Grace)
	}
}

// opens refuses an intake in which applying opens after the last deadline, or after the last day of the term for it,
// zero for none. Days that have passed are right: intakes of last year are entered, too.
func (c *checks) opens(path admitto.Path, i *admitto.Intake, grace admitto.Date) {
	if last, _ := i.LastDay(); !last.IsZero() && last.Before(i.Start) {
		c.fault(path, message.Of("opens-after-deadlines", i.Start, last))
	} else if !grace.IsZero() && grace.Before(i.Start) {
		c.fault(path, message.Of("opens-after-grace", i.Start, grace))
	}
}
