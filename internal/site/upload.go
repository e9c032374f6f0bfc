package site

import (
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/disk"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/ui"
)

// Bounds of the files of a form, each of which may have accounts.Service.MostFileBytes.
const (
	mostFiles    = 10
	mostFileName = 200
	mostEnding   = 20 // of the name, which stays when the name is cut
)

// File is a file of a form: one that was sent with it, or one that was kept of it before.
type File struct {
	accounts.KeptFile
	r    *Request
	sent *disk.Scratch // nil for one that was kept
	sum  [32]byte      // of what was sent
}

// Bytes are what is in a file, until it is closed.
type Bytes interface {
	io.ReaderAt
	io.Closer
}

// stays is the content of a file that lasts as long as the request.
type stays struct{ io.ReaderAt }

func (stays) Close() error { return nil }

// Open opens the file. One that is larger than it may be is empty: who takes it looks at its Size first.
func (f *File) Open() (Bytes, error) {
	if f.sent != nil {
		return stays{f.sent}, nil
	}
	scratch, err := disk.NewScratch("", "admitto-form-*")
	if err != nil {
		return nil, noRoom(err)
	}
	err = f.r.site.Accounts.CopyFile(f.r.Context(), f.r.site.Area, f.r.Person.Account, &f.KeptFile, scratch)
	if err != nil {
		return nil, errors.Join(noRoom(err), scratch.Close())
	}
	return scratch, nil
}

// Bytes reads the file into memory: of one with more bytes than most, most and one more. Errors: too-large for one with
// more than any file of a form may have.
func (f *File) Bytes(most int64) ([]byte, error) {
	if all := f.r.site.Accounts.MostFileBytes(); f.Size > all {
		return nil, admitto.Refused(admitto.TooLarge, message.Of("file-too-large", all))
	}
	content, err := f.Open()
	if err != nil {
		return nil, err
	}
	bytes := make([]byte, min(f.Size, most+1))
	_, err = io.ReadFull(io.NewSectionReader(content, 0, f.Size), bytes)
	return bytes, errors.Join(err, content.Close())
}

// noRoom is the error for a file that the folder for temporary files did not take.
func noRoom(err error) error {
	var full *os.PathError
	if !errors.As(err, &full) {
		return err
	}
	return admitto.Refused(admitto.Unavailable, message.Of("no-room-for-files")).Because(err)
}

// readParts reads a form with files. Files are read for a form of ours only: its stamp is the first field.
func (r *Request) readParts(body io.Reader, boundary string) (err error) {
	isOurs := func(text string) bool {
		stamp, ok := r.site.openStamp(text)
		return ok && stamp.account != 0
	}
	r.typed, r.files, r.tooMany, err = parseParts(body, boundary, r.site.Accounts.MostFileBytes(), isOurs)
	if err == nil && r.tooMany != nil && !r.current.Several {
		err = errTooLarge
	}
	for _, f := range r.files {
		f.r = r
	}
	return err
}

// closeFiles removes what was sent with the form.
func (r *Request) closeFiles() {
	for _, f := range slices.Concat(r.files, r.done) {
		f.sent.Close() //nolint:errcheck // it has no name
	}
}

