package ui

// state is one component in one state.
type state struct {
	State     string
	Component Component
	Narrow    bool // no wider than the text of a form
}

// group is a component with all its states.
type group struct {
	ID, Title string
	States    []state
}

// guidePage is the page with every component.
type guidePage struct {
	Title, Text string
	Pages       Menu
	Groups      []group
}

func sampleGuide(s *sampleText) *Page {
	page := guidePage{
		Title: s.tr("Styleguide"), Text: s.tr("Every component in every state. The foot of the page changes language and scheme."),
		Pages: Menu{Text: s.tr("Sample pages"), Start: true, Links: []Link{
			{Text: s.tr("Applications"), Href: s.at("applications")}, {Text: s.tr("Offer"),
				Href: s.at("offer")}, {Text: s.tr("Dashboard"), Href: s.at("dashboard")},
			{Text: s.tr("Application form"), Href: s.at("form")}, {Text: s.tr("Confirmation"), Href: s.at("confirm")},
		}},
	}
	page.Groups = append(page.Groups, s.basicGroups()...)
	page.Groups = append(page.Groups, s.fieldGroups()...)
	page.Groups = append(page.Groups, s.listGroups()...)
	page.Groups = append(page.Groups, s.recordGroups()...)
	page.Groups = append(page.Groups, s.plotGroups()...)
	return &Page{Title: s.tr("Styleguide"), Frame: s.admin("Styleguide"), Main: page}
}

// longName is a name that is longer than any field is wide, and has a word without a place to break.
func (s *sampleText) longName() string {
	return s.tr("María del Rosario Fernández de la Vega y Montenegro de Todos los Santos, Wolfeschlegelsteinhausenbergerdorffvoralternwarengewissenhaftschaferswessenschafe")
}

func (s *sampleText) empty() Empty {
	return Empty{
		Icon: "inbox", Title: s.tr("No applications match"), Text: s.tr("Remove a filter to see more, or look in all terms."),
		Actions: []Button{{Text: s.tr("Clear filters"), Href: s.at("applications")}},
	}
}

