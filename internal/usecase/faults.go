package usecase

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// ReferenceInUse is the fault of a reference that another applicant has.
func ReferenceInUse(parameter string) admitto.Fault {
	return admitto.Fault{Parameter: parameter, Code: "reference-in-use", Text: message.Of("reference-in-use")}
}
