package admin

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// permissionGroup is a heading over permissions that belong together.
type permissionGroup struct {
	title string // message
	list  []admitto.Permission
}

// permissionGroups have every permission once.
func permissionGroups() []permissionGroup {
	return []permissionGroup{
		{"permission_group.applicants", []admitto.Permission{admitto.ApplicantsView, admitto.ApplicantsEdit,
			admitto.ApplicantsDelete, admitto.MessagesSend, admitto.TrackersEdit, admitto.ApplicantsImport}},
		{"permission_group.applications", []admitto.Permission{admitto.ApplicationsView, admitto.ApplicationsEdit,
			admitto.ApplicationsSensitive, admitto.ApplicationsFreeze, admitto.ApplicationsClose, admitto.ApplicationsRevert,
			admitto.FlagsEdit, admitto.TasksEdit}},
		{"permission_group.offers", []admitto.Permission{admitto.OffersView, admitto.OffersEdit, admitto.OffersConfirm,
			admitto.OffersBulk, admitto.MatriculationEdit, admitto.OfferTypesEdit}},
		{"permission_group.scoring", []admitto.Permission{admitto.ScorersEdit, admitto.ApplicationsScore,
			admitto.ScoresImport}},
		{"permission_group.catalogue", []admitto.Permission{admitto.InstitutionsEdit, admitto.CoursesEdit,
			admitto.IntakesEdit, admitto.AcademicTermsEdit}},
		{"permission_group.finance", []admitto.Permission{admitto.AccountingView, admitto.AccountingEdit}},
		{"permission_group.automation", []admitto.Permission{admitto.TaskClassesEdit, admitto.RulesEdit,
			admitto.BatchesRelease}},
		{"permission_group.insight", []admitto.Permission{admitto.TableviewsUse, admitto.ReportsView, admitto.JournalView,
			admitto.JournalEdit}},
		{"permission_group.settings", []admitto.Permission{admitto.TemplatesEdit, admitto.APIAdmin,
			admitto.AdministratorsEdit, admitto.DataProtection, admitto.InstanceAdmin}},
	}
}

// useless are permissions that are of little use without another one: to change what one does not see.
func useless() [][2]admitto.Permission {
	return [][2]admitto.Permission{
		{admitto.ApplicantsEdit, admitto.ApplicantsView}, {admitto.ApplicantsDelete, admitto.ApplicantsView},
		{admitto.MessagesSend, admitto.ApplicantsView}, {admitto.ApplicationsEdit, admitto.ApplicationsView},
		{admitto.ApplicationsSensitive, admitto.ApplicationsView}, {admitto.ApplicationsFreeze, admitto.ApplicationsView},
		{admitto.ApplicationsClose, admitto.ApplicationsView}, {admitto.ApplicationsRevert, admitto.ApplicationsView},
		{admitto.FlagsEdit, admitto.ApplicationsView}, {admitto.TasksEdit, admitto.ApplicationsView},
		{admitto.OffersView, admitto.ApplicationsView}, {admitto.OffersEdit, admitto.OffersView},
		{admitto.OffersConfirm, admitto.OffersView}, {admitto.OffersBulk, admitto.OffersView},
		{admitto.MatriculationEdit, admitto.ApplicantsView},
		{admitto.AccountingEdit, admitto.AccountingView}, {admitto.JournalEdit, admitto.JournalView},
	}
}

// warnings say what of a role is of little use.
func warnings(r *site.Request, may admitto.Permissions) (list []string) {
	if may.Len() == 0 {
		return []string{r.T("role.permits_nothing")}
	}
	for _, pair := range useless() {
		if may.Has(pair[0]) && !may.Has(pair[1]) {
			list = append(list, r.T("role.useless", "Permission", permissionName(r, pair[0]), "Needs",
				permissionName(r, pair[1])))
		}
	}
	return list
}

func permissionKey(p admitto.Permission) string { return strings.ReplaceAll(p.String(), "-", "_") }

// permissionName is a permission in a few words, and permissionText in a sentence.
func permissionName(r *site.Request, p admitto.Permission) string {
	return r.T("permission." + permissionKey(p))
}

func permissionText(r *site.Request, p admitto.Permission) string {
	return r.T("permission_text." + permissionKey(p))
}

// roleName is what a role is called: built-in ones in the language of the reader.
func roleName(r *site.Request, role *admitto.Role) string {
	if key := builtInNames()[role.Code]; key != "" {
		return r.T(key)
	}
	return role.Name
}

// builtInNames are the messages that name the built-in roles, by their codes.
func builtInNames() map[string]string {
	return map[string]string{"SU": "role.su", "AA": "role.aa", "AS": "role.as", "AC": "role.ac", "MA": "role.ma",
		"CA": "role.ca", "CO": "role.co", "AT": "role.at"}
}

// roleTags are the roles of somebody.
func roleTags(r *site.Request, roles []admitto.Role) (tags []ui.Tag) {
	for i := range roles {
		tags = append(tags, ui.Tag{Text: roleName(r, &roles[i])})
	}
	return tags
}

// permitted says in words what permissions allow, by their groups.
func permitted(r *site.Request, may admitto.Permissions) (parts []ui.Component) {
	for _, group := range permissionGroups() {
		var facts []ui.KeyValue
		for _, p := range group.list {
			if may.Has(p) {
				facts = append(facts, ui.KeyValue{Key: permissionName(r, p), Value: permissionText(r, p)})
			}
		}
		if len(facts) > 0 {
			parts = append(parts, ui.Heading{Title: r.T(group.title)}, ui.KeyValues{Facts: facts})
		}
	}
	if len(parts) == 0 {
		parts = append(parts, ui.Words{Text: r.T("role.nothing"), Muted: true})
	}
	return parts
}
