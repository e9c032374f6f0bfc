package db

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
)

// normalizeAll brings arguments to the few types that both drivers are given; args stays as it is.
func normalizeAll(args []any) ([]any, error) {
	return appendNormal(make([]any, 0, len(args)), args)
}

func appendNormal(dst, args []any) ([]any, error) {
	for i, arg := range args {
		v, err := normalize(arg)
		if err != nil {
			return nil, fmt.Errorf("parameter $%d: %w", i+1, err)
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// normalize returns nil, bool, int64, string, []byte, []int64 or []string.
func normalize(arg any) (any, error) {
	switch v := arg.(type) {
	case nil, bool, int64, string:
		return arg, nil
	case int:
		return int64(v), nil
	case admitto.Time:
		if v == 0 {
			return nil, nil
		}
		return int64(v), nil
	case admitto.Date:
		if v.IsZero() {
			return nil, nil
		}
		return v.String(), nil
	case []byte:
		if v == nil {
			return nil, nil
		}
		return v, nil
	case []int64:
		if v == nil {
			return []int64{}, nil // an empty list, as a NULL would make every comparison unknown
		}
		return v, nil
	case []string:
		if v == nil {
			return []string{}, nil
		}
		return v, nil
	}
	switch v := reflect.ValueOf(arg); v.Kind() {
	case reflect.String:
		return v.String(), nil
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.Uint() > math.MaxInt64 {
			return nil, fmt.Errorf("a %T does not fit into a bigint", arg)
		}
		return int64(v.Uint()), nil
	}
	return nil, fmt.Errorf("a %T cannot be stored", arg)
}

// listOfInts is the list parameter of SQLite, a JSON array.
func listOfInts(list []int64) string {
	b := append(make([]byte, 0, 2+8*len(list)), '[')
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return string(append(b, ']'))
}

// listOfTexts is the list parameter of SQLite, a JSON array.
func listOfTexts(list []string) string {
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return string(b)
}
