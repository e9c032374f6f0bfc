package jobs

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// outcomes are how the last runs of the jobs of this instance went, by name. It is safe for concurrent use.
type outcomes struct {
	mu sync.Mutex
	of map[string]*admitto.JobOutcome
}

// note keeps how a run went. Of several workers of one name any one counts.
func (o *outcomes) note(job string, begun time.Time, took time.Duration, failed error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of == nil {
		o.of = map[string]*admitto.JobOutcome{}
	}
	is := o.of[job]
	if is == nil {
		is = &admitto.JobOutcome{Job: job}
		o.of[job] = is
	}
	is.Begun, is.Took = admitto.TimeOf(begun), admitto.Time(took.Microseconds())
	ended := is.Begun + is.Took
	if failed == nil {
		is.Failures, is.Cause, is.LastFinished = 0, "", ended
		return
	}
	line, _, _ := strings.Cut(failed.Error(), "\n") // a stack is for the log
	is.Failures, is.Failed, is.Cause = is.Failures+1, ended, strings.ToValidUTF8(line[:min(len(line), mostCause)], "")
}

// mostCause is how many bytes of the reason for a failure are kept.
const mostCause = 500

// Outcomes returns how the last runs went of the jobs that each instance does, by name.
func (r *Runner) Outcomes() (list []admitto.JobOutcome) {
	shared := SharedNames()
	r.went.mu.Lock()
	defer r.went.mu.Unlock()
	for name, is := range r.went.of {
		if !slices.Contains(shared, name) {
			list = append(list, *is)
		}
	}
	slices.SortFunc(list, func(a, b admitto.JobOutcome) int { return cmp.Compare(a.Job, b.Job) })
	return list
}
