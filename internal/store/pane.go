package store

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// The filter pane counts the applications of a term by status, the frozen ones, and the submitted ones by the types of
// their offers. They are kept in blocks that are larger than others, since only sums over all of them are read.
const paneBlock = 16 * blockSize

const familyOffer = "offer"

func facetTermStatus(term int64, status admitto.ApplicationStatus) string {
	return fmt.Sprintf("b:%d:%s", term, status)
}

func facetFrozen(term int64) string { return "z:" + strconv.FormatInt(term, 10) }

// The states in which an application can have an offer of a type. It may have several.
const (
	offerUnconfirmed = "u"
	offerConfirmed   = "c"
	offerFinal       = "f"
	offerDeclined    = "d"
)

func facetOffer(term, kind int64, state string) string {
	return fmt.Sprintf("%d:%d:%s", term, kind, state)
}

// paneStates are the columns that say in which states an application has an offer o of a type.
const paneStates = `max(CASE WHEN coalesce(o.type_confirmed_id, 0) <> o.type_id THEN 1 ELSE 0 END) AS u,
	max(CASE WHEN o.type_confirmed_id = o.type_id THEN 1 ELSE 0 END) AS c,
	max(CASE WHEN o.decision = 'Final' THEN 1 ELSE 0 END) AS f, max(CASE WHEN o.decision = 'Declined' THEN 1 ELSE 0 END) AS d`

// countPane counts all that the pane shows, as the other counts are counted.
const countPane = ` UNION ALL SELECT 'application', 'b:' || academic_term_id || ':' || status, id / 16384, count(*), min(id), max(id)
	FROM application WHERE visible GROUP BY academic_term_id, status, id / 16384
	UNION ALL SELECT 'application', 'z:' || academic_term_id, id / 16384, count(*), min(id), max(id) FROM application
	WHERE visible AND coalesce(frozen, 0) <> 0 GROUP BY academic_term_id, id / 16384
	UNION ALL SELECT 'offer', m.term || ':' || m.type_id || ':' || k.state, m.id / 16384, count(*), min(m.id), max(m.id)
	FROM (SELECT a.academic_term_id AS term, o.type_id, a.id, ` + paneStates + `
		FROM application a JOIN offer o ON o.application_id = a.id WHERE a.visible AND a.submitted IS NOT NULL
		GROUP BY a.academic_term_id, o.type_id, a.id) m
	JOIN (SELECT 'u' AS state UNION ALL SELECT 'c' UNION ALL SELECT 'f' UNION ALL SELECT 'd') k
	ON k.state = 'u' AND m.u = 1 OR k.state = 'c' AND m.c = 1 OR k.state = 'f' AND m.f = 1 OR k.state = 'd' AND m.d = 1
	GROUP BY m.term, m.type_id, k.state, m.id / 16384`

// countFrozen counts a visible application as frozen.
func (tx *Tx) countFrozen(id, term, n int64) {
	tx.count(familyApplication, facetFrozen(term), id/paneBlock, id, n)
}

// offersChange notes that something is about to change by which offers of the applications are counted; they are
// counted at the end of the transaction. The applications must be locked.
func (tx *Tx) offersChange(applications ...int64) error {
	return noteBefore(&tx.offers, applications, tx.offerFacets)
}

// offerFacets returns what submitted, visible applications are counted by for their offers.
func (tx *Tx) offerFacets(applications []int64) (map[int64][]string, error) {
	facets := map[int64][]string{}
	err := each(tx.query("SELECT a.id, a.academic_term_id, o.type_id, "+paneStates+` FROM application a
		JOIN offer o ON o.application_id = a.id WHERE `+tx.dialect.in("a.id", 1)+` AND a.visible AND a.submitted IS NOT NULL
		GROUP BY a.id, a.academic_term_id, o.type_id`, applications), func(r *db.Rows) {
		id := r.Int64(0)
		for i, state := range []string{offerUnconfirmed, offerConfirmed, offerFinal, offerDeclined} {
			if r.Int64(3+i) == 1 {
				facets[id] = append(facets[id], facetOffer(r.Int64(1), r.Int64(2), state))
			}
		}
	})
	return facets, err
}

// countOffers counts the offers that have changed.
func (tx *Tx) countOffers() error {
	if len(tx.offers) == 0 {
		return nil
	}
	after, err := tx.offerFacets(slices.Sorted(maps.Keys(tx.offers)))
	if err != nil {
		return err
	}
	for id, before := range tx.offers {
		for _, facet := range before {
			if !slices.Contains(after[id], facet) {
				tx.count(familyOffer, facet, id/paneBlock, id, -1)
			}
		}
		for _, facet := range after[id] {
			if !slices.Contains(before, facet) {
				tx.count(familyOffer, facet, id/paneBlock, id, 1)
			}
		}
	}
	return nil
}

