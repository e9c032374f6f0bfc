package admin

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// keyRoutes are the pages of API keys (screens.md A50).
func (p *pages) keyRoutes() []site.Route {
	sensitive := site.Needs(admitto.APIAdmin).Proved()
	return []site.Route{
		{Name: "api-keys", Path: "/admin/api-keys", On: hasAPI, Access: sensitive, Handle: p.apiKeys},
		{Name: "api-key-new", Path: "/admin/api-keys/new", On: hasAPI, Access: sensitive, Form: true, Parent: "api-keys",
			Handle: p.apiKeyNew},
		{Name: "api-key", Path: "/admin/api-keys/{id}", On: hasAPI, Access: sensitive, Form: true, Parent: "api-keys",
			Handle: p.ofKey(p.apiKey)},
		{Name: "api-key-roll", Path: "/admin/api-keys/{id}/roll", On: hasAPI, Access: sensitive, Form: true,
			Parent: "api-key",
			Handle: p.ofKey(p.apiKeyRoll)},
		{Name: "api-key-revoke", Path: "/admin/api-keys/{id}/revoke", On: hasAPI, Access: sensitive, Form: true,
			Parent: "api-key",
			Handle: p.ofKey(p.apiKeyRevoke)},
	}
}

// hasAPI reports whether the API is switched on.
func hasAPI(s *config.Settings) bool { return s.API.Enabled }

