package ranks

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// rowsToScore is how many applications of the sheet are listed on a page.
const rowsToScore = 25

// The lists of a sheet, in the address.
const (
	onlyMissing = "missing"
	onlyMine    = "mine"
)

// scorer is screens.md A27: one application of a sheet with what the sheet shows of it, and the fields of its score.
type scorer struct {
	*pages
	r      *site.Request
	t      query.ScoringSheet
	view   *site.View
	filter string
	lines  []query.ScoringLine // those of the page
	more   bool
	at     int64 // the score that is open
	c      query.ScoringCase
	words  []admitto.Classificator
}

// score opens an application of a sheet, or saves its score and goes to the next.
func (p *pages) score(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	s := &scorer{pages: p, r: r, view: r.View(false)}
	if s.t, err = p.Query.ScoringSheet(r.Context(), r.Reader(), id); err != nil {
		return err
	}
	r.SetTitle(r.T("scoring.title", "Name", s.t.Name))
	if filter := s.view.Get("show"); filter == onlyMissing || filter == onlyMine {
		s.filter = filter
	}
	if application := s.view.ID("application"); application != 0 {
		return s.find(application)
	}
	if r.Posted() && s.view.ID("at") == 0 { // points are never saved for what merely comes next
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if err := s.choose(); err != nil {
		return err
	}
	if s.at == 0 {
		return s.nothing()
	}
	if s.c, err = p.Query.ScoringCase(r.Context(), r.Reader(), id, s.at); err != nil {
		return err
	}
	if s.words, err = r.Classes(p.Query.Classificators(r.Context(), r.Reader())); err != nil {
		return err
	}
	r.KeepAt(r.At("scoring", id) + "?at=" + number(s.at)) // whatever else the address says
	f, err := r.Form(show.ScoreValues(&s.c.Score), s.c.RowVersion)
	if err != nil {
		return err
	}
	if r.Posted() && !s.isClosed() {
		if taken, err := s.take(f); taken || err != nil {
			return err
		}
	}
	return s.show(f)
}

// isClosed reports whether the reader may only look.
func (s *scorer) isClosed() bool { return s.t.Confirmed != 0 && !s.r.Reader().Has(admitto.ScorersEdit) }

// list selects what the list that is shown has after a score.
func (s *scorer) list(after int64, limit int) admitto.ScoreQuery {
	q := admitto.ScoreQuery{Scoresheet: s.t.ID, After: after, Limit: limit}
	switch s.filter {
	case onlyMissing:
		q.Scored = new(bool)
	case onlyMine:
		q.Scorer = s.r.Reader().Actor.ID
	}
	return q
}

func (s *scorer) read(q admitto.ScoreQuery) ([]query.ScoringLine, bool, error) {
	return s.Query.ScoringLines(s.r.Context(), s.r.Reader(), q)
}

// choose reads the page of the list, and says which score is open: the one of the address, else the first that waits
// for points.
func (s *scorer) choose() (err error) {
	after := s.view.ID("after")
	if s.at = s.view.ID("at"); s.at == 0 && after == 0 && s.filter == "" {
		waiting, _, err := s.read(admitto.ScoreQuery{Scoresheet: s.t.ID, Scored: new(bool), Limit: 1})
		if err != nil {
			return err
		}
		if len(waiting) > 0 {
			s.at = waiting[0].ID
		}
	}
	if s.lines, s.more, err = s.read(s.list(after, rowsToScore)); err != nil || len(s.lines) == 0 {
		return err
	}
	if s.at == 0 {
		s.at = s.lines[0].ID
		return nil
	}
	if first, last := s.lines[0].ID, s.lines[len(s.lines)-1].ID; s.at > last && s.more || s.at < first && after != 0 {
		s.lines, s.more, err = s.read(s.list(s.at-1, rowsToScore))
	}
	return err
}

// find opens the score of an application by its number.
func (s *scorer) find(application int64) error {
	found, _, err := s.read(admitto.ScoreQuery{Scoresheet: s.t.ID, Applications: []int64{application}, Limit: 1})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		s.r.Notify(ui.Info, s.r.T("scoring.not_found", "ID", number(application)))
		return s.r.Redirect(s.view.With("application", ""))
	}
	return s.r.Redirect(s.r.At("scoring", s.t.ID) + "?at=" + number(found[0].ID))
}

