package store

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

func asksMoreOfApplicants(f *admitto.ApplicantFilter) bool {
	return f.Terms != nil || f.Lead != nil || f.Blocked != nil || f.Consent != 0 || f.InTerm != 0 || f.Twin
}

// applicantRest are the conditions of the query, checked applicant by applicant.
func (b *listBuilder) applicantRest(q *admitto.ApplicantQuery) (sql string) {
	truth := func(wanted *bool, yes, no string) {
		if wanted != nil && *wanted {
			sql += " AND " + yes
		} else if wanted != nil {
			sql += " AND " + no
		}
	}
	if q.FromID != 0 {
		sql += fmt.Sprintf(" AND a.id >= $%d", b.arg(q.FromID))
	}
	if q.ToID != 0 {
		sql += fmt.Sprintf(" AND a.id <= $%d", b.arg(q.ToID))
	}
	sql += b.times(*q) + b.emails(*q) + b.citizenships(*q) + b.trackers(q.TrackerIDs) + b.trackers(q.TrackerCodeIDs)
	truth(q.Lead, "a.lead", "NOT a.lead")
	truth(q.Blocked, "a.state = 'blocked'", "a.state <> 'blocked'")
	if q.Consent != 0 {
		decided := fmt.Sprintf("EXISTS (SELECT 1 FROM consent_decision c WHERE c.applicant_id = a.id AND c.consent_id = $%d",
			b.arg(q.Consent))
		if q.Decision == "" {
			sql += " AND NOT " + decided + ")"
		} else {
			sql += " AND " + decided + fmt.Sprintf(" AND c.decision = $%d)", b.arg(q.Decision))
		}
	}
	if q.InTerm != 0 {
		sql += fmt.Sprintf(" AND EXISTS (SELECT 1 FROM application p WHERE p.applicant_id = a.id AND p.visible AND p.academic_term_id + 0 = $%d)",
			b.arg(q.InTerm))
	}
	if q.Twin {
		sql += " AND EXISTS (SELECT 1 FROM applicant_search t WHERE t.applicant_id = a.id AND t.twin)"
	}
	return sql + b.hasWords(q.Terms, "a.id")
}

// BrowseApplicants returns the IDs of a page of applicants; counted says that the total is wanted, too.
func (tx *Tx) BrowseApplicants(q admitto.BrowseApplicants, counted bool) (Listed, error) {
	if emptyList(q.ApplicantQuery) {
		return Listed{}, nil
	}
	return tx.browseApplicants(&q).read(counted)
}

// CountBrowsedApplicants counts the applicants of a query.
func (tx *Tx) CountBrowsedApplicants(q admitto.ApplicantQuery) (Total, error) {
	if emptyList(q) {
		return Total{}, nil
	}
	l := tx.browseApplicants(&admitto.BrowseApplicants{ApplicantQuery: q, Page: admitto.BrowsePage{Sort: admitto.ByID}})
	c, err := l.choose(true)
	if err != nil {
		return Total{}, err
	}
	return l.total(c)
}

// browseApplicants prepares a page of applicants.
func (tx *Tx) browseApplicants(q *admitto.BrowseApplicants) *listing {
	l := &listing{tx: tx, table: "applicant", page: q.Page, drivers: tx.applicantDrivers(&q.ApplicantQuery),
		order: tx.applicantOrder(q.Page.Sort)}
	l.begin = func(*driver) (*listBuilder, string) {
		b := &listBuilder{tx: tx}
		return b, b.applicantRest(&q.ApplicantQuery)
	}
	l.exact = func() (int64, bool, error) { return tx.countedApplicants(&q.ApplicantQuery) }
	l.byID = func(*listBuilder) string { return "applicant a" + tx.dialect.byID() + " WHERE a.visible" }
	l.newest = func(n, all int64) (int64, error) {
		highest, err := tx.highestID("applicant")
		return highest - int64(float64(highest)*float64(n)/float64(all)), err
	}
	l.walked = func() (int64, error) { return tx.CountApplicants(admitto.ApplicantQuery{}) }
	return l
}

// countedApplicants counts what the counters know.
func (tx *Tx) countedApplicants(q *admitto.ApplicantQuery) (int64, bool, error) {
	lists := len(q.TrackerIDs) > 1 || q.TrackerCodeIDs != nil || q.EmailKeys != nil || q.FromID != 0 || q.ToID != 0
	timed := q.FromTime != 0 || q.ToTime != 0
	several := q.Citizenships != nil && (q.TrackerIDs != nil || timed) || q.TrackerIDs != nil && timed
	if lists || several || asksMoreOfApplicants(&q.ApplicantFilter) {
		return 0, false, nil
	}
	n, err := tx.CountApplicants(*q)
	return n, true, err
}

