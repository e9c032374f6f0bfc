package system

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// long says how long something is or took, in its largest unit.
func long(r *site.Request, t admitto.Time) string {
	switch {
	case t < 10*admitto.Second:
		tenths := int((t*10 + admitto.Second/2) / admitto.Second)
		if t < admitto.Second {
			return r.Plural("system.milliseconds", int(t/(admitto.Second/1000)))
		}
		return r.T("system.seconds", "Number", r.Number(tenths/10)+r.T("number.decimal")+strconv.Itoa(tenths%10))
	case t < 2*admitto.Minute:
		return r.T("system.seconds", "Number", r.Number(int(t/admitto.Second)))
	case t < 2*admitto.Hour:
		return r.Plural("unit.minutes", int(t/admitto.Minute))
	case t < 2*admitto.Day:
		return r.Plural("unit.hours", int(t/admitto.Hour))
	}
	return r.Plural("unit.days", int(t/admitto.Day))
}

// jobName is what a job is called.
func jobName(r *site.Request, job string) string {
	return r.T("job." + strings.ReplaceAll(job, "-", "_"))
}

// instanceBox lists the instances.
func (p *pages) instanceBox(r *site.Request, h *maintenance.Health) ui.Component {
	t := ui.Table{Cards: true, Caption: r.T("system.instances"), Columns: []ui.Column{{Title: r.T("system.machine"),
		Place: "main"},
		{Title: r.T("system.state"), Place: "meta"}, {Title: r.T("system.release"), Place: "label"},
		{Title: r.T("system.since"), Place: "label"}, {Title: r.T("system.seen"), Place: "label"}},
		Empty: ui.Empty{Icon: "server", Title: r.T("system.no_instances"), Text: r.T("system.no_instances_text")}}
	for i := range h.Instances {
		is := &h.Instances[i]
		state := ui.Tag{Text: r.T("system.lives"), Icon: ui.OK.Icon(), Tone: ui.OK}
		if h.Now-is.Seen >= maintenance.InstanceAlive {
			state = ui.Tag{Text: r.T("system.is_gone"), Icon: ui.Warn.Icon(), Tone: ui.Warn}
		}
		t.Rows = append(t.Rows, ui.Row{Label: is.Name, Cells: []ui.Cell{{Text: is.Name}, {Tags: []ui.Tag{state}},
			{Text: is.Version}, {Text: r.Clock(is.Started)}, {Text: r.Clock(is.Seen)}}})
	}
	return ui.Box{ID: "instances", Title: r.T("system.instances"), Parts: []ui.Component{t}}
}

// failedBox lists why mails failed.
func failedBox(r *site.Request, list []admitto.FailedMails) ui.Component {
	t := ui.Table{Cards: true, Caption: r.T("system.failed"), Columns: []ui.Column{{Title: r.T("system.template"),
		Place: "main"},
		{Title: r.T("system.reason"), Place: "mail"}, {Title: r.T("system.number"), Num: true, Place: "label"},
		{Title: r.T("system.last"), Place: "label"}}}
	for i := range list[:min(len(list), mostReasons)] {
		f := &list[i]
		reason := f.Reason
		if reason == "" {
			reason = r.T("system.no_reason")
		}
		t.Rows = append(t.Rows, ui.Row{Label: f.Template, Cells: []ui.Cell{{Text: f.Template}, {Text: reason},
			{Text: r.Number(int(f.Count))}, {Text: r.Clock(f.Last)}}})
	}
	box := ui.Box{ID: "failed", Title: r.T("system.failed"), Actions: r.Buttons(site.Do("system-retry")),
		Parts: []ui.Component{t}}
	if link, ok := r.Link("emails"); ok {
		box.Actions = append(box.Actions, ui.Button{Text: link.Text, Href: link.Href, Small: true})
	}
	for i := range box.Actions {
		box.Actions[i].Small = true
	}
	return box
}

// mostReasons is how many reasons are listed, the newest.
const mostReasons = 20

// jobsBox lists the jobs: those that one instance does for all, which can be asked for, and what of each instance's own
// fails.
func (p *pages) jobsBox(r *site.Request, h *maintenance.Health) ui.Component {
	t := ui.Table{Cards: true, Caption: r.T("system.jobs"), Columns: []ui.Column{{Title: r.T("system.job"),
		Place: "main"},
		{Title: r.T("system.state"), Place: "meta"}, {Title: r.T("system.details"), Place: "mail"},
		{Title: r.T("system.last_run"), Place: "label"},
		{Title: r.T("system.next_run"), Place: "label"},
		{Title: r.T("system.action")}}}
	var failing, others []ui.Row
	for _, job := range jobs.SharedNames() {
		o := h.Jobs[job]
		row := p.jobRow(r, &o, h.Now)
		if o.Failures > 0 || p.late(&o, h.Now) {
			failing = append(failing, row)
		} else {
			others = append(others, row)
		}
	}
	for i := range h.Instances {
		for n := range h.Instances[i].Jobs {
			if o := &h.Instances[i].Jobs[n]; o.Failures > 0 {
				failing = append(failing, ownRow(r, o, h.Instances[i].Name))
			}
		}
	}
	t.Rows = append(failing, others...)
	return ui.Box{ID: "jobs", Title: r.T("system.jobs"), Parts: []ui.Component{t,
		ui.Words{Text: r.T("system.jobs_text"), Muted: true}}}
}

