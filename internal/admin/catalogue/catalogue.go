// Package catalogue has the pages with which staff keep what can be applied for: institutions and departments, courses,
// intakes, terms and years (screens.md A37, A38, A40, A41).
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
		p.institutions().Routes("/admin/institutions", site.Needs(admitto.InstitutionsEdit)),
		p.departmentRoutes(site.Needs(admitto.InstitutionsEdit)),
		p.courseRoutes(site.Needs(admitto.CoursesEdit)),
		p.intakeRoutes(site.Needs(admitto.IntakesEdit)),
		p.termRoutes(site.Needs(admitto.AcademicTermsEdit)),
	)
}

// codes are the values of a class, with none at first.
func (p *pages) codes(r *site.Request, class string, list []admitto.Classificator) []ui.Option {
	options := []ui.Option{{Text: r.T("value.none")}}
	for i := range list {
		if list[i].Class != class {
			continue
		}
		for _, c := range list[i].Codes {
			options = append(options, ui.Option{Value: c.Code, Text: c.Title})
		}
	}
	return options
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
