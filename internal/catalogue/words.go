package catalogue

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of the lists of words.
const (
	mostCodes      = 300 // of a class
	mostRegions    = 50
	leastRegion    = 3 // characters: two are countries
	mostRegionCode = 16
	mostClassCode  = 32
)

// characters of the codes of regions.
const charactersOfARegion = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// statusTexts is what events say was edited when titles of statuses were.
const statusTexts = "Application status"

// onForm is the field of a line of a form.
func onForm(field string, n int) admitto.Path {
	return admitto.Path("page.list." + field + "-" + strconv.Itoa(n))
}

// SaveStatusTexts changes titles and colours of application statuses; their names and order stay (resources.md 6.2,
// screens.md A42). Errors: invalid-parameter, changed-meanwhile.
func (s *Service) SaveStatusTexts(ctx context.Context, by usecase.Caller, list []admitto.StatusText) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	var kept []admitto.StatusText
	return s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.StatusTextsRow, ID: 1}, ordered: true,
		check: func(c *checks) {
			kept = slices.Clone(list)
			for n := range kept {
				c.line(onForm("title", n), &kept[n].Title, 1, mostTitle)
				kept[n].Versions = c.titlesOf(&kept[n])
				if kept[n].Colour == "" {
					c.fault(onForm("colour", n), message.Of("no-colour"))
				}
				c.by(text.Colour, onForm("colour", n), &kept[n].Colour)
			}
		},
		save:     func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveStatusTexts(kept) },
		recorded: func(bool) admitto.Event { return ofClass(statusTexts) },
	})
}

// titlesOf checks the titles of a status in other languages, which the form has by the name of the status.
func (c *checks) titlesOf(s *admitto.StatusText) admitto.Versions {
	before := len(c.faults)
	kept := c.versionsOf("page.list", s.Versions, map[string]bound{"title": oneLine(mostTitle)})
	for i := before; i < len(c.faults); i++ {
		if lang, _, ok := c.faults[i].Path.OfVersion(); ok {
			c.faults[i].Path = admitto.VersionPath("page.list", lang, string(s.Name))
		}
	}
	return kept
}

func ofClass(name string) admitto.Event {
	return admitto.Event{Pattern: admitto.ClassEdited, Bind: []string{name}}
}

// CodeLine is a code of a class with its place among them.
type CodeLine struct {
	admitto.ClassificatorCode
	Place int64
}

// SaveCodes changes titles, order and use of the codes of a class, and adds those that it does not have. No code goes,
// and none is called otherwise (resources.md 18, screens.md A42). Lines without code and title are those of a form that
// nobody filled in. Errors: invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveCodes(ctx context.Context, by usecase.Caller, class int64, lines []CodeLine) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	var kept admitto.Classificator
	return s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.ClassRow, ID: class}, ordered: true,
		check: func(c *checks) {
			var all []admitto.Classificator
			if all, c.err = c.tx.Classificators(); c.err != nil {
				return
			}
			at := slices.IndexFunc(all, func(of admitto.Classificator) bool { return of.Number == class })
			if at < 0 || all[at].IsComputed() {
				c.err = &admitto.Error{Kind: admitto.NotFound}
				return
			}
			kept = admitto.Classificator{Number: class, Class: all[at].Class, Codes: c.codes(lines)}
			for _, was := range all[at].Codes {
				if !slices.ContainsFunc(kept.Codes,
					func(n admitto.ClassificatorCode) bool { return n.Code == was.Code }) {
					c.fault(onForm("code", 0), message.Of("choose-one"))
				}
			}
		},
		save:     func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveCodes(&kept) },
		recorded: func(bool) admitto.Event { return ofClass(kept.Class) },
	})
}

