package api

import (
	"strings"
	"unicode"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// newCourseInput is what POST /courses takes (resources.md 15).
type newCourseInput struct {
	Institution params.ObjectID    `name:"institution"`
	Name        params.Line        `name:"name" len:"1-255"`
	AwardAbbr   params.Line        `name:"awards_abbr" len:"1-32"`
	AwardFull   params.Line        `name:"awards_full" len:"1-255"`
	Type        params.Line        `name:"type" len:"1-64"`
	Mode        params.Line        `name:"mode" len:"1-64"`
	Language    languageCode       `name:"language"`
	Country     params.CountryCode `name:"country"`
	Location    params.Line        `name:"location" len:"1-255"`
	Code        courseCode         `name:"code"`
	ProspectURI webAddress         `name:"prospect_uri"`
}

type languageCode string

func (v *languageCode) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := params.Checked(a, text.Language)
	*v = languageCode(s)
	return err
}

func (languageCode) Describe(*params.Place, *params.Field) *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: "^[A-Za-z]{2}$", Description: "ISO 639-1, in any letter case."}
}

// courseCode is the public code of a course: up to 64 characters without white space and comma.
type courseCode string

func (v *courseCode) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := params.Checked(a, func(s string) (string, error) { return text.Line(s, 1, 64) })
	if err == nil && (strings.ContainsFunc(s, unicode.IsSpace) || strings.Contains(s, ",")) {
		err = message.Of("code-separated")
	}
	*v = courseCode(s)
	return err
}

func (courseCode) Describe(*params.Place, *params.Field) *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: `^[^\s,]+$`, MinLength: new(1), MaxLength: new(64)}
}

// webAddress is an absolute http or https address of up to 2048 characters.
type webAddress string

func (v *webAddress) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := params.Checked(a, text.WebAddress)
	if err != nil {
		return err
	}
	*v = webAddress(s)
	return nil
}

func (webAddress) Describe(*params.Place, *params.Field) *schema.Schema {
	return &schema.Schema{Type: "string", Format: "uri", Pattern: "^[Hh][Tt][Tt][Pp][Ss]?://", MaxLength: new(2048)}
}

// createCourse answers POST /courses.
func (a *API) createCourse(c *call) error {
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newCourseInput
	invalid := c.decode(list, &in)
	course := admitto.Course{Institution: int64(in.Institution), Name: string(in.Name), Type: string(in.Type),
		Mode:     string(in.Mode),
		Language: string(in.Language), Country: string(in.Country), Location: string(in.Location), Code: string(in.Code),
		ProspectURI: string(in.ProspectURI)}
	if in.AwardAbbr != "" || in.AwardFull != "" {
		course.Awards = []admitto.Award{{Abbr: string(in.AwardAbbr), Full: string(in.AwardFull)}}
	}
	if invalid != nil {
		// The others are known only to the database; the client is to hear of all at once.
		more, err := a.services.Catalogue.CheckCourse(c.ctx, c.by(), course)
		if err != nil {
			return err
		}
		return faultsOf(invalid, c.located(list, more))
	}
	if course, err = a.services.Catalogue.CreateCourse(c.ctx, c.caller(), course); err != nil {
		return c.locate(list, err)
	}
	return c.created(course.ID, courseRecord(&course))
}
