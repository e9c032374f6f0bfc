package formpage

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// mostComment is how many characters an applicant may write about a task.
const mostComment = 2048

// TaskAbout is what an applicant reads of a task in a status: that it stops the submission, and what to do. Staff who
// preview a template see the same.
func TaskAbout(r *site.Request, t *admitto.TaskTemplate, status admitto.TaskStatus) (parts []ui.Component) {
	if status.Blocks {
		parts = append(parts, ui.Notice{Tone: ui.Warn, Text: r.T("my_task.blocks")})
	}
	text, fallback := t.Versions.In(r.Lang, "instructions", t.Instructions)
	if text != "" {
		parts = append(parts, ui.Box{Title: r.T("my_task.what"), Parts: []ui.Component{ui.Prose{Text: text,
			Lang: r.FirstLanguage(fallback)}}})
	}
	return parts
}

// TaskFile says below the field of a document which kinds a task takes, and how large they may be.
func TaskFile(r *site.Request, t *admitto.TaskTemplate, field *ui.FileField) {
	field.Accept = filekind.SuffixesOf(t.DocumentKinds)
	size := r.Size(r.Settings().Documents.MaxBytes)
	field.Hint = r.T("my_document.taken", "Size", size)
	if len(t.DocumentKinds) > 0 {
		var kinds []string
		for _, kind := range t.DocumentKinds {
			kinds = append(kinds, r.T("document_kind."+kind))
		}
		field.Hint = r.T("my_document.taken_kinds", "Kinds", r.Listed(kinds...), "Size", size)
	}
}

// TaskFields are the fields with which an applicant does a task: a document where there is room for one, a comment, and
// the statuses where there are several to choose from. fresh says that nothing was handed in before, so that the one
// status wants a file or a comment. press is the message of the button, "" for none.
func TaskFields(r *site.Request, f *site.Form, t *admitto.TaskTemplate, file *ui.FileField,
	fresh bool) (parts []ui.Component, press string) {
	said := r.TaskTemplate(t)
	var options []ui.Option
	document := !t.AllowsComments // whether a file is needed
	for _, s := range said.Statuses {
		if s.Public {
			options = append(options, ui.Option{Value: s.Name, Text: s.Title, Hint: s.Description})
			document = document || s.RequiresDocument
		}
	}
	needed := fresh && len(options) == 1
	either := needed && file != nil && !document
	if either {
		parts = append(parts, ui.Words{Text: r.T("my_task.either")})
	}
	if file != nil {
		TaskFile(r, t, file)
		file.Optional = !needed
		parts = append(parts, *file)
	}
	if t.AllowsComments {
		comment := f.Long("comment", "my_task.comment", 4, mostComment)
		comment.Optional = !either && !(needed && file == nil)
		parts = append(parts, comment)
	}
	switch {
	case len(options) == 0 && len(parts) == 0:
		return nil, ""
	case len(options) == 1:
		return parts, "my_task.hand_in"
	case len(options) > 1:
		parts = append(parts, f.Choices("status", "my_task.status", false, options...))
	}
	return parts, "action.save"
}
