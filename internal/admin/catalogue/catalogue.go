// Package catalogue has the pages with which staff keep what can be applied for: institutions and departments, courses,
// intakes, terms and years, and the lists of words (screens.md A37, A38, A40 to A42).
package catalogue

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

type pages struct{ *services.Services }

// Routes are the pages with who may open them.
func Routes(s *services.Services) []site.Route {
	p := &pages{s}
	return slices.Concat(
		p.institutionRoutes(site.Needs(admitto.InstitutionsEdit)),
		p.departmentRoutes(site.Needs(admitto.InstitutionsEdit)),
		p.courseRoutes(site.Needs(admitto.CoursesEdit)),
		p.intakeRoutes(site.Needs(admitto.IntakesEdit)),
		p.termRoutes(site.Needs(admitto.AcademicTermsEdit)),
		p.seasonRoutes(),
		p.listRoutes(site.Needs(admitto.InstanceAdmin)),
	)
}

// codes are the values of a class that a record may have, with none at first. Of those that are off there is the one
// that stands there.
func codes(r *site.Request, class, stored string, list []admitto.Classificator) []ui.Option {
	options := []ui.Option{{Text: r.T("value.none")}}
	for _, c := range codesOf(class, list) {
		if !c.Off || c.Code == stored {
			options = append(options, ui.Option{Value: c.Code, Text: c.Title})
		}
	}
	return options
}

// codesOf are the values of a class, those that are off among them.
func codesOf(class string, list []admitto.Classificator) []admitto.ClassificatorCode {
	for i := range list {
		if list[i].Class == class {
			return list[i].Codes
		}
	}
	return nil
}

// codeTitle is the title of a code.
func codeTitle(codes []admitto.ClassificatorCode, code string) string {
	for _, c := range codes {
		if c.Code == code {
			return c.Title
		}
	}
	return code
}

func titled(options []ui.Option, value string) string {
	if at := slices.IndexFunc(options, func(o ui.Option) bool { return o.Value == value }); at >= 0 && value != "" {
		return options[at].Text
	}
	return value
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// status is the tag of a status that courses and institutions have.
func status(r *site.Request, s string) ui.Tag {
	tag := ui.Tag{Text: r.T("catalogue_status." + s)}
	switch s {
	case "Online":
		tag.Icon, tag.Tone = "check", ui.OK
	case "Private":
		tag.Icon, tag.Tone = "lock", ui.Info
	case "Draft", "Standby", "Template":
		tag.Icon = "pencil"
	default:
		tag.Icon = "ban"
	}
	return tag
}
