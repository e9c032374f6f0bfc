package config

import (
	"maps"
	"slices"
)

// DidYouMean ends a sentence about an unknown name with the nearest known one, if any is near enough to be
// meant. Both are written with the prefix.
func DidYouMean(prefix, name string, known map[string]bool) string {
	best := nearest(name, known)
	if best == "" {
		return ""
	}
	return "; did you mean " + prefix + best + "?"
}

// nearest is the known name that may be meant by an unknown one, "" for none.
func nearest(name string, known map[string]bool) string {
	if len(name) > 200 {
		return "" // no name of ours comes near, and the distance is quadratic
	}
	best, bestDistance := "", max(2, len(name)/3)+1
	for _, candidate := range slices.Sorted(maps.Keys(known)) {
		if d := distance(name, candidate); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes, with two neighbours swapped counting as one step, since
// that is how people mistype.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
