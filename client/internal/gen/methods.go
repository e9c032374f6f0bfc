package main

import (
	"fmt"
	"slices"
	"strings"
)

// methods writes one method or more: what the operation answers decides which.
func (e *endpoint) methods() error {
	name := goName(e.operation.ID)
	if e.method == "HEAD" {
		return e.head()
	}
	if e.operation.RequestBody != nil && slices.Equal(e.operation.RequestBody.Content.keys,
		[]string{"multipart/form-data"}) {
		e.emit(name, "", "(File, error)", "return upload(ctx, c, %s, file)")
		return nil
	}
	if len(e.success.Content.keys) == 0 {
		e.emit(name, "", "error", "return perform(ctx, c, %s)")
		return nil
	}
	content, isJSON := e.success.Content.get("application/json")
	file := slices.IndexFunc(e.success.Content.keys, func(t string) bool { return t != "application/json" })
	if file >= 0 {
		fileName := name
		if isJSON {
			fileName = "Download" + strings.TrimPrefix(name, "Get")
		}
		if accept := e.success.Content.keys[file]; accept != "*/*" {
			e.call = slices.Insert(e.call, 2, fmt.Sprintf("accept: %q", accept))
		}
		e.emit(fileName, ", as a file that the caller closes", "(*Download, error)", "return open(ctx, c, %s)")
		e.call = slices.DeleteFunc(e.call, func(s string) bool { return strings.HasPrefix(s, "accept: ") })
	}
	if !isJSON {
		return nil
	}
	t, err := e.g.typeOf(content.Schema, name+"Answer", output)
	if err != nil {
		return err
	}
	e.emit(name, "", "("+t+", error)", "return fetch["+t+"](ctx, c, %s)")
	if rest, isList := strings.CutPrefix(name, "List"); isList && e.pages() {
		element := strings.TrimSuffix(strings.TrimPrefix(t, "Collection["), "]")
		e.emit("All"+rest, ", page after page", "iter.Seq2["+element+", error]", "return all["+element+"](ctx, c, %s)")
	}
	for _, inner := range e.g.pending {
		if err := inner(); err != nil {
			return err
		}
	}
	e.g.pending = nil
	return nil
}

// pages reports whether the list comes in pages that link to the next one.
func (e *endpoint) pages() bool {
	return slices.ContainsFunc(e.operation.Parameters, func(p parameter) bool {
		return strings.HasSuffix(p.Ref,
			".after") || p.Name == "after"
	})
}

// head writes the method of a HEAD: it counts, or returns the header.
func (e *endpoint) head() error {
	name := goName(unheaded(e.operation.ID))
	name = strings.TrimPrefix(strings.TrimPrefix(name, "Get"), "List")
	if _, counts := e.success.Headers["X-Count"]; counts {
		e.emit("Count"+name, "; it returns the number of matches", "(int64, error)", "return count(ctx, c, %s)")
		return nil
	}
	e.emit("Head"+name, "; it returns the header", "(http.Header, error)", "return header(ctx, c, %s)")
	return nil
}

// emit writes a method. The body has one %s, for the call.
func (e *endpoint) emit(name, more, results, body string) {
	signature := append([]string{"ctx context.Context"}, e.signature...)
	signature = append(signature, "options ...Option")
	summary := strings.TrimSuffix(oneLine(strings.TrimPrefix(e.operation.Summary, "Header of: ")), ".")
	fmt.Fprintf(&e.g.methods, "// %s calls %s %s%s: %s.\n", name, e.method, e.path, more, summary)
	if e.operation.Deprecated {
		fmt.Fprintf(&e.g.methods, "//\n// Deprecated: the interface will not keep it.\n")
	}
	fmt.Fprintf(&e.g.methods, "func (c *Client) %s(%s) %s {\n\t%s\n}\n\n", name, strings.Join(signature, ", "), results,
		fmt.Sprintf(body, "call{"+strings.Join(e.call, ", ")+"}"))
}
