package client

import (
	"bytes"
	"context"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/textproto"
	"path"
	"slices"
	"strings"
)

// Download is a file or table that is being read: an io.ReadCloser that the caller closes. A connection that breaks
// shows as an error of Read; nothing is repeated by itself then.
type Download struct {
	io.ReadCloser
	Name        string // as Content-Disposition says, without any folder; "" when it does not
	ContentType string
	ETag        string
	Size        int64 // in bytes, -1 when the answer does not say: for what is made while it is sent, or comes compressed
}

// open sends a call whose answer is a file.
func open(ctx context.Context, c *Client, call call) (*Download, error) {
	call.stream = true
	answer, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	return &Download{
		ReadCloser:  answer.Body,
		Name:        fileName(answer.Header.Get("Content-Disposition")),
		ContentType: answer.Header.Get("Content-Type"),
		ETag:        answer.Header.Get("ETag"),
		Size:        answer.ContentLength,
	}, nil
}

// fileName is the name in a Content-Disposition. It is somebody else's text: what could lead out of a folder is taken
// off.
func fileName(disposition string) string {
	_, parameters, err := mime.ParseMediaType(disposition)
	if err != nil {
		return ""
	}
	name := path.Base(strings.ReplaceAll(parameters["filename"], `\`, "/"))
	if name == "." || name == ".." || name == "/" {
		return ""
	}
	return name
}

// Upload is a file to store. It is kept in memory until it has arrived, so that it can be sent again.
type Upload struct {
	File     io.Reader
	FileName string
	Fields   map[string]string // the other parameters of the operation
}

// upload makes the body of a call from a file and its parameters.
func upload(ctx context.Context, c *Client, call call, u Upload) (File, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	err := func() error {
		for _, name := range slices.Sorted(maps.Keys(u.Fields)) {
			if err := w.WriteField(name, u.Fields[name]); err != nil {
				return err
			}
		}
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition", multipart.FileContentDisposition("file", u.FileName))
		part, err := w.CreatePart(header)
		if err != nil {
			return err
		}
		if _, err := io.Copy(part, u.File); err != nil {
			return err
		}
		return w.Close()
	}()
	if err != nil {
		return File{}, err
	}
	call.body, call.contentType = b.Bytes(), w.FormDataContentType()
	return fetch[File](ctx, c, call)
}
