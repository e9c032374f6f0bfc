package ui

import (
	"strconv"
	"strings"
	"time"
)

// sampleDay is the time of all samples.
func sampleDay() time.Time { return time.Date(2027, 4, 20, 14, 32, 5, 0, time.UTC) }

// person is an invented applicant with an application.
type person struct {
	name, country, status string
	choices               []Choice
	submitted, flag       string
	tasks                 int
}

func (s *sampleText) status(name string) Tag {
	looks := map[string]Tag{
		"Draft":     {Icon: "pencil"},
		"Submitted": {Icon: "check", Tone: OK},
		"Reopened":  {Icon: "rotate-ccw", Tone: Info},
		"Inactive":  {Icon: "clock", Tone: Warn},
		"Withdrawn": {Icon: "undo-2"},
		"Closed":    {Icon: "ban", Tone: Bad},
	}
	tag := looks[name]
	tag.Text = s.tr(name)
	return tag
}

// offers makes choices of "BSC-EE Admitted, BA-PHIL".
func (s *sampleText) offers(text string) (choices []Choice) {
	colours := map[string]string{"No offer yet": "#8A94A0", "Conditional": "#2F6FDE", "Rejected": "#C0392B",
		"Admitted": "#1E8E4E", "Waiting list": "#B7791F"}
	for item := range strings.SplitSeq(text, ", ") {
		course, offer, _ := strings.Cut(item, " ")
		if offer != "" {
			offer = s.tr(offer)
		}
		_, english, _ := strings.Cut(item, " ")
		choices = append(choices, Choice{Course: course, Offer: offer, Colour: colours[english]})
	}
	return choices
}

func (s *sampleText) people() []person {
	return []person{
		{"Ingrid Okafor", "NG", "Draft", s.offers("BA-PHIL"), "", "Scholarship", 0},
		{"Olena Lindqvist", "SE", "Inactive", s.offers("MA-IR, MBA-INT, MSC-CS"), "", "", 1},
		{"Hana Yıldız", "TR", "Submitted", s.offers("MBA-INT No offer yet"), "2027-04-18", "", 3},
		{"María del Rosario Fernández de la Vega y Montenegro", "ES", "Submitted",
			s.offers("BSC-EE Conditional, BA-PHIL Rejected"), "2027-04-16", "Check ID", 1},
		{"Luca Văn An", "VN", "Submitted", s.offers("MA-IR Conditional, MBA-INT No offer yet, MSC-CS No offer yet"),
			"2027-03-24", "", 2},
		{"Priya Kowalczyk", "PL", "Reopened", s.offers("MA-IR No offer yet, MBA-INT No offer yet"), "2027-03-28", "", 0},
		{"سارة عبد الرحمن القحطاني", "SA", "Submitted", s.offers("BSC-EE Conditional, BA-PHIL Rejected"), "2027-02-07",
			"Scholarship", 0},
		{"Ingrid Pereira", "BR", "Inactive", s.offers("BSC-EE, BA-PHIL, MSC-DS"), "", "", 3},
		{"Mateusz Pereira", "BR", "Submitted", s.offers("MSC-DS Rejected"), "2027-01-26", "", 1},
		{"Aoife Pereira", "BR", "Submitted", s.offers("MSC-BIO No offer yet, MSC-FIN Admitted"), "2027-03-20", "Late", 0},
		{"Yusuf Dlamini", "ZA", "Withdrawn", s.offers("MSC-FIN No offer yet"), "2027-04-06", "", 0},
		{"Olena Zhang", "CN", "Submitted", s.offers("BSC-EE Waiting list, BA-PHIL Rejected"), "2027-02-21", "", 0},
		{"Kofi Haugen", "NO", "Closed", s.offers("BA-PHIL Waiting list, MSC-DS Rejected"), "2027-03-24", "", 1},
		{"Mei Kovalenko", "UA", "Submitted", s.offers("MSC-DS Admitted"), "2027-01-14", "", 0},
	}
}

