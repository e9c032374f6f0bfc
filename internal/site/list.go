package site

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/ui"
)

// View is what the address of a list says: filters, order and page (screens.md U15). The address is the whole view.
type View struct {
	r     *Request
	path  string
	query url.Values
	Sort  string // one of the list's, the first of them by default
	Desc  bool
	Page  int // from 1
	Size  int // rows on a page
}

var pageSizes = []int{25, 50, 100, 250}

// deepest is the last page of a list: further rows are found by filters.
const deepest = 100_000

// View reads the address of a list that can be sorted by the names given, the first by default; desc says that it is
// sorted downwards by default.
func (r *Request) View(desc bool, sorts ...string) *View {
	return r.ViewAt(r.URL.Path, r.URL.RawQuery, desc, sorts...)
}

// ViewAt is View for a list at another address, which the one of the page names. What cannot be read there counts as
// nothing.
func (r *Request) ViewAt(path, query string, desc bool, sorts ...string) *View {
	values, err := url.ParseQuery(query)
	if err != nil {
		values = url.Values{}
	}
	v := &View{r: r, path: path, query: values, Page: 1, Size: 50, Desc: desc}
	if len(sorts) > 0 {
		v.Sort = sorts[0]
	}
	if sort := v.query.Get("sort"); slices.Contains(sorts, sort) {
		v.Sort, v.Desc = sort, false
	}
	switch v.query.Get("order") {
	case "down":
		v.Desc = true
	case "up":
		v.Desc = false
	}
	if n, err := strconv.Atoi(v.query.Get("page")); err == nil && n > 1 {
		v.Page = min(n, deepest)
	}
	if n, err := strconv.Atoi(v.query.Get("size")); err == nil && slices.Contains(pageSizes, n) {
		v.Size = n
	}
	return v
}

// Offset is the number of rows before the page.
func (v *View) Offset() int { return (v.Page - 1) * v.Size }

// Get is a value of the address.
func (v *View) Get(name string) string { return readable(v.query.Get(name)) }

// All are the values of a name in the address, at most 100.
func (v *View) All(name string) (list []string) {
	for _, value := range v.query[name] {
		if value != "" && len(list) < 100 {
			list = append(list, readable(value))
		}
	}
	return list
}

// ID is the ID in the address, 0 for none.
func (v *View) ID(name string) int64 {
	id, err := strconv.ParseInt(v.query.Get(name), 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// Query is what the address of the list says, without the page.
func (v *View) Query() string {
	query := maps.Clone(v.query)
	query.Del("page")
	return query.Encode()
}

// With is the address of the same list with other values, by names and values in turns; "" takes a name out. The list
// begins at its first page again.
func (v *View) With(pairs ...string) string {
	query := url.Values{}
	for name, list := range v.query {
		if name != "page" {
			query[name] = list
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if query.Del(pairs[i]); pairs[i+1] != "" {
			query.Set(pairs[i], pairs[i+1])
		}
	}
	return v.address(query)
}

// Without is the address of the same list without one value of a name.
func (v *View) Without(name, value string) string {
	query := url.Values{}
	for n, list := range v.query {
		list = slices.Clone(list)
		if n == name {
			list = slices.DeleteFunc(list, func(other string) bool { return other == value })
		}
		if n != "page" && len(list) > 0 {
			query[n] = list
		}
	}
	return v.address(query)
}

func (v *View) address(query url.Values) string {
	if len(query) == 0 {
		return v.path
	}
	return v.path + "?" + query.Encode()
}

// Column is the head of a column that the list can be sorted by.
func (v *View) Column(title, sort string) ui.Column {
	c := ui.Column{Title: title, Sort: v.With("sort", sort, "order", "")}
	if v.Sort != sort {
		return c
	}
	c.Order = "ascending"
	c.Sort = v.With("sort", sort, "order", "down")
	if v.Desc {
		c.Order, c.Sort = "descending", v.With("sort", sort, "order", "up")
	}
	return c
}

// Pager leads through a list of so many rows; nil where one page has all of them.
func (v *View) Pager(total int) *ui.Pager { return v.PagerOver(total, false) }

// Beyond is the address of the last page of a list of so many rows, where the one asked for is behind it and so has
// none; ok is false where it is not.
func (v *View) Beyond(rows, total int) (last string, ok bool) {
	end := skipped/v.Size + 1
	if v.Page == 1 || rows > 0 && v.Page <= end {
		return "", false
	}
	if n := min((total+v.Size-1)/v.Size, end); n > 1 && n < v.Page {
		return withPage(v.With(), n), true
	}
	return v.With(), true
}

// Dropped is the same list without one value of a name.
func (v *View) Dropped(name, value string) *View {
	other := *v
	other.query = maps.Clone(v.query)
	other.query[name] = slices.DeleteFunc(slices.Clone(v.query[name]), func(has string) bool { return has == value })
	return &other
}

// skipped is how many rows a list steps over at most: further rows are found by filters.
const skipped = 100_000

// PagerOver is Pager for a list of so many rows or, with more, of more than that.
func (v *View) PagerOver(total int, more bool) *ui.Pager {
	if total <= pageSizes[0] {
		return nil
	}
	last := min((total+v.Size-1)/v.Size, skipped/v.Size+1)
	of := v.r.Number(total)
	if more {
		of = v.r.T("pager.more_than", "Of", of)
		last = min(max(last, v.Page+1), skipped/v.Size+1)
		total = max(total, v.Offset()+v.Size)
	}
	page := func(n int) string {
		if n < 2 {
			return v.With()
		}
		return withPage(v.With(), n)
	}
	first := min(v.Offset()+1, total)
	p := &ui.Pager{
		Range: v.r.T("pager.range", "From", v.r.Number(first), "To", v.r.Number(min(v.Offset()+v.Size, total)), "Of",
			of),
		Pages: ui.PageLinks(v.Page, last, v.r.Number, page),
	}
	if v.Page > 1 {
		p.Previous = page(min(v.Page-1, last))
	}
	if v.Page < last {
		p.Next = page(v.Page + 1)
	}
	for _, size := range pageSizes {
		p.Sizes = append(p.Sizes, ui.PageLink{Text: strconv.Itoa(size), Href: v.With("size", strconv.Itoa(size)),
			Current: size == v.Size})
	}
	return p
}

func withPage(address string, n int) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	query := u.Query()
	query.Set("page", strconv.Itoa(n))
	return u.Path + "?" + query.Encode()
}

// Hidden are the values of the address that the form of filters does not have itself: order and rows on a page.
// Further names are those of what other forms of the page choose.
func (v *View) Hidden(further ...string) (list []ui.Option) {
	for _, name := range []string{"sort", "order", "size"} {
		if value := v.query.Get(name); value != "" {
			list = append(list, ui.Option{Text: name, Value: value})
		}
	}
	for _, name := range further {
		for _, value := range v.All(name) {
			list = append(list, ui.Option{Text: name, Value: value})
		}
	}
	return list
}

// HiddenBut are all values of the address but those of one name, for a form that chooses these. The list begins at its
// first page again.
func (v *View) HiddenBut(name string) (list []ui.Option) {
	for _, other := range slices.Sorted(maps.Keys(v.query)) {
		if other == name || other == "page" {
			continue
		}
		for _, value := range v.All(other) {
			list = append(list, ui.Option{Text: other, Value: value})
		}
	}
	return list
}
