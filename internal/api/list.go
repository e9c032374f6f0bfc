package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/admitto/admitto/internal/web"
)

// limits is the range of the parameter limit of a list.
type limits struct {
	max, otherwise int
	capped         bool // more than max counts as max
}

// take returns the limit that holds, or a fault.
func (l limits) take(c *call, given params.Limit) (int, error) {
	switch {
	case !given.Given:
		return l.otherwise, nil
	case l.capped && given.N > l.max:
		return l.max, nil
	case given.N < 1 || given.N > l.max:
		return 0, &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{
			params.FaultAt("limit", nil, message.Of("limit-range", l.max))}}
	}
	return given.N, nil
}

// faultsOf joins errors that each list faults of parameters, so that all are told at once; another error wins.
func faultsOf(errs ...error) error {
	var faults []admitto.Fault
	for _, err := range errs {
		if err == nil {
			continue
		}
		e, ok := err.(*admitto.Error)
		if !ok || e.Kind != admitto.InvalidParameter || len(e.Faults) == 0 {
			return err
		}
		faults = append(faults, e.Faults...)
	}
	if len(faults) == 0 {
		return nil
	}
	return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
}

// bigList is a list that takes limit, on its way into pieces of memory: add is called for each element.
type bigList struct {
	c      *call
	pieces *web.Pieces
	buf    []byte
	n      int
	last   int64
	behind interface { // the pipeline that encodes next to the reading; nil without
		finish() error
		stop()
	}
}

// flushAt is how many bytes are collected before they go to the pieces.
const flushAt = 32 << 10

// add appends one element, which the function encodes, under its ID.
func (l *bigList) add(id int64, element func(dst []byte) []byte) error {
	separator := byte('{')
	if l.n > 0 {
		separator = ','
	}
	l.n++
	l.last = id
	l.buf = append(l.buf, separator, '"')
	l.buf = strconv.AppendInt(l.buf, id, 10)
	l.buf = element(append(l.buf, '"', ':'))
	if len(l.buf) < flushAt {
		return nil
	}
	return l.flush()
}

// elements returns what is called for each element: set fills the wire struct w, which is then encoded.
func elements[T, W any](l *bigList, w *W, set func(*T), id func(*T) int64) func(*T) error {
	encode := wire.PlanFor[W](l.c.encoder())
	return encodedMeanwhile(l, id, func(dst []byte, v *T) []byte {
		set(v)
		return encode(dst, w)
	})
}

// encodedMeanwhile returns what is called for each element, which is encoded while the next ones are read; so
// encode must need nothing but the element.
func encodedMeanwhile[T any](l *bigList, id func(*T) int64, encode func([]byte, *T) []byte) func(*T) error {
	p := newPipeline(func(v *T) error {
		return l.add(id(v), func(dst []byte) []byte { return encode(dst, v) })
	})
	l.behind = p
	return p.add
}

func (l *bigList) flush() error {
	_, err := l.pieces.Write(l.buf)
	l.buf = l.buf[:0]
	return err
}

// stop ends the encoding next to the reading, if there is any.
func (l *bigList) stop() {
	if l.behind != nil {
		l.behind.stop()
	}
}

// sendList answers a list that takes limit, or the refusal of it. begin returns what is called for each element. The
// whole answer is built before it is sent (conventions.md 4 and 5); HEAD counts only.
func sendList[T any](c *call, list *usecase.List[T], err error, begin func(l *bigList) func(*T) error) error {
	if err != nil {
		return err
	}
	if c.r.Method == http.MethodHead {
		if err := list.Count(); err != nil {
			return err
		}
		c.w.Header().Set("X-Count", strconv.FormatInt(list.Total, 10))
		c.w.Header().Set("Content-Type", jsonType)
		c.w.Header().Set("Vary", "Accept-Encoding")
		if list.More {
			c.linkNext(list.Last)
		}
		c.w.WriteHeader(http.StatusOK)
		return nil
	}
	var last int64
	pieces, err := c.api.budget.Answer(c.ctx, web.Encoding(c.r), web.CompressAbove, func(pieces *web.Pieces) (err error) {
		last, err = fillList(c, pieces, list, begin)
		return err
	})
	if err != nil {
		return err
	}
	defer pieces.Release()
	c.w.Header().Set("X-Count", strconv.FormatInt(list.Total, 10))
	c.w.Header().Set("Vary", "Accept-Encoding")
	if list.More {
		c.linkNext(last)
	}
	pieces.SendAs(c.w, jsonType)
	return nil
}

