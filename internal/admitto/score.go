package admitto

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/message"
)

// Points count ten-thousandths: points of scoresheets have at most four decimals.
type Points int64

// ParsePoints reads a decimal with at most scale decimals (0 to 4).
func ParsePoints(s string, scale int) (Points, error) {
	n, err := parseFixed(s, 4)
	if err == nil && n%pow10(4-scale) != 0 {
		err = message.Of("too-many-decimals", strconv.Quote(s), scale)
	}
	return Points(n), err
}

// Append appends the points with scale decimals to dst.
func (p Points) Append(dst []byte, scale int) []byte {
	n := int64(p)
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = strconv.AppendInt(dst, n/10000, 10)
	if scale > 0 {
		digits := strconv.FormatInt(10000+n%10000, 10)[1:]
		dst = append(append(dst, '.'), digits[:scale]...)
	}
	return dst
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// Scoresheet says what is scored and how (resources.md 20.2).
type Scoresheet struct {
	ID                                 int64
	Created, Scored, Confirmed         Time
	Name, Type                         string
	Maps                               []ScoreMap
	Date, Reference, Subject, Language string // None, Optional or Required
	ByOffer                            bool   // depth Offer, else Application
	Min, Max                           Points
	Scale                              int
	Instructions                       string
	GroupID                            int64
	GroupName                          string
	Scorers                            []int64 // administrators who give points; none: everybody who may score
	Due                                Date    // the last day for it, in the zone of the instance
	Visibility                         string
	Shows                              []string // what those who score see of an application; nil: SheetShows
}

// SheetPrivate is the visibility of scoresheets that staff alone see.
const SheetPrivate = "private"

// SheetVisibilities are the words for who may see a scoresheet (lifecycle.md 7).
func SheetVisibilities() []string { return []string{SheetPrivate, "public", "unlisted"} }

// What scoresheets show besides sections of the form.
const (
	ShowsName      = "name"
	ShowsPhoto     = "photo"
	ShowsDocuments = "documents"
)

// SheetShows is what those who score see of an application where nothing else is said (lifecycle.md 7).
func SheetShows() []string {
	return []string{ShowsName, "education", "grades", "languages", "motivation", "extras", ShowsDocuments}
}

// HasShown reports whether those who score see a part of an application.
func (s *Scoresheet) HasShown(part string) bool {
	if s.Shows == nil {
		return slices.Contains(SheetShows(), part)
	}
	return slices.Contains(s.Shows, part)
}

// SheetUse is how many scores are on a sheet, and how many of them wait for points.
type SheetUse struct{ Total, Left int64 }

// Scored is how many have points.
func (u SheetUse) Scored() int64 { return u.Total - u.Left }

// SheetHold is what keeps a scoresheet from being deleted; nothing does where it is zero.
type SheetHold struct {
	Given   bool  // points, comments or details were given on it
	Courses int64 // whose criteria use it
}

// Holds reports whether the sheet stays.
func (h SheetHold) Holds() bool { return h.Given || h.Courses > 0 }

// TakesFrom reports whether a caller may give points on a sheet, which others may have been asked for (lifecycle.md 7).
// Those who may change scoresheets may score on all of them, and the API is not bound.
func (s *Scoresheet) TakesFrom(by Caller) bool {
	return len(s.Scorers) == 0 || by.Actor.Kind != ByAdministrator || by.Has(ScorersEdit) ||
		slices.Contains(s.Scorers, by.Actor.ID)
}

// ScoreMap is a label that stands for a value.
type ScoreMap struct {
	Label string `json:"label"`
	Value Points `json:"value"`
}

// Score is one entry of a scoresheet (resources.md 20.3).
type Score struct {
	ID, Scoresheet, Application, Offer     int64
	Scored                                 Time
	Points                                 *Points
	Comments, Reference, Subject, Language string
	Date                                   Date
	Scale                                  int        // of the sheet
	Maps                                   []ScoreMap // of the sheet
}

// Mapped is the label of the points, "" without.
func (s *Score) Mapped() string {
	if s.Points != nil {
		for _, m := range s.Maps {
			if m.Value == *s.Points {
				return m.Label
			}
		}
	}
	return ""
}

// The bounds of texts of a score (resources.md 20.4), in characters.
const (
	MostScoreComments  = 2000
	MostScoreReference = 64
	MostScoreSubject   = 255
)

// ScoreQuery selects scores of a sheet.
type ScoreQuery struct {
	Scoresheet       int64
	FromID, ToID     int64
	FromTime, ToTime Time
	Terms            []int64
	Applications     []int64
	Scored           *bool
	Scorer           int64 // an administrator who gave what there is, 0 for all
	After            int64
	Limit            int
}

// SheetType is what the type of a scoresheet fixes (resources.md 20.2). Ranges and steps count ten-thousandths.
type SheetType struct {
	Name     string
	Min, Max Points // the range, unless it is configured
	Scale    int    // decimals, unless they are configured
	Step     Points // from the minimum; 0: any value that the scale allows
	Labelled bool   // only the values that have a label
	IsFree   bool   // the sheet says the scale, and without labels also the range
}

// SheetTypes lists the types of scoresheets.
func SheetTypes() []SheetType {
	whole := func(name string, low, high, step Points) SheetType {
		return SheetType{Name: name, Min: low * pointUnit, Max: high * pointUnit, Step: step * pointUnit}
	}
	return []SheetType{
		{Name: "Number", IsFree: true},
		{Name: "Percent", Max: 100 * pointUnit, Scale: 2},
		{Name: "GPA4", Max: 4 * pointUnit, Scale: 2},
		{Name: "Mapped", Labelled: true, IsFree: true},
		{Name: "CEFR", Min: 1 * pointUnit, Max: 6 * pointUnit, Step: pointUnit, Labelled: true},
		{Name: "IELTS", Max: 9 * pointUnit, Scale: 1, Step: pointUnit / 2},
		whole("TOEFL", 0, 120, 1), whole("TOEIC", 10, 990, 5), whole("PTE", 10, 90, 1),
		whole("Duolingo", 10, 160, 5), whole("Cambridge", 80, 230, 1), whole("SAT", 400, 1600, 10),
		whole("ACT", 1, 36, 1), whole("GRE", 260, 340, 1), whole("GMAT", 205, 805, 10),
		whole("IB", 0, 45, 1),
	}
}

// pointUnit is one point.
const pointUnit Points = 10_000

// sheetType returns the type of the sheet; one that is not in the table takes any value in the range of the sheet.
func (t *Scoresheet) sheetType() SheetType {
	for _, known := range SheetTypes() {
		if known.Name == t.Type {
			return known
		}
	}
	return SheetType{Name: t.Type, IsFree: true}
}

// ParsePoints reads points for the sheet: a decimal with at most as many decimals as the sheet has, in its range, on
// its step or with a label (resources.md 20.4). The error is fit for the client.
func (t *Scoresheet) ParsePoints(text string) (Points, error) {
	p, err := ParsePoints(strings.TrimSpace(text), t.Scale)
	if err != nil {
		return 0, err
	}
	return p, t.CheckPoints(p)
}

// ParseLabelled is ParsePoints that takes the labels of the sheet, too.
func (t *Scoresheet) ParseLabelled(text string) (Points, error) {
	p, err := t.ParsePoints(text)
	if err == nil {
		return p, nil
	}
	text = strings.TrimSpace(text)
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, m := range t.Maps {
			if same(m.Label, text) {
				return m.Value, t.CheckPoints(m.Value)
			}
		}
	}
	if t.IsLabelled() {
		err = t.noLabel()
	}
	return 0, err
}

