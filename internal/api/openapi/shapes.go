package openapi

import (
	"net/http"
	"reflect"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
)

// Shape is the part of the row of an operation that documents need: what it reads, what it answers, and which refusals
// it has next to those that every operation of its kind has.
//
// # The shape of a new row
//
// It is the last value of the row. What several rows share, or needs more than a line, is in internal/api/shapes.go.
//
//   - Answer is one of the functions below: One[T]() a record of a wire struct, Many[T]() a collection keyed by ID,
//     Pages[T]() one that takes limit, Keyed[T]() one keyed by name, Scalar(words…), File(types…), CSV(),
//     Created[T]() 201 with Location, Nothing() 204. Versions that differ: Changed(change, old, new).
//   - Query is Query[T]() of the request struct that the handler decodes the query into; a list with limit says
//     its largest in Limit (0 is that of the settings), one with expand its words in Expands.
//   - Body is Values(schema) for a bare JSON value, Parameters[T]() for a creation, Fields[T]() for a JSON object of
//     fields, Patches[T]() for a merge patch, Uploads[T]() for a file in a multipart form. Without one the body is
//
// ignored.
//   - Refuses are further problem types: not-allowed-now where a state may forbid it, already-exists, mail-refused.
//     What follows from the method, the path, the body and the answer is added by itself (refusals in answers.go).
//
// A new wire struct needs nothing; a field that holds complete JSON needs a line in containedJSON, and a new input
// type the methods Read and Describe. Then: go test ./internal/api -run OpenAPI -update.
type Shape struct {
	Query   reflect.Type // request struct of the query; nil: it takes no parameters
	Expands []string
	Limit   int
	Capped  bool // a larger limit counts as the largest
	Body    Body
	Answer  func(*Document) Answers
	Refuses []admitto.Kind
}

