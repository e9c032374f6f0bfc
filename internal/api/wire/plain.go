package wire

import (
	"encoding/json"
	"strings"
)

// AppendJSON appends a value as plain JSON, without the escapes that are for HTML.
func AppendJSON(dst []byte, v any) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only values of our own are encoded here
	}
	return append(dst, strings.TrimSuffix(b.String(), "\n")...)
}
