package config

import (
	"log/slog"
	"net/mail"
	"net/netip"
	"regexp"
	"strconv"
	"time"
)

// Settings are the values of all settings, checked (cli.md). Nobody changes them after Load. Each field belongs to one
// row of the table below, which has its meaning.
type Settings struct {
	Data    string
	Listen  string
	BaseURL string // empty: from listen

	Instance struct {
		Name     string
		Key      Secret // base64; empty: the file in the data folder
		Timezone *time.Location
		Currency string
		// Languages are those of the portal; what has no text in one is shown in the first.
		Languages []string
	}
	Portal struct {
		ContactEmail, ContactPhone              string // empty: mail.from; none
		ContactHours, ContactAddress            Texts
		Help, Privacy, Declarations, Assessment Texts
		Accent                                  Accent
		Logo                                    Logo // none: the name
	}
	TLS struct {
		Mode           string // TLSSelfSigned, tlsFiles, tlsACME or tlsProxy
		Cert, Key      string // paths
		Domains        []string
		Email          string // or empty
		Directory      string // of the ACME server
		Roots          string // path, or empty
		TrustedProxies []netip.Prefix
	}
	Database struct {
		URL     Secret // sqlite:… (see SQLitePath) or postgres://…
		Replica Secret // postgres://… or empty
		Lag     time.Duration
		Migrate bool
	}
	Files struct{ URL string } // empty: a folder in the data folder
	Mail  struct {
		SMTP        Secret // smtp://…, smtps://… or empty: outbox folder
		From        *mail.Address
		ReplyTo     *mail.Address // nil: From
		SyncTimeout time.Duration
		Workers     int
	}
	API struct {
		Enabled                       bool
		DefaultVersion, OldestVersion int
		AuthSchemes                   []string
		MaxLimit, MaxLimitExpand      int
	}
	Quota      struct{ PerMinute, PerHour int } // 0: none
	Documents  struct{ MaxBytes int64 }
	PDF        struct{ Fonts []string } // paths
	Applicants struct {
		// Whole-string: they match only from beginning to end.
		ReferencePattern, MatriculationPattern *regexp.Regexp
	}
	Applications struct {
		MaxCourses          int
		ReopenUntilDeadline bool // the applicant may reopen a submission until the deadline (lifecycle.md T8)
	}
	Invoices      struct{ PaymentDays int }
	Matriculation struct{ Format string } // empty: numbers are typed
	Rules         struct {
		AutoDecline string // RuleOff or RulePreview
		InactiveMode, DraftReminderMode, ReopenedReminderMode, DecisionReminderMode,
		InvoiceReminderMode, TaskReminderMode, LapseMode,
		ExpiryMode, ErasureMode, UnconfirmedMode string // RuleOff, RulePreview or RuleAutomatic

		InactiveAfterDays          int
		DraftReminderBeforeDays    int
		ReminderHour               ClockTime
		ReopenedReminderAfterDays  int
		ReopenedReminderEveryDays  int
		ReopenedReminderMax        int
		DecisionReminderEveryDays  int
		DecisionReminderMaxDays    int
		DecisionReminderBeforeDays int
		InvoiceReminderBeforeDays  int
		UnconfirmedAfterDays       int
	}
	Offers struct{ DecisionBufferHours, DecisionDaysDefault, DecisionDaysMin int }
	Signin struct {
		WelcomeLinkDays, LinkMinutes, RegisterPerHour int
		SecondFactor                                  string // SecondFactorOptional or SecondFactorRequired
	}
	Session    struct{ ApplicantHours, AdminHours int }
	Withdrawal struct{ UndoMinutes int }
	Batch      struct {
		UndoDays, SecondPersonOver, WaveSize, WavePauseSeconds int
	}
	Deletion struct {
		RunAt    ClockTime
		MinHours int
	}
	Memory      struct{ Answers int64 }         // bytes
	Connections struct{ Total, PerAddress int } // 0: no bound
	Metrics     struct{ Listen string }         // empty: none
	Log         struct {
		Level  slog.Level
		Format string // "text", "json" or empty: by the terminal
	}

	// Values has every setting as text with its origin, in the order of the table.
	Values []Value
	// Strange has a sentence for each name in the environment that looks like a setting and is none.
	Strange []string

	again func(saved map[string]string) (*Settings, error) // makes them with other values in the database
}

