package demo_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/demo"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// folder keeps files in memory.
type folder map[string][]byte

func (f folder) PutFile(_ context.Context, hash string, data []byte) error {
	f[hash] = bytes.Clone(data)
	return nil
}

// TestFilesAreReal puts the files aside and checks that all that the rows name are there and are what they say.
func TestFilesAreReal(t *testing.T) {
	s := open(t, seeded.File(t), db.Options{})
	files := folder{}
	if err := demo.Fill(t.Context(), s, demo.Options{Day: made(), Applicants: 800, Seed: 4, Files: files}); err != nil {
		t.Fatal(err)
	}
	if len(files) < 200 || len(files) > 1000 {
		t.Errorf("%d different files, want some hundred", len(files))
	}
	for hash, data := range files {
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != hash {
			t.Errorf("a file is not what its hash says: %s", hash)
		}
	}
	for table, mime := range map[string]string{"document": "mime", "offer_attachment": "mime", "email_attachment": "mime",
		"export_blob":     "mime",
		"applicant_photo": "'image/jpeg'"} {
		read(t, s, func(tx *store.Tx) error {
			rows := sqltest.In(tx).Query("SELECT DISTINCT hash, size, " + mime + " FROM " + table)
			for rows.Next() {
				data, there := files[rows.Text(0)]
				if !there || int64(len(data)) != rows.Int64(1) {
					t.Errorf("%s: the file %s is missing or of another size", table, rows.Text(0))
				}
				kind := http.DetectContentType(data)
				if textual := strings.HasPrefix(kind, "text/"); !textual && kind != rows.Text(2) || textual &&
					rows.Text(2) == "application/pdf" {
					t.Errorf("%s: %s is said to be %s", table, kind, rows.Text(2))
				}
			}
			return rows.Close()
		})
	}
}
