package billing

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// MaxPayments is how many payments are recorded at once (screens.md A32).
const MaxPayments = 500

// PaymentRow is a payment that somebody wants to record: what was typed, and what it says.
type PaymentRow struct {
	Line     int    // in what was typed, from 1
	Text     string // the line itself
	Number   string // of the invoice; #ID stands for the one with an ID
	Amount   admitto.Hundredths
	Currency string // "": that of the invoice
	Day      admitto.Date
	Wrong    []message.Text
	// Again books it although it looks as if it was booked before, or more than is open (lifecycle.md I2).
	Again bool
}

// Pasted reads rows of invoice number, amount and day, as people type them or paste them from a spreadsheet: between
// the columns is a tab, a semicolon, a comma or space, whichever of them the line has first. Rows without a day have
// the one given. dayFirst says what 5/6/2026 is: the fifth of June, or else the sixth of May. Empty lines and a
// first line of titles are left out.
func Pasted(typed string, day admitto.Date, dayFirst bool) (rows []PaymentRow) {
	typed = strings.TrimPrefix(typed, "\uFEFF")
	typed = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(typed)
	n := 0
	for line := range strings.SplitSeq(typed, "\n") {
		n++
		if strings.TrimSpace(line) == "" {
			continue
		}
		row := PaymentRow{Line: n, Text: strings.TrimRight(line, " \t"), Day: day}
		cells := cellsOf(line)
		if rows == nil && isTitle(cells) {
			continue
		}
		row.read(cells, dayFirst)
		rows = append(rows, row)
	}
	return rows
}

// isTitle reports whether a first line names columns.
func isTitle(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool { return strings.ContainsFunc(c, unicode.IsDigit) })
}

// cellsOf takes a line apart.
func cellsOf(line string) (cells []string) {
	switch {
	case strings.Contains(line, "\t"):
		cells = strings.Split(line, "\t")
	case strings.Contains(line, ";"):
		cells = strings.Split(line, ";")
	case strings.Count(line, ",") >= 2 || strings.Contains(line, ",") && len(strings.Fields(line)) == 1:
		cells = strings.Split(line, ",")
	default:
		cells = words(line)
	}
	for i, c := range cells {
		c = strings.TrimFunc(c, isSpace)
		if len(c) > 1 && c[0] == '"' && c[len(c)-1] == '"' {
			c = strings.TrimFunc(strings.ReplaceAll(c[1:len(c)-1], `""`, `"`), isSpace)
		}
		cells[i] = c
	}
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// words are the cells of a line that has nothing but space between them: the first word is the number, the last ones
// that are a day or a currency are that, and what is between them is the amount.
func words(line string) []string {
	list := strings.FieldsFunc(line, isSpace)
	if len(list) < 3 {
		return list
	}
	for n := 1; n <= 3 && len(list)-n >= 2; n++ { // 5 February 2026 are three words
		if _, err := dayOf(strings.Join(list[len(list)-n:], " "), true); err == nil {
			return []string{list[0], strings.Join(list[1:len(list)-n], " "), strings.Join(list[len(list)-n:], " ")}
		}
	}
	return []string{list[0], strings.Join(list[1:], " ")}
}

func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r == '\u202F' || r == '\u2007' || r == '\uFEFF'
}

// read takes what the cells say.
func (row *PaymentRow) read(cells []string, dayFirst bool) {
	wrong := func(text message.Text) { row.Wrong = append(row.Wrong, text) }
	if len(cells) < 2 || len(cells) > 4 {
		wrong(message.Of("pasted-columns"))
		return
	}
	var err error
	if row.Number, err = text.Line(cells[0], 1, 80); err != nil {
		wrong(message.From(err))
	}
	if row.Amount, row.Currency, err = Amount(cells[1]); err != nil {
		wrong(message.From(err))
	}
	if len(cells) > 2 && cells[2] != "" {
		if row.Day, err = dayOf(cells[2], dayFirst); err != nil {
			wrong(message.From(err))
		}
	} else if row.Day.IsZero() {
		wrong(message.Of("pasted-no-day"))
	}
	if len(cells) > 3 {
		if row.Currency, err = text.Currency(cells[3]); err != nil {
			wrong(message.From(err))
		}
	}
}

var (
	// currencyBefore and currencyBehind are amounts with a currency.
	currencyBefore = regexp.MustCompile(`^([A-Za-z]{3})[ ]?([^A-Za-z].*)$`)
	currencyBehind = regexp.MustCompile(`^(.*[^A-Za-z ])[ ]?([A-Za-z]{3})$`)
	// plainAmount has no more than a point or a comma before its decimals; groupedAmount has one sign between all its
	// groups of three digits, and another one before its decimals.
	plainAmount   = regexp.MustCompile(`^(\d+)(?:[.,](\d{1,2}))?$`)
	groupedAmount = regexp.MustCompile(`^([1-9]\d{0,2}(?:([ .,'])\d{3})(?:[ .,']\d{3})*)(?:([.,])(\d{1,2}))?$`)
	digitsOf      = strings.NewReplacer("٠", "0", "١", "1", "٢", "2", "٣", "3", "٤", "4", "٥", "5", "٦", "6", "٧", "7",
		"٨", "8", "٩", "9", "٫", ".", "٬", "'", "’", "'", "\u00A0", " ", "\u202F", " ", "\u2007", " ", "−", "-")
)

