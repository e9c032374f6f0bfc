package admissions

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// applicationMarkers returns the values of the markers of group p (lifecycle.md 8.3), the name of an applicant that is a
// legal person, and nothing else: mails add those of the applicant and of the instance by themselves. The course is
// the one of the first priority.
func (o *Office) applicationMarkers(tx *store.Tx, d *dossier) (map[string]string, error) {
	byApplication, err := tx.CoursesOfApplications([]int64{d.ID})
	if err != nil {
		return nil, err
	}
	courses := slices.Clone(byApplication[d.ID])
	slices.SortStableFunc(courses, func(a, b admitto.ApplicationCourse) int { return cmp.Compare(a.Priority, b.Priority) })
	var names []string
	for _, c := range courses {
		course, err := tx.Course(c.Course)
		if err != nil {
			return nil, err
		}
		names = append(names, course.Name)
	}
	first := ""
	if len(names) > 0 {
		first = names[0]
	}
	term, err := tx.Term(d.Term)
	if err != nil {
		return nil, err
	}
	status := string(d.Status)
	titles, err := tx.StatusTexts()
	if err != nil {
		return nil, err
	}
	for _, t := range titles {
		if t.Name == d.Status {
			status = t.Title
		}
	}
	missing, err := o.missingMarker(tx, d, courses)
	if err != nil {
		return nil, err
	}
	values := map[string]string{
		"application-ID":      strconv.FormatInt(d.ID, 10),
		"application-Link":    o.links().Application(d.ID),
		"application-Status":  status,
		"application-Missing": missing,
		"term-Name":           term.Name,
		"course-FullName":     first,
		"course-List":         strings.Join(names, "\n"),
	}
	return values, nil
}

// offerMarkers returns the values of the markers of the groups p and o (lifecycle.md 8.3) for a mail about an offer: the
// course is that of the offer and the institution that of the course. What the offer does not have is "".
func (o *Office) offerMarkers(tx *store.Tx, d *dossier, offer *admitto.Offer) (map[string]string, error) {
	values, err := o.applicationMarkers(tx, d)
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
	title, err := tx.OfferTypePublicTitle(offer.Type)
	if err != nil {
		return nil, err
	}
	values["course-FullName"] = course.Name
	values["institution-Name"] = institution.Name
	if institution.WWW != "" {
		values["institution-WWW"] = institution.WWW
	}
	values["offer-Type"] = title
	values["offer-Link"] = o.links().Offer(offer.ID)
	values["offer-Reason"] = offer.Reason.Reason
	values["offer-DecisionDeadline"], values["intake-Name"] = "", ""
	if !offer.DecisionDeadline.IsZero() {
		values["offer-DecisionDeadline"] = offer.DecisionDeadline.In(o.Settings().Instance.Timezone).Format("2 January 2006")
	}
	if intake != nil {
		values["intake-Name"] = intake.Name
	}
	return values, nil
}

// missingMarker says, a line each, what keeps the applicant from submitting the application; "" when nothing does, or
// when it is not to be submitted now.
func (o *Office) missingMarker(tx *store.Tx, d *dossier, courses []admitto.ApplicationCourse) (string, error) {
	as := *d
	as.Actor = admitto.Actor{Kind: admitto.ByApplicant, ID: d.Applicant.ID}
	step, err := admitto.ApplicationStep(admitto.Submit, as.Status, as.Actor.Kind)
	if err != nil {
		return "", nil
	}
	err = o.may(tx, &as, &step, &question{courses: courses})
	var refused *admitto.Error
	if !errors.As(err, &refused) || refused.Kind != admitto.NotAllowedNow {
		return "", err
	}
	var lines []string
	for _, f := range refused.Faults {
		lines = append(lines, f.Text.String())
	}
	return strings.Join(lines, "\n"), nil
}