// take saves what was typed; taken is false where something is wrong with it.
func (s *scorer) take(f *site.Form) (taken bool, err error) {
	r, change := s.r, scoring.ScoreChange{Fields: admitto.ScorePoints, Scorers: s.r.Reader().Has(admitto.ScorersEdit)}
	change.Values.Scale = s.t.Scale
	clears := f.Has("clear")
	if !clears {
		change.Values, change.Fields = show.TypedScore(f, &s.t.Scoresheet)
		change.Whole = true
	}
	after := s.c.Score
	after.Take(change.Fields, &change.Values)
	if f.Failed() || after.Differs(&s.c.Score) != 0 { // who only goes on need not have what the sheet demands
		err = f.Store(func() error { return s.Scoring.ChangeScore(r.Context(), r.Caller(), s.t.ID, s.at, change) })
	}
	changed := site.Changed(err)
	refused, err := f.Refused(err, nil)
	switch {
	case err != nil:
		return false, err
	case changed:
		return false, s.meanwhile(f)
	case refused:
		return false, nil
	case clears:
		r.Notify(ui.OK, r.T("scoring.cleared", "Name", s.title()))
		return true, r.Redirect(s.view.With("at", number(s.at)))
	}
	return true, s.next(after.Points != nil)
}

// meanwhile lets the reader choose between what was typed and what another scorer has saved (screens.md U10).
func (s *scorer) meanwhile(f *site.Form) error {
	r := s.r
	var events []admitto.EventFilter
	for _, pattern := range []admitto.Pattern{admitto.ScorePointsSet, admitto.ScorePointsCleared,
		admitto.ScoreCommentsSet,
		admitto.ScoreCommentsCleared, admitto.ScoreDetailsSet} {
		events = append(events, admitto.EventFilter{Pattern: pattern})
	}
	who, at, err := s.Query.LastEdit(r.Context(), r.Reader(), events, func(of *admitto.Record) bool {
		return of.Links.Score == s.at
	})
	if err != nil {
		return err
	}
	if at == 0 {
		at = r.Now()
	}
	f.Meanwhile(show.ScoreValues(&s.c.Score), s.c.RowVersion, cmp.Or(who, s.c.Scorer, r.T("record.somebody")),
		r.Clock(at), show.ScoreFields(&s.t.Scoresheet)...)
	return nil
}

// next goes to the application after this one in the list; after the last one, to those that were left out.
func (s *scorer) next(scored bool) error {
	r := s.r
	found, _, err := s.read(s.list(s.at, 1))
	if err != nil {
		return err
	}
	if scored {
		r.Notify(ui.OK, r.T("scoring.saved_one", "Name", s.title()))
	}
	if len(found) > 0 {
		after := s.view.Get("after")
		if n := len(s.lines); n > 0 && found[0].ID > s.lines[n-1].ID {
			after = number(s.lines[n-1].ID)
		}
		return r.Redirect(s.view.With("at", number(found[0].ID), "after", after, "document", ""))
	}
	found, _, err = s.read(admitto.ScoreQuery{Scoresheet: s.t.ID, Scored: new(bool), Limit: 1})
	switch {
	case err != nil:
		return err
	case len(found) == 0:
		r.Notify(ui.OK, r.T("scoring.all_scored"))
	case found[0].ID != s.at:
		r.Notify(ui.Info, r.T("scoring.at_end"))
		return r.Redirect(s.view.With("at", number(found[0].ID), "after", "", "document", ""))
	}
	return r.Redirect(s.view.With("at", number(s.at)))
}

// title is what the application is called: by its number alone where the sheet does not show the name.
func (s *scorer) title() string { return s.titleOf(&s.c.ScoringLine) }

func (s *scorer) titleOf(line *query.ScoringLine) string {
	return cmp.Or(line.Name.Full(), s.r.T("scoring.application", "ID", number(line.Application)))
}

