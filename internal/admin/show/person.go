package show

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Name is what an applicant is called.
func Name(r *site.Request, a *admitto.Applicant) string {
	if a.Type == admitto.Legal && a.Name.Legal != "" {
		return a.Name.Legal
	}
	if name := a.Name.Full(); name != "" {
		return name
	}
	return r.T("applicant.nameless")
}

// Initials are the first letters of a name, for the place of a photo.
func Initials(n admitto.Name) string {
	var out strings.Builder
	for _, part := range []string{n.Given, n.Family} {
		for _, c := range part {
			if unicode.IsLetter(c) {
				out.WriteRune(unicode.ToUpper(c))
				break
			}
		}
	}
	if out.Len() == 0 {
		for _, c := range n.Legal {
			if utf8.RuneLen(c) > 0 && unicode.IsLetter(c) {
				return string(unicode.ToUpper(c))
			}
		}
		return "?"
	}
	return out.String()
}

// Day is a day, or nothing for a time that never came.
func Day(r *site.Request, t admitto.Time) string {
	if t == 0 {
		return ""
	}
	return r.Day(t)
}

// Date is a day of the calendar, or nothing.
func Date(r *site.Request, d admitto.Date) string {
	if d.IsZero() {
		return ""
	}
	return r.Date(d.In(time.UTC))
}

// Small makes buttons for the head of a box.
func Small(buttons []ui.Button) []ui.Button {
	for i := range buttons {
		buttons[i].Small = true
	}
	return buttons
}

// Lists lead those who may open them to lists, from a page that has nothing to show.
func Lists(r *site.Request, names ...string) (buttons []ui.Button) {
	for _, name := range names {
		if link, ok := r.Link(name); ok {
			buttons = append(buttons, ui.Button{Text: link.Text, Href: link.Href, Small: true})
		}
	}
	return buttons
}

// More puts the buttons of what is seldom done behind one menu of a card's head; a single one stands next to the
// others.
func More(r *site.Request, head *ui.CardHead, buttons ...ui.Button) {
	if len(buttons) < 2 {
		head.Actions = append(head.Actions, buttons...)
		return
	}
	head.More = &ui.Menu{Text: r.T("action.more"), Small: true}
	for _, b := range buttons {
		head.More.Links = append(head.More.Links, ui.Link{Text: b.Text, Href: b.Href, Danger: b.Danger})
	}
}

// WriteButtons lead to a message to one person, for those who may write: to "applicant" or "application", by its ID.
func WriteButtons(r *site.Request, to string, id int64) []ui.Button {
	if !r.May("message-new") {
		return nil
	}
	return []ui.Button{{Text: r.T("action.message-new"), Icon: "mail",
		Href: r.Keeping(site.Add(r.At("message-new"), to, strconv.FormatInt(id, 10)))}}
}

// Course is a course with its code, where it has one: several may have one name.
func Course(code, name string) string {
	if code == "" {
		return name
	}
	return code + " " + name
}