// apiKeys is the list.
func (p *pages) apiKeys(r *site.Request) error {
	keys, err := p.Keys.Keys(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	table := ui.Table{Caption: r.Title(), Columns: []ui.Column{
		{Title: r.T("api_keys.label"), Place: "main"}, {Title: r.T("api_keys.owner"), Place: "label"},
		{Title: r.T("api_keys.scope"), Place: "label"}, {Title: r.T("api_keys.state")},
		{Title: r.T("api_keys.used"), Place: "label", Muted: true}},
		Empty: ui.Empty{Icon: "key-round", Title: r.T("api_keys.none"), Text: r.T("api_keys.none_text"),
			Actions: append(r.Buttons(site.Primary("api-key-new")), ui.Button{Text: r.T("api_keys.documentation"),
				Href: "/developers"})}}
	slices.SortStableFunc(keys, func(a, b admitto.Key) int {
		return boolOrder(a.Usable(r.Now()), b.Usable(r.Now()))
	})
	for _, k := range keys {
		table.Rows = append(table.Rows, ui.Row{ID: strconv.FormatInt(k.ID, 10), Label: k.Label, Cells: []ui.Cell{
			{Text: k.Label, Href: r.At("api-key", k.ID)}, {Text: k.Owner}, {Text: scopeWords(r, &k)},
			{Tags: []ui.Tag{keyState(r, &k)}}, {Text: dayOr(r, k.LastUsed, "api_keys.never")}}})
	}
	return site.ListPage{Head: ui.ListHead{Title: r.Title(), Strong: r.Number(len(keys)),
		Count: r.Plural("api_keys.count", len(keys)), Actions: r.Buttons(site.Primary("api-key-new"))},
		Table: table}.Show(r)
}

// boolOrder puts what is true first.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

func dayOr(r *site.Request, t admitto.Time, otherwise string) string {
	if t == 0 {
		return r.T(otherwise)
	}
	return r.Clock(t)
}

// scopeWords is what a key may do, in words.
func scopeWords(r *site.Request, k *admitto.Key) string {
	switch k.Scope {
	case admitto.ScopeAll:
		return r.T("api_keys.scope_all")
	case admitto.ScopeReadOnly:
		return r.T("api_keys.scope_read")
	}
	return r.Plural("api_keys.scope_some", len(k.Operations))
}

// keyState is whether requests with a key are accepted.
func keyState(r *site.Request, k *admitto.Key) ui.Tag {
	switch now := r.Now(); {
	case k.Revoked != 0:
		return ui.Tag{Text: r.T("api_keys.revoked", "Day", r.Day(k.Revoked)), Icon: "ban", Tone: ui.Bad}
	case !k.Usable(now):
		return ui.Tag{Text: r.T("api_keys.expired", "Day", r.Day(k.Expires)), Icon: "clock", Tone: ui.Bad}
	case k.Expires != 0 && k.Expires-now < 31*admitto.Day && k.Replaced != 0: // hours count
		return ui.Tag{Text: r.T("api_keys.ends", "Day", r.Clock(k.Expires)), Icon: "clock", Tone: ui.Warn}
	case k.Expires != 0 && k.Expires-now < 14*admitto.Day:
		return ui.Tag{Text: r.T("api_keys.ends", "Day", r.Day(k.Expires-1)), Icon: "clock", Tone: ui.Warn}
	case k.Expires != 0:
		return ui.Tag{Text: r.T("api_keys.ends", "Day", r.Day(k.Expires-1)), Icon: "check", Tone: ui.OK}
	}
	return ui.Tag{Text: r.T("api_keys.endless"), Icon: "check", Tone: ui.OK}
}

// keyParts reads and shows what people type about a key.
func (p *pages) keyParts(r *site.Request, f *site.Form) []ui.Component {
	label, owner := f.Text("label", "api_keys.label"), f.Text("owner", "api_keys.owner")
	owner.Optional = true
	scope := f.Choices("scope", "api_keys.scope", false,
		ui.Option{Value: "all", Text: r.T("api_keys.scope_all"), Hint: r.T("api_keys.scope_all_hint")},
		ui.Option{Value: "read-only", Text: r.T("api_keys.scope_read"), Hint: r.T("api_keys.scope_read_hint")},
		ui.Option{Value: "operations", Text: r.T("api_keys.scope_chosen"), Hint: r.T("api_keys.scope_chosen_hint")})
	operations := p.operationGroups(r, f)
	expires := f.Select("expires", "api_keys.expires", []ui.Option{
		{Value: "30", Text: r.Plural("api_keys.days", 30)}, {Value: "90", Text: r.Plural("api_keys.days", 90)},
		{Value: "365", Text: r.Plural("api_keys.days", 365)}, {Value: "day", Text: r.T("api_keys.on_day")},
		{Value: "never", Text: r.T("api_keys.never_ends")}}...)
	day := f.Date("day", "api_keys.day")
	day.Optional = true
	minute, hour := f.Text("per_minute", "api_keys.per_minute"), f.Text("per_hour", "api_keys.per_hour")
	minute.Optional, minute.InputMode, minute.Width = true, "numeric", "w10"
	hour.Optional, hour.InputMode, hour.Width = true, "numeric", "w10"
	return []ui.Component{label, owner, scope,
		ui.Fold{Title: r.T("api_keys.operations"), Open: f.Get("scope") == "operations", Parts: operations},
		expires, day, ui.Columns{Parts: []ui.Component{minute, hour}}}
}

// operationGroups are the operations by the first name of their path, each group with "all that read".
func (p *pages) operationGroups(r *site.Request, f *site.Form) (parts []ui.Component) {
	var groups []string
	byGroup := map[string][]ui.Option{}
	for _, operation := range p.operations {
		_, path, _ := strings.Cut(operation, " ")
		group, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		if byGroup[group] == nil {
			groups = append(groups, group)
		}
		byGroup[group] = append(byGroup[group], ui.Option{Value: operation, Text: operation})
	}
	slices.Sort(groups)
	for _, group := range groups {
		field := f.Choices("operations", "api_keys.operations", true, byGroup[group]...)
		if field.Label = group; len(parts) > 0 { // the first one says what is wrong with all
			field.ID, field.Error = field.ID+"-"+group, ""
		}
		reading := ui.Option{Value: "reading " + group, Text: r.T("api_keys.all_reading"),
			Selected: slices.Contains(f.All("operations"), "reading "+group)}
		field.Options = append([]ui.Option{reading}, field.Options...)
		parts = append(parts, field)
	}
	return parts
}

// typedKey is what the form says about a key.
func (p *pages) typedKey(r *site.Request, f *site.Form) apikey.NewKey {
	in := apikey.NewKey{Label: f.Get("label"), Owner: f.Get("owner"), Scope: admitto.Scope(f.Get("scope"))}
	for _, chosen := range f.All("operations") {
		if group, all := strings.CutPrefix(chosen, "reading "); all {
			for _, operation := range p.operations {
				path, reads := strings.CutPrefix(operation, "GET /")
				if reads && (path == group || strings.HasPrefix(path, group+"/")) {
					in.Operations = append(in.Operations, operation)
				}
			}
		} else if slices.Contains(p.operations, chosen) {
			in.Operations = append(in.Operations, chosen)
		}
	}
	slices.Sort(in.Operations)
	in.Operations = slices.Compact(in.Operations)
	in.PerMinute, in.PerHour = quota(f, "per_minute"), quota(f, "per_hour")
	switch expires := f.Get("expires"); expires {
	case "never":
	case "day":
		day, ok := f.Day("day")
		if ok && day == (admitto.Date{}) {
			f.Fail("day", "form.day_missing")
		} else if ok { // its end in the time zone of the instance
			zone := r.Settings().Instance.Timezone
			in.Expires = admitto.TimeOf(time.Date(int(day.Year), time.Month(day.Month), int(day.Day)+1, 0, 0, 0, 0, zone))
		}
	default:
		days, err := strconv.Atoi(expires)
		if err != nil || days < 1 || days > 365 {
			f.FailText("expires", message.Of("choose-one"))
			days = 1 // of what is no choice nothing else is said
		}
		in.Expires = r.Now() + admitto.Time(days)*admitto.Day
	}
	return in
}

func quota(f *site.Form, name string) *int {
	if f.Get(name) == "" {
		return nil
	}
	n := int(f.Number(name, "api_keys.no_number"))
	return &n
}

// keyFaults are the fields that the faults of a key belong to.
func keyFaults() map[admitto.Path]string { return map[admitto.Path]string{"key.expires": "day"} }

// apiKeyNew makes a key and shows it, once.
func (p *pages) apiKeyNew(r *site.Request) error {
	f, err := r.Form(site.Values{"scope": site.One("read-only"), "expires": site.One("365"),
		"owner": site.One(r.Person.Name)}, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		in := p.typedKey(r, f)
		var id int64
		var secret string
		refused, err := f.Refused(f.Store(func() (err error) {
			id, secret, err = p.Keys.IssueKey(r.Context(), r.Caller(), in)
			return err
		}), keyFaults())
		if err != nil {
			return err
		}
		if !refused {
			return p.showKey(r, &admitto.Key{ID: id, Label: in.Label, Scope: in.Scope, Operations: in.Operations}, secret)
		}
	}
	parts := p.keyParts(r, f)
	return site.Sheet{Intro: []string{r.T("api_keys.new_text")}, Parts: []ui.Component{
		f.Box([]ui.Button{r.Save("action.api-key-create"), r.Cancel(r.At("api-keys"))}, parts...)}}.Show(r)
}

// showKey answers with the text of a new key. Nobody can see it again.
func (p *pages) showKey(r *site.Request, k *admitto.Key, secret string) error {
	r.ShownOnce(r.At("api-key", k.ID))
	title := r.T("api_keys.made", "Label", k.Label)
	r.SetTitle(title)
	parts := []ui.Component{ui.Secret{ID: "key", Label: r.T("api_keys.secret"), Code: secret}}
	if call := firstCall(r.Settings(), k, secret); call != "" {
		parts = append(parts, ui.Secret{ID: "call", Label: r.T("api_keys.try"), Code: call})
	}
	return site.Sheet{Title: title, Intro: []string{r.T("api_keys.once")}, Parts: parts, Buttons: []ui.Button{
		{Text: r.T("api_keys.stored"), Primary: true, Href: r.At("api-key", k.ID)}}}.Show(r)
}

// firstCall is a command that reads something with a new key; "" for one that may read nothing without knowing an ID.
func firstCall(s *config.Settings, k *admitto.Key, secret string) string {
	path := "/ping"
	if !k.Allows("GET", path) {
		at := slices.IndexFunc(k.Operations, func(op string) bool {
			return strings.HasPrefix(op, "GET ") && !strings.Contains(op, "{")
		})
		if at < 0 {
			return ""
		}
		path = strings.TrimPrefix(k.Operations[at], "GET ")
	}
	curl := "curl"
	if s.TLS.Mode == config.TLSSelfSigned {
		curl += " -k" // as nobody vouches for the certificate
	}
	return curl + " -H 'Authorization: " + s.API.AuthSchemes[0] + " apikey=\"" + secret + "\"' '" + s.BaseURL +
		config.NewestAPI() + path + "'"
}

// ofKey reads the key that a page is about.
func (p *pages) ofKey(handle func(*site.Request, *admitto.Key) error) func(*site.Request) error {
	return func(r *site.Request) error {
		id, err := r.ID()
		if err != nil {
			return err
		}
		k, err := p.Keys.Key(r.Context(), r.Reader(), id)
		if err != nil {
			return err
		}
		return handle(r, &k)
	}
}

// shownDays is how far back the page of a key shows what it uses that will end.
const shownDays = 30

// apiKey is the card of a key, with its form.
func (p *pages) apiKey(r *site.Request, k *admitto.Key) error {
	// Read before the key: a change between the two is noticed.
	version, err := p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.KeyRow, ID: k.ID})
	if err != nil {
		return err
	}
	read, err := p.Keys.Key(r.Context(), r.Reader(), k.ID)
	if err != nil {
		return err
	}
	k = &read
	today := admitto.DateOf(r.Now().Std().In(r.Zone()))
	uses, err := p.Keys.KeyUsage(r.Context(), r.Reader(), k.ID, today.AddDays(-shownDays))
	if err != nil {
		return err
	}
	load, err := p.Keys.KeyLoad(r.Context(), r.Reader(), k)
	if err != nil {
		return err
	}
	r.SetTitle(k.Label)
	usable := k.Usable(r.Now())
	parts := []ui.Component{p.keyFacts(r, k), loadBox(r, &load)}
	if usable {
		f, err := r.Form(storedKey(r, k), version)
		if err != nil {
			return err
		}
		if r.Posted() {
			in := p.typedKey(r, f)
			if k.Expires != 0 && f.Get("expires") == "day" && in.Expires == endOfDay(r, k.Expires) {
				in.Expires = k.Expires // its day stays, and so does its hour
			}
			err := f.Store(func() error { return p.Keys.EditKey(r.Context(), r.Caller(), k.ID, in) })
			changed := site.Changed(err)
			refused, err := f.Refused(err, keyFaults())
			switch {
			case err != nil:
				return err
			case changed:
				if err := p.keyMeanwhile(r, f, k, version); err != nil {
					return err
				}
			case !refused:
				r.Notify(ui.OK, r.T("api_keys.saved"))
				return r.To("api-key", k.ID)
			}
		}
		fields := p.keyParts(r, f)
		parts = append(parts, ui.Box{Title: r.T("api_keys.change"), Parts: []ui.Component{
			f.Box([]ui.Button{r.Save("action.save")}, fields...)}})
	}
	parts = append(parts, p.usageTable(r, uses))
	var actions []ui.Button
	if usable {
		actions = r.Buttons(site.Do("api-key-roll", k.ID), site.Danger("api-key-revoke", k.ID))
	}
	return site.Sheet{Title: k.Label, Buttons: actions, Parts: parts}.Show(r)
}

