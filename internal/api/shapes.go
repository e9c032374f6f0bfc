package api

import (
	"net/http"
	"reflect"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
)

// The shapes say of each operation what its row in routes.go does not: what it reads, what it answers, and which
// refusals it has next to those that every operation of its kind has. OpenAPI documents are made of both.
//
// # To add the shape of a new row
//
// Give it a line in the table of shapes_reads.go or shapes_writes.go, under the name of the row:
//
//   - answer is one of the functions below: one[T]() a record of a wire struct, many[T]() a collection keyed by ID,
//     pages[T]() one that takes limit, keyed[T]() one keyed by name, scalar(schema), file(types…), csv(),
//     created[T]() 201 with Location, nothing() 204. Versions that differ: changed(change, old, new).
//   - query is readsQuery[T]() of the request struct that the handler decodes the query into; a list with limit says
//     its largest in limit (0 is that of the settings), one with expand its words in expands.
//   - body is values(schema) for a bare JSON value, parameters[T]() for a creation, fields[T]() for a JSON object of
//     fields, patches[T]() for a merge patch, uploads[T]() for a file in a multipart form. Without one the body is ignored.
//   - refuses are further problem types: not-allowed-now where a state may forbid it, already-exists, mail-refused.
//     What follows from the method, the path, the body and the answer is added by itself (refusals in openapi.go).
//
// A new wire struct needs nothing; a field that holds complete JSON needs a line in containedJSON, and a new input
// type the methods Read and Describe. Then: go test ./api -run OpenAPI -update.
type shape struct {
	query   reflect.Type // request struct of the query; nil: it takes no parameters
	expands []string
	limit   int
	capped  bool // a larger limit counts as the largest
	body    body
	answer  func(*apiDocument) answers
	refuses []admitto.Kind
}

// body is what an operation reads next to its query.
type body struct {
	form       bodyForm
	value      func(*apiDocument) *schema.Schema // of a bare value, also where it may stand for the parameters
	parameters reflect.Type                      // request struct, or wire struct of a merge patch
	entries    *entries
}

type bodyForm byte

const (
	noBody        bodyForm = iota
	bareValue              // one JSON value
	parameterBody          // a form, a multipart form or a JSON object
	fieldBody              // a JSON object
	mergePatch
	uploadBody
)

// entries are a list of objects among the parameters: name[0][member].
type entries struct {
	name    string
	members reflect.Type // request struct
	most    int
}

// answers is how an operation answers when it succeeds.
type answers struct {
	status  int
	other   int            // a second status with the same content; 0: none
	content schema.Members // media type → schema; none: no body
	headers []string       // names among the headers of the components
	isFile  bool           // with ranges and validators
	meaning string
}

// shapes is the whole table, by the name of the operation.
func shapes() map[string]shape {
	all := map[string]shape{}
	for _, part := range []map[string]shape{applicantReads(), applicationReads(), otherReads(), writes()} {
		for name, s := range part {
			if _, twice := all[name]; twice {
				panic("api: " + name + " has two shapes")
			}
			all[name] = s
		}
	}
	return all
}

func readsQuery[T any]() reflect.Type { return reflect.TypeFor[T]() }

// parameters is a creation's body: a form, a multipart form or a JSON object of the same parameters.
func parameters[T any]() body { return body{form: parameterBody, parameters: reflect.TypeFor[T]()} }

// with adds a list of objects, which is required.
func (b body) with(list entries) body { b.entries = &list; return b }

// or lets one JSON value stand for all parameters.
func (b body) or(value func(*apiDocument) *schema.Schema) body { b.value = value; return b }

// values is one bare JSON value.
func values(of func(*apiDocument) *schema.Schema) body { return body{form: bareValue, value: of} }

// fields is a JSON object of the parameters of a request struct.
func fields[T any]() body { return body{form: fieldBody, parameters: reflect.TypeFor[T]()} }

// patches is a JSON merge patch (RFC 7396) of a wire struct.
func patches[T any]() body { return body{form: mergePatch, parameters: reflect.TypeFor[T]()} }

// uploads is a multipart form with a file and the parameters of a request struct.
func uploads[T any]() body { return body{form: uploadBody, parameters: reflect.TypeFor[T]()} }

// fieldOf is a bare value that is read as a parameter of a request struct; null clears it.
func fieldOf[T any](name string) func(*apiDocument) *schema.Schema {
	return func(d *apiDocument) *schema.Schema {
		place := d.place(&shape{}, true)
		for _, f := range params.FieldsOf(reflect.TypeFor[T](), d.version) {
			if f.Name == name {
				return schema.InputOrNull(place.Describe(reflect.TypeFor[T](), &f))
			}
		}
		panic("api: no field " + name)
	}
}

