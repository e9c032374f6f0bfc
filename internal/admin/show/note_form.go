package show

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// MostNote is how many characters a note may have (resources.md 0.6).
const MostNote = 2048

// SortNotes orders notes by age, as they are, as cards stand: those that are pinned, the others with the newest first,
// and those taken off the card.
func SortNotes(list []admitto.Note) {
	slices.Reverse(list)
	slices.SortStableFunc(list, func(x, y admitto.Note) int { return noteRank(&x) - noteRank(&y) })
}

func noteRank(n *admitto.Note) int {
	switch {
	case n.Removed != 0:
		return 2
	case n.Pinned:
		return 0
	}
	return 1
}

// NoteColours are the options of a field for the colour of a note.
func NoteColours(r *site.Request) (options []ui.Option) {
	for _, c := range admitto.Colours {
		options = append(options, ui.Option{Value: string(c), Text: r.T(NoteColour(c))})
	}
	return options
}

// TypedNote is the text and the colour of a form; what is wrong with them is noted in it.
func TypedNote(f *site.Form) (note string, colour admitto.Colour) {
	note, err := text.Multiline(f.Typed("text"), 1, MostNote)
	if err != nil {
		f.FailText("text", message.From(err))
	}
	colour = admitto.Colour(f.Get("colour"))
	if !slices.Contains(admitto.Colours[:], colour) {
		f.FailText("colour", message.Of("choose-one"))
	}
	return note, colour
}