// fillList writes a list and returns the ID of its last element.
func fillList[T any](c *call, pieces *web.Pieces, list *usecase.List[T],
	begin func(l *bigList) func(*T) error) (last int64, err error) {
	buf := c.api.buffers.Get().(*[]byte)
	defer c.api.buffers.Put(buf)
	l := &bigList{c: c, pieces: pieces, buf: (*buf)[:0]}
	defer l.stop()
	add := begin(l)
	for item, failed := range list.All() {
		if err = failed; err == nil {
			err = add(item)
		}
		if err != nil {
			break
		}
	}
	if err == nil && l.behind != nil {
		err = l.behind.finish()
	}
	l.stop()
	*buf = l.buf
	if err != nil {
		return 0, err
	}
	if l.n == 0 {
		l.buf = append(l.buf, '{')
	}
	l.buf = append(l.buf, '}')
	return l.last, l.flush()
}

// linkNext names the next page: the same query, after the last ID of this one.
func (c *call) linkNext(last int64) {
	next := url.URL{Path: c.r.URL.Path, RawPath: c.r.URL.RawPath, RawQuery: queryAfter(c.r.URL.RawQuery, last)}
	c.w.Header().Add("Link", "<"+next.String()+`>; rel="next"`)
	c.linkIsNext = true
}

// queryAfter returns a query with another after, its parameters by name. They are written as the client wrote them: a
// comma that becomes %2C makes a long query three times as long, and proxies bound headers (conventions.md 4).
func queryAfter(raw string, last int64) string {
	type parameter struct{ name, text string }
	list := []parameter{{afterName, afterName + "=" + strconv.FormatInt(last, 10)}}
	for text := range strings.SplitSeq(raw, "&") {
		name, _, _ := strings.Cut(text, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if name != afterName && text != "" {
			list = append(list, parameter{name, text})
		}
	}
	slices.SortStableFunc(list, func(a, b parameter) int { return strings.Compare(a.name, b.name) })
	var b strings.Builder
	for i, p := range list {
		if i > 0 {
			b.WriteByte('&')
		}
		for _, char := range []byte(p.text) {
			if char <= ' ' || char >= 0x7f || strings.IndexByte("\"#<>\\^`{|}",
				char) >= 0 { // what no URL may hold, nor a header
				fmt.Fprintf(&b, "%%%02X", char)
			} else {
				b.WriteByte(char)
			}
		}
	}
	return b.String()
}

// afterName is the parameter with the last ID of the page before.
const afterName = "after"

// smallList answers a collection of reference data, or of what hangs on one object: complete, with an ETag.
func smallList[T any](c *call, items []T, id func(*T) int64, record func(*T) any) error {
	c.w.Header().Set("X-Count", strconv.Itoa(len(items)))
	return c.json(appendCollection(c, nil, items, id, record))
}

// appendCollection appends a collection keyed by ID.
func appendCollection[T any](c *call, dst []byte, items []T, id func(*T) int64, record func(*T) any) []byte {
	dst = append(dst, '{')
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.encode(append(wire.AppendID(dst, id(&items[i])), ':'), record(&items[i]))
	}
	return append(dst, '}')
}

// appendPart appends a collection to a buffer that holds several, and returns the collection alone next to the buffer.
func appendPart[T any](c *call, buffer []byte, items []T, id func(*T) int64, record func(*T) any) (part,
	longer []byte) {
	longer = appendCollection(c, buffer, items, id, record)
	return longer[len(buffer):], longer
}

// namedList answers a collection keyed by name, in the order given (statuses, classificators, reports, blobs).
func namedList[T any](c *call, items []T, name func(*T) string, record func(*T) any) error {
	c.w.Header().Set("X-Count", strconv.Itoa(len(items)))
	return c.json(appendNamed(c, nil, items, name, record))
}

// appendNamed appends a collection keyed by name.
func appendNamed[T any](c *call, dst []byte, items []T, name func(*T) string, record func(*T) any) []byte {
	dst = append(dst, '{')
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.encode(append(wire.AppendString(dst, name(&items[i])), ':'), record(&items[i]))
	}
	return append(dst, '}')
}
