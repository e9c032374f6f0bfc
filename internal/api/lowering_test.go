package api_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"pgregory.net/rapid"
)

// lowerings is how many random values of each record are lowered to each version, before the search for a bad one.
const lowerings = 3

// Whatever is in a record: lowered to a version it is what the OpenAPI document of that version says, for every record
// and every version.
func TestLoweringValidates(t *testing.T) {
	var checks [11]func(name string, body []byte) error
	for _, v := range versions() {
		text, components := api.WireSchemas(v)
		schemas := parsed(t, text).(map[string]any)
		published := at(documentOf(t, v), "components", "schemas").(map[string]any)
		for _, component := range components {
			if of := published[component]; of != nil && !reflect.DeepEqual(of, schemas[component]) {
				t.Errorf("version %d: the document has another %s than the encoder", v, component)
			}
		}
		for _, family := range []string{"Applicant", "Offer", "OfferType", "Task", "Invoice", "Transaction", "Course",
			"Institution", "Intake", "Term",
			"Scoresheet", "Score", "Tableview", "Administrator", "Tracker", "Flag", "Consent", "Export", "Email", "Fee", "Login",
			"Record"} {
			if published[family] == nil {
				t.Errorf("version %d: the document has no %s", v, family)
			}
		}
		check := newValidator(map[string]any{"components": map[string]any{"schemas": schemas}})
		checks[v] = func(name string, body []byte) error {
			return check.check(map[string]any{"$ref": "#/components/schemas/" + components[name]}, parsed(t, body), "")
		}
	}
	names := slices.Sorted(slices.Values(api.WireNames()))
	for _, name := range names {
		for _, v := range versions() {
			values := rapid.Custom(func(r *rapid.T) []byte { return api.Lowered(r, name, v) })
			for seed := range lowerings {
				if body := values.Example(seed); checks[v](name, body) != nil {
					t.Errorf("version %d: %s: %v\n%s", v, name, checks[v](name, body), body)
				}
			}
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.SampledFrom(names).Draw(r, "record")
		for _, v := range versions() {
			body := api.Lowered(r, name, v)
			if err := checks[v](name, body); err != nil {
				r.Fatalf("version %d: %s: %v\n%s", v, name, err, body)
			}
		}
	})
}
