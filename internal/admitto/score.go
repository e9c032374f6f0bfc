package admitto

import (
	"strconv"

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

// ScoreQuery selects scores of a sheet.
type ScoreQuery struct {
	Scoresheet       int64
	FromID, ToID     int64
	FromTime, ToTime Time
	Terms            []int64
	Applications     []int64
	Scored           *bool
	After            int64
	Limit            int
}

// Ranking orders the offers of courses (resources.md 23).
type Ranking struct {
	ID                int64
	Name              string
	Created, Modified Time
	Term              int64
	Courses           []int64
	Filters           RankingFilters
	Quota             *int64
}

// RankingFilters restrict the members of a ranking; empty is no restriction.
type RankingFilters struct {
	Intakes      []int64  `json:"intakes"`
	Citizenships []string `json:"citizenships"`
	Flags        []int64  `json:"flags"`
	Statuses     []string `json:"statuses"`
}

// Tableview is a table that an administrator put together (resources.md 21).
type Tableview struct {
	ID                int64
	Created, Modified Time
	Title             string
	ByOffer           bool // one row per offer, else per application
	Columns           []TableColumn
	Filters           string // JSON
}

// TableColumn is one column: where its cells come from, and the title the author gave it.
type TableColumn struct {
	Source string `json:"source"`
	Title  string `json:"title"`
}
