package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// leastContrast is what texts need on their background (WCAG 2.2, 1.4.3).
const leastContrast = 4.5

// Accent is the colour of links and primary buttons as #RRGGBB, in both schemes. The zero Accent is that of the styles.
type Accent struct {
	Light, LightOver string // and where the pointer is over it
	Dark, DarkOver   string
}

// colour has red, green and blue from 0 to 1.
type colour [3]float64

// lightGrounds and darkGrounds are the backgrounds of the styles that an accent stands on, the pages' own first; onDark
// is the text on an accent in the dark scheme. A test compares them with the styles.
func lightGrounds() []string { return []string{"#FFFFFF", "#F5F7F9", "#F0F4F8", "#E8F1FA"} }

func darkGrounds() []string { return []string{"#12171D", "#1A2129", "#202932", "#16304A", "#0A1A2A"} }

// parseColour reads #RRGGBB.
func parseColour(text string) (c colour, ok bool) {
	digits, ok := strings.CutPrefix(text, "#")
	if !ok || len(digits) != 6 {
		return c, false
	}
	for i := range c {
		n, err := strconv.ParseUint(digits[2*i:2*i+2], 16, 8)
		if err != nil {
			return c, false
		}
		c[i] = float64(n) / 255
	}
	return c, true
}

// String is the colour as #RRGGBB.
func (c colour) String() string {
	var out strings.Builder
	out.WriteByte('#')
	for _, part := range c {
		fmt.Fprintf(&out, "%02X", int(math.Round(part*255)))
	}
	return out.String()
}

// luminance is that of WCAG 2.2.
func (c colour) luminance() float64 {
	var parts [3]float64
	for i, part := range c {
		parts[i] = part / 12.92
		if part > 0.04045 {
			parts[i] = math.Pow((part+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*parts[0] + 0.7152*parts[1] + 0.0722*parts[2]
}

// mixed is the colour with a share of another.
func (c colour) mixed(other colour, share float64) colour {
	for i := range c {
		c[i] += (other[i] - c[i]) * share
	}
	return c
}

// contrast is the least one of a colour with the backgrounds.
func contrast(c colour, grounds []string) float64 {
	least := 21.0
	for _, ground := range grounds {
		g, _ := parseColour(ground)
		a, b := c.luminance(), g.luminance()
		least = min(least, (max(a, b)+0.05)/(min(a, b)+0.05))
	}
	return least
}

// ParseAccent reads a colour that can be read on every light background, and that white can be read on. In the dark
// scheme it is made lighter until it can be read there.
func ParseAccent(text string) (Accent, error) {
	if text == "" {
		return Accent{}, nil
	}
	c, ok := parseColour(text)
	if !ok {
		return Accent{}, errWrong
	}
	if measured := contrast(c, lightGrounds()); measured < leastContrast {
		shown := strconv.FormatFloat(math.Floor(measured*100)/100, 'f', 2, 64)
		return Accent{}, wrong("contrast", shown, "its contrast is "+shown+":1 where 4.5:1 is needed")
	}
	white, dark := colour{1, 1, 1}, c
	for share := 0.0; contrast(dark, darkGrounds()) < leastContrast && share < 1; share += 0.02 {
		dark, _ = parseColour(c.mixed(white, share).String()) // as it will be written
	}
	return Accent{Light: c.String(), LightOver: c.mixed(colour{}, 0.25).String(), Dark: dark.String(),
		DarkOver: dark.mixed(white, 0.35).String()}, nil
}

func accent(field func(*Settings) *Accent) kind {
	return of(field, "a colour as #RRGGBB with a contrast of at least 4.5:1 on light backgrounds, or empty", ParseAccent)
}
