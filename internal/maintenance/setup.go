package maintenance

import (
	"context"
	"errors"
	"maps"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
)

// setupWorks is how long a link to the set-up works (screens.md A01).
const setupWorks = 24 * admitto.Hour

// Setup is what the first set-up asks for. Settings that are given from outside are not changed.
type Setup struct {
	Settings              map[string]string // of SetupSettings, those that were typed
	Name, Email, Password string            // of the first administrator
	Check                 bool              // only say what is wrong, and do nothing
}

// SetupSettings are the settings that the first set-up asks for.
func SetupSettings() []string {
	return []string{"instance.name", "instance.timezone", "instance.currency", "mail.smtp"}
}

// NewSetupLink makes a link to the first set-up; former ones end. Not-allowed-now: there is an administrator.
func (s *Service) NewSetupLink(ctx context.Context, by admitto.Caller) (link string, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return "", err
	}
	token, hash := seal.NewToken()
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		there, err := tx.HasStaff()
		if err != nil {
			return err
		}
		if there {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("set-up-already"))
		}
		return tx.InsertSetupToken(hash, tx.Now()+setupWorks)
	})
	return s.core.Links().Setup(token), err
}

// FirstSetupLink is NewSetupLink for the first start: "" when there is an administrator, or a link was made before.
func (s *Service) FirstSetupLink(ctx context.Context, by admitto.Caller) (link string, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return "", err
	}
	var known bool
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		known, err = tx.HasStaff()
		if err == nil && !known {
			known, err = tx.HasSetupToken()
		}
		return err
	})
	if err != nil || known {
		return "", err
	}
	return s.NewSetupLink(ctx, by)
}

// SetupOpen refuses a link to the set-up that does not work: not-found without a code when there is an administrator,
// with setup-link-dead when another link is to be made.
func (s *Service) SetupOpen(ctx context.Context, token string) error {
	return s.core.Read(ctx, func(tx *store.Tx) error { return setupOpen(tx, token) })
}

func setupOpen(tx *store.Tx, token string) error {
	there, err := tx.HasStaff()
	if err == nil && there {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	if err != nil {
		return err
	}
	works, err := tx.SetupTokenWorks(seal.TokenHash(token))
	if err == nil && !works {
		err = deadSetupLink()
	}
	return err
}

func deadSetupLink() error {
	return admitto.Refuse(admitto.NotFound, "", "setup-link-dead", message.Of("setup-link-dead"))
}

// SetUp makes the first administrator, a Superuser, saves the settings, names institution 1 and returns who may be
// signed in. All faults are told at once; settings by their name. The link is used up only when all is right.
func (s *Service) SetUp(ctx context.Context, token string, in Setup) (administrator int64, err error) {
	if err := s.SetupOpen(ctx, token); err != nil {
		return 0, err
	}
	hash, refused := s.people.CheckFirst(ctx, in.Name, in.Email, in.Password)
	if refused != nil && admitto.KindOf(refused) != admitto.InvalidParameter {
		return 0, refused
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockStaffAddresses(); err != nil { // one set-up after the other
			return err
		}
		if err := setupOpen(tx, token); err != nil {
			return err
		}
		saved, err := savedSettings(tx, s.key)
		if err != nil {
			return err
		}
		before := maps.Clone(saved)
		faults := faultsOf(refused)
		for _, name := range SetupSettings() {
			value, typed := in.Settings[name]
			if v, _ := s.core.Settings().Value(name); !typed || value == "" || v.Outside {
				continue
			}
			next, err := s.core.Settings().Save(saved, name, &value)
			if err != nil {
				found := faultsOf(refusedSetting(err))
				if found == nil {
					return err
				}
				faults = append(faults, found...)
				continue
			}
			saved = next
		}
		if len(faults) > 0 {
			return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
		}
		if in.Check {
			return nil
		}
		if works, err := tx.UseSetupToken(seal.TokenHash(token)); err != nil || !works {
			if err == nil {
				err = deadSetupLink()
			}
			return err
		}
		if administrator, err = s.people.FirstAdministrator(tx, in.Name, in.Email, hash); err != nil {
			return err
		}
		by := admitto.Actor{Kind: admitto.ByAdministrator, ID: administrator}
		for _, name := range SetupSettings() {
			value, there := saved[name]
			if was, before := before[name]; there && (!before || was != value) {
				if err := tx.SaveSetting(name, sealSetting(s.key, name, value), by); err != nil {
					return err
				}
			}
		}
		name := s.core.Settings().Instance.Name
		if typed := saved["instance.name"]; typed != "" {
			name = typed
		}
		tx.Record(by, admitto.Event{Pattern: admitto.InstanceSetUp})
		return tx.NameInstitution(1, name)
	})
	if err != nil || in.Check {
		return 0, err
	}
	return administrator, s.refreshSettings(ctx)
}

// faultsOf returns the faults of a refusal, nil when it is none.
func faultsOf(err error) []admitto.Fault {
	if e, ok := errors.AsType[*admitto.Error](err); ok {
		return e.Faults
	}
	return nil
}

// TrySetupMail asks a mail server, before there is an administrator, whether it would take mails, and returns what it
// said when it would not; "" when it would. The link stays as it is.
func (s *Service) TrySetupMail(ctx context.Context, token, smtp string) (words string, err error) {
	if err := s.SetupOpen(ctx, token); err != nil {
		return "", err
	}
	return s.testMail(ctx, smtp)
}

// TryMail asks a mail server, without one that of mail.smtp, whether it would take mails, and returns what it said when
// it would not.
func (s *Service) TryMail(ctx context.Context, by admitto.Caller, smtp string) (words string, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return "", err
	}
	return s.testMail(ctx, s.core.Settings().MailServer(smtp))
}

// testMail is tryMail, and keeps that the server took the test.
func (s *Service) testMail(ctx context.Context, smtp string) (words string, err error) {
	if words = s.tryMail(ctx, smtp); words == "" {
		err = s.noteTested(ctx, smtp)
	}
	return words, err
}

func (s *Service) tryMail(ctx context.Context, smtp string) (words string) {
	if smtp == "" {
		return "" // mails are written to files
	}
	timeout := s.core.Settings().Mail.SyncTimeout
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	mailer, err := mail.Open(mail.Settings{SMTP: smtp, Timeout: timeout})
	if err != nil {
		return err.Error()
	}
	defer mailer.Close()
	trial, ok := mailer.(mail.Trial)
	if !ok {
		return ""
	}
	err = trial.Try(ctx)
	var refused *mail.Refusal
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refused):
		return refused.Words()
	}
	return err.Error()
}
