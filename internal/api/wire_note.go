package api

import "github.com/admitto/admitto/internal/admitto"

// noteWire is a note (resources.md 0.6).
type noteWire struct {
	ID        int64        `wire:"id"`
	Created   admitto.Time `wire:"created"`
	Removed   admitto.Time `wire:"removed"`
	Colour    string       `wire:"colour"`
	Pinned    bool         `wire:"pinned"`
	Collapsed bool         `wire:"collapsed"`
	Notes     string       `wire:"notes"`
}

func noteRecord(n *admitto.Note) any {
	return &noteWire{n.ID, n.Created, n.Removed, string(n.Colour), n.Pinned, n.Collapsed, n.Text}
}
