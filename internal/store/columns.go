package store

// width is how many columns a list of columns has, so that readers of columns behind those of another need not count them. Commas
// inside parentheses belong to an expression.
func width(columns string) int {
	n, depth := 1, 0
	for _, c := range columns {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			n++
		}
	}
	return n
}
