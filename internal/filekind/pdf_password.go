package filekind

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5" //nolint:gosec // the format wants it
	"crypto/rc4" //nolint:gosec // the format wants it
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"io"
	"math/big"
	"strconv"
)

// Bounds of what is read of a PDF: its end, its first line, and a dictionary.
const (
	pdfEnd   = 2 << 10
	pdfStart = 1 << 10
	pdfDict  = 64 << 10
)

// hasPassword reports whether a PDF opens with a password only. One that is sealed without a password to open it, such
// as those that may not be printed, opens for everybody. What cannot be read is left to those who show it.
//
// It reads a few windows and inflates nothing. github.com/pdfcpu/pdfcpu tells the same of all files of testdata/pdf,
// but reads what the file points to first: 0.8 MB that somebody sent made it take 2.9 GB and 8 s.
func hasPassword(content io.ReaderAt, size int64) bool {
	trailer := pdfTrailer(content, size)
	sealed := trailer["Encrypt"]
	if ref, is := sealed.(pdfRef); is {
		sealed = pdfObject(content, size, ref)
	}
	dict, is := sealed.(map[string]any)
	if !is {
		return false
	}
	if filter, named := dict["Filter"].(pdfName); named && filter != "Standard" {
		return true // a certificate opens it
	}
	var id []byte
	if list, is := trailer["ID"].([]any); is && len(list) > 0 {
		id, _ = list[0].([]byte)
	}
	return !opensBare(dict, id)
}

// pdfTrailer is the dictionary that the end of the file points to: behind a table, or that of a stream; nil for none.
func pdfTrailer(content io.ReaderAt, size int64) map[string]any {
	mark := []byte("startxref")
	end := window(content, size, max(size-pdfEnd, 0), pdfEnd)
	last := bytes.LastIndex(end, mark)
	if last < 0 {
		return nil
	}
	at, _ := (&pdfReader{text: end[last+len(mark):]}).value(0).(int64)
	// Places count from the first line, before which other bytes may stand.
	at += int64(max(bytes.Index(window(content, size, 0, pdfStart), []byte("%PDF-")), 0))
	if at < 0 || at >= size {
		return nil
	}
	if bytes.HasPrefix(bytes.TrimLeft(window(content, size, at, 16), pdfSpace), []byte("xref")) {
		found := find(content, size, at, "trailer")
		if found < 0 {
			return nil
		}
		at = found + int64(len("trailer"))
	}
	r := &pdfReader{text: window(content, size, at, pdfDict)}
	for range 4 { // number, generation and obj stand before the dictionary of a stream
		if dict, is := r.value(0).(map[string]any); is {
			return dict
		}
	}
	return nil
}

// pdfObject is the last object of that number.
func pdfObject(content io.ReaderAt, size int64, ref pdfRef) any {
	var found any
	head := strconv.FormatInt(ref.number, 10) + " " + strconv.FormatInt(ref.generation, 10) + " obj"
	for at := int64(0); ; {
		place := find(content, size, at, head)
		if place < 0 {
			return found
		}
		at = place + int64(len(head))
		if before := window(content, size, max(place-1, 0), 1); place > 0 && before[0] >= '0' && before[0] <= '9' {
			continue
		}
		if dict, is := (&pdfReader{text: window(content, size, at, pdfDict)}).value(0).(map[string]any); is {
			found = dict
		}
	}
}

// window is a part of the file, shorter at its end.
func window(content io.ReaderAt, size, at, length int64) []byte {
	part := make([]byte, min(length, size-at))
	n, _ := content.ReadAt(part, at)
	return part[:n]
}

// find is where a text stands first from a place on; -1 for nowhere.
func find(content io.ReaderAt, size, from int64, text string) int64 {
	block := make([]byte, 64<<10)
	for at := from; at < size; {
		n, err := content.ReadAt(block[:min(int64(len(block)), size-at)], at)
		if i := bytes.Index(block[:n], []byte(text)); i >= 0 {
			return at + int64(i)
		}
		if n < len(block) || err != nil {
			return -1
		}
		at += int64(n - len(text) + 1)
	}
	return -1
}

