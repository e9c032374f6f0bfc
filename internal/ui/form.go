package ui

// PageTop stands above the content of a page: the way to it, and what its reader has to be told.
type PageTop struct {
	Crumbs  Breadcrumb
	Notices []Notice
}

func (PageTop) template() string { return "page_top" }

// FormHead is the beginning of a form: what is wrong with it, what somebody else saved meanwhile, and the fields that
// nobody sees.
type FormHead struct {
	Errors  ErrorSummary
	Notices []Notice
	Choices []Choices // which value stays, after a conflict (screens.md U10)
	Hidden  []Option  // Text is the name
	Discard *Button   // forgets what was typed before and comes back; it stands last in the form
}

func (FormHead) template() string { return "form_head" }

// FormBox is a whole form: its head, its fields one below the other, and its buttons.
type FormBox struct {
	Get     bool   // it only asks for a page: what is typed stands in the address
	Action  string // "" is the address of the page
	Head    FormHead
	Parts   []Component
	Buttons []Button
	Files   bool        // it has files
	Live    string      // address that makes what has the ID "preview" again while somebody types, "" for none
	After   []Component // below the buttons
}

func (FormBox) template() string { return "form_box" }

// Heading is a title within a page, with words below it.
type Heading struct{ ID, Title, Text string }

func (Heading) template() string { return "heading" }

// Words are a paragraph.
type Words struct {
	Text  string
	Lang  string // where it is not that of the page
	Muted bool
}

func (Words) template() string { return "words" }

// Links lead to what something is about; one without an address is words alone.
type Links struct {
	Links []Link
	Walk  string // says what they are where they are parts of one thing, which j and k go through
}

func (Links) template() string { return "links" }

// Columns are components next to each other, as far as there is room.
type Columns struct{ Parts []Component }

func (Columns) template() string { return "columns" }

// Stack is components one below the other, such as a column.
type Stack struct {
	Tight bool // as for what belongs together
	Parts []Component
}

func (Stack) template() string { return "stack" }

// Fold is what is opened by its title; without scripts, too.
type Fold struct {
	Title string
	Open  bool
	Parts []Component
}

func (Fold) template() string { return "fold" }

// Ordered is a list whose order is chosen by buttons, with a line of text for each of its items.
type Ordered struct {
	Name  string // of the hidden fields with the values of the items, in their order
	Label string // for those who do not see the page
	Items []OrderedItem
}

// OrderedItem is an item of an ordered list.
type OrderedItem struct {
	Value   string
	Text    string // what it is
	Note    string // in words: why it is empty
	Field   Field
	Buttons []Button
}

func (Ordered) template() string { return "ordered" }
