package api

// What only versions 1 to 8 have, before the change singleDates: dates of unknown precision as objects of year and month.
// The older forms of tableviews and of content that is written are settled by admissions.TableForm.Legacy,
// ContentPatch.ObjectDates and ContentPatch.ExtrasByName, which follow the same change, and by the encoder (wire/compat_v8.go).

// yearMonthSchema describes such a date.
func yearMonthSchema(meaning string) *schema {
	return &schema{Type: []string{"object", "null"}, Description: meaning,
		Properties: members{{"yy", &schema{Type: "string", Pattern: "^[0-9]{4}$"}},
			{"mm", &schema{Type: []string{"string", "null"}, Pattern: "^[0-9]{2}$"}}},
		Required: []string{"yy", "mm"}}
}