// codes checks the codes of a class, and puts them into their order.
func (c *checks) codes(lines []CodeLine) (list []admitto.ClassificatorCode) {
	if len(lines) > mostCodes {
		c.fault(onForm("code", 0), message.Of("too-many-entries", len(lines), mostCodes))
		return nil
	}
	seen := map[string]bool{}
	kept := []CodeLine{}
	for n, line := range lines {
		if line.Code == "" && line.Title == "" {
			continue
		}
		c.line(onForm("code", n), &line.Code, 1, mostClassCode)
		if strings.ContainsAny(line.Code, ", ") {
			c.fault(onForm("code", n), message.Of("code-characters"))
		}
		if key := strings.ToLower(line.Code); seen[key] {
			c.fault(onForm("code", n), message.Of("name-taken"))
		} else {
			seen[key] = true
		}
		c.line(onForm("title", n), &line.Title, 1, mostLine)
		kept = append(kept, line)
	}
	slices.SortStableFunc(kept, func(a, b CodeLine) int { return cmp.Compare(a.Place, b.Place) })
	for _, line := range kept {
		list = append(list, line.ClassificatorCode)
	}
	return list
}

// RegionLine is a region with its place among them.
type RegionLine struct {
	admitto.Region
	Place int64
}

// SaveRegions changes names, members and order of the regions, and adds those that there are not. None goes, as
// deadlines name them; one without members is nobody's (lifecycle.md 3.3, screens.md A42). Lines without code and name
// are those of a form that nobody filled in. Errors: invalid-parameter, changed-meanwhile.
func (s *Service) SaveRegions(ctx context.Context, by usecase.Caller, lines []RegionLine) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	var kept []RegionLine
	return s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.RegionsRow, ID: 1}, ordered: true,
		check: func(c *checks) { kept = c.regions(lines) },
		save: func(tx *store.Tx) ([]admitto.Detail, error) {
			for n := range kept {
				changes, err := tx.SaveRegion(&kept[n].Region, n+1)
				if err != nil {
					return nil, err
				}
				if len(changes) > 0 {
					tx.Record(by.Actor, admitto.Event{Pattern: admitto.RegionEdited, Bind: []string{kept[n].Code},
						Details: changes})
				}
			}
			return nil, nil // each region has its own event
		},
	})
}

// regions checks the regions, and puts them into their order.
func (c *checks) regions(lines []RegionLine) (kept []RegionLine) {
	if len(lines) > mostRegions {
		c.fault(onForm("code", 0), message.Of("too-many-entries", len(lines), mostRegions))
		return nil
	}
	stored, err := c.tx.Regions()
	if err != nil {
		c.err = err
		return nil
	}
	for n, line := range lines {
		if line.Code == "" && line.Name == "" && len(line.Members) == 0 {
			continue
		}
		isNew := !slices.ContainsFunc(stored, func(r admitto.Region) bool { return r.Code == line.Code })
		if isNew && (len(line.Code) < leastRegion || len(line.Code) > mostRegionCode || line.Code == admitto.World ||
			strings.ContainsFunc(line.Code, func(r rune) bool {
				return !strings.ContainsRune(charactersOfARegion,
					r)
			})) {
			c.fault(onForm("code", n), message.Of("region-code", leastRegion, mostRegionCode))
		}
		if slices.ContainsFunc(kept, func(k RegionLine) bool { return k.Code == line.Code }) {
			c.fault(onForm("code", n), message.Of("name-taken"))
		}
		c.line(onForm("name", n), &line.Name, 1, mostTitle)
		var members []string
		for _, member := range line.Members {
			country, err := text.Country(member)
			if err != nil {
				c.fault(onForm("members", n), message.Of("region-member", text.Quote(member)))
				break
			}
			members = append(members, country)
		}
		slices.Sort(members)
		line.Members = slices.Compact(members)
		kept = append(kept, line)
	}
	for _, was := range stored {
		if !slices.ContainsFunc(kept, func(k RegionLine) bool { return k.Code == was.Code }) {
			c.fault(onForm("code", 0), message.Of("choose-one"))
		}
	}
	slices.SortStableFunc(kept, func(a, b RegionLine) int { return cmp.Compare(a.Place, b.Place) })
	return kept
}
