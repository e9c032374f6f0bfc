package wire

// What only versions 1 to 8 have, before the change SingleDates.

// appendYearMonth appends a date of unknown precision in the form of versions 1 to 8.
func appendYearMonth(dst []byte, date string) []byte {
	if len(date) < 4 {
		return append(dst, "null"...)
	}
	dst = append(AppendString(append(dst, `{"yy":`...), date[:4]), `,"mm":`...)
	if len(date) < 7 {
		return append(dst, "null}"...)
	}
	return append(AppendString(dst, date[5:7]), '}')
}
