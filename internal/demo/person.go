package demo

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/load"
	"github.com/admitto/admitto/internal/text"
)

// domains are reserved for examples (RFC 2606, RFC 6761), so no mail can ever reach anybody.
var domains = []string{"example.org", "example.com", "example.net", "example.edu"}

// identity makes who an applicant is: type, name, address, telephone, citizenship.
func (w *world) identity(id int64, registered admitto.Time, collected bool) *load.ApplicantRow {
	c := w.chance
	from := w.country()
	if id == firstApplicant {
		from = &countries[0]
	}
	group := w.groups[from.names]
	a := &load.ApplicantRow{Applicant: admitto.Applicant{ID: id, Type: admitto.Natural, State: admitto.ApplicantLive,
		Lead: true, Registered: registered, Citizenship: from.code}}
	given, family := pick(c, group.given), pick(c, group.family)
	latinGiven, latinFamily := given, family
	if len(group.originalGiven) > 0 && c.per(60) {
		given, latinGiven, _ = strings.Cut(pick(c, group.originalGiven), "=")
		family, latinFamily, _ = strings.Cut(pick(c, group.originalFamily), "=")
	}
	a.Name.Given, a.Name.Family = spaced(given), spaced(family)
	if c.per(80) && given == latinGiven {
		if middle := spaced(pick(c, group.given)); middle != a.Name.Given {
			a.Name.Middle = middle
		}
	}
	a.Email = w.email(latinGiven, latinFamily)
	a.EmailKey = text.EmailKey(a.Email)
	if c.per(760) {
		a.Phone = c.phone(from.calling)
	}
	if c.per(60) {
		a.Skype = "live:" + fold(latinGiven) + c.digits(3)
	}
	// The API makes persons only; the other types come in by registering.
	switch {
	case collected:
	case c.per(45):
		a.Type = admitto.Child
		a.Name.Parent = spaced(pick(c, group.given)) + " " + a.Name.Family
	case c.per(15):
		a.Type = admitto.Legal
		// Not gofakeit's companies, for many of those exist.
		a.Name.Legal = a.Name.Family + " " + pick(c, []string{"Education Ltd", "Bildung GmbH", "Oktatás Kft.",
			"Scholarship Foundation", "Group S.A."})
		a.Address = fmt.Sprintf("%d %s Street\n%s %s\n%s", c.between(1, 180), c.fake.StreetName(), c.digits(4),
			pick(c, []string{"Newbridge", "Oldtown", "Riverside", "Northgate", "Lakeside",
				"Hillview"}), text.CountryName(from.code))
		a.VATIN = from.code + c.digits(8)
	}
	return a
}

// country draws one by weight.
func (w *world) country() *country {
	n := w.chance.IntN(w.countryUpTo[len(w.countryUpTo)-1])
	low, high := 0, len(w.countryUpTo)-1
	for low < high {
		if middle := (low + high) / 2; w.countryUpTo[middle] > n {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return &countries[low]
}

// email makes an address that nobody has yet.
func (w *world) email(given, family string) string {
	c := w.chance
	g, f := fold(given), fold(family)
	var local string
	switch n := c.IntN(100); {
	case n < 50:
		local = g + "." + f
	case n < 65:
		local = g + f
	case n < 78:
		local = g[:1] + "." + f
	case n < 88:
		local = f + "." + g
	default:
		local = g + "_" + f + strconv.Itoa(c.between(1990, 2008))
	}
	domain := pick(c, domains)
	if c.per(10) { // as some type it
		local = strings.ToUpper(local[:1]) + local[1:]
	}
	address := local + "@" + domain
	for width := 2; !w.fresh(address); width++ {
		address = local + c.digits(min(width, 12)) + "@" + domain
	}
	return address
}

// fresh notes an address and reports whether nobody had it. Only a hash (FNV-1a) is kept, since there may be
// millions; should two addresses ever share one, the second gets a number for nothing.
func (w *world) fresh(address string) bool {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(strings.ToLower(address))) // never fails
	key := hash.Sum64()
	if _, taken := w.emails[key]; taken {
		return false
	}
	w.emails[key] = struct{}{}
	return true
}

// phone returns a number with the area code 555, which most numbering plans keep for fiction or do not use.
func (c chance) phone(calling string) string {
	n := c.digits(7)
	switch c.IntN(4) {
	case 0:
		return "+" + calling + " 555 " + n[:3] + " " + n[3:]
	case 1:
		return "+" + calling + " (555) " + n[:3] + "-" + n[3:]
	case 2:
		return "+" + calling + "555" + n
	}
	return "+" + calling + " 555 " + n[:3] + " " + n[3:5] + " " + n[5:]
}
