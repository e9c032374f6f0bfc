package ui

// dashboardPage is the dashboard.
type dashboardPage struct {
	Title, Time string
	Figures     Figures
	Days        Lines
	Bars        []Bars
	AheadTitle  string
	Ahead       Timeline
	WorkTitle   string
	Work        KeyValues
}

// days is a plot of ninety days with weekly waves, invented but always the same.
func (s *sampleText) days(id string, n int) Lines {
	p := NewLines(s.Locale, sampleDay().AddDate(0, 0, 1-n), n)
	p.ID, p.Title = id, s.tr("Applications per day")
	p.Description = s.tr("Created and submitted applications of the last 90 days; both rise towards the deadlines of May.")
	created, submitted := LineSeries{Name: s.tr("Created")}, LineSeries{Name: s.tr("Submitted")}
	for i := range n {
		wave := []int{0, 18, 34, 29, 12, -22, -30}[i%7]
		v := max(70+i*i/40+wave+(i*37)%19, 0)
		created.Values, submitted.Values = append(created.Values, v), append(submitted.Values, v*(45+i%9)/100)
	}
	p.Series = []LineSeries{created, submitted}
	return p
}

func (s *sampleText) funnel() Bars {
	b := Bars{Title: s.tr("Funnel"), Label: s.tr("Step"), Series: []string{s.tr("Applications")}, Share: true}
	for i, name := range []string{"All", "Submitted at least once", "Confirmed offer", "Accepted", "Matriculated"} {
		b.Rows = append(b.Rows, BarRow{Label: s.tr(name), Href: s.at("applications"),
			Values: []int{[]int{14160, 10544, 4180, 811, 402}[i]}})
	}
	return b
}

func (s *sampleText) offersByType() Bars {
	b := Bars{Title: s.tr("Offers by type"), Label: s.tr("Type"), Series: []string{s.tr("Confirmed"), s.tr("Unconfirmed")},
		Stacked: true}
	for i, name := range []string{"Admitted", "Conditional", "Waiting list", "Rejected"} {
		b.Rows = append(b.Rows, BarRow{Label: s.tr(name), Links: []string{s.at("applications"), s.at("applications")},
			Values: [][]int{{980, 224}, {300, 88}, {400, 112}, {2500, 240}}[i]})
	}
	return b
}

func (s *sampleText) citizenship() Bars {
	b := Bars{Title: s.tr("Citizenship"), Label: s.tr("Country"), Series: []string{s.tr("Applicants")}}
	for i, name := range []string{"Portugal", "Brazil", "Nigeria", "India", "Türkiye", "Ukraine", "Other countries"} {
		b.Rows = append(b.Rows, BarRow{Label: s.tr(name), Href: s.at("applications"),
			Values: []int{[]int{5120, 2304, 1650, 1208, 640, 415, 2823}[i]}})
	}
	return b
}

func (s *sampleText) figures() Figures {
	f := Figures{}
	for i, name := range []string{"Applicants", "Not yet submitted", "Submitted", "Final acceptances"} {
		f.Figures = append(f.Figures, Figure{
			Label: s.tr(name), Value: s.Number([]int{12904, 3616, 10544, 811}[i]),
			Change: s.tr([]string{"+412 in 7 days", "−38 in 7 days", "+655 in 7 days",
				"+96 in 7 days"}[i]), Href: s.at("applications"),
		})
	}
	return f
}

func sampleDashboard(s *sampleText) *Page {
	return &Page{Title: s.tr("Dashboard"), Frame: s.admin("Dashboard"), Main: dashboardPage{
		Title: s.tr("Dashboard"), Time: s.tr("Numbers of 14:32:05"),
		Figures: s.figures(), Days: s.days("days", 90), Bars: []Bars{s.funnel(), s.offersByType(), s.citizenship()},
		AheadTitle: s.tr("Deadlines ahead"),
		Ahead: Timeline{[]Event{
			{Title: s.Date(sampleDay().AddDate(0, 0, 3)), Text: s.tr("Intake deadline for Africa and Asia"),
				Time: s.tr("in 3 days"), Tone: Warn},
			{Title: s.Date(sampleDay().AddDate(0, 0, 10)), Text: s.tr("Answers to 41 offers are due"), Time: s.tr("in 10 days")},
			{Title: s.Date(sampleDay().AddDate(0, 0, 25)), Text: s.tr("Intake deadline for the European Union"),
				Time: s.tr("in 25 days")},
		}},
		WorkTitle: s.tr("My work"),
		Work: KeyValues{Counts: true, Facts: []KeyValue{
			{Key: s.tr("Changed by the applicant"), Value: "12", Href: s.at("applications")},
			{Key: s.tr("Tasks handed in"), Value: "37", Href: s.at("applications")},
			{Key: s.tr("Unconfirmed changes"), Value: "4", Href: s.at("offer")},
			{Key: s.tr("Failed e-mails"), Tags: []Tag{{Text: "1", Icon: "circle-alert", Tone: Bad}}},
		}},
	}}
}