// Body is what an operation reads next to its query.
type Body struct {
	form       bodyForm
	value      func(*Document) *schema.Schema // of a bare value, also where it may stand for the parameters
	Parameters reflect.Type                   // request struct, or wire struct of a merge patch
	entries    *Entries
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

// Entries are a list of objects among the parameters: name[0][member].
type Entries struct {
	Name    string
	Members reflect.Type // request struct
	Most    int
}

// Answers is how an operation answers when it succeeds.
type Answers struct {
	Status  int
	Other   int            // a second status with the same content; 0: none
	Content schema.Members // media type → schema; none: no body
	Headers []string       // names among the headers of the components
	isFile  bool           // with ranges and validators
	Meaning string
}

// Query is the request struct of a query.
func Query[T any]() reflect.Type { return reflect.TypeFor[T]() }

// Parameters is a creation's body: a form, a multipart form or a JSON object of the same parameters.
func Parameters[T any]() Body { return Body{form: parameterBody, Parameters: reflect.TypeFor[T]()} }

// With adds a list of objects, which is required.
func (b Body) With(list Entries) Body { b.entries = &list; return b }

// Or lets one JSON value stand for all parameters.
func (b Body) Or(value func(*Document) *schema.Schema) Body { b.value = value; return b }

// Values is one bare JSON value.
func Values(of func(*Document) *schema.Schema) Body { return Body{form: bareValue, value: of} }

// Fields is a JSON object of the parameters of a request struct.
func Fields[T any]() Body { return Body{form: fieldBody, Parameters: reflect.TypeFor[T]()} }

// Patches is a JSON merge patch (RFC 7396) of a wire struct.
func Patches[T any]() Body { return Body{form: mergePatch, Parameters: reflect.TypeFor[T]()} }

// Uploads is a multipart form with a file and the parameters of a request struct.
func Uploads[T any]() Body { return Body{form: uploadBody, Parameters: reflect.TypeFor[T]()} }

// FieldOf is a bare value that is read as a parameter of a request struct; null clears it.
func FieldOf[T any](name string) func(*Document) *schema.Schema {
	return func(d *Document) *schema.Schema {
		place := d.place(&Shape{}, true)
		for _, f := range params.FieldsOf(reflect.TypeFor[T](), d.Version) {
			if f.Name == name {
				return schema.InputOrNull(place.Describe(reflect.TypeFor[T](), &f))
			}
		}
		panic("openapi: no field " + name)
	}
}

// Plain is a schema that is the same in all documents.
func Plain(s schema.Schema) func(*Document) *schema.Schema {
	return func(*Document) *schema.Schema { copied := s; return &copied }
}

// TextOrNothing is a text of so many characters, or null to clear it.
func TextOrNothing(min, max int) func(*Document) *schema.Schema {
	return Plain(schema.Schema{Type: []string{"string", "null"}, MinLength: &min, MaxLength: &max})
}

// JSON answers 200 with one JSON document.
func JSON(s *schema.Schema, headers ...string) Answers {
	return Answers{Status: http.StatusOK, Content: schema.Members{{Name: params.JSONType, Value: s}}, Headers: headers}
}

// One answers a record.
func One[T any]() func(*Document) Answers {
	return func(d *Document) Answers { return JSON(d.Component(reflect.TypeFor[T]()), "ETag") }
}

// Many answers a complete collection keyed by ID.
func Many[T any]() func(*Document) Answers {
	return func(d *Document) Answers {
		return JSON(schema.KeyedByID(d.Component(reflect.TypeFor[T]())), "ETag", "X-Count")
	}
}

// Pages answers a collection that takes limit.
func Pages[T any]() func(*Document) Answers {
	return func(d *Document) Answers {
		return JSON(schema.KeyedByID(d.Component(reflect.TypeFor[T]())), "Link", "X-Count")
	}
}

// Keyed answers a collection keyed by name.
func Keyed[T any]() func(*Document) Answers {
	return func(d *Document) Answers {
		return JSON(schema.KeyedByName(d.Component(reflect.TypeFor[T]())), "ETag", "X-Count")
	}
}

// Object answers a document that no wire struct says.
func Object(of func(*Document) *schema.Schema, headers ...string) func(*Document) Answers {
	return func(d *Document) Answers { return JSON(of(d), headers...) }
}

// Scalar answers a bare value that is null when unset.
func Scalar(of ...string) func(*Document) Answers {
	return func(*Document) Answers {
		s := schema.OrNull(schema.Text())
		for _, word := range of {
			s.Enum = append(s.Enum, word)
		}
		return JSON(s, "ETag")
	}
}

// File answers stored bytes.
func File(mediaTypes ...string) func(*Document) Answers {
	return func(*Document) Answers {
		a := Answers{Status: http.StatusOK, isFile: true, Headers: []string{"ETag", "Last-Modified", "Content-Disposition",
			"Accept-Ranges"}}
		for _, name := range mediaTypes {
			a.Content = append(a.Content, schema.Member{Name: name, Value: &schema.Schema{}})
		}
		return a
	}
}

// AnyFile is a file of whatever type was stored.
const AnyFile = "*/*"

// CSV answers a table; the header row comes first.
func CSV() func(*Document) Answers {
	return func(*Document) Answers {
		return Answers{Status: http.StatusOK, Content: schema.Members{{Name: "text/csv", Value: schema.Text()}},
			Headers: []string{"Content-Disposition", "Last-Modified", "X-Count"}}
	}
}

// Stream answers bytes that are made while they are sent.
func Stream(mediaType string) func(*Document) Answers {
	return func(*Document) Answers {
		return Answers{Status: http.StatusOK, Content: schema.Members{{Name: mediaType, Value: &schema.Schema{}}},
			Headers: []string{"Content-Disposition"}}
	}
}

// Nothing answers 204.
func Nothing(headers ...string) func(*Document) Answers {
	return func(*Document) Answers {
		return Answers{Status: http.StatusNoContent, Headers: headers, Meaning: "Done, or so already."}
	}
}

// Created answers 201 with the record of what was made.
func Created[T any]() func(*Document) Answers {
	return func(d *Document) Answers {
		return Answers{Status: http.StatusCreated, Content: schema.Members{{Name: params.JSONType,
			Value: d.Component(reflect.TypeFor[T]())}},
			Headers: []string{"Location"}, Meaning: "Created; Location is its path."}
	}
}

// Changed answers in one way before a change of the history and in another from it on.
func Changed(at *version.Change, before, from func(*Document) Answers) func(*Document) Answers {
	return func(d *Document) Answers {
		if d.Version.Has(at) {
			return from(d)
		}
		return before(d)
	}
}