func (s *sampleText) basicGroups() []group {
	ok, normal, long, disabled := s.tr("Done"), s.tr("Normal"), s.tr("Long text"), s.tr("Disabled")
	return []group{
		{"buttons", s.tr("Buttons"), []state{
			{normal, Box{Title: s.tr("One primary button a page"), Actions: []Button{{Text: s.tr("Edit"), Icon: "pencil",
				Small: true}}, Parts: []Component{buttons{[]Button{
				{Text: s.tr("Confirm and send letter"), Primary: true}, {Text: s.tr("Save"),
					Busy: s.tr("Saving …")}, {Text: s.tr("Back"), Plain: true, Icon: "arrow-left"},
				{Text: s.tr("Close …"), Danger: true}, {Text: s.tr("Small"), Small: true}, {Text: s.tr("A link"), Href: s.at("")},
			}}}}, false},
			{disabled, buttons{[]Button{{Text: s.tr("Save"), Disabled: true},
				{Text: s.tr("Confirm and send letter"), Primary: true, Disabled: true}}}, false},
		}},
		{"tags", s.tr("Tags"), []state{
			{normal, KeyValues{Facts: []KeyValue{
				{Key: s.tr("Status"), Tags: []Tag{s.status("Draft"), s.status("Submitted"), s.status("Reopened"),
					s.status("Inactive"), s.status("Withdrawn"), s.status("Closed")}},
				{Key: s.tr("Offer type"), Parts: []Component{Dot{s.tr("Conditional"), "#2F6FDE"},
					Dot{s.tr("Admitted"), "#1E8E4E"}}},
				{Key: long, Tags: []Tag{{Text: s.longName(), Icon: "flag"}}},
			}}, false},
		}},
		{"notices", s.tr("Notices"), []state{
			{ok, Notice{Tone: OK, Text: s.tr("Saved. The applicant sees nothing yet."), Closes: true}, false},
			{s.tr("Information"), Notice{Tone: Info, Text: s.tr("Numbers are at most 60 seconds old.")}, false},
			{s.tr("Warning"), Notice{Tone: Warn, Text: s.tr("Your session ends in 5 minutes."),
				Link: &Link{Text: s.tr("Stay signed in"), Href: s.at("")}, Closes: true}, false},
			{s.tr("Error"), Notice{Tone: Bad, Text: s.tr("The mail server does not answer. E-mails wait."),
				Link: &Link{Text: s.tr("System health"), Href: s.at("")}}, false},
			{long, Notice{Text: s.longName(), Closes: true}, false},
		}},
		{"errors", s.tr("Error summary"), []state{
			{s.tr("Error"), ErrorSummary{[]Fault{{"f-error", s.tr("Enter an e-mail address, such as name@example.org"),
				s.tr("E-mail")}, {"f-date-error-year", s.tr("Enter the year as four digits, such as 2026"), s.tr("Date")}}}, false},
		}},
		{"empty", s.tr("Empty state"), []state{{s.tr("Empty"), s.empty(), false}}},
		{"links", s.tr("Links in a cell"), []state{{normal, Links{Links: []Link{{Text: s.tr("Marta Reis"), Href: s.at("")},
			{Text: s.tr("Telephone")}}}, false}, {s.tr("Parts of one thing"), Links{Walk: s.tr("Parts of one thing"),
			Links: []Link{{Text: s.tr("Education"), Href: s.at(""), Current: true},
				{Text: s.tr("Languages"), Href: s.at("")}}}, false}}},
		{"progress", s.tr("Progress with words"), []state{
			{normal, Progress{Label: s.tr("Import of leads"), Done: 12400, Of: 20000,
				Text: s.tr("12,400 of 20,000 rows, about 2 minutes left")}, true},
			{s.tr("Not known yet"), Progress{Label: s.tr("Preparing the preview"), Text: s.tr("Counting …")}, true},
			{ok, Progress{Label: s.tr("Import of leads"), Done: 1, Of: 1, Text: s.tr("20,000 rows done")}, true},
		}},
		{"forms", s.tr("A whole form"), []state{
			{normal, Heading{Title: s.tr("General settings"), Text: s.tr("Numbers are at most 60 seconds old.")}, false},
			{s.tr("Error"), FormBox{Head: FormHead{Notices: []Notice{{Tone: Warn,
				Text: s.tr("Your session ends in 5 minutes.")}}}, Parts: []Component{Words{Text: s.longName(), Muted: true},
				Columns{[]Component{TextField{Field: Field{ID: "w-city", Name: "city", Label: s.tr("City")}},
					TextField{Field: Field{ID: "w-name", Name: "name", Label: s.tr("Name")}}}}},
				Buttons: []Button{{Text: s.tr("Save")}}}, true},
			{s.tr("Notes"), Prose{Text: s.tr("Saved. The applicant sees nothing yet.") + "\n\n* " + s.tr("Portugal") +
				"\n* https://example.org"}, false},
			{s.tr("Menu"), Fold{Title: s.tr("More actions"), Parts: []Component{
				Stack{Parts: []Component{Words{Text: s.longName()}}}}}, true},
			{s.tr("Warning"), PageTop{Notices: []Notice{{Tone: OK, Text: s.tr("Saved. The applicant sees nothing yet.")}}},
				false},
		}},
		{"menus", s.tr("Menus and dialogs"), []state{
			{s.tr("Menu"), Menu{Text: s.tr("More actions"), Start: true, Links: []Link{{Text: s.tr("Download"), Icon: "download",
				Href: s.at("")}, {Text: s.tr("Print"), Icon: "printer", Href: s.at("")}, {Text: s.longName(), Href: s.at("")},
				{Text: s.tr("Discard"), Href: s.at(""), Danger: true}}},
				false},
			{s.tr("Dialog"), opener{Button{Text: s.tr("Open the dialog"), Target: "sample-dialog"},
				Dialog{"sample-dialog", s.tr("Discard this draft?"), s.tr("What you typed since 14:32:05 will be lost."),
					[]Button{{Text: s.tr("Discard"), Danger: true, Href: s.at("")}}}}, false},
		}},
		{"ways", s.tr("Breadcrumb and tabs"), []state{
			{s.tr("Breadcrumb"), Breadcrumb{[]Link{{Text: s.tr("Applications"), Href: s.at("applications")},
				{Text: s.longName(), Href: s.at("offer")}, {Text: s.tr("Offer"), Current: true}}}, false},
			{s.tr("Tabs"), s.tabs(), false},
		}},
		{"steps", s.tr("Steps"), []state{{normal, *s.steps("guide-steps"), true}}},
	}
}

