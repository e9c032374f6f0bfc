package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/text"
)

// Triggers put applicants into search_due whenever something changes that they are found by: their own fields, or the
// birth date in an application. Who takes them out writes what applicant_search and applicant_word say of them. Writes
// of this package that people look for at once do it in their own transaction, too.

// searchDueAtOnce is how many entries one transaction works on.
const searchDueAtOnce = 500

// indexLater notes that what an applicant is found by changes in this transaction, at the end of which it is written.
func (tx *Tx) indexLater(applicant int64) { tx.unindexed = append(tx.unindexed, applicant) }

// IndexDue indexes applicants that are due, and reports how many entries it took: 0 when none is left that nobody else
// works on.
func (tx *Tx) IndexDue() (int, error) {
	var entries, ids []int64
	err := each(tx.query("SELECT id, applicant_id FROM search_due ORDER BY id LIMIT $1"+tx.dialect.skipLocked,
		searchDueAtOnce), func(r *db.Rows) { entries, ids = append(entries, r.Int64(0)), append(ids, r.Int64(1)) })
	if err != nil || len(entries) == 0 {
		return 0, err
	}
	if err := tx.indexApplicants(ids); err != nil {
		return 0, err
	}
	_, err = tx.exec("DELETE FROM search_due WHERE "+tx.dialect.in("id", 1), entries)
	return len(entries), err
}

