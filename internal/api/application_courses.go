package api

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/message"
)

// newApplicationCourseInput is what POST /applications/{id}/courses takes (resources.md 24.4).
type newApplicationCourseInput struct {
	Course   params.ObjectID `name:"course" required:"true"`
	Intake   params.ObjectID `name:"intake"`
	Modifier params.Line     `name:"modifier" len:"1-64"`
	Priority wholeNumber     `name:"priority"`
}

// createApplicationCourse answers POST /applications/{id}/courses.
func (a *API) createApplicationCourse(c *call) error {
	if _, err := a.services.Query.CoursesOf(c.ctx, c.by(), c.ids[0]); err != nil {
		return err
	}
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newApplicationCourseInput
	wrong := c.decode(list, &in)
	course := admissions.NewCourseOf{Course: int64(in.Course), Intake: int64(in.Intake), Modifier: string(in.Modifier)}
	if in.Priority.value != nil {
		// 0 is a value here that no application allows.
		if course.Priority = int(min(*in.Priority.value, 1<<30)); course.Priority <= 0 {
			course.Priority = -1
		}
	}
	faults, err := a.services.Admissions.CheckCourseOf(c.ctx, c.by(), c.ids[0], course)
	if err == nil {
		err = faultsOf(wrong, c.located(list, faults))
	}
	if err != nil {
		return err
	}
	added, err := a.services.Admissions.AddCourse(c.ctx, c.caller(), c.ids[0], course)
	if err != nil {
		return c.locate(list, err)
	}
	return c.created(added.Course, courseAssociation(&added))
}

// deleteApplicationCourse answers DELETE /applications/{id}/courses/{id}.
func (a *API) deleteApplicationCourse(c *call) error {
	err := c.noParametersOf(func() error {
		_, err := a.services.Query.CourseOf(c.ctx, c.by(), c.ids[0], c.ids[1])
		return err
	})
	if err == nil {
		err = a.services.Admissions.RemoveCourse(c.ctx, c.caller(), c.ids[0], c.ids[1])
	}
	return c.done(err)
}

// getApplicationCoursePriority answers GET /applications/{id}/courses/{id}/priority.
func (a *API) getApplicationCoursePriority(c *call) error {
	course, err := a.services.Query.CourseOf(c.ctx, c.by(), c.ids[0], c.ids[1])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.json(strconv.AppendInt(nil, int64(course.Priority), 10))
}

// setApplicationCoursePriority answers PUT /applications/{id}/courses/{id}/priority.
func (a *API) setApplicationCoursePriority(c *call) error {
	if _, err := a.services.Query.CourseOf(c.ctx, c.by(), c.ids[0], c.ids[1]); err != nil {
		return err
	}
	priority, err := c.positiveInteger()
	if err == nil {
		err = c.noParameters()
	}
	if err == nil {
		err = inBareBody(a.services.Admissions.SetCoursePriority(c.ctx, c.caller(), c.ids[0], c.ids[1], priority))
	}
	return c.done(err)
}

// positiveInteger reads a body that is a whole number above 0, as JSON number or string.
func (c *call) positiveInteger() (int, error) {
	v, err := c.value()
	if err != nil {
		return 0, err
	}
	digits := ""
	switch given := v.(type) {
	case string:
		digits = strings.TrimSpace(given)
	case json.Number:
		digits = given.String()
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || n == 0 {
		return 0, params.InvalidBody("", message.Of("body-no-whole-number"))
	}
	return int(n), nil
}
