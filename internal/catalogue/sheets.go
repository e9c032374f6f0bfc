package catalogue

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// CourseHeads are the columns of a sheet of courses (screens.md A38), those of texts in further languages behind the
// others.
func CourseHeads(languages []string) []string { return courseSheet(languages).heads() }

// CourseCells are the cells of courses.
func CourseCells(languages []string, list []admitto.Course) [][]string {
	return courseSheet(languages).rows(list)
}

// PlanCourses says what comes of a sheet of courses, and writes nothing.
func (s *Service) PlanCourses(ctx context.Context, by admitto.Caller, heads []string, rows []admitto.FileRow) (
	admitto.FilePlan, error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return admitto.FilePlan{}, err
	}
	return planSheet(ctx, s, courseSheet(s.core.Settings().FurtherLanguages()), heads, rows)
}

// ImportCourses stores a sheet of courses in which nothing is wrong. The same sheet again changes nothing, and goes on
// with one that was interrupted (screens.md A38). Errors: invalid-parameter.
func (s *Service) ImportCourses(ctx context.Context, by usecase.Caller, heads []string, rows []admitto.FileRow) (
	admitto.FilePlan, error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return admitto.FilePlan{}, err
	}
	return importSheet(ctx, s, by, courseSheet(s.core.Settings().FurtherLanguages()), heads, rows)
}

// IntakeHeads are the columns of a sheet of intakes (screens.md A40), those of texts in further languages behind the
// others.
func IntakeHeads(languages []string) []string { return intakeSheet(languages).heads() }

// IntakeCells are the cells of intakes.
func IntakeCells(languages []string, list []admitto.Intake) [][]string {
	return intakeSheet(languages).rows(list)
}

// PlanIntakes says what comes of a sheet of intakes, and writes nothing.
func (s *Service) PlanIntakes(ctx context.Context, by admitto.Caller, heads []string, rows []admitto.FileRow) (
	admitto.FilePlan, error) {
	if err := by.Needs(admitto.IntakesEdit); err != nil {
		return admitto.FilePlan{}, err
	}
	return planSheet(ctx, s, intakeSheet(s.core.Settings().FurtherLanguages()), heads, rows)
}

// ImportIntakes stores a sheet of intakes in which nothing is wrong, as ImportCourses does. The courses of an intake
// stay. Errors: invalid-parameter.
func (s *Service) ImportIntakes(ctx context.Context, by usecase.Caller, heads []string, rows []admitto.FileRow) (
	admitto.FilePlan, error) {
	if err := by.Needs(admitto.IntakesEdit); err != nil {
		return admitto.FilePlan{}, err
	}
	return importSheet(ctx, s, by, intakeSheet(s.core.Settings().FurtherLanguages()), heads, rows)
}

