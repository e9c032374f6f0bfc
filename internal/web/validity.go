package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/admitto/admitto/internal/admitto"
)

// validity watches when the certificates in use begin and end. One that has expired, or that is not valid yet because a
// clock is wrong, is shown to clients all the same, who refuse it: so it is said at the start, when it is loaded, and
// every day (cli.md, tls.mode), and metrics tell the times.
type validity struct {
	setting string                     // where the certificates come from, for the log
	current func() []*x509.Certificate // those in use
	// has the files looked at, which else a handshake does; nil: there are none to follow
	look func()
	log  *slog.Logger
	now  func() time.Time
}

// newValidity watches what current returns.
func newValidity(setting string, c Config, current func() []*x509.Certificate) *validity {
	return &validity{setting: setting, current: current, log: c.Log, now: c.limits.now}
}

// fault says what is wrong with the times of a certificate, "" when it is valid.
func (v *validity) fault(leaf *x509.Certificate) string {
	switch now := v.now(); {
	case now.Before(leaf.NotBefore):
		return "the certificate is not valid yet, so clients refuse it; the clock may be wrong"
	case now.After(leaf.NotAfter):
		return "the certificate has expired, so clients refuse it"
	}
	return ""
}

// check says in the log which certificates are not valid now.
func (v *validity) check() {
	for _, leaf := range v.current() {
		if fault := v.fault(leaf); fault != "" {
			v.log.Error(fault, "setting", v.setting, "names", leaf.DNSNames, "from", leaf.NotBefore, "until",
				leaf.NotAfter)
		}
	}
}

// watch checks now and at each of the days until ctx is done; stop waits for its end.
func (v *validity) watch(ctx context.Context, days <-chan time.Time) (stop func()) {
	v.check()
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-days:
				v.check()
			}
		}
	})
	return func() {
		cancel()
		running.Wait()
	}
}

// leafOf is the certificate itself, without its chain.
func leafOf(c *tls.Certificate) []*x509.Certificate {
	if c == nil || c.Leaf == nil {
		return nil
	}
	return []*x509.Certificate{c.Leaf}
}

// The metrics of a validity. Of several certificates the one that is worst off counts.
var (
	certificateBegins = prometheus.NewDesc("admitto_certificate_not_before_seconds",
		"When the certificate in use begins to be valid, in Unix time.", nil, nil)
	certificateEnds = prometheus.NewDesc("admitto_certificate_not_after_seconds",
		"When the certificate in use expires, in Unix time.", nil, nil)
	certificateValid = prometheus.NewDesc("admitto_certificate_valid",
		"1 when the certificate in use is valid now, 0 when it has expired or is not valid yet.", nil, nil)
)

// Describe implements prometheus.Collector.
func (v *validity) Describe(to chan<- *prometheus.Desc) {
	to <- certificateBegins
	to <- certificateEnds
	to <- certificateValid
}

// Collect implements prometheus.Collector. Without a certificate there is nothing to tell. A certificate that was
// replaced is told even when nobody has connected since.
func (v *validity) Collect(to chan<- prometheus.Metric) {
	c := v.worst()
	if c.Ends == 0 {
		return
	}
	valid := 1.0
	if c.Fault != "" {
		valid = 0
	}
	gauge := func(what *prometheus.Desc, value float64) {
		to <- prometheus.MustNewConstMetric(what, prometheus.GaugeValue, value)
	}
	gauge(certificateBegins, float64(c.Begins.Std().Unix()))
	gauge(certificateEnds, float64(c.Ends.Std().Unix()))
	gauge(certificateValid, valid)
}

// worst looks at the certificates in use: when the last of them begins, when the first of them ends, and what is wrong
// with one; the zero value without any.
func (v *validity) worst() (c admitto.Certificate) {
	if v.look != nil {
		v.look()
	}
	for _, leaf := range v.current() {
		begins, ends := admitto.TimeOf(leaf.NotBefore), admitto.TimeOf(leaf.NotAfter)
		if c.Ends == 0 || ends < c.Ends {
			c.Ends, c.Names = ends, leaf.DNSNames
		}
		c.Begins = max(c.Begins, begins)
		c.Fault = cmp.Or(v.fault(leaf), c.Fault)
	}
	return c
}
