package usecase

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// Found returns the item of a short list that is meant, or answers NotFound.
func Found[T any](list []T, err error, isIt func(*T) bool) (T, error) {
	for i := range list {
		if err == nil && isIt(&list[i]) {
			return list[i], nil
		}
	}
	var none T
	if err == nil {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	return none, err
}

// Named makes a map of a list.
func Named[T any, K comparable, V any](list []T, err error, of func(*T) (K, V)) (map[K]V, error) {
	m := make(map[K]V, len(list))
	for i := range list {
		k, v := of(&list[i])
		m[k] = v
	}
	return m, err
}

// Number is the text of an ID; 0 is empty.
func Number(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

// Joined joins the values that are not empty.
func Joined[T any](list []T, value func(*T) string) string {
	var b strings.Builder
	for i := range list {
		v := value(&list[i])
		if v == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		b.WriteString(v)
	}
	return b.String()
}
