package ui

import "slices"

// Component is anything that has a template in components/.
type Component interface{ template() string }

// Tone is how something is meant; it never stands for a meaning alone, a symbol and words say the same.
type Tone string

// The tones. The zero value is neutral.
const (
	OK   Tone = "ok"
	Info Tone = "info"
	Warn Tone = "warn"
	Bad  Tone = "bad"
)

// Icon is the symbol of the tone.
func (t Tone) Icon() string {
	switch t {
	case OK:
		return "circle-check"
	case Warn:
		return "triangle-alert"
	case Bad:
		return "circle-alert"
	case Info:
	}
	return "info"
}

// Link leads to another page.
type Link struct {
	Text, Href string
	Icon       string // of the sprite, "" for none
	Current    bool   // the page that is shown is this one
	Count      string // a number next to the text, "" for none
	Muted      string // words after the text
	Lang       string // of the text, where it is another one
	Posts      bool   // a button that posts to Href: what it leads to changes something
	Danger     bool   // leads to a confirmation page (screens.md U6)
}

// Button is a link with Href, else the button of a form.
type Button struct {
	Text, Icon  string
	After       bool // the icon stands after the text
	Href        string
	Name, Value string // what the form sends for this button
	Primary     bool   // one on a page
	Plain       bool   // without a border
	Danger      bool
	Small       bool
	Narrow      bool // on narrow screens only
	Disabled    bool
	About       string // more words for those who do not see what it stands next to
	Busy        string // what it says after the press ("Saving …")
	Target      string // ID of a drawer or dialog that it opens
	Focus       bool   // the page opens with the focus on it: it was pressed on the page before
	ID          string // needed in what is read again by itself: the focus stays on it
	Prints      bool   // the page, by a script; without scripts browsers print it by themselves
}

func (Button) template() string { return "button" }

// Class is the class attribute.
func (b Button) Class() string {
	class := "btn"
	if b.Primary {
		class += " primary"
	}
	if b.Plain {
		class += " plain"
	}
	if b.Small {
		class += " small"
	}
	if b.Narrow {
		class += " narrow"
	}
	if b.Danger {
		class += " bad"
	}
	return class
}

// Acts are buttons in a row.
type Acts []Button

func (Acts) template() string { return "acts" }

// Tag is a state: words with a symbol.
type Tag struct {
	Text, Icon string
	Tone       Tone
}

func (Tag) template() string { return "tag" }

// Dot is a configured colour next to words, such as an offer type.
type Dot struct {
	Text   string
	Colour string // #RRGGBB
}

func (Dot) template() string { return "dot" }

// Breadcrumb is the way to the page; its last link is the page itself.
type Breadcrumb struct{ Links []Link }

func (Breadcrumb) template() string { return "breadcrumb" }

// Tabs are the pages of one record.
type Tabs struct {
	Label string
	Links []Link
}

func (Tabs) template() string { return "tabs" }

// Notice says something that stays until it is closed.
type Notice struct {
	Tone   Tone
	Text   string
	Link   *Link // the way out, where there is one
	Closes bool
}

func (Notice) template() string { return "notice" }

// Fault is one line of an error summary: it names the field by its label, and leads to the one with the ID.
type Fault struct{ ID, Text, Label string }

// ErrorSummary stands above a form that was refused (screens.md U7).
type ErrorSummary struct{ Faults []Fault }

func (ErrorSummary) template() string { return "error_summary" }

// Effect is one thing that an action does.
type Effect struct{ Icon, Text string }

// Effects are what an action does.
type Effects []Effect

func (Effects) template() string { return "effects" }

// Confirmation is the content of a page that asks before something happens.
type Confirmation struct {
	Title   string
	Text    string
	Effects []Effect
	Undo    string // whether and until when it can be undone
	Fields  []Component
	Action  string // where the form is sent
	Confirm Button
	Back    Link
	Change  *Button // leads back to what was typed
	Discard *Button // forgets what was typed before and comes back
}

func (Confirmation) template() string { return "confirmation" }

// Progress is work under way, in words and as a bar.
type Progress struct {
	Label    string
	Done, Of int // Of is 0 while it is not known
	Text     string
}

func (Progress) template() string { return "progress" }

// Empty says what will appear here, and offers the next step.
type Empty struct {
	Icon, Title, Text string
	Actions           []Button
}

func (Empty) template() string { return "empty" }

// KeyValue is one fact.
type KeyValue struct {
	Key, Value    string
	KeyHref       string // of what the fact is about
	Href          string
	KeyLang, Lang string      // of Key and of Value, where they are not in that of the page
	Tags          []Tag       // after Value, which may be left out
	Parts         []Component // instead of Value and Tags
}

// KeyValues is a list of facts. Counts are numbers, which stand below one another at the end of their lines.
type KeyValues struct {
	Facts  []KeyValue
	Counts bool
}

func (KeyValues) template() string { return "key_values" }

