package catalogue

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// bound is how long a text in another language may be, and whether it may have several lines.
type bound struct {
	most  int
	lines bool
}

func oneLine(most int) bound { return bound{most: most} }

func severalLines(most int) bound { return bound{most, true} }

// versionsOf checks texts in other languages, each of which has a bound, and leaves out what is empty and what the
// record has no text for.
func (c *checks) versionsOf(at string, given admitto.Versions, bounds map[string]bound) admitto.Versions {
	kept := admitto.Versions{}
	for lang, texts := range given {
		for name, words := range texts {
			path := admitto.VersionPath(at, lang, name)
			b, known := bounds[name]
			if words = strings.TrimSpace(words); words == "" || !known {
				continue
			}
			if b.lines {
				c.lines(path, &words, b.most)
			} else {
				c.line(path, &words, 0, b.most)
			}
			kept.Set(lang, name, words)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// courseTexts are the texts of a course that there may be in other languages.
func courseTexts() map[string]bound {
	return map[string]bound{"name": oneLine(mostLine), "awards": oneLine(mostLine), "duration": oneLine(mostLine),
		"location": oneLine(mostLine), "summary": oneLine(mostSummary), "about": severalLines(mostText),
		"requirements": severalLines(mostText)}
}

// intakeTexts are those of an intake.
func intakeTexts(i *admitto.Intake) map[string]bound {
	texts := map[string]bound{"name": oneLine(mostLine), "pre_info": oneLine(mostLine)}
	for _, d := range i.Deadlines {
		if d.Info != "" {
			texts[admitto.DeadlineVersion(d.Territory)] = oneLine(mostLine)
		}
	}
	return texts
}

// later are the texts of an intake or a term a year later.
func later(v admitto.Versions) admitto.Versions {
	next := v.Clone()
	for lang, texts := range v {
		if texts["name"] != "" {
			next.Set(lang, "name", LaterName(texts["name"]))
		}
	}
	return next
}

// versionCell is a text in another language: the column name[ar].
func versionCell[T any](lang, name string, at func(*T) *admitto.Versions) sheetColumn[T] {
	return sheetColumn[T]{name + "[" + lang + "]", func(v *T) string { return (*at(v))[lang][name] },
		func(v *T, cell string) error {
			put(at(v), lang, name, cell)
			return nil
		}}
}

// put sets a text in versions that another record may share.
func put(v *admitto.Versions, lang, name, words string) {
	if (*v)[lang][name] == words {
		return
	}
	own := v.Clone()
	own.Set(lang, name, words)
	*v = own
}

// deadlineCell has the words about deadlines in another language: "EU: …", a line each.
func deadlineCell(lang string) sheetColumn[admitto.Intake] {
	return sheetColumn[admitto.Intake]{"deadlines[" + lang + "]", func(i *admitto.Intake) string {
		var lines []string
		for _, d := range i.Deadlines {
			if words := i.Versions[lang][admitto.DeadlineVersion(d.Territory)]; words != "" {
				lines = append(lines, d.Territory+": "+words)
			}
		}
		return strings.Join(lines, "\n")
	}, func(i *admitto.Intake, cell string) error {
		said := map[string]string{}
		for line := range strings.Lines(cell) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			territory, words, two := strings.Cut(line, ":")
			if !two {
				return message.Of("sheet-no-deadline-words", text.Quote(line))
			}
			said[admitto.DeadlineVersion(strings.ToUpper(strings.TrimSpace(territory)))] = strings.TrimSpace(words)
		}
		for name := range i.Versions[lang] {
			if strings.HasPrefix(name, admitto.DeadlineVersion("")) && said[name] == "" {
				put(&i.Versions, lang, name, "")
			}
		}
		for name, words := range said {
			put(&i.Versions, lang, name, words)
		}
		return nil
	}}
}

// withVersions says what changes in each text in another language by itself.
func withVersions(changes []admitto.Detail, was, now admitto.Versions) []admitto.Detail {
	changes = slices.DeleteFunc(changes, func(d admitto.Detail) bool {
		return d.Path == "/names" || d.Path == "/versions"
	})
	for _, change := range now.Changes(was) {
		changes = append(changes, admitto.Detail{Path: "/" + change.Name + "[" + change.Lang + "]", Old: change.Old,
			New: change.New})
	}
	return changes
}