// keyMeanwhile lets the reader choose between what was typed and what somebody else has saved (screens.md U10).
func (p *pages) keyMeanwhile(r *site.Request, f *site.Form, k *admitto.Key, version int64) error {
	who, at, err := p.Query.LastEdit(r.Context(), r.Reader(), []admitto.EventFilter{{Pattern: admitto.KeyEdited,
		Bind: []string{strconv.FormatInt(k.ID, 10)}}}, func(*admitto.Record) bool { return true })
	if err != nil {
		return err
	}
	if who == "" {
		who, at = r.T("record.somebody"), r.Now()
	}
	f.Meanwhile(storedKey(r, k), version, who, r.Clock(at), [2]string{"label", "api_keys.label"},
		[2]string{"owner", "api_keys.owner"}, [2]string{"scope", "api_keys.scope"},
		[2]string{"operations", "api_keys.operations"}, [2]string{"expires", "api_keys.expires"},
		[2]string{"day", "api_keys.day"}, [2]string{"per_minute", "api_keys.per_minute"},
		[2]string{"per_hour", "api_keys.per_hour"})
	return nil
}

// endOfDay is the end of the day of a last time, in the time zone of the instance.
func endOfDay(r *site.Request, last admitto.Time) admitto.Time {
	zone := r.Settings().Instance.Timezone
	return admitto.DateOf((last - 1).Std().In(zone)).End(zone)
}

