package site

import (
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// Files are sent ahead of their form by the protocol tus 1.0: its core with the extensions creation and termination. A
// file waits with those that are kept of the form (screens.md U8, P11) until the form is sent.
const (
	tusVersion    = "1.0.0"
	tusExtensions = "creation,termination"
	tusBody       = "application/offset+octet-stream"
)

// Names of what is sent with the beginning of an upload besides filename and filetype.
const (
	tusStamp = "of"    // that of the form, which says whose it is
	tusField = "field" // that the file was chosen in
)

// Uploads are the routes of files that are sent ahead, below a path.
func Uploads(path string, access Access) []Route {
	return []Route{
		{Name: uploadNew, Path: path, Access: access, Only: true, Handle: beginUpload,
			Methods: []string{http.MethodPost, http.MethodOptions}},
		{Name: "upload", Path: path + "/{upload}", Access: access, Only: true, Handle: goOnUpload,
			Methods: []string{http.MethodHead, http.MethodPatch, http.MethodDelete}},
	}
}

const uploadNew = "upload-new"

// exchange answers a request that is no form and of no page: its method is one of the route's.
func (s *Site) exchange(r *Request) error {
	if r.Method != http.MethodHead && r.Method != http.MethodOptions {
		if err := s.mayPost(r); err != nil {
			return err
		}
	}
	switch {
	case !slices.Contains(r.current.Methods, r.Method):
		return errMethod
	case r.Method != http.MethodHead && r.Method != http.MethodOptions && !s.isOwn(r.Request):
		return errOrigin
	case !r.current.Access.permits(&r.Person) || r.Person.Held:
		return r.plain(http.StatusUnauthorized, r.T("upload.signed_out"))
	}
	if r.Method != http.MethodOptions && r.Header.Get("Tus-Resumable") != tusVersion {
		return r.plain(http.StatusPreconditionFailed, "", "Tus-Version", tusVersion)
	}
	err := r.current.Handle(r)
	var refused *admitto.Error
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.Kind {
	case admitto.NotFound:
		return r.plain(http.StatusNotFound, "")
	case admitto.ChangedMeanwhile:
		return r.plain(http.StatusConflict, "")
	case admitto.TooLarge:
		return r.plain(http.StatusRequestEntityTooLarge, (&Form{r: r}).fileWords(refused.Text))
	}
	return err
}

// plain answers with a sentence, "" for none, and headers: name and value by turns.
func (r *Request) plain(status int, text string, headers ...string) error {
	r.answer = func(w http.ResponseWriter) error {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Tus-Resumable", tusVersion)
		for n := 0; n+1 < len(headers); n += 2 {
			h.Set(headers[n], headers[n+1])
		}
		if text != "" {
			h.Set("Content-Type", "text/plain; charset=utf-8")
		}
		w.WriteHeader(status)
		_, err := w.Write([]byte(text))
		if status == http.StatusNoContent || r.Method == http.MethodHead {
			return nil
		}
		return err
	}
	return nil
}

// beginUpload makes room for a file.
func beginUpload(r *Request) error {
	if r.Method == http.MethodOptions {
		return r.plain(http.StatusNoContent, "", "Tus-Version", tusVersion, "Tus-Extension", tusExtensions,
			"Tus-Max-Size", strconv.FormatInt(r.site.Accounts.MostFileBytes(), 10))
	}
	size, valid := count(r.Header.Get("Upload-Length"))
	said, readable := tusMetadata(r.Header.Get("Upload-Metadata"))
	if !valid || !readable || said[tusField] == "" || len(said[tusField]) > 1000 {
		return r.plain(http.StatusBadRequest, "")
	}
	if size == 0 {
		return r.plain(http.StatusUnprocessableEntity, r.Say(message.Of("file-empty")))
	}
	form, ours := r.site.openStamp(said[tusStamp])
	if !ours || form.account != r.Person.Account {
		return r.plain(http.StatusForbidden, r.T("upload.signed_out"))
	}
	f, err := r.site.Accounts.BeginFile(r.Context(), r.site.Area, form.account, form.path, accounts.KeptFile{
		Field: said[tusField], Name: plainName(said["filename"]), Type: shortened(said["filetype"], 100), Size: size}, false)
	if err != nil {
		return err
	}
	return r.plain(http.StatusCreated, "", "Location", r.At("upload", f.ID))
}

// goOnUpload says how much of a file is here, takes more of it, or forgets it.
func goOnUpload(r *Request) error {
	a, area, account := r.site.Accounts, r.site.Area, r.Person.Account
	f, err := a.ArrivingFile(r.Context(), area, account, r.Part("upload"))
	if err != nil {
		return err
	}
	switch r.Method {
	case http.MethodHead:
		return r.plain(http.StatusOK, "", "Upload-Offset", strconv.FormatInt(f.Arrived, 10), "Upload-Length",
			strconv.FormatInt(f.Size, 10))
	case http.MethodDelete:
		if err := a.DropKeptFile(r.Context(), area, account, &f); err != nil {
			return err
		}
		return r.plain(http.StatusNoContent, "")
	}
	at, valid := count(r.Header.Get("Upload-Offset"))
	switch {
	case r.Header.Get("Content-Type") != tusBody:
		return r.plain(http.StatusUnsupportedMediaType, "")
	case !valid:
		return r.plain(http.StatusBadRequest, "")
	case at != f.Arrived:
		return r.plain(http.StatusConflict, "")
	case r.ContentLength > f.Size-f.Arrived: // the file is another one than was announced
		return admitto.Refused(admitto.TooLarge, message.Of("file-too-large", f.Size))
	}
	var refused *admitto.Error
	f, err = a.AddToFile(r.Context(), area, account, f, r.Body)
	if admitto.KindOf(err) == admitto.TooLarge { // a part of a file is none that anybody wants
		return errors.Join(err, a.DropKeptFile(r.Context(), area, account, &f))
	}
	if errors.As(err, &refused) {
		return err
	}
	// Else the line broke, and nobody reads the answer.
	return r.plain(http.StatusNoContent, "", "Upload-Offset", strconv.FormatInt(f.Arrived, 10))
}

// count is a number of bytes in a header.
func count(text string) (n int64, valid bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0 && strconv.FormatInt(n, 10) == text
}

// tusMetadata reads the pairs of a name and a value in Base64 that an upload begins with. What cannot be shown is taken
// out of the values.
func tusMetadata(header string) (said map[string]string, valid bool) {
	said = map[string]string{}
	if header == "" {
		return said, true
	}
	for pair := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), " ")
		text, err := base64.StdEncoding.DecodeString(value)
		if err != nil || name == "" || said[name] != "" || len(said) > 20 {
			return nil, false
		}
		said[name] = strings.ReplaceAll(readable(string(text)), "\n", " ")
	}
	return said, true
}