// IndexApplicants indexes all applicants that are due, in portions.
func (s *Store) IndexApplicants(ctx context.Context) error {
	for {
		var n int
		err := s.Read(ctx, func(tx *Tx) error {
			due, err := tx.number("SELECT count(*) FROM (SELECT 1 FROM search_due LIMIT 1) u")
			n = int(due)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
		err = s.Write(ctx, func(tx *Tx) (err error) {
			n, err = tx.IndexDue()
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// searchEntry is what an applicant is found by.
type searchEntry struct {
	name, email, person, phone string
	words                      []string
}

// indexApplicants writes what the applicants are found by, where it is another than before.
func (tx *Tx) indexApplicants(ids []int64) error {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	wanted, err := tx.searchEntries(ids)
	if err != nil {
		return err
	}
	written := map[int64]*searchEntry{}
	err = each(tx.query("SELECT applicant_id, name_key, person_key, phone_key, email_key FROM applicant_search WHERE "+
		tx.dialect.in("applicant_id", 1), ids), func(r *db.Rows) {
		written[r.Int64(0)] = &searchEntry{name: r.Text(1), person: r.Text(2), phone: r.Text(3), email: r.Text(4)}
	})
	if err != nil {
		return err
	}
	err = each(tx.query("SELECT applicant_id, word FROM applicant_word WHERE "+tx.dialect.in("applicant_id", 1)+
		" ORDER BY applicant_id, word", ids), func(r *db.Rows) {
		if e := written[r.Int64(0)]; e != nil {
			e.words = append(e.words, r.Text(1))
		}
	})
	if err != nil {
		return err
	}
	var changed, added, removed [][]any
	var persons, phones []string
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		w, is := wanted[id], written[id]
		if is == nil {
			continue // erased meanwhile
		}
		if w.name != is.name || w.person != is.person || w.phone != is.phone || w.email != is.email {
			changed = append(changed, []any{id, w.name, w.person, w.phone, w.email})
		}
		persons, phones = append(persons, w.person, is.person), append(phones, w.phone, is.phone)
		for _, word := range w.words {
			if _, has := slices.BinarySearch(is.words, word); !has {
				added = append(added, []any{word, id})
			}
		}
		for _, word := range is.words {
			if !slices.Contains(w.words, word) {
				removed = append(removed, []any{word, id})
			}
		}
	}
	slices.SortFunc(added, func(a, b []any) int { return cmp.Compare(a[0].(string), b[0].(string)) })
	for _, step := range []struct {
		sql  string
		rows [][]any
	}{
		{"UPDATE applicant_search SET name_key = $2, person_key = $3, phone_key = $4, email_key = $5 WHERE applicant_id = $1",
			changed},
		{"DELETE FROM applicant_word WHERE word = $1 AND applicant_id = $2", removed},
		{"INSERT INTO applicant_word (word, applicant_id) VALUES ($1, $2) ON CONFLICT (word, applicant_id) DO NOTHING",
			added},
	} {
		if err := tx.bulk(step.sql, step.rows); err != nil {
			return err
		}
	}
	return tx.markTwins(ids, persons, phones)
}

// isTwin is the condition that s, of a visible applicant, shares a key with another visible one.
const isTwin = `EXISTS (SELECT 1 FROM applicant v WHERE v.id = s.applicant_id AND v.visible) AND (
	s.person_key <> '' AND EXISTS (SELECT 1 FROM applicant_search o CROSS JOIN applicant a WHERE a.id = o.applicant_id AND a.visible
		AND o.person_key = s.person_key AND o.person_key <> '' AND o.applicant_id <> s.applicant_id)
	OR s.phone_key <> '' AND EXISTS (SELECT 1 FROM applicant_search o CROSS JOIN applicant a WHERE a.id = o.applicant_id AND a.visible
		AND o.phone_key = s.phone_key AND o.phone_key <> '' AND o.applicant_id <> s.applicant_id))`

// markTwins finds out again who is a possible duplicate, after the keys of the applicants ids have changed from or to
// those given. Where two others share a key, as an agent's telephone, nothing changes for anybody else who has it:
// those are not looked at, however many they are.
func (tx *Tx) markTwins(ids []int64, persons, phones []string) error {
	if err := tx.markTwinsWhere(tx.dialect.in("s.applicant_id", 1), ids); err != nil {
		return err
	}
	for _, key := range []struct {
		column string
		values []string
	}{{"person_key", persons}, {"phone_key", phones}} {
		slices.Sort(key.values)
		values := slices.DeleteFunc(slices.Compact(key.values), func(v string) bool { return v == "" })
		if len(values) == 0 {
			continue
		}
		column := "o." + key.column
		var few []string
		err := each(tx.query("SELECT v.value FROM "+tx.dialect.values(1, "text")+` WHERE (SELECT count(*) FROM (SELECT 1
			FROM applicant_search o CROSS JOIN applicant a WHERE a.id = o.applicant_id AND a.visible AND `+column+" = v.value AND "+
			column+" <> '' AND NOT ("+tx.dialect.in("o.applicant_id", 2)+") LIMIT 2) u) < 2", values, ids),
			func(r *db.Rows) { few = append(few, r.Text(0)) })
		if err != nil {
			return err
		}
		if len(few) == 0 {
			continue
		}
		if err := tx.markTwinsWhere(tx.dialect.in("s."+key.column, 1)+" AND s."+key.column+" <> ''", few); err != nil {
			return err
		}
	}
	return nil
}

// markTwinsWhere finds out for the entries s of a condition, which has one parameter, whether they are possible
// duplicates.
func (tx *Tx) markTwinsWhere(condition string, value any) error {
	var set, unset []int64
	err := each(tx.query("SELECT s.applicant_id, s.twin FROM applicant_search s WHERE "+condition+" AND s.twin <> ("+
		isTwin+")", value), func(r *db.Rows) {
		if r.Bool(1) {
			unset = append(unset, r.Int64(0))
		} else {
			set = append(set, r.Int64(0))
		}
	})
	for _, part := range []struct {
		ids  []int64
		twin bool
	}{{set, true}, {unset, false}} {
		if err == nil && len(part.ids) > 0 {
			slices.Sort(part.ids)
			_, err = tx.exec("UPDATE applicant_search SET twin = $1 WHERE "+tx.dialect.in("applicant_id", 2), part.twin,
				part.ids)
		}
	}
	return err
}

// searchEntries makes what applicants are found by from their fields.
func (tx *Tx) searchEntries(ids []int64) (map[int64]*searchEntry, error) {
	births, err := tx.births(ids)
	if err != nil {
		return nil, err
	}
	entries := map[int64]*searchEntry{}
	own := columns.Applicant.Width()
	err = each(tx.query("SELECT "+applicantColumns+", a.email_key FROM applicant a WHERE "+tx.dialect.in("a.id", 1)+
		" ORDER BY a.id"+tx.dialect.forShare, ids),
		func(r *db.Rows) {
			var a admitto.Applicant
			scanApplicant(r, &a)
			entries[a.ID] = searchEntryOf(&a, r.Text(own), births[a.ID])
		})
	return entries, err
}

func searchEntryOf(a *admitto.Applicant, emailKey, birth string) *searchEntry {
	n := &a.Name
	e := &searchEntry{email: emailKey, phone: text.PhoneKey(a.Phone)}
	e.name = text.Fold(strings.Join([]string{n.Family, n.Given, n.Middle, n.Legal}, " "))
	names := text.Words(strings.Join([]string{n.Given, n.Middle, n.Family, n.Legal}, " "))
	if birth != "" && len(names) > 0 {
		e.person = strings.Join(slices.Sorted(slices.Values(names)), " ") + " " + birth
	}
	e.words = slices.Concat(names, text.Words(n.Parent), text.EmailWords(emailKey), text.PhoneWords(e.phone),
		[]string{text.Fold(a.Reference), text.Fold(a.Matriculation)})
	slices.Sort(e.words)
	e.words = slices.DeleteFunc(slices.Compact(e.words), func(w string) bool { return w == "" })
	return e
}

// births returns the birth dates of applicants by their latest application that says one.
func (tx *Tx) births(ids []int64) (map[int64]string, error) {
	births := map[int64]string{}
	err := each(tx.query("SELECT a.applicant_id, "+tx.dialect.birthDate("c.content")+` FROM application a
		CROSS JOIN application_content c WHERE c.application_id = a.id AND `+tx.dialect.in("a.applicant_id", 1)+
		" ORDER BY a.applicant_id, a.id", ids), func(r *db.Rows) {
		if birth := r.Text(1); birth != "" {
			births[r.Int64(0)] = birth
		}
	})
	return births, err
}
