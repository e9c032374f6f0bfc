package api

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// fileWire is what is known of a stored file (resources.md 0.7).
type fileWire struct {
	ID       int64        `wire:"id"`
	Uploaded admitto.Time `wire:"uploaded"`
	Name     string       `wire:"name"`
	MIME     string       `wire:"mime"`
	Size     string       `wire:"size"`
	Expires  admitto.Time `wire:"expires"`
}

// fileRecord is a file in the lists of attachments.
func fileRecord(f *admitto.File) any {
	return &fileWire{f.ID, f.Uploaded, f.Name, f.MIME, strconv.FormatInt(f.Size, 10), f.Expires}
}

// documentRecord is a document in the list of its application (resources.md 10).
func documentRecord(f *admitto.File) any { return fileRecord(f) }

func fileID(f *admitto.File) int64 { return f.ID }

// applicantDocumentWire is a document in the list of its applicant (resources.md 10).
type applicantDocumentWire struct {
	ID          int64        `wire:"id"`
	Uploaded    admitto.Time `wire:"uploaded"`
	Name        string       `wire:"name"`
	MIME        string       `wire:"mime"`
	Size        string       `wire:"size"`
	Expires     admitto.Time `wire:"expires"`
	Application wire.Link    `wire:"application"`
}

func applicantDocumentRecord(f *admitto.File) any {
	return &applicantDocumentWire{f.ID, f.Uploaded, f.Name, f.MIME, strconv.FormatInt(f.Size, 10), f.Expires,
		wire.LinkTo("/applications/{}", f.Owner)}
}
