package api

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/disk"
	"github.com/admitto/admitto/internal/message"
)

// uploadSlack is how much an upload may have next to the file: other fields and the headers of all.
const uploadSlack = 1 << 20

// maxUploadField bounds each of the other fields of an upload.
const maxUploadField = 64 << 10

// uploadInput is what an upload takes next to the file (resources.md 24.7).
type uploadInput struct {
	Name params.Line `name:"name" len:"1-255"`
}

// createApplicationDocument answers POST /applications/{id}/documents (resources.md 24.7).
func (a *API) createApplicationDocument(c *call) error {
	if _, err := a.services.Query.Documents(c.ctx, c.by(), c.ids[0]); err != nil { // that it exists comes before the body
		return err
	}
	return a.createDocument(c, 0)
}

// createApplicationTaskDocument answers POST /applications/{id}/tasks/{id}/documents (resources.md 24.6).
func (a *API) createApplicationTaskDocument(c *call) error {
	if _, err := a.services.Query.Task(c.ctx, c.by(), c.ids[0], c.ids[1]); err != nil {
		return err
	}
	return a.createDocument(c, c.ids[1])
}

func (a *API) createDocument(c *call, task int64) error {
	form, err := c.uploadForm()
	if err != nil {
		return err
	}
	defer form.close()
	var in uploadInput
	if err := faultsOf(c.decode(form.fields, &in), form.faults()); err != nil {
		return err
	}
	up := admissions.Upload{Application: c.ids[0], Task: task, Name: form.name, Content: form.file, Size: form.size}
	if in.Name != "" {
		up.Name = string(in.Name)
	}
	f, err := a.services.Admissions.UploadDocument(c.ctx, c.caller(), up)
	if err != nil {
		return err
	}
	return c.created(f.ID, documentRecord(&f))
}

// takesFile reports whether the body of a row is a form with a file.
func (r *route) takesFile() bool {
	return r.method == http.MethodPost && strings.HasSuffix(r.path, "/documents")
}

// uploadForm is a form with a file, once it has arrived as a whole. The file waits in the folder for temporary files
// and is gone when it is closed.
type uploadForm struct {
	fields params.Args // query and form
	file   *disk.Scratch
	name   string // of the file, as the client gave it
	size   int64
	count  int // of files
	digest [32]byte
}

func (f *uploadForm) close() {
	if f.file != nil {
		f.file.Close() // nothing that stays was written
	}
}

// faults tells that there is not exactly one file.
func (f *uploadForm) faults() error {
	switch {
	case f.count == 0:
		return admitto.Refuse(admitto.InvalidParameter, "document.file", "", message.Of("file-required"))
	case f.count > 1:
		return admitto.Refuse(admitto.InvalidParameter, "document.file", "", message.Of("several-files", f.count))
	}
	return nil
}

// uploadForm reads the form with the file once. Nothing but its fields is in memory.
func (c *call) uploadForm() (*uploadForm, error) {
	if c.form == nil && c.formErr == nil {
		form := &uploadForm{}
		if c.formErr = form.receive(c); c.formErr != nil {
			form.close()
		} else {
			c.form = form
		}
	}
	return c.form, c.formErr
}

// closeForm removes the file of an upload.
func (c *call) closeForm() {
	if c.form != nil {
		c.form.close()
	}
}

// repeatableForm returns the hash of an upload for its Idempotency-Key: of the fields and the bytes, whatever the
// client put between them.
func (c *call) repeatableForm() (hash [32]byte, err error) {
	form, err := c.uploadForm()
	if err != nil {
		return hash, err
	}
	return form.digest, nil
}