// Amount reads an amount of a payment as people write it, and its currency, "" without one.
func Amount(typed string) (amount admitto.Hundredths, currency string, err error) {
	return amountOf(typed, message.Of("amount-range", admitto.MaxInvoiceTotal.String()))
}

// Price reads what something costs, which may be nothing, as Amount does.
func Price(typed string) (amount admitto.Hundredths, currency string, err error) {
	return amountOf(typed, message.Of("price-range", "0.00", admitto.MaxItemPrice.String()))
}

// amountOf reads an amount as people write it: 80, 80.00, 1.234,56, 1 234,56 or 1'234.56, with or without a currency.
// No amount has more than two decimals, so three digits behind a sign are thousands. Outside is what is said of one
// below 0 or above all bounds.
func amountOf(typed string, outside message.Text) (amount admitto.Hundredths, currency string, err error) {
	s := strings.TrimFunc(digitsOf.Replace(typed), isSpace)
	fault := message.Of("pasted-amount", text.Quote(typed))
	if found := currencyBefore.FindStringSubmatch(s); found != nil {
		currency, s = found[1], found[2]
	} else if found := currencyBehind.FindStringSubmatch(s); found != nil {
		currency, s = found[2], found[1]
	}
	if currency != "" {
		if currency, err = text.Currency(strings.ToUpper(currency)); err != nil {
			return 0, "", err
		}
	}
	s, negative := strings.CutPrefix(strings.TrimSpace(s), "-")
	whole, decimals := "", ""
	if found := plainAmount.FindStringSubmatch(s); found != nil {
		whole, decimals = found[1], found[2]
	} else if found := groupedAmount.FindStringSubmatch(s); found != nil {
		whole, decimals = strings.ReplaceAll(found[1], found[2], ""), found[4]
		if found[2] == found[3] || strings.ContainsAny(whole, " .,'") {
			return 0, "", fault // two signs between the groups, or the same before the decimals
		}
	} else {
		return 0, "", fault
	}
	if whole = strings.TrimLeft(whole, "0"); len(whole) > 9 || negative {
		return 0, "", outside
	}
	n, err := strconv.ParseInt("0"+whole+(decimals + "00")[:2], 10, 64)
	if err != nil {
		return 0, "", fault
	}
	return admitto.Hundredths(n), currency, nil
}

var (
	writtenDay = regexp.MustCompile(`^(\d{1,2})([./-]) ?(\d{1,2})([./-]) ?(\d{4}|\d{2})\.?$`)
	yearFirst  = regexp.MustCompile(`^(\d{4})([./-]?)(\d{1,2})([./-]?)(\d{1,2})(?:[T ].*)?$`)
)

// dayOf reads a day as people write it.
func dayOf(typed string, dayFirst bool) (admitto.Date, error) {
	s := strings.TrimSpace(digitsOf.Replace(typed))
	fault := message.Of("pasted-day", text.Quote(typed))
	join := func(year, month, day string) (admitto.Date, error) {
		if len(year) == 2 {
			year = "20" + year
		}
		d, err := admitto.ParseDate(year + "-" + two(month) + "-" + two(day))
		if err != nil {
			return d, fault
		}
		return d, nil
	}
	if found := yearFirst.FindStringSubmatch(s); found != nil && found[2] == found[4] &&
		(found[2] != "" || len(found[3]) == 2 && len(found[5]) == 2) {
		return join(found[1], found[3], found[5])
	}
	if found := writtenDay.FindStringSubmatch(s); found != nil && found[2] == found[4] {
		day, month := found[1], found[3]
		if first, _ := strconv.Atoi(day); found[2] == "/" && first <= 12 {
			if second, _ := strconv.Atoi(month); second > 12 || !dayFirst {
				day, month = month, day
			}
		}
		return join(found[5], month, day)
	}
	s = strings.Join(strings.Fields(strings.ReplaceAll(s, ".", " ")), " ")
	for _, layout := range []string{"2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "2-Jan-2006",
		"2-Jan-06"} {
		if at, err := time.Parse(layout, s); err == nil {
			return admitto.DateOf(at), nil
		}
	}
	return admitto.Date{}, fault
}

func two(digits string) string {
	if len(digits) == 1 {
		return "0" + digits
	}
	return digits
}
