package ui

// NavGroup is one heading of the navigation.
type NavGroup struct {
	Title string
	Links []Link
}

// Admin is the frame of the administration.
type Admin struct {
	Home   string // address of the dashboard
	Search string // address of the search
	Query  string // what was searched for
	Nav    []NavGroup
	Term   *Menu
	User   Menu
	Foot   []Link
}

func (*Admin) layout() string { return "admin" }

// Portal is the frame of the portal.
type Portal struct {
	Home     string
	Nav      []Link
	Language *Menu
	User     *Menu // nil when nobody has signed in
	SignIn   []Link
	Foot     []Link
	Steps    *Steps // next to the content
}

func (*Portal) layout() string { return "portal" }
