package admitto

import "math/bits"

// Permission is one thing that a caller may do (lifecycle.md 12.1). Permissions do not imply one another.
type Permission uint8

// The permissions, in the order of the table of lifecycle.md 12.1. The zero Permission is none of them.
const (
	ApplicantsView   Permission = iota + 1 // applicant list and card
	ApplicantsEdit                         // edit, add, notes, photo, reference, block
	ApplicantsDelete                       // delete to recovery
	ApplicantsImport                       // lead import
	TrackersEdit                           // trackers and assignments
	ApplicationsView                       // applications, documents, history; take or give back as officer
	// edit data, start, add courses, submit for, reopen, withdraw on request, extend, set any officer
	ApplicationsEdit
	ApplicationsSensitive // see misc.medical, misc.needs, misc.background
	ApplicationsFreeze    // freeze, unfreeze
	ApplicationsClose     // close
	ApplicationsRevert    // undo withdrawal and closing, override grace
	FlagsEdit             // create, set, remove flags
	TasksEdit             // tasks of applications
	OffersView            // offers, rankings (read)
	OffersEdit            // working copy, decision, extra score, notes
	OffersConfirm         // confirm and send
	OffersBulk            // rankings, prepare bulk offers
	BatchesRelease        // release batches of others
	MatriculationEdit     // matriculation number
	MessagesSend          // write e-mails to applicants
	ScorersEdit           // scoresheets, criteria
	ApplicationsScore     // enter points
	ScoresImport          // score files
	AccountingView        // invoices, transactions
	AccountingEdit        // issue, collect, reverse, waive, delete, series, fees
	InstitutionsEdit      // institutions, departments
	CoursesEdit           // courses, form settings
	IntakesEdit           // intakes, deadlines
	AcademicTermsEdit     // years, terms, grace
	OfferTypesEdit        // offer types, reasons
	TaskClassesEdit       // task templates
	RulesEdit             // automation rules (S2)
	TemplatesEdit         // e-mail templates, consents
	TableviewsUse         // build and share, within what one may view
	ReportsView           // reports, dashboard numbers
	JournalView           // journal, access log
	JournalEdit           // webhooks: replay, rewind
	APIAdmin              // API keys, webhooks
	DataProtection        // requests, exports, recovery, purge
	AdministratorsEdit    // administrators, roles
	InstanceAdmin         // settings, time rules, system health
)

// permissionCodes are the codes of the permissions, by their number.
var permissionCodes = [...]string{
	ApplicantsView:        "applicants-view",
	ApplicantsEdit:        "applicants-edit",
	ApplicantsDelete:      "applicants-delete",
	ApplicantsImport:      "import-applicants",
	TrackersEdit:          "trackers",
	ApplicationsView:      "applications-view",
	ApplicationsEdit:      "applications-edit",
	ApplicationsSensitive: "applications-sensitive",
	ApplicationsFreeze:    "applications-freeze",
	ApplicationsClose:     "applications-close",
	ApplicationsRevert:    "applications-revert",
	FlagsEdit:             "flags",
	TasksEdit:             "tasks-edit",
	OffersView:            "offers-view",
	OffersEdit:            "offers-edit",
	OffersConfirm:         "offers-confirm",
	OffersBulk:            "offers-bulk",
	BatchesRelease:        "release",
	MatriculationEdit:     "matriculate",
	MessagesSend:          "messages",
	ScorersEdit:           "scorers",
	ApplicationsScore:     "applications-score",
	ScoresImport:          "import-scores",
	AccountingView:        "accounting-view",
	AccountingEdit:        "accounting-edit",
	InstitutionsEdit:      "institutions",
	CoursesEdit:           "courses",
	IntakesEdit:           "intakes",
	AcademicTermsEdit:     "academic-terms",
	OfferTypesEdit:        "offer-types",
	TaskClassesEdit:       "task-classes",
	RulesEdit:             "rules",
	TemplatesEdit:         "templates",
	TableviewsUse:         "tableviews",
	ReportsView:           "reports",
	JournalView:           "journal-view",
	JournalEdit:           "journal-edit",
	APIAdmin:              "api",
	DataProtection:        "data-protection",
	AdministratorsEdit:    "administrator",
	InstanceAdmin:         "instance",
}

// String is the code of the permission, as in lifecycle.md 12.1.
func (p Permission) String() string {
	if p == 0 || int(p) >= len(permissionCodes) {
		return "unknown-permission"
	}
	return permissionCodes[p]
}

