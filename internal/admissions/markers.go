package admissions

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ApplicationMarkers returns the values of the markers of group p (lifecycle.md 8.3) and nothing else: mails add those
// of the applicant and of the instance by themselves. The course is the one of the first priority, and the intake that
// of it. What is not known is "".
func (s *Service) ApplicationMarkers(tx *store.Tx, d *usecase.LockedApplication) (mail.Values, error) {
	byApplication, err := tx.CoursesOfApplications([]int64{d.ID})
	if err != nil {
		return nil, err
	}
	courses := slices.Clone(byApplication[d.ID])
	slices.SortStableFunc(courses, func(a, b admitto.ApplicationCourse) int { return cmp.Compare(a.Priority, b.Priority) })
	var names mail.Lines
	var first admitto.Course
	var intake *admitto.Intake
	for i, c := range courses {
		course, err := tx.Course(c.Course)
		if err != nil {
			return nil, err
		}
		if names = append(names, nameOf(&course)); i > 0 {
			continue
		}
		first = course
		if intake, err = intakeOf(tx, c.Intake); err != nil {
			return nil, err
		}
	}
	term, err := tx.Term(d.Term)
	if err != nil {
		return nil, err
	}
	var status any = string(d.Status)
	titles, err := tx.StatusTexts()
	if err != nil {
		return nil, err
	}
	for _, t := range titles {
		if t.Name == d.Status {
			status = mail.Words{First: t.Title, Name: "title", Versions: t.Versions}
		}
	}
	missing, err := s.missingMarker(tx, d, courses)
	if err != nil {
		return nil, err
	}
	values := mail.Values{
		mail.ApplicationID:      strconv.FormatInt(d.ID, 10),
		mail.ApplicationLink:    s.core.Links().Application(d.ID),
		mail.ApplicationStatus:  status,
		mail.ApplicationMissing: missing,
		mail.TermName:           mail.Words{First: term.Name, Name: "name", Versions: term.Versions},
		mail.CourseFullName:     nameOf(&first),
		mail.CourseList:         names,
	}
	if len(courses) == 0 {
		values[mail.CourseFullName] = ""
	}
	putCourse(values, &first, intake)
	content, err := tx.ApplicationContent(d.ID)
	putPerson(values, &d.Applicant, &content)
	return values, err
}

// nameOf is what a course is called, as a value of a marker.
func nameOf(c *admitto.Course) mail.Words {
	return mail.Words{First: c.Name, Name: "name", Versions: c.Versions}
}

// putCourse puts in what a mail may say of a course and of the intake of it, nil for none.
func putCourse(values mail.Values, course *admitto.Course, intake *admitto.Intake) {
	values[mail.CourseAward] = ""
	if awards, _ := course.AwardsIn("", ", "); awards != "" {
		values[mail.CourseAward] = mail.Words{First: awards, Name: "awards", Versions: course.Versions}
	}
	values[mail.IntakeCommence], values[mail.IntakeArrival] = "", ""
	if intake != nil {
		values[mail.IntakeCommence], values[mail.IntakeArrival] = knownDay(intake.Commence), knownDay(intake.Arrival)
	}
}

// putPerson puts in what a mail may say of the person, which is what the form says.
func putPerson(values mail.Values, a *admitto.Applicant, content *form.Content) {
	// A day that is not whole, or not one, is told as it was typed.
	values[mail.ApplicantBirthDate] = content.Text("profile/birth/date")
	if day, err := admitto.ParseDate(content.Text("profile/birth/date")); err == nil {
		values[mail.ApplicantBirthDate] = knownDay(day)
	}
	values[mail.ApplicantCitizenship] = country(cmp.Or(a.Citizenship, content.Text("profile/citizenship")))
	values[mail.ApplicantPassport] = joined(" ", content.Text("profile/passport/series"),
		content.Text("profile/passport/number"))
	values[mail.ApplicantMatriculation] = a.Matriculation
	values[mail.ApplicantAddress] = addressOf(a, content)
}

// addressOf is the postal address of a person, a line each; "" when there is none.
func addressOf(a *admitto.Applicant, content *form.Content) any {
	at := func(field string) string { return content.Text("contact/address/" + field) }
	lines := mail.Lines{
		joined(" ", at("street"), joined("/", at("house"), at("apartment"))),
		joined(" ", at("postalcode"), at("city")),
		joined(", ", at("municipality"), at("region")),
		country(at("country"))}
	if slices.ContainsFunc(lines, func(line any) bool { return line != "" }) {
		return lines
	}
	return cmp.Or(content.Text("legal/address"), a.Address)
}

// knownDay is a day as a value of a marker; "" when it is not known.
func knownDay(day admitto.Date) any {
	if day.IsZero() {
		return ""
	}
	return day
}

// country is a country as a value of a marker; "" when it is not known.
func country(code string) any {
	if code == "" {
		return ""
	}
	return mail.Country(code)
}

// joined puts together what is there of some texts.
func joined(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), between)
}

