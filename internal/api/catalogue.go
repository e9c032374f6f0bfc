package api

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
)

// wholeList answers a complete collection that takes no parameters, with what its use case gave.
func wholeList[T any](c *call, list []T, err error, id func(*T) int64, record func(*T) any) error {
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return smallList(c, list, id, record)
}

// wholeRecord answers one record that takes no parameters, with what its use case gave.
func wholeRecord[T any](c *call, v T, err error, record func(*T) any) error {
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.object(record(&v))
}

// institutionsInput is the query of GET /institutions (resources.md 14).
type institutionsInput struct {
	Statuses  params.WordList    `name:"byStatuses" words:"Online,Draft"`
	Modes     params.WordList    `name:"byModes" words:"Internal,External"`
	Countries params.CountryList `name:"byCountries"`
}

// listInstitutions answers GET /institutions.
func (a *API) listInstitutions(c *call) error {
	var in institutionsInput
	args, err := c.queryArgs()
	if err == nil {
		err = c.decode(args, &in)
	}
	if err != nil {
		return err
	}
	list, err := a.services.Query.Institutions(c.ctx, c.by(), admitto.InstitutionQuery{Statuses: in.Statuses,
		Modes: in.Modes, Countries: in.Countries})
	if err != nil {
		return err
	}
	return smallList(c, list, func(i *admitto.Institution) int64 { return i.ID }, institutionRecord)
}

// getInstitution answers GET /institutions/{id}.
func (a *API) getInstitution(c *call) error {
	i, err := a.services.Query.Institution(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, i, err, institutionRecord)
}

// listInstitutionDepartments answers GET /institutions/{id}/departments.
func (a *API) listInstitutionDepartments(c *call) error {
	list, err := a.services.Query.Departments(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, func(d *admitto.Department) int64 { return d.ID }, departmentRecord)
}

// getInstitutionDepartment answers GET /institutions/{id}/departments/{id}.
func (a *API) getInstitutionDepartment(c *call) error {
	d, err := a.services.Query.Department(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeRecord(c, d, err, departmentRecord)
}

// coursesInput is the query of GET /courses (resources.md 15).
type coursesInput struct {
	Institutions params.IDList   `name:"byInstitutionIDs" alias:"byInstitutionIds"`
	Statuses     params.WordList `name:"byStatuses" words:"Online,Private,Standby,Draft,Template,Archived,Closed"`
	Types        params.CodeList `name:"byTypes"`
	Modes        params.CodeList `name:"byModes"`
	Codes        params.CodeList `name:"byCodes"`
}

// listCourses answers GET /courses.
func (a *API) listCourses(c *call) error {
	var in coursesInput
	args, err := c.queryArgs()
	if err == nil {
		err = c.decode(args, &in)
	}
	if err != nil {
		return err
	}
	list, err := a.services.Query.Courses(c.ctx, c.by(), admitto.CourseQuery{Institutions: in.Institutions,
		Statuses: in.Statuses, Types: in.Types,
		Modes: in.Modes, Codes: in.Codes})
	if err != nil {
		return err
	}
	return smallList(c, list, func(c *admitto.Course) int64 { return c.ID }, courseRecord)
}

// getCourse answers GET /courses/{id}.
func (a *API) getCourse(c *call) error {
	course, err := a.services.Query.Course(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, course, err, courseRecord)
}

// listIntakes answers GET /intakes (resources.md 16).
func (a *API) listIntakes(c *call) error {
	list, err := a.services.Query.Intakes(c.ctx, c.by())
	return wholeList(c, list, err, func(i *admitto.Intake) int64 { return i.ID }, c.intakeRecord)
}

// getIntake answers GET /intakes/{id}.
func (a *API) getIntake(c *call) error {
	i, err := a.services.Query.Intake(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, i, err, c.intakeRecord)
}

// listAcademicTerms answers GET /academic-terms (resources.md 17).
func (a *API) listAcademicTerms(c *call) error {
	list, err := a.services.Query.Terms(c.ctx, c.by())
	return wholeList(c, list, err, func(t *admitto.Term) int64 { return t.ID }, termRecord)
}

// getAcademicTerm answers GET /academic-terms/{id}.
func (a *API) getAcademicTerm(c *call) error {
	t, err := a.services.Query.Term(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, t, err, termRecord)
}

// listAcademicTermsTypes answers GET /academic-terms/types.
func (a *API) listAcademicTermsTypes(c *call) error {
	list, err := a.services.Query.TermTypes(c.ctx, c.by())
	return wholeList(c, list, err, func(t *admitto.TermType) int64 { return t.ID }, termTypeRecord)
}

// getAcademicTermsType answers GET /academic-terms/types/{id}.
func (a *API) getAcademicTermsType(c *call) error {
	t, err := a.services.Query.TermType(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, t, err, termTypeRecord)
}

// listAcademicYears answers GET /academic-years, keyed by the year.
func (a *API) listAcademicYears(c *call) error {
	list, err := a.services.Query.Years(c.ctx, c.by())
	return wholeList(c, list, err, func(y *admitto.Year) int64 { return y.Year }, yearRecord)
}

// getAcademicYear answers GET /academic-years/{year}.
func (a *API) getAcademicYear(c *call) error {
	year, err := strconv.ParseInt(c.name, 10, 64) // four digits, as the path was checked
	if err != nil {
		return err
	}
	y, err := a.services.Query.Year(c.ctx, c.by(), year)
	return wholeRecord(c, y, err, yearRecord)
}