// plain is a schema that is the same in all documents.
func plain(s schema.Schema) func(*apiDocument) *schema.Schema {
	return func(*apiDocument) *schema.Schema { copied := s; return &copied }
}

// textOrNothing is a text of so many characters, or null to clear it.
func textOrNothing(min, max int) func(*apiDocument) *schema.Schema {
	return plain(schema.Schema{Type: []string{"string", "null"}, MinLength: &min, MaxLength: &max})
}

// answersJSON is 200 with one JSON document.
func answersJSON(s *schema.Schema, headers ...string) answers {
	return answers{status: http.StatusOK, content: schema.Members{{Name: jsonType, Value: s}}, headers: headers}
}

// one answers a record.
func one[T any]() func(*apiDocument) answers {
	return func(d *apiDocument) answers { return answersJSON(d.component(reflect.TypeFor[T]()), "ETag") }
}

// many answers a complete collection keyed by ID.
func many[T any]() func(*apiDocument) answers {
	return func(d *apiDocument) answers {
		return answersJSON(schema.KeyedByID(d.component(reflect.TypeFor[T]())), "ETag", "X-Count")
	}
}

// pages answers a collection that takes limit.
func pages[T any]() func(*apiDocument) answers {
	return func(d *apiDocument) answers {
		return answersJSON(schema.KeyedByID(d.component(reflect.TypeFor[T]())), "Link", "X-Count")
	}
}

// keyed answers a collection keyed by name.
func keyed[T any]() func(*apiDocument) answers {
	return func(d *apiDocument) answers {
		return answersJSON(schema.KeyedByName(d.component(reflect.TypeFor[T]())), "ETag", "X-Count")
	}
}

// object answers a document that no wire struct says.
func object(of func(*apiDocument) *schema.Schema, headers ...string) func(*apiDocument) answers {
	return func(d *apiDocument) answers { return answersJSON(of(d), headers...) }
}

// scalar answers a bare value that is null when unset.
func scalar(of ...string) func(*apiDocument) answers {
	return func(*apiDocument) answers {
		s := schema.OrNull(schema.Text())
		for _, word := range of {
			s.Enum = append(s.Enum, word)
		}
		return answersJSON(s, "ETag")
	}
}

// file answers stored bytes.
func file(mediaTypes ...string) func(*apiDocument) answers {
	return func(*apiDocument) answers {
		a := answers{status: http.StatusOK, isFile: true, headers: []string{"ETag", "Last-Modified", "Content-Disposition", "Accept-Ranges"}}
		for _, name := range mediaTypes {
			a.content = append(a.content, schema.Member{Name: name, Value: &schema.Schema{}})
		}
		return a
	}
}

// anyFile is a file of whatever type was stored.
const anyFile = "*/*"

// csv answers a table; the header row comes first.
func csv() func(*apiDocument) answers {
	return func(*apiDocument) answers {
		return answers{status: http.StatusOK, content: schema.Members{{Name: "text/csv", Value: schema.Text()}},
			headers: []string{"Content-Disposition", "Last-Modified", "X-Count"}}
	}
}

// stream answers bytes that are made while they are sent.
func stream(mediaType string) func(*apiDocument) answers {
	return func(*apiDocument) answers {
		return answers{status: http.StatusOK, content: schema.Members{{Name: mediaType, Value: &schema.Schema{}}}, headers: []string{"Content-Disposition"}}
	}
}

// paged answers one page of a collection, which tells of the pages under a further key.
func paged[T any]() func(*apiDocument) answers {
	return func(d *apiDocument) answers {
		s := schema.KeyedByID(d.component(reflect.TypeFor[T]()))
		s.Properties = schema.Members{{Name: "pages", Value: d.component(reflect.TypeFor[pagesWire]())}}
		s.Required = []string{"pages"}
		return answersJSON(s, "ETag", "X-Count")
	}
}

// nothing answers 204.
func nothing(headers ...string) func(*apiDocument) answers {
	return func(*apiDocument) answers {
		return answers{status: http.StatusNoContent, headers: headers, meaning: "Done, or so already."}
	}
}

// created answers 201 with the record of what was made.
func created[T any]() func(*apiDocument) answers {
	return func(d *apiDocument) answers {
		return answers{status: http.StatusCreated, content: schema.Members{{Name: jsonType, Value: d.component(reflect.TypeFor[T]())}},
			headers: []string{"Location"}, meaning: "Created; Location is its path."}
	}
}

// changed answers in one way before a change of the history and in another from it on.
func changed(at *version.Change, before, from func(*apiDocument) answers) func(*apiDocument) answers {
	return func(d *apiDocument) answers {
		if d.version.Has(at) {
			return from(d)
		}
		return before(d)
	}
}
