package admitto

import "strconv"

// File is what is known of a stored file (resources.md 0.7). Hash is the SHA-256 of its bytes in hexadecimal
// digits; the bytes are in the blob store under it.
type File struct {
	ID                int64
	Owner             int64 // the application, offer, e-mail or applicant it belongs to
	Uploaded, Expires Time
	Name, MIME        string
	Size              int64
	Hash              string
}

// Blob is a downloadable file of an export. The ID of the file is its number in the export, from 1; the owner
// is the export.
type Blob struct {
	File
	Token string // 16 hexadecimal digits
}

// Key is the name of a blob in its export, 1-5f3c9a2be1d04477 (resources.md 9).
func (b *Blob) Key() string { return strconv.FormatInt(b.ID, 10) + "-" + b.Token }