// parseParts reads the fields and files of a form, whose bytes wait in files without a name; isOurs is asked for the
// stamp before the first file. A field that no file was chosen in has none. Of a file with more bytes than most only
// the size is known. The files are there with an error, too. Those after mostFiles are read past.
func parseParts(body io.Reader, boundary string, most int64, isOurs func(stamp string) bool) (values url.Values,
	files []*File, tooMany []accounts.KeptFile, err error) {
	values, fieldBytes := url.Values{}, 0
	parts := multipart.NewReader(body, boundary)
	for n := 0; ; n++ {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, files, nil, unread(err)
		}
		name := part.FormName()
		if name == "" || name != readable(name) || len(name) > 1000 {
			return nil, files, nil, errMalformed
		}
		if n >= mostFields {
			return nil, files, nil, errTooLarge
		}
		file, isFile := fileName(part)
		if !isFile {
			content, err := io.ReadAll(io.LimitReader(part, int64(mostBytes-fieldBytes)+1))
			if err != nil {
				return nil, files, nil, unread(err)
			}
			if fieldBytes += len(content); fieldBytes > mostBytes {
				return nil, files, nil, errTooLarge
			}
			values.Add(name, readable(string(content)))
			continue
		}
		if !isOurs(values.Get(fieldStamp)) {
			return nil, files, nil, errMalformed
		}
		about := accounts.KeptFile{Field: name, Name: file,
			Type: shortened(readable(part.Header.Get("Content-Type")), 100)}
		if len(files) >= mostFiles {
			if _, err := io.Copy(io.Discard, part); err != nil {
				return nil, files, nil, unread(err)
			}
			tooMany = append(tooMany, about)
			continue
		}
		sent := &File{KeptFile: about}
		if sent.sent, err = disk.NewScratch("", "admitto-form-*"); err != nil {
			return nil, files, nil, noRoom(err)
		}
		files = append(files, sent)
		if err := sent.receive(part, most); err != nil {
			return nil, files, nil, unread(err)
		}
		if file == "" && sent.Size == 0 { // none was chosen
			sent.sent.Close() //nolint:errcheck // it has no name
			files = files[:len(files)-1]
		}
	}
	settle(values)
	return values, files, tooMany, nil
}

// receive reads the bytes of a file. Of one with more than most nothing is kept.
func (f *File) receive(part io.Reader, most int64) error {
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(f.sent, sum), io.LimitReader(part, most+1))
	if err == nil && size > most {
		var rest int64
		rest, err = io.Copy(io.Discard, part)
		size += rest
		err = errors.Join(err, f.sent.Truncate(0))
	}
	f.Size, f.Arrived, f.sum = size, size, [32]byte(sum.Sum(nil))
	return err
}

// unread is why a form was not read to its end.
func unread(err error) error {
	if isTooLarge(err) {
		return errTooLarge
	}
	if failed := noRoom(err); admitto.KindOf(failed) == admitto.Unavailable {
		return failed
	}
	return errMalformed
}

// fileName is the name of a file without the folder that some browsers send; is is false for a field that is none.
func fileName(part *multipart.Part) (name string, is bool) {
	_, parameters, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	_, is = parameters["filename"]
	return plainName(asTyped.Replace(part.FileName())), is && err == nil
}

// asTyped takes back how browsers write names of files in forms.
var asTyped = strings.NewReplacer("%22", `"`, "%0D", " ", "%0A", " ")

