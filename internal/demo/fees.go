package demo

import "github.com/admitto/admitto/internal/admitto"

// The fees: what is asked of applicants from outside of Europe, and the tuition of each kind of course.
const (
	feeApplication int64 = iota + 1
	feeBachelor
	feeMaster
	feeMedicine
	feeExchange
)

// applicationFee is what feeApplication costs the world.
const applicationFee admitto.Hundredths = 60_00

// planFees returns the fees with the courses that have them.
func planFees(courses []*course) []admitto.Fee {
	of := func(levels ...level) (list []int64) {
		for _, c := range courses {
			for _, l := range levels {
				if c.level == l {
					list = append(list, c.ID)
				}
			}
		}
		return list
	}
	const once, year, free = "One-time", "Year",
		"Free of charge for citizens of the European Union and the European Economic Area"
	fourteen := int64(14)
	tuition := func(id int64, name string, europe, world admitto.Hundredths, l level) admitto.Fee {
		return admitto.Fee{ID: id, Name: name, Type: "Tuition", Automatic: admitto.FeeNotAutomatic,
			Cause: admitto.FeeAtSubmission, Courses: of(l),
			Amounts: []admitto.FeeAmount{{Territory: "001", Qualifier: "from", Currency: "EUR", Amount: world, Basis: year},
				{Territory: "EU", Currency: "EUR", Amount: europe, Basis: year}}}
	}
	return []admitto.Fee{
		{ID: feeApplication, Name: "Application fee", Type: "Appfee",
			Notes:     "Paid once for each application; not given back.",
			Automatic: admitto.FeeByApplication, Cause: admitto.FeeAtCourse, Series: seriesFee, PaymentDays: &fourteen,
			Courses: of(bachelor, master, medicine, doctoral),
			Amounts: []admitto.FeeAmount{{Territory: "001", Currency: "EUR", Amount: applicationFee, Basis: once},
				{Territory: "EEA", Currency: "EUR", Basis: once, Info: free}, {Territory: "EU", Currency: "EUR", Basis: once,
					Info: free}}},
		tuition(feeBachelor, "Tuition, bachelor's programmes", 1500_00, 3000_00, bachelor),
		tuition(feeMaster, "Tuition, master's programmes", 1900_00, 3800_00, master),
		tuition(feeMedicine, "Tuition, medicine", 6500_00, 13000_00, medicine),
		{ID: feeExchange, Name: "Tuition, exchange", Type: "Tuition", Automatic: admitto.FeeNotAutomatic,
			Cause:   admitto.FeeAtSubmission,
			Courses: of(exchange), Amounts: []admitto.FeeAmount{{Territory: "001", Currency: "EUR", Basis: year,
				Info: "Paid at home"}}},
	}
}
