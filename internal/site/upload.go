package site

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/ui"
)

// Bounds of the files of a form.
const (
	mostFiles     = 10
	mostFileBytes = accounts.MaxStashFile // of each
	mostUpload    = 3 * mostFileBytes     // of all
	mostFileName  = 200
)

// readParts reads a form with files. Files are read for a form of ours only: its stamp is the first field.
func (r *Request) readParts(body io.Reader, boundary string) (err error) {
	r.typed, r.files, err = parseParts(body, boundary, func(text string) bool {
		stamp, ok := r.site.openStamp(text)
		return ok && stamp.account != 0
	})
	return err
}

// parseParts reads the fields and files of a form; isOurs is asked for the stamp before the first file. A field that no
// file was chosen in has none.
func parseParts(body io.Reader, boundary string, isOurs func(stamp string) bool) (url.Values, []accounts.KeptFile,
	error) {
	values, files := url.Values{}, []accounts.KeptFile(nil)
	fieldBytes, fileBytes := 0, 0
	parts := multipart.NewReader(body, boundary)
	for n := 0; ; n++ {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, errMalformed
		}
		name := part.FormName()
		if name == "" || name != readable(name) || len(name) > 1000 {
			return nil, nil, errMalformed
		}
		if n >= mostFields {
			return nil, nil, errTooLarge
		}
		file, isFile := fileName(part)
		most := mostBytes - fieldBytes
		if isFile {
			if !isOurs(values.Get(fieldStamp)) {
				return nil, nil, errMalformed
			}
			most = min(mostFileBytes, mostUpload-fileBytes)
		}
		content, err := io.ReadAll(io.LimitReader(part, int64(most)+1))
		switch {
		case err != nil:
			return nil, nil, errMalformed
		case len(content) > most:
			return nil, nil, errTooLarge
		case !isFile:
			fieldBytes += len(content)
			values.Add(name, readable(string(content)))
			continue
		}
		if file == "" && len(content) == 0 {
			continue // none was chosen
		}
		if fileBytes += len(content); len(files) == mostFiles {
			return nil, nil, errTooLarge
		}
		files = append(files, accounts.KeptFile{Field: name, Name: file,
			Type: shortened(readable(part.Header.Get("Content-Type")), 100), Content: content})
	}
	settle(values)
	return values, files, nil
}

// fileName is the name of a file without the folder that some browsers send; is is false for a field that is none.
func fileName(part *multipart.Part) (name string, is bool) {
	_, parameters, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	_, is = parameters["filename"]
	is = is && err == nil
	name = strings.ReplaceAll(readable(part.FileName()), "\n", " ")
	if name = path.Base(strings.ReplaceAll(name, `\`, "/")); name == "." || name == "/" {
		name = ""
	}
	return shortened(name, mostFileName), is
}

// keepFiles keeps the files that were sent with a form, for its account.
func (r *Request) keepFiles() error {
	if r.stamp.account == 0 || len(r.files) == 0 {
		return nil
	}
	return r.site.Accounts.KeepFormFiles(r.Context(), r.site.Area, r.stamp.account, r.stamp.path, r.files)
}

// KeepFiles keeps the files that were sent, for the next page of the same form, until it is taken or forgotten.
func (f *Form) KeepFiles() error { return f.r.keepFiles() }

// discardFile forgets the file that was kept of a field, and leads back to the form with all that was typed.
func (r *Request) discardFile() error {
	if r.stamp.account == 0 || r.stamp.account != r.Person.Account {
		return errOtherAccount
	}
	field := r.typed.Get(fieldDiscard)
	r.typed.Del(fieldDiscard)
	if err := r.keepTyped(); err != nil {
		return err
	}
	err := r.site.Accounts.DropFormFile(r.Context(), r.site.Area, r.stamp.account, r.stamp.path, field)
	if err != nil {
		return err
	}
	r.Notify(ui.OK, r.T("form.file_removed"))
	return r.Redirect(r.stamp.path)
}

// File is the file in a field: the one that was sent, or the one that was kept of the form when it could not be saved;
// nil for none.
func (f *Form) File(name string) (*accounts.KeptFile, error) {
	list, err := f.allFiles()
	for i := range list {
		if list[i].Field == name {
			return &list[i], err
		}
	}
	return nil, err
}

// SentFile is the file in a field that was sent with this form; nil for none, and for one that was kept before.
func (f *Form) SentFile(name string) *accounts.KeptFile {
	for i := range f.r.files {
		if f.r.files[i].Field == name {
			return &f.r.files[i]
		}
	}
	return nil
}

// allFiles are the files that were sent, and after them those that were kept.
func (f *Form) allFiles() ([]accounts.KeptFile, error) {
	r := f.r
	if f.filesRead || r.Person.Account == 0 {
		return f.files, nil
	}
	of := r.URL.RequestURI()
	if r.Posted() && r.stamp.path != "" {
		of = r.stamp.path
	}
	kept, err := r.site.Accounts.KeptFormFiles(r.Context(), r.site.Area, r.Person.Account, of)
	if err != nil {
		return nil, err
	}
	f.files, f.filesRead = append(append(f.files, r.files...), kept...), true
	return f.files, nil
}

// Upload is the choice of a file; accept are the kinds of files that the browser offers. A file that is kept is named.
// Its route has Files.
func (f *Form) Upload(name, label, accept string) (ui.FileField, error) {
	field := ui.FileField{Field: f.field(name, label), Accept: accept}
	f.withFiles = true
	file, err := f.File(name)
	if err != nil || file == nil {
		return field, err
	}
	size := strconv.Itoa((len(file.Content) + 1023) / 1024)
	field.Files = []ui.FileState{{Name: file.Name, Meta: f.r.T("form.file_kept", "Size", size), Done: 100}}
	f.discards = append(f.discards, ui.Button{Text: f.r.T("form.file_remove"), About: file.Name, Name: fieldDiscard,
		Value: name, Plain: true})
	return field, nil
}