// Values of a PDF are int64, []byte for strings, pdfName, pdfRef, []any, map[string]any, bool, and nil for all else.
type (
	pdfName string
	pdfRef  struct{ number, generation int64 }
)

const (
	pdfSpace  = "\x00\t\n\f\r "
	pdfStops  = pdfSpace + "()<>[]{}/%"
	pdfDeep   = 8   // how deep lists and dictionaries may lie in one another
	pdfValues = 256 // of a list or dictionary
)

// pdfReader reads values of a PDF.
type pdfReader struct{ text []byte }

// space skips white space and comments.
func (r *pdfReader) space() {
	for {
		r.text = bytes.TrimLeft(r.text, pdfSpace)
		if len(r.text) == 0 || r.text[0] != '%' {
			return
		}
		end := bytes.IndexAny(r.text, "\r\n")
		if end < 0 {
			end = len(r.text)
		}
		r.text = r.text[end:]
	}
}

// takes skips a text that comes next.
func (r *pdfReader) takes(text string) bool {
	rest, is := bytes.CutPrefix(r.text, []byte(text))
	r.text = rest
	return is
}

// value reads the next value.
func (r *pdfReader) value(depth int) any {
	r.space()
	switch {
	case len(r.text) == 0 || depth > pdfDeep:
		r.text = nil
		return nil
	case r.takes("<<"):
		dict := map[string]any{}
		for range pdfValues {
			if r.space(); r.takes(">>") || len(r.text) == 0 {
				return dict
			}
			name, is := r.value(depth + 1).(pdfName)
			if v := r.value(depth + 1); is {
				dict[string(name)] = v
			}
		}
		return nil
	case r.takes("["):
		var list []any
		for range pdfValues {
			if r.space(); r.takes("]") || len(r.text) == 0 {
				return list
			}
			list = append(list, r.value(depth+1))
		}
		return nil
	case r.takes("("):
		return r.literal()
	case r.takes("<"):
		return r.hex()
	case r.takes("/"):
		return pdfName(r.word())
	}
	return r.number()
}

// word reads up to the next sign that ends one.
func (r *pdfReader) word() string {
	end := bytes.IndexAny(r.text, pdfStops)
	if end < 0 {
		end = len(r.text)
	}
	word := r.text[:end]
	r.text = r.text[end:]
	return string(word)
}

// number reads a number, a reference, or a word that stands for itself.
func (r *pdfReader) number() any {
	word := r.word()
	if word == "" { // a sign that nothing begins with
		r.text = r.text[1:]
		return nil
	}
	if word == "true" || word == "false" {
		return word == "true"
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return nil
	}
	rest := r.text
	r.space()
	if g, err := strconv.ParseInt(r.word(), 10, 64); err == nil {
		if r.space(); r.word() == "R" {
			return pdfRef{n, g}
		}
	}
	r.text = rest
	return n
}

// hex reads a string in hexadecimal digits.
func (r *pdfReader) hex() []byte {
	var out []byte
	digits := 0
	for i, c := range r.text {
		v, err := strconv.ParseUint(string(rune(c)), 16, 8)
		switch {
		case c == '>':
			r.text = r.text[i+1:]
			return out
		case err != nil:
		case digits%2 == 0:
			out, digits = append(out, byte(v)<<4), digits+1
		default:
			out[len(out)-1], digits = out[len(out)-1]|byte(v), digits+1
		}
	}
	r.text = nil
	return out
}

// literal reads a string in brackets.
func (r *pdfReader) literal() []byte {
	var out []byte
	escapes := map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}
	for i, open := 0, 1; i < len(r.text); i++ {
		c := r.text[i]
		switch {
		case c == '\\' && i+1 < len(r.text):
			i++
			c = r.text[i]
			if code, known := escapes[c]; known {
				out = append(out, code)
				continue
			}
			if c >= '0' && c <= '7' {
				code := 0
				for n := 0; n < 3 && i < len(r.text) && r.text[i] >= '0' && r.text[i] <= '7'; n++ {
					code = code*8 + int(r.text[i]-'0')
					i++
				}
				i--
				out = append(out, byte(code)) //nolint:gosec // what is too large loses its first bit, as the format says
				continue
			}
			if c == '\r' && i+1 < len(r.text) && r.text[i+1] == '\n' {
				i++
			}
			if c == '\r' || c == '\n' { // the line goes on
				continue
			}
		case c == '(':
			open++
		case c == ')':
			if open--; open == 0 {
				r.text = r.text[i+1:]
				return out
			}
		}
		out = append(out, c)
	}
	r.text = nil
	return out
}

