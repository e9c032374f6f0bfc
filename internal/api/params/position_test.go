package params

import (
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

// A place comes back from its path as it was; paths of the domain are no places.
func TestPosition(t *testing.T) {
	for _, p := range []Position{{}, {Parameter: "limit"}, {Parameter: "?#"}, {InBody: true},
		{Pointer: "/a/?", InBody: true}, {Pointer: "#", InBody: true}} {
		if back := PositionOf(p.Path()); back != p {
			t.Errorf("%+v came back as %+v", p, back)
		}
	}
	for _, path := range []admitto.Path{"", "invoice.series", "content/education/0/country", "content"} {
		if p := PositionOf(path); p != (Position{}) {
			t.Errorf("%s is the place %+v", path, p)
		}
	}
}