func courseSheet(languages []string) *sheet[admitto.Course] {
	type of = admitto.Course
	s := &sheet[of]{
		kind: admitto.CourseRow, prefix: "page.course.",
		id: func(c *of) *int64 { return &c.ID },
		keys: func(c *of) []string {
			keys := []string{nameKey(0, c.Name), nameKey(c.Institution, c.Name)}
			if c.Code != "" {
				keys = append(keys, codeKey(c.Code))
			}
			return keys
		},
		asked: func(c *of) string {
			if c.Code != "" {
				return codeKey(c.Code)
			}
			return nameKey(c.Institution, c.Name) // of any institution where the row names none
		},
		name: func(c *of) string { return c.Name },
		all:  func(tx *store.Tx) ([]of, error) { return tx.Courses(admitto.CourseQuery{}) },
		blank: func(tx *store.Tx) (c of, err error) {
			c.Status = draft
			c.Institution, err = tx.FirstInternalInstitution()
			return c, err
		},
		check: func(c *checks, v, was *of) {
			v.Awards = slices.Clone(v.Awards)
			c.course(v, was)
			c.among("page.course.status", v.Status, CourseStatuses()...)
			if v.Status != was.Status && (v.Status == "Online" || v.Status == "Private") {
				for _, missing := range c.missing(v) {
					c.fault("page.course.status", missing)
				}
			}
		},
		words: map[string]wordList{"status": fixed(CourseStatuses()...), "type": codesOf("Course type"),
			"mode": codesOf("Course mode")},
		changes: func(was, now *of) []admitto.Detail {
			return withVersions(store.CourseChanges(was, now), was.Versions, now.Versions)
		},
		save: func(tx *store.Tx, by usecase.Caller, v, was *of) error {
			event := admitto.Event{Pattern: either(v.ID == 0, admitto.CourseCreated, admitto.CourseEdited)}
			if event.Details = nil; v.ID != 0 {
				event.Details = store.CourseChanges(was, v)
			}
			v.Updated = tx.Now()
			if _, err := tx.SaveCourse(v); err != nil {
				return err
			}
			if _, err := tx.SetIntakesOf(v.ID, v.Intakes); err != nil {
				return err
			}
			event.Links = admitto.Links{Course: v.ID, Institution: v.Institution}
			tx.Record(by.Actor, event)
			if v.Status != was.Status {
				tx.Record(by.Actor, admitto.Event{Pattern: admitto.CourseStatusSet, Bind: []string{v.Status},
					Links: event.Links})
			}
			return nil
		},
		columns: []sheetColumn[of]{
			idCell("id", func(c *of) *int64 { return &c.ID }),
			wordCell("status", func(c *of) *string { return &c.Status }),
			textCell("code", func(c *of) *string { return &c.Code }),
			textCell("name", func(c *of) *string { return &c.Name }),
			idCell("institution", func(c *of) *int64 { return &c.Institution }),
			textCell("type", func(c *of) *string { return &c.Type }),
			textCell("mode", func(c *of) *string { return &c.Mode }),
			{"intakes", func(c *of) string { return strings.Trim(fmt.Sprint(c.Intakes), "[]") }, setIntakes},
			{"awards", awardLines, setAwards},
			truthCell("featured", func(c *of) *bool { return &c.Featured }),
			textCell("duration", func(c *of) *string { return &c.Duration }),
			textCell("credits", func(c *of) *string { return &c.Credits }),
			textCell("language", func(c *of) *string { return &c.Language }),
			textCell("country", func(c *of) *string { return &c.Country }),
			textCell("location", func(c *of) *string { return &c.Location }),
			textCell("code_internal", func(c *of) *string { return &c.CodeInternal }),
			textCell("accreditation", func(c *of) *string { return &c.Accreditation }),
			countCell("quota", func(c *of) **int64 { return &c.Quota }),
			textCell("prospect_uri", func(c *of) *string { return &c.ProspectURI }),
			textCell("summary", func(c *of) *string { return &c.Summary }),
			textCell("about", func(c *of) *string { return &c.About }),
			textCell("requirements", func(c *of) *string { return &c.Requirements }),
		},
	}
	for _, lang := range languages {
		for _, name := range []string{"name", "awards", "duration", "location", "summary", "about", "requirements"} {
			s.columns = append(s.columns, versionCell(lang, name, func(c *of) *admitto.Versions { return &c.Versions }))
		}
	}
	return s
}

