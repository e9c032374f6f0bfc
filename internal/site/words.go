package site

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
)

// Classes are lists of words as a page shows them: the titles that come with Admitto are in the language of the reader,
// those that staff wrote are as they are. What edits the lists shows them as they are stored.
func (r *Request) Classes(list []admitto.Classificator, err error) ([]admitto.Classificator, error) {
	list = slices.Clone(list)
	for i := range list {
		list[i].Codes = slices.Clone(list[i].Codes)
		for n := range list[i].Codes {
			list[i].Codes[n].Title = r.Word(list[i].Class, list[i].Codes[n].Title)
		}
	}
	return list, err
}

// Regions are regions with their names as Classes has titles.
func (r *Request) Regions(list []admitto.Region, err error) ([]admitto.Region, error) {
	list = slices.Clone(list)
	for i := range list {
		list[i].Name = r.Word(admitto.TerritoryWords, list[i].Name)
	}
	return list, err
}

// TaskTemplate is a template of tasks with its texts in the language of the reader, as far as there are versions of
// them or it comes with the service.
func (r *Request) TaskTemplate(t *admitto.TaskTemplate) *admitto.TaskTemplate {
	said := t.In(r.Lang)
	said.Title = r.Seeded(said.Title)
	for i := range said.Statuses {
		said.Statuses[i].Title = r.TaskStatus(said.Statuses[i].Title)
	}
	return said
}

// TaskStatus is the title of a status of tasks as Classes has titles.
func (r *Request) TaskStatus(title string) string { return r.Word(admitto.TaskStatusWords, title) }
