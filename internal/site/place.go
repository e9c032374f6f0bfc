package site

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/ui"
)

// Names of the place in a list that a card was opened from. ListName is a parameter of cards; its value is the query of
// the list, with the others in it.
const (
	ListName = "list"
	rowName  = "row"
	nearName = "near"
	fromName = "from"
	ofName   = "of"
)

// ListPlace is the place in a list of the record that a card shows, as the address of the card says it.
type ListPlace struct {
	List   string // the route of the list; "" for the usual one of such cards
	Query  string // of the address of the list
	Row    int    // counted from 1 over all pages, 0 where it is not known
	Record int64  // that the row is about, where the card is that of another one; 0 otherwise
	// near are the records before and after, 0 for none, once they were found: what is done on the card may put the
	// record elsewhere in the list, or out of it, and the way through the list stays the same.
	near  [2]int64
	found bool
}

// ListPlace is what the address says; ok is false for a card that was opened from no list.
func (r *Request) ListPlace() (p ListPlace, ok bool) { return placeOf(r.URL.Query().Get(ListName)) }

func placeOf(list string) (p ListPlace, ok bool) {
	values, err := url.ParseQuery(list)
	if list == "" || err != nil {
		return p, false
	}
	if n, err := strconv.Atoi(values.Get(rowName)); err == nil && n > 0 {
		p.Row = min(n, deepest*pageSizes[len(pageSizes)-1])
	}
	p.List = values.Get(fromName)
	if n, err := strconv.ParseInt(values.Get(ofName), 10, 64); err == nil && n > 0 {
		p.Record = n
	}
	before, after, two := strings.Cut(values.Get(nearName), ".")
	previous, err := strconv.ParseInt(before, 10, 64)
	next, err2 := strconv.ParseInt(after, 10, 64)
	if two && cmp.Or(err, err2) == nil && previous >= 0 && next >= 0 {
		p.near, p.found = [2]int64{previous, next}, true
	}
	for _, name := range []string{rowName, nearName, fromName, ofName, "page"} {
		values.Del(name)
	}
	p.Query = values.Encode()
	return p, true
}

// Address is what the address of a card ends with, so that it leads on through the list.
func (p ListPlace) Address() string {
	values, err := url.ParseQuery(p.Query)
	if err != nil {
		values = url.Values{}
	}
	values.Set(rowName, strconv.Itoa(p.Row))
	if p.List != "" {
		values.Set(fromName, p.List)
	}
	if p.Record != 0 {
		values.Set(ofName, strconv.FormatInt(p.Record, 10))
	}
	if p.found {
		values.Set(nearName, fmt.Sprintf("%d.%d", p.near[0], p.near[1]))
	}
	return "?" + url.Values{ListName: {values.Encode()}}.Encode()
}

// LeadThrough leads from the card of a record to those before and after it in a list, and back to its row in the list,
// which is the named one on the way. find returns the records before and after this one, 0 for none; at is the address
// of a card, "" for one that is gone.
func (r *Request) LeadThrough(p ListPlace, record int64, list *View, crumb string,
	find func() (previous, next int64, err error), at func(id int64) (string, error)) (err error) {
	r.LeadCrumb(crumb, list.atRow(p.Row)+"#"+ui.RowPlace(strconv.FormatInt(record, 10)))
	if !p.found {
		if p.near[0], p.near[1], err = find(); err != nil {
			return err
		}
		p.found = true
	}
	step := func(id int64, by int) string {
		if id == 0 || err != nil {
			return ""
		}
		var card string
		if card, err = at(id); card == "" {
			return ""
		}
		to := ListPlace{List: p.List, Query: p.Query}
		if p.Record != 0 {
			to.Record = id
		}
		if p.Row != 0 {
			to.Row = max(p.Row+by, 1)
		}
		return card + to.Address()
	}
	r.near = Neighbours{step(p.near[0], -1), step(p.near[1], 1)}
	r.carry = p.Address()
	return err
}

// PartOf says of which record of a list the page shows a part.
func (r *Request) PartOf(record int64) { r.whole = strconv.FormatInt(record, 10) }

// Within is the address of another page of the record that this page is about, or of a part of it: it leads on through
// the same list.
func (r *Request) Within(name string, values ...any) string {
	route := r.route(name)
	return route.address(values...) + r.carried(route, values)
}

// Keeping adds to an address of ours the list that the record of this page was opened from: for pages that are told by
// a parameter which record they are about.
func (r *Request) Keeping(address string) string {
	if list := r.URL.Query().Get(ListName); list != "" {
		return Add(address, ListName, list)
	}
	return address
}

// carried is what the address of another page ends with, "" for a page of another record.
func (r *Request) carried(route *Route, values []any) string {
	if r.current == nil || !route.InList || !r.current.InList || len(values) == 0 {
		return ""
	}
	here := r.PathValue("id")
	if r.current.Part && !route.Part {
		here = r.whole
	}
	if intoPart := route.Part && !r.current.Part; !intoPart && fmt.Sprint(values[0]) != here {
		return ""
	}
	if r.carry != "" {
		return r.carry
	}
	if list := r.URL.Query().Get(ListName); list != "" {
		return "?" + url.Values{ListName: {list}}.Encode()
	}
	return ""
}

// Add adds a parameter to an address of ours, which may have others and name a place on the page.
func Add(address, name, value string) string {
	before, place, there := strings.Cut(address, "#")
	sign := "?"
	if strings.Contains(before, "?") {
		sign = "&"
	}
	before += sign + url.Values{name: {value}}.Encode()
	if there {
		before += "#" + place
	}
	return before
}

// atRow is the address of the page of the list that a row is on.
func (v *View) atRow(row int) string {
	if page := (row-1)/v.Size + 1; row > 0 && page > 1 {
		return withPage(v.With(), page)
	}
	return v.With()
}

// Row is the number of a row of the page, counted from 1 over all pages.
func (v *View) Row(i int) int { return v.Offset() + i + 1 }