// buttons is a row of buttons; it is of the styleguide only.
type buttons struct{ Buttons []Button }

func (buttons) template() string { return "sample_buttons" }

// opener is a dialog with the button that opens it; it is of the styleguide only.
type opener struct {
	Button Button
	Dialog Dialog
}

func (opener) template() string { return "sample_opener" }

func (s *sampleText) fieldGroups() []group {
	field := func(id, label string) Field { return Field{ID: "f-" + id, Name: id, Label: s.tr(label)} }
	with := func(f Field, change func(*Field)) Field {
		change(&f)
		return f
	}
	failed := with(field("error", "E-mail"), func(f *Field) {
		f.Value, f.Error = "sofia@", s.tr("Enter an e-mail address, such as name@example.org")
		f.Hint, f.Autocomplete = s.tr("We send the sign-in link there."), "email"
	})
	disabled := with(field("disabled", "Citizenship"), func(f *Field) { f.Disabled, f.Value = true, s.tr("Portugal") })
	readonly := with(field("readonly", "Reference"), func(f *Field) { f.ReadOnly, f.Value = true, "2027-00418" })
	long := with(field("long", "Name"), func(f *Field) { f.Value, f.Hint, f.Optional = s.longName(), s.longName(), true })
	yesNo := []Option{{Value: "yes", Text: s.tr("Yes"), Selected: true}, {Value: "no", Text: s.tr("No")},
		{Value: "?", Text: s.tr("Not stated"), Hint: s.tr("You can say it later."), Disabled: true}}
	upload := with(field("files", "Diploma"), func(f *Field) { f.Hint = s.tr("PDF, JPEG or PNG, up to 10 MB each") })
	return []group{
		{"text", s.tr("Text"), []state{
			{s.tr("Normal"), TextField{Field: with(field("text", "Given name"),
				func(f *Field) { f.Value, f.Autocomplete = "Sofia", "given-name" })}, true},
			{s.tr("Empty"), TextField{Field: with(field("none", "Middle name"), func(f *Field) { f.Optional = true })}, true},
			{s.tr("Error"), TextField{Field: failed, Type: "email"}, true},
			{s.tr("Disabled"), TextField{Field: disabled}, true},
			{s.tr("Read only"), TextField{Field: readonly}, true},
			{s.tr("Long text"), TextField{Field: long}, true},
		}},
		{"longtext", s.tr("Text of several lines"), []state{
			{s.tr("Normal"), LongText{Field: with(field("motivation", "Motivation"),
				func(f *Field) { f.Hint = s.tr("In your own words.") }), Limit: 4000}, true},
			{s.tr("Error"), LongText{Field: with(field("motivation-error", "Motivation"),
				func(f *Field) { f.Error = s.tr("Write at most 4,000 characters") }), Rows: 3}, true},
		}},
		{"choice", s.tr("Choice"), []state{
			{s.tr("Normal"), Select{Field: field("select", "Level"), Options: []Option{{Text: s.tr("Choose a level")},
				{Value: "1", Text: s.tr("Secondary school")}}}, true},
			{s.tr("Error"), Select{Field: with(field("select-error", "Level"),
				func(f *Field) { f.Error = s.tr("Choose a level") }), Options: []Option{{Text: s.tr("Choose a level")}}}, true},
			{s.tr("Disabled"), Select{Field: with(field("select-disabled", "Level"), func(f *Field) { f.Disabled = true }),
				Options: []Option{{Text: s.tr("Secondary school")}}}, true},
			{s.tr("Long text"), Select{Field: field("select-long", "Name"), Options: []Option{{Text: s.longName()}}}, true},
			{s.tr("Country"), Country{Field: with(field("country", "Country"),
				func(f *Field) { f.Autocomplete = "country-name" }), Options: s.countries("Portugal")}, true},
		}},
		{"choices", s.tr("Choices"), []state{
			{s.tr("One"), Choices{Field: field("one", "Did you interrupt these studies?"), Options: yesNo}, true},
			{s.tr("Several"), Choices{Field: with(field("several", "Status"),
				func(f *Field) { f.Hint = s.tr("Any number of them.") }), Multiple: true, Options: []Option{
				{Value: "1", Text: s.tr("Draft"), Count: s.Number(2214)}, {Value: "2", Text: s.tr("Submitted"),
					Count: s.Number(9846), Selected: true},
			}}, true},
			{s.tr("Consent"), Choices{Field: field("consent", "Data protection"), Text: s.tr(
				"Your data is used to decide about your application, and kept as long as the law says."),
				Read: &Link{Text: s.tr("Read all of it"), Href: "#choices"}, Options: yesNo[:2]}, true},
			{s.tr("Error"), Choices{Field: with(field("one-error", "Did you interrupt these studies?"),
				func(f *Field) { f.Error = s.tr("Choose yes or no") }), Options: yesNo[:2]}, true},
		}},
		{"dates", s.tr("Date"), []state{
			{s.tr("Normal"), DateField{Field: with(field("date", "Birth date"),
				func(f *Field) { f.Autocomplete, f.Hint = "bday", s.tr("For example, 27 3 2003") }), Day: "7", Month: "11",
				Year: "2004"}, true},
			{s.tr("Partial"), DateField{Field: field("month", "Enrolled"), Partial: true, Month: "9", Year: "2021"}, true},
			{s.tr("Error"), DateField{Field: with(field("date-error", "Birth date"),
				func(f *Field) { f.Error = s.tr("Enter the year as four digits, such as 2026") }), Day: "7", Month: "11",
				Year: "24", Wrong: []string{"year"}}, true},
			{s.tr("Disabled"), DateField{Field: with(field("date-disabled", "Birth date"), func(f *Field) { f.Disabled = true }),
				Day: "7", Month: "11", Year: "2004"}, true},
		}},
		{"money", s.tr("Money"), []state{
			{s.tr("Normal"), Money{Field: with(field("money", "Amount"), func(f *Field) { f.Value = "45.00" }), Currency: "EUR"},
				true},
			{s.tr("Error"), Money{Field: with(field("money-error", "Amount"),
				func(f *Field) { f.Value, f.Error = "450", s.tr("Only 45.00 EUR is open") }), Currency: "EUR"}, true},
		}},
		{"files", s.tr("Files"), []state{
			{s.tr("Empty"), FileField{Field: upload, Multiple: true, Accept: ".pdf,.jpg,.png"}, true},
			{s.tr("Files"), FileField{Field: with(upload, func(f *Field) { f.ID, f.Name = "f-files-2", "files-2" }),
				Multiple: true, Files: []FileState{
					{Name: "diploma.pdf", Meta: "1.2 MB", Done: 100, Remove: &Button{Text: s.tr("Remove"), About: "diploma.pdf",
						Small: true, Plain: true, Danger: true}},
					{Name: "transcript-of-records-with-a-very-long-name-2019-2023-signed-and-sealed.pdf", Meta: "8.4 MB, 40 %",
						Done: 40, Remove: &Button{Text: s.tr("Cancel"), About: "transcript", Small: true, Plain: true}},
					{Name: "photo.heic", Meta: "14 MB",
						Error: s.tr("This kind of file is not accepted. Send it as PDF, JPEG or PNG.")},
				}}, true},
			{s.tr("Disabled"), FileField{Field: with(upload, func(f *Field) {
				f.ID, f.Name, f.Disabled = "f-files-3", "files-3",
					true
			})}, true},
		}},
		{"ordered", s.tr("Courses"), []state{
			{s.tr("Normal"), Ordered{Name: "column", Label: s.tr("Name"), Items: []OrderedItem{
				{Value: "1", Text: s.longName(), Field: with(field("header-1", "Name"), func(f *Field) { f.Value = s.longName() }),
					Buttons: []Button{{Text: s.tr("Remove"), Small: true}}},
				{Value: "2", Text: s.tr("Amount"), Field: with(field("header-2", "Name"), func(f *Field) {
					f.Error = s.tr("Only 45.00 EUR is open")
				}), Buttons: []Button{{Text: s.tr("Remove"), Small: true}}}}}, true},
		}},
		{"letters", s.tr("Letter"), []state{
			{s.tr("Normal"), s.letter(), true},
			{s.tr("Preview"), s.preview(), true},
		}},
	}
}

