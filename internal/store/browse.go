package store

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// A list that people page through in an order of their choice is read in one of three ways:
//
//	narrow   one of its conditions has few rows: all of them are found by the index of that condition, checked for the
//	         others and sorted
//	counted  one has at most a third of all rows: the matches are found along the index of that condition, up to
//	         countedTo; when these are all, they are sorted
//	wide     otherwise: the rows are walked in the order of the list, by the index of the order, and checked one by one
//	         until the page is full; as many match, that is soon. When the first nearBy rows do not fill it, as with last
//	         year's among the newest, all matches are found by the condition with the fewest rows and sorted after all.
//	         They are counted among the newest rows
//
// Which condition is narrow is found out by counting its rows in its index, up to a bound. It is at least narrowest,
// and grows with the walk: to count up to countedTo matches on a walk of w rows, where a condition has n of them, takes
// at least countedTo * w / n rows, which is more than n while n is below the root of countedTo * w.

var (
	narrowest int64 = 20_000 // twice countedTo; tests set it
	nearBy    int64 = 20_000 // tests set it
)

const (
	// countedTo is how far matches are counted where no counter says how many there are.
	countedTo = 10_000
	// countedAmong is among how many rows matches are counted at most, when no condition drives the list.
	countedAmong = 100_000
	// narrowEnough ends the search for the narrowest condition.
	narrowEnough = 1000
	// deeper is how much further conditions are counted when none is narrow.
	deeper = 16
)

// listing is a list of the table, whose rows are a.
type listing struct {
	tx      *Tx
	table   string
	page    admitto.BrowsePage
	drivers []driver
	// begin returns a builder for one statement, and the text of all conditions with it, but for those that the driver has
	// checked.
	begin func(*driver) (b *listBuilder, where string)
	order order
	exact func() (n int64, known bool, err error) // the number of matches, if counters know it
	// walked returns how many rows there are on the walk, or a few more.
	walked func() (int64, error)
	// byID writes what stands after FROM to walk the same rows by ID, with its own conditions.
	byID func(b *listBuilder) string
	// newest returns about the ID behind which the n newest of all rows of that walk are.
	newest func(n, all int64) (int64, error)
}

// driver is a condition as what stands after FROM to find all that meets it; key is the ID of the row of the list.
// Where it finds people, they are counted in place of their applications, which takes one index.
type driver struct {
	key    string
	from   func(b *listBuilder) string
	people func(b *listBuilder) string // what stands after FROM to find the applicants whose applications these are
	met    bool                        // all that is found meets the other conditions, too
	rest   *admitto.ApplicationQuery   // what is to be checked of applications; nil: all
}

// order is how a list is sorted. Its columns are unique together; the last one is the ID.
type order struct {
	columns []string
	text    bool                        // the first column is one
	walk    func(b *listBuilder) string // what stands after FROM to walk all rows in the order, with its own conditions
	join    string                      // what stands behind the table a to have the columns, with the condition joined
	joined  string
}

// Total is how many rows a list has; of many it may be known only that there are more than N.
type Total struct {
	N    int64
	More bool
}

// fewest returns the driver with the fewest rows, and how many these are; nil when all have more than the bound, or
// than joined where it finds people. All are counted a little at first and then further, as the first ones may be
// the widest.
func (l *listing) fewest(bound, joined int64) (best *driver, least int64, err error) {
	for done, to := int64(-1), min(narrowEnough, bound); done < bound; done, to = to, min(to*deeper, bound) {
		least = to + 1
		for i := range l.drivers {
			d := &l.drivers[i]
			below := least
			rows := d.from
			if d.people != nil {
				below, rows = min(below, joined+1), d.people
			}
			if below <= done+1 {
				continue // it is known to have more
			}
			b := &listBuilder{tx: l.tx}
			from := rows(b)
			n, err := l.tx.number(fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM %s LIMIT $%d) u", from, b.arg(below)),
				b.args...)
			if err != nil {
				return nil, 0, err
			}
			if n < below {
				least, best = n, d
			}
			if best != nil && least <= narrowEnough {
				break
			}
		}
		if best != nil {
			break
		}
	}
	return best, least, nil
}

