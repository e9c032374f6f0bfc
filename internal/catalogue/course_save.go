package catalogue

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of what staff write about a course.
const (
	mostCode    = 64
	mostCredits = 32
	mostAwards  = 10
	mostQuota   = 1_000_000
)

// SaveCourse stores a course with its intakes, a new one in status Draft where its ID is 0, and returns its ID. The
// status of another one stays (screens.md A38). A new one gets the application form of the course from, 0 for the usual
// one. Errors: invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveCourse(ctx context.Context, by usecase.Caller, course admitto.Course, from int64) (int64, error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return 0, err
	}
	given := course
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.CourseRow, ID: course.ID},
		check: func(c *checks) {
			course = given
			course.Awards = slices.Clone(given.Awards)
			course.Status = draft
			var was admitto.Course
			if course.ID != 0 {
				var err error
				if was, err = c.tx.Course(course.ID); err != nil {
					c.err = err
					return
				}
				course.Status, course.Updated = was.Status, was.Updated
			}
			c.course(&course, &was)
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) {
			isNew := course.ID == 0
			changes, err := s.storeCourse(tx, &course)
			if err != nil || !isNew || from == 0 {
				return changes, err
			}
			forms, err := tx.CourseForms([]int64{from})
			if err != nil {
				return nil, err
			}
			form := forms[from]
			return changes, tx.SetCourseForm(course.ID, &form)
		},
		recorded: func(made bool) admitto.Event {
			return admitto.Event{Pattern: either(made, admitto.CourseCreated, admitto.CourseEdited),
				Links: admitto.Links{Course: course.ID, Institution: course.Institution}}
		},
	})
	return course.ID, err
}

// storeCourse stores a course with its intakes; the time of its last change is that of the transaction.
func (s *Service) storeCourse(tx *store.Tx, course *admitto.Course) ([]admitto.Detail, error) {
	isNew := course.ID == 0
	if isNew {
		course.Updated = tx.Now()
	}
	changes, err := tx.SaveCourse(course)
	if err != nil {
		return nil, err
	}
	tied, err := tx.SetIntakesOf(course.ID, course.Intakes)
	changes = append(changes, tied...)
	if err != nil || isNew || len(changes) == 0 {
		return changes, err
	}
	course.Updated = tx.Now()
	_, err = tx.SaveCourse(course)
	return changes, err
}

// draft is the status of a new course.
const draft = "Draft"

// course checks what staff write about a course; was is the one that is stored, or empty.
func (c *checks) course(v, was *admitto.Course) {
	c.there("page.course.institution", c.institution(v.Institution))
	c.line("page.course.name", &v.Name, 1, mostLine)
	c.code("page.course.type", "Course type", v.Type, was.Type)
	c.code("page.course.mode", "Course mode", v.Mode, was.Mode)
	c.line("page.course.duration", &v.Duration, 0, mostLine)
	c.line("page.course.credits", &v.Credits, 0, mostCredits)
	c.by(text.Language, "page.course.language", &v.Language)
	c.by(text.Country, "page.course.country", &v.Country)
	c.line("page.course.location", &v.Location, 0, mostLine)
	c.line("page.course.code", &v.Code, 0, mostCode)
	if slices.ContainsFunc([]rune(v.Code), func(r rune) bool { return r == ',' || r == ' ' }) {
		c.fault("page.course.code", message.Of("code-characters"))
	}
	c.line("page.course.code_internal", &v.CodeInternal, 0, mostCode)
	c.line("page.course.accreditation", &v.Accreditation, 0, mostLine)
	c.by(text.WebAddress, "page.course.prospect_uri", &v.ProspectURI)
	if v.Quota != nil && (*v.Quota < 0 || *v.Quota > mostQuota) {
		c.fault("page.course.quota", message.Of("number-range", 0, mostQuota))
	}
	c.line("page.course.summary", &v.Summary, 0, mostSummary)
	c.lines("page.course.about", &v.About, mostText)
	c.lines("page.course.requirements", &v.Requirements, mostText)
	v.Versions = c.versionsOf("page.course", v.Versions, courseTexts())
	if len(v.Awards) > mostAwards {
		c.fault("page.course.awards", message.Of("too-many-entries", len(v.Awards), mostAwards))
	}
	for i := range v.Awards {
		c.line("page.course.awards", &v.Awards[i].Abbr, 0, 32)
		c.line("page.course.awards", &v.Awards[i].Full, 0, mostLine)
	}
	for _, id := range v.Intakes {
		c.there("page.course.intakes", c.once(fmt.Sprint("intake ", id), func() error {
			_, err := c.tx.Intake(id)
			return err
		}))
	}
	if isShown(v) && v.Status == was.Status {
		for _, need := range []struct {
			path admitto.Path
			lost bool
		}{{"page.course.type", was.Type != "" && v.Type == ""}, {"page.course.mode", was.Mode != "" && v.Mode == ""},
			{"page.course.intakes", len(was.Intakes) > 0 && len(v.Intakes) == 0}} {
			if need.lost {
				c.fault(need.path, message.Of("course-needs-this"))
			}
		}
	}
}

