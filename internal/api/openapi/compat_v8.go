package openapi

import "github.com/admitto/admitto/internal/api/schema"

// What only versions 1 to 8 have, before the change singleDates: dates of unknown precision as objects of year and
// month.

// yearMonthSchema describes such a date.
func yearMonthSchema(meaning string) *schema.Schema {
	return &schema.Schema{Type: []string{"object", "null"}, Description: meaning,
		Properties: schema.Members{{Name: "yy", Value: &schema.Schema{Type: "string", Pattern: "^[0-9]{4}$"}},
			{Name: "mm", Value: &schema.Schema{Type: []string{"string", "null"}, Pattern: "^[0-9]{2}$"}}},
		Required: []string{"yy", "mm"}}
}