func (f *uploadForm) receive(c *call) (err error) {
	contentType, options, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if err != nil || contentType != "multipart/form-data" {
		return admitto.Refused(admitto.UnsupportedFormat, message.Of("file-as-form"))
	}
	if f.fields, err = c.queryArgs(); err != nil {
		return err
	}
	f.fields.DropEmpty()
	most := c.api.settings().Documents.MaxBytes
	if c.r.ContentLength > most+uploadSlack {
		return tooLargeUpload(most)
	}
	if options["boundary"] == "" {
		return brokenForm(errors.New("no boundary"))
	}
	sum := sha256.New()
	form := params.Args{}
	body := http.MaxBytesReader(c.w, c.r.Body, most+uploadSlack)
	parts := multipart.NewReader(body, options["boundary"])
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err == nil && n >= params.MaxParameters {
			return admitto.Refused(admitto.InvalidParameter, message.Of("too-many-form-parameters", params.MaxParameters))
		}
		if err == nil {
			err = f.part(part, form, sum, most)
		}
		if err != nil {
			err = uploadFailed(err, most)
			if admitto.KindOf(err) == admitto.Unavailable {
				_, _ = io.Copy(io.Discard, body) // HTTP/1.1 clients look for the answer when they have sent all
			}
			return err
		}
	}
	form.DropEmpty()
	for name, given := range form {
		f.fields[name] = given
	}
	hashText(sum, c.r.URL.RawQuery)
	sum.Sum(f.digest[:0])
	return nil
}

// part reads one field of the form: the file into a file, anything else into memory.
func (f *uploadForm) part(part *multipart.Part, form params.Args, sum hash.Hash, most int64) error {
	name := part.FormName()
	hashText(sum, name)
	if name != "file" && name != "upload" {
		value, err := io.ReadAll(io.LimitReader(part, maxUploadField+1))
		if err != nil {
			return err
		}
		hashText(sum, string(value))
		added := form.AddText(name, string(value))
		if len(value) > maxUploadField {
			added.Fault = message.Of("value-too-large", maxUploadField)
		}
		return nil
	}
	f.count++
	hashText(sum, part.FileName())
	content := sha256.New()
	into := io.Writer(content)
	if f.count == 1 {
		file, err := disk.NewScratch("", "admitto-upload-*")
		if err != nil {
			return fmt.Errorf("receive a document: %w", err)
		}
		f.file, f.name = file, part.FileName()
		into = io.MultiWriter(into, file)
	}
	size, err := io.Copy(into, io.LimitReader(part, most+1))
	if err == nil && size > most {
		err = tooLargeUpload(most)
	}
	if f.count == 1 {
		f.size = size
	}
	sum.Write(content.Sum(nil)) // never fails
	return err
}

// hashText adds a text and where it ends.
func hashText(sum hash.Hash, s string) {
	sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
	sum.Write([]byte(s))
}

func tooLargeUpload(most int64) error {
	return admitto.Refused(admitto.TooLarge, message.Of("file-too-large", most))
}

func brokenForm(err error) error {
	return admitto.Refused(admitto.InvalidBody, message.Of("no-whole-multipart-form")).Because(err)
}

// noRoom is the refusal of a file that the folder for temporary files did not take, since it is full or cannot be
// written.
func noRoom(cause error) error {
	return admitto.Refused(admitto.Unavailable, message.Of("no-room-for-files")).Because(cause)
}

// uploadFailed tells why a form was not read to its end.
func uploadFailed(err error, most int64) error {
	var large *http.MaxBytesError
	var refusal *admitto.Error
	var path *os.PathError
	switch {
	case errors.As(err, &large):
		return tooLargeUpload(most)
	case errors.As(err, &refusal):
		return err
	case errors.As(err, &path):
		return noRoom(path)
	}
	return brokenForm(err)
}

// presentDocument returns what is known of an uploaded document now, nil when it is gone.
func (c *call) presentDocument(location string) []byte {
	id, err := strconv.ParseInt(location[strings.LastIndexByte(location, '/')+1:], 10, 64)
	if err != nil {
		return nil
	}
	f, err := c.api.services.Query.Document(c.ctx, c.by(), c.ids[0], id)
	if err != nil {
		return nil
	}
	return c.encode(nil, documentRecord(&f))
}