func intakeSheet(languages []string) *sheet[admitto.Intake] {
	type of = admitto.Intake
	s := &sheet[of]{
		kind: admitto.IntakeRow, prefix: "page.intake.",
		id:    func(i *of) *int64 { return &i.ID },
		keys:  func(i *of) []string { return []string{nameKey(i.Term.ID, i.Name)} },
		asked: func(i *of) string { return nameKey(i.Term.ID, i.Name) },
		name:  func(i *of) string { return i.Name },
		all:   func(tx *store.Tx) ([]of, error) { return tx.Intakes() },
		blank: func(*store.Tx) (i of, err error) {
			i.Policy, i.DecisionPolicy = string(admitto.StrictSubmit), "None"
			return i, nil
		},
		check: func(c *checks, v, was *of) {
			v.Deadlines = slices.Clone(v.Deadlines)
			c.intake(v, was)
		},
		words: map[string]wordList{"policy": fixed(admitto.DeadlinePolicies()...),
			"decision_policy": fixed(decisionPolicies()...)},
		changes: func(was, now *of) []admitto.Detail {
			return withVersions(store.IntakeChanges(was, now), was.Versions, now.Versions)
		},
		save: func(tx *store.Tx, by usecase.Caller, v, was *of) error {
			isNew := v.ID == 0
			if _, err := tx.SaveIntake(v); err != nil {
				return err
			}
			event := about(either(isNew, admitto.IntakeCreated, admitto.IntakeEdited), v.ID)
			if !isNew {
				event.Details = store.IntakeChanges(was, v)
			}
			tx.Record(by.Actor, event)
			return nil
		},
		columns: []sheetColumn[of]{
			idCell("id", func(i *of) *int64 { return &i.ID }),
			textCell("name", func(i *of) *string { return &i.Name }),
			idCell("term", func(i *of) *int64 { return &i.Term.ID }),
			dayCell("start", func(i *of) *admitto.Date { return &i.Start }),
			dayCell("commence", func(i *of) *admitto.Date { return &i.Commence }),
			dayCell("arrival", func(i *of) *admitto.Date { return &i.Arrival }),
			{"deadlines", deadlineLines, setDeadlines},
			wordCell("policy", func(i *of) *string { return &i.Policy }),
			dayCell("pre_deadline", func(i *of) *admitto.Date { return &i.PreDeadline }),
			textCell("pre_info", func(i *of) *string { return &i.PreInfo }),
			truthCell("pre_mask", func(i *of) *bool { return &i.PreMask }),
			wordCell("decision_policy", func(i *of) *string { return &i.DecisionPolicy }),
			countCell("decision_days", func(i *of) **int64 { return &i.DecisionDays }),
			dayCell("decision_date", func(i *of) *admitto.Date { return &i.DecisionDate }),
		},
	}
	for _, lang := range languages {
		for _, name := range []string{"name", "pre_info"} {
			s.columns = append(s.columns, versionCell(lang, name, func(i *of) *admitto.Versions { return &i.Versions }))
		}
		s.columns = append(s.columns, deadlineCell(lang))
	}
	return s
}

// codeKey is what a course is known by that has a code. Upper and lower case differ, as in all of Admitto.
func codeKey(code string) string { return "code " + normalLine(code) }

// nameKey is what a record is known by within an institution or a term, 0 for any.
func nameKey(within int64, name string) string {
	return fmt.Sprint("name ", within, " ", normalLine(name))
}

// normalLine is a cell as it would be stored; what cannot be is said when the record is checked.
func normalLine(cell string) string {
	if kept, err := text.Line(cell, 0, mostLine); err == nil {
		return kept
	}
	return cell
}

func textCell[T any](name string, at func(*T) *string) sheetColumn[T] {
	return sheetColumn[T]{name, func(v *T) string { return *at(v) }, func(v *T, cell string) error {
		*at(v) = cell
		return nil
	}}
}

// wordCell is a word that stays where the cell is empty.
func wordCell[T any](name string, at func(*T) *string) sheetColumn[T] {
	column := textCell(name, at)
	set := column.set
	column.set = func(v *T, cell string) error {
		if cell == "" {
			return nil
		}
		return set(v, cell)
	}
	return column
}

// idCell is the ID of a record, which stays where the cell is empty.
func idCell[T any](name string, at func(*T) *int64) sheetColumn[T] {
	return sheetColumn[T]{name, func(v *T) string { return strconv.FormatInt(*at(v), 10) }, func(v *T,
		cell string) error {
		if cell == "" {
			return nil
		}
		id, err := strconv.ParseInt(cell, 10, 64)
		if err != nil || id < 1 {
			return message.Of("sheet-no-id", text.Quote(cell))
		}
		*at(v) = id
		return nil
	}}
}

func countCell[T any](name string, at func(*T) **int64) sheetColumn[T] {
	return sheetColumn[T]{name, func(v *T) string {
		if *at(v) == nil {
			return ""
		}
		return strconv.FormatInt(**at(v), 10)
	}, func(v *T, cell string) error {
		if *at(v) = nil; cell == "" {
			return nil
		}
		n, err := strconv.ParseInt(cell, 10, 64)
		if err != nil {
			return message.Of("sheet-no-number", text.Quote(cell))
		}
		*at(v) = &n
		return nil
	}}
}

