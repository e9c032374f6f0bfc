package ui

import "strconv"

// formPage is a section of the application form.
type formPage struct {
	Errors             ErrorSummary
	Saved              Notice
	About, Title, Text string
	Rows               []educationRow
	Add                Button
	Actions            []Button
}

type educationRow struct {
	ID, Title           string
	Actions             []Button
	Level               Select
	Institution, Course TextField
	Country             Country
	City                TextField
	Enrolled, Graduated DateField
	Paused              Choices
}

func (s *sampleText) steps(id string) *Steps {
	list := &Steps{ID: id, Label: s.tr("Sections of your application"), Summary: s.tr("2 of 8 sections complete")}
	for i, name := range []string{"Profile", "Contact", "Education", "Languages", "Career", "Motivation",
		"Course questions", "Documents", "Check and submit"} {
		step := Step{Text: s.tr(name), State: s.tr("Not started"), Href: s.at("form")}
		switch i {
		case 0, 1:
			step.Tone, step.State = OK, s.tr("Complete")
		case 2:
			step.Current, step.State = true, s.tr("You are here")
		case 3:
			step.Tone, step.State = Warn, s.tr("1 thing to check")
		case 8:
			step.Locked, step.Href, step.State = true, "", s.tr("Cannot start yet")
		}
		list.Steps = append(list.Steps, step)
	}
	return list
}

func (s *sampleText) countries(selected string) (options []Option) {
	for _, name := range []string{"Brazil", "China", "Ghana", "India", "Nigeria", "Portugal", "Saudi Arabia", "Sweden",
		"Türkiye", "Ukraine"} {
		options = append(options, Option{Value: name, Text: s.tr(name), Selected: name == selected})
	}
	return options
}

func (s *sampleText) education(n int) educationRow {
	number := strconv.Itoa(n)
	field := func(name, label string) Field {
		return Field{ID: name + "-" + number, Name: name + "-" + number, Label: s.tr(label)}
	}
	row := educationRow{
		ID: "education-" + number, Title: s.tr("Education") + " " + number,
		Level:       Select{Field: field("level", "Level")},
		Institution: TextField{Field: field("institution", "Institution")},
		Course:      TextField{Field: field("course", "Course or field of study")},
		Country:     Country{Field: field("country", "Country"), Options: s.countries("Portugal")},
		City:        TextField{Field: field("city", "City")},
		Enrolled:    DateField{Field: field("enrolled", "Enrolled"), Partial: true},
		Graduated:   DateField{Field: field("graduated", "Graduated or expected"), Partial: true},
		Paused: Choices{Field: field("paused", "Did you interrupt these studies?"),
			Options: []Option{{Value: "yes", Text: s.tr("Yes")}, {Value: "no", Text: s.tr("No"), Selected: true}}},
	}
	row.Level.Width = "w20"
	for i, level := range []string{"Choose a level", "Secondary school", "Bachelor’s degree", "Master’s degree",
		"Doctorate"} {
		row.Level.Options = append(row.Level.Options, Option{Text: s.tr(level), Selected: i == n})
	}
	row.Institution.Hint = s.tr("As written on your diploma")
	row.Course.Optional = true
	row.Enrolled.Hint, row.Graduated.Hint = s.tr("For example, 9 2023"), s.tr("For example, 9 2023")
	remove := Button{Text: s.tr("Remove"), About: row.Title, Icon: "trash-2", Plain: true, Small: true, Danger: true}
	if n == 1 {
		row.Institution.Value, row.Institution.Lang = "Escola Secundária Rodrigues de Freitas", "pt"
		row.Course.Value, row.City.Value = s.tr("Sciences and technology"), "Porto"
		row.Enrolled.Month, row.Enrolled.Year = "9", "2021"
		row.Graduated.Month, row.Graduated.Year, row.Graduated.Wrong = "6", "24", []string{"year"}
		row.Graduated.Error = s.tr("Enter the year of graduation as four digits, such as 2026")
		row.Actions = []Button{{Text: s.tr("Move down"), About: row.Title, Icon: "arrow-down", Plain: true, Small: true},
			remove}
		return row
	}
	row.Institution.Error = s.tr("Enter the name of the institution for education 2")
	row.Actions = []Button{{Text: s.tr("Move up"), About: row.Title, Icon: "arrow-up", Plain: true, Small: true}, remove}
	return row
}

func sampleForm(s *sampleText) *Page {
	frame := s.portal()
	frame.Steps = s.steps("steps")
	first, second := s.education(1), s.education(2)
	return &Page{Title: s.tr("Education"), Failed: true, Frame: frame, Main: formPage{
		Errors: ErrorSummary{[]Fault{{first.Graduated.FirstID(), first.Graduated.Error, first.Graduated.Label},
			{second.Institution.ID, second.Institution.Error, second.Institution.Label}}},
		Saved: Notice{Tone: OK,
			Text: s.tr("Saved at 14:32:05 (Europe/Lisbon). Two answers need attention before you can submit.")},
		About: s.tr("Application 48213 · Autumn 2027"), Title: s.tr("Education"),
		Text: s.tr("Tell us about every school or university you attended after primary school. Start with the most recent one. You can save incomplete answers and come back later."),
		Rows: []educationRow{first, second},
		Add:  Button{Text: s.tr("Add another education"), Icon: "plus", Name: "do", Value: "add"},
		Actions: []Button{
			{Text: s.tr("Save and continue"), Primary: true, Busy: s.tr("Saving …")}, {Text: s.tr("Save"),
				Busy: s.tr("Saving …")},
			{Text: s.tr("Back to Contact"), Icon: "arrow-left", Href: s.at("form"), Plain: true},
		},
	}}
}
