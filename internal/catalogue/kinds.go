package catalogue

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of what staff keep.
const (
	mostTitle   = 64
	mostNotes   = 2000
	mostReasons = 50
	mostLetter  = 20_000
	mostCopies  = 10
	mostTypes   = 10_000
	mostConsent = 4000
	mostWords   = 4096 // of invoices
)

// free refuses a name that another record has, and says how that is written.
func (c *checks) free(path admitto.Path, own int64, find func() (int64, error), name func(id int64) (string, error)) {
	if c.err != nil {
		return
	}
	var holder int64
	if holder, c.err = find(); c.err == nil && holder != 0 && holder != own {
		var has string
		has, c.err = name(holder)
		c.fault(path, message.Of("name-taken-by", has))
	}
}

// named is a record and its name: as names are compared, and as it is written.
type named struct {
	id        int64
	key, name string
}

// unshared refuses a name that one of the others has, where nobody could tell the two apart. A record that shares its
// name already keeps it until it is called otherwise.
func (c *checks) unshared(path admitto.Path, own named, others []named) {
	taken := slices.IndexFunc(others, func(o named) bool { return o.id != own.id && o.key == own.key })
	if taken >= 0 && !slices.ContainsFunc(others, func(o named) bool { return o.id == own.id && o.key == own.key }) {
		c.fault(path, message.Of("name-taken-by", others[taken].name))
	}
}

// SaveTracker changes a tracker, or makes one where its ID is 0, and returns its ID (screens.md A34). Errors:
// invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveTracker(ctx context.Context, by usecase.Caller, t admitto.Tracker) (int64, error) {
	if err := by.Needs(admitto.TrackersEdit); err != nil {
		return 0, err
	}
	given := t
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.TrackerRow, ID: t.ID},
		check: func(c *checks) {
			t = given
			if t.Created = c.tx.Now(); t.ID != 0 {
				was, err := c.tx.Tracker(t.ID)
				c.there("page.tracker.code", err)
				t.Created = was.Created
			}
			c.line("page.tracker.code", &t.Code, 2, 16)
			if strings.ContainsFunc(t.Code, func(r rune) bool { return r == ',' || r == ' ' }) {
				c.fault("page.tracker.code", message.Of("code-characters"))
			}
			c.lines("page.tracker.notes", &t.Notes, mostNotes)
			if r := t.Reduction; r != nil {
				if r.ByAmount() {
					c.by(text.Currency, "page.tracker.currency", &r.Currency)
				} else if r.Percent < 1 || r.Percent > 100_00 {
					c.fault("page.tracker.value", message.Of("percent-range"))
				}
				if r.Amount < 0 || r.ByAmount() && r.Amount == 0 {
					c.fault("page.tracker.value", message.Of("amount-missing"))
				}
			}
			c.free("page.tracker.code", t.ID, func() (int64, error) { return c.tx.TrackerWithCode(t.Code) },
				func(id int64) (string, error) {
					has, err := c.tx.Tracker(id)
					return has.Code, err
				})
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveTracker(&t) },
		recorded: func(made bool) admitto.Event {
			return admitto.Event{Pattern: either(made, admitto.TrackerCreated, admitto.TrackerEdited),
				Links: admitto.Links{Tracker: t.ID}}
		},
	})
	return t.ID, err
}

// SaveFlag changes a flag, or makes one where its ID is 0, and returns its ID (screens.md A35). Errors:
// invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveFlag(ctx context.Context, by usecase.Caller, f admitto.Flag) (int64, error) {
	if err := by.Needs(admitto.FlagsEdit); err != nil {
		return 0, err
	}
	given := f
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.FlagRow, ID: f.ID},
		check: func(c *checks) {
			if f = given; f.ID == 0 {
				f.Created = c.tx.Now()
			}
			c.line("page.flag.name", &f.Name, 1, mostTitle)
			c.free("page.flag.name", f.ID, func() (int64, error) { return c.tx.FlagWithName(f.Name) },
				func(id int64) (string, error) {
					has, err := c.tx.Flag(id)
					return has.Name, err
				})
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveFlag(&f) },
		recorded: func(made bool) admitto.Event {
			return admitto.Event{Pattern: either(made, admitto.FlagCreated, admitto.FlagEdited),
				Links: admitto.Links{Flag: f.ID}}
		},
	})
	return f.ID, err
}