func (s *sampleText) listGroups() []group {
	table := s.applicationTable(5)
	plain := Table{Caption: s.tr("Fees"), Columns: []Column{{Title: s.tr("Name"), Place: "main"},
		{Title: s.tr("Amount"), Num: true, Place: "meta"}}, Rows: []Row{
		{Cells: []Cell{{Text: s.tr("Application fee"), Href: s.at("")}, {Text: s.Money(4500,
			"EUR")}}}, {Cells: []Cell{{Text: s.longName()}, {Text: s.Money(123456789, "EUR")}}},
	}}
	return []group{
		{"table", s.tr("Table"), []state{
			{s.tr("With selection"), listOf{table}, false}, {s.tr("Plain"), listOf{plain}, false}, {s.tr("Empty"),
				Table{Empty: s.empty()}, false},
		}},
		{"filters", s.tr("Filters"), []state{
			{s.tr("Pane"), s.filterPane("guide-filters"), true},
			{s.tr("Opens on narrow screens"), buttons{[]Button{{Text: s.tr("Filters"), Icon: "filter", Target: "guide-filters",
				Small: true, Narrow: true}}}, false},
			{s.tr("Active filters"), s.chips(), false},
			{s.tr("Long text"), Chips{Chips: []Chip{{s.tr("Name"), s.longName(), s.at("applications")}}}, false},
			{s.tr("Selected rows"), *table.Bulk, false},
			{s.tr("Many actions"), s.manyActions(), false},
			{s.tr("Nothing selected"), Bulk{Actions: []Button{{Text: s.tr("Set flag"), Small: true}}}, false},
			{s.tr("Pages"), s.pager(), false},
		}},
	}
}

