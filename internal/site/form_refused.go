package site

import (
	"errors"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// Guard says at which field the fault of a guard is shown, which has a code and no path.
func (f *Form) Guard(code, field string) {
	if f.guards == nil {
		f.guards = map[string]string{}
	}
	f.guards[code] = field
}

// Refused takes what a use case said against the form: each fault goes to the field that fields names for its path,
// else to the field of the last name of the path, unless the page has said what is wrong with that field. It returns
// whether there was any, and the error when it is not about what was typed. A form that was taken is forgotten in the
// stash.
func (f *Form) Refused(err error, fields map[admitto.Path]string) (refused bool, _ error) {
	if err == nil && f.r.failed {
		return true, nil
	}
	if err == nil {
		return false, f.r.dropKept()
	}
	var e *admitto.Error
	if !errors.As(err, &e) {
		return true, err
	}
	switch e.Kind {
	case admitto.InvalidParameter, admitto.InvalidBody, admitto.NotAllowedNow, admitto.AlreadyExists, admitto.TooLarge,
		admitto.UnsupportedFormat, admitto.MailRefused, admitto.ChangedMeanwhile:
	default:
		return true, err
	}
	if e.Kind == admitto.ChangedMeanwhile {
		f.Version = f.now
		f.faults, f.r.failed = append(f.faults, formFault{text: f.r.Say(e.Text), overtaken: true}), true
	}
	said := slices.Clone(f.faults)
	for _, fault := range e.Faults {
		name, known := fields[fault.Path]
		if of, told := f.guards[fault.Code]; told {
			name, known = of, true
		}
		if !known {
			path := string(fault.Path)
			name = path[strings.LastIndexAny(path, "./")+1:]
		}
		if !slices.ContainsFunc(said, func(s formFault) bool { return s.name == name }) {
			f.FailText(name, fault.Text)
		}
	}
	if len(e.Faults) == 0 && e.Kind != admitto.ChangedMeanwhile {
		f.FailText(fields[""], e.Text)
	}
	return true, nil
}
