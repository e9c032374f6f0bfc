package admitto

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