// choice is how a list is read.
type choice struct {
	driver *driver // nil: it is walked
	far    *driver // of one that is walked, if it is known by then: what finds matches that are far
	total  *Total  // when it is known by then
}

// choose finds out how the list is read. Where counters know that there are many matches, none can be narrower. Rows
// that nobody counts are worth less looking for.
func (l *listing) choose(counted bool) (c choice, err error) {
	if n, known, err := l.exact(); err != nil || known && n > narrowest {
		return c, err
	}
	if !counted {
		c.driver, _, err = l.fewest(narrowest, narrowest)
		return c, err
	}
	walked, err := l.walked()
	if err != nil {
		return c, err
	}
	bound := max(narrowest, int64(math.Sqrt(float64(walked)*float64(narrowest)/2)))
	most := bound
	if narrowest > 0 {
		most = max(bound, walked/3)
	}
	d, n, err := l.fewest(most, bound)
	if err != nil || d == nil || n <= bound {
		return choice{driver: d}, err
	}
	ids, err := l.matches(d)
	if err != nil {
		return c, err
	}
	if len(ids) > countedTo {
		return choice{far: d, total: &Total{N: countedTo, More: true}}, nil
	}
	return choice{driver: &driver{key: "v.value", met: true, from: func(b *listBuilder) string {
		return l.tx.dialect.values(b.arg(ids), "bigint")
	}}, total: &Total{N: int64(len(ids))}}, nil
}

// matches returns the IDs of the matches along a driver in no order, at most one more than countedTo.
func (l *listing) matches(d *driver) (ids []int64, err error) {
	b, sql := l.source(d, false)
	ids, err = l.tx.ids(fmt.Sprintf("SELECT a.id FROM %s LIMIT $%d", sql, b.arg(countedTo+1)), b.args...)
	if ids == nil {
		ids = []int64{} // not nil: an empty list is a list
	}
	return ids, err
}

// source writes what stands after FROM, with all conditions: narrow by a driver, or a walk without one.
func (l *listing) source(d *driver, sorted bool) (*listBuilder, string) {
	b, where := &listBuilder{tx: l.tx}, ""
	if d == nil || !d.met {
		b, where = l.begin(d)
	}
	switch {
	case d == nil:
		return b, l.order.walk(b) + where
	case !sorted || l.order.join == "":
		return b, fmt.Sprintf("(SELECT DISTINCT %s AS id FROM %s) m CROSS JOIN %s a%s WHERE a.id = m.id AND a.visible%s",
			d.key,
			d.from(b), l.table, l.tx.dialect.byID(), where)
	}
	return b, fmt.Sprintf("(SELECT DISTINCT %s AS id FROM %s) m CROSS JOIN %s a%s CROSS JOIN %s WHERE a.id = m.id AND a.visible AND %s%s",
		d.key, d.from(b), l.table, l.tx.dialect.byID(), l.order.join, l.order.joined, where)
}

// ids returns the IDs of the rows of the page in their order, at most one more than its rows, and how many matches
// there are in all, -1 when it is not known.
func (l *listing) ids(c choice) (ids []int64, total int64, err error) {
	if c.driver != nil {
		return l.along(c.driver, nil)
	}
	end, err := l.nearEnd()
	if err != nil {
		return nil, -1, err
	}
	ids, total, err = l.along(nil, end)
	if err != nil || end == nil || len(ids) > l.page.Rows {
		return ids, total, err
	}
	if c.far == nil && narrowest > 0 {
		all, err := l.walked()
		if err != nil {
			return nil, -1, err
		}
		if c.far, _, err = l.fewest(all, all); err != nil {
			return nil, -1, err
		}
	}
	return l.along(c.far, nil)
}