// keyFacts is what is known of a key.
func (p *pages) keyFacts(r *site.Request, k *admitto.Key) ui.KeyValues {
	facts := []ui.KeyValue{
		{Key: r.T("api_keys.state"), Tags: []ui.Tag{keyState(r, k)}},
		{Key: r.T("api_keys.owner"), Value: k.Owner}, {Key: r.T("api_keys.scope"), Value: scopeWords(r, k)},
		{Key: r.T("api_keys.created"), Value: r.Clock(k.Created)},
		{Key: r.T("api_keys.used"), Value: lastUsed(r, k)},
	}
	if k.Replaced != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("api_keys.replaced_by"), Value: keyName(r, k.Replaced),
			Href: r.At("api-key", k.Replaced)})
	}
	limits := r.Settings().Quota
	for _, q := range []struct {
		key   string
		own   *int
		usual int
	}{{"api_keys.per_minute", k.PerMinute, limits.PerMinute}, {"api_keys.per_hour", k.PerHour, limits.PerHour}} {
		limit := q.usual
		if q.own != nil {
			limit = *q.own
		}
		value := r.Number(limit)
		if limit == 0 {
			value = r.T("api_keys.no_limit")
		}
		facts = append(facts, ui.KeyValue{Key: r.T(q.key), Value: value})
	}
	if len(k.Operations) > 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("api_keys.operations"), Value: strings.Join(k.Operations, ", ")})
	}
	return ui.KeyValues{Facts: facts}
}

