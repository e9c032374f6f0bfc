package card_test

import (
	"fmt"
	"net/http"

	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// paperPages are the pages about documents and tasks.
func paperPages(i *sitetest.Instance, staff *http.Cookie) (pages []uitest.Page) {
	of := func(kind string) (application, document int64) {
		document = i.Number("SELECT max(id) FROM document WHERE trashed IS NULL AND task_id IS NOT NULL AND mime = '" + kind + "'")
		return i.Number(fmt.Sprintf("SELECT application_id FROM document WHERE id = %d", document)), document
	}
	add := func(name, path string, args ...any) {
		pages = append(pages, uitest.Page{Name: "card-" + name, Path: "/admin/applications/" + fmt.Sprintf(path, args...), Cookie: staff})
	}
	application, document := of("application/pdf")
	add("pdf", "%d/documents?document=%d", application, document)
	add("remove", "%d/documents/%d/remove", application, document)
	add("upload", "%d/documents/upload", application)
	application, document = of("image/jpeg")
	add("picture", "%d/documents?document=%d", application, document)
	add("turned", "%d/documents?document=%d&turn=90&zoom=150", application, document)
	add("no-documents", "%d/documents", i.Number("SELECT max(id) FROM application a WHERE visible AND NOT EXISTS "+
		"(SELECT 1 FROM document d WHERE d.application_id = a.id)"))
	return pages
}
