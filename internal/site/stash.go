package site

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/ui"
)

// stamp says whose form it is, and on which page it stands. It is sealed: nobody makes one but the site, for the
// reader of the page.
type stamp struct {
	account int64
	path    string
	mark    string // random, of this form on this page alone; "" on pages of an earlier release
}

const stampPurpose = "admitto form"

// KeepAt says at which address of ours what is typed on the page is kept, where it is the same form at several: a page
// with one record of a list is found again whatever else its address says. Call it before the form is made.
func (r *Request) KeepAt(address string) { r.keptAt = address }

// place is the address that what is typed on the page is kept at.
func (r *Request) place() string { return cmp.Or(r.keptAt, r.URL.RequestURI()) }

// stamped puts the stamp of the reader into every form that is posted, each with a mark of its own.
func (r *Request) stamped(page []byte) []byte {
	if r.Person.Account == 0 || !bytes.Contains(page, []byte(`method="post"`)) {
		return page
	}
	path := r.place()
	if r.Posted() && r.stamp.path != "" {
		path = r.stamp.path
	}
	return postForm.ReplaceAllFunc(page, func(tag []byte) []byte {
		text := r.site.makeStamp(stamp{r.Person.Account, path, rand.Text()})
		field := `<input type="hidden" name="` + fieldStamp + `" value="` + html.EscapeString(text) + `">`
		return append(bytes.Clone(tag), field...)
	})
}

// postForm is the beginning of a form that is posted. What people wrote is escaped in pages, and is none.
var postForm = regexp.MustCompile(`<form[^>]* method="post"[^>]*>`)

func (s *Site) makeStamp(st stamp) string {
	plain, err := json.Marshal([]any{string(s.Area), st.account, st.path, st.mark})
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(s.Key.Seal(stampPurpose, plain))
}

// openStamp reads a stamp; ok is false for what is none of this site.
func (s *Site) openStamp(text string) (st stamp, ok bool) {
	if text == "" || len(text) > 8000 {
		return stamp{}, false
	}
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return stamp{}, false
	}
	plain, err := s.Key.Open(stampPurpose, sealed)
	if err != nil {
		return stamp{}, false
	}
	var area string
	if json.Unmarshal(plain, &[]any{&area, &st.account, &st.path, &st.mark}) != nil || area != string(s.Area) ||
		!Local(st.path) {
		return stamp{}, false
	}
	return st, true
}

// secretField is the name of a field whose value is not kept: passwords, codes, and what forms carry for themselves.
func secretField(name string) bool {
	if strings.HasPrefix(name, OfForm) {
		return false
	}
	return strings.Contains(name, "password") || strings.Contains(name, "code") || name == fieldStamp ||
		name == fieldDiscard || strings.HasPrefix(name, fieldTheirs) || strings.HasPrefix(name, fieldKeep)
}

// keepTyped keeps what was typed, and the files that were chosen, for the account of the form, for 24 hours.
func (r *Request) keepTyped() error {
	if r.stamp.account == 0 {
		return nil
	}
	if err := r.keepFiles(); err != nil {
		return err
	}
	kept := url.Values{}
	for name, list := range r.typed {
		if !secretField(name) {
			kept[name] = list
		}
	}
	delete(kept, fieldLost)
	for _, file := range r.tooMany {
		kept.Add(fieldLost, file.Name)
	}
	if len(kept) == 0 {
		return nil
	}
	return r.site.Accounts.KeepForm(r.Context(), r.site.Area, r.stamp.account, r.stamp.path, []byte(kept.Encode()))
}

// hasTyped reports whether the form has something that somebody typed or chose.
func (r *Request) hasTyped() bool {
	for name, list := range r.typed {
		own := name != fieldVersion && name != fieldShown && !secretField(name)
		if own && slices.ContainsFunc(list, func(v string) bool { return v != "" }) {
			return true
		}
	}
	return false
}

// keepFor keeps what was typed, and then answers with the error.
func (r *Request) keepFor(err error) error {
	if failed := r.keepTyped(); failed != nil {
		return failed
	}
	return err
}

// kept is what was typed on this page before and could not be saved; nil when there is nothing.
func (r *Request) kept() (url.Values, error) {
	if r.Person.Account == 0 || r.Person.LookedAtBy != "" {
		return nil, nil
	}
	typed, err := r.site.Accounts.KeptForm(r.Context(), r.site.Area, r.Person.Account, r.place())
	if err != nil || typed == nil {
		return nil, err
	}
	return parseForm(string(typed))
}

// Unsaved is what was typed into a form or chosen in it, and is not saved.
type Unsaved struct {
	Path  string
	Typed url.Values
	Files []string // names
}

// Unsaved returns what the reader has not saved yet, of the forms at the paths that are asked for.
func (r *Request) Unsaved(of func(path string) bool) (list []Unsaved, err error) {
	if r.Person.Account == 0 || r.Person.LookedAtBy != "" {
		return nil, nil
	}
	paths, err := r.site.Accounts.KeptPaths(r.Context(), r.site.Area, r.Person.Account)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if !of(path) {
			continue
		}
		u := Unsaved{Path: path}
		typed, err := r.site.Accounts.KeptForm(r.Context(), r.site.Area, r.Person.Account, path)
		if err != nil {
			return nil, err
		}
		if typed != nil {
			if u.Typed, err = parseForm(string(typed)); err != nil {
				return nil, err
			}
		}
		files, err := r.site.Accounts.KeptFiles(r.Context(), r.site.Area, r.Person.Account, path)
		if err != nil {
			return nil, err
		}
		for i := range files {
			u.Files = append(u.Files, files[i].Name)
		}
		list = append(list, u)
	}
	return list, nil
}

// dropKept forgets what was kept of the form that was now taken.
func (r *Request) dropKept() error {
	if r.failed || !r.Posted() || r.Person.Account == 0 || r.stamp.path == "" {
		return nil
	}
	return r.site.Accounts.DropForm(r.Context(), r.site.Area, r.Person.Account, r.stamp.path)
}

// wholeForm is the value of fieldDiscard that forgets all that was typed.
const wholeForm = "*"

// discardTyped forgets what was kept of a form, and leads back to what is stored.
func (r *Request) discardTyped() error {
	if r.stamp.account == 0 || r.stamp.account != r.Person.Account {
		return errOtherAccount
	}
	if err := r.dropKept(); err != nil {
		return err
	}
	r.Notify(ui.Info, r.T("form.discarded"))
	return r.Redirect(r.stamp.path)
}

// KeepDraft is the function of the route that scripts post forms to, every ten seconds while somebody types.
func KeepDraft(r *Request) error { return r.keepTyped() }
