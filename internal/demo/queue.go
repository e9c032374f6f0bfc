package demo

import (
	"container/heap"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/load"
)

// happening is something that comes about at a time: rows, a journal record, or both. The lives of
// applicants overlap and the journal runs in one order for all, so what is planned waits in a queue until
// its time has come. IDs are given then, too, and ascend with time.
type happening struct {
	at          admitto.Time
	order       int64 // of planning; what has the same time keeps it
	actor       admitto.Actor
	event       admitto.Event        // without a pattern: nothing is recorded
	about       linked               // gives the links of the event when the time has come; nil: the event has them
	rows        func()               // puts rows into the batch and may plan what follows; runs before links are asked for
	complete    func(*admitto.Event) // sets what of the event is not known before, after rows
	note        *load.NoteRow
	email       *mail
	association *admitto.TrackerAssociation
	tracker     *admitto.Tracker
}

// linked is something that the journal points at. Its ID may not be known before it comes about.
type linked interface{ links() admitto.Links }

// mail is a stored copy of a mail with the attachment it may have.
type mail struct {
	admitto.Email
	attachment *admitto.File
	about      *application // nil: no application
}

// queue is a heap of happenings, the earliest first.
type queue []*happening

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].order < q[j].order
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push and Pop are for package heap.
func (q *queue) Push(x any) { *q = append(*q, x.(*happening)) }
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return last
}

// plan puts something in the queue. What would come after the end of the data must not be planned.
func (w *world) plan(h happening) {
	w.planned++
	h.order = w.planned
	heap.Push(&w.queue, &h)
}

// later plans something unless it would come after the end of the data.
func (w *world) later(h happening) {
	if h.at <= w.ends {
		w.plan(h)
	}
}

// next takes the earliest happening up to the time; nil when there is none.
func (w *world) next(upTo admitto.Time) *happening {
	if len(w.queue) == 0 || w.queue[0].at > upTo {
		return nil
	}
	return heap.Pop(&w.queue).(*happening)
}
