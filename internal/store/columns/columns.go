// Package columns says how values of ours are stored in columns, for all that write a table: package store, and the
// loader of invented data.
package columns

import (
	"encoding/json"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// OrNull is an ID that may be missing, which is 0.
func OrNull(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

// Hundredths is a decimal that may be missing.
func Hundredths(h *admitto.Hundredths) any {
	if h == nil {
		return nil
	}
	return int64(*h)
}

// JSON is a value of ours as JSON; such values always encode.
func JSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// CodeKey is the form in which codes and names are compared.
func CodeKey(code string) string { return strings.ToLower(code) }
