package api

import (
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/version"
)

// patchApplication answers PATCH /applications/{id} (resources.md 24.2): a merge patch of the content part, in the
// form that the version of the request gives it.
func (a *API) patchApplication(c *call) error {
	if _, err := a.services.Query.Documents(c.ctx, c.by(), c.ids[0]); err != nil { // that it exists comes before the body
		return err
	}
	members, faults, err := c.mergePatch(contentPath)
	if err := faultsOf(c.noParameters(), err); err != nil {
		return err
	}
	patch := admissions.ContentPatch{Members: members, Faults: faults, Document: params.ReadDocumentLink}
	if !c.version.Has(version.SingleDates) {
		takeNamedParts(&patch)
	}
	return c.done(a.services.Admissions.PatchContent(c.ctx, c.caller(), c.ids[0], patch))
}
