package api

import (
	"strings"

	"github.com/admitto/admitto/internal/api/version"
)

// node is one segment of the tree of paths that THE table makes. The tree is our own because the contract
// asks for no second try: once a literal segment fits, {id} is out (conventions.md 1), while routers go back.
type node struct {
	literal map[string]*node
	param   *node  // the child for any other segment
	name    string // of the parameter that leads here: id, year, blob, territory, report_name
	pattern string
	rows    []placed // what is answered here, over all methods and versions
}

// placed is a row at a node: its own, or one of those that aliases bring.
type placed struct {
	*route
	home *node    // of the row's own path
	via  []*alias // from here to there; none at home
}

// newTree builds the tree of all rows and their aliases.
func newTree(table []route) *node {
	root := &node{}
	for i := range table {
		r := &table[i]
		home := root.at(r.path)
		home.rows = append(home.rows, placed{r, home, nil})
		for _, other := range aliasesOf(r.method, r.path) {
			n := root.at(other.path)
			n.rows = append(n.rows, placed{r, home, other.via})
		}
	}
	return root
}

// at returns the node of a pattern and makes it where there is none.
func (n *node) at(pattern string) *node {
	for segment := range strings.SplitSeq(strings.TrimPrefix(pattern, "/"), "/") {
		n = n.child(segment)
	}
	n.pattern = pattern
	return n
}

func (n *node) child(segment string) *node {
	if name, ok := strings.CutPrefix(segment, "{"); ok {
		if n.param == nil {
			n.param = &node{name: strings.TrimSuffix(name, "}")}
		}
		return n.param
	}
	if n.literal == nil {
		n.literal = map[string]*node{}
	}
	if n.literal[segment] == nil {
		n.literal[segment] = &node{}
	}
	return n.literal[segment]
}

// argument is the value of a parameter of the path.
type argument struct{ name, value string }

// find walks the segments and returns the node that answers them, or nil.
func (n *node) find(segments []string) (*node, []argument) {
	var args []argument
	for _, s := range segments {
		next := n.literal[s]
		if next == nil {
			if next = n.param; next == nil || s == "" {
				return nil, nil
			}
			args = append(args, argument{next.name, s})
		}
		n = next
	}
	if len(n.rows) == 0 {
		return nil, nil
	}
	return n, args
}

// row returns the row for a method in a version; HEAD follows GET.
func (n *node) row(method string, v version.Number) *placed {
	if method == "HEAD" {
		method = "GET"
	}
	for i := range n.rows {
		if r := &n.rows[i]; r.method == method && r.in.Has(v) {
			return r
		}
	}
	return nil
}

// allow lists the methods of the path in a version, "" when the version does not have the path.
func (n *node) allow(v version.Number) string {
	var methods []string
	for _, m := range [...]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
		if n.row(m, v) != nil {
			methods = append(methods, m)
		}
	}
	return strings.Join(methods, ", ")
}

// span returns the versions that have the path with any method, and what replaces it.
func (n *node) span() version.Span {
	all := n.rows[0].in
	for _, r := range n.rows[1:] {
		all.First, all.Last = min(all.First, r.in.First), max(all.Last, r.in.Last)
	}
	return all
}