// OfferMarkers returns the values of the markers of the groups p and o (lifecycle.md 8.3) for a mail about an offer:
// the course is that of the offer and the institution that of the course. What the offer does not have is "".
func (s *Service) OfferMarkers(tx *store.Tx, d *usecase.LockedApplication, offer *admitto.Offer) (mail.Values, error) {
	values, err := s.ApplicationMarkers(tx, d)
	if err != nil {
		return nil, err
	}
	course, err := tx.Course(offer.Course)
	if err != nil {
		return nil, err
	}
	institution, err := tx.Institution(offer.Institution)
	if err != nil {
		return nil, err
	}
	intake, err := intakeOf(tx, offer.Intake)
	if err != nil {
		return nil, err
	}
	kind, err := tx.OfferType(offer.Type)
	if err != nil {
		return nil, err
	}
	putCourse(values, &course, intake)
	values[mail.CourseFullName] = nameOf(&course)
	values[mail.InstitutionName] = institution.Name
	if institution.WWW != "" {
		values[mail.InstitutionWWW] = institution.WWW
	}
	values[mail.OfferType] = mail.Words{Group: admitto.SeededTexts, First: kind.PublicTitle, Name: "public_title",
		Versions: kind.Versions}
	values[mail.OfferLink] = s.core.Links().Offer(offer.ID)
	values[mail.OfferReason] = offer.Reason.Reason
	values[mail.OfferDecisionDeadline], values[mail.IntakeName] = "", ""
	if !offer.DecisionDeadline.IsZero() {
		values[mail.OfferDecisionDeadline] = offer.DecisionDeadline
	}
	if intake != nil {
		values[mail.IntakeName] = mail.Words{First: intake.Name, Name: "name", Versions: intake.Versions}
	}
	return values, nil
}

// missingMarker says, a line each, what keeps the applicant from submitting the application; none when nothing does, or
// when it is not to be submitted now.
func (s *Service) missingMarker(tx *store.Tx, d *usecase.LockedApplication,
	courses []admitto.ApplicationCourse) (missing mail.Lines, err error) {
	as := *d
	as.Actor = admitto.Actor{Kind: admitto.ByApplicant, ID: d.Applicant.ID}
	step, err := admitto.ApplicationStep(admitto.Submit, as.Status, as.Actor.Kind)
	if err != nil {
		return nil, nil
	}
	err = s.may(tx, &as, &step, &question{courses: courses})
	var refused *admitto.Error
	if !errors.As(err, &refused) || refused.Kind != admitto.NotAllowedNow {
		return nil, err
	}
	for _, f := range refused.Faults {
		missing = append(missing, f.Text)
	}
	return missing, nil
}

// TaskMarkers returns what a mail may say of a task and its application (lifecycle.md 8.3, groups p and t).
func (s *Service) TaskMarkers(tx *store.Tx, d *usecase.LockedApplication, task int64) (mail.Values, error) {
	t, err := tx.TaskText(task)
	if err != nil {
		return nil, err
	}
	values, err := s.taskMarkers(tx, d, &t)
	if err == nil {
		values[mail.TaskLink] = s.core.Links().Task(task)
	}
	return values, err
}

// taskMarkers are the values of TaskMarkers but the link.
func (s *Service) taskMarkers(tx *store.Tx, d *usecase.LockedApplication, t *store.TaskText) (mail.Values, error) {
	values, err := s.ApplicationMarkers(tx, d)
	if err != nil {
		return nil, err
	}
	values[mail.TaskTitle] = mail.Words{Group: admitto.SeededTexts, First: t.Title, Name: "title",
		Versions: t.Versions}
	values[mail.TaskInstructions] = mail.Words{First: t.Instructions, Name: "instructions", Versions: t.Versions}
	values[mail.TaskDeadline] = t.Deadline
	return values, nil
}

// tellApplicant queues a mail about what has happened to the application just now, with the markers of the
// application and more.
func (s *Service) tellApplicant(tx *store.Tx, d *usecase.LockedApplication, template mail.Kind, more mail.Values,
	attached []mail.Attachment) error {
	m, err := s.applicationMail(tx, d, template, more)
	if err != nil || m == nil {
		return err
	}
	m.Texts = attached
	// The row version is the occurrence: every change of the status has its own.
	m.Record, m.Occurrence = d.ID, strconv.FormatInt(d.RowVersion, 10)
	_, err = s.notify.Queue(tx, *m)
	return err
}

// applicationMail is a mail about the application as it is in d; nil for none.
func (s *Service) applicationMail(tx *store.Tx, d *usecase.LockedApplication, template mail.Kind,
	more mail.Values) (*notify.OutgoingMail, error) {
	if template == mail.KindApplicationClosed { // the only one of them that silencing stops (lifecycle.md 8.3)
		silenced, err := tx.Silenced(d.ID)
		if err != nil || silenced {
			return nil, err
		}
	}
	values, err := s.ApplicationMarkers(tx, d)
	if err != nil {
		return nil, err
	}
	maps.Copy(values, more)
	return &notify.OutgoingMail{Template: template, Applicant: &d.Applicant, Application: d.ID, Values: values}, nil
}

// Ahead is a question what a change of an application would tell its applicant, in a mail that is dated then. The
// answer has no address where no mail goes, and nothing is stored.
type Ahead struct {
	By          usecase.Caller
	Application int64
	Then        admitto.Time
}

// mailAhead is the mail that make makes of the application as it is now.
func (s *Service) mailAhead(tx *store.Tx, a Ahead,
	make func(d *usecase.LockedApplication) (*notify.OutgoingMail, error)) (w notify.Written, err error) {
	d := &usecase.LockedApplication{Actor: a.By.Actor}
	if d.ApplicationCase, d.Applicant, err = tx.ApplicationCase(a.Application); err != nil {
		return w, err
	}
	m, err := make(d)
	if err != nil || m == nil {
		return w, err
	}
	return s.notify.Write(tx, *m, a.Then)
}
