package ui

import "strconv"

// offerPage is the offer editor.
type offerPage struct {
	Crumbs       Breadcrumb
	Head         CardHead
	Tabs         Tabs
	Type, Reason Select
	Subject      TextField
	Letter       Letter
	Answer       DateField
	Actions      []Button
	Saved        string
	PreviewTitle string
	Preview      Preview
	Unknown      Notice
	EffectsTitle string
	Effects      []Effect
	FormerTitle  string
	Former       Timeline
}

func (s *sampleText) cardHead() CardHead {
	submitted := s.status("Submitted")
	submitted.Text = s.tr("Submitted 24 March 2027")
	return CardHead{
		Title: s.tr("Sofia Almeida"), ID: "48213", Initials: "SA",
		Tags: []Tag{submitted, {Text: s.tr("Frozen"), Icon: "snowflake", Tone: Info}, {Text: s.tr("Scholarship")}},
		Actions: []Button{
			{Text: s.tr("Previous"), Icon: "chevron-left", Href: s.at("offer"), Small: true},
			{Text: s.tr("Next"), Icon: "chevron-right", After: true, Href: s.at("offer"), Small: true},
		},
	}
}

func (s *sampleText) tabs() Tabs {
	tabs := Tabs{Label: s.tr("Application")}
	for i, name := range []string{"Overview", "Form", "Courses and offers", "Tasks", "Documents", "Scores", "Invoices",
		"E-mails", "Notes", "History"} {
		link := Link{Text: s.tr(name), Href: s.at("offer"), Current: i == 2}
		if n := []int{0, 0, 2, 1, 7, 3, 1, 4, 2, 38}[i]; n > 0 {
			link.Count = strconv.Itoa(n)
		}
		tabs.Links = append(tabs.Links, link)
	}
	return tabs
}

func (s *sampleText) letter() Letter {
	return Letter{
		Field: Field{ID: "letter", Name: "letter", Label: s.tr("Letter"), Value: `Dear %applicant-GivenName%,

we are pleased to offer you a place in *%course-FullName%* at %institution-Name%, starting %intake-Commence%.

This offer is conditional:

* a certified copy of your final diploma by %offer-Deadlin%
* proof of English at level C1

Please answer in your "portal":https://apply.example.org/my.`},
		Markers: []string{"%applicant-GivenName%", "%course-FullName%", "%institution-Name%", "%intake-Commence%",
			"%offer-DecisionDeadline%", "%offer-Reason%"},
	}
}

func (s *sampleText) preview() Preview {
	return Preview{Label: s.tr("Letter"), Lang: "en", Plain: "Dear Sofia,", Blocks: []LetterBlock{
		{Parts: []LetterPart{{Text: "Dear Sofia,"}}},
		{Parts: []LetterPart{{Text: "we are pleased to offer you a place in "}, {Text: "Computer Science (MSc)", Bold: true},
			{Text: " at University of Porto Alto, starting 13 September 2027."}}},
		{Parts: []LetterPart{{Text: "This offer is conditional:"}}},
		{Items: [][]LetterPart{
			{{Text: "a certified copy of your final diploma by "}, {Text: "%offer-Deadlin%", Unknown: true}},
			{{Text: "proof of English at level C1"}},
		}},
		{Parts: []LetterPart{{Text: "Please answer in your "}, {Text: "portal", Href: s.at("form")}, {Text: "."}}},
	}}
}

func (s *sampleText) former() Timeline {
	return Timeline{[]Event{
		{Title: s.tr("Waiting list"), Text: s.tr("confirmed by Marta Reis"),
			Time: s.tr("2 April 2027, 10:14 · delivered, opened"), Machine: "2027-04-02T10:14:00+01:00", Tone: OK},
		{Title: s.tr("No offer yet"), Time: s.tr("24 March 2027, 09:02"), Machine: "2027-03-24T09:02:00Z"},
	}}
}

func (s *sampleText) answerBy() DateField {
	return DateField{
		Field: Field{ID: "answer", Name: "answer", Label: s.tr("Answer by"),
			Hint: s.tr("Proposed: 21 days after confirming (intake policy)")},
		Day: "12", Month: "6", Year: "2027",
	}
}

func sampleOffer(s *sampleText) *Page {
	return &Page{Title: s.tr("Offer") + " 9917, " + s.tr("Sofia Almeida"), Frame: s.admin("Browse"), Main: offerPage{
		Crumbs: Breadcrumb{[]Link{
			{Text: s.tr("Applications"), Href: s.at("applications")},
			{Text: "48213 " + s.tr("Sofia Almeida"), Href: s.at("offer")},
			{Text: s.tr("Offer") + " MSC-CS", Current: true},
		}},
		Head: s.cardHead(), Tabs: s.tabs(),
		Type: Select{Field: Field{ID: "type", Name: "type", Label: s.tr("Offer type")}, Options: []Option{
			{Value: "4", Text: s.tr("Conditional"), Selected: true}, {Value: "5", Text: s.tr("Admitted")}, {Value: "6",
				Text: s.tr("Rejected")},
		}},
		Reason: Select{Field: Field{ID: "reason", Name: "reason", Label: s.tr("Reason")},
			Options: []Option{{Value: "1", Text: s.tr("Diploma outstanding")}}},
		Subject: TextField{Field: Field{ID: "subject", Name: "subject", Label: s.tr("Subject"),
			Value: "Your application to %course-FullName%"}},
		Letter: s.letter(), Answer: s.answerBy(),
		Actions: []Button{
			{Text: s.tr("Confirm and send letter"), Primary: true, Name: "do", Value: "confirm"},
			{Text: s.tr("Save"), Name: "do", Value: "save", Busy: s.tr("Saving …")},
		},
		Saved:        s.tr("Draft kept at 14:32:05"),
		PreviewTitle: s.tr("What Sofia will read"), Preview: s.preview(),
		Unknown: Notice{Tone: Bad,
			Text: s.tr("The marker %offer-Deadlin% is unknown. Did you mean %offer-DecisionDeadline%?")},
		EffectsTitle: s.tr("What confirming does"),
		Effects: []Effect{
			{"mail", s.tr("The letter goes to s.almeida@example.org, with a copy to 2 addresses.")},
			{"snowflake", s.tr("The application will be frozen.")},
			{"clock", s.tr("Sofia will be asked to answer by 12 June 2027, 23:59 (Europe/Lisbon).")},
		},
		FormerTitle: s.tr("Former letters"), Former: s.former(),
	}}
}
