package api

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/openapi"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/form"
	"pgregory.net/rapid"

	"github.com/admitto/admitto/internal/config"
)

// Lowered draws a value of a wire struct, with anything in it that the type allows, and returns its JSON in a version.
func Lowered(t *rapid.T, name string, v int) []byte {
	of := wireTypes[slices.IndexFunc(wireTypes, func(of reflect.Type) bool { return of.Name() == name })]
	d := &drawer{t: t, call: &call{api: &API{live: config.NewLive(config.Defaults())}, version: version.Number(v),
		prefix: "/api/v" + version.Number(v).String()}}
	return d.record(of)
}

// WireSchemas returns the schemas of all wire structs in a version, as the documents have them, and how they are called
// there.
func WireSchemas(v int) (schemas []byte, components map[string]string) {
	d, components := described().Document(config.Defaults(), version.Number(v)), map[string]string{}
	for _, of := range wireTypes {
		d.Component(of)
		components[of.Name()] = openapi.ComponentName(of)
	}
	return wire.AppendJSON(nil, d.Schemas), components
}

// drawer fills wire structs with random values.
type drawer struct {
	t     *rapid.T
	call  *call
	depth int // of records inside of records
}

// deepest bounds records that hold themselves.
const deepest = 3

func (d *drawer) record(of reflect.Type) []byte {
	d.depth++
	defer func() { d.depth-- }()
	v := reflect.New(of)
	d.fill(v.Elem(), "")
	return d.call.encode(nil, v.Interface())
}

// few draws how many of something there are.
func (d *drawer) few() int { return rapid.IntRange(0, max(0, 3-d.depth)).Draw(d.t, "few") }

func (d *drawer) id() int64 {
	return rapid.OneOf(rapid.Int64Range(1, 3), rapid.Int64Range(1, schema.MaxID)).Draw(d.t, "id")
}

// link draws a path, or none.
func (d *drawer) link() wire.Link {
	forms := []string{"", "/applicants/{}", "/applications/{}/offers/{}",
		"/applications/{}/offers/{}/attachments/{}/download", "/academic-years/{}"}
	return wire.LinkTo(rapid.SampledFrom(forms).Draw(d.t, "form"), d.id(), d.id(), d.id())
}

// fill sets a value; name is that of the field it is in.
func (d *drawer) fill(v reflect.Value, name string) {
	if v.Type().Implements(wire.EmbeddingType) {
		d.fill(v.Field(0), "")
		d.fill(v.Field(1), name)
		return
	}
	switch v.Type() {
	case wire.LinkType:
		v.Set(reflect.ValueOf(d.link()))
	case wire.ExpandableType:
		v.Set(reflect.ValueOf(wire.Expandable{Link: d.link(), JSON: d.expanded(name)}))
	case wire.TimeType:
		v.SetInt(rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(1, int64(admitto.TimeOf(time.Date(2199, 1, 1, 0, 0, 0, 0,
			time.UTC))))).Draw(d.t, "moment"))
	case wire.DateType:
		if rapid.Bool().Draw(d.t, "has day") {
			day := time.Date(1900, 1, 1+rapid.IntRange(0, 100_000).Draw(d.t, "day"), 0, 0, 0, 0, time.UTC)
			v.Set(reflect.ValueOf(admitto.DateOf(day)))
		}
	case wire.ContentType:
		w := v.Addr().Interface().(*wire.Content)
		w.Content.Sections = map[string]any{}
		d.sections(w.Content.Sections)
		d.fill(reflect.ValueOf(&w.Extras).Elem(), "")
	case wire.FullNameType:
		v.Set(reflect.ValueOf(wire.FullName{Name: &admitto.Name{Given: d.text(), Middle: d.text(), Family: d.text()}}))
	case wire.LinkMapType:
		v.Set(reflect.ValueOf(wire.LinkMap{Form: "/courses/{}", IDs: rapid.SliceOfNDistinct(rapid.Int64Range(1, schema.MaxID),
			0, 3, rapid.ID).Draw(d.t, "ids")}))
	case wire.HundredthsType:
		v.SetInt(rapid.Int64Range(-1e15, 1e15).Draw(d.t, "hundredths"))
	case wire.RawType:
		v.SetBytes(d.raw(name))
	default:
		d.fillKind(v)
	}
}

// sections draws sections of the form, or none of them.
func (d *drawer) sections(into form.Object) {
	for _, s := range form.Sections() {
		switch {
		case s.Key == form.Questions || rapid.Bool().Draw(d.t, "is empty"):
		case s.Rows:
			rows := make([]form.Object, 1+d.few())
			for i := range rows {
				rows[i] = d.object(s.Fields)
			}
			into[s.Key] = rows
		default:
			into[s.Key] = d.object(s.Fields)
		}
	}
}

