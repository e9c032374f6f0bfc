package usecase

import "github.com/admitto/admitto/internal/admitto"

// NoteOn names what notes are on: an applicant, or an offer of an application.
type NoteOn struct{ Applicant, Application, Offer int64 }

// Viewing is the permission to read the notes.
func (on NoteOn) Viewing() admitto.Permission {
	if on.Offer != 0 {
		return admitto.OffersView
	}
	return admitto.ApplicantsView
}

// Editing is the permission to write the notes.
func (on NoteOn) Editing() admitto.Permission {
	if on.Offer != 0 {
		return admitto.OffersEdit
	}
	return admitto.ApplicantsEdit
}

// Row names the notes as what is edited as one.
func (on NoteOn) Row() admitto.Row {
	if on.Offer != 0 {
		return admitto.Row{Kind: admitto.OfferNotesRow, ID: on.Offer}
	}
	return admitto.Row{Kind: admitto.ApplicantNotesRow, ID: on.Applicant}
}
