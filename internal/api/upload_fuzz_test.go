package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/config"
)

// FuzzUploadForm reads bodies that may be forms: none breaks anything, and a form that is read holds what it says.
func FuzzUploadForm(f *testing.F) {
	const head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
	for _, seed := range []struct{ contentType, body, want string }{ // want is the kind of the error, or the size
		{"multipart/form-data; boundary=b", head + "text\r\n--b--\r\n", "4"},
		{"multipart/form-data; boundary=b", head + "\r\n--b--\r\n", "0"},
		{"multipart/form-data; boundary=b", "--b--\r\n", "0"},
		{"multipart/form-data; boundary=b", "--b\r\n\r\nx\r\n--b--\r\n", "0"},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"\xff\"\r\n\r\nx\r\n--b--\r\n",
			"0"},
		{"multipart/form-data; boundary=b", head + "text", "invalid-body"},
		{"multipart/form-data; boundary=b", head, "invalid-body"},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disp", "invalid-body"},
		{"multipart/form-data; boundary=b", "", "invalid-body"},
		{"multipart/form-data; boundary=b", "garbage", "invalid-body"},
		{"multipart/form-data; boundary=c", head + "text\r\n--b--\r\n", "invalid-body"},
		{"multipart/form-data", head + "text\r\n--b--\r\n", "invalid-body"},
		{"multipart/form-data; boundary=\"\"", head + "text\r\n--b--\r\n", "invalid-body"},
		{"multipart/form-data; boundary", "x", "unsupported-media-type"},
		{"multipart/mixed; boundary=b", head + "text\r\n--b--\r\n", "unsupported-media-type"},
		{"", head + "text\r\n--b--\r\n", "unsupported-media-type"},
		{"multipart/form-data; boundary=b", head + strings.Repeat("x", 101) + "\r\n--b--\r\n", "too-large"},
		{"multipart/form-data; boundary=b", head + strings.Repeat("x", 2<<20) + "\r\n--b--\r\n", "too-large"},
		{"multipart/form-data; boundary=b", strings.Repeat("--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n",
			params.MaxParameters+1) + "--b--\r\n", "invalid-parameter"},
	} {
		form := &uploadForm{}
		got := string(admitto.KindOf(form.receive(uploadCall(seed.contentType, []byte(seed.body)))))
		if got == "" {
			got = fmt.Sprint(form.size)
		}
		if form.close(); got != seed.want {
			f.Errorf("%s %.80q: %s, want %s", seed.contentType, seed.body, got, seed.want)
		}
		if len(seed.body) < 1000 {
			f.Add(seed.contentType, []byte(seed.body))
		}
	}
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		form := &uploadForm{}
		defer form.close()
		if kind := admitto.KindOf(form.receive(uploadCall(contentType, body))); kind != "" {
			if kind == admitto.Internal {
				t.Fatal(kind)
			}
			return
		}
		if form.size > int64(len(body)) || form.count == 0 && form.file != nil || form.count > 0 && form.file == nil {
			t.Fatalf("%+v", form)
		}
	})
}

func uploadCall(contentType string, body []byte) *call {
	r := httptest.NewRequest("POST", "/api/v10/applications/1/documents", bytes.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	set := config.Defaults()
	set.Documents.MaxBytes = 100
	return &call{api: &API{live: config.NewLive(set)}, w: httptest.NewRecorder(), r: r, ctx: r.Context()}
}

// FuzzReadPatch reads bodies that may be merge patches: what is read is what encoding/json reads.
func FuzzReadPatch(f *testing.F) {
	for _, body := range []string{`{}`, `{"a":{"b":[1,"x",null,true,{"c":-1.5e3}]}}`, `{"a":1,"a":2}`, `[]`, `null`, `{`,
		``, `{"a":"\ud83d\ude00"}`, `{"a":"\ud83d"}`, "{\"a\":\"\xff\"}",
		`{"` + strings.Repeat("k", params.MaxName+1) + `":1}`, `{"~/":[[{"b":1,"b":2}],{"c":null,"c":3}],"~/":4}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		members, faults, err := params.ReadPatch(raw, "content")
		if err != nil {
			if admitto.KindOf(err) != admitto.InvalidBody {
				t.Fatal(err)
			}
			return
		}
		var want map[string]any
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatalf("%q was read: %v", raw, err)
		}
		if len(faults) == 0 {
			got, err := json.Marshal(members)
			var same map[string]any
			if err != nil || json.Unmarshal(got, &same) != nil || len(same) != len(want) {
				t.Fatalf("%q became %s, %v", raw, got, err)
			}
		}
	})
}
