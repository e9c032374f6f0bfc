package store

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
)

// CourseChanges are the columns in which two courses differ, their intakes among them.
func CourseChanges(was, now *admitto.Course) []admitto.Detail {
	list := differing(columns.Course, was, now)
	return append(list, changed("/intakes", fmt.Sprint(was.Intakes), fmt.Sprint(now.Intakes))...)
}

// IntakeChanges are the columns in which two intakes differ, their deadlines among them.
func IntakeChanges(was, now *admitto.Intake) []admitto.Detail {
	list := differing(columns.Intake, was, now)
	return append(list, changed("/deadlines", fmt.Sprint(was.Deadlines), fmt.Sprint(now.Deadlines))...)
}

func differing[T any](t *columns.Table[T], was, now *T) (list []admitto.Detail) {
	for _, c := range t.Changes(was, now) {
		list = append(list, admitto.Detail{Path: "/" + c.Name, Old: c.Old, New: c.New})
	}
	return list
}
