package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
)

// Collection is an answer with several elements by their ID, in the order in which they came.
type Collection[T any] struct {
	ids    []int64
	values []T
}

// Len is how many elements there are.
func (c Collection[T]) Len() int { return len(c.ids) }

// All goes through the IDs and elements in the order of the answer.
func (c Collection[T]) All() iter.Seq2[int64, T] {
	return func(yield func(int64, T) bool) {
		for i, id := range c.ids {
			if !yield(id, c.values[i]) {
				return
			}
		}
	}
}

// Get returns the element with the ID.
func (c Collection[T]) Get(id int64) (value T, found bool) {
	for i, have := range c.ids {
		if have == id {
			return c.values[i], true
		}
	}
	return value, false
}

// Last is the ID of the last element, 0 when there is none.
func (c Collection[T]) Last() int64 {
	if len(c.ids) == 0 {
		return 0
	}
	return c.ids[len(c.ids)-1]
}

// MarshalJSON writes the object that was read.
func (c Collection[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, id := range c.ids {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(c.values[i])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `"%d":%s`, id, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads an object keyed by ID and keeps its order, which a map would lose.
func (c *Collection[T]) UnmarshalJSON(data []byte) error {
	*c = Collection[T]{}
	return members(data, c.read)
}

// read reads the member with this key.
func (c *Collection[T]) read(key string, d *json.Decoder) error {
	id, err := strconv.ParseInt(key, 10, 64)
	if err != nil {
		return fmt.Errorf("client: %q is no ID", key)
	}
	var value T
	if err := d.Decode(&value); err != nil {
		return err
	}
	c.ids, c.values = append(c.ids, id), append(c.values, value)
	return nil
}

// members goes through the members of an object; null has none.
func members(data []byte, each func(key string, d *json.Decoder) error) error {
	d := json.NewDecoder(bytes.NewReader(data))
	open, err := d.Token()
	if err != nil || open == nil {
		return err
	}
	if open != json.Delim('{') {
		return fmt.Errorf("client: %.20q is no object", data)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if err := each(key.(string), d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// Paged is one page of a list that is counted in pages.
type Paged[T any] struct {
	Pages Pages
	Items Collection[T]
}

// MarshalJSON writes the object that was read.
func (p Paged[T]) MarshalJSON() ([]byte, error) {
	pages, err := json.Marshal(p.Pages)
	if err != nil {
		return nil, err
	}
	items, err := json.Marshal(p.Items)
	if err != nil {
		return nil, err
	}
	all := append([]byte(`{"pages":`), pages...)
	if p.Items.Len() > 0 {
		all = append(all, ',')
	}
	return append(all, items[1:]...), nil
}

// UnmarshalJSON reads an object with the elements and, among them, the member pages.
func (p *Paged[T]) UnmarshalJSON(data []byte) error {
	*p = Paged[T]{}
	return members(data, func(key string, d *json.Decoder) error {
		if key == "pages" {
			return d.Decode(&p.Pages)
		}
		return p.Items.read(key, d)
	})
}