// noLabel says which values the sheet takes, each with its label.
func (t *Scoresheet) noLabel() error {
	labels := make([]string, len(t.Maps))
	for i, m := range t.Maps {
		labels[i] = string(m.Value.Append(nil, t.Scale)) + " (" + m.Label + ")"
	}
	return message.Of("points-labelled", strings.Join(labels, ", "))
}

// IsLabelled reports whether the sheet takes nothing but the values that have a label.
func (t *Scoresheet) IsLabelled() bool { return t.sheetType().Labelled && len(t.Maps) > 0 }

// Step is what the points of the sheet go by, 0 where they need no step; whole numbers say nothing by it.
func (t *Scoresheet) Step() Points {
	if kind := t.sheetType(); kind.Step != pointUnit || kind.Scale > 0 {
		return kind.Step
	}
	return 0
}

// CheckPoints demands that points are in the range of the sheet, have no more decimals than it, and are on its step
// or one of its labelled values.
func (t *Scoresheet) CheckPoints(p Points) error {
	show := func(p Points) string { return string(p.Append(nil, t.Scale)) }
	kind := t.sheetType()
	switch {
	case int64(p)%pow10(4-t.Scale) != 0:
		return message.Of("too-many-decimals", string(p.Append(nil, 4)), t.Scale)
	case p < t.Min || p > t.Max:
		return message.Of("points-range", show(t.Min), show(t.Max))
	case kind.Labelled && (kind.Step == 0 || t.Maps != nil):
		if !slices.ContainsFunc(t.Maps, func(m ScoreMap) bool { return m.Value == p }) {
			return t.noLabel()
		}
	case kind.Step != 0 && (p-t.Min)%kind.Step != 0:
		return message.Of("points-steps", show(kind.Step), show(t.Min))
	}
	return nil
}