// manyActions is a bar with more actions than stand in it.
func (s *sampleText) manyActions() Bulk {
	b := Bulk{Selected: 2}
	for _, text := range []string{"Create task", "Write message", "Set flag", "Freeze", "Matriculate", "Close …"} {
		b.Actions = append(b.Actions, Button{Text: s.tr(text), Small: true})
	}
	return b
}

// listOf surrounds a table as a list does; it is of the styleguide only.
type listOf struct{ Table Table }

func (listOf) template() string { return "sample_list" }

func (s *sampleText) recordGroups() []group {
	viewer := Viewer{
		Documents: []Document{
			{Name: "diploma.pdf", Meta: s.tr("Diploma, 1.2 MB"), Href: s.at(""), Current: true},
			{Name: "a-photo-with-a-very-long-name-from-a-telephone-2027-03-24.jpg", Meta: s.tr("Photo, 0.3 MB"), Href: s.at("")},
		},
		Name: "diploma.pdf", Frame: StyleguidePath + "/letter.txt", Download: StyleguidePath + "/letter.txt",
	}
	picture, unseen := viewer, viewer
	viewer.Aside = []Component{Words{Text: s.tr("Diploma, 1.2 MB")}}
	picture.Frame, picture.Image, picture.Alt, picture.Name = "", StyleguidePath+"/photo.png", s.tr("A photo"), "photo.png"
	turned := picture
	turned.Name, turned.Turn, turned.Zoom, turned.Open = "photo-turned.png", 90, 150, picture.Image
	unseen.Frame, unseen.Reason, unseen.Name = "",
		s.tr("Files of this kind are not shown here. Download the file to read it."), "letter.docx"
	confirmation := s.confirmation()
	return []group{
		{"head", s.tr("Head of a record"), []state{
			{s.tr("Long text"), Box{Title: s.longName(), Parts: []Component{Notice{Tone: Info,
				Text: s.tr("Heads of pages are on the sample pages: each has one h1.")}}}, false},
			{s.tr("Normal"), Sortable{Boxes: []Box{{Title: "1. " + s.longName(), Move: s.at("")},
				{Title: "2. " + s.tr("Offer type"), Move: s.at("")}}}, false},
		}},
		{"facts", s.tr("Facts"), []state{{s.tr("Normal"), KeyValues{Facts: []KeyValue{
			{Key: s.tr("Applicant ID"), Value: "48213"}, {Key: s.tr("E-mail"), Value: "s.almeida@example.org",
				Href: "mailto:s.almeida@example.org"},
			{Key: s.tr("Telephone")}, {Key: s.tr("Name"), Value: s.longName()},
		}}, false}}},
		{"timeline", s.tr("Timeline"), []state{{s.tr("Normal"), s.former(), false}}},
		{"notes", s.tr("Notes"), []state{
			{s.tr("Normal"), Note{Colour: "yellow", ColourName: s.tr("Yellow"), Author: s.tr("Marta Reis"),
				Time: s.Time(sampleDay()), Text: s.tr("Called on Tuesday. Sends the diploma next week."), Pinned: true,
				Actions: []Button{{Text: s.tr("Edit"), Small: true}, {Text: s.tr("Remove"), Small: true, Danger: true,
					Plain: true}}}, false},
			{s.tr("Long text"), Note{Colour: "red", ColourName: s.tr("Red"), Author: s.longName(), Time: s.Time(sampleDay()),
				Text: s.longName()}, false},
		}},
		{"viewer", s.tr("Document viewer"), []state{
			{s.tr("Frame"), viewer, false}, {s.tr("Image"), picture, false}, {s.tr("Rotated"), turned, false},
			{s.tr("Not shown"), unseen, false},
			{s.tr("Empty"), Viewer{Empty: Empty{Icon: "file", Title: s.tr("No documents"),
				Text: s.tr("Documents appear when the applicant sends them.")}}, false},
		}},
		{"diff", s.tr("Differences"), []state{{s.tr("Normal"), Diff{s.tr("Changes since the default"), []DiffLine{
			{"", "Dear %applicant-GivenName%,"}, {"-", "we are pleased to offer you a place."}, {"+",
				"we are glad to offer you a place in %course-FullName%."},
		}}, false}}},
		{"secret", s.tr("Code shown once"), []state{{s.tr("Normal"), Secret{ID: "sample-key", Label: s.tr("API key"),
			Code: "adm_EXAMPLE_EXAMPLE_EXAMPLE", Hint: s.tr("It is shown once. Store it now.")}, true}}},
		{"qr", s.tr("QR code"), []state{{s.tr("Normal"), QR{s.tr("QR code"), sampleSquares()}, true}}},
		{"confirmation", s.tr("Confirmation"), []state{{s.tr("Consequences"),
			Box{Title: confirmation.Title, Parts: []Component{KeyValues{Facts: []KeyValue{{Key: s.tr("Undo"),
				Value: confirmation.Undo}}}}}, true}}},
	}
}

