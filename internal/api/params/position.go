package params

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// Position is where a client has put a value: under the name of a parameter, or at a JSON pointer into the body, "" for
// all of it. The zero Position is none.
type Position struct {
	Parameter string
	Pointer   string
	InBody    bool
}

// The beginnings of places as paths of faults. No path of the domain begins so.
const (
	atParameter = "?"
	atPointer   = "#"
)

// Path returns the place as the path of a fault.
func (p Position) Path() admitto.Path {
	switch {
	case p.InBody:
		return admitto.Path(atPointer + p.Pointer)
	case p.Parameter != "":
		return admitto.Path(atParameter + p.Parameter)
	}
	return ""
}

// PositionOf returns the place that a path names, none for a path of the domain.
func PositionOf(path admitto.Path) (p Position) {
	if name, ok := strings.CutPrefix(string(path), atParameter); ok {
		return Position{Parameter: name}
	}
	p.Pointer, p.InBody = strings.CutPrefix(string(path), atPointer)
	if !p.InBody {
		p.Pointer = ""
	}
	return p
}

// AtPointer returns the path of a value in the body.
func AtPointer(pointer string) admitto.Path { return Position{Pointer: pointer, InBody: true}.Path() }