// applicationTable is a list with a selection.
func (s *sampleText) applicationTable(rows int) Table {
	t := Table{
		Caption: s.tr("Applications"), Pick: true, Action: s.at("confirm"),
		Columns: []Column{
			{Title: s.tr("ID"), Sort: s.with("sort", "id"), Order: "descending", Muted: true, Place: "meta"},
			{Title: s.tr("Applicant"), Sort: s.with("sort", "name"), Place: "main"},
			{Title: s.tr("Status"), Sort: s.with("sort", "status")},
			{Title: s.tr("Courses and offers")},
			{Title: s.tr("Submitted"), Sort: s.with("sort", "submitted"), Place: "label"},
			{Title: s.tr("Flags")},
			{Title: s.tr("Tasks"), Num: true, Place: "label"},
		},
		Bulk: &Bulk{
			Selected: 2, All: s.tr("All 1,284 matching"),
			Groups: []BulkGroup{{Select: Select{Field: Field{ID: "bulk-flag", Name: "flag", Label: s.tr("Flags")},
				Options: []Option{{Value: "1", Text: s.tr("Scholarship")}}},
				Actions: []Button{{Text: s.tr("Set flag"), Small: true}}}},
			Actions: []Button{
				{Text: s.tr("Create task"), Small: true}, {Text: s.tr("Write message"),
					Small: true},
				{Text: s.tr("Freeze"), Small: true}, {Text: s.tr("Close …"), Small: true, Danger: true},
			},
		},
	}
	for i, p := range s.people()[:rows] {
		id := strconv.Itoa(48213 - 7*i)
		row := Row{ID: id, Label: s.tr("application") + " " + id, Selected: i == 1 || i == 4, Cells: []Cell{
			{Text: id}, {Text: p.name, Href: s.at("offer"),
				Note: p.country}, {Tags: []Tag{s.status(p.status)}}, {Choices: p.choices},
			{Text: p.submitted}, {}, {},
		}}
		if p.flag != "" {
			row.Cells[5].Tags = []Tag{{Text: s.tr(p.flag)}}
		}
		if p.tasks > 0 {
			row.Cells[6].Text = strconv.Itoa(p.tasks)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// filterPane is the pane of the applications browser. Its statuses add up to all applications of the term.
func (s *sampleText) filterPane(id string) Filters {
	group := func(name, label string, counts ...any) Choices {
		f := Choices{Field: Field{ID: id + "-" + name, Name: name, Label: s.tr(label)}, Multiple: true}
		for i := 0; i < len(counts); i += 2 {
			n, _ := counts[i+1].(int)
			text, _ := counts[i].(string)
			f.Options = append(f.Options, Option{Value: strings.ToLower(text), Text: s.tr(text), Count: s.Number(n)})
		}
		return f
	}
	progress := group("progress", "Progress", "Draft", 2214, "Submitted", 9846, "Reopened", 118, "Inactive", 1402,
		"Withdrawn", 377, "Closed", 203)
	progress.Options[1].Selected = true
	return Filters{
		ID: id, Action: s.at("applications"), Clear: s.at("applications"), Applies: s.tr("Apply filters"),
		Kept: KeptViews{ID: id + "-kept", Title: s.tr("Kept views"), Views: []KeptView{
			{Link: Link{Text: s.tr("To be answered"), Href: s.at("applications"), Current: true},
				Change: Link{Text: s.tr("Change “To be answered”"), Href: s.at("applications")}},
			{Link: Link{Text: s.tr("Late documents"), Href: s.at("applications"), Muted: s.tr("for everybody")}}}},
		Fields: []Component{
			progress,
			Facets{ID: id + "-facets", Title: s.tr("Offers"), Groups: []FacetGroup{
				{Dot{s.tr("Admitted"), "#1E8E4E"}, []Link{{Text: s.tr("12 unconfirmed"), Href: s.at("applications")},
					{Text: s.tr("980 confirmed"), Href: s.at("applications"), Current: true}}},
				{Dot{s.tr("Waiting list"), "#B7791F"}, []Link{{Text: s.tr("512 confirmed"), Href: s.at("applications")}}},
			}},
			group("offer", "Offer", "Admitted", 1204, "Conditional", 388, "Waiting list", 512, "Rejected", 2740, "No offer yet",
				5002),
			group("decision", "Decision", "Final", 811, "Declined", 122, "Undecided", 655),
			Select{Field: Field{ID: id + "-institution", Name: "institution", Label: s.tr("Institution")},
				Options: []Option{{Text: s.tr("Any institution")}}},
			Select{Field: Field{ID: id + "-course", Name: "course", Label: s.tr("Course")},
				Options: []Option{{Text: s.tr("Any course")}}},
			TextField{Field: Field{ID: id + "-text", Name: "text", Label: s.tr("Text in application")}},
		},
	}
}

func (s *sampleText) chips() Chips {
	return Chips{Clear: s.at("applications"), Chips: []Chip{
		{s.tr("Status"), s.tr("Submitted"), s.at("applications")},
		{s.tr("Changed since"), s.Date(sampleDay().AddDate(0, 0, -50)), s.at("applications")},
	}}
}

func (s *sampleText) pager() Pager {
	address := func(n int) string { return s.with("page", strconv.Itoa(n)) }
	p := Pager{
		Range: s.tr("51 to 100 of 1,284"), Previous: address(1), Next: address(3),
		Pages: PageLinks(2, 26, func(n int) string { return s.Number(n) }, address),
	}
	for _, n := range []int{25, 50, 100, 250} {
		p.Sizes = append(p.Sizes, PageLink{Text: s.Number(n), Href: s.with("size", strconv.Itoa(n)), Current: n == 50})
	}
	return p
}

// applicationsPage is the applications browser.
type applicationsPage struct {
	Filters Filters
	Head    ListHead
	Chips   Chips
	Table   Table
	Pager   Pager
}

func sampleApplications(s *sampleText) *Page {
	return &Page{Title: s.tr("Applications"), Frame: s.admin("Browse"), Main: applicationsPage{
		Filters: s.filterPane("filters"),
		Head: ListHead{
			Title: s.tr("Applications"), Strong: s.tr("1,284 applications"), Count: s.tr("of 14,160 in Autumn 2027"),
			FilterDrawer: "filters",
			Columns: &ColumnChooser{Name: "column", Action: s.at("applications"), Columns: []Option{
				{Value: "status", Text: s.tr("Status"), Selected: true}, {Value: "tasks", Text: s.tr("Tasks")}}},
			Actions: []Button{
				{Text: s.tr("Keep this view"), Icon: "bookmark", Href: s.at("applications"), Small: true},
				{Text: "CSV", Icon: "download", Href: s.at("applications"), Small: true},
			},
		},
		Chips: s.chips(), Table: s.applicationTable(len(s.people())), Pager: s.pager(),
	}}
}

// confirmPage asks before something happens.
type confirmPage struct {
	Crumbs       Breadcrumb
	Confirmation Confirmation
}

func (s *sampleText) confirmation() Confirmation {
	return Confirmation{
		Title: s.tr("Freeze 2 applications?"), Text: s.tr("Applicants can read a frozen application and cannot change it."),
		Effects: []Effect{
			{"snowflake", s.tr("2 applications will be frozen.")},
			{"mail", s.tr("Nobody is written to.")},
		},
		Undo: s.tr("You can unfreeze them at any time."),
		Fields: []Component{LongText{Field: Field{ID: "reason", Name: "reason", Label: s.tr("Reason"),
			Hint: s.tr("Staff read it in the history."), Optional: true}, Rows: 3, Limit: 500}},
		Action:  s.at("confirm"),
		Confirm: Button{Text: s.tr("Freeze 2 applications"), Primary: true, Busy: s.tr("Freezing …")},
		Back:    Link{Text: s.tr("Back to the list"), Href: s.at("applications")},
	}
}

func sampleConfirm(s *sampleText) *Page {
	return &Page{Title: s.tr("Freeze 2 applications?"), Frame: s.admin("Browse"), Main: confirmPage{
		Crumbs: Breadcrumb{[]Link{
			{Text: s.tr("Applications"), Href: s.at("applications")},
			{Text: s.tr("Freeze"), Current: true},
		}},
		Confirmation: s.confirmation(),
	}}
}
