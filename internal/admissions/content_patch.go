package admissions

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ContentPatch is a JSON merge patch (RFC 7396) of an application's content (resources.md 24.2).
type ContentPatch struct {
	// Members are those of the patch: map[string]any, []any, string, json.Number, bool and nil.
	Members map[string]any
	// Faults were found while the patch was read; they are told together with those of its values.
	Faults []admitto.Fault
	// DatesInParts takes dates of unknown precision as {"yy":"2025","mm":"12"}, too; QuestionsByText takes answers by the
	// texts of their questions instead of their IDs.
	DatesInParts, QuestionsByText bool
	// Document reads the link to a document of an application; ok is false for anything else.
	Document func(link string) (application, document int64, ok bool)
}

// PatchContent changes the content of an application (lifecycle.md T3, T4, T6). Nothing is stored when a value is at
// fault. Errors: not-found; invalid-parameter with a pointer for each faulty value; not-allowed-now with the codes of
// the status (application-withdrawn, application-closed), and for the applicant those of G9 and G13.
func (s *Service) PatchContent(ctx context.Context, by usecase.Caller, application int64, patch ContentPatch) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.editContent(ctx, by, application, func(tx *store.Tx, content *form.Content) ([]byte, error) {
		return mergeContent(tx, content, application, &patch)
	})
}

// editContent changes the content of an application; merge returns it as it is stored.
func (s *Service) editContent(ctx context.Context, by usecase.Caller, application int64,
	merge func(*store.Tx, *form.Content) ([]byte, error)) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := usecase.LockApplication(tx, by, application)
		if err != nil {
			return err
		}
		content, err := tx.ApplicationContent(application)
		if err != nil {
			return err
		}
		before := contentPaths(&content)
		stored, err := merge(tx, &content)
		if err != nil {
			return err
		}
		if err := by.Sees(d.RowVersion); err != nil {
			return err
		}
		details := contentDetails(before, contentPaths(&content))
		frozen := func() ([]admitto.Fault, error) { return frozenContent(tx, d, details) }
		if err := s.mayChangeContent(tx, d, onlyContact(details), frozen); err != nil {
			return err
		}
		if len(details) == 0 {
			return nil
		}
		if err := tx.SaveContent(application, stored); err != nil {
			return err
		}
		return s.contentSaved(tx, d, details)
	})
}

// onlyContact reports whether nothing but contact data changes.
func onlyContact(details []admitto.Detail) bool {
	return !slices.ContainsFunc(details, func(c admitto.Detail) bool { return !strings.HasPrefix(c.Path, "/contact/") })
}

// mergeContent applies the patch and returns the content as it is stored, or the faults of all values.
func mergeContent(tx *store.Tx, content *form.Content, application int64, patch *ContentPatch) ([]byte, error) {
	m, err := newMerger(tx, content, application, patch)
	if err != nil {
		return nil, err
	}
	m.object(content, patch.Members)
	maps.DeleteFunc(content.Attention, func(path, _ string) bool { return replaces(patch.Members, path) })
	content.Tidy()
	stored, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	if len(stored) > admitto.MaxContentBytes {
		m.fault("", message.Of("content-too-large", len(stored), admitto.MaxContentBytes))
	}
	if len(m.faults) > 0 {
		slices.SortStableFunc(m.faults, byPointer)
		return nil, &admitto.Error{Kind: admitto.InvalidParameter, Faults: m.faults}
	}
	return stored, nil
}

// replaces reports whether a patch sets what is at the path.
func replaces(patch any, path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		members, ok := patch.(map[string]any)
		if !ok {
			return true
		}
		if patch, ok = members[name]; !ok {
			return false
		}
	}
	return true
}

// contentPaths returns everything that is filled in, by its JSON pointer in the content; an answer to a question by the
// ID of that, /extras/17.
func contentPaths(content *form.Content) map[string]string {
	paths := map[string]string{}
	plain := *content
	plain.Extras = nil
	raw, err := json.Marshal(&plain)
	if err != nil {
		panic(err) // texts, numbers and lists always encode
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		panic(err)
	}
	addPaths(paths, "", tree)
	for i := range content.Extras {
		e := content.Extras[i]
		if e.IsUnanswered() {
			continue
		}
		id := e.ID
		e.ID, e.Name, e.Type = 0, "", ""
		answer, err := json.Marshal(&e)
		if err != nil {
			panic(err)
		}
		paths[fmt.Sprintf("/extras/%d", id)] = string(answer)
	}
	return paths
}

func addPaths(paths map[string]string, at string, value any) {
	switch v := value.(type) {
	case nil:
	case map[string]any:
		for key, inner := range v {
			addPaths(paths, at+"/"+pointerKey(key), inner)
		}
	case []any:
		for i, inner := range v {
			addPaths(paths, fmt.Sprintf("%s/%d", at, i), inner)
		}
		if len(v) == 0 {
			return
		}
		paths[at+"/-"] = fmt.Sprint(len(v)) // so that rows without a value count as well
	case string:
		if v != "" {
			paths[at] = v
		}
	default:
		paths[at] = fmt.Sprint(v)
	}
}

// contentDetails returns the old and the new value of everything that differs, by path.
func contentDetails(before, after map[string]string) (details []admitto.Detail) {
	for path, old := range before {
		if value, has := after[path]; !has || value != old {
			details = append(details, admitto.Detail{Path: path, Old: old, New: value})
		}
	}
	for path, value := range after {
		if _, had := before[path]; !had {
			details = append(details, admitto.Detail{Path: path, New: value})
		}
	}
	slices.SortFunc(details, func(a, b admitto.Detail) int { return form.ComparePaths(a.Path, b.Path) })
	return details
}
