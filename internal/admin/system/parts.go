package system

import (
	"cmp"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// From where on a part is looked at, and from where on it is wrong.
const (
	mailsLate       = 15 * admitto.Minute // the oldest mail that waits
	mailsStuck      = 1 * admitto.Hour
	welcomeLate     = 1 * admitto.Minute
	jobLate         = 15 * admitto.Minute // after its time
	spaceLittle     = 4 * maintenance.SpaceLeft
	backupOld       = 3 * admitto.Day
	verifiedOld     = 2 * admitto.Day
	certificateSoon = 21 * admitto.Day
	pageSlow        = 1 * admitto.Second
	pageCounts      = 20 // requests, below which a slow one says little
)

// part is one line of the page.
type part struct {
	name    string // the message system.<name> is its title
	tone    ui.Tone
	facts   []string
	todo    string
	buttons []ui.Button
}

// apart keeps words that are written from left to right apart from others around them.
func apart(words string) string { return "\u2068" + words + "\u2069" }

// say adds a fact.
func (p *part) say(fact string) { p.facts = append(p.facts, fact) }

// worse makes the part as bad as it is now, with what is to be done about the worst of it.
func (p *part) worse(tone ui.Tone, todo string, buttons ...ui.Button) {
	if rank(tone) > rank(p.tone) {
		p.tone, p.todo, p.buttons = tone, todo, buttons
	}
}

func rank(t ui.Tone) int { return slices.Index([]ui.Tone{ui.OK, ui.Warn, ui.Bad}, t) }

func (p *part) row(r *site.Request) ui.Row {
	name := r.T("system." + p.name)
	todo := ui.Cell{Text: p.todo}
	var acts ui.Acts
	for _, b := range p.buttons {
		b.Small, b.About = true, name
		acts = append(acts, b)
	}
	if len(acts) > 0 {
		todo.Parts = []ui.Component{acts}
	}
	return ui.Row{ID: p.name, Label: name, Cells: []ui.Cell{{Text: name}, {Tags: []ui.Tag{{Text: r.T("system." +
		string(p.tone)), Icon: p.tone.Icon(), Tone: p.tone}}}, {Text: strings.Join(p.facts, " · ")}, todo}}
}

// parts are the lines, what is wrong first.
func (p *pages) parts(r *site.Request, h *maintenance.Health) []part {
	alive := living(h)
	list := []part{instancesPart(r, h, alive), mailPart(r, alive), queuePart(r, h), failedPart(r, h), welcomePart(r, h),
		jobsPart(r, p, h, alive), databasePart(r, h, alive), storagePart(r, alive), backupPart(r, h), journalPart(r, h),
		certificatePart(r, h, alive), keysPart(r, h), pagesPart(r, h)}
	slices.SortStableFunc(list, func(a, b part) int { return cmp.Compare(rank(b.tone), rank(a.tone)) })
	return list
}

// living are the instances that have said something of late.
func living(h *maintenance.Health) (alive []admitto.InstanceReport) {
	for i := range h.Instances {
		if h.Now-h.Instances[i].Seen < maintenance.InstanceAlive {
			alive = append(alive, h.Instances[i])
		}
	}
	return alive
}

func instancesPart(r *site.Request, h *maintenance.Health, alive []admitto.InstanceReport) part {
	p := part{name: "instances", tone: ui.OK}
	p.say(r.Plural("system.alive", len(alive)))
	var versions []string
	for i := range alive {
		if v := alive[i].Version; !slices.Contains(versions, v) {
			versions = append(versions, v)
		}
	}
	if len(versions) > 0 {
		p.say(r.T("system.version", "Version", strings.Join(versions, ", ")))
	}
	if len(versions) > 1 {
		p.worse(ui.Warn, r.T("system.versions_differ"))
	}
	if gone := len(h.Instances) - len(alive); gone > 0 {
		p.say(r.Plural("system.gone", gone))
		p.worse(ui.Warn, r.T("system.gone_do"))
	}
	if len(alive) == 0 {
		p.worse(ui.Bad, r.T("system.silent_do"))
	}
	return p
}

func mailPart(r *site.Request, alive []admitto.InstanceReport) part {
	p := part{name: "mail", tone: ui.OK}
	settings, _ := r.Link("settings")
	toSettings := ui.Button{Text: settings.Text, Href: r.At("settings-group", "mail")}
	for i := range alive {
		m := &alive[i].Mail
		switch {
		case m.None:
			p.say(r.T("system.mail_none"))
			p.worse(ui.Warn, r.T("system.mail_none_do"), toSettings)
		case m.Since != 0:
			p.say(r.T("system.mail_away", "Server", apart(m.Server), "Time", r.Clock(m.Since), "Reason",
				apart(m.Reason)))
			p.worse(ui.Bad, r.T("system.mail_away_do"), toSettings)
		case m.Heard != 0:
			p.say(r.T("system.mail_heard", "Server", apart(m.Server), "Time", r.Clock(m.Heard)))
		}
	}
	p.facts = slices.Compact(p.facts)
	if len(p.facts) == 0 {
		p.say(r.T("system.not_known"))
	}
	return p
}

func queuePart(r *site.Request, h *maintenance.Health) part {
	p := part{name: "queue", tone: ui.OK}
	p.say(r.Plural("system.waiting", int(h.Mails.Waiting)))
	if h.Mails.Waiting == 0 {
		return p
	}
	age := h.Now - h.Mails.Oldest
	p.say(r.T("system.oldest", "Time", long(r, age)))
	switch {
	case age >= mailsStuck:
		p.worse(ui.Bad, r.T("system.queue_do"))
	case age >= mailsLate:
		p.worse(ui.Warn, r.T("system.queue_do"))
	}
	return p
}

func failedPart(r *site.Request, h *maintenance.Health) part {
	p := part{name: "failed", tone: ui.OK}
	n := failures(h)
	p.say(r.Plural("system.failed_n", n))
	if n > 0 {
		p.worse(ui.Warn, r.T("system.failed_do"), r.Buttons(site.Do("system-retry"))...)
	}
	return p
}

func welcomePart(r *site.Request, h *maintenance.Health) part {
	p := part{name: "welcome", tone: ui.OK}
	p.say(r.Plural("system.unfinished", int(h.Mails.Welcomes)))
	if h.Mails.Welcomes > 0 {
		age := h.Now - h.Mails.WelcomeOldest
		p.say(r.T("system.oldest", "Time", long(r, age)))
		if age >= welcomeLate {
			p.worse(ui.Warn, r.T("system.welcome_do"))
		}
	}
	if h.Abandoned > 0 {
		p.say(r.Plural("system.abandoned", int(h.Abandoned)))
		var look []ui.Button
		if link, ok := r.Link("journal"); ok {
			look = append(look, ui.Button{Text: link.Text, Href: link.Href})
		}
		p.worse(ui.Bad, r.T("system.abandoned_do"), look...)
	}
	return p
}

func jobsPart(r *site.Request, s *pages, h *maintenance.Health, alive []admitto.InstanceReport) part {
	p := part{name: "jobs", tone: ui.OK}
	failing, late := 0, 0
	for _, job := range jobs.SharedNames() {
		o := h.Jobs[job]
		switch {
		case o.Failures > 0:
			failing++
		case s.late(&o, h.Now):
			late++
		}
	}
	for i := range alive {
		for n := range alive[i].Jobs {
			if alive[i].Jobs[n].Failures > 0 {
				failing++
			}
		}
	}
	below := ui.Button{Text: r.T("system.see"), Href: "#jobs"}
	if failing > 0 {
		p.say(r.Plural("system.jobs_failing", failing))
		p.worse(ui.Bad, r.T("system.jobs_failing_do"), below)
	}
	if late > 0 {
		p.say(r.Plural("system.jobs_late", late))
		p.worse(ui.Bad, r.T("system.jobs_late_do"), below)
	}
	if len(p.facts) == 0 {
		p.say(r.T("system.jobs_fine"))
	}
	return p
}

// late reports whether a job that ran before has let a time pass.
func (p *pages) late(o *admitto.JobOutcome, now admitto.Time) bool {
	if o.LastFinished == 0 {
		return false
	}
	next := jobs.Next(p.Services, o.Job, o.LastFinished)
	return next != 0 && now > next+jobLate
}

func databasePart(r *site.Request, h *maintenance.Health, alive []admitto.InstanceReport) part {
	p := part{name: "database", tone: ui.OK}
	engine := "SQLite"
	if h.Shared {
		engine = "PostgreSQL"
	}
	p.say(apart(engine))
	p.say(apart(r.Size(h.Database)))
	for i := range alive {
		if apart := max(alive[i].Apart,
			-alive[i].Apart); apart.Std().UnixMicro() > maintenance.ClocksApart.Microseconds() {
			p.say(r.T("system.apart", "Name", alive[i].Name, "Time", long(r, apart)))
			p.worse(ui.Bad, r.T("system.apart_do"))
		}
	}
	return p
}

func storagePart(r *site.Request, alive []admitto.InstanceReport) part {
	p := part{name: "storage", tone: ui.OK}
	for i := range alive {
		is := &alive[i]
		if i == 0 && is.FilesCounted != 0 {
			p.say(r.Plural("system.files", int(is.FilesCount), "Size", r.Size(is.FilesBytes)))
		}
		if is.Files != "" {
			p.say(r.T("system.files_away", "Reason", apart(is.Files)))
			p.worse(ui.Bad, r.T("system.files_away_do"))
		}
		if !is.FreeKnown {
			continue
		}
		p.say(r.T("system.free", "Size", r.Size(is.Free), "Name", is.Name))
		switch {
		case is.Free < maintenance.SpaceLeft:
			p.worse(ui.Bad, r.T("system.space_do"))
		case is.Free < spaceLittle:
			p.worse(ui.Warn, r.T("system.space_do"))
		}
	}
	if p.facts = slices.Compact(p.facts); len(p.facts) == 0 {
		p.say(r.T("system.not_known"))
	}
	return p
}

func backupPart(r *site.Request, h *maintenance.Health) part {
	p := part{name: "backup", tone: ui.OK}
	if h.Backup.Made == 0 {
		p.say(r.T("system.no_backup"))
		p.worse(ui.Warn, r.T("system.no_backup_do"))
		return p
	}
	p.say(r.T("system.backup_made", "Time", r.Clock(h.Backup.Made), "Size", r.Size(h.Backup.Bytes)))
	p.say(r.Plural("system.backup_behind", int(h.Last-h.Backup.LastRecord)))
	if h.Now-h.Backup.Made > backupOld {
		p.worse(ui.Warn, r.T("system.backup_old_do"))
	}
	return p
}

func journalPart(r *site.Request, h *maintenance.Health) part {
	p := part{name: "journal", tone: ui.OK}
	p.say(r.T("system.journal_last", "ID", h.Last))
	var look []ui.Button
	if r.May("journal-verify") {
		look = append(look, ui.Button{Text: r.T("action.journal-verify"), Href: r.At("journal-verify")})
	}
	c := &h.Check
	if c.Never() {
		p.say(r.T("system.never_verified"))
	} else {
		p.say(r.T("system.verified", "ID", c.Verified, "Time", r.Clock(c.VerifiedAt)))
	}
	switch {
	case c.Broken != 0:
		p.say(r.T("system.broken", "ID", c.Broken))
		p.worse(ui.Bad, r.T("system.broken_do"), look...)
	case h.Last > c.Verified && c.VerifiedAt != 0 && h.Now-c.VerifiedAt > verifiedOld:
		p.worse(ui.Warn, r.T("system.verify_do"), look...)
	}
	return p
}

func certificatePart(r *site.Request, h *maintenance.Health, alive []admitto.InstanceReport) part {
	p := part{name: "certificate", tone: ui.OK}
	for i := range alive {
		c := &alive[i].Certificate
		if c.Ends == 0 {
			continue
		}
		p.say(r.T("system.certificate_ends", "Time", r.Clock(c.Ends), "Names", apart(strings.Join(c.Names, ", "))))
		left := h.Now + admitto.Time(maintenance.CertificateLeft.Microseconds())
		switch {
		case c.Fault != "" || c.Ends < left:
			p.worse(ui.Bad, r.T("system.certificate_do"))
		case c.Ends < h.Now+certificateSoon:
			p.worse(ui.Warn, r.T("system.certificate_do"))
		}
	}
	if p.facts = slices.Compact(p.facts); len(p.facts) == 0 {
		p.say(r.T("system.no_certificate"))
	}
	return p
}

func keysPart(r *site.Request, h *maintenance.Health) part {
	p := part{name: "keys", tone: ui.OK}
	n := 0
	for i := range h.Keys {
		if len(h.Keys[i].Deprecated) > 0 {
			n++
		}
	}
	p.say(r.Plural("system.keys_n", len(h.Keys)))
	if n > 0 {
		p.say(r.Plural("system.keys_deprecated", n))
		p.worse(ui.Warn, r.T("system.keys_do"), ui.Button{Text: r.T("system.see"), Href: "#keys"})
	}
	return p
}

func pagesPart(r *site.Request, h *maintenance.Health) part {
	p := part{name: "pages", tone: ui.OK}
	list := slowest(h)
	if len(list) == 0 {
		p.say(r.T("system.no_pages"))
		return p
	}
	p.say(r.T("system.page_slowest", "Route", apart(list[0].Route), "Time", long(r, list[0].Most)))
	if list[0].Most > pageSlow && list[0].Requests >= pageCounts {
		p.worse(ui.Warn, r.T("system.pages_do"), ui.Button{Text: r.T("system.see"), Href: "#pages"})
	}
	return p
}

// slowest puts together what the instances say of the same kind of requests.
func slowest(h *maintenance.Health) (list []admitto.PageTime) {
	for i := range h.Instances {
		for _, t := range h.Instances[i].Pages {
			at := slices.IndexFunc(list, func(p admitto.PageTime) bool { return p.Route == t.Route })
			if at < 0 {
				list = append(list, t)
				continue
			}
			sum := &list[at]
			sum.Requests += t.Requests
			sum.Most, sum.Slowest = max(sum.Most, t.Most), max(sum.Slowest, t.Slowest)
		}
	}
	slices.SortStableFunc(list, func(a, b admitto.PageTime) int { return cmp.Compare(b.Most, a.Most) })
	return list
}
