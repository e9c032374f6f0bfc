package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/admitto/admitto/internal/store/db"
)

// filledAtOnce is how many applicants one transaction of IndexEverybody works on: the words of so many are sorted,
// which is what makes it fast.
const filledAtOnce = 20_000

// IndexEverybody indexes all applicants of a database in which none is indexed, and that nobody else works on.
func (s *Store) IndexEverybody(ctx context.Context) error {
	for after, more := int64(0), true; more; {
		from := after
		err := s.Write(ctx, func(tx *Tx) error {
			ids, err := tx.ids("SELECT id FROM applicant WHERE id > $1 ORDER BY id LIMIT $2", from, filledAtOnce)
			if more = len(ids) > 0; err != nil || !more {
				return err
			}
			after = ids[len(ids)-1]
			return tx.fillSearch(ids)
		})
		if err != nil {
			return err
		}
	}
	return s.Write(ctx, func(tx *Tx) error {
		for _, key := range []string{"person_key", "phone_key"} {
			_, err := tx.exec(`UPDATE applicant_search SET twin = TRUE WHERE ` + key + ` IN (SELECT s.` + key +
				` FROM applicant_search s
				JOIN applicant a ON a.id = s.applicant_id WHERE a.visible AND s.` + key + ` <> '' GROUP BY s.` + key + ` HAVING count(*) > 1)
				AND EXISTS (SELECT 1 FROM applicant v WHERE v.id = applicant_search.applicant_id AND v.visible)`)
			if err != nil {
				return err
			}
		}
		_, err := tx.exec("DELETE FROM search_due")
		return err
	})
}

// fillSearch writes the entries of applicants that have none.
func (tx *Tx) fillSearch(ids []int64) error {
	entries, err := tx.searchEntries(ids)
	if err != nil {
		return err
	}
	type found struct {
		word      string
		applicant int64
	}
	var all []found
	keys := make([]*searchEntry, len(ids))
	for i, id := range ids {
		keys[i] = entries[id]
		for _, word := range entries[id].words {
			all = append(all, found{word, id})
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.applicant, b.applicant))
	})
	if tx.dialect.engine == db.PostgreSQL {
		return tx.fillFromArrays(ids, keys, func(yield func(string, int64) bool) {
			for _, f := range all {
				if !yield(f.word, f.applicant) {
					return
				}
			}
		})
	}
	err = tx.sql.Bulk("UPDATE applicant_search SET name_key = $2, person_key = $3, phone_key = $4, email_key = $5 WHERE applicant_id = $1",
		func(yield func([]any) bool) {
			for i, id := range ids {
				if k := keys[i]; !yield([]any{id, k.name, k.person, k.phone, k.email}) {
					return
				}
			}
		})
	if err != nil {
		return err
	}
	return tx.sql.Bulk("INSERT INTO applicant_word (word, applicant_id) VALUES ($1, $2) ON CONFLICT (word, applicant_id) DO NOTHING",
		func(yield func([]any) bool) {
			row := make([]any, 2)
			for _, f := range all {
				if row[0], row[1] = f.word, f.applicant; !yield(row) {
					return
				}
			}
		})
}

// fillFromArrays is fillSearch in one statement for each table, as only PostgreSQL can.
func (tx *Tx) fillFromArrays(ids []int64, keys []*searchEntry, words func(yield func(string, int64) bool)) error {
	var names, persons, phones, emails, texts []string
	var owners []int64
	for _, k := range keys {
		names, persons = append(names, k.name), append(persons, k.person)
		phones, emails = append(phones, k.phone), append(emails, k.email)
	}
	for word, applicant := range words {
		texts, owners = append(texts, word), append(owners, applicant)
	}
	_, err := tx.exec(`UPDATE applicant_search s SET name_key = u.name, person_key = u.person, phone_key = u.phone, email_key = u.email
		FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) u (id, name, person, phone, email)
		WHERE s.applicant_id = u.id`, ids, names, persons, phones, emails)
	if err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO applicant_word (word, applicant_id) SELECT u.word, u.id FROM unnest($1::text[], $2::bigint[]) u (word, id)
		ON CONFLICT (word, applicant_id) DO NOTHING`, texts, owners)
	return err
}
