package scoring

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// NewCriterion is a criterion that staff chose.
type NewCriterion struct {
	Scoresheet        int64
	Weight            admitto.Weight
	Percent, Required bool
}

// ChangeCriteria puts criteria of a course in the place of the former ones; a job calculates the automatic scores of
// all its offers again (lifecycle.md 7), and CriteriaProgress says how far it is. by.RowVersion is the version of the
// criteria that the screen was built from. Errors: not-found without the course; invalid-parameter with a fault for
// each line, criteria[0] for the first.
func (s *Service) ChangeCriteria(ctx context.Context, by usecase.Caller, course int64, lines []NewCriterion) error {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return err
	}
	if err := s.putCriteria(ctx, by, course, lines); err != nil {
		return err
	}
	s.waiting.add(course)
	return nil
}

// putCriteria stores criteria.
func (s *Service) putCriteria(ctx context.Context, by usecase.Caller, course int64, lines []NewCriterion) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		present, version, err := tx.LockCriteria(course)
		if err != nil {
			return err
		}
		list, err := criteriaOf(tx, lines)
		if err := by.Together(by.Sees(version), err); err != nil {
			return err
		}
		if err := by.Checked(); err != nil {
			return err
		}
		old, new := criteriaText(present), criteriaText(list)
		if old == new {
			return nil
		}
		if err := tx.ReplaceCriteria(course, list); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.CriteriaChanged, Links: admitto.Links{Course: course},
			Details: []admitto.Detail{{Path: "criteria", Old: old, New: new}}})
		return nil
	})
}

// criteriaOf reads the sheets that the lines name and checks everything.
func criteriaOf(tx *store.Tx, lines []NewCriterion) (list []admitto.Criterion, err error) {
	var faults []admitto.Fault
	for i, line := range lines {
		sheet, err := tx.Scoresheet(line.Scoresheet)
		if admitto.KindOf(err) == admitto.NotFound {
			faults = append(faults, admitto.Fault{Path: admitto.CriterionPath(i),
				Text: message.Of("no-such-scoresheet", line.Scoresheet)})
		} else if err != nil {
			return nil, err
		}
		if sheet.ID = line.Scoresheet; sheet.Name == "" {
			sheet.Max = sheet.Min + 1 // of one that does not exist nothing else is said
		}
		list = append(list, admitto.Criterion{Sheet: sheet, Weight: line.Weight, Percent: line.Percent,
			Required: line.Required})
	}
	if faults = slices.Concat(faults, admitto.CriteriaFaults(list)); len(faults) > 0 {
		return nil, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return list, nil
}

// criteriaText is the form of criteria in the details of the journal; equal criteria have equal texts.
func criteriaText(list []admitto.Criterion) string {
	type line struct {
		Scoresheet int64  `json:"scoresheet"`
		Weight     string `json:"weight"`
		Percent    bool   `json:"percent"`
		Required   bool   `json:"required"`
	}
	lines := make([]line, len(list))
	for i, c := range list {
		lines[i] = line{c.Sheet.ID, string(c.Weight.Append(nil, 4)), c.Percent, c.Required}
	}
	text, err := json.Marshal(lines)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return string(text)
}