// applicantDrivers returns the conditions that may drive a list, those that are mostly narrow first.
func (tx *Tx) applicantDrivers(q *admitto.ApplicantQuery) (list []driver) {
	d := tx.dialect
	add := func(key string, from func(b *listBuilder) string) { list = append(list, driver{key: key, from: from}) }
	if q.EmailKeys != nil {
		add("x.id", func(b *listBuilder) string {
			return "applicant x WHERE " + d.in("x.email_key", b.arg(q.EmailKeys)) + " AND x.state <> 'recovery'"
		})
	}
	for _, term := range q.Terms {
		add("w.applicant_id", func(b *listBuilder) string {
			return fmt.Sprintf("applicant_word w WHERE w.word >= $%d AND w.word < $%d", b.arg(term), b.arg(prefixEnd(term)))
		})
	}
	if q.Twin {
		add("s.applicant_id", func(*listBuilder) string {
			return "applicant_search s" + d.by("applicant_search_twin") + " WHERE s.twin"
		})
	}
	if q.Blocked != nil && *q.Blocked {
		add("x.id", func(*listBuilder) string {
			return "applicant x" + d.by("applicant_blocked") + " WHERE x.state = 'blocked'"
		})
	}
	for _, trackers := range [][]int64{q.TrackerIDs, q.TrackerCodeIDs} {
		if trackers != nil {
			add("t.applicant_id", func(b *listBuilder) string {
				return "applicant_tracker t WHERE " + d.in("t.tracker_id", b.arg(trackers))
			})
		}
	}
	if q.Citizenships != nil {
		add("x.id", func(b *listBuilder) string {
			return "applicant x" + d.by("applicant_citizenship") + " WHERE x.visible AND " +
				d.in("x.citizenship", b.arg(q.Citizenships))
		})
	}
	if q.FromTime != 0 || q.ToTime != 0 {
		add("x.id", func(b *listBuilder) string {
			sql := "applicant x" + d.by("applicant_registered") + " WHERE x.visible"
			if q.FromTime != 0 {
				sql += fmt.Sprintf(" AND x.registered >= $%d", b.arg(q.FromTime))
			}
			if q.ToTime != 0 {
				sql += fmt.Sprintf(" AND x.registered <= $%d", b.arg(q.ToTime))
			}
			return sql
		})
	}
	if q.Lead != nil && *q.Lead {
		add("x.id", func(*listBuilder) string { return "applicant x" + d.by("applicant_lead") + " WHERE x.lead" })
	}
	if q.Consent != 0 && q.Decision != "" {
		add("c.applicant_id", func(b *listBuilder) string {
			return "consent_decision c" + d.by("consent_decision_by") +
				fmt.Sprintf(" WHERE c.consent_id = $%d AND c.decision = $%d",
					b.arg(q.Consent), b.arg(q.Decision))
		})
	}
	if q.InTerm != 0 {
		add("p.applicant_id", func(b *listBuilder) string {
			return "application p" + d.by("application_term") + fmt.Sprintf(" WHERE p.academic_term_id = $%d", b.arg(q.InTerm))
		})
	}
	return list
}

// applicantOrder returns how a list of applicants is walked in an order.
func (tx *Tx) applicantOrder(sort admitto.BrowseSort) order {
	d := tx.dialect
	bySearch := func(column, index string) order {
		return order{columns: []string{"s." + column, "s.applicant_id"}, text: true, join: "applicant_search s",
			joined: "s.applicant_id = a.id", walk: func(*listBuilder) string {
				return "applicant_search s" + d.by(index) + " CROSS JOIN applicant a WHERE a.id = s.applicant_id AND a.visible"
			}}
	}
	switch sort {
	case admitto.ByName:
		return bySearch("name_key", "applicant_search_name")
	case admitto.ByEmail:
		return bySearch("email_key", "applicant_search_email")
	case admitto.ByRegistered:
		return order{columns: []string{"a.registered", "a.id"},
			walk: func(*listBuilder) string { return "applicant a" + d.by("applicant_registered") + " WHERE a.visible" }}
	}
	return order{columns: []string{"a.id"}, walk: func(*listBuilder) string { return "applicant a WHERE a.visible" }}
}

// Twins returns the visible applicants who may be the same person as an applicant, by ID. The keys are looked up apart:
// of a join PostgreSQL thinks that it has many rows, as many applicants have no key, and reads all applicants.
func (tx *Tx) Twins(applicant int64) ([]int64, error) {
	return tx.ids(`SELECT o.applicant_id FROM applicant_search o CROSS JOIN applicant a
		WHERE o.person_key = (SELECT s.person_key FROM applicant_search s WHERE s.applicant_id = $1) AND o.person_key <> ''
		AND a.id = o.applicant_id AND a.visible AND o.applicant_id <> $1
		UNION SELECT o.applicant_id FROM applicant_search o CROSS JOIN applicant a
		WHERE o.phone_key = (SELECT s.phone_key FROM applicant_search s WHERE s.applicant_id = $1) AND o.phone_key <> ''
		AND a.id = o.applicant_id AND a.visible AND o.applicant_id <> $1 ORDER BY 1`, applicant)
}

// CountApplicationsOf returns how many visible applications each applicant has.
func (tx *Tx) CountApplicationsOf(applicants []int64) (map[int64]int64, error) {
	counts := map[int64]int64{}
	err := each(tx.query("SELECT applicant_id, count(*) FROM application WHERE "+tx.dialect.in("applicant_id", 1)+
		" AND visible GROUP BY applicant_id", applicants), func(r *db.Rows) { counts[r.Int64(0)] = r.Int64(1) })
	return counts, err
}