// IsEmpty reports whether nothing was given: no points, comments or details.
func (s *Score) IsEmpty() bool { return s.Differs(&Score{Scale: s.Scale, Maps: s.Maps}) == 0 }

// ScoreFields is a set of fields of a score.
type ScoreFields uint8

// The fields of a score that can be written.
const (
	ScorePoints ScoreFields = 1 << iota
	ScoreComments
	ScoreDate
	ScoreReference
	ScoreSubject
	ScoreLanguage
	ScoreDetails   = ScoreDate | ScoreReference | ScoreSubject | ScoreLanguage
	AllScoreFields = ScorePoints | ScoreComments | ScoreDetails
)

// Each returns the single fields of the set, in order.
func (f ScoreFields) Each() (list []ScoreFields) {
	for field := ScorePoints; field < AllScoreFields; field <<= 1 {
		if f&field != 0 {
			list = append(list, field)
		}
	}
	return list
}

// Name returns the name that a single field has in the API and in the details of the journal.
func (f ScoreFields) Name() string {
	return map[ScoreFields]string{ScorePoints: "points", ScoreComments: "comments", ScoreDate: "date",
		ScoreReference: "reference",
		ScoreSubject:   "subject", ScoreLanguage: "language"}[f]
}

// path is the path of the one field that f is.
func (f ScoreFields) path() Path {
	return map[ScoreFields]Path{ScorePoints: "score.points", ScoreComments: "score.comments", ScoreDate: "score.date",
		ScoreReference: "score.reference", ScoreSubject: "score.subject", ScoreLanguage: "score.language"}[f]
}

// Text returns the value of a single field as text, "" when it is unset. Points have the decimals of the sheet.
func (s *Score) Text(field ScoreFields) string {
	switch field {
	case ScorePoints:
		if s.Points == nil {
			return ""
		}
		return string(s.Points.Append(nil, s.Scale))
	case ScoreComments:
		return s.Comments
	case ScoreDate:
		return s.Date.String()
	case ScoreReference:
		return s.Reference
	case ScoreSubject:
		return s.Subject
	case ScoreLanguage:
		return s.Language
	}
	return ""
}

// Take copies the fields of the set from another score.
func (s *Score) Take(fields ScoreFields, from *Score) {
	for _, field := range fields.Each() {
		switch field {
		case ScorePoints:
			s.Points = from.Points
		case ScoreComments:
			s.Comments = from.Comments
		case ScoreDate:
			s.Date = from.Date
		case ScoreReference:
			s.Reference = from.Reference
		case ScoreSubject:
			s.Subject = from.Subject
		case ScoreLanguage:
			s.Language = from.Language
		}
	}
}

// Differs returns the fields of which two scores of the same sheet have different values.
func (s *Score) Differs(other *Score) (fields ScoreFields) {
	for _, field := range AllScoreFields.Each() {
		if s.Text(field) != other.Text(field) {
			fields |= field
		}
	}
	return fields
}

// PointsInvalid is the error code for points that a sheet does not take.
const PointsInvalid = "points-invalid"

// Carries reports whether scores of the sheet may have a value in the field, and whether they must.
func (t *Scoresheet) Carries(field ScoreFields) (may, must bool) {
	word := map[ScoreFields]string{ScoreDate: t.Date, ScoreReference: t.Reference, ScoreSubject: t.Subject,
		ScoreLanguage: t.Language}[field]
	return word != "None", word == "Required"
}

// ScoreFaults returns what the sheet has against a score of which the fields in given were just written: points that it
// does not take, values for fields that it does not have, and among the judged fields required ones without a value.
// What was stored before is not judged otherwise.
func (t *Scoresheet) ScoreFaults(s *Score, given, judged ScoreFields) (faults []Fault) {
	fault := func(field ScoreFields, code string, text message.Text) {
		faults = append(faults, Fault{Path: field.path(), Code: code, Text: text})
	}
	if given&ScorePoints != 0 && s.Points != nil {
		if err := t.CheckPoints(*s.Points); err != nil {
			fault(ScorePoints, PointsInvalid, message.From(err))
		}
	}
	for _, field := range ScoreDetails.Each() {
		may, must := t.Carries(field)
		switch has := s.Text(field) != ""; {
		case !may && given&field != 0 && has:
			fault(field, "", message.Of("score-field-foreign", field))
		case must && judged&field != 0 && !has:
			fault(field, "", message.Of("score-field-required", field))
		}
	}
	return faults
}
