package pdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// clean returns a text of which the fonts have every character: tabs become spaces, the ways of ending a line
// one, what cannot be seen anyway goes away, and everything else is shown by its code.
func clean(s string, fonts []*face) string {
	var b strings.Builder
	for _, r := range join([]rune(strings.ReplaceAll(s, "\r\n", "\n")), fonts) { // bytes that are no UTF-8 become U+FFFD
		switch {
		case r == '\r', r == '\n', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("    ")
		case invisible(r):
		case !unicode.IsControl(r) && faceOf(r, fonts) != nil:
			b.WriteRune(r)
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		default:
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
	}
	return b.String()
}

// faceOf returns the first font that has the character, nil without one.
func faceOf(r rune, fonts []*face) *face {
	for _, f := range fonts {
		if f.has(r) {
			return f
		}
	}
	return nil
}

// invisible reports whether a character only steers how others are shown: soft hyphen, zero-width characters,
// directions, variation selectors, tags.
func invisible(r rune) bool {
	return r == 0xAD || r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F ||
		r >= 0xFE00 && r <= 0xFE0F || r == 0xFEFF || r >= 0xE0000 && r <= 0xE01EF
}

// wrap breaks a clean text into lines no wider than width, in units of the font size, and puts the characters
// of each line in the order in which they stand on paper. A word that is wider than a line is broken anywhere. The way
// that a line runs is said by its first letter, or by that of the paragraph where it goes on from line to line.
func wrap(s string, width float64, fonts []*face, goesOn bool) (lines []string) {
	for paragraph := range strings.SplitSeq(s, "\n") {
		runes := []rune(paragraph)
		whole := baseOf(runes)
		visual := func(line []rune) string {
			if goesOn {
				return visual(line, whole)
			}
			return visual(line, baseOf(line))
		}
		start, opportunity, used := 0, 0, 0.0
		for i := 0; i < len(runes); i++ {
			r := runes[i]
			used += faceOf(r, fonts).width(r)
			if used > width && i > start && r != ' ' && !unicode.Is(unicode.M, r) {
				end := i
				if opportunity > start {
					end = opportunity
				}
				lines = append(lines, visual(trim(runes[start:end])))
				start, opportunity, used = end, 0, 0
				i = end - 1
				continue
			}
			if breaksAfter(r) || i+1 < len(runes) && ideographic(runes[i+1]) {
				opportunity = i + 1
			}
		}
		lines = append(lines, visual(trim(runes[start:])))
	}
	return lines
}

// trim drops the spaces at the end of a line.
func trim(line []rune) []rune {
	for len(line) > 0 && line[len(line)-1] == ' ' {
		line = line[:len(line)-1]
	}
	return line
}

func breaksAfter(r rune) bool {
	return strings.ContainsRune(" -/]‐–—", r) || ideographic(r)
}

// ideographic reports whether lines may be broken around the character.
func ideographic(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// visual puts a line in the order in which it stands on paper, from left to right. It is the bidirectional
// algorithm without explicit directions; base says which way the line runs.
func visual(line []rune, base uint8) string {
	if base == 0 && !slices.ContainsFunc(line, rightToLeft) || !slices.ContainsFunc(line, unicode.IsLetter) {
		return string(line)
	}
	levels := make([]uint8, len(line))
	const neutral = 255
	strong := base // level of the last letter
	for i, r := range line {
		switch {
		case rightToLeft(r):
			levels[i], strong = 1, 1
		case unicode.IsLetter(r):
			levels[i], strong = 2*base, 2*base
		case unicode.IsDigit(r):
			if levels[i] = strong; strong == 1 {
				levels[i] = 2 // numbers keep their order inside of what runs the other way
			}
		case unicode.Is(unicode.M, r) && i > 0:
			levels[i] = levels[i-1]
		default:
			levels[i] = neutral
		}
	}
	resolve(levels, neutral, base)
	for level := uint8(2); level > 0; level-- {
		for from := 0; from < len(line); from++ {
			to := from
			for to < len(line) && levels[to] >= level {
				to++
			}
			reverse(line[from:to], level == 1, levels[from:to])
			from = max(from, to-1)
		}
	}
	return string(line)
}

// baseOf is the level of the first letter: 1 for one that is written from right to left, else 0.
func baseOf(text []rune) uint8 {
	if i := slices.IndexFunc(text, unicode.IsLetter); i >= 0 && rightToLeft(text[i]) {
		return 1
	}
	return 0
}

// resolve sets the direction of what has none: that of its neighbours where they agree, else that of the line. Numbers
// in text from right to left are neighbours of that direction.
func resolve(levels []uint8, neutral, base uint8) {
	for i := 0; i < len(levels); {
		if levels[i] != neutral {
			i++
			continue
		}
		end := i
		for end < len(levels) && levels[end] == neutral {
			end++
		}
		level := base
		if i > 0 && end < len(levels) && levels[i-1] == levels[end] {
			level = levels[end]
		} else if i > 0 && end < len(levels) && levels[i-1] > 0 && levels[end] > 0 {
			level = 1
		}
		for ; i < end; i++ {
			levels[i] = level
		}
	}
}

// reverse turns a part of a line around; marks stay behind what they stand on. With mirror, brackets of the
// part that runs from right to left itself are turned too.
func reverse(part []rune, mirror bool, levels []uint8) {
	const pairs = "()[]{}<>«»‹›"
	if mirror {
		for i, r := range part {
			if at := slices.Index([]rune(pairs), r); at >= 0 && levels[i] == 1 {
				part[i] = []rune(pairs)[at^1]
			}
		}
	}
	slices.Reverse(part)
	for i := 0; i < len(part); i++ {
		end := i
		for end < len(part)-1 && unicode.Is(unicode.M, part[end]) {
			end++
		}
		slices.Reverse(part[i : end+1])
		i = end
	}
}

// rightToLeft reports whether the character belongs to a script that is written from right to left.
func rightToLeft(r rune) bool {
	return r >= 0x590 && (unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)) &&
		unicode.IsLetter(r)
}
