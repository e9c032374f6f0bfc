package pdf

import (
	"slices"
	"unicode"
)

// join returns the letters of Arabic script the form that they have next to their neighbours, where a font has it:
// fonts do so by tables that fpdf does not read.
func join(text []rune, fonts []*face) []rune {
	if !slices.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		return text
	}
	const stroke = 0x640 // lengthens words, joins on both sides
	joined := make([]rune, 0, len(text))
	before := false // whether the letter before joins to what follows
	for i := 0; i < len(text); i++ {
		r := text[i]
		first, forms := joinedForm(r)
		if unicode.Is(unicode.M, r) { // stands on a letter
			joined = append(joined, r)
			continue
		}
		next := i + 1
		for next < len(text) && unicode.Is(unicode.M, text[next]) {
			next++
		}
		var nextForms int
		if next < len(text) {
			_, nextForms = joinedForm(text[next])
		}
		form := r
		after := r == stroke || forms == 4 && (nextForms > 0 || next < len(text) && text[next] == stroke)
		if ligature := lamAlef(text[i:]); ligature != 0 {
			form, after = ligature, false
			if before {
				form++
			}
			i++
		} else if forms > 0 {
			switch {
			case before && after:
				form = first + 3
			case after:
				form = first + 2
			case before:
				form = first + 1
			}
		}
		if faceOf(form, fonts) == nil {
			form = r
		}
		joined = append(joined, form)
		before = after
	}
	return joined
}

// lamAlef returns the one form that lam and alef have together; 0 when the text does not begin with them.
func lamAlef(text []rune) rune {
	if len(text) < 2 || text[0] != 0x644 {
		return 0
	}
	switch text[1] {
	case 0x622:
		return 0xFEF5
	case 0x623:
		return 0xFEF7
	case 0x625:
		return 0xFEF9
	case 0x627:
		return 0xFEFB
	}
	return 0
}

// joinedForm returns where the forms of a letter begin in Unicode, and how many there are: four (alone, last,
// first, middle) for one that joins on both sides, two for one that joins only to the letter before, 0 for
// everything that does not join.
func joinedForm(r rune) (first rune, forms int) {
	switch r { // letters of Persian and Urdu
	case 0x67E:
		return 0xFB56, 4
	case 0x686:
		return 0xFB7A, 4
	case 0x698:
		return 0xFB8A, 2
	case 0x6A9:
		return 0xFB8E, 4
	case 0x6AF:
		return 0xFB92, 4
	case 0x6CC:
		return 0xFBFC, 4
	}
	first = 0xFE81
	for letter := rune(0x622); letter <= min(r, 0x64A); letter++ {
		if letter > 0x63A && letter < 0x641 {
			continue // these have no forms there
		}
		forms = 4
		switch letter {
		case 0x622, 0x623, 0x624, 0x625, 0x627, 0x629, 0x62F, 0x630, 0x631, 0x632, 0x648, 0x649:
			forms = 2
		}
		if letter == r {
			return first, forms
		}
		first += rune(forms)
	}
	return 0, 0
}