// nearEnd returns the place of the last of the nearBy rows where the walk of the page begins; nil when it has no more.
func (l *listing) nearEnd() (place []any, err error) {
	if len(l.drivers) == 0 || l.page.Skip > 0 {
		return nil, nil
	}
	b := &listBuilder{tx: l.tx}
	from := l.order.walk(b)
	behind, err := l.behind(b)
	if err != nil {
		return nil, err
	}
	columns := l.order.columns
	return l.place(fmt.Sprintf("SELECT %s FROM %s%s ORDER BY %s%s LIMIT 1 OFFSET $%d", strings.Join(columns, ", "), from,
		behind, strings.Join(columns, l.direction()+", "), l.direction(), b.arg(nearBy)), b.args...)
}

// direction is the one in which the rows of the page are found.
func (l *listing) direction() string {
	if l.page.Descending != (l.page.Before != 0) {
		return " DESC"
	}
	return ""
}

// along is ids by a driver or by the walk, up to a place unless that is nil. All matches of a driver are found for
// that.
func (l *listing) along(d *driver, end []any) (ids []int64, total int64, err error) {
	p := &l.page
	b, sql := l.source(d, true)
	behind, err := l.behind(b)
	if err != nil {
		return nil, -1, err
	}
	sql += behind
	if end != nil {
		sql += l.beyond(b, end, l.direction() != "")
	}
	if d == nil {
		sql = fmt.Sprintf("SELECT a.id, -1 FROM %s ORDER BY %s%s", sql, strings.Join(l.order.columns, l.direction()+", "),
			l.direction())
	} else {
		sql = l.sorted(sql)
	}
	sql += fmt.Sprintf(" LIMIT $%d", b.arg(p.Rows+1))
	if p.Skip > 0 {
		sql += fmt.Sprintf(" OFFSET $%d", b.arg(p.Skip))
	}
	total = -1
	err = each(l.tx.query(sql, b.args...), func(r *db.Rows) { ids, total = append(ids, r.Int64(0)), r.Int64(1) })
	if p.Before != 0 {
		slices.Reverse(ids)
	}
	return ids, total, err
}

// sorted writes the statement of the matches in order, and how many they are where nothing precedes the page, else -1.
// They are found first: a planner that sees the LIMIT hopes to be done before it has them all, and walks the table.
func (l *listing) sorted(matches string) string {
	all, names := make([]string, len(l.order.columns)), make([]string, len(l.order.columns))
	for i, column := range l.order.columns {
		names[i] = fmt.Sprintf("c%d", i)
		all[i] = column + " AS " + names[i]
	}
	count := "-1"
	if l.page.After == 0 && l.page.Before == 0 {
		count = "(SELECT count(*) FROM u)"
	}
	return fmt.Sprintf("WITH u AS MATERIALIZED (SELECT %s FROM %s) SELECT %s, %s FROM u ORDER BY %s%s",
		strings.Join(all, ", "), matches, names[len(names)-1], count, strings.Join(names, l.direction()+", "),
		l.direction())
}

// behind is the condition that a row stands behind the one that the page comes after, or before the one that it comes
// before; "" without one. One that is not there has all rows behind it.
func (l *listing) behind(b *listBuilder) (string, error) {
	pivot := max(l.page.After, l.page.Before)
	if pivot == 0 {
		return "", nil
	}
	from, joined := l.table+" a", ""
	if l.order.join != "" {
		from, joined = from+" CROSS JOIN "+l.order.join, " AND "+l.order.joined
	}
	values, err := l.place("SELECT "+strings.Join(l.order.columns, ", ")+" FROM "+from+" WHERE a.id = $1"+joined, pivot)
	if err != nil || values == nil {
		return "", err
	}
	return l.beyond(b, values, l.direction() == ""), nil
}

// place reads what a row has in the columns of the order; nil when there is none.
func (l *listing) place(sql string, args ...any) (values []any, err error) {
	err = each(l.tx.query(sql, args...), func(r *db.Rows) {
		for i := range l.order.columns {
			if i == 0 && l.order.text {
				values = append(values, r.Text(i))
			} else {
				values = append(values, r.Int64(i))
			}
		}
	})
	return values, err
}

