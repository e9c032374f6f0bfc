package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/text"
)

// The rows of the reports about applicants and applications (resources.md 19.3).

func reportStatus(r *reporting) error {
	counts := func(q *admitto.ReportQuery) (map[admitto.ApplicationStatus]admitto.StatusCount, error) {
		list, err := r.tx.CountByStatus(q)
		byStatus := map[admitto.ApplicationStatus]admitto.StatusCount{}
		for _, c := range list {
			byStatus[c.Status] = c
		}
		return byStatus, err
	}
	byStatus, err := counts(r.q)
	if err != nil {
		return err
	}
	var other map[admitto.ApplicationStatus]admitto.StatusCount
	if err := r.compare(func(q *admitto.ReportQuery) (err error) { other, err = counts(q); return err }); err != nil {
		return err
	}
	total := int64(0)
	for _, c := range byStatus {
		total += c.Applications
	}
	for _, s := range admitto.ApplicationStatuses() {
		c := byStatus[s]
		if err := r.row(r.withCompared(other[s].Applications, string(s), c.Applications, c.Applicants,
			admitto.Percent(c.Applications, total))); err != nil {
			return err
		}
	}
	return nil
}

func reportCourses(r *reporting) error {
	list, err := r.tx.CountByCourse(r.q)
	for i := 0; err == nil && i < len(list); i++ {
		c := &list[i]
		row := []any{c.Course, c.Name, orNil(c.Code), c.Institution}
		for _, s := range admitto.ApplicationStatuses() {
			row = append(row, c.ByStatus[s])
		}
		err = r.row(append(row, c.Total, c.FirstChoice))
	}
	return err
}

func reportCitizenships(r *reporting) error {
	progress, err := r.tx.ProgressByCitizenship(r.q)
	if err != nil {
		return err
	}
	var other map[string]admitto.Progress
	if err := r.compare(func(q *admitto.ReportQuery) (err error) {
		other,
			err = r.tx.ProgressByCitizenship(q)
		return err
	}); err != nil {
		return err
	}
	for code, p := range other {
		if _, known := progress[code]; !known && p.Applications > 0 {
			progress[code] = admitto.Progress{}
		}
	}
	codes := slices.SortedFunc(maps.Keys(progress), func(a, b string) int {
		if (a == "") != (b == "") {
			return cmp.Compare(len(b), len(a)) // unknown last
		}
		return strings.Compare(a, b)
	})
	for _, code := range codes {
		country := cmp.Or(text.CountryName(code), "Unknown")
		p := progress[code]
		if err := r.row(r.withCompared(other[code].Applications, orNil(code), country, p.Applicants, p.Applications,
			p.Submitted,
			p.Offered, p.Accepted)); err != nil {
			return err
		}
	}
	return nil
}

func reportFunnel(r *reporting) error {
	f, err := r.tx.CountFunnel(r.q)
	if err != nil {
		return err
	}
	var other admitto.Funnel
	if err := r.compare(func(q *admitto.ReportQuery) (err error) {
		other,
			err = r.tx.CountFunnel(q)
		return err
	}); err != nil {
		return err
	}
	previous := f.Everybody
	for _, stage := range []struct {
		title string
		n     int64
		other int64
	}{
		{"Leads and applicants", f.Everybody, other.Everybody},
		{"Applicants", f.Applicants, other.Applicants},
		{"With application", f.WithApplication, other.WithApplication},
		{"Submitted", f.Submitted, other.Submitted},
		{"Offered", f.Offered, other.Offered},
		{"Accepted", f.Accepted, other.Accepted},
	} {
		if err := r.row(r.withCompared(stage.other, stage.title, stage.n, admitto.Percent(stage.n, previous),
			admitto.Percent(stage.n, f.Everybody))); err != nil {
			return err
		}
		previous = stage.n
	}
	return nil
}

func reportTrackers(r *reporting) error {
	list, err := r.tx.ProgressByTracker(r.q)
	for i := 0; err == nil && i < len(list); i++ {
		t := &list[i]
		err = r.row([]any{t.Tracker, t.Code, t.Applicants, t.Applications, t.Submitted, t.Offered, t.Accepted})
	}
	return err
}

// shownName is the name of a person, or of a legal person who has no other.
func shownName(a *admitto.Applicant) string { return cmp.Or(a.Name.Full(), a.Name.Legal) }

func reportTrackerDetails(r *reporting) error {
	for d, err := range r.tx.TrackerDetails(r.q) {
		if err == nil {
			err = r.row([]any{d.Tracker, d.Code, d.Applicant.ID, orNil(shownName(&d.Applicant)), d.Applicant.Email,
				orNil(d.Applicant.Citizenship),
				d.Applicant.Registered, d.Assigned, d.Applications, d.Submitted})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func reportRegistrations(r *reporting) error {
	year, from, before := r.year()
	counts, err := r.tx.CountRegistrations(r.q, from, before)
	if err != nil {
		return err
	}
	byDay := map[admitto.Date]admitto.QuarterCount{}
	for _, c := range counts {
		day := r.day(c.Quarter)
		sum := byDay[day]
		sum.Registered += c.Registered
		sum.Collected += c.Collected
		byDay[day] = sum
	}
	last := admitto.Date{Year: int16(year), Month: 12, Day: 31}
	if today := r.today(); today.String() < last.String() {
		last = today
	}
	for day := (admitto.Date{Year: int16(year), Month: 1, Day: 1}); day.String() <= last.String(); day = day.AddDays(1) {
		n := byDay[day]
		if err := r.row([]any{day, n.Registered, n.Collected, n.Registered + n.Collected}); err != nil {
			return err
		}
	}
	return nil
}