// tabs are the lists of the sheet.
func (s *scorer) tabs() ui.Tabs {
	r, at := s.r, s.r.At("scoring", s.t.ID)
	tab := func(filter, key string, count int64) ui.Link {
		link := ui.Link{Text: r.T(key), Href: at, Count: r.Number(int(count)), Current: s.filter == filter}
		if filter != "" {
			link.Href += "?show=" + filter
		}
		return link
	}
	return ui.Tabs{Label: r.T("scoring.lists"), Links: []ui.Link{tab("", "scoring.all", s.t.Use.Total),
		tab(onlyMissing, "scoring.missing", s.t.Use.Left), tab(onlyMine, "scoring.mine", s.t.Mine)}}
}

// nothing says that the list is empty.
func (s *scorer) nothing() error {
	r := s.r
	empty := ui.Empty{Icon: "clipboard-list", Title: r.T("scoring.none"), Text: r.T("scoring.none_text")}
	switch {
	case s.t.Use.Total > 0 && s.t.Use.Left == 0 && s.filter == onlyMissing:
		empty.Title, empty.Text = r.T("scoring.all_scored"), r.T("scoring.all_scored_text")
	case s.t.Use.Total > 0:
		empty.Title, empty.Text = r.T("scoring.none_here"), r.T("scoring.none_here_text")
	}
	if s.t.Use.Total > 0 {
		empty.Actions = []ui.Button{{Text: r.T("scoring.all"), Href: r.At("scoring", s.t.ID)}}
	}
	return site.CardPage{Head: ui.CardHead{Title: s.t.Name, Initials: "–", Actions: s.ofSheet()}, Tabs: s.tabs(),
		Parts: []ui.Component{s.progress(), empty}}.Show(r)
}

// ofSheet leads to the sheet.
func (s *scorer) ofSheet() []ui.Button {
	return show.Small(s.r.Buttons(site.Do("scoresheet", s.t.ID)))
}

func (s *scorer) progress() ui.Component {
	return ui.Progress{Label: s.t.Name, Done: int(s.t.Use.Scored()), Of: int(s.t.Use.Total),
		Text: scoredOf(s.r, s.t.Use)}
}

// show answers with the page.
func (s *scorer) show(f *site.Form) error {
	r, c := s.r, &s.c
	head := ui.CardHead{Title: s.title(), ID: number(c.Application), Initials: show.Initials(c.Name),
		Tags: []ui.Tag{s.state()}}
	if c.Name.Full() == "" {
		head.ID, head.Initials = "", "#"
	}
	if c.Photo {
		head.Photo = r.At("scoring-photo", s.t.ID, s.at)
	}
	if c.Course != "" {
		head.Links.Links = append(head.Links.Links, ui.Link{Text: c.Course})
	}
	if !s.t.Due.IsZero() && s.t.Confirmed == 0 {
		head.Links.Links = append(head.Links.Links, ui.Link{Text: r.T("scoring.due", "Day", show.Date(r, s.t.Due))})
	}
	if r.May("application-scores") {
		head.Actions = append(head.Actions, ui.Button{Text: r.T("scoring.open"), Small: true,
			Href: r.At("application-scores", c.Application)})
	}
	head.Actions = append(head.Actions, s.ofSheet()...)
	parts := []ui.Component{s.progress()}
	if s.isClosed() {
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.Say(message.Of("sheet-confirmed"))})
	}
	if s.t.Instructions != "" {
		parts = append(parts, ui.Fold{Title: r.T("sheet.instructions"), Open: true,
			Parts: []ui.Component{ui.Prose{Text: s.t.Instructions}}})
	}
	parts = append(parts, s.work(f)...)
	parts = append(parts, s.others()...)
	return site.CardPage{Head: head, Tabs: s.tabs(), Parts: parts}.Show(r)
}

// state says whether there are points, and who gave them.
func (s *scorer) state() ui.Tag {
	r, c := s.r, &s.c
	switch {
	case c.Points == nil:
		return ui.Tag{Text: r.T("score.waiting"), Icon: "clock"}
	case c.Scorer == "":
		return ui.Tag{Text: r.T("scoring.scored", "Points", pointsOf(&c.Score)), Icon: "check", Tone: ui.OK}
	}
	return ui.Tag{Text: r.T("scoring.scored_by", "Points", pointsOf(&c.Score), "Who", c.Scorer), Icon: "check",
		Tone: ui.OK}
}

