package maintenance

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
)

// factMailTested names the mail server that took a test last, in the facts about the database.
const factMailTested = "mail_tested"

// Checklist says which steps of the first set-up are done (screens.md A01).
type Checklist struct {
	Institution bool // the first institution has an address and a country
	Contact     bool // an e-mail address or telephone number for applicants
	Privacy     bool // a privacy text
	Term        bool // a year with a term
	Intake      bool // an intake with a deadline in which somebody can apply, now or later
	Course      bool // a course that is online
	OfferTypes  bool // one besides that of new offers
	Templates   bool // of e-mails, in words of one's own, or of tasks
	Mail        bool // the mail server of the settings took a test
	Second      bool // two administrators
	Applied     bool // somebody has applied already, so that the list is over

	First   admitto.Institution // whose address and country count; ID 0 for none
	Undated admitto.Intake      // an intake without deadlines, ID 0 for none
	Over    admitto.Intake      // an intake in which nobody can apply any more, ID 0 for none
	Unused  admitto.OfferType   // one that is switched off, ID 0 for none
	Server  bool                // there is a mail server
	Tested  bool                // some mail server took a test
}

// Done reports whether nothing is left to do.
func (c Checklist) Done() bool {
	return c.Institution && c.Contact && c.Privacy && c.Term && c.Intake && c.Course && c.OfferTypes && c.Templates &&
		c.Mail && c.Second
}

// Checklist reads which steps of the first set-up are done.
func (s *Service) Checklist(ctx context.Context, by admitto.Caller) (c Checklist, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return c, err
	}
	set := s.core.Settings()
	c.Contact = set.Portal.ContactEmail != "" || set.Portal.ContactPhone != ""
	c.Privacy = len(set.Portal.Privacy) > 0
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		institutions, err := tx.Institutions(admitto.InstitutionQuery{})
		if err != nil {
			return err
		}
		if len(institutions) > 0 {
			c.First = institutions[0]
			c.Institution = c.First.Address != "" && c.First.Country != ""
		}
		terms, err := tx.Terms()
		if err != nil {
			return err
		}
		intakes, err := tx.Intakes()
		if err != nil {
			return err
		}
		courses, err := tx.Courses(admitto.CourseQuery{Statuses: []string{"Online"}})
		if err != nil {
			return err
		}
		types, err := tx.OfferTypes()
		if err != nil {
			return err
		}
		c.Term, c.Course = len(terms) > 0, len(courses) > 0
		today := s.core.Today(tx)
		for i := range intakes {
			switch {
			case len(intakes[i].Deadlines) == 0:
				c.Undated = intakes[i]
			case intakes[i].Opens(today):
				c.Intake = true
			default:
				c.Over = intakes[i]
			}
		}
		for i := range types {
			switch t := types[i]; {
			case t.ID == admitto.InitialOfferType:
			case !t.Archived:
				c.OfferTypes = true
			case c.Unused.ID == 0 || c.Unused.Ranking != admitto.RankedInQuota && t.Ranking == admitto.RankedInQuota:
				c.Unused = t
			}
		}
		if c.Templates, err = tx.HasTemplates(); err != nil {
			return err
		}
		last, err := tx.HighestApplication()
		if err != nil {
			return err
		}
		c.Applied = last > 0
		tested, err := tx.InstanceFact(factMailTested)
		if err != nil {
			return err
		}
		place := mail.Place(set.MailServer(""))
		c.Mail, c.Server, c.Tested = tested != "" && tested == place, place != "", tested != ""
		c.Second, err = tx.HasSecondAdministrator()
		return err
	})
	return c, err
}

// noteTested keeps that a mail server took a test.
func (s *Service) noteTested(ctx context.Context, smtp string) error {
	place := mail.Place(smtp)
	if place == "" {
		return nil
	}
	return s.core.Write(ctx, func(tx *store.Tx) error { return tx.SetInstanceFact(factMailTested, place) })
}
