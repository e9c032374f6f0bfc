package main

import (
	"log/slog"
	"net/mail"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/api"
	mailer "github.com/admitto/admitto/internal/mail"
)

// Settings are the values of all settings, checked (cli.md). Each field belongs to one row of the table
// below, which has its meaning.
type Settings struct {
	Data    string
	Listen  string
	BaseURL string // empty: from listen

	Instance struct {
		Name     string
		Key      Secret // base64; empty: the file in the data folder (folder.instanceKey)
		Timezone *time.Location
		Currency string
	}
	TLS struct {
		Mode           string // tlsSelfSigned, tlsFiles, tlsACME or tlsProxy
		Cert, Key      string // paths
		Domains        []string
		Email          string // or empty
		Directory      string // of the ACME server
		Roots          string // path, or empty
		TrustedProxies []netip.Prefix
	}
	Database struct {
		URL     Secret // sqlite:… (see sqlitePath) or postgres://…
		Replica Secret // postgres://… or empty
		Lag     time.Duration
		Migrate bool
	}
	Files struct{ URL string } // empty: a folder in the data folder
	Mail  struct {
		SMTP         Secret // smtp://…, smtps://… or empty: outbox folder
		From         *mail.Address
		SyncTimeout  time.Duration
		Workers      int
		TrackOpening bool
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
	Applications  struct{ MaxCourses int }
	Invoices      struct{ PaymentDays int }
	Exports       struct{ KeepDays int }
	Matriculation struct{ Format string } // empty: numbers are typed
	Retention     struct{ Years int }     // 0: nothing is proposed for purging
	Rules         struct {
		InactiveAfterDays          int
		DraftReminderBeforeDays    int
		ReminderHour               clockTime
		ReopenedReminderAfterDays  int
		ReopenedReminderEveryDays  int
		ReopenedReminderMax        int
		DecisionReminderEveryDays  int
		DecisionReminderMaxDays    int
		DecisionReminderBeforeDays int
		InvoiceReminderBeforeDays  int
		AutoDecline                bool
	}
	Offers     struct{ DecisionBufferHours, DecisionDaysDefault, DecisionDaysMin int }
	Signin     struct{ WelcomeLinkDays, LinkMinutes, RegisterPerHour int }
	Session    struct{ ApplicantHours, AdminHours int } // idle
	Withdrawal struct{ UndoMinutes int }
	Deletion   struct {
		RunAt    clockTime
		MinHours int
	}
	Batch       struct{ UndoDays, SecondPersonOver, WaveSize, WavePauseSeconds int }
	Memory      struct{ Answers int64 }         // bytes
	Connections struct{ Total, PerAddress int } // 0: no bound
	Metrics     struct{ Listen string }         // empty: none
	Log         struct {
		Level  slog.Level
		Format string // "text", "json" or empty: by the terminal
	}

	// Strange has a sentence for each name in the environment that looks like a setting and is none.
	Strange []string
	// Values has every setting as text with its origin, in the order of the table: for `admitto config`
	// and for the page of settings.
	Values []Value
}

// Value is one setting as a person reads it.
type Value struct {
	Name, Text, Origin, Default string
	Secret                      bool // Text is then "(set)" or empty
	Outside                     bool // given by flag, environment or file, so it cannot be changed in the interface
}

// The modes of tls.mode that this release offers.
const (
	tlsSelfSigned = "self-signed"
	tlsFiles      = "files"
	tlsACME       = "acme"
	tlsProxy      = "proxy"
)

// newestVersion is the newest version of the API, which the word `latest` means; oldestVersion is the oldest that can be served, and
// usualVersion answers requests without a version where nothing else is set.
const (
	newestVersion = api.NewestVersion
	oldestVersion = api.OldestVersion
	usualVersion  = max(3, oldestVersion)
)

// setting is one row of the table.
type setting struct {
	name      string
	def       string // parsed like a given value
	means     string // a sentence or two, for --help
	defMeans  string // what the default stands for, if its text does not say it
	kind      kind
	secret    bool // never shown, and also read from a file (…_FILE)
	startOnly bool // needed before or beside the database, so it cannot be saved in the interface
}

// flag is the setting's name on the command line, without its dashes.
func (s setting) flag() string { return strings.ReplaceAll(s.name, "_", "-") }

// env is the setting's name in the environment.
func (s setting) env() string {
	return envPrefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(s.name))
}