func truthCell[T any](name string, at func(*T) *bool) sheetColumn[T] {
	return sheetColumn[T]{name, func(v *T) string {
		if *at(v) {
			return "yes"
		}
		return "no"
	}, func(v *T, cell string) error {
		switch strings.ToLower(cell) {
		case "yes", "true", "1":
			*at(v) = true
		case "no", "false", "0", "":
			*at(v) = false
		default:
			return message.Of("sheet-no-truth", text.Quote(cell))
		}
		return nil
	}}
}

func dayCell[T any](name string, at func(*T) *admitto.Date) sheetColumn[T] {
	return sheetColumn[T]{name, func(v *T) string { return dayText(*at(v)) }, func(v *T, cell string) (err error) {
		*at(v), err = dayOf(cell)
		return err
	}}
}

func dayText(d admitto.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.String()
}

func dayOf(cell string) (d admitto.Date, err error) {
	if cell == "" {
		return d, nil
	}
	if d, err = admitto.ParseDate(cell); err != nil {
		return admitto.Date{}, message.Of("no-date", text.Quote(cell))
	}
	return d, nil
}

// setIntakes takes IDs with spaces between them.
func setIntakes(c *admitto.Course, cell string) error {
	c.Intakes = nil
	for _, part := range strings.Fields(cell) {
		id, err := strconv.ParseInt(part, 10, 64)
		if err != nil || id < 1 {
			return message.Of("sheet-no-id", text.Quote(part))
		}
		c.Intakes = append(c.Intakes, id)
	}
	c.Intakes = slices.Compact(slices.Sorted(slices.Values(c.Intakes)))
	return nil
}

// awardLines are awards as they are typed, one a line: "BSc: Bachelor of Science".
func awardLines(c *admitto.Course) string {
	var lines []string
	for _, a := range c.Awards {
		line := a.Abbr + ": " + a.Full
		if a.Abbr == "" && !strings.Contains(a.Full, ":") {
			line = a.Full
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func setAwards(c *admitto.Course, cell string) error {
	c.Awards = nil
	for line := range strings.Lines(cell) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		abbr, full, two := strings.Cut(line, ":")
		if !two {
			abbr, full = "", line
		}
		c.Awards = append(c.Awards, admitto.Award{Abbr: strings.TrimSpace(abbr), Full: strings.TrimSpace(full)})
	}
	return nil
}

// barredWord and noDay stand in the lines of deadlines.
const (
	barredWord = "barred"
	noDay      = "-"
)

// deadlineLines are deadlines, one a line: "EU: 2027-06-30, for citizens of the EU", "RU: - barred".
func deadlineLines(i *admitto.Intake) string {
	var lines []string
	for _, d := range i.Deadlines {
		line := d.Territory + ": " + noDay
		if !d.Day.IsZero() {
			line = d.Territory + ": " + d.Day.String()
		}
		if d.Barred {
			line += " " + barredWord
		}
		if d.Info != "" {
			line += ", " + d.Info
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func setDeadlines(i *admitto.Intake, cell string) error {
	i.Deadlines = nil
	for line := range strings.Lines(cell) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		territory, rest, _ := strings.Cut(line, ":")
		facts, info, _ := strings.Cut(rest, ",")
		d := admitto.Deadline{Territory: strings.ToUpper(strings.TrimSpace(territory)), Info: strings.TrimSpace(info)}
		words := strings.Fields(facts)
		d.Barred = len(words) == 2 && words[1] == barredWord
		if d.Territory == "" || len(words) == 0 || len(words) > 2 || len(words) == 2 && !d.Barred {
			return message.Of("sheet-no-deadline", text.Quote(line))
		}
		if words[0] != noDay {
			var err error
			if d.Day, err = dayOf(words[0]); err != nil {
				return err
			}
		}
		i.Deadlines = append(i.Deadlines, d)
	}
	return nil
}
