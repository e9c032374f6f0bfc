package ui

// NavGroup is one heading of the navigation.
type NavGroup struct {
	Title string
	Links []Link
}

// Admin is the frame of the administration.
type Admin struct {
	Home   string // address of the dashboard
	Search string // address of the search, "" for those who cannot
	Query  string // what was searched for
	Nav    []NavGroup
	Term   *Menu
	User   Menu
	Foot   []Link
	NoKeys bool // shortcuts are switched off
	Keys   []Shortcut
	Ends   *Ends // nil when nobody is signed in
}

// Shortcut is one of the keys that the administration has, with what it does in words; Href is where it leads.
type Shortcut struct{ Keys, Text, Href string }

// Ends is when a session ends unless its owner does something: five minutes before, the page offers to stay.
type Ends struct {
	Seconds int
	Stay    string // address that keeps it going
}

func (*Admin) layout() string { return "admin" }

// Entry is the frame of the administration for those who have not signed in.
type Entry struct {
	Home string
	Foot []Link
}

func (*Entry) layout() string { return "entry" }

// Portal is the frame of the portal.
type Portal struct {
	Home     string
	Logo     string // address of the picture of the institution, in the place of its name; "" for none
	Nav      []Link
	Language *Menu
	User     *Menu // nil when nobody has signed in
	SignIn   []Link
	Foot     []Link
	Steps    *Steps // next to the content
	Ends     *Ends
	Banner   *Notice // above every page
}

func (*Portal) layout() string { return "portal" }
