package store

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// SaveTracker stores a tracker that is there.
func (tx *Tx) SaveTracker(t *admitto.Tracker) ([]admitto.Detail, error) {
	return saved(tx, columns.Tracker, &t.ID, t)
}

// SaveFlag stores a flag that is there.
func (tx *Tx) SaveFlag(f *admitto.Flag) ([]admitto.Detail, error) {
	return saved(tx, columns.Flag, &f.ID, f)
}

// TrackerWithCode is the tracker with a code, whatever its letter case; 0 for none.
func (tx *Tx) TrackerWithCode(code string) (int64, error) {
	return tx.number("SELECT id FROM tracker WHERE code_key = $1", columns.CodeKey(code))
}

// FlagWithName is the flag with a name, whatever its letter case; 0 for none.
func (tx *Tx) FlagWithName(name string) (int64, error) {
	return tx.number("SELECT id FROM flag WHERE name_key = $1", columns.CodeKey(name))
}

// OfferTypeWithTitle is the offer type with a title, whatever its letter case; 0 for none.
func (tx *Tx) OfferTypeWithTitle(title string) (int64, error) {
	return tx.number("SELECT id FROM offer_type WHERE title_key = $1", columns.CodeKey(title))
}

// TrackerUse is how many applicants each tracker has been set on.
func (tx *Tx) TrackerUse() (map[int64]int64, error) {
	return tx.uses("SELECT tracker_id, count(*) FROM applicant_tracker GROUP BY tracker_id")
}

// FlagUse is how many applications carry each flag.
func (tx *Tx) FlagUse() (map[int64]int64, error) {
	return tx.uses("SELECT flag_id, count(*) FROM application_flag GROUP BY flag_id")
}

// CourseUse is how many visible applications name each of the courses; those of none are not in it.
func (tx *Tx) CourseUse(courses []int64) (map[int64]int64, error) {
	these := tx.dialect.in("x.course_id", 1)
	return tx.uses(`SELECT course_id, CAST(sum(n) AS bigint) FROM (
		SELECT x.course_id, count(*) AS n FROM application_course x`+tx.dialect.by("application_course_course")+`
			WHERE `+these+` GROUP BY x.course_id
		UNION ALL
		SELECT x.course_id, -count(*) FROM application a`+tx.dialect.by("application_hidden")+`
			JOIN application_course x ON x.application_id = a.id WHERE NOT a.visible AND `+these+` GROUP BY x.course_id
		) u GROUP BY course_id HAVING sum(n) > 0`, courses)
}

// OfferTypeUse is how many offers were confirmed with each type.
func (tx *Tx) OfferTypeUse() (map[int64]int64, error) {
	return tx.uses(`SELECT type_confirmed_id, count(*) FROM offer WHERE type_confirmed_id IS NOT NULL
		GROUP BY type_confirmed_id`)
}

func (tx *Tx) uses(sql string, args ...any) (map[int64]int64, error) {
	use := map[int64]int64{}
	err := each(tx.query(sql, args...), func(r *db.Rows) { use[r.Int64(0)] = r.Int64(1) })
	return use, err
}

// SaveOfferType stores an offer type with its reasons. A reason that an offer has stays.
func (tx *Tx) SaveOfferType(t *admitto.OfferType) ([]admitto.Detail, error) {
	if err := tx.placeOfferType(t); err != nil {
		return nil, err
	}
	changes, err := saved(tx, columns.OfferType, &t.ID, t)
	if err != nil {
		return nil, err
	}
	all, err := tx.ReasonsOf([]int64{t.ID})
	if err != nil {
		return nil, err
	}
	var was, now []string
	for _, reason := range all[t.ID] {
		was = append(was, reason.Reason)
		if !slices.ContainsFunc(t.Reasons, func(r admitto.OfferReason) bool { return r.Reason == reason.Reason }) {
			_, err = tx.exec("DELETE FROM offer_reason WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM offer WHERE reason_id = $1)",
				reason.ID)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, reason := range t.Reasons {
		if now = append(now, reason.Reason); !slices.Contains(was, reason.Reason) {
			_, err = tx.exec("INSERT INTO offer_reason (offer_type_id, reason) VALUES ($1, $2)", t.ID, reason.Reason)
		}
		if err != nil {
			return nil, err
		}
	}
	if slices.Equal(was, now) {
		return changes, nil
	}
	return append(changes, admitto.Detail{Path: "/reasons", Old: string(columns.JSON(was)),
		New: string(columns.JSON(now))}), nil
}

// KeptConsents returns the consents as staff keep them, by ID, with how many applicants have decided and
// how many there are.
func (tx *Tx) KeptConsents() (list []admitto.KeptConsent, err error) {
	err = each(tx.query("SELECT "+columns.KeptConsent.Select("")+" FROM consent ORDER BY id"), func(r *db.Rows) {
		list = append(list, scanned(columns.KeptConsent, r))
	})
	if err != nil {
		return nil, err
	}
	err = each(tx.query(`SELECT d.consent_id, d.decision, count(*) FROM consent_decision d JOIN consent c
		ON c.id = d.consent_id AND c.version = d.version JOIN applicant a ON a.id = d.applicant_id AND a.visible GROUP BY d.consent_id, d.decision`), func(r *db.Rows) {
		for i := range list {
			switch {
			case list[i].ID != r.Int64(0):
			case r.Text(1) == "Accept":
				list[i].Accepted = r.Int64(2)
			default:
				list[i].Rejected = r.Int64(2)
			}
		}
	})
	if err != nil || len(list) == 0 {
		return list, err
	}
	applicants, err := tx.number("SELECT count(*) FROM applicant WHERE visible")
	for i := range list {
		list[i].Applicants = applicants
	}
	return list, err
}

// SaveConsent stores a consent.
func (tx *Tx) SaveConsent(c *admitto.KeptConsent) ([]admitto.Detail, error) {
	return saved(tx, columns.KeptConsent, &c.ID, c)
}

// KeepDecisions lets the decisions on the version before hold for the new one.
func (tx *Tx) KeepDecisions(consent, version int64) error {
	_, err := tx.exec("UPDATE consent_decision SET version = $2 WHERE consent_id = $1", consent, version)
	return err
}

// SaveSeries stores a series of invoices. There is one default.
func (tx *Tx) SaveSeries(s *admitto.Series) ([]admitto.Detail, error) {
	changes, err := saved(tx, columns.Series, &s.ID, s)
	if err == nil && s.Default && len(changes) > 0 {
		_, err = tx.exec("UPDATE invoice_series SET is_default = FALSE WHERE id <> $1 AND is_default", s.ID)
	}
	return changes, err
}
