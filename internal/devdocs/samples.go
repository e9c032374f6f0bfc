package devdocs

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
)

// samples is what the examples of the guides are about on this instance: its address, and IDs of objects that it has,
// so that a call can be copied from the page and sent.
type samples struct {
	address string
	ids     admitto.SampleIDs // all 0 while there is not enough; then the examples keep the IDs they were written with
	// Pages are made again when the settings have changed.
	settings *config.Settings
}

// keptSamples are the samples that were found last. Everybody may read the pages, so the database is asked now and then
// only.
type keptSamples struct {
	sync.Mutex
	ids   admitto.SampleIDs
	asked admitto.Time
}

// samplesFor is how long the IDs of examples are taken from memory.
const samplesFor = 10 * admitto.Minute

// samples returns what the examples are about now. Without a database they keep the IDs that were found before.
func (d *Docs) samples(ctx context.Context) *samples {
	if d.services == nil {
		return &samples{address: ShownAddress, settings: d.settings()}
	}
	kept := &d.shown
	kept.Lock()
	defer kept.Unlock()
	if now := d.services.Core.Now(); kept.asked == 0 || now-kept.asked >= samplesFor {
		if ids, err := d.services.Query.SampleIDs(ctx, admitto.SystemCaller()); err == nil {
			kept.ids = ids
		} else if admitto.KindOf(err) == admitto.NotFound {
			kept.ids = admitto.SampleIDs{}
		}
		kept.asked = now
	}
	set := d.settings()
	return &samples{cmp.Or(set.BaseURL, ShownAddress), kept.ids, set}
}

// replace puts the address and the IDs of this instance into a call or an answer of guides/examples.txt. An ID is known
// by what stands before it.
func (s *samples) replace(text string) string {
	pairs := []string{ShownAddress, s.address}
	if s.ids != (admitto.SampleIDs{}) {
		put := func(id int64, places ...string) {
			for _, place := range places {
				before, after, _ := strings.Cut(place, "@")
				old, n, _ := strings.Cut(after, ">")
				pairs = append(pairs, before+old+n, before+strconv.FormatInt(id, 10)+n)
			}
		}
		put(s.ids.Applicant, "applicants/@4711", "\"@4711>\":", "\"id\": @4711")
		put(s.ids.Others[0], "applicants/@4713", "\"@4713>\":", "\"id\": @4713", "after=@4713")
		put(s.ids.Others[1], "applicants/@4714", "\"@4714>\":", "\"id\": @4714")
		put(min(s.ids.Applicant, s.ids.Others[0], s.ids.Others[1]), "bySince=@4700")
		put(s.ids.Application, "applications/@9001", "\"@9001>\":", "\"id\": @9001", "byApplicationIDs=@9001")
		put(s.ids.Course, "courses/@55", "\"@55>\":", "\"id\": @55", "course @55")
		put(s.ids.Term, "academic-terms/@13", "\"id\": @13")
		put(s.ids.Document, "documents/@222", "\"@222>\":", "\"id\": @222")
		put(s.ids.FirstRecord, "bySince=@501", "\"@501>\":", "\"id\": @501")
		put(s.ids.LastRecord, "byUntil=@504", "\"@504>\":", "\"id\": @504")
		if s.ids.Tableview != 0 {
			put(s.ids.Tableview, "tableviews/@21")
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
