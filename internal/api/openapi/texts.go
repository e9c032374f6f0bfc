package openapi

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
)

// What an operation does is said in operations/, one file a family, under a heading with the name of its row in the
// table of routes, or of several rows. A section has
//
//   - one paragraph: what happens, with mails, records of the journal and defaults, in the words of resources.md and
//     lifecycle.md; `…` is code;
//   - "Codes: a, b" for the codes of its refusals with 400, "Codes of 502: a" for those with another status;
//   - "Example: …", a JSON value that the operation takes as body. A form gets the same example under flat names. Where
//     older versions take something else, "Example until 3: …" comes first.
//
// Tests want a text of every row, an example of every body, and every code that is ever answered, and send the
// examples.

//go:embed operations
var operationFiles embed.FS

// Text is what is said of an operation.
type Text struct {
	Does     string
	Codes    map[int][]string // by status
	examples []bodyExample
}

// bodyExample is a body for the versions up to one.
type bodyExample struct {
	until version.Number
	value json.RawMessage
}

var operationLine = regexp.MustCompile(`^(Codes|Example)(?: (?:of|until) ([0-9]+))?: (.*)$`)

// Texts reads all texts, by the name of the operation. They are built in, so a mistake in them panics.
func Texts() map[string]Text {
	all := map[string]Text{}
	files, err := fs.Glob(operationFiles, "operations/*.md")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		text, err := operationFiles.ReadFile(file)
		if err != nil {
			panic(err)
		}
		for _, section := range strings.Split("\n"+string(text), "\n## ")[1:] {
			names, body, _ := strings.Cut(section, "\n")
			one := readOperation(body)
			for name := range strings.SplitSeq(names, ",") {
				if name = strings.TrimSpace(name); all[name].Does != "" {
					panic("openapi: " + name + " has two texts")
				}
				all[name] = one
			}
		}
	}
	return all
}

// readOperation reads what stands below a heading.
func readOperation(body string) Text {
	one := Text{Codes: map[int][]string{}}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		match := operationLine.FindStringSubmatch(line)
		switch {
		case line == "":
		case match == nil:
			one.Does = strings.TrimSpace(one.Does + " " + line)
		case match[1] == "Codes":
			status, err := strconv.Atoi(match[2])
			if err != nil {
				status = http.StatusBadRequest
			}
			one.Codes[status] = append(one.Codes[status], strings.Split(match[3], ", ")...)
		default:
			until, err := strconv.Atoi(match[2])
			if err != nil {
				until = int(version.Latest)
			}
			if !json.Valid([]byte(match[3])) {
				panic("openapi: an example is not JSON: " + line)
			}
			one.examples = append(one.examples, bodyExample{version.Number(until), json.RawMessage(match[3])})
		}
	}
	return one
}

// example returns the body for a version, nil when there is none.
func (t Text) example(v version.Number) json.RawMessage {
	for _, e := range t.examples {
		if v <= e.until {
			return e.value
		}
	}
	return nil
}

// described says what an operation does in the version, and what comes after it.
func (d *Document) described(r *Row) string {
	text := d.texts[r.Name].Does
	switch {
	case r.In.IsDeprecated && r.In.Successor != "":
		text += " Better: " + r.In.Successor + "."
	case r.In.Successor != "":
		text += " Later versions: " + r.In.Successor + "."
	}
	return text
}

// codesOf says which codes a refusal with a status may have.
func (d *Document) codesOf(r *Row, status int) string {
	codes := d.texts[r.Name].Codes[status]
	if len(codes) == 0 {
		return ""
	}
	return " Codes: `" + strings.Join(codes, "`, `") + "`."
}

// formExample turns the example of a body into that of a form: members of inner objects and entries of lists under flat
// names, everything as text where the form has text.
func formExample(form *schema.Schema, example json.RawMessage) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(example))
	decoder.UseNumber()
	var whole map[string]any
	if decoder.Decode(&whole) != nil {
		return nil // a bare value, which a form cannot have
	}
	flat := map[string]any{}
	var flatten func(name string, value any)
	flatten = func(name string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for inner, one := range value {
				flatten(name+"["+inner+"]", one)
			}
		case []any:
			for i, one := range value {
				flatten(fmt.Sprintf("%s[%d]", name, i), one)
			}
		default:
			if of := form.MemberNamed(name); of != nil && of.Type == "string" {
				value = fmt.Sprint(value)
			}
			flat[name] = value
		}
	}
	for name, value := range whole {
		flatten(name, value)
	}
	text, err := json.Marshal(flat)
	if err != nil {
		panic(err) // it was JSON before
	}
	return text
}
