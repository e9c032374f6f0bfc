package admitto

import (
	"slices"
	"strings"
)

// mostDigits is how many digits the counter of a series comes to in practice. Without a bound a plain counter would
// share its numbers with every format of digits alone.
const mostDigits = 6

// runes are those that may stand at a place of a number, from the first to the last.
type runes struct{ from, to rune }

var anyDigit = runes{'0', '9'}

// Shared returns a number that both formats can give, "" where there is none: the first one of the day, or else any.
func (f *NumberFormat) Shared(with *NumberFormat, day Date) string {
	for _, of := range [][2]*NumberFormat{{f, with}, {with, f}} {
		number := of[0].Number(day, 1)
		if slices.ContainsFunc(of[1].shapes(), func(s []runes) bool { return common(literally(number), s) != "" }) {
			return number
		}
	}
	for _, one := range f.shapes() {
		for _, other := range with.shapes() {
			if number := common(one, other); number != "" {
				return number
			}
		}
	}
	return ""
}

// shapes are what numbers of the format look like, one for each length of its counter.
func (f *NumberFormat) shapes() (list [][]runes) {
	for digits := f.width(); digits == f.width() || digits <= mostDigits; digits++ {
		var shape []runes
		for _, p := range f.parts {
			switch p.marker {
			case "":
				for _, r := range p.literal {
					shape = append(shape, runes{r, r})
				}
			case "inc":
				for n := range digits {
					switch {
					case digits-n > mostDigits:
						shape = append(shape, runes{'0', '0'})
					case n == 0 && (digits > p.width || digits == 1):
						shape = append(shape, runes{'1', '9'})
					default:
						shape = append(shape, anyDigit)
					}
				}
			case "yearLong":
				shape = append(shape, runes{'2', '2'}, runes{'0', '1'}, anyDigit, anyDigit)
			case "month":
				shape = append(shape, runes{'0', '1'}, anyDigit)
			case "day":
				shape = append(shape, runes{'0', '3'}, anyDigit)
			default:
				shape = append(shape, anyDigit, anyDigit)
			}
		}
		list = append(list, shape)
	}
	return list
}

// width is the least number of digits of the counter.
func (f *NumberFormat) width() (width int) {
	for _, p := range f.parts {
		if p.marker == "inc" {
			width = p.width
		}
	}
	return width
}

// literally is the shape of a single number.
func literally(number string) (shape []runes) {
	for _, r := range number {
		shape = append(shape, runes{r, r})
	}
	return shape
}

// common is the last text that has both shapes, "" where there is none.
func common(one, other []runes) string {
	if len(one) != len(other) {
		return ""
	}
	var text strings.Builder
	for n, a := range one {
		b := other[n]
		if a.from > b.to || b.from > a.to {
			return ""
		}
		text.WriteRune(min(a.to, b.to))
	}
	return text.String()
}
