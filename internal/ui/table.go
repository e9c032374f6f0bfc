package ui

// Column is one column of a table.
type Column struct {
	Title string
	Sort  string // address of the list sorted by it, "" when it cannot be
	Order string // "ascending" or "descending" when the list is sorted by it
	Num   bool   // numbers stand at the end
	Muted bool
	// Place is where the cell stands when rows become cards on a narrow screen: "main" is the first line, "meta" the end
	// of it, "label" below with the title of the column, "" below without. "mail" is "" for addresses and words of others,
	// which may break.
	Place string
}

// Choice is a course of an application with the type of its offer; without a colour there is no offer.
type Choice struct {
	Course, Offer, Colour string
	Note                  string // muted words after the offer
}

// Cell is one cell of a table.
type Cell struct {
	Text, Href string
	Note       string // muted words after the text
	Below      string // muted words on a line of their own, cut where the column ends
	Tags       []Tag
	Choices    []Choice
	Parts      []Component
}

// IsEmpty reports whether there is nothing in the cell.
func (c Cell) IsEmpty() bool {
	return c.Text == "" && c.Note == "" && c.Below == "" && len(c.Tags)+len(c.Choices)+len(c.Parts) == 0
}

// Row is one row of a table.
type Row struct {
	ID       string // what a selected row sends
	Label    string // for those who do not see the row: "application 48213"
	Selected bool
	Cells    []Cell
	Line     string // words of a line that is drawn below the row, "" for none
}

// Table is a list. With Pick its rows can be selected, and Bulk says what can be done with them.
type Table struct {
	Caption string // for those who do not see the page
	Columns []Column
	Rows    []Row
	Pick    bool
	Bulk    *Bulk
	Action  string // where the selection is sent
	Empty   Empty  // without rows
	Cards   bool   // rows become cards on narrow screens, as those of pages that are lists do
	Matrix  bool   // of many narrow columns, whose titles take several lines
	Places  bool   // its rows are places of the page, which has no other such table
}

func (Table) template() string { return "table" }

// RowPlace is the place of a row in the page, by the ID of the row.
func RowPlace(id string) string { return "row-" + id }

// Place is the place of the row, "" where it has none.
func (t Table) Place(r Row) string {
	if !t.Places || r.ID == "" {
		return ""
	}
	return RowPlace(r.ID)
}

// Sorting returns the columns that can be sorted by.
func (t Table) Sorting() (columns []Column) {
	for _, c := range t.Columns {
		if c.Sort != "" {
			columns = append(columns, c)
		}
	}
	return columns
}

// Bulk is the bar of what can be done with the selected rows.
type Bulk struct {
	Selected int
	All      string // words of the box that stands for all that match, "" for none: "All 1,284 matching"
	Groups   []BulkGroup
	Actions  []Button
}

// BulkGroup is a choice and what can be done with it: a flag, to be set or taken off.
type BulkGroup struct {
	Select  Select
	Actions []Button
}

func (Bulk) template() string { return "bulk" }

// nearAtMost is how many actions stand in the bar; the others are behind its menu.
const nearAtMost = 3

// Near are the actions that stand in the bar itself.
func (b Bulk) Near() []Button { return b.Actions[:b.near()] }

// Far are those behind the menu of the bar.
func (b Bulk) Far() []Button { return b.Actions[b.near():] }

func (b Bulk) near() int {
	if len(b.Actions) <= nearAtMost+1 { // a menu of one action takes no less room
		return len(b.Actions)
	}
	return nearAtMost
}

// KeptViews are the views of a list that are kept under a name.
type KeptViews struct {
	ID    string
	Title string
	Views []KeptView
}

// KeptView is one of them.
type KeptView struct {
	Link   Link // without Href where the reader may not see what it filters by
	Change Link // where it is called something else, "" where the reader may not
}

// mostViews is how many are seen before they are folded.
const mostViews = 8

// Many reports whether there are so many that they are folded.
func (k KeptViews) Many() bool { return len(k.Views) > mostViews }

func (KeptViews) template() string { return "kept_views" }

// Filters is the pane next to a list.
type Filters struct {
	ID      string // of the drawer on narrow screens
	Kept    KeptViews
	Action  string
	Clear   string // address of the list without filters, "" when there are none
	Fields  []Component
	Hidden  []Option // what the address has besides
	Applies string   // words of the button
}

func (Filters) template() string { return "filters" }

// Chip is an active filter; one without Remove stays.
type Chip struct{ Name, Value, Remove string }

// Chips are the active filters of a list.
type Chips struct {
	Chips []Chip
	Clear string
}

func (Chips) template() string { return "chips" }

// PageLink is one page of a pager; without Href it is a gap.
type PageLink struct {
	Text, Href string
	Current    bool
}

// Pager leads through a long list.
type Pager struct {
	Range          string // in words: "1 to 50 of 1,284"
	Previous, Next string // addresses, "" at the ends
	Pages          []PageLink
	Sizes          []PageLink // rows on a page
}

func (Pager) template() string { return "pager" }

// PageLinks returns the links of a pager: both ends, the current page with its neighbours, and gaps. href is the
// address of a page.
func PageLinks(current, last int, text func(int) string, href func(int) string) (links []PageLink) {
	shown := 0
	for n := 1; n <= last; n++ {
		if n != 1 && n != last && (n < current-1 || n > current+1) {
			continue
		}
		if n > shown+1 {
			links = append(links, PageLink{Text: "…"})
		}
		links = append(links, PageLink{Text: text(n), Href: href(n), Current: n == current})
		shown = n
	}
	return links
}

// ListHead is the head of a list: title, count, what can be done with all of it.
type ListHead struct {
	Title, Strong, Count string
	FilterDrawer         string // ID of the pane that opens on narrow screens
	Columns              *ColumnChooser
	Actions              []Button
}

// ColumnChooser is the form below a button in which the columns of a list are chosen; it needs no scripts.
type ColumnChooser struct {
	Name    string // of the parameter
	Action  string
	Hidden  []Option // what else the address says
	Columns []Option
}

func (ListHead) template() string { return "list_head" }