// sumFacets returns the sum of each of the facets that has one.
func (tx *Tx) sumFacets(family string, facets []string) (map[string]int64, error) {
	sums := map[string]int64{}
	err := each(tx.query("SELECT facet, CAST(sum(n) AS bigint) FROM "+tx.dialect.counts()+" WHERE family = $1 AND "+
		tx.dialect.in("facet", 2)+
		" AND block >= 0 GROUP BY facet", family, facets), func(r *db.Rows) { sums[r.Text(0)] = r.Int64(1) })
	return sums, err
}

// termsOf returns the term, or all for 0.
func (tx *Tx) termsOf(term int64) (ids []int64, err error) {
	if term != 0 {
		return []int64{term}, nil
	}
	terms, err := tx.Terms()
	for i := range terms {
		ids = append(ids, terms[i].ID)
	}
	return ids, err
}

// StatusCounts counts the applications of a term by their status; 0 is all terms.
func (tx *Tx) StatusCounts(term int64) (map[admitto.ApplicationStatus]int64, error) {
	counts := map[admitto.ApplicationStatus]int64{}
	terms, err := tx.termsOf(term)
	if err != nil {
		return nil, err
	}
	var facets []string
	for _, id := range terms {
		for _, status := range admitto.ApplicationStatuses() {
			facets = append(facets, facetTermStatus(id, status))
		}
	}
	sums, err := tx.sumFacets(familyApplication, facets)
	for facet, n := range sums {
		status := facet[strings.LastIndexByte(facet, ':')+1:]
		counts[admitto.ApplicationStatus(status)] += n
	}
	return counts, err
}

// FrozenCount counts the frozen applications of a term; 0 is all terms.
func (tx *Tx) FrozenCount(term int64) (int64, error) {
	terms, err := tx.termsOf(term)
	if err != nil {
		return 0, err
	}
	return tx.sumBlocks(familyApplication, facetsOf(terms, facetFrozen), 0, maxID)
}

// ExpiredCount counts the expired applications of a term (lifecycle.md 3.1); 0 is all terms. These are the ones of
// terms that are over, without those that have more time.
func (tx *Tx) ExpiredCount(term int64, today admitto.Date, now admitto.Time) (int64, error) {
	terms, err := tx.Terms()
	if err != nil {
		return 0, err
	}
	var over []int64
	var facets []string
	for i := range terms {
		t := &terms[i]
		if (term != 0 && t.ID != term) || t.Grace.IsZero() || !t.Grace.Before(today) {
			continue
		}
		over = append(over, t.ID)
		for _, status := range admitto.ApplicationStatuses() {
			facets = append(facets, facetTermStatus(t.ID, status))
		}
	}
	if len(over) == 0 {
		return 0, nil
	}
	all, err := tx.sumBlocks(familyApplication, facets, 0, maxID)
	if err != nil {
		return 0, err
	}
	longer, err := tx.number("SELECT count(*) FROM application a"+tx.dialect.by("application_grace")+
		" WHERE a.visible AND a.grace_override IS NOT NULL AND a.grace_override > $1 AND "+
		tx.dialect.in("a.academic_term_id + 0", 2),
		now, over)
	return all - longer, err
}

// OfferCount counts applications with an offer of a type: with the type not confirmed, confirmed, and decided.
type OfferCount struct{ Type, Unconfirmed, Confirmed, Final, Declined int64 }

// OfferCounts counts the submitted applications of a term by the types of their offers, by type; 0 is all terms.
func (tx *Tx) OfferCounts(term int64) (list []OfferCount, err error) {
	terms, err := tx.termsOf(term)
	if err != nil {
		return nil, err
	}
	types, err := tx.OfferTypes()
	if err != nil {
		return nil, err
	}
	states := []string{offerUnconfirmed, offerConfirmed, offerFinal, offerDeclined}
	var facets []string
	for _, id := range terms {
		for i := range types {
			for _, state := range states {
				facets = append(facets, facetOffer(id, types[i].ID, state))
			}
		}
	}
	sums, err := tx.sumFacets(familyOffer, facets)
	for i := range types {
		c := OfferCount{Type: types[i].ID}
		for _, id := range terms {
			for k, n := range []*int64{&c.Unconfirmed, &c.Confirmed, &c.Final, &c.Declined} {
				*n += sums[facetOffer(id, c.Type, states[k])]
			}
		}
		if c.Unconfirmed+c.Confirmed > 0 {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b OfferCount) int { return int(a.Type - b.Type) })
	return list, err
}