// pointsOf are the points of a score with their label.
func pointsOf(v *admitto.Score) string {
	if label := v.Mapped(); label != "" {
		return label + " (" + v.Text(admitto.ScorePoints) + ")"
	}
	return v.Text(admitto.ScorePoints)
}

// fields is the form of the score, or what it has where it is closed.
func (s *scorer) fields(f *site.Form) ui.Component {
	r := s.r
	if s.isClosed() {
		var facts []ui.KeyValue
		values := show.ScoreValues(&s.c.Score)
		for _, of := range show.ScoreFields(&s.t.Scoresheet) {
			value := slices.Concat(values[of[0]], []string{""})[0]
			if of[0] == "date" {
				value = show.Date(r, s.c.Date)
			}
			facts = append(facts, ui.KeyValue{Key: r.T(of[1]), Value: value})
		}
		return ui.KeyValues{Facts: facts}
	}
	parts := show.ScoreForm(r, f, &s.t.Scoresheet, !f.Failed())
	buttons := []ui.Button{r.Save("scoring.press")}
	if s.c.Points != nil {
		buttons = append(buttons, ui.Button{Text: r.T("scoring.clear"), Name: "clear", Value: "yes"})
	}
	box := f.Box(buttons, parts...)
	box.Action = s.view.With("at", number(s.at))
	return box
}

// others are the applications of the list, one a row.
func (s *scorer) others() []ui.Component {
	r := s.r
	table := ui.Table{Caption: s.t.Name, Cards: true, Columns: []ui.Column{
		{Title: r.T("scoring.applicant"), Place: "main"}, {Title: r.T("scoring.points"), Place: "meta", Num: true},
		{Title: r.T("score.comments"), Place: "mail"}, {Title: r.T("score.scored"), Place: "label"}}}
	if s.t.ByOffer {
		table.Columns = slices.Insert(table.Columns, 1, ui.Column{Title: r.T("browse.course"), Place: "label"})
	}
	for i := range s.lines {
		line := &s.lines[i]
		name := ui.Cell{Text: s.titleOf(line), Href: s.view.With("at", number(line.ID), "document", "")}
		if line.Name.Full() != "" {
			name.Below = r.T("scoring.application", "ID", number(line.Application))
		}
		if line.ID == s.at {
			name.Note = r.T("scoring.here")
		}
		points := ui.Cell{Tags: []ui.Tag{{Text: r.T("score.waiting"), Icon: "clock"}}}
		scored := ui.Cell{Text: show.Day(r, line.Scored), Below: line.Scorer}
		if line.Points != nil {
			points = ui.Cell{Text: pointsOf(&line.Score)}
		}
		cells := []ui.Cell{name, points, {Text: line.Comments}, scored}
		if s.t.ByOffer {
			cells = slices.Insert(cells, 1, ui.Cell{Text: line.Course})
		}
		table.Rows = append(table.Rows, ui.Row{Label: name.Text, Cells: cells})
	}
	table.Empty = ui.Empty{Icon: "clipboard-list", Title: r.T("scoring.none_here"), Text: r.T("scoring.none_here_text")}
	search := ui.TextField{Field: ui.Field{ID: "application", Name: "application", Label: r.T("scoring.find"),
		Autocomplete: "off"}, InputMode: "numeric"}
	parts := []ui.Component{ui.Heading{Title: r.T("scoring.on_sheet")}, ui.FormBox{Get: true,
		Action: r.At("scoring", s.t.ID), Parts: []ui.Component{search},
		Buttons: []ui.Button{{Text: r.T("scoring.go")}}}, table}
	var pages ui.Acts
	if len(s.lines) > 0 && s.view.ID("after") != 0 {
		pages = append(pages, ui.Button{Text: r.T("scoring.first"), Href: s.view.With("at", "", "after", "")})
	}
	if s.more {
		pages = append(pages, ui.Button{Text: r.T("scoring.more"),
			Href: s.view.With("at", "", "after", number(s.lines[len(s.lines)-1].ID))})
	}
	if len(pages) > 0 {
		parts = append(parts, pages)
	}
	return parts
}