// keyName is what a key is called by its ID.
func keyName(r *site.Request, id int64) string { return r.T("api_keys.key_n", "ID", number(id)) }

// storedKey is what the form of a key shows at first.
func storedKey(r *site.Request, k *admitto.Key) site.Values {
	v := site.Values{"label": site.One(k.Label), "owner": site.One(k.Owner), "scope": site.One(string(k.Scope)),
		"operations": k.Operations, "expires": site.One("never")}
	if k.Expires != 0 {
		v["expires"] = site.One("day")
		v.SetDay("day", admitto.DateOf((k.Expires - 1).Std().In(r.Settings().Instance.Timezone)))
	}
	if k.PerMinute != nil {
		v["per_minute"] = site.One(strconv.Itoa(*k.PerMinute))
	}
	if k.PerHour != nil {
		v["per_hour"] = site.One(strconv.Itoa(*k.PerHour))
	}
	return v
}

// usageTable is what a key uses that will end.
func (p *pages) usageTable(r *site.Request, uses []admitto.KeyUseSum) ui.Component {
	t := ui.Table{Caption: r.T("api_keys.deprecated"),
		Columns: []ui.Column{{Title: r.T("api_keys.operation"), Place: "main"},
			{Title: r.T("api_keys.version"), Num: true, Place: "label"}, {Title: r.T("api_keys.what"), Place: "label"},
			{Title: r.T("api_keys.sunset"), Place: "label"}, {Title: r.T("api_keys.last_day"), Place: "label"},
			{Title: r.T("api_keys.calls"), Num: true, Place: "label"}},
		Empty: ui.Empty{Icon: "circle-check", Title: r.T("api_keys.no_deprecated"), Text: r.T("api_keys.no_deprecated_text")}}
	for _, u := range uses {
		t.Rows = append(t.Rows, ui.Row{Label: u.Operation, Cells: []ui.Cell{{Text: u.Operation},
			{Text: strconv.Itoa(u.Version)}, {Text: u.What}, {Text: p.sunset(r, &u)}, {Text: u.Last.String()},
			{Text: r.Number(int(u.Count))}}})
	}
	return ui.Box{Title: r.T("api_keys.deprecated"), Parts: []ui.Component{t}}
}

// sunset is when something that a key uses ends.
func (p *pages) sunset(r *site.Request, u *admitto.KeyUseSum) string {
	if p.ends != nil {
		if month := p.ends(u.Operation, u.Version, u.What); month != "" {
			return month
		}
	}
	return r.T("api_keys.no_sunset")
}

// loadBox is what a key uses of its quota now.
func loadBox(r *site.Request, l *apikey.KeyLoad) ui.Box {
	box := ui.Box{Title: r.T("api_keys.load")}
	for _, w := range []struct {
		key         string
		used, limit int
	}{{"api_keys.last_minute", l.Minute, l.PerMinute}, {"api_keys.last_hour", l.Hour, l.PerHour}} {
		if w.limit == 0 {
			box.Parts = append(box.Parts, ui.Words{Text: r.T(w.key) + ": " + r.T("api_keys.no_limit"), Muted: true})
			continue
		}
		box.Parts = append(box.Parts, ui.Progress{Label: r.T(w.key), Done: min(w.used, w.limit), Of: w.limit,
			Text: r.T("api_keys.of", "Used", r.Number(w.used), "Limit", r.Number(w.limit))})
	}
	refused := r.T("api_keys.none_refused")
	if l.Refused > 0 {
		refused = r.Plural("api_keys.refused", int(l.Refused))
	}
	box.Parts = append(box.Parts, ui.Words{Text: refused})
	return box
}