// jobState is how it stands with a job, in words, and why.
func jobState(r *site.Request, o *admitto.JobOutcome) (state, details ui.Cell) {
	if o.Begun != 0 {
		details.Text = r.T("system.took", "Time", long(r, o.Took))
	}
	switch {
	case o.Failures > 0:
		return ui.Cell{Tags: []ui.Tag{{Text: r.Plural("system.fails", o.Failures), Icon: ui.Bad.Icon(), Tone: ui.Bad}}},
			ui.Cell{Text: o.Cause}
	case !o.Ran():
		return ui.Cell{Text: r.T("system.not_run")}, details
	}
	return ui.Cell{Tags: []ui.Tag{{Text: r.T("system.went"), Icon: ui.OK.Icon(), Tone: ui.OK}}}, details
}

// lastRun is when a job went well last.
func lastRun(r *site.Request, o *admitto.JobOutcome) ui.Cell {
	if !o.Ran() || o.LastFinished == 0 {
		return ui.Cell{Text: r.T("system.never")}
	}
	return ui.Cell{Text: r.Clock(o.LastFinished)}
}

func (p *pages) jobRow(r *site.Request, o *admitto.JobOutcome, now admitto.Time) ui.Row {
	name := jobName(r, o.Job)
	state, details := jobState(r, o)
	if o.Failures == 0 && p.late(o, now) {
		state = ui.Cell{Tags: []ui.Tag{{Text: r.T("system.late"), Icon: ui.Bad.Icon(), Tone: ui.Bad}}}
	}
	next := ui.Cell{Text: r.Clock(jobs.Next(p.Services, o.Job, now))}
	run := ui.Cell{Parts: []ui.Component{ui.Button{Text: r.T("action.system-run"), About: name, Small: true,
		Href: r.At("system-run", o.Job)}}}
	if o.WaitsForAsked {
		run = ui.Cell{Text: r.T("system.waits")}
	}
	return ui.Row{ID: o.Job, Label: name, Cells: []ui.Cell{{Text: name}, state, details, lastRun(r, o), next, run}}
}

// ownRow is a job that each instance does itself.
func ownRow(r *site.Request, o *admitto.JobOutcome, machine string) ui.Row {
	name := jobName(r, o.Job)
	state, details := jobState(r, o)
	details.Below = machine
	return ui.Row{Label: name, Cells: []ui.Cell{{Text: name}, state, details, lastRun(r, o),
		{Text: r.T("system.all_the_time")}, {}}}
}

// keysBox lists which versions of the API the keys use, those with something deprecated first.
func (p *pages) keysBox(r *site.Request, h *maintenance.Health) ui.Component {
	t := ui.Table{Cards: true, Caption: r.T("system.keys"), Columns: []ui.Column{{Title: r.T("system.key"),
		Place: "main"},
		{Title: r.T("system.api_version"), Place: "meta"}, {Title: r.T("system.deprecated"), Place: "mail"},
		{Title: r.T("system.calls"), Num: true, Place: "label"}, {Title: r.T("system.last_used"), Place: "label"}},
		Empty: ui.Empty{Icon: "key-round", Title: r.T("system.no_keys"), Text: r.T("system.no_keys_text")}}
	for i := range h.Keys {
		k := &h.Keys[i]
		name := ui.Cell{Text: k.Label}
		if r.May("api-key") {
			name.Href = r.At("api-key", k.Key)
		}
		for n := range k.Deprecated {
			u := &k.Deprecated[n]
			what := r.T("system.uses", "What", u.What)
			if p.ends != nil {
				if month := p.ends(u.Operation, u.Version, u.What); month != "" {
					what += " · " + r.T("system.ends", "Month", month)
				}
			}
			t.Rows = append(t.Rows, ui.Row{Label: k.Label, Cells: []ui.Cell{name,
				{Tags: []ui.Tag{{Text: strconv.Itoa(u.Version),
					Icon: ui.Warn.Icon(), Tone: ui.Warn}}}, {Text: what}, {Text: r.Number(int(u.Count))},
				{Text: u.Last.String()}}})
		}
		if len(k.Deprecated) > 0 {
			continue
		}
		version, used := r.T("system.unused"), ""
		if k.Version != 0 {
			version = strconv.Itoa(k.Version)
		}
		if k.LastUsed != 0 {
			used = r.Day(k.LastUsed)
		}
		t.Rows = append(t.Rows, ui.Row{Label: k.Label, Cells: []ui.Cell{name, {Text: version}, {}, {}, {Text: used}}})
	}
	return ui.Box{ID: "keys", Title: r.T("system.keys"), Parts: []ui.Component{t}}
}

// pagesBox lists what was slow today.
func pagesBox(r *site.Request, h *maintenance.Health) ui.Component {
	t := ui.Table{Cards: true, Caption: r.T("system.pages"), Columns: []ui.Column{{Title: r.T("system.route"),
		Place: "mail"},
		{Title: r.T("system.most"), Num: true, Place: "label"}, {Title: r.T("system.slowest"), Num: true,
			Place: "label"},
		{Title: r.T("system.requests"), Num: true, Place: "label"}},
		Empty: ui.Empty{Icon: "timer", Title: r.T("system.no_pages"), Text: r.T("system.no_pages_text")}}
	for _, p := range slowest(h) {
		t.Rows = append(t.Rows, ui.Row{Label: p.Route, Cells: []ui.Cell{{Text: p.Route}, {Text: long(r, p.Most)},
			{Text: long(r, p.Slowest)}, {Text: r.Number(int(p.Requests))}}})
	}
	return ui.Box{ID: "pages", Title: r.T("system.pages"), Parts: []ui.Component{t}}
}
