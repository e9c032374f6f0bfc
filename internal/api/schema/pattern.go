package schema

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

// PatternOf returns a form of the settings in the dialect of JSON Schema, ECMA-262 with the flag u, and the bounds of
// the length that follow from it (-1: none). The text is made from the parsed expression, so that it has only what Go
// and ECMA-262 read alike: literals, classes, groups, repetitions, ^ and $ for the whole text.
func PatternOf(form *regexp.Regexp) (pattern string, least, most int) {
	parsed, err := syntax.Parse(form.String(), syntax.Perl)
	if err != nil {
		panic(err) // it was compiled before
	}
	least, most = lengthOf(parsed)
	return ecma(parsed), least, most
}

// FormOf is a code of the settings' form, of up to so many characters.
func FormOf(form *regexp.Regexp, most int) *Schema {
	pattern, least, longest := PatternOf(form)
	least = max(least, 1)
	if longest >= 0 {
		most = min(most, longest)
	}
	return &Schema{Type: "string", Pattern: pattern, MinLength: &least, MaxLength: &most}
}

// ecma writes a parsed expression.
func ecma(re *syntax.Regexp) string {
	var b strings.Builder
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 {
				b.WriteString(ecmaFolded(r))
			} else {
				b.WriteString(ecmaRune(r))
			}
		}
	case syntax.OpCharClass:
		b.WriteString(ecmaClass(re.Rune))
	case syntax.OpNoMatch:
		return "[^\\s\\S]"
	case syntax.OpAnyChar:
		return "[\\s\\S]"
	case syntax.OpAnyCharNotNL:
		return "[^\\n]"
	case syntax.OpBeginText:
		return "^"
	case syntax.OpEndText:
		return "$"
	case syntax.OpBeginLine:
		return "(?:^|(?<=\\n))"
	case syntax.OpEndLine:
		return "(?=\\n|$)"
	case syntax.OpWordBoundary:
		return "\\b"
	case syntax.OpNoWordBoundary:
		return "\\B"
	case syntax.OpCapture:
		return "(" + ecma(re.Sub[0]) + ")"
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		return ecmaGroup(re.Sub[0]) + ecmaCount(re)
	case syntax.OpConcat:
		for _, part := range re.Sub {
			if part.Op == syntax.OpAlternate {
				b.WriteString("(?:" + ecma(part) + ")")
			} else {
				b.WriteString(ecma(part))
			}
		}
	case syntax.OpAlternate:
		for i, part := range re.Sub {
			if i > 0 {
				b.WriteByte('|')
			}
			b.WriteString(ecma(part))
		}
	}
	return b.String()
}

// ecmaGroup writes what a repetition stands behind.
func ecmaGroup(re *syntax.Regexp) string {
	switch text := ecma(re); {
	case re.Op == syntax.OpCharClass, re.Op == syntax.OpCapture, re.Op == syntax.OpAnyChar, re.Op == syntax.OpAnyCharNotNL,
		re.Op == syntax.OpLiteral && len(re.Rune) == 1:
		return text
	default:
		return "(?:" + text + ")"
	}
}

// ecmaCount writes how often something is repeated.
func ecmaCount(re *syntax.Regexp) string {
	var count string
	switch {
	case re.Op == syntax.OpStar:
		count = "*"
	case re.Op == syntax.OpPlus:
		count = "+"
	case re.Op == syntax.OpQuest:
		count = "?"
	case re.Max < 0:
		count = fmt.Sprintf("{%d,}", re.Min)
	case re.Min == re.Max:
		count = fmt.Sprintf("{%d}", re.Min)
	default:
		count = fmt.Sprintf("{%d,%d}", re.Min, re.Max)
	}
	if re.Flags&syntax.NonGreedy != 0 {
		count += "?"
	}
	return count
}

// ecmaFolded writes a character in every letter case it has.
func ecmaFolded(r rune) string {
	class := []rune{r, r}
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		class = append(class, other, other)
	}
	if len(class) == 2 {
		return ecmaRune(r)
	}
	return ecmaClass(class)
}

// ecmaClass writes a class out of its ranges. Letters and digits stand as ranges, what lies between them one by one, as
// people write them.
func ecmaClass(ranges []rune) string {
	var b strings.Builder
	for i := 0; i+1 < len(ranges); i += 2 {
		for first, end := ranges[i], ranges[i+1]; first <= end; {
			last := min(end, sameKind(first))
			b.WriteString(ecmaInClass(first))
			if last > first+1 {
				b.WriteByte('-')
			}
			if last > first {
				b.WriteString(ecmaInClass(last))
			}
			first = last + 1
		}
	}
	return "[" + b.String() + "]"
}

// sameKind returns the last character that may stand in a range with the first.
func sameKind(r rune) rune {
	for _, last := range []rune{'9', 'Z', 'z'} {
		if first := map[rune]rune{'9': '0', 'Z': 'A', 'z': 'a'}[last]; first <= r && r <= last {
			return last
		}
	}
	switch {
	case r < ' ':
		return ' ' - 1
	case r < 0x7f:
		return r
	}
	return unicode.MaxRune
}

// ecmaInClass writes one character of a class.
func ecmaInClass(r rune) string {
	switch {
	case strings.ContainsRune(`\[]^-`, r):
		return `\` + string(r)
	case strings.ContainsRune(`.+*?()|{}$`, r):
		return string(r)
	}
	return ecmaRune(r)
}

// ecmaRune writes one character so that it stands for itself.
func ecmaRune(r rune) string {
	switch {
	case strings.ContainsRune(`\.+*?()|[]{}^$`, r):
		return `\` + string(r)
	case r < ' ' || r == 0x7f:
		return fmt.Sprintf(`\x%02x`, r)
	}
	return string(r)
}

// lengthOf returns the least and the greatest number of characters that an expression matches; -1 is without bound.
func lengthOf(re *syntax.Regexp) (least, most int) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune), len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, 1
	case syntax.OpCapture:
		return lengthOf(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		from, to := re.Min, re.Max
		switch re.Op {
		case syntax.OpStar:
			from, to = 0, -1
		case syntax.OpPlus:
			from, to = 1, -1
		case syntax.OpQuest:
			from, to = 0, 1
		}
		least, most = lengthOf(re.Sub[0])
		switch {
		case most == 0 || to == 0:
			return least * from, 0
		case most < 0 || to < 0:
			return least * from, -1
		}
		return least * from, most * to
	case syntax.OpConcat:
		for _, part := range re.Sub {
			from, to := lengthOf(part)
			if least += from; most < 0 || to < 0 {
				most = -1
			} else {
				most += to
			}
		}
	case syntax.OpAlternate:
		least, most = lengthOf(re.Sub[0])
		for _, part := range re.Sub[1:] {
			from, to := lengthOf(part)
			if least = min(least, from); most < 0 || to < 0 {
				most = -1
			} else {
				most = max(most, to)
			}
		}
	}
	return least, most
}