// lastUsed is when a key was used last, and what it called.
func lastUsed(r *site.Request, k *admitto.Key) string {
	used := dayOr(r, k.LastUsed, "api_keys.never")
	if k.LastCall.Operation != "" {
		used += " · " + r.T("api_keys.last_call", "Operation", k.LastCall.Operation, "Version", k.LastCall.Version)
	}
	return used
}

// notRolled is why a key cannot be replaced; "" for one that can be.
func notRolled(r *site.Request, k *admitto.Key) string {
	switch {
	case !k.Usable(r.Now()):
		return r.Say(message.Of("key-ended"))
	case k.Replaced != 0:
		return r.Say(message.Of("key-replaced"))
	}
	return ""
}

// apiKeyRoll makes a new key in the place of one, which ends later.
func (p *pages) apiKeyRoll(r *site.Request, k *admitto.Key) error {
	r.NameCrumb("api-key", k.Label)
	if why := notRolled(r, k); why != "" && !r.Posted() {
		notice := ui.Notice{Tone: ui.Warn, Text: why, Link: &ui.Link{Text: k.Label, Href: r.At("api-key", k.ID)}}
		if k.Replaced != 0 {
			notice.Link = &ui.Link{Text: keyName(r, k.Replaced), Href: r.At("api-key", k.Replaced)}
		}
		return site.Sheet{Parts: []ui.Component{notice}}.Show(r)
	}
	version, err := p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.KeyRow, ID: k.ID})
	if err != nil {
		return err
	}
	f, err := r.Form(site.Values{"hours": site.One("24")}, version)
	if err != nil {
		return err
	}
	if r.Posted() {
		hours := f.Number("hours", "api_keys.no_number")
		if f.Get("hours") == "" { // which is not 0: that ends the old key at once
			f.Fail("hours", "api_keys.no_number")
		}
		if !f.Failed() {
			made, secret, err := p.Keys.RollKey(r.Context(), r.Caller(), k.ID, int(hours))
			refused, err := f.Refused(err, nil)
			if err != nil {
				return err
			}
			if !refused {
				fresh := *k
				fresh.ID = made
				return p.showKey(r, &fresh, secret)
			}
		}
	}
	hours := f.Text("hours", "api_keys.hours")
	hours.InputMode, hours.Width = "numeric", "w4"
	intro := []string{r.T("api_keys.roll_text")}
	if k.Expires != 0 {
		intro = append(intro, r.T("api_keys.roll_until", "Day", r.Day(k.Expires-1)))
	}
	return site.Sheet{Intro: intro, Parts: []ui.Component{
		f.Box([]ui.Button{r.Save("action.api-key-roll"), r.Cancel(r.At("api-key", k.ID))}, hours)}}.Show(r)
}

// apiKeyRevoke ends a key at once.
func (p *pages) apiKeyRevoke(r *site.Request, k *admitto.Key) error {
	if k.Revoked != 0 && !r.Posted() {
		return r.To("api-key", k.ID) // in another tab, or before
	}
	if r.Posted() {
		if err := p.Keys.RevokeKey(r.Context(), r.Caller(), k.ID); err != nil {
			return err
		}
		r.Notify(ui.OK, r.T("api_keys.was_revoked"))
		return r.To("api-key", k.ID)
	}
	r.NameCrumb("api-key", k.Label)
	return r.Ask(ui.Confirmation{Title: r.T("api_keys.revoke", "Label", k.Label), Text: r.T("api_keys.revoke_text"),
		Effects: []ui.Effect{{Icon: "ban", Text: r.T("api_keys.revoke_effect")}}, Undo: r.T("api_keys.revoke_undo"),
		Confirm: ui.Button{Text: r.T("action.api-key-revoke"), Danger: true},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("api-key", k.ID)}})
}