// pdfPad fills a password up.
var pdfPad = []byte("\x28\xbf\x4e\x5e\x4e\x75\x8a\x41\x64\x00\x4e\x56\xff\xfa\x01\x08" +
	"\x2e\x2e\x00\xb6\xd0\x68\x3e\x80\x2f\x0c\xa9\xfe\x64\x53\x69\x7a")

// opensBare reports whether the password to open a file is the empty one (ISO 32000-2, 7.6.4). What is said in another
// way than the format knows counts as open.
func opensBare(dict map[string]any, id []byte) bool {
	whole := func(name string) int64 { n, _ := dict[name].(int64); return n }
	user, _ := dict["U"].([]byte)
	owner, _ := dict["O"].([]byte)
	revision := whole("R")
	switch {
	case revision >= 5 && revision <= 6 && len(user) >= 48:
		sum := sha256.Sum256(user[32:40])
		if revision == 6 {
			return bytes.Equal(hardened(sum[:]), user[:32])
		}
		return bytes.Equal(sum[:], user[:32])
	case revision < 2 || revision > 4 || len(user) < 32 || len(owner) < 32:
		return true
	}
	length := 5
	if bits := whole("Length"); revision > 2 && bits >= 40 && bits <= 128 {
		length = int(bits / 8)
	} else if revision == 4 {
		length = 16
	}
	sum := md5.New() //nolint:gosec // the format wants it
	sum.Write(pdfPad)
	sum.Write(owner[:32])
	sum.Write(binary.LittleEndian.AppendUint32(nil, uint32(whole("P")))) //nolint:gosec // the lower half of it
	sum.Write(id)
	if plain, said := dict["EncryptMetadata"].(bool); revision == 4 && said && !plain {
		sum.Write([]byte("\xff\xff\xff\xff"))
	}
	key := sum.Sum(nil)[:length]
	if revision == 2 {
		return bytes.Equal(turned(key, 0, pdfPad), user[:32])
	}
	for range 50 {
		next := md5.Sum(key) //nolint:gosec // the format wants it
		key = next[:length]
	}
	first := md5.Sum(append(bytes.Clone(pdfPad), id...)) //nolint:gosec // the format wants it
	proof := first[:]
	for n := range 20 {
		proof = turned(key, byte(n), proof) //nolint:gosec // below 20
	}
	return bytes.Equal(proof, user[:16])
}

// turned ciphers a text with a key of which every byte is changed by n.
func turned(key []byte, n byte, text []byte) []byte {
	changed := bytes.Clone(key)
	for i := range changed {
		changed[i] ^= n
	}
	out := make([]byte, len(text))
	stream, err := rc4.NewCipher(changed) //nolint:gosec // the format wants it
	if err != nil {
		return nil
	}
	stream.XORKeyStream(out, text)
	return out
}

// hardened is the slow hash of the empty password (algorithm 2.B).
func hardened(key []byte) []byte {
	for round := 0; ; round++ {
		block, err := aes.NewCipher(key[:16])
		if err != nil {
			return nil
		}
		text := bytes.Repeat(key, 64)
		cipher.NewCBCEncrypter(block, key[16:32]).CryptBlocks(text, text)
		switch new(big.Int).Mod(new(big.Int).SetBytes(text[:16]), big.NewInt(3)).Int64() {
		case 0:
			sum := sha256.Sum256(text)
			key = sum[:]
		case 1:
			sum := sha512.Sum384(text)
			key = sum[:]
		default:
			sum := sha512.Sum512(text)
			key = sum[:]
		}
		if round >= 63 && int(text[len(text)-1]) <= round-31 {
			return key[:32]
		}
	}
}
