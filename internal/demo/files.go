package demo

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// Files takes the bytes of files under the hash of their bytes (SHA-256, hexadecimal digits). The same file
// may be put more than once.
type Files interface {
	PutFile(ctx context.Context, hash string, data []byte) error
}

// fileKind is what a file is.
type fileKind int

const (
	fileIdentity fileKind = iota
	fileTranscript
	fileDiploma
	fileLanguage
	fileMotivation
	fileReceipt
	filePhoto
	fileLetter
	fileInvoice
	fileExportJSON
	fileExportPDF
	fileExportZIP
	fileExportXML
	fileExportCSV
	fileKinds int = iota
)

// ownFiles is how many people have a file of a kind with their own name in it; everybody after them has one of
// those, so that a hundred thousand applicants do not need as many files.
const ownFiles = 60

// fileForms say what files of a kind are: name, media type and the function that makes one.
var fileForms = [...]struct {
	name, mime string
	make       func(c chance, title, name string) []byte
}{
	fileIdentity:   {"Passport.jpg", "image/jpeg", scan},
	fileTranscript: {"Transcript of records.pdf", "application/pdf", document},
	fileDiploma:    {"Diploma.pdf", "application/pdf", document},
	fileLanguage:   {"Language certificate.pdf", "application/pdf", document},
	fileMotivation: {"Motivation.txt", "text/plain", letterText},
	fileReceipt:    {"Receipt.png", "image/png", receipt},
	filePhoto:      {"photo.jpg", "image/jpeg", portrait},
	fileLetter:     {"Letter.pdf", "application/pdf", document},
	fileInvoice:    {"Invoice.pdf", "application/pdf", document},
	fileExportJSON: {"application.json", "application/json", exportJSON},
	fileExportPDF:  {"application.pdf", "application/pdf", document},
	fileExportZIP:  {"documents.zip", "application/zip", archive},
	fileExportXML:  {"application.xml", "application/xml", exportXML},
	fileExportCSV:  {"application.csv", "text/csv", exportCSV},
}

// filePool holds what is known of the files made so far, and those that are not stored yet.
type filePool struct {
	kept [fileKinds][]admitto.File
	made []madeFile
}

type madeFile struct {
	hash string
	data []byte
}

// file returns a file of the kind: one with the name in it as long as few were made, else one made before.
func (w *world) file(kind fileKind, name string) admitto.File {
	pool := &w.files
	if list := pool.kept[kind]; len(list) >= ownFiles {
		return list[w.chance.IntN(len(list))]
	}
	form := &fileForms[kind]
	data := form.make(w.chance, strings.TrimSuffix(form.name, ".pdf"), name)
	sum := sha256.Sum256(data)
	f := admitto.File{Name: form.name, MIME: form.mime, Size: int64(len(data)), Hash: hex.EncodeToString(sum[:])}
	pool.kept[kind] = append(pool.kept[kind], f)
	pool.made = append(pool.made, madeFile{f.Hash, data})
	return f
}

// document is a PDF of one page with a title and a name, by the letter of ISO 32000 with the standard font
// Helvetica, which knows the letters of Western Europe.
func document(c chance, title, name string) []byte {
	lines := []string{title, "", name, "", "Issued by " + institution + " for demonstration", "No. " + c.digits(8)}
	var page bytes.Buffer
	page.WriteString("BT /F1 18 Tf 72 760 Td 24 TL\n")
	for _, l := range lines {
		fmt.Fprintf(&page, "(%s) Tj T*\n", pdfText(l))
	}
	page.WriteString("ET\n")
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", page.Len(), page.String()),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, xref)
	return b.Bytes()
}

// pdfText writes a text in Latin 1 with the three escapes of strings; other letters lose their marks.
func pdfText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(r))
		case r < 0x80 || r >= 0xa0 && r < 0x100:
			b.WriteByte(byte(r))
		default:
			plain := latin.Replace(string(r))
			if plain == string(r) {
				plain = "?"
			}
			b.WriteString(plain)
		}
	}
	return b.String()
}

// portrait is a picture of 90 by 120 points: a head before a wall.
func portrait(c chance, _, _ string) []byte {
	wall := color.RGBA{uint8(c.between(150, 230)), uint8(c.between(150, 230)), uint8(c.between(160, 240)), 255}
	skin := color.RGBA{uint8(c.between(120, 235)), uint8(c.between(90, 190)), uint8(c.between(70, 160)), 255}
	shirt := color.RGBA{uint8(c.IntN(200)), uint8(c.IntN(200)), uint8(c.IntN(200)), 255}
	m := image.NewRGBA(image.Rect(0, 0, 90, 120))
	for y := range 120 {
		for x := range 90 {
			dx, dy := x-45, y-48
			at := wall
			switch {
			case dx*dx*4+dy*dy*2 < 3200:
				at = skin
			case y > 86 && dx*dx < 40*40-(120-y)*8:
				at = shirt
			}
			m.SetRGBA(x, y, at)
		}
	}
	return encodeJPEG(m)
}

// scan is a picture of a document: grey lines on paper.
func scan(c chance, _, _ string) []byte {
	m := image.NewGray(image.Rect(0, 0, 160, 112))
	paper := uint8(c.between(215, 250))
	for y := range 112 {
		width := 40 + c.IntN(100)
		for x := range 160 {
			v := paper
			if y%9 < 3 && x > 50 && x < width+10 || x > 8 && x < 42 && y > 16 && y < 64 {
				v = 90
			}
			m.SetGray(x, y, color.Gray{Y: v})
		}
	}
	return encodeJPEG(m)
}

func encodeJPEG(m image.Image) []byte {
	var b bytes.Buffer
	_ = jpeg.Encode(&b, m, &jpeg.Options{Quality: 70}) // a buffer takes everything
	return b.Bytes()
}

// receipt is a picture of a bank's receipt.
func receipt(c chance, _, _ string) []byte {
	m := image.NewGray(image.Rect(0, 0, 120, 160))
	for y := range 160 {
		end := 20 + c.IntN(90)
		for x := range 120 {
			v := uint8(255)
			if y%10 < 4 && x > 10 && x < end {
				v = 60
			}
			m.SetGray(x, y, color.Gray{Y: v})
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, m) // a buffer takes everything
	return b.Bytes()
}

func letterText(c chance, _, name string) []byte {
	return []byte("Motivation letter\n\n" + motivation(c, "the course") + "\n\n" + name + "\n")
}

func exportJSON(c chance, _, name string) []byte {
	return fmt.Appendf(nil, "{\"name\":%q,\"number\":%q,\"institution\":%q}\n", name, c.digits(8), institution)
}

func exportXML(c chance, _, name string) []byte {
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(name)
	return fmt.Appendf(nil,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<application><name>%s</name><number>%s</number></application>\n",
		escaped, c.digits(8))
}

func exportCSV(c chance, _, name string) []byte {
	return fmt.Appendf(nil, "name,number\r\n\"%s\",%s\r\n", strings.ReplaceAll(name, `"`, `""`), c.digits(8))
}

// archive is a zip of a transcript and a diploma.
func archive(c chance, _, name string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, title := range []string{"Transcript of records", "Diploma"} {
		f, err := z.Create(title + ".pdf")
		if err == nil {
			_, _ = f.Write(document(c, title, name)) // a buffer takes everything
		}
	}
	_ = z.Close()
	return b.Bytes()
}
