package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strings"
)

// all goes through a big list page by page, by the link to the next page that each answer has. The first error ends it.
// A page is read to its end before its first element is given, so the one who takes long over an element holds no
// connection.
func all[T any](ctx context.Context, c *Client, call call) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		call.accept = "application/json"
		for {
			answer, err := c.send(ctx, call)
			var page Collection[T]
			if err == nil {
				err = json.Unmarshal(answer.body, &page)
			}
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, value := range page.All() {
				if !yield(value, nil) {
					return
				}
			}
			next := nextPage(answer.Header)
			if next == "" {
				return
			}
			if call.path, err = c.own(Link(next)); err != nil {
				yield(*new(T), err)
				return
			}
			call.query = nil // it is in the link
		}
	}
}

// nextPage finds the link with rel="next", "" when there is none.
func nextPage(header http.Header) string {
	for _, value := range header.Values("Link") {
		for link := range strings.SplitSeq(value, ", <") {
			target, parameters, found := strings.Cut(strings.TrimPrefix(link, "<"), ">")
			if found && strings.Contains(parameters, `rel="next"`) {
				return target
			}
		}
	}
	return ""
}

// own returns the path of a link, which must lie in the interface of this instance: the key goes nowhere else.
func (c *Client) own(link Link) (string, error) {
	if !strings.HasPrefix(string(link), "/api/") {
		return "", fmt.Errorf("client: %q is no link of the interface", link)
	}
	return string(link), nil
}

// Follow reads what is behind a link, such as the applicant of an application.
func Follow[T any](ctx context.Context, c *Client, link Link, options ...Option) (value T, err error) {
	path, err := c.own(link)
	if err != nil {
		return value, err
	}
	return fetch[T](ctx, c, call{method: http.MethodGet, path: path, options: options})
}

// Open reads the file behind a link.
func (c *Client) Open(ctx context.Context, link Link, options ...Option) (*Download, error) {
	path, err := c.own(link)
	if err != nil {
		return nil, err
	}
	return open(ctx, c, call{method: http.MethodGet, path: path, options: options})
}