// beyond is the condition that a row stands at a higher place, or a lower one.
func (l *listing) beyond(b *listBuilder, place []any, higher bool) string {
	columns := l.order.columns
	places := make([]string, len(place))
	for i, v := range place {
		places[i] = fmt.Sprintf("$%d", b.arg(v))
	}
	sign := "<"
	if higher {
		sign = ">"
	}
	if len(columns) == 1 {
		return fmt.Sprintf(" AND %s %s %s", columns[0], sign, places[0])
	}
	// The first comparison is what the index begins with.
	return fmt.Sprintf(" AND %s %s= %s AND (%s) %s (%s)", columns[0], sign, places[0], strings.Join(columns, ", "), sign,
		strings.Join(places, ", "))
}

// total counts the matches.
func (l *listing) total(c choice) (t Total, err error) {
	if c.total != nil {
		return *c.total, nil
	}
	if n, known, err := l.exact(); known || err != nil {
		return Total{N: n}, err
	}
	if c.driver == nil {
		return l.count()
	}
	b, sql := l.source(c.driver, false)
	t.N, err = l.tx.number("SELECT count(*) FROM "+sql, b.args...)
	return t, err
}

// count counts the matches among the newest countedAmong rows, up to countedTo; where these are not all rows, there
// may be more.
func (l *listing) count() (t Total, err error) {
	all, err := l.walked()
	if err != nil {
		return t, err
	}
	b, where := l.begin(nil)
	from := l.byID(b) + where
	if all > countedAmong {
		after, err := l.newest(countedAmong, all)
		if err != nil {
			return t, err
		}
		from += fmt.Sprintf(" AND a.id > $%d", b.arg(after))
	}
	t.N, err = l.tx.number(fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM %s LIMIT $%d) u", from, b.arg(countedTo+1)),
		b.args...)
	if t.N > countedTo {
		return Total{N: countedTo, More: true}, err
	}
	t.More = all > countedAmong
	return t, err
}

// Listed is one page of a list: the IDs of its rows in their order, whether rows precede and follow, and how many
// there are in all.
type Listed struct {
	IDs        []int64
	Back, More bool
	Total      Total
}

// read reads the page; counted says that the total is wanted, too.
func (l *listing) read(counted bool) (page Listed, err error) {
	c, err := l.choose(counted)
	if err != nil {
		return page, err
	}
	var total int64
	if page.IDs, total, err = l.ids(c); err != nil {
		return page, err
	}
	p := &l.page
	page.Back = p.Skip > 0 || p.After != 0
	more := len(page.IDs) > p.Rows
	switch {
	case p.Before != 0:
		page.Back, page.More = more, true
		page.IDs = page.IDs[max(0, len(page.IDs)-p.Rows):]
	case more:
		page.More = true
		page.IDs = page.IDs[:p.Rows]
	}
	if !counted {
		return page, nil
	}
	if !page.Back && !page.More {
		page.Total.N = int64(len(page.IDs))
		return page, nil
	}
	if total >= 0 {
		page.Total.N = total
		return page, nil
	}
	page.Total, err = l.total(c)
	if page.Total.More { // what is shown is there
		page.Total.N = max(page.Total.N, p.Skip+int64(len(page.IDs)))
	}
	return page, err
}

// prefixEnd is the first text behind all that begin with a term.
func prefixEnd(term string) string { return term + "\U0010ffff" }

// hasWords is the condition that the applicant has words that begin with the terms.
func (b *listBuilder) hasWords(terms []string, applicant string) (sql string) {
	for _, term := range terms {
		sql += fmt.Sprintf(" AND EXISTS (SELECT 1 FROM applicant_word w WHERE w.applicant_id = %s AND w.word >= $%d AND w.word < $%d)",
			applicant, b.arg(term), b.arg(prefixEnd(term)))
	}
	return sql
}
