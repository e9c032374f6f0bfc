package api

import (
	"slices"
	"strconv"
	"strings"
)

// alias lets the paths below a copy of a record answer as those below the record do (resources.md 24). The copy stands
// below a parent, whose two segments are what its path has more. Nothing else knows of aliases: keys, counts, repeats
// and handlers see the row and the IDs of the record.
type alias struct {
	path  string                                            // of the copy
	also  []string                                          // what the copy itself answers as the record does, by method
	holds func(a *API, c *call, parent, record int64) error // NotFound unless the parent has the record
}

// aliases is the table of all of them.
var aliases = []alias{
	{"/applications/{id}/invoices/{id}", []string{"DELETE"}, func(a *API, c *call, application, invoice int64) error {
		_, err := a.services.Query.InvoiceOfApplication(c.ctx, c.by(), application, invoice)
		return err
	}},
	{"/applicants/{id}/invoices/{id}", []string{"DELETE"}, func(a *API, c *call, applicant, invoice int64) error {
		_, err := a.services.Query.InvoiceOfApplicant(c.ctx, c.by(), applicant, invoice)
		return err
	}},
	{"/applicants/{id}/applications/{id}", nil, func(a *API, c *call, applicant, application int64) error {
		return a.services.Query.ApplicantHas(c.ctx, c.by(), applicant, application)
	}},
}

// record is the path of what the copy is a copy of.
func (al *alias) record() string { return below(al.path, 2) }

// below drops so many segments at the beginning of a path.
func below(path string, segments int) string {
	for range segments {
		_, path, _ = strings.Cut(path[1:], "/")
		path = "/" + path
	}
	return path
}

// aliased is another path of a row, with the aliases that lead from there to its own path, the outermost first.
type aliased struct {
	path string
	via  []*alias
}

// aliasesOf returns all other paths of an operation.
func aliasesOf(method, path string) (list []aliased) {
	for i := range aliases {
		al := &aliases[i]
		rest, matches := strings.CutPrefix(path, al.record())
		if !matches || rest == "" && !slices.Contains(al.also, method) || rest != "" && rest[0] != '/' {
			continue
		}
		copied := aliased{al.path + rest, []*alias{al}}
		list = append(list, copied)
		for _, outer := range aliasesOf(method, copied.path) {
			outer.via = append(outer.via, al)
			list = append(list, outer)
		}
	}
	return list
}

// Operations are all that a key can be limited to, in the order of the routes.
func Operations() []string {
	list := make([]string, 0, len(routes))
	for _, r := range routes {
		list = append(list, r.method+" "+r.path)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Operation returns the operation that a key may be limited to by a text such as "GET /applicants/{id}". An alias means
// the operation that it is one of.
func Operation(text string) (operation string, known bool) {
	for _, r := range routes {
		operation = r.method + " " + r.path
		if operation == text {
			return operation, true
		}
		for _, other := range aliasesOf(r.method, r.path) {
			if r.method+" "+other.path == text {
				return operation, true
			}
		}
	}
	return "", false
}

// throughAliases goes from the path that was asked for to that of the row, past the parents, each of which must have
// what is below it.
func (c *call) throughAliases(via []*alias) error {
	for _, al := range via {
		if err := al.holds(c.api, c, c.ids[0], c.ids[1]); err != nil {
			return err
		}
		kind, _, _ := strings.Cut(al.path[1:], "/")
		c.parents += "/" + kind + "/" + strconv.FormatInt(c.ids[0], 10)
		c.ids = c.ids[1:]
	}
	return nil
}

// place is the path, with prefix, of what was made below the path that was asked for.
func (c *call) place(path string) string { return c.prefix + c.parents + path }

// placeBelow is the place of what was made in the collection that was posted to.
func (c *call) placeBelow(id int64) string {
	return c.place(c.ownPath()) + "/" + strconv.FormatInt(id, 10)
}

// repeatedPath is what an Idempotency-Key counts by: the path of the row with its values, whatever alias was asked for.
func (c *call) repeatedPath() string {
	path := strings.TrimSuffix(c.r.URL.EscapedPath(), "/")
	if c.parents == "" {
		return path
	}
	version := strings.Count(c.prefix, "/")
	return c.prefix + below(path, version+strings.Count(c.parents, "/"))
}