// ParsePermission finds the permission of a code.
func ParsePermission(code string) (p Permission, ok bool) {
	for i, c := range permissionCodes {
		if c == code && i > 0 {
			return Permission(i), true
		}
	}
	return 0, false
}

// Permissions is a set of permissions; the zero value is empty.
type Permissions uint64

// PermissionsOf is the set of the permissions.
func PermissionsOf(list ...Permission) Permissions { return Permissions(0).With(list...) }

// AllPermissions is the set of every permission there is.
func AllPermissions() Permissions { return 1<<len(permissionCodes) - 1<<1 }

// Has reports whether p is in the set.
func (s Permissions) Has(p Permission) bool { return p != 0 && s&(1<<p) != 0 }

// HasAll reports whether all of other are in the set.
func (s Permissions) HasAll(other Permissions) bool { return s&other == other }

// With is the set with the permissions of the list added.
func (s Permissions) With(list ...Permission) Permissions {
	for _, p := range list {
		s |= 1 << p
	}
	return s
}

// Without is the set without the permissions of the list.
func (s Permissions) Without(list ...Permission) Permissions { return s &^ PermissionsOf(list...) }

// Union is the set of the permissions that are in either.
func (s Permissions) Union(other Permissions) Permissions { return s | other }

// Len is the number of permissions in the set.
func (s Permissions) Len() int { return bits.OnesCount64(uint64(s)) }

// List is the permissions in the order of the table.
func (s Permissions) List() []Permission {
	list := make([]Permission, 0, s.Len())
	for ; s != 0; s &= s - 1 {
		list = append(list, Permission(bits.TrailingZeros64(uint64(s))))
	}
	return list
}

// Role is a set of permissions with a name (lifecycle.md 12.1). What several roles of an administrator allow adds up.
type Role struct {
	ID          int64 // built-in roles: 1 to 8; custom ones begin at 101
	Name        string
	Code        string // of built-in roles
	Permissions Permissions
}

// builtInRoles is the matrix of lifecycle.md 12.1, one row a role; they cannot be edited or deleted.
var builtInRoles = [...]Role{
	{1, "Superuser", "SU", AllPermissions()},
	{2, "Admissions administrator", "AA", PermissionsOf(
		ApplicantsView, ApplicantsEdit, ApplicantsDelete, ApplicantsImport, TrackersEdit, ApplicationsView,
		ApplicationsEdit, ApplicationsSensitive, ApplicationsFreeze, ApplicationsClose, ApplicationsRevert,
		FlagsEdit, TasksEdit, OffersView, OffersEdit, OffersConfirm, OffersBulk, BatchesRelease,
		MatriculationEdit, MessagesSend, ScorersEdit, ApplicationsScore, ScoresImport, AccountingView,
		InstitutionsEdit, CoursesEdit, IntakesEdit, AcademicTermsEdit, OfferTypesEdit, TaskClassesEdit,
		RulesEdit, TemplatesEdit, TableviewsUse, ReportsView, JournalView, DataProtection)},
	{3, "Academic supervisor", "AS", PermissionsOf(
		ApplicantsView, ApplicationsView, FlagsEdit, TasksEdit, OffersView, OffersEdit, OffersBulk,
		MessagesSend, ScorersEdit, ApplicationsScore, ScoresImport, TableviewsUse, ReportsView)},
	{4, "Academic consultant", "AC", PermissionsOf(
		ApplicantsView, ApplicationsView, FlagsEdit, TasksEdit, OffersView, ApplicationsScore, TableviewsUse,
		ReportsView)},
	{5, "Marketing administrator", "MA", PermissionsOf(
		ApplicantsView, ApplicantsImport, TrackersEdit, MessagesSend, TemplatesEdit, TableviewsUse, ReportsView)},
	{6, "Content administrator", "CA", PermissionsOf(
		InstitutionsEdit, CoursesEdit, TemplatesEdit)},
	{7, "Courses administrator", "CO", PermissionsOf(
		InstitutionsEdit, CoursesEdit, IntakesEdit, AcademicTermsEdit, TableviewsUse, ReportsView)},
	{8, "Accountant", "AT", PermissionsOf(
		ApplicantsView, AccountingView, AccountingEdit, TableviewsUse, ReportsView)},
}

// BuiltInRoles lists the built-in roles by ID.
func BuiltInRoles() []Role { return append([]Role{}, builtInRoles[:]...) }

// BuiltInRole is the built-in role with the ID.
func BuiltInRole(id int64) (r Role, ok bool) {
	if id < 1 || id > int64(len(builtInRoles)) {
		return Role{}, false
	}
	return builtInRoles[id-1], true
}
