package admitto

import (
	"encoding/json"
	"math/big"

	"github.com/admitto/admitto/internal/message"
)

// Weight counts ten-thousandths: the weights of criteria have at most four decimals.
type Weight = Points

// Criterion is one line of what makes the automatic score of a course's offers (lifecycle.md 7): the points on a
// scoresheet, raw or as percent of its range, times the weight.
type Criterion struct {
	Sheet    Scoresheet
	Weight   Weight
	Percent  bool // (points − min) / (max − min) × 100, else the points as they are
	Required bool // without points there is no automatic score; else they count 0
}

// Explanation says how an automatic score came about; it is stored with the offer and shown to staff.
type Explanation struct {
	Criteria int64             `json:"criteria"` // version of the criteria of the course
	Lines    []ExplanationLine `json:"lines"`
	Auto     string            `json:"auto"` // with two decimals, "" for none
}

// ExplanationLine is one criterion. Value and Part are shown with four decimals; the score is computed from the exact
// ones.
type ExplanationLine struct {
	Sheet    int64  `json:"scoresheet"`
	Name     string `json:"name"`
	Points   string `json:"points"` // "" without
	Mode     string `json:"mode"`   // raw or percent
	Value    string `json:"value"`  // "" without
	Weight   string `json:"weight"`
	Part     string `json:"part"` // weight × value
	Required bool   `json:"required"`
}

// Rounding is by how much the score differs from the sum of the parts as they are shown; "" for nothing, and without a
// score.
func (e *Explanation) Rounding() string {
	rest, ok := new(big.Rat).SetString(e.Auto)
	if !ok {
		return ""
	}
	for i := range e.Lines {
		part, ok := new(big.Rat).SetString(e.Lines[i].Part)
		if !ok {
			return ""
		}
		rest.Sub(rest, part)
	}
	if rest.Sign() == 0 {
		return ""
	}
	return rest.FloatString(4)
}

// JSON returns the stored form, "" when there are no criteria.
func (e *Explanation) JSON() string {
	if len(e.Lines) == 0 {
		return ""
	}
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return string(text)
}

// maxScore is the largest absolute value that a score can be shown with: nine digits before the point.
const maxScore Hundredths = 999_999_999_99

// AutoScore computes the automatic score of an offer: the sum of weight × value over the criteria in exact decimals,
// rounded half up to two places at the end. It is nil without criteria, when a required value is missing, and when it
// is too large to be shown. scoreOn returns the score for a sheet, nil for none.
func AutoScore(version int64, criteria []Criterion, scoreOn func(sheet *Scoresheet) *Score) (*Hundredths, Explanation) {
	explained := Explanation{Criteria: version}
	sum, complete := new(big.Rat), len(criteria) > 0
	for i := range criteria {
		c := &criteria[i]
		line := ExplanationLine{Sheet: c.Sheet.ID, Name: c.Sheet.Name, Mode: "raw", Weight: weightText(c.Weight),
			Part: "0.0000", Required: c.Required}
		if c.Percent {
			line.Mode = "percent"
		}
		var value *big.Rat
		if s := scoreOn(&c.Sheet); s != nil && s.Points != nil {
			line.Points = string(s.Points.Append(nil, c.Sheet.Scale))
			value = c.value(*s.Points)
		}
		switch {
		case value != nil:
			part := new(big.Rat).Mul(value, big.NewRat(int64(c.Weight), int64(pointUnit)))
			line.Value, line.Part = value.FloatString(4), part.FloatString(4)
			sum.Add(sum, part)
		case c.Required:
			complete = false
		}
		explained.Lines = append(explained.Lines, line)
	}
	if !complete {
		return nil, explained
	}
	auto, ok := roundHalfUp(sum)
	if !ok {
		return nil, explained
	}
	explained.Auto = auto.String()
	return &auto, explained
}

// value is what the points count before they are weighed; nil when the range of a percentage is empty.
func (c *Criterion) value(p Points) *big.Rat {
	if !c.Percent {
		return big.NewRat(int64(p), int64(pointUnit))
	}
	if c.Sheet.Max <= c.Sheet.Min {
		return nil
	}
	return big.NewRat(100*int64(p-c.Sheet.Min), int64(c.Sheet.Max-c.Sheet.Min))
}

// roundHalfUp rounds to two places, halves towards the larger number; ok is false when the result has more than nine
// digits before the point.
func roundHalfUp(r *big.Rat) (h Hundredths, ok bool) {
	// floor(r × 100 + 1/2) = floor((200 × num + den) / (2 × den)); Div rounds down since the divisor is positive.
	num := new(big.Int).Add(new(big.Int).Mul(r.Num(), big.NewInt(200)), r.Denom())
	n := num.Div(num, new(big.Int).Mul(r.Denom(), big.NewInt(2)))
	if !n.IsInt64() {
		return 0, false
	}
	h = Hundredths(n.Int64())
	return h, h <= maxScore && h >= -maxScore
}

func weightText(w Weight) string {
	text := w.Append(nil, 4)
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return string(text)
}

// MaxCriteria is how many criteria a course can have.
const MaxCriteria = 50

// CriteriaFaults says what is wrong with the criteria of a course; each fault names the line, criteria/0 for the
// first. That the sheets exist is not checked here.
func CriteriaFaults(list []Criterion) (faults []Fault) {
	fault := func(i int, text message.Text) {
		faults = append(faults, Fault{Path: CriterionPath(i), Text: text})
	}
	if len(list) > MaxCriteria {
		return []Fault{{Path: "criteria", Text: message.Of("too-many-criteria", MaxCriteria)}}
	}
	seen, most := map[int64]bool{}, new(big.Rat)
	for i := range list {
		c := &list[i]
		switch {
		case seen[c.Sheet.ID]:
			fault(i, message.Of("scoresheet-twice"))
		case c.Weight == 0:
			fault(i, message.Of("weight-zero"))
		case c.Percent && c.Sheet.Max <= c.Sheet.Min:
			fault(i, message.Of("scoresheet-without-range"))
		default:
			largest := new(big.Rat)
			for _, end := range []Points{c.Sheet.Min, c.Sheet.Max} {
				if v := c.value(end); v != nil && v.Abs(v).Cmp(largest) > 0 {
					largest = v
				}
			}
			weight := big.NewRat(int64(c.Weight), int64(pointUnit))
			most.Add(most, largest.Mul(largest, weight.Abs(weight)))
		}
		seen[c.Sheet.ID] = true
	}
	if _, fits := roundHalfUp(most); !fits {
		faults = append(faults, Fault{Path: "criteria", Text: message.Of("weights-too-large")})
	}
	return faults
}
