package client

import (
	"context"
	"net/http"
)

// Option changes one call.
type Option func(*settings)

// settings is what the options of a call say.
type settings struct {
	header http.Header
	into   *http.Header
}

func settingsOf(options []Option) *settings {
	s := &settings{header: http.Header{}}
	for _, option := range options {
		option(s)
	}
	return s
}

// Header sets a header field of the request.
func Header(name, value string) Option {
	return func(s *settings) { s.header.Set(name, value) }
}

// IfMatch makes a change depend on the ETag that GET of the same path had: when the resource has changed since, the
// error is a *Problem with status 412, and nothing is done.
func IfMatch(etag string) Option { return Header("If-Match", etag) }

// IfNoneMatch asks for an answer only when its ETag is another; else the error is ErrNotModified.
func IfNoneMatch(etag string) Option { return Header("If-None-Match", etag) }

// IdempotencyKey returns a POST a key of the caller's own, 1 to 255 printable ASCII characters, in place of a random
// one. With a key that is stored before the call, the call can be sent again even by another run of the program: for 24
// hours it does nothing twice (conventions.md 3).
func IdempotencyKey(key string) Option { return Header("Idempotency-Key", key) }

// Strict makes parameters that the operation does not know an error.
func Strict() Option {
	return func(s *settings) { s.header.Add("Prefer", "handling=strict") }
}

// Range asks for a part of a file: first and last byte, both inclusive and in the form of RFC 9110, such as
// "bytes=0-99".
func Range(bytes string) Option { return Header("Range", bytes) }

// Headers stores the header of the answer, for instance its ETag, X-Count or RateLimit; a problem has one, too.
func Headers(into *http.Header) Option {
	return func(s *settings) { s.into = into }
}

// Guarded changes what was read only if it is still the same: read gets an option that notes the ETag, write one that
// demands it. When somebody else was quicker both are called again, up to attempts times in all; then the error is the
// *Problem with status 412. Other errors of read and write end it.
func Guarded(ctx context.Context, attempts int, read, write func(context.Context, Option) error) (err error) {
	for range max(attempts, 1) {
		var header http.Header
		if err := read(ctx, Headers(&header)); err != nil {
			return err
		}
		err = write(ctx, IfMatch(header.Get("ETag")))
		if !IsProblem(err, "changed-meanwhile") {
			return err
		}
	}
	return err
}
