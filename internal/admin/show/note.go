package show

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Note is a note of staff as a card, without anything that can be done with it.
func Note(r *site.Request, n *admitto.Note) ui.Note {
	return ui.Note{Colour: strings.ToLower(string(n.Colour)), ColourName: r.T(NoteColour(n.Colour)), Pinned: n.Pinned,
		Time: r.Clock(n.Created), Text: n.Text}
}

// NoteColour is the message that names the colour of a note.
func NoteColour(c admitto.Colour) string {
	switch c {
	case "Orange":
		return "note.orange"
	case "Salmon":
		return "note.salmon"
	case "Green":
		return "note.green"
	case "Blue":
		return "note.blue"
	case "Violet":
		return "note.violet"
	}
	return "note.yellow"
}
