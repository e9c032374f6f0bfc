package usecase

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// CountedList answers a list with the number of all its matches. A list from its beginning that leaves nothing out has
// counted its matches itself; only otherwise they are counted by a statement. each is nil when they are only counted, and then
// end finds where the page ends.
func CountedList[T any](after int64, count func(n, last int64), each func(*T) error, matches func() (int64, error),
	end func(n int64) (int64, error), list func(each func(*T) error) (more bool, err error)) (more bool, err error) {
	var listed int64
	if each != nil {
		more, err = list(func(v *T) error {
			listed++
			return each(v)
		})
		if err != nil {
			return false, err
		}
	}
	if each == nil || more || after != 0 {
		if listed, err = matches(); err != nil {
			return false, err
		}
	}
	var last int64
	if each == nil {
		if last, err = end(listed); err != nil {
			return false, err
		}
		more = last != 0
	}
	count(listed, last)
	return more, nil
}

// ListOrEnd answers a list of n matches: it lists them or, when each is nil, finds where the page ends.
func ListOrEnd[T any](n int64, limit int, count func(n, last int64), each func(*T) error, end func() (int64, error),
	list func() (more bool, err error)) (more bool, err error) {
	var last int64
	switch {
	case each == nil:
		last, err = EndOf(n, limit, end)
		more = last != 0
	case n > 0:
		more, err = list()
	}
	if err == nil {
		count(n, last)
	}
	return more, err
}

// EndOf finds the last ID of a page of at most limit out of n matches, by a statement that reads no records; 0 when no match
// is left out behind it.
func EndOf(n int64, limit int, statement func() (int64, error)) (int64, error) {
	if limit < 1 || n <= int64(limit) {
		return 0, nil
	}
	return statement()
}

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
