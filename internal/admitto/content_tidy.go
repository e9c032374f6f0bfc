package admitto

import "reflect"

// Tidy unsets every section and inner object that holds nothing, so that all of them are null in the API
// (resources.md 5.2). The entries of lists stay, even empty ones.
func (c *Content) Tidy() { tidy(reflect.ValueOf(c).Elem()) }

// tidy unsets what is empty inside v and tells whether v itself is.
func tidy(v reflect.Value) (empty bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return true
		}
		if v.Elem().Kind() != reflect.Struct || !tidy(v.Elem()) {
			return false // 0 and false are values here
		}
		v.SetZero()
		return true
	case reflect.Struct:
		empty = true
		for i := range v.NumField() {
			empty = tidy(v.Field(i)) && empty
		}
		return empty
	case reflect.Slice:
		for i := range v.Len() {
			tidy(v.Index(i))
		}
		return v.Len() == 0
	case reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}