// SaveOfferType changes an offer type with its reasons, or makes one where its ID is 0, and returns its ID. Switches
// of the initial type stay as they are (lifecycle.md 4.1, screens.md A43). Errors: invalid-parameter, not-found,
// changed-meanwhile.
func (s *Service) SaveOfferType(ctx context.Context, by usecase.Caller, t admitto.OfferType) (int64, error) {
	if err := by.Needs(admitto.OfferTypesEdit); err != nil {
		return 0, err
	}
	given, archived := t, false
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.OfferTypeRow, ID: t.ID},
		check: func(c *checks) {
			t = given
			t.BCC, t.Reasons = slices.Clone(given.BCC), slices.Clone(given.Reasons)
			c.offerType(&t)
			if t.ID == 0 {
				return
			}
			was, err := c.tx.OfferType(t.ID)
			c.there("page.offer_type.title", err)
			archived = t.Archived && !was.Archived
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveOfferType(&t) },
		recorded: func(made bool) admitto.Event {
			pattern := either(made, admitto.OfferTypeCreated, admitto.OfferTypeEdited)
			if archived {
				pattern = admitto.OfferTypeArchived
			}
			return about(pattern, t.ID)
		},
	})
	return t.ID, err
}

// offerType checks an offer type.
func (c *checks) offerType(t *admitto.OfferType) {
	c.line("page.offer_type.title", &t.Title, 1, mostTitle)
	c.line("page.offer_type.public_title", &t.PublicTitle, 0, mostTitle)
	if t.PublicTitle == "" {
		t.PublicTitle = t.Title
	}
	c.by(text.Colour, "page.offer_type.colour", &t.Colour)
	c.among("page.offer_type.ranking", string(t.Ranking), string(admitto.RankedPending), string(admitto.RankedInQuota),
		string(admitto.RankedEliminated))
	if t.Position < 1 || t.Position > mostTypes {
		c.fault("page.offer_type.place", message.Of("number-range", 1, mostTypes))
	}
	c.line("page.offer_type.subject", &t.Subject, 0, mostLine)
	c.lines("page.offer_type.comments", &t.Comments, mostLetter)
	t.Versions = c.versionsOf("page.offer_type", t.Versions, map[string]bound{"public_title": oneLine(mostTitle),
		"subject": oneLine(mostLine), "comments": severalLines(mostLetter)})
	c.letter("page.offer_type.subject", "page.offer_type.comments", t.Subject, t.Comments)
	for lang, texts := range t.Versions {
		at := func(name string) admitto.Path { return admitto.VersionPath("page.offer_type", lang, name) }
		c.letter(at("subject"), at("comments"), texts["subject"], texts["comments"])
	}
	if len(t.BCC) > mostCopies {
		c.fault("page.offer_type.bcc", message.Of("too-many-entries", len(t.BCC), mostCopies))
	}
	for i := range t.BCC {
		c.by(text.Email, "page.offer_type.bcc", &t.BCC[i])
	}
	if len(t.Reasons) > mostReasons {
		c.fault("page.offer_type.reasons", message.Of("too-many-entries", len(t.Reasons), mostReasons))
	}
	for i := range t.Reasons {
		c.line("page.offer_type.reasons", &t.Reasons[i].Reason, 1, mostLine)
	}
	if t.ID == admitto.InitialOfferType && (t.Archived || t.Confirm || t.Freeze || t.Decide || t.Decline ||
		t.StrictDeclined || t.Reopen || t.Silence || t.Ranking != admitto.RankedPending) {
		c.fault("page.offer_type.switches", message.Of("initial-type-fixed"))
	}
	if t.Decide && !t.Confirm {
		c.fault("page.offer_type.switches", message.Of("decide-needs-letter"))
	}
	c.free("page.offer_type.title", t.ID, func() (int64, error) { return c.tx.OfferTypeWithTitle(t.Title) },
		func(id int64) (string, error) {
			has, err := c.tx.OfferType(id)
			return has.Title, err
		})
}

// letter refuses what is no marker of letters about offers: it could not be confirmed (lifecycle.md O5).
func (c *checks) letter(subjectPath, bodyPath admitto.Path, subject, body string) {
	var refusal *admitto.Error
	if !errors.As(mail.Template{Kind: mail.KindOfferLetter, Subject: subject, Body: body}.Check(), &refusal) {
		return
	}
	for _, f := range refusal.Faults {
		path := bodyPath
		if f.Path == "template.subject" {
			path = subjectPath
		}
		c.fault(path, f.Text)
	}
}

