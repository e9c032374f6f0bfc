package api

import (
	"fmt"
	"net/http/httptest"
	"reflect"

	"github.com/admitto/admitto/internal/api/openapi"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/config"
)

// rangedInput has parameters that not every version has.
type rangedInput struct {
	Always  params.TitleList `name:"always"`
	Titles  params.TitleList `name:"changed" until:"3"`
	IDs     params.IDList    `name:"changed" since:"4"`
	Between params.TitleList `name:"between" since:"4" until:"8"`
}

// RangedParameters sets every parameter to 7 in a version and returns what of it was understood, which names nobody
// knew, and which names and types the OpenAPI document of the version would have.
func RangedParameters(v int) (understood, unknown, documented string) {
	c := &call{api: &API{live: config.NewLive(config.Defaults())}, version: version.Number(v), w: httptest.NewRecorder(),
		r: httptest.NewRequest("GET", "/api/applications", nil)}
	list := params.Args{}
	for _, name := range []string{"always", "changed", "between"} {
		list[name] = &params.Arg{Values: []string{"7"}}
	}
	var in rangedInput
	err := c.decode(list, &in)
	d := described().Document(config.Defaults(), version.Number(v))
	for _, p := range d.QueryParameters(&openapi.Shape{Query: reflect.TypeFor[rangedInput]()}) {
		documented += fmt.Sprint(p.Name, " ", p.Schema.Items.Type, ";")
	}
	return fmt.Sprint(in, err), c.w.Header().Get("Ignored-Parameters"), documented
}

// InputBounds is TagBounds of the parameters of all operations.
func InputBounds() map[string]int {
	bounds := map[string]int{}
	for _, r := range routes {
		for _, t := range []reflect.Type{r.shape.Query, r.shape.Body.Parameters} {
			if t != nil && t.Kind() == reflect.Struct {
				addBounds(bounds, t)
			}
		}
	}
	return bounds
}