func (s *sampleText) plotGroups() []group {
	none := Empty{Icon: "chart-column", Title: s.tr("Nothing to count yet"),
		Text: s.tr("Numbers appear with the first application.")}
	one := s.days("one-day", 1)
	longBars := Bars{Title: s.tr("Long text"), Label: s.tr("Name"), Series: []string{s.tr("Applications")},
		Rows: []BarRow{{Label: s.longName(), Values: []int{500000}}, {Label: s.tr("None"), Values: []int{0}}}}
	inTable := Table{Caption: s.tr("Form"), Columns: []Column{{Title: s.tr("Name"), Place: "main"},
		{Title: s.tr("Applications")}}, Rows: []Row{{Cells: []Cell{{Text: s.longName()},
		{Parts: []Component{Bar{Value: 2, Whole: 3}}}}}}}
	return []group{
		{"bars", s.tr("Bars"), []state{
			{s.tr("Normal"), s.citizenship(), false}, {s.tr("Stacked"), s.offersByType(), false}, {s.tr("Funnel"), s.funnel(),
				false},
			{s.tr("Long text"), longBars, false}, {s.tr("Empty"), Bars{Empty: none}, false}, {s.tr("Table"), inTable, false},
		}},
		{"lines", s.tr("Lines"), []state{
			{s.tr("Normal"), s.days("guide-days", 90), false}, {s.tr("One day"), one, false}, {s.tr("Empty"), Lines{Empty: none},
				false},
		}},
		{"figures", s.tr("Figures"), []state{{s.tr("Normal"), s.figures(), false}}},
	}
}

// sampleSquares look like a QR code, and are none.
func sampleSquares() (rows [][]bool) {
	for y := range 21 {
		row := make([]bool, 21)
		for x := range row {
			row[x] = (x*x+3*x*y+y*y*5)%7 < 3
			for _, corner := range [][2]int{{0, 0}, {14, 0}, {0, 14}} {
				if dx, dy := x-corner[0]-3, y-corner[1]-3; max(dx, -dx, dy, -dy) <= 3 {
					ring := max(dx, -dx, dy, -dy)
					row[x] = ring != 2
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}