// SaveConsent changes a consent, or makes one where its ID is 0, and returns its ID. Another text asks everybody again,
// unless it is a correction without change of meaning (lifecycle.md 2.4, screens.md A46). Errors: invalid-parameter,
// not-found, changed-meanwhile.
func (s *Service) SaveConsent(ctx context.Context, by usecase.Caller, consent admitto.KeptConsent,
	correction bool) (int64, error) {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return 0, err
	}
	given, kept := consent, false
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.ConsentRow, ID: consent.ID},
		check: func(c *checks) {
			consent, kept = given, false
			c.among("page.consent.type", consent.Type, "Mandatory", "Voluntary")
			if words, err := text.Multiline(consent.Text, 1, mostConsent); err != nil {
				c.fault("page.consent.text", message.From(err))
			} else {
				consent.Text = words
			}
			c.by(text.WebAddress, "page.consent.link", &consent.Link)
			consent.Versions = c.versionsOf("page.consent", consent.Versions,
				map[string]bound{"text": severalLines(mostConsent)})
			if consent.Version = 1; consent.ID == 0 {
				return
			}
			all, err := c.tx.KeptConsents()
			if err != nil {
				c.err = err
				return
			}
			for i := range all {
				if all[i].ID == consent.ID {
					if consent.Version = all[i].Version; consent.IsOther(&all[i]) {
						consent.Version, kept = consent.Version+1, correction
					}
				}
			}
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) {
			changes, err := tx.SaveConsent(&consent)
			if err == nil && kept {
				err = tx.KeepDecisions(consent.ID, consent.Version)
			}
			return changes, err
		},
		recorded: func(made bool) admitto.Event {
			return about(either(made, admitto.KeptConsentCreated, admitto.KeptConsentEdited), consent.ID)
		},
	})
	return consent.ID, err
}

// SaveSeries changes a series of invoices, or makes one where its ID is 0, and returns its ID. Its last number stays
// (lifecycle.md 6.2, screens.md A31). Errors: invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveSeries(ctx context.Context, by usecase.Caller, series admitto.Series) (int64, error) {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return 0, err
	}
	given := series
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.SeriesRow, ID: series.ID},
		check: func(c *checks) {
			series = given
			c.line("page.series.name", &series.Name, 1, mostTitle)
			c.line("page.series.format", &series.Format, 1, 60)
			c.lines("page.series.instructions", &series.Instructions, mostWords)
			c.lines("page.series.smallprint", &series.Smallprint, mostWords)
			series.Versions = c.versionsOf("page.series", series.Versions,
				map[string]bound{"instructions": severalLines(mostWords), "smallprint": severalLines(mostWords)})
			series.LastIssued, series.LastNumber = 0, ""
			var was admitto.Series
			if series.ID != 0 {
				var err error
				was, err = c.tx.LockSeries(series.ID)
				c.there("page.series.name", err)
				series.LastIssued, series.LastNumber = was.LastIssued, was.LastNumber
				if was.Default && !series.Default {
					c.fault("page.series.default", message.Of("default-series-needed"))
				}
			}
			s.seriesFormat(c, &series, was.Format)
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveSeries(&series) },
		recorded: func(made bool) admitto.Event {
			return about(either(made, admitto.SeriesCreated, admitto.SeriesEdited), series.ID)
		},
	})
	return series.ID, err
}

// seriesFormat checks the format of a series. One that is new gives no number that another series gives: who pays
// writes nothing but the number (lifecycle.md 6.2).
func (s *Service) seriesFormat(c *checks, series *admitto.Series, was string) {
	const path = "page.series.format"
	if err := admitto.NoMarker(series.Format); err != nil { // before its absence is missed
		c.fault(path, message.Of("number-format", message.From(err)))
		return
	}
	format, err := admitto.ParseNumberFormat(series.Format)
	if err != nil {
		c.fault(path, message.Of("number-format", message.From(err)))
		return
	}
	if series.Format == was || c.err != nil {
		return
	}
	var all []admitto.Series
	all, c.err = c.tx.InvoiceSeries()
	for i := range all {
		other := &all[i]
		theirs, err := admitto.ParseNumberFormat(other.Format)
		if other.ID == series.ID || err != nil {
			continue
		}
		number := format.Shared(&theirs, s.core.Today(c.tx))
		if number == "" && other.LastNumber != "" { // of a format that it had before
			if _, _, ok := format.Read(other.LastNumber, s.core.DayOf(other.LastIssued)); ok {
				number = other.LastNumber
			}
		}
		if number != "" {
			c.fault(path, message.Of("number-of-two-series", other.Name, number))
			return
		}
	}
}
