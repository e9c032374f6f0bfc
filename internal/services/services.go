// Package services makes the services of an instance from what they work with: the one place that knows all use cases.
package services

import (
	"log/slog"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/automation"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/catalogue"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/leads"
	"github.com/admitto/admitto/internal/mailtexts"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/privacy"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Needs are what the services of an instance work with.
type Needs struct {
	Store   *store.Store  // open and migrated
	Mailer  notify.Mailer // takes mails that leave
	Files   files.Backend // keeps the bytes of files
	Printer *pdf.Printer
	Key     seal.Key // seals secrets and signs receipts
	Live    *config.Live
	Links   func(address string) usecase.Links // of an instance with a base URL
	Paths   apikey.Paths                       // of the API
	// Sentences are those of the use cases in a language, for mails; nil: in English.
	Sentences func(language string) message.Catalogue
	// Words are those of papers and mails in a language, by their group and their English words; nil: in English.
	Words func(language string) func(group, english string) string
	Clock admitto.Clock // nil outside of tests
	Log   *slog.Logger
}

// Services are all use cases of an instance.
type Services struct {
	Accounts    *accounts.Service
	Admissions  *admissions.Service
	Automation  *automation.Service
	Batches     *batch.Service
	Billing     *billing.Service
	Catalogue   *catalogue.Service
	Files       *files.Service
	Leads       *leads.Service
	MailTexts   *mailtexts.Service
	Maintenance *maintenance.Service
	Keys        *apikey.Service
	Notify      *notify.Service
	Privacy     *privacy.Service
	Query       *query.Service
	Reports     *report.Service
	Scoring     *scoring.Service
	Core        *usecase.Core
}

// New makes the services.
func New(n Needs) *Services {
	core := usecase.NewCore(n.Store, n.Live, n.Links, n.Clock)
	s := &Services{Core: core, Catalogue: catalogue.New(core), Scoring: scoring.New(core), Reports: report.New(core)}
	s.Files = files.New(core, n.Files, n.Log)
	s.Query = query.New(core, s.Files, n.Printer, n.Words, n.Log)
	s.Notify = notify.New(core, s.Files, s.Query, n.Mailer, n.Key, n.Sentences, n.Words, n.Log)
	s.Keys = apikey.New(core, s.Notify, n.Store, n.Paths)
	s.Accounts = accounts.New(core, s.Notify, n.Key, apikey.Resume(n.Paths), batch.Needs, n.Log)
	s.Leads = leads.New(core, s.Accounts, n.Log)
	s.Billing = billing.New(core, s.Notify)
	s.Admissions = admissions.New(core, s.Files, n.Printer, n.Key, s.Notify, s.Billing, s.Scoring)
	s.Automation = automation.New(core, s.Notify, s.Billing, s.Admissions)
	s.Batches = batch.New(core, s.Notify, s.Admissions, s.Query, s.Scoring, n.Log)
	s.MailTexts = mailtexts.New(core, s.Notify, s.Admissions, s.Billing, n.Printer)
	s.Privacy = privacy.New(core, s.Automation, s.Files, s.Keys, s.Notify, n.Words, n.Log)
	s.Maintenance = maintenance.New(core, n.Store, n.Live, n.Key, n.Log, s.Notify, s.Keys, s.Files,
		s.Accounts)
	return s
}
