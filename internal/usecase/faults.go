package usecase

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// ReferenceInUse is the fault of a reference that another applicant has.
func ReferenceInUse() admitto.Fault {
	return admitto.Fault{Path: "applicant.reference", Code: "reference-in-use", Text: message.Of("reference-in-use")}
}
