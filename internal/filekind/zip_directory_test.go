package filekind

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// zipped is an archive with these entries, each of a name and its content.
func zipped(t testing.TB, method uint16, entries ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e[0], Method: method})
		if err == nil {
			_, err = f.Write([]byte(e[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// allDirectory is an archive of n entries that share one content.
func allDirectory(n int, name string) []byte {
	little := binary.LittleEndian
	local := make([]byte, zipLocalSize)
	little.PutUint32(local, zipLocal)
	list := bytes.Clone(local)
	entry := make([]byte, zipEntrySize)
	little.PutUint32(entry, zipEntryMark)
	little.PutUint16(entry[28:], uint16(len(name)))
	entry = append(entry, name...)
	for range n {
		list = append(list, entry...)
	}
	end := make([]byte, zipEndSize)
	little.PutUint32(end, zipEnd)
	little.PutUint16(end[10:], uint16(n))
	little.PutUint32(end[12:], uint32(n*len(entry)))
	little.PutUint32(end[16:], zipLocalSize)
	return append(list, end...)
}

// changed returns a copy in which the bytes from a place on are others; a place below zero counts from the end.
func changed(content []byte, at int, other ...byte) []byte {
	content = bytes.Clone(content)
	if at < 0 {
		at += len(content)
	}
	copy(content[at:], other)
	return content
}

// What is no archive, or is broken, is none of the kinds.
func TestZipKind(t *testing.T) {
	word := zipped(t, zip.Deflate, [2]string{"[Content_Types].xml", "<x/>"}, [2]string{"word/document.xml", "<x/>"})
	odf := zipped(t, zip.Store, [2]string{"mimetype", TextODF}, [2]string{"content.xml", "<x/>"})
	for name, c := range map[string]struct {
		content []byte
		kind    string
	}{
		"Word":                 {word, WordXML},
		"OpenDocument":         {odf, TextODF},
		"OpenDocument, packed": {zipped(t, zip.Deflate, [2]string{"mimetype", TextODF + "\n"}), TextODF},
		"OpenDocument, long": {zipped(t, zip.Deflate, [2]string{"mimetype", TextODF + strings.Repeat("x", 1<<20)}),
			""},
		"OpenDocument, changed": {bytes.Replace(odf, []byte("opendocument.text"), []byte("opendocument.Text"), 1), ""},
		"OpenDocument, other bytes": {bytes.Replace(odf, []byte("mimetypeapplication"), []byte("mimetypeapplicatioN"), 1),
			""},
		"Excel":      {zipped(t, zip.Store, [2]string{"xl/workbook.xml", ""}), SheetXML},
		"PowerPoint": {zipped(t, zip.Store, [2]string{"ppt/presentation.xml", ""}), SlidesXML},
		"both": {zipped(t, zip.Store, [2]string{"mimetype", TextODF},
			[2]string{"ppt/presentation.xml", ""}), SlidesXML},
		"programs": {zipped(t, zip.Store, [2]string{"word/document.xml", ""},
			[2]string{"word/VBAPROJECT.BIN", ""}), ""},
		"programs at the top": {zipped(t, zip.Store, [2]string{"vbaProject.bin", ""},
			[2]string{"word/document.xml", ""}), ""},
		"programs of OpenDocument": {zipped(t, zip.Store, [2]string{"mimetype", TextODF},
			[2]string{"Basic/script.xml", ""}), ""},
		"another archive":             {zipped(t, zip.Store, [2]string{"a", ""}), ""},
		"no entries":                  {zipped(t, zip.Store), ""},
		"something before":            {append([]byte("#!/bin/sh\n"), word...), WordXML},
		"something behind":            {append(bytes.Clone(word), "more"...), WordXML},
		"no end":                      {word[:len(word)-1], ""},
		"an end alone":                {word[len(word)-zipEndSize:], ""},
		"a comment that is not there": {changed(word, -2, 1), ""},
		"too few entries":             {changed(word, -12, 3), ""},
		"a directory elsewhere": {changed(word, -6, 0xff, 0xff, 0xff, 0x7f),
			WordXML}, // found by its length from the end
		"a directory too long": {changed(word, -10, 0xff, 0xff, 0xff, 0x7f), ""},
		"a name too long":      {bytes.Replace(word, []byte("PK\x01\x02"), []byte("PK\x01\x03"), 1), ""},
		"70,000 entries": {zipped(t, zip.Store, slices.Concat(slices.Repeat([][2]string{{"x", ""}}, 70_000),
			[][2]string{{"word/document.xml", ""}})...), WordXML},
		"nothing": {nil, ""},
	} {
		if kind := zipKind(bytes.NewReader(c.content), int64(len(c.content))); kind != c.kind {
			t.Errorf("%s: %q, want %q", name, kind, c.kind)
		}
	}
}

// An archive of 10 MB that is all directory takes as much memory as one of a few entries, whatever their names are.
func TestZipThatIsAllDirectory(t *testing.T) {
	for _, name := range []string{"", "x", "mimetype", "word/document.xml", strings.Repeat("x", 60_000)} {
		content := allDirectory((10<<20)/(zipEntrySize+len(name)), name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		kind := zipKind(bytes.NewReader(content), int64(len(content)))
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 ||
			(kind == WordXML) != strings.HasPrefix(name, "word") {
			t.Errorf("%.20q: %d bytes of memory, %q", name, grown, kind)
		}
	}
}

// FuzzZipDirectory: what the standard library reads of an archive is what is read here.
func FuzzZipDirectory(f *testing.F) {
	word := zipped(f, zip.Deflate, [2]string{"mimetype", TextODF}, [2]string{"word/document.xml", "<x/>"})
	for _, seed := range [][]byte{nil, word, append([]byte("before"), word...), append(bytes.Clone(word), "behind"...),
		word[:len(word)-1], zipped(f, zip.Store), allDirectory(3, "mimetype"),
		changed(word, -12, 9), changed(word, -6, 0xff, 0xff, 0xff, 0xff), changed(word, -2, 0xff)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		var got, want []string
		archive, err := openZip(bytes.NewReader(content), int64(len(content)))
		if err == nil {
			err = archive.each(func(e *zipEntry) {
				got = append(got, string(e.name))
				archive.short(e, 128)
			})
		}
		other, otherErr := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if otherErr != nil || err != nil {
			if otherErr == nil {
				t.Fatalf("%v: %q", err, content)
			}
			return
		}
		for _, file := range other.File {
			want = append(want, file.Name)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
