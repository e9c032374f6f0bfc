package params

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/text"
)

// maxPatchLevels bounds how deep a patch may be nested: more than content is, with room.
const maxPatchLevels = 16

// JSONType is the media type of JSON.
const JSONType = "application/json"

// MergePatchType is the media type of JSON merge patches (RFC 7396).
const MergePatchType = "application/merge-patch+json"

// ReadPatch reads the members of a JSON object, which changes what is at the path. Numbers keep their text.
func ReadPatch(raw []byte, of admitto.Path) (map[string]any, []admitto.Fault, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil, InvalidBody("", message.Of("patch-missing"))
	}
	p := &patchReader{of: of}
	value, err := readJSON(raw, p, (*place)(nil))
	if err != nil {
		return nil, nil, err
	}
	members, ok := value.(map[string]any)
	if !ok {
		return nil, nil, InvalidBody("", message.Of("patch-no-object"))
	}
	return members, p.faults, nil
}

// maxPatchValues bounds the values of a merge patch: in memory a small one takes fifty times its bytes in the body.
const maxPatchValues = 20_000

// patchReader bounds a merge patch and notices members that are given twice.
type patchReader struct {
	of     admitto.Path
	faults []admitto.Fault
	told   int // bytes of the pointers of the faults
	values int
}

// place is where a value stands in a body. Its pointer is made for a fault only: it repeats the names of everything
// above, so that all pointers of a body may take much more memory than the body.
type place struct {
	above *place
	name  string // of a member
	index int    // of an item of a list
	item  bool
}

func (at *place) pointer() string {
	if at == nil {
		return ""
	}
	if at.item {
		return at.above.pointer() + "/" + strconv.Itoa(at.index)
	}
	return at.above.pointer() + "/" + pointerEscapes.Replace(at.name)
}

// twice notices a member that is given twice.
func (p *patchReader) twice(at *place) error {
	pointer := at.pointer()
	if p.told += len(pointer); p.told > maxNames {
		return InvalidBody("", message.Of("too-many-members-twice"))
	}
	p.faults = append(p.faults, admitto.Fault{Path: p.of + admitto.Path(pointer), Text: message.Of("member-twice")})
	return nil
}

func (p *patchReader) member(in *place, name string) (*place, error) {
	if len(name) > MaxName {
		return nil, checkName(name, in.pointer())
	}
	return &place{above: in, name: name}, nil
}

func (p *patchReader) item(in *place, index int) *place {
	return &place{above: in, index: index, item: true}
}

func (p *patchReader) value(at *place, token json.Token, level int) (*place, error) {
	if p.values++; p.values > maxPatchValues {
		return at, InvalidBody("", message.Of("too-many-values", maxPatchValues))
	}
	if _, isNested := token.(json.Delim); isNested && level == maxPatchLevels {
		return at, InvalidBody(at.pointer(), message.Of("body-too-deep", maxPatchLevels))
	}
	return at, nil
}

var documentLink = regexp.MustCompile(`^/api(?:/v[0-9]+)?/applications/([0-9]+)/documents/([0-9]+)$`)

// ReadDocumentLink reads a link to a document of an application, with any prefix.
func ReadDocumentLink(link string) (application, document int64, ok bool) {
	parts := documentLink.FindStringSubmatch(strings.TrimSpace(link))
	if parts == nil {
		return 0, 0, false
	}
	application, err := text.ID(parts[1])
	if err != nil {
		return 0, 0, false
	}
	document, err = text.ID(parts[2])
	return application, document, err == nil
}