// object draws values of fields, for some of them none.
func (d *drawer) object(fields []*form.Field) form.Object {
	o := form.Object{}
	for _, f := range fields {
		if rapid.Bool().Draw(d.t, "is unset") {
			continue
		}
		switch f.Kind {
		case form.Group:
			o[f.Name] = d.object(f.Fields)
		case form.Month:
			o[f.Name] = rapid.SampledFrom([]string{"1900", "2025-12", "2024-02-29", "2100-01-01"}).Draw(d.t, "date")
		case form.Number:
			o[f.Name] = rapid.Int().Draw(d.t, "number")
		case form.YesNo:
			o[f.Name] = rapid.Bool().Draw(d.t, "yes")
		case form.Codes:
			o[f.Name] = rapid.SliceOfN(rapid.String(), 1, 3).Draw(d.t, "codes")
		case form.Schemes:
			o[f.Name] = rapid.MapOfN(rapid.String(), rapid.String(), 1, 3).Draw(d.t, "texts")
		default:
			o[f.Name] = rapid.String().Draw(d.t, "text")
		}
	}
	return o
}

func (d *drawer) text() string {
	return rapid.OneOf(rapid.Just(""), rapid.String()).Draw(d.t, "text")
}

// fillKind sets a value by the kind of its type.
func (d *drawer) fillKind(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(d.text())
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(d.t, "number"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(d.t, "flag"))
	case reflect.Pointer:
		if rapid.Bool().Draw(d.t, "is set") {
			v.Set(reflect.New(v.Type().Elem()))
			d.fill(v.Elem(), "")
		}
	case reflect.Slice:
		n := d.few()
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			d.fill(v.Index(i), "")
		}
		if v.Type().Implements(wire.ByIDType) {
			for i := range n { // their first field is the ID
				v.Index(i).Field(0).SetInt(int64(i + 1))
			}
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(rapid.MapOfN(rapid.String(), rapid.String(), 0, 3).Draw(d.t, "texts")).Convert(v.Type()))
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				d.fill(v.Field(i), f.Tag.Get("wire"))
			}
		}
	default:
		panic(fmt.Sprintf("api: no random %s", v.Type()))
	}
}

// expanded draws what an expansion puts in place of a link; nil leaves the link.
func (d *drawer) expanded(name string) []byte {
	of := map[string]reflect.Type{
		"trackers": reflect.TypeFor[trackerAssociationWire](), "consents": reflect.TypeFor[consentAssociationWire](),
		"invoices": reflect.TypeFor[invoiceWire](), "wishes": reflect.TypeFor[wishWire](),
		"applicant": reflect.TypeFor[applicantWire](),
		"flags":     reflect.TypeFor[flagAssociationWire](), "courses": reflect.TypeFor[courseAssociationWire](),
		"offers": reflect.TypeFor[offerWire](), "scores": reflect.TypeFor[scoreWire](), "tasks": reflect.TypeFor[taskWire](),
	}[name]
	switch {
	case of == nil || d.depth > 2 || rapid.Bool().Draw(d.t, "stays a link"):
		return nil
	case name == "applicant":
		return d.record(of)
	}
	return d.keyed(d.few(), of, func(i int) string { return fmt.Sprint(i + 1) })
}

// keyed draws an object of records.
func (d *drawer) keyed(n int, of reflect.Type, key func(int) string) []byte {
	object := []byte{'{'}
	for i := range n {
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(wire.AppendString(object, key(i)), ':'), d.record(of)...)
	}
	return append(object, '}')
}

// raw draws the JSON of the fields that hold it ready.
func (d *drawer) raw(name string) json.RawMessage {
	named := func(i int) string { return fmt.Sprintf("%d %s", i, d.text()) }
	switch name {
	case "deadlines":
		return d.keyed(d.few(), reflect.TypeFor[deadlineWire](), named)
	case "amounts":
		return d.keyed(d.few(), reflect.TypeFor[feeAmountWire](), named)
	case "fields":
		return json.RawMessage(`{"a":"b"}`)
	case "value":
		return d.extra()
	}
	panic("api: no random JSON for " + name)
}

// extra draws the value of an answer to a question.
func (d *drawer) extra() json.RawMessage {
	switch kind := rapid.IntRange(0, 5).Draw(d.t, "type of question"); {
	case kind == 1:
		return jsonNumber(rapid.StringMatching(`-?[0-9]{1,9}(\.[0-9]{1,9})?`).Draw(d.t, "decimal"))
	case kind == 2:
		return d.call.encode(nil, new(rapid.Bool().Draw(d.t, "yes")))
	case kind == 3:
		return d.call.encode(nil, new(rapid.SliceOfN(rapid.String(), 0, 3).Draw(d.t, "choices")))
	case kind == 4:
		return d.record(reflect.TypeFor[moneyWire]())
	case kind == 5 && d.depth < deepest:
		d.depth++
		defer func() { d.depth-- }()
		entries := make([]wire.Extra, d.few())
		d.fill(reflect.ValueOf(&entries).Elem(), "")
		return d.call.encode(nil, &entries)
	}
	return d.call.encode(nil, new(wire.Nullable(d.text())))
}