// plainName is the name of a file without folders and what cannot be shown.
func plainName(name string) string {
	name = strings.ReplaceAll(readable(name), "\n", " ")
	if name = path.Base(strings.ReplaceAll(name, `\`, "/")); name == "." || name == "/" {
		name = ""
	}
	ending := path.Ext(name)
	if len(name) <= mostFileName || len(ending) > mostEnding {
		return shortened(name, mostFileName)
	}
	return shortened(strings.TrimSuffix(name, ending), mostFileName-len(ending)) + ending
}

// keepFiles keeps the files that were sent with a form, for its account: each in the place of what was kept of its
// field, or next to it where the route says that its fields take several.
func (r *Request) keepFiles() error {
	if r.stamp.account == 0 || len(r.files) == 0 {
		return nil
	}
	a, area := r.site.Accounts, r.site.Area
	if !r.current.Several {
		kept, err := a.KeptFiles(r.Context(), area, r.stamp.account, r.stamp.path)
		if err != nil {
			return err
		}
		for i := range kept {
			if slices.ContainsFunc(r.files, func(f *File) bool { return f.Field == kept[i].Field }) {
				if err := a.DropKeptFile(r.Context(), area, r.stamp.account, &kept[i]); err != nil {
					return err
				}
			}
		}
	}
	for _, f := range r.files {
		if f.Size > a.MostFileBytes() {
			continue // nobody would take it later
		}
		begun, err := a.BeginFile(r.Context(), area, r.stamp.account, r.stamp.path, f.KeptFile, true)
		if err != nil {
			return err
		}
		_, err = a.AddToFile(r.Context(), area, r.stamp.account, begun, io.NewSectionReader(f.sent, 0, f.Size))
		if err != nil {
			return err
		}
	}
	return nil
}

// KeepFiles keeps the files that were sent, for the next page of the same form, until it is taken or forgotten.
func (f *Form) KeepFiles() error { return f.r.keepFiles() }

// discardFile forgets a file that was kept, by its ID or its field, and leads back to the form with all that was typed.
func (r *Request) discardFile() error {
	if r.stamp.account == 0 || r.stamp.account != r.Person.Account {
		return errOtherAccount
	}
	which := r.typed.Get(fieldDiscard)
	r.typed.Del(fieldDiscard)
	if err := r.keepTyped(); err != nil {
		return err
	}
	kept, err := r.site.Accounts.KeptFiles(r.Context(), r.site.Area, r.stamp.account, r.stamp.path)
	if err != nil {
		return err
	}
	for i := range kept {
		if kept[i].ID == which || kept[i].Field == which {
			if err := r.site.Accounts.DropKeptFile(r.Context(), r.site.Area, r.stamp.account, &kept[i]); err != nil {
				return err
			}
		}
	}
	r.Notify(ui.OK, r.T("form.file_removed"))
	return r.Redirect(r.stamp.path)
}

// File is the file in a field: the one that was sent, or the last one that was kept of the form when it could not be
// saved; nil for none.
func (f *Form) File(name string) (*File, error) {
	if sent := f.SentFile(name); sent != nil {
		return sent, nil
	}
	list, err := f.Files(name)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[len(list)-1], nil
}

// SentFile is the file in a field that was sent with this form; nil for none, and for one that was kept before.
func (f *Form) SentFile(name string) *File {
	for _, file := range f.r.files {
		if file.Field == name {
			return file
		}
	}
	return nil
}

// Files are the files in a field that takes several: those that were kept, and after them those that were sent. It
// says of those that were too many that they are not taken.
func (f *Form) Files(name string) (list []*File, err error) {
	var over []string
	for _, file := range f.r.tooMany {
		if file.Field == name {
			over = append(over, file.Name)
		}
	}
	if over != nil {
		f.Fail(name, "form.files_too_many", "Most", mostFiles, "Names", f.r.Listed(over...))
	}
	kept, err := f.keptFiles()
	for _, file := range slices.Concat(kept, f.r.files) {
		if file.Field == name && file.Whole() {
			list = append(list, file)
		}
	}
	return list, err
}

// FileFailed says what is wrong with a file, with its name, where err is about it; any other error comes back. A file
// that nobody will take is forgotten; again reports whether it is kept for another time.
func (f *Form) FileFailed(field string, file *File, err error) (again bool, _ error) {
	if err == nil {
		return false, nil
	}
	var wrong *admitto.Error
	if !errors.As(err, &wrong) {
		return true, err
	}
	switch wrong.Kind {
	case admitto.InvalidParameter, admitto.TooLarge, admitto.UnsupportedFormat:
	case admitto.NotAllowedNow, admitto.Unavailable, admitto.ChangedMeanwhile:
		again = true
	default:
		return true, err
	}
	texts := []message.Text{wrong.Text}
	for _, fault := range wrong.Faults {
		texts = append(texts, fault.Text)
	}
	for _, text := range texts {
		if !text.IsZero() {
			f.FailWords(field, f.r.T("form.file_failed", "Name", file.Name, "Why", f.fileWords(text)))
		}
	}
	return again, nil
}

// Taken says that a file needs no keeping any more: it was stored elsewhere, or nobody will take it.
func (f *Form) Taken(file *File) error {
	if file.sent == nil {
		f.kept = slices.DeleteFunc(f.kept, func(k *File) bool { return k == file })
		return f.r.site.Accounts.DropKeptFile(f.r.Context(), f.r.site.Area, f.r.Person.Account, &file.KeptFile)
	}
	f.r.files = slices.DeleteFunc(f.r.files, func(s *File) bool { return s == file })
	f.r.done = append(f.r.done, file)
	return nil
}

// keptFiles are the files that were kept of the form, those that are arriving among them.
func (f *Form) keptFiles() ([]*File, error) {
	r := f.r
	if f.filesRead || r.Person.Account == 0 {
		return f.kept, nil
	}
	of := r.URL.RequestURI()
	if r.Posted() && r.stamp.path != "" {
		of = r.stamp.path
	}
	list, err := r.site.Accounts.KeptFiles(r.Context(), r.site.Area, r.Person.Account, of)
	if err != nil {
		return nil, err
	}
	for i := range list {
		f.kept = append(f.kept, &File{KeptFile: list[i], r: r})
	}
	f.filesRead = true
	return f.kept, nil
}

// Upload is the choice of a file; accept are the kinds of files that the browser offers. A file that is kept is named.
// Its route has Files.
func (f *Form) Upload(name, label, accept string) (ui.FileField, error) {
	field := f.fileField(name, label, accept)
	file, err := f.File(name)
	if err != nil || file == nil || file.Size > f.r.site.Accounts.MostFileBytes() {
		return field, err
	}
	field.Files = []ui.FileState{{Name: file.Name, Done: 100, Meta: f.r.T("form.file_kept", "Size",
		strconv.FormatInt((file.Size+1023)/1024, 10))}}
	f.discards = append(f.discards, ui.Button{Text: f.r.T("form.file_remove"), About: file.Name, Name: fieldDiscard,
		Value: name, Plain: true})
	return field, nil
}

// Uploads is the choice of several files; accept are the kinds of files that the browser offers. Files that are kept,
// or still arriving, are named, each with a button that forgets it. Its route has Files and Several; its form has no
// field in which Enter presses the first button.
func (f *Form) Uploads(name, label, accept string) (ui.FileField, error) {
	field := f.fileField(name, label, accept)
	field.Multiple = true
	list, err := f.keptFiles()
	for _, file := range list {
		if file.Field != name {
			continue
		}
		state := ui.FileState{Name: file.Name, Meta: f.r.T("form.file_waits", "Size", f.r.Size(file.Size)), Done: 100}
		if !file.Whole() {
			state.Done, state.Size, state.GoOn = int(file.Arrived*100/file.Size), file.Size, f.r.At("upload", file.ID)
			state.Meta = f.r.T("form.file_arriving", "Size", f.r.Size(file.Size), "Done", state.Done)
			if file.Arrived == 0 {
				state.Meta = f.r.T("form.file_begun", "Size", f.r.Size(file.Size))
			}
		}
		state.Remove = &ui.Button{Text: f.r.T("form.file_take"), About: file.Name, Name: fieldDiscard, Value: file.ID,
			Small: true, Plain: true}
		field.Files = append(field.Files, state)
	}
	return field, err
}

// fileField is a field for files, which scripts send ahead where the site has a route for that.
func (f *Form) fileField(name, label, accept string) ui.FileField {
	field := ui.FileField{Field: f.field(name, label), Accept: accept}
	f.withFiles = true
	if f.r.Known(uploadNew) {
		most := f.r.Settings().Documents.MaxBytes
		field.Ahead = &ui.Ahead{Address: f.r.At(uploadNew), Most: most,
			TooLarge: f.r.T("form.file_too_large", "Size", f.r.Size(most)), Empty: f.r.Say(message.Of("file-empty"))}
	}
	return field
}
