package client

import (
	"net/url"
	"reflect"
	"strconv"
	"strings"
)

// values makes the query of a struct with query tags: fields that are zero are left out, lists are joined by commas.
func values(query any) url.Values {
	list := url.Values{}
	v := reflect.ValueOf(query)
	for i := range v.NumField() {
		field, name := v.Field(i), v.Type().Field(i).Tag.Get("query")
		if field.IsZero() {
			continue
		}
		switch value := field.Interface().(type) {
		case []string:
			list.Set(name, strings.Join(value, ","))
		case []int64:
			texts := make([]string, len(value))
			for i, n := range value {
				texts[i] = strconv.FormatInt(n, 10)
			}
			list.Set(name, strings.Join(texts, ","))
		case int64:
			list.Set(name, strconv.FormatInt(value, 10))
		case bool:
			list.Set(name, "true")
		case *bool:
			list.Set(name, strconv.FormatBool(*value))
		default: // Bound, Day, string
			list.Set(name, field.String())
		}
	}
	return list
}