// Table lists all settings, the one place that names them. It is a function so that nobody can change it.
func Table() []Setting {
	return []Setting{
		{Name: "data", Default: "./admitto-data", StartOnly: true,
			Means: "Folder for database, files and certificate.",
			kind:  line(func(s *Settings) *string { return &s.Data }, 1, 4096)},
		{Name: "listen", Default: "127.0.0.1:8443", StartOnly: true,
			Means: "Address of the HTTPS port; port 0 picks a free one and prints it.",
			kind:  address(func(s *Settings) *string { return &s.Listen }, false)},
		{Name: "base_url", DefaultMeans: "from listen", StartOnly: true,
			Means: "The public address, for mails and pages.",
			kind:  baseURL(func(s *Settings) *string { return &s.BaseURL })},

		{Name: "instance.name", Default: "Admitto",
			Label: "Name of the institution",
			Means: "Name of the institution, on pages and in mails.",
			kind:  line(func(s *Settings) *string { return &s.Instance.Name }, 1, 100)},
		{Name: "instance.timezone", Default: "UTC",
			Label: "Time zone",
			Means: "Time zone in which days begin and end.",
			kind:  timezone(func(s *Settings) **time.Location { return &s.Instance.Timezone })},
		{Name: "instance.currency", Default: "EUR",
			Label: "Currency of new fees",
			Means: "Currency of new fees.",
			kind:  currency(func(s *Settings) *string { return &s.Instance.Currency })},
		{Name: "instance.languages", Default: "en",
			Label: "Languages of the portal",
			Means: "Languages of the portal and of the texts that applicants read; the first is the default.",
			kind:  languages(func(s *Settings) *[]string { return &s.Instance.Languages })},
		{Name: "instance.key", Secret: true, StartOnly: true,
			DefaultMeans: "file instance.key in the data folder, made at first start",
			Means:        "Seals every secret that must stay readable; the same on all service instances. While it is being changed, the former one and the new one, each on a line.",
			kind:         instanceKeyKind(func(s *Settings) *Secret { return &s.Instance.Key })},

		{Name: LogoSetting,
			Label: "Logo",
			Means: "Picture at the top of the portal in the place of the name, uploaded on the page of general settings.",
			kind:  logo(func(s *Settings) *Logo { return &s.Portal.Logo })},
		{Name: "portal.accent",
			Label: "Accent colour",
			Means: "Colour of links and primary buttons in the portal. Empty: that of the product.",
			kind:  accent(func(s *Settings) *Accent { return &s.Portal.Accent })},
		{Name: "portal.contact_email", DefaultMeans: "from mail.from",
			Label: "E-mail for questions",
			Means: "Where applicants write to.",
			kind:  contact(func(s *Settings) *string { return &s.Portal.ContactEmail })},
		{Name: "portal.contact_phone",
			Label: "Telephone",
			Means: "Where applicants call.",
			kind:  phone(func(s *Settings) *string { return &s.Portal.ContactPhone })},
		{Name: "portal.contact_hours",
			Label: "Hours",
			Means: "When somebody answers.",
			kind:  texts(func(s *Settings) *Texts { return &s.Portal.ContactHours })},
		{Name: "portal.contact_address",
			Label: "Address",
			Means: "Where the institution is.",
			kind:  texts(func(s *Settings) *Texts { return &s.Portal.ContactAddress })},
		{Name: "portal.help",
			Label: "Help",
			Means: "What /help says of the institution's own.",
			kind:  texts(func(s *Settings) *Texts { return &s.Portal.Help })},
		{Name: "portal.privacy",
			Label: "Data protection",
			Means: "What /privacy says of the institution's own.",
			kind:  texts(func(s *Settings) *Texts { return &s.Portal.Privacy })},
		{Name: "portal.assessment",
			Label: "How decisions are made and reviewed",
			Means: "How decisions about applications are made, and how to have one reviewed.",
			kind:  texts(func(s *Settings) *Texts { return &s.Portal.Assessment })},
		{Name: "portal.declarations", Default: "What I have written is true and complete.",
			Label: "Declarations on submission",
			Means: "What applicants declare when they submit, one declaration in each paragraph.",
			kind:  texts(func(s *Settings) *Texts { return &s.Portal.Declarations })},

		{Name: "tls.mode", Default: TLSSelfSigned, StartOnly: true,
			Means: "Where the certificate comes from, or that a proxy before the service has it.",
			kind:  tlsMode(func(s *Settings) *string { return &s.TLS.Mode })},
		{Name: "tls.cert", StartOnly: true,
			Means: "Certificate chain in PEM, for tls.mode files; reloaded when it changes.",
			kind:  line(func(s *Settings) *string { return &s.TLS.Cert }, 0, 4096)},
		{Name: "tls.key", StartOnly: true,
			Means: "Path of the certificate's private key in PEM, for tls.mode files.",
			kind:  line(func(s *Settings) *string { return &s.TLS.Key }, 0, 4096)},
		{Name: "tls.domains", StartOnly: true,
			Means: "Host names for automatic certificates (tls.mode acme), with commas between them.",
			kind:  domains(func(s *Settings) *[]string { return &s.TLS.Domains })},
		{Name: "tls.email", StartOnly: true,
			Means: "Where the certificate authority writes to, for tls.mode acme; may be left out.",
			kind:  contact(func(s *Settings) *string { return &s.TLS.Email })},
		{Name: "tls.acme_directory", Default: "https://acme-v02.api.letsencrypt.org/directory", StartOnly: true,
			Means: "Directory of the certificate authority for tls.mode acme; the default is Let's Encrypt.",
			kind:  httpsURL(func(s *Settings) *string { return &s.TLS.Directory })},
		{Name: "tls.acme_roots", StartOnly: true,
			Means: "Path of the certificates in PEM that the directory's own certificate is checked with. " +
				"Empty: those of the system.",
			kind: line(func(s *Settings) *string { return &s.TLS.Roots }, 0, 4096)},
		{Name: "tls.trusted_proxies", StartOnly: true,
			Means: "For tls.mode proxy: plain HTTP is accepted from these only, and only with X-Forwarded-Proto: https.",
			kind:  prefixes(func(s *Settings) *[]netip.Prefix { return &s.TLS.TrustedProxies })},

		{Name: "database.url", Default: "sqlite:", DefaultMeans: "sqlite: in the data folder", Secret: true, StartOnly: true,
			Means: "The database.",
			kind:  databaseURL(func(s *Settings) *Secret { return &s.Database.URL })},
		{Name: "database.replica", Secret: true, StartOnly: true,
			Means: "A copy of the PostgreSQL database, for reports, tabledata and the dashboard only.",
			kind:  replicaURL(func(s *Settings) *Secret { return &s.Database.Replica })},
		{Name: "database.replica_lag", Default: "30s", StartOnly: true, Unit: "duration",
			Means: "How far behind the replica may be; when it is more, the database itself is read.",
			kind:  duration(func(s *Settings) *time.Duration { return &s.Database.Lag }, 0, time.Hour, "0s to 1h")},
		{Name: "database.migrate", Default: "true", StartOnly: true,
			Means: "Whether serve brings the database to its schema by itself.",
			kind:  yesNo(func(s *Settings) *bool { return &s.Database.Migrate })},
		{Name: "files.url", DefaultMeans: "a folder in the data folder", StartOnly: true,
			Means: "Where documents lie.",
			kind:  filesURL(func(s *Settings) *string { return &s.Files.URL })},

		{Name: "mail.smtp", Secret: true,
			Label: "Mail server",
			Means: "Mail server. Empty: mail goes as .eml files into outbox/ of the data folder.",
			kind:  smtpURL(func(s *Settings) *Secret { return &s.Mail.SMTP })},
		{Name: "mail.from", Default: "admissions@localhost",
			Label: "Sender of all mail",
			Means: "Sender of all mail.",
			kind:  mailAddress(func(s *Settings) **mail.Address { return &s.Mail.From })},
		{Name: "mail.reply_to", DefaultMeans: "the sender",
			Label: "Where answers go",
			Means: "Where answers to mails go.",
			kind:  answers(func(s *Settings) **mail.Address { return &s.Mail.ReplyTo })},
		{Name: "mail.sync_timeout", Default: "20s", Unit: "duration",
			Label: "Wait for the mail server",
			Means: "How long a request waits for the mail server to take the welcome mail.",
			kind: duration(func(s *Settings) *time.Duration { return &s.Mail.SyncTimeout },
				time.Second, 5*time.Minute, "1s to 5m")},
		{Name: "mail.workers", Default: "4", Unit: "mails", AtRestart: true,
			Label: "Mails that leave at once",
			Means: "How many mails leave at once; those to one recipient always leave one after the other.",
			kind:  whole(func(s *Settings) *int { return &s.Mail.Workers }, 1, MaxMailWorkers)},

		{Name: "api.enabled", Default: "true",
			Label: "API switched on",
			Means: "Off: no API, no menu item.",
			kind:  yesNo(func(s *Settings) *bool { return &s.API.Enabled })},
		{Name: "api.default_version", Default: strconv.Itoa(usualVersion),
			Label: "Version for calls without one",
			Means: "Version that answers below /api/ without a version; not below api.oldest_version.",
			kind:  version(func(s *Settings) *int { return &s.API.DefaultVersion }, true)},
		{Name: "api.oldest_version", Default: strconv.Itoa(OldestVersion),
			Label: "Oldest version that is served",
			Means: "Oldest version that is served.",
			kind:  version(func(s *Settings) *int { return &s.API.OldestVersion }, false)},
		{Name: "api.auth_schemes", Default: "SERVICE",
			Label: "Words before the API key",
			Means: "Words accepted before apikey= in Authorization.",
			kind:  schemes(func(s *Settings) *[]string { return &s.API.AuthSchemes })},
		{Name: "api.max_limit", Default: "16384", Unit: "records",
			Label: "Most records in one answer",
			Means: "Most applicants or applications in one answer.",
			kind:  whole(func(s *Settings) *int { return &s.API.MaxLimit }, 1, 32768)},
		{Name: "api.max_limit_expand", Default: "512", Unit: "records",
			Label: "Most records in one expanded answer",
			Means: "The same with expand.",
			kind:  whole(func(s *Settings) *int { return &s.API.MaxLimitExpand }, 1, 8192)},
		{Name: "quota.per_minute", Default: "180", Unit: "requests",
			Label: "Requests of a key within 60 seconds",
			Means: "Requests of a key in 60 seconds; 0 = no limit.",
			kind:  whole(func(s *Settings) *int { return &s.Quota.PerMinute }, 0, 1_000_000)},
		{Name: "quota.per_hour", Default: "600", Unit: "requests",
			Label: "Requests of a key within 60 minutes",
			Means: "Requests of a key in 60 minutes; 0 = no limit.",
			kind:  whole(func(s *Settings) *int { return &s.Quota.PerHour }, 0, 1_000_000)},

		{Name: "documents.max_bytes", Default: "10485760", Unit: "bytes",
			Label: "Size of the biggest document, in bytes",
			Means: "Size of the biggest document.",
			kind:  whole(func(s *Settings) *int64 { return &s.Documents.MaxBytes }, 1, 1<<30)},
		{Name: "pdf.fonts", StartOnly: true,
			Means: "TrueType fonts for characters in printouts that the built-in fonts do not have, the first that has one; " +
				"paths with commas between them.",
			kind: paths(func(s *Settings) *[]string { return &s.PDF.Fonts })},
		{Name: "applicants.reference_pattern", Default: "[A-Za-z0-9./_-]{1,64}",
			Label: "Form of reference codes",
			Means: "Form of reference codes; the whole code must match.",
			kind:  pattern(func(s *Settings) **regexp.Regexp { return &s.Applicants.ReferencePattern })},
		{Name: "applicants.matriculation_pattern", Default: "[A-Za-z0-9./_-]{1,64}",
			Label: "Form of matriculation numbers that staff type",
			Means: "Form of matriculation numbers; the whole number must match.",
			kind:  pattern(func(s *Settings) **regexp.Regexp { return &s.Applicants.MatriculationPattern })},
		{Name: "applications.max_courses", Default: "10", Unit: "courses",
			Label: "Courses in one application",
			Means: "Courses in one application.",
			kind:  whole(func(s *Settings) *int { return &s.Applications.MaxCourses }, 1, 100)},
		{Name: "applications.reopen_until_deadline", Default: "false",
			Label: "Applicants may reopen what they submitted until the deadline",
			Means: "Applicants may reopen what they submitted until the deadline, before anybody has worked on an offer.",
			kind:  yesNo(func(s *Settings) *bool { return &s.Applications.ReopenUntilDeadline })},
		{Name: "invoices.payment_days", Default: "14", Unit: "days",
			Label: "Days until an invoice is due",
			Means: "Days until an invoice is due.",
			kind:  whole(func(s *Settings) *int { return &s.Invoices.PaymentDays }, 0, 3650)},
		{Name: "matriculation.format",
			Label: "Format of the next matriculation number",
			Means: "Format of the next matriculation number. Empty: staff type it.",
			kind:  numberFormat(func(s *Settings) *string { return &s.Matriculation.Format })},

		{Name: "rules.inactive_after_days", Default: "15", Unit: "days",
			Label: "Days without anything saved",
			Means: "Days without content saved until a draft becomes inactive.",
			kind:  whole(func(s *Settings) *int { return &s.Rules.InactiveAfterDays }, 1, 3650)},
		{Name: "rules.draft_reminder_before_days", Default: "3", Unit: "days",
			Label: "Days before the deadline of the course",
			Means: "Days before the deadline of its course from which on the applicant of a draft is reminded.",
			kind:  whole(func(s *Settings) *int { return &s.Rules.DraftReminderBeforeDays }, 0, 3650)},
		{Name: "rules.reminder_hour", Default: "09:00", Unit: "time of day",
			Label: "Time of day of all reminders",
			Means: "When reminders go out, in instance.timezone.",
			kind:  timeOfDay(func(s *Settings) *ClockTime { return &s.Rules.ReminderHour })},
		{Name: "rules.reopened_reminder_after_days", Default: "3", Unit: "days",
			Label: "Days until the first reminder",
			Means: "Days after reopening until the first reminder.",
			kind:  whole(func(s *Settings) *int { return &s.Rules.ReopenedReminderAfterDays }, 0, 3650)},
		{Name: "rules.reopened_reminder_every_days", Default: "10", Unit: "days",
			Label: "Days between further reminders",
			Means: "Days between reminders of a reopened application.",
			kind:  whole(func(s *Settings) *int { return &s.Rules.ReopenedReminderEveryDays }, 1, 3650)},
		{Name: "rules.reopened_reminder_max", Default: "3", Unit: "reminders",
			Label: "Most reminders",
			Means: "Most reminders of a reopened application; 0 = none.",
			kind:  whole(func(s *Settings) *int { return &s.Rules.ReopenedReminderMax }, 0, 100)},
		{Name: "rules.decision_reminder_every_days", Default: "7", Unit: "days",
			Label: "Days between reminders of an offer",
			Means: "Days between reminders to answer an offer.",
			kind:  whole(func(s *Settings) *int { return &s.Rules.DecisionReminderEveryDays }, 1, 3650)},
		{Name: "rules.decision_reminder_max_days", Default: "60", Unit: "days",
			Label: "Days after which reminders end",
			Means: "Days after which nobody is reminded of an offer any more.",
			kind:  whole(func(s *Settings) *int { return &s.Rules.DecisionReminderMaxDays }, 0, 3650)},
		{Name: "rules.decision_reminder_before_days", Default: "2", Unit: "days",
			Label: "Days before the deadline for the last reminder",
			Means: "Days before the deadline of an offer at which its applicant is reminded.",
			kind:  whole(func(s *Settings) *int { return &s.Rules.DecisionReminderBeforeDays }, 0, 3650)},
		{Name: "rules.invoice_reminder_before_days", Default: "3", Unit: "days",
			Label: "Days before the deadline of an invoice",
			Means: "Days before the deadline of an invoice at which its payer is reminded.",
			kind:  whole(func(s *Settings) *int { return &s.Rules.InvoiceReminderBeforeDays }, 0, 3650)},
		{Name: "rules.unconfirmed_after_days", Default: "30", Unit: "days",
			Label: "Days until an unused registration is erased",
			Means: "Days after which a registration that was never used and holds nothing is erased.",
			kind:  whole(func(s *Settings) *int { return &s.Rules.UnconfirmedAfterDays }, 1, 3650)},
		{Name: "rules.auto_decline", Default: RuleOff,
			Label: "Mode",
			Means: "Whether lists are prepared of the offers that nobody answered by a Required deadline. A person releases each: there is no automatic.",
			kind:  word(func(s *Settings) *string { return &s.Rules.AutoDecline }, "off or preview", RulePreview, RuleOff)},
		ruleMode("inactive", "makes drafts inactive", func(s *Settings) *string { return &s.Rules.InactiveMode }),
		ruleMode("draft_reminder", "reminds of drafts", func(s *Settings) *string { return &s.Rules.DraftReminderMode }),
		ruleMode("reopened_reminder", "reminds of reopened applications",
			func(s *Settings) *string { return &s.Rules.ReopenedReminderMode }),
		ruleMode("decision_reminder", "reminds of offers",
			func(s *Settings) *string { return &s.Rules.DecisionReminderMode }),
		ruleMode("invoice_reminder", "reminds of invoices",
			func(s *Settings) *string { return &s.Rules.InvoiceReminderMode }),
		ruleMode("task_reminder", "reminds of tasks", func(s *Settings) *string { return &s.Rules.TaskReminderMode }),
		ruleMode("lapse", "lets automatic invoices lapse", func(s *Settings) *string { return &s.Rules.LapseMode }),
		ruleMode("expiry", "notes which applications have expired", func(s *Settings) *string { return &s.Rules.ExpiryMode }),
		ruleMode("erasure", "erases deleted applicants", func(s *Settings) *string { return &s.Rules.ErasureMode }),
		ruleMode("unconfirmed", "erases registrations that were never used",
			func(s *Settings) *string { return &s.Rules.UnconfirmedMode }),

		{Name: "offers.decision_days_default", Default: "14", Unit: "days",
			Label: "Days to answer an offer",
			Means: "Days to answer an offer where the intake says nothing.",
			kind:  whole(func(s *Settings) *int { return &s.Offers.DecisionDaysDefault }, 0, 3650)},
		{Name: "offers.decision_days_min", Default: "3", Unit: "days",
			Label: "Days that everybody has to answer",
			Means: "Days that everybody has to answer an offer.",
			kind:  whole(func(s *Settings) *int { return &s.Offers.DecisionDaysMin }, 0, 3650)},
		{Name: "offers.decision_buffer_hours", Default: "24", Unit: "hours",
			Label: "Hours of grace after the deadline of an offer",
			Means: "Hours after the deadline in which an answer is still taken; not advertised.",
			kind:  whole(func(s *Settings) *int { return &s.Offers.DecisionBufferHours }, 0, 8760)},
		{Name: "signin.welcome_link_days", Default: "14", Unit: "days",
			Label: "Days that the link of the welcome mail works",
			Means: "Days that the link of the welcome mail works.",
			kind:  whole(func(s *Settings) *int { return &s.Signin.WelcomeLinkDays }, 1, 365)},
		{Name: "signin.second_factor", Default: SecondFactorOptional,
			Label: "Second factor of staff",
			Means: "Whether administrators need a second factor; who has none sets it up at the next sign-in.",
			kind: word(func(s *Settings) *string { return &s.Signin.SecondFactor }, "optional or required",
				SecondFactorOptional, SecondFactorRequired)},
		{Name: "signin.link_minutes", Default: "30", Unit: "minutes",
			Label: "Minutes that a link to sign in works",
			Means: "Minutes that a link to sign in works.",
			kind:  whole(func(s *Settings) *int { return &s.Signin.LinkMinutes }, 1, 1440)},
		{Name: "signin.register_per_hour", Default: "20", Unit: "registrations",
			Label: "Registrations from one address within 60 minutes",
			Means: "Registrations within 60 minutes from one IPv4 address or IPv6 /64.",
			kind:  whole(func(s *Settings) *int { return &s.Signin.RegisterPerHour }, 1, 1_000_000)},
		{Name: "session.applicant_hours", Default: "12", Unit: "hours",
			Label: "Hours until applicants are signed out",
			Means: "Hours without use after which an applicant is signed out.",
			kind:  whole(func(s *Settings) *int { return &s.Session.ApplicantHours }, 1, 720)},
		{Name: "session.admin_hours", Default: "8", Unit: "hours",
			Label: "Hours until staff are signed out",
			Means: "Hours without use after which an administrator is signed out; after 24 hours in any case.",
			kind:  whole(func(s *Settings) *int { return &s.Session.AdminHours }, 1, 24)},
		{Name: "withdrawal.undo_minutes", Default: "15", Unit: "minutes",
			Label: "Minutes to take a withdrawal back",
			Means: "Minutes in which an applicant can take a withdrawal back.",
			kind:  whole(func(s *Settings) *int { return &s.Withdrawal.UndoMinutes }, 0, 525_600)},
		{Name: "batch.undo_days", Default: "30", Unit: "days",
			Label: "Days in which a batch or an import of leads can be undone",
			Means: "Days in which a batch or an import of leads can be undone.",
			kind:  whole(func(s *Settings) *int { return &s.Batch.UndoDays }, 0, 3650)},
		{Name: "batch.second_person_over", Default: "50", Unit: "records",
			Label: "Records above which a second person releases a batch",
			Means: "Batches with more records that reach applicants are released by a second person.",
			kind:  whole(func(s *Settings) *int { return &s.Batch.SecondPersonOver }, 0, 1_000_000)},
		{Name: "batch.wave_size", Default: "200", Unit: "records",
			Label: "Records of one wave of a batch",
			Means: "Records of a batch that reaches applicants between two pauses.",
			kind:  whole(func(s *Settings) *int { return &s.Batch.WaveSize }, 1, 1_000_000)},
		{Name: "batch.wave_pause_seconds", Default: "60", Unit: "seconds",
			Label: "Seconds between two waves of a batch",
			Means: "Seconds of a pause between two waves of a batch. 0 = none.",
			kind:  whole(func(s *Settings) *int { return &s.Batch.WavePauseSeconds }, 0, 86_400)},
		{Name: "deletion.run_at", Default: "02:00", Unit: "time of day",
			Label: "Time of day at which deleted applicants are erased",
			Means: "When deleted applicants are erased, in instance.timezone.",
			kind:  timeOfDay(func(s *Settings) *ClockTime { return &s.Deletion.RunAt })},
		{Name: "deletion.min_hours", Default: "12", Unit: "hours",
			Label: "Hours until a deleted applicant may be erased",
			Means: "Hours that a deleted applicant can at least be restored.",
			kind:  whole(func(s *Settings) *int { return &s.Deletion.MinHours }, 0, 8760)},

		{Name: "memory.answers", Default: "33554432", StartOnly: true, Unit: "bytes",
			Means: "Bytes of big answers in flight, of all requests together, a quarter of it for one key; later ones wait.",
			kind:  whole(func(s *Settings) *int64 { return &s.Memory.Answers }, 1<<20, 1<<40)},
		{Name: "connections.total", Default: "10000", StartOnly: true, Unit: "connections",
			Means: "Open connections; further ones are closed at once. 0 = no limit.",
			kind:  whole(func(s *Settings) *int { return &s.Connections.Total }, 0, 1_000_000)},
		{Name: "connections.per_address", Default: "4096", StartOnly: true, Unit: "connections",
			Means: "Open connections of one IPv4 address or IPv6 /64, trusted proxies excepted; " +
				"further ones are closed at once. 0 = no limit.",
			kind: whole(func(s *Settings) *int { return &s.Connections.PerAddress }, 0, 1_000_000)},
		{Name: "metrics.listen", StartOnly: true,
			Means: "Own port for /metrics and /debug/pprof; never the public one.",
			kind:  address(func(s *Settings) *string { return &s.Metrics.Listen }, true)},
		{Name: "log.level", Default: "info", StartOnly: true,
			Means: "The least that is logged.",
			kind:  logLevel(func(s *Settings) *slog.Level { return &s.Log.Level })},
		{Name: "log.format", DefaultMeans: "text on a terminal, else json", StartOnly: true,
			Means: "Form of the log.",
			kind:  word(func(s *Settings) *string { return &s.Log.Format }, "text, json or empty", "text", "json", "")},
	}
}
