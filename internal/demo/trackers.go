package demo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// campaign is a tracker to be: what it is called and how many applicants it brings.
type campaign struct {
	code    string
	notes   string
	weight  int
	day     int // of its creation, counted from the first day of the data
	percent admitto.Hundredths
	amount  admitto.Hundredths
	in      string // currency of amount
}

// campaigns are in the order of their creation. The first ones exist before anybody registers. %Y0, %Y1 and %Y2 are the
// years of the data, %y0 and so on their last two digits.
var campaigns = []campaign{
	{code: "WEB", notes: "Website, without a campaign", weight: 90, day: -200},
	{code: "FAIR-BUD", notes: "Budapest fair", weight: 60, day: -190, percent: 1000},
	{code: "FAIR-IST", notes: "Istanbul fair", weight: 35, day: -188, percent: 1000},
	{code: "FAIR-DEL", notes: "Delhi fair", weight: 42, day: -187, percent: 1000},
	{code: "AGENT-APEX", notes: "Apex Study Partners, invoices quarterly", weight: 75, day: -170, amount: 5000, in: "EUR"},
	{code: "AGENT-LAGOS", notes: "Lagos office of Bright Path", weight: 55, day: -170, amount: 5000, in: "EUR"},
	{code: "AGENT-HANOI", notes: "", weight: 38, day: -150, amount: 4000, in: "EUR"},
	{code: "ALUMNI", notes: "Recommended by a graduate", weight: 30, day: -120, percent: 2500},
	{code: "STAFF", notes: "Children of employees", weight: 4, day: -120, percent: 10000},
	{code: "OPEN-DAY", notes: "Open day on the campus", weight: 44, day: -90},
	{code: "KEYSTONE", notes: "Portal of study programmes", weight: 66, day: -60},
	{code: "MASTERSPORTAL", notes: "Portal of study programmes", weight: 58, day: -60},
	{code: "SCHOOL-VISIT", notes: "Visits to secondary schools", weight: 33, day: -30},
	{code: "SUMMER%y0", notes: "Summer school %Y0", weight: 12, day: -20, amount: 1500000, in: secondCurrency},
	{code: "FAIR-ALM", notes: "Almaty fair", weight: 28, day: 12, percent: 1000},
	{code: "FAIR-LAG", notes: "Lagos fair", weight: 24, day: 30, percent: 1000},
	{code: "EARLYBIRD%y1", notes: "Applied early, %Y1", weight: 20, day: 61, percent: 1500},
	{code: "INSTA-%Y1", notes: "Instagram, %Y1", weight: 34, day: 120},
	{code: "AGENT-DHAKA", notes: "", weight: 26, day: 150, amount: 4000, in: "EUR"},
	{code: "WEBINAR", notes: "Monthly webinar", weight: 22, day: 190},
	{code: "SUMMER%y1", notes: "Summer school %Y1", weight: 15, day: 250, amount: 1500000, in: secondCurrency},
	{code: "FAIR-BUD-%y1", notes: "Budapest fair, %Y1", weight: 30, day: 370, percent: 1000},
	{code: "EARLYBIRD%y2", notes: "Applied early, %Y2", weight: 20, day: 426, percent: 1500},
	{code: "TIKTOK", notes: "Trial of %Y2", weight: 25, day: 500},
	{code: "SUMMER%y2", notes: "Summer school %Y2", weight: 14, day: 610, amount: 1500000, in: secondCurrency},
}

// planTrackers returns the trackers with their IDs and times of creation.
func planTrackers(c chance, over span) []admitto.Tracker {
	list := make([]admitto.Tracker, len(campaigns))
	last := admitto.Time(0)
	var years []string
	for n := range 3 {
		year := strconv.Itoa(over.begins.Std().Year() + n)
		years = append(years, fmt.Sprintf("%%Y%d", n), year, fmt.Sprintf("%%y%d", n), year[len(year)-2:])
	}
	dated := strings.NewReplacer(years...)
	for i, p := range campaigns {
		created := over.begins + admitto.Time(p.day)*admitto.Day + 8*admitto.Hour +
			admitto.Time(c.Int64N(int64(6*admitto.Hour)))
		last = max(last+admitto.Second, created) // IDs follow the order of creation
		t := admitto.Tracker{ID: int64(i + 1), Created: last, Code: dated.Replace(p.code), Notes: dated.Replace(p.notes)}
		if p.percent != 0 || p.amount != 0 {
			t.Reduction = &admitto.Reduction{Percent: p.percent, Amount: p.amount, Currency: p.in}
		}
		list[i] = t
	}
	return list
}

// tracker returns one that exists at the time, drawn by weight.
func (w *world) tracker(at admitto.Time) int64 {
	total := 0
	for i := range w.trackers {
		if w.trackers[i].Created < at {
			total += campaigns[i].weight
		}
	}
	n := w.chance.IntN(total)
	for i := range w.trackers {
		if w.trackers[i].Created < at {
			if n -= campaigns[i].weight; n < 0 {
				return w.trackers[i].ID
			}
		}
	}
	return 1 // not reached: the weights sum up to total
}
