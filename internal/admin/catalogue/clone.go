package catalogue

import (
	"regexp"
	"strconv"
)

// yearsInName are the years in a name: 2026, and the 27 of 2026/27.
var yearsInName = regexp.MustCompile(`\b(20[0-9]{2})(/|-|–)?([0-9]{2})?\b`)

// laterName is a name with its years raised by one: "Autumn 2026/27" becomes "Autumn 2027/28".
func laterName(name string) string {
	return yearsInName.ReplaceAllStringFunc(name, func(found string) string {
		parts := yearsInName.FindStringSubmatch(found)
		year, err := strconv.Atoi(parts[1])
		if err != nil {
			return found
		}
		later := strconv.Itoa(year+1) + parts[2]
		if next, err := strconv.Atoi(parts[3]); err == nil {
			short := (next + 1) % 100
			later += strconv.Itoa(short/10) + strconv.Itoa(short%10)
		}
		return later
	})
}