// Event is one entry of a timeline.
type Event struct {
	Title, Text string
	Time        string // in words
	Machine     string // RFC 3339, for programs
	Tone        Tone
	Links       []Link
	Lines       []string // below: what changed
}

// Timeline is what happened, the newest first.
type Timeline struct{ Events []Event }

func (Timeline) template() string { return "timeline" }

// Note is a note of staff. Colour is also said in words.
type Note struct {
	Colour     string // yellow, green, red, blue
	ColourName string
	Author     string
	Time       string
	Text       string
	Pinned     bool
	Actions    []Button
}

func (Note) template() string { return "note" }

// DiffLine is one line of a comparison.
type DiffLine struct {
	Op   string // "-", "+" or "" for what is the same
	Text string
}

// Diff compares two texts.
type Diff struct {
	Title string
	Lines []DiffLine
}

func (Diff) template() string { return "diff" }

// Secret is a code that is shown once.
type Secret struct {
	ID, Label, Code, Hint string
	Lang                  string // of Code, where it is words that are not in the language of the page
}

func (Secret) template() string { return "secret" }

// Document is one file of a viewer.
type Document struct {
	Name, Meta, Href string
	Current          bool
}

// Viewer shows one of several documents: in a frame (PDF), as an image, as text, or with the reason why it cannot.
type Viewer struct {
	Documents []Document
	Name      string
	Frame     string // address of a PDF, or of text with Sandbox
	Sandbox   bool   // what is in the frame can do nothing
	Image     string // address of an image
	Alt       string
	Turn      int // the image, in degrees to the right
	Zoom      int // of the image, in percent; 0 is as large as there is room
	Text      string
	Reason    string // why it is not shown
	Download  string
	Open      string // address in a tab of its own
	Actions   []Button
	Aside     []Component // below the list
	Empty     Empty       // without documents
}

func (Viewer) template() string { return "viewer" }

// Drawn reports whether the image is turned or enlarged.
func (v Viewer) Drawn() bool { return v.Turn != 0 || v.Zoom > 100 }

// Width is how wide the image is drawn, in percent of the room.
func (v Viewer) Width() int { return max(v.Zoom, 100) }

// Menu is a list of links behind a button.
type Menu struct {
	Text, Icon string
	Links      []Link
	Start      bool // the list begins below the start of the button, not below its end
	Small      bool // the button is as small as those of a card's head
}

func (Menu) template() string { return "menu" }

// Posts reports whether some of the links are buttons of the menu's one form.
func (m Menu) Posts() bool { return slices.ContainsFunc(m.Links, func(l Link) bool { return l.Posts }) }

// Dialog is shown above the page by a button whose Target is its ID; it opens without scripts.
type Dialog struct {
	ID, Title, Text string
	Actions         []Button
}

func (Dialog) template() string { return "dialog" }

// Step is one part of a form of several pages.
type Step struct {
	Text, State string
	Href        string // "" while it cannot be opened
	Tone        Tone   // OK when complete, Warn when there is something to check
	Current     bool
	Locked      bool
}

// Icon is the symbol of its state.
func (s Step) Icon() string {
	switch {
	case s.Current:
		return "circle-dot"
	case s.Locked:
		return "lock"
	case s.Tone == OK:
		return "circle-check"
	case s.Tone == Warn:
		return "triangle-alert"
	}
	return "circle"
}

// Steps is the list of parts; on a narrow screen it opens from a button.
type Steps struct {
	ID, Label, Summary string
	Steps              []Step
}

func (Steps) template() string { return "steps" }

// Box has a head and a body of components.
type Box struct {
	ID, Title string
	Lang      string // of the title, where it is not that of the page
	Again     string // address of the page that it is read from again every two seconds, "" once nothing changes; needs ID
	Move      string // where its first form is sent, with the new place, after it was dragged in Sortable; "": nowhere
	Actions   []Button
	Parts     []Component
}

func (Box) template() string { return "box" }

// Sortable are boxes that can be put into another order by dragging, too.
type Sortable struct{ Boxes []Box }

func (Sortable) template() string { return "sortable" }

// CardHead is the head of a record, above its tabs.
type CardHead struct {
	Title, ID string
	Initials  string
	Photo     string // address, "" for initials
	Tags      []Tag
	Links     Links // below: what the record belongs to
	Actions   []Button
	More      *Menu // after the actions, nil for none: what is done now and then
}

func (CardHead) template() string { return "card_head" }

// Figure is one number of a dashboard.
type Figure struct{ Label, Value, Change, Href string }

// Figures are the numbers of a dashboard.
type Figures struct{ Figures []Figure }

func (Figures) template() string { return "figures" }

// FacetGroup is a kind of things, with links to those in each state: "12 unconfirmed".
type FacetGroup struct {
	Dot   Dot
	Links []Link
}

// Facets are counts that lead to what they count.
type Facets struct {
	ID, Title string
	Groups    []FacetGroup
}

func (Facets) template() string { return "facets" }
