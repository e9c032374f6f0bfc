package filekind

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
)

// The records of a zip archive, by their signatures, and the bytes of each that do not vary.
const (
	zipLocal     = 0x04034b50
	zipEntryMark = 0x02014b50
	zipEnd       = 0x06054b50
	zipEnd64     = 0x06064b50
	zipLocator64 = 0x07064b50

	zipLocalSize     = 30
	zipEntrySize     = 46
	zipEndSize       = 22
	zipEnd64Size     = 56
	zipLocator64Size = 20
)

var errZip = errors.New("the archive has no directory that can be read")

// zipDirectory is the directory of an archive, which is at its end. It is walked entry by entry, as archive/zip would
// keep all of them: an archive that is all directory takes three times its size there.
type zipDirectory struct {
	content io.ReaderAt
	size    int64
	base    int64 // of all places, when something stands before the archive
	at      int64 // where the directory begins
	entries uint64
}

// zipEntry is one entry of the directory. The name is valid until the next.
type zipEntry struct {
	name           []byte
	method         uint16
	sum            uint32
	packed, header int64 // the length of the content as it is stored, and where what stands before it begins
}

// openZip finds the directory of an archive.
func openZip(content io.ReaderAt, size int64) (*zipDirectory, error) {
	z := &zipDirectory{content: content, size: size}
	end, at, err := z.findEnd()
	if err != nil {
		return nil, err
	}
	little := binary.LittleEndian
	entries, length, begin := uint64(little.Uint16(end[10:])), uint64(little.Uint32(end[12:])),
		uint64(little.Uint32(end[16:]))
	if entries == math.MaxUint16 || length == math.MaxUint32 || begin == math.MaxUint32 {
		if found, large, err := z.findEnd64(at); err != nil {
			return nil, err
		} else if large != nil {
			at, entries, length, begin = found, little.Uint64(large[32:]), little.Uint64(large[40:]), little.Uint64(large[48:])
		}
	}
	if length > uint64(at) || begin > math.MaxInt64 {
		return nil, errZip
	}
	z.entries, z.base = entries, at-int64(length)-int64(begin)
	if z.base > 0 && z.hasEntry(int64(begin)) {
		z.base = 0 // something stands between the directory and its end
	}
	if z.at = z.base + int64(begin); z.at >= size {
		return nil, errZip
	}
	return z, nil
}

// findEnd finds the record that ends the archive: behind it is a comment of the length that it says.
func (z *zipDirectory) findEnd() (record []byte, at int64, err error) {
	tail := make([]byte, min(z.size, zipEndSize+math.MaxUint16))
	if err := z.read(tail, z.size-int64(len(tail))); err != nil {
		return nil, 0, err
	}
	mark := binary.LittleEndian.AppendUint32(nil, zipEnd)
	for i := bytes.LastIndex(tail, mark); i >= 0; i = bytes.LastIndex(tail[:i+len(mark)-1], mark) {
		if i+zipEndSize > len(tail) {
			continue
		}
		if i+zipEndSize+int(binary.LittleEndian.Uint16(tail[i+20:])) > len(tail) {
			return nil, 0, errZip // what it says to be behind it is not
		}
		return tail[i : i+zipEndSize], z.size - int64(len(tail)-i), nil
	}
	return nil, 0, errZip
}

// findEnd64 finds the record of a large archive by the locator before its end; nil when there is none.
func (z *zipDirectory) findEnd64(end int64) (at int64, record []byte, err error) {
	if end < zipLocator64Size || !z.isAt(end-zipLocator64Size, zipLocator64) {
		return 0, nil, nil
	}
	locator := make([]byte, zipLocator64Size)
	if err := z.read(locator, end-zipLocator64Size); err != nil {
		return 0, nil, err
	}
	if little := binary.LittleEndian; little.Uint32(locator[4:]) != 0 || little.Uint32(locator[16:]) != 1 {
		return 0, nil, nil // of several disks
	}
	where := binary.LittleEndian.Uint64(locator[8:])
	if where > uint64(z.size) || !z.isAt(int64(where), zipEnd64) {
		return 0, nil, errZip
	}
	record = make([]byte, zipEnd64Size)
	return int64(where), record, z.read(record, int64(where))
}

// read fills the buffer from a place in the file.
func (z *zipDirectory) read(into []byte, at int64) error {
	if at < 0 || at+int64(len(into)) > z.size {
		return errZip
	}
	_, err := io.ReadFull(io.NewSectionReader(z.content, at, int64(len(into))), into)
	return err
}

func (z *zipDirectory) isAt(at int64, mark uint32) bool {
	var found [4]byte
	return z.read(found[:], at) == nil && binary.LittleEndian.Uint32(found[:]) == mark
}

// hasEntry reports whether a whole entry stands at a place.
func (z *zipDirectory) hasEntry(at int64) bool {
	head := make([]byte, zipEntrySize)
	if !z.isAt(at, zipEntryMark) || z.read(head, at) != nil {
		return false
	}
	return at+zipEntrySize+restOfEntry(head) <= z.size
}

// restOfEntry is the length of the name, the extra fields and the comment of an entry.
func restOfEntry(head []byte) int64 {
	little := binary.LittleEndian
	return int64(little.Uint16(head[28:])) + int64(little.Uint16(head[30:])) + int64(little.Uint16(head[32:]))
}

// each calls fn for every entry, which must be as many as the end of the archive says.
func (z *zipDirectory) each(fn func(*zipEntry)) error {
	r := bufio.NewReaderSize(io.NewSectionReader(z.content, z.at, z.size-z.at), 32<<10)
	name, head := make([]byte, math.MaxUint16), make([]byte, zipEntrySize)
	little := binary.LittleEndian
	n, at := uint64(0), z.at
	var e zipEntry
	for ; ; n++ {
		_, err := io.ReadFull(r, head)
		if err == io.EOF {
			return errZip // the end of the archive is not behind its directory
		}
		if err != nil || little.Uint32(head) != zipEntryMark {
			break
		}
		if at += zipEntrySize + restOfEntry(head); at > z.size {
			break
		}
		e = zipEntry{name: name[:little.Uint16(head[28:])], method: little.Uint16(head[10:]), sum: little.Uint32(head[16:]),
			packed: int64(little.Uint32(head[20:])), header: int64(little.Uint32(head[42:]))}
		if _, err = io.ReadFull(r, e.name); err == nil {
			_, err = r.Discard(int(little.Uint16(head[30:])) + int(little.Uint16(head[32:])))
		}
		if err != nil {
			return err
		}
		fn(&e)
	}
	if uint16(n) != uint16(z.entries) { // more than fit into 16 bits may be said with those
		return errZip
	}
	return nil
}

// short returns the content of an entry when it has at most so many bytes, else its beginning; "" when it cannot be
// read.
func (z *zipDirectory) short(e *zipEntry, most int64) string {
	head := make([]byte, zipLocalSize)
	if !z.isAt(z.base+e.header, zipLocal) || z.read(head, z.base+e.header) != nil {
		return ""
	}
	at := z.base + e.header + zipLocalSize + int64(binary.LittleEndian.Uint16(head[26:])) +
		int64(binary.LittleEndian.Uint16(head[28:]))
	var r io.Reader = io.NewSectionReader(z.content, at, e.packed)
	switch e.method {
	case 0:
	case 8:
		r = flate.NewReader(r)
	default:
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil || int64(len(text)) < most && crc32.ChecksumIEEE(text) != e.sum {
		return ""
	}
	return string(text)
}
