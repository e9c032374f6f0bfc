package api

import "errors"

// pipeline encodes the elements of a big list on a goroutine of its own while the use case reads the next ones:
// reading and encoding cost about the same, so a list that one client waits for takes little more than half the
// time. A list of less than one batch never starts the goroutine.
type pipeline[T any] struct {
	encode   func(*T) error
	batch    []T      // being filled by the reader
	full     chan []T // to the encoder; nil until it is started
	free     chan []T // back to the reader
	ended    chan struct{}
	err      error // of encode; valid once ended is closed
	panicked any   // what encode panicked with; valid once ended is closed
	closed   bool
}

var errPanicked = errors.New("the encoder panicked")

// batchSize is how many elements are handed over at once.
const batchSize = 128

func newPipeline[T any](encode func(*T) error) *pipeline[T] {
	return &pipeline[T]{encode: encode, batch: make([]T, 0, batchSize)}
}

// add takes a copy of the element, whose memory the use case may use again.
func (p *pipeline[T]) add(v *T) error {
	p.batch = append(p.batch, *v)
	if len(p.batch) < batchSize {
		return nil
	}
	if p.full == nil {
		p.start()
	}
	select {
	case p.full <- p.batch:
	case <-p.ended:
		return p.err
	}
	select {
	case p.batch = <-p.free:
	case <-p.ended:
		return p.err
	}
	return nil
}

func (p *pipeline[T]) start() {
	p.full, p.free, p.ended = make(chan []T, 1), make(chan []T, 3), make(chan struct{})
	for range 2 {
		p.free <- make([]T, 0, batchSize)
	}
	go func() {
		defer close(p.ended)
		defer func() {
			if p.panicked = recover(); p.panicked != nil {
				p.err = errPanicked // ends the reading
			}
		}()
		for batch := range p.full {
			if p.err = p.encodeAll(batch); p.err != nil {
				return
			}
			p.free <- batch[:0]
		}
	}()
}

func (p *pipeline[T]) encodeAll(batch []T) error {
	for i := range batch {
		if err := p.encode(&batch[i]); err != nil {
			return err
		}
	}
	return nil
}

// finish waits until everything is encoded. A panic of the encoder goes on here, where the request's own are
// caught.
func (p *pipeline[T]) finish() error {
	p.stop()
	switch {
	case p.panicked != nil:
		panic(p.panicked)
	case p.err != nil:
		return p.err
	}
	return p.encodeAll(p.batch)
}

// stop ends the goroutine, also when the reading failed; stopping again does nothing.
func (p *pipeline[T]) stop() {
	if p.full == nil || p.closed {
		return
	}
	p.closed = true
	close(p.full)
	<-p.ended
}