// isShown reports whether applicants see a course and can apply for it.
func isShown(course *admitto.Course) bool {
	return course.Status == "Online" || course.Status == "Private"
}

// keepIntakes refuses to take an intake from courses that applicants see and that have no other one.
func (c *checks) keepIntakes(intake int64, courses []int64) {
	all, err := c.tx.Courses(admitto.CourseQuery{Statuses: []string{"Online", "Private"}})
	c.there("page.intake.courses", err)
	for i := range all {
		if slices.Equal(all[i].Intakes, []int64{intake}) && !slices.Contains(courses, all[i].ID) {
			c.fault("page.intake.courses", message.Of("course-needs-intake", text.Quote(all[i].Name)))
			return
		}
	}
}

// CourseStatuses are the statuses of courses (resources.md 15).
func CourseStatuses() []string {
	return []string{"Online", "Private", "Standby", draft, "Template", "Archived", "Closed"}
}

// SetCourseStatus changes the status of a course. It goes Online, or Private, with a type, a mode, an intake and an
// institution that is Online; what is missing is named (screens.md A38). Errors: invalid-parameter, not-found,
// changed-meanwhile.
func (s *Service) SetCourseStatus(ctx context.Context, by usecase.Caller, id int64, status string) error {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return err
	}
	var course admitto.Course
	return s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.CourseRow, ID: id},
		check: func(c *checks) {
			c.among("page.course.status", status, CourseStatuses()...)
			if course, c.err = c.tx.Course(id); c.err != nil || status != "Online" && status != "Private" {
				return
			}
			for _, missing := range c.missing(&course) {
				c.fault("page.course.status", missing)
			}
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) {
			if course.Status == status {
				return nil, nil
			}
			course.Status = status
			return s.storeCourse(tx, &course)
		},
		recorded: func(bool) admitto.Event {
			return admitto.Event{Pattern: admitto.CourseStatusSet, Bind: []string{status},
				Links: admitto.Links{Course: id, Institution: course.Institution}}
		},
	})
}

// missing is what a course needs before it goes online, a sentence each.
func (c *checks) missing(course *admitto.Course) (list []message.Text) {
	if course.Type == "" {
		list = append(list, message.Of("course-type-missing"))
	}
	if course.Mode == "" {
		list = append(list, message.Of("course-mode-missing"))
	}
	if len(course.Intakes) == 0 {
		list = append(list, message.Of("course-intake-missing"))
	}
	err := c.once(fmt.Sprint("online ", course.Institution), func() error {
		institution, err := c.tx.Institution(course.Institution)
		if err == nil && institution.Status != "Online" {
			err = &admitto.Error{Kind: admitto.NotAllowedNow}
		}
		return err
	})
	if admitto.KindOf(err) == admitto.NotAllowedNow {
		list = append(list, message.Of("institution-not-online"))
	} else if admitto.KindOf(err) != admitto.NotFound {
		c.err = cmp.Or(c.err, err)
	}
	return list
}

// NearestCourse is the course that is not Online and lacks the least for it, with what that is, a sentence each; ID 0
// for none (screens.md A01).
func (s *Service) NearestCourse(ctx context.Context, by admitto.Caller) (nearest admitto.Course, lacks []message.Text,
	err error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return nearest, nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		courses, err := tx.Courses(admitto.CourseQuery{Statuses: []string{draft, "Standby", "Private"}})
		c := &checks{tx: tx, known: map[string]error{}}
		for i := range courses {
			if missing := c.missing(&courses[i]); nearest.ID == 0 || len(missing) < len(lacks) {
				nearest, lacks = courses[i], missing
			}
		}
		return cmp.Or(err, c.err)
	})
	return nearest, lacks, err
}

// institution answers NotFound for one that there is not.
func (c *checks) institution(id int64) error {
	return c.once(fmt.Sprint("institution ", id), func() error {
		_, err := c.tx.Institution(id)
		return err
	})
}