// shownDefault is the default as a person reads it.
func (s setting) shownDefault() string {
	switch {
	case s.defMeans != "":
		return s.defMeans
	case s.def == "":
		return "empty"
	}
	return s.def
}

// settings is the table of all settings, the one place that names them. It is a function so that nobody
// can change it.
func settings() []setting {
	return []setting{
		{name: "data", def: "./admitto-data", startOnly: true,
			means: "Folder for database, files and certificate.",
			kind:  line(func(s *Settings) *string { return &s.Data }, 1, 4096)},
		{name: "listen", def: "127.0.0.1:8443", startOnly: true,
			means: "Address of the HTTPS port; port 0 picks a free one and prints it.",
			kind:  address(func(s *Settings) *string { return &s.Listen }, false)},
		{name: "base_url", defMeans: "from listen", startOnly: true,
			means: "The public address, for mails and pages.",
			kind:  baseURL(func(s *Settings) *string { return &s.BaseURL })},

		{name: "instance.name", def: "Admitto", means: "Name of the institution, on pages and in mails.",
			kind: line(func(s *Settings) *string { return &s.Instance.Name }, 1, 100)},
		{name: "instance.timezone", def: "UTC", means: "Time zone in which days begin and end.",
			kind: timezone(func(s *Settings) **time.Location { return &s.Instance.Timezone })},
		{name: "instance.currency", def: "EUR", means: "Currency of new fees.",
			kind: currency(func(s *Settings) *string { return &s.Instance.Currency })},
		{name: "instance.key", secret: true, startOnly: true, defMeans: "file instance.key in the data folder, made at first start",
			means: "Seals every secret that must stay readable; the same on all service instances.",
			kind:  instanceKeyKind(func(s *Settings) *Secret { return &s.Instance.Key })},

		{name: "tls.mode", def: tlsSelfSigned, startOnly: true,
			means: "Where the certificate comes from, or that a proxy before the service has it.",
			kind:  tlsMode(func(s *Settings) *string { return &s.TLS.Mode })},
		{name: "tls.cert", startOnly: true, means: "Certificate chain in PEM, for tls.mode files; reloaded when it changes.",
			kind: line(func(s *Settings) *string { return &s.TLS.Cert }, 0, 4096)},
		{name: "tls.key", startOnly: true, means: "Path of the certificate's private key in PEM, for tls.mode files.",
			kind: line(func(s *Settings) *string { return &s.TLS.Key }, 0, 4096)},
		{name: "tls.domains", startOnly: true, means: "Host names for automatic certificates (tls.mode acme), with commas between them.",
			kind: domains(func(s *Settings) *[]string { return &s.TLS.Domains })},
		{name: "tls.email", startOnly: true, means: "Where the certificate authority writes to, for tls.mode acme; may be left out.",
			kind: contact(func(s *Settings) *string { return &s.TLS.Email })},
		{name: "tls.acme_directory", def: "https://acme-v02.api.letsencrypt.org/directory", startOnly: true,
			means: "Directory of the certificate authority for tls.mode acme; the default is Let's Encrypt.",
			kind:  httpsURL(func(s *Settings) *string { return &s.TLS.Directory })},
		{name: "tls.acme_roots", startOnly: true,
			means: "Path of the certificates in PEM that the directory's own certificate is checked with. Empty: those of the system.",
			kind:  line(func(s *Settings) *string { return &s.TLS.Roots }, 0, 4096)},
		{name: "tls.trusted_proxies", startOnly: true,
			means: "For tls.mode proxy: plain HTTP is accepted from these only, and only with X-Forwarded-Proto: https.",
			kind:  prefixes(func(s *Settings) *[]netip.Prefix { return &s.TLS.TrustedProxies })},

		{name: "database.url", def: "sqlite:", defMeans: "sqlite: in the data folder", secret: true, startOnly: true,
			means: "The database.",
			kind:  databaseURL(func(s *Settings) *Secret { return &s.Database.URL })},
		{name: "database.replica", secret: true, startOnly: true,
			means: "A copy of the PostgreSQL database, for reports, tabledata and the dashboard only.",
			kind:  replicaURL(func(s *Settings) *Secret { return &s.Database.Replica })},
		{name: "database.replica_lag", def: "30s", startOnly: true,
			means: "How far behind the replica may be; when it is more, the database itself is read.",
			kind:  duration(func(s *Settings) *time.Duration { return &s.Database.Lag }, 0, time.Hour, "0s to 1h")},
		{name: "database.migrate", def: "true", startOnly: true,
			means: "Whether serve brings the database to its schema by itself.",
			kind:  yesNo(func(s *Settings) *bool { return &s.Database.Migrate })},
		{name: "files.url", defMeans: "a folder in the data folder", startOnly: true, means: "Where documents lie.",
			kind: filesURL(func(s *Settings) *string { return &s.Files.URL })},

		{name: "mail.smtp", secret: true, means: "Mail server. Empty: mail goes as .eml files into outbox/ of the data folder.",
			kind: smtpURL(func(s *Settings) *Secret { return &s.Mail.SMTP })},
		{name: "mail.from", def: "admissions@localhost", means: "Sender of all mail.",
			kind: mailAddress(func(s *Settings) **mail.Address { return &s.Mail.From })},
		{name: "mail.sync_timeout", def: "20s", means: "How long a request waits for the mail server to take the welcome mail.",
			kind: duration(func(s *Settings) *time.Duration { return &s.Mail.SyncTimeout }, time.Second, 5*time.Minute, "1s to 5m")},
		{name: "mail.workers", def: "4", means: "How many mails leave at once; those to one recipient always leave one after the other.",
			kind: whole(func(s *Settings) *int { return &s.Mail.Workers }, 1, mailer.MaxConnections)},
		{name: "mail.track_opening", def: "false", means: "Whether it is recorded that a mail was opened.",
			kind: yesNo(func(s *Settings) *bool { return &s.Mail.TrackOpening })},

		{name: "api.enabled", def: "true", means: "Off: no API, no menu item.",
			kind: yesNo(func(s *Settings) *bool { return &s.API.Enabled })},
		{name: "api.default_version", def: strconv.Itoa(usualVersion), means: "Version that answers below /api/ without a version; not below api.oldest_version.",
			kind: version(func(s *Settings) *int { return &s.API.DefaultVersion }, true)},
		{name: "api.oldest_version", def: strconv.Itoa(oldestVersion), means: "Oldest version that is served.",
			kind: version(func(s *Settings) *int { return &s.API.OldestVersion }, false)},
		{name: "api.auth_schemes", def: "SERVICE", means: "Words accepted before apikey= in Authorization.",
			kind: schemes(func(s *Settings) *[]string { return &s.API.AuthSchemes })},
		{name: "api.max_limit", def: "16384", means: "Most applicants or applications in one answer.",
			kind: whole(func(s *Settings) *int { return &s.API.MaxLimit }, 1, 32768)},
		{name: "api.max_limit_expand", def: "512", means: "The same with expand.",
			kind: whole(func(s *Settings) *int { return &s.API.MaxLimitExpand }, 1, 8192)},
		{name: "quota.per_minute", def: "180", means: "Requests of a key in 60 seconds; 0 = no limit.",
			kind: whole(func(s *Settings) *int { return &s.Quota.PerMinute }, 0, 1_000_000)},
		{name: "quota.per_hour", def: "600", means: "Requests of a key in 60 minutes; 0 = no limit.",
			kind: whole(func(s *Settings) *int { return &s.Quota.PerHour }, 0, 1_000_000)},

		{name: "documents.max_bytes", def: "10485760", means: "Size of the biggest document.",
			kind: whole(func(s *Settings) *int64 { return &s.Documents.MaxBytes }, 1, 1<<30)},
		{name: "pdf.fonts", startOnly: true,
			means: "TrueType fonts for characters in printouts that the built-in fonts do not have, the first that has one; paths with commas between them.",
			kind:  paths(func(s *Settings) *[]string { return &s.PDF.Fonts })},
		{name: "applicants.reference_pattern", def: "[A-Za-z0-9./_-]{1,64}", means: "Form of reference codes; the whole code must match.",
			kind: pattern(func(s *Settings) **regexp.Regexp { return &s.Applicants.ReferencePattern })},
		{name: "applicants.matriculation_pattern", def: "[A-Za-z0-9./_-]{1,64}", means: "Form of matriculation numbers; the whole number must match.",
			kind: pattern(func(s *Settings) **regexp.Regexp { return &s.Applicants.MatriculationPattern })},
		{name: "applications.max_courses", def: "10", means: "Courses in one application.",
			kind: whole(func(s *Settings) *int { return &s.Applications.MaxCourses }, 1, 100)},
		{name: "invoices.payment_days", def: "14", means: "Days until an invoice is due.",
			kind: whole(func(s *Settings) *int { return &s.Invoices.PaymentDays }, 0, 3650)},
		{name: "exports.keep_days", def: "180", means: "Days that an export stays.",
			kind: whole(func(s *Settings) *int { return &s.Exports.KeepDays }, 1, 3650)},
		{name: "matriculation.format", means: "Format of the next matriculation number. Empty: staff type it.",
			kind: numberFormat(func(s *Settings) *string { return &s.Matriculation.Format })},
		{name: "retention.years", def: "0", means: "Years after a term's grace date until its applications are proposed for purging; 0 = never.",
			kind: whole(func(s *Settings) *int { return &s.Retention.Years }, 0, 100)},

		{name: "rules.inactive_after_days", def: "15", means: "Days without content saved until a draft becomes inactive.",
			kind: whole(func(s *Settings) *int { return &s.Rules.InactiveAfterDays }, 1, 3650)},
		{name: "rules.draft_reminder_before_days", def: "3", means: "Days before that at which its applicant is reminded.",
			kind: whole(func(s *Settings) *int { return &s.Rules.DraftReminderBeforeDays }, 0, 3650)},
		{name: "rules.reminder_hour", def: "09:00", means: "When reminders go out, in instance.timezone.",
			kind: timeOfDay(func(s *Settings) *clockTime { return &s.Rules.ReminderHour })},
		{name: "rules.reopened_reminder_after_days", def: "3", means: "Days after reopening until the first reminder.",
			kind: whole(func(s *Settings) *int { return &s.Rules.ReopenedReminderAfterDays }, 0, 3650)},
		{name: "rules.reopened_reminder_every_days", def: "10", means: "Days between reminders of a reopened application.",
			kind: whole(func(s *Settings) *int { return &s.Rules.ReopenedReminderEveryDays }, 1, 3650)},
		{name: "rules.reopened_reminder_max", def: "3", means: "Most reminders of a reopened application; 0 = none.",
			kind: whole(func(s *Settings) *int { return &s.Rules.ReopenedReminderMax }, 0, 100)},
		{name: "rules.decision_reminder_every_days", def: "7", means: "Days between reminders to answer an offer.",
			kind: whole(func(s *Settings) *int { return &s.Rules.DecisionReminderEveryDays }, 1, 3650)},
		{name: "rules.decision_reminder_max_days", def: "60", means: "Days after which nobody is reminded of an offer any more.",
			kind: whole(func(s *Settings) *int { return &s.Rules.DecisionReminderMaxDays }, 0, 3650)},
		{name: "rules.decision_reminder_before_days", def: "2", means: "Days before the deadline of an offer at which its applicant is reminded.",
			kind: whole(func(s *Settings) *int { return &s.Rules.DecisionReminderBeforeDays }, 0, 3650)},
		{name: "rules.auto_decline", def: "false", means: "Whether offers not answered in time are declined; switched on, it starts as preview.",
			kind: yesNo(func(s *Settings) *bool { return &s.Rules.AutoDecline })},
		{name: "rules.invoice_reminder_before_days", def: "3", means: "Days before the deadline of an invoice at which its payer is reminded.",
			kind: whole(func(s *Settings) *int { return &s.Rules.InvoiceReminderBeforeDays }, 0, 3650)},

		{name: "offers.decision_days_default", def: "14", means: "Days to answer an offer where the intake says nothing.",
			kind: whole(func(s *Settings) *int { return &s.Offers.DecisionDaysDefault }, 0, 3650)},
		{name: "offers.decision_days_min", def: "3", means: "Days that everybody has to answer an offer.",
			kind: whole(func(s *Settings) *int { return &s.Offers.DecisionDaysMin }, 0, 3650)},
		{name: "offers.decision_buffer_hours", def: "24", means: "Hours after the deadline in which an answer is still taken; not advertised.",
			kind: whole(func(s *Settings) *int { return &s.Offers.DecisionBufferHours }, 0, 8760)},
		{name: "signin.welcome_link_days", def: "14", means: "Days that the link of the welcome mail works.",
			kind: whole(func(s *Settings) *int { return &s.Signin.WelcomeLinkDays }, 1, 365)},
		{name: "signin.link_minutes", def: "30", means: "Minutes that a sign-in link works.",
			kind: whole(func(s *Settings) *int { return &s.Signin.LinkMinutes }, 1, 1440)},
		{name: "signin.register_per_hour", def: "20", means: "Registrations from one network address in an hour.",
			kind: whole(func(s *Settings) *int { return &s.Signin.RegisterPerHour }, 1, 1_000_000)},
		{name: "session.applicant_hours", def: "12", means: "Idle hours until an applicant is signed out.",
			kind: whole(func(s *Settings) *int { return &s.Session.ApplicantHours }, 1, 8760)},
		{name: "session.admin_hours", def: "8", means: "Idle hours until an administrator is signed out; after 24 hours each is.",
			kind: whole(func(s *Settings) *int { return &s.Session.AdminHours }, 1, 24)},
		{name: "withdrawal.undo_minutes", def: "15", means: "Minutes in which an applicant can take a withdrawal back.",
			kind: whole(func(s *Settings) *int { return &s.Withdrawal.UndoMinutes }, 0, 525_600)},
		{name: "deletion.run_at", def: "02:00", means: "When deleted applicants are erased, in instance.timezone.",
			kind: timeOfDay(func(s *Settings) *clockTime { return &s.Deletion.RunAt })},
		{name: "deletion.min_hours", def: "12", means: "Hours that a deleted applicant can at least be restored.",
			kind: whole(func(s *Settings) *int { return &s.Deletion.MinHours }, 0, 8760)},
		{name: "batch.undo_days", def: "30", means: "Days in which a batch can be undone.",
			kind: whole(func(s *Settings) *int { return &s.Batch.UndoDays }, 0, 3650)},
		{name: "batch.second_person_over", def: "50", means: "Batches with more records need a second administrator.",
			kind: whole(func(s *Settings) *int { return &s.Batch.SecondPersonOver }, 0, 1_000_000)},
		{name: "batch.wave_size", def: "200", means: "Records that a batch does at a time.",
			kind: whole(func(s *Settings) *int { return &s.Batch.WaveSize }, 1, 100_000)},
		{name: "batch.wave_pause_seconds", def: "60", means: "Seconds between two waves of a batch.",
			kind: whole(func(s *Settings) *int { return &s.Batch.WavePauseSeconds }, 0, 86_400)},

		{name: "memory.answers", def: "33554432", startOnly: true,
			means: "Bytes of big answers in flight, of all requests together, a quarter of it for one key; later ones wait.",
			kind:  whole(func(s *Settings) *int64 { return &s.Memory.Answers }, 1<<20, 1<<40)},
		{name: "connections.total", def: "10000", startOnly: true, means: "Open connections; further ones are closed at once. 0 = no limit.",
			kind: whole(func(s *Settings) *int { return &s.Connections.Total }, 0, 1_000_000)},
		{name: "connections.per_address", def: "4096", startOnly: true,
			means: "Open connections of one IPv4 address or IPv6 /64, trusted proxies excepted; further ones are closed at once. 0 = no limit.",
			kind:  whole(func(s *Settings) *int { return &s.Connections.PerAddress }, 0, 1_000_000)},
		{name: "metrics.listen", startOnly: true, means: "Own port for /metrics and /debug/pprof; never the public one.",
			kind: address(func(s *Settings) *string { return &s.Metrics.Listen }, true)},
		{name: "log.level", def: "info", startOnly: true, means: "The least that is logged.",
			kind: logLevel(func(s *Settings) *slog.Level { return &s.Log.Level })},
		{name: "log.format", defMeans: "text on a terminal, else json", startOnly: true, means: "Form of the log.",
			kind: word(func(s *Settings) *string { return &s.Log.Format }, "text, json or empty", "text", "json", "")},
	}
}
