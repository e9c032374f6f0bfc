package web

import (
	"net/http"
	"net/http/pprof"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/admitto/admitto/internal/admitto"
)

// Metrics counts what the chain answers, in a registry of its own:
//
//	admitto_http_requests_total{route,version,status}     status is a class ("2xx"), or "aborted"
//	admitto_http_request_duration_seconds{route}
//	admitto_answer_bytes_in_flight                        memory of answers being built or sent
//	admitto_connections                                   open connections of the public port
//	admitto_connections_refused_total{bound}              bound is "total" or "address" (Connections)
//	admitto_certificate_valid                             1 or 0; and admitto_certificate_not_before_seconds, …_not_after_seconds
//
// and the usual ones of Go and the process. A request whose handler set no Info.Route has the route
// "other", so that strangers cannot make new time series.
type Metrics struct {
	registry    *prometheus.Registry
	requests    *prometheus.CounterVec
	duration    *prometheus.HistogramVec
	connections prometheus.Gauge
	refused     *prometheus.CounterVec
	budget      atomic.Pointer[Budget]
	validity    atomic.Pointer[validity]
	today       dayTimes
}

// NewMetrics returns metrics that nothing was counted in yet.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "admitto_http_requests_total",
			Help: "Requests answered, by route pattern, API version (0: none) and status class.",
		}, []string{"route", "version", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "admitto_http_request_duration_seconds",
			Help:    "Time from the request's headers to the end of its handler.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route"}),
		connections: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "admitto_connections", Help: "Open connections of the public port.",
		}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "admitto_connections_refused_total",
			Help: "Connections that were closed at once, by the bound they were beyond.",
		}, []string{"bound"}),
	}
	m.registry.MustRegister(m.requests, m.duration, m.connections, m.refused,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "admitto_answer_bytes_in_flight", Help: "Memory held by answers that are being built or sent.",
		}, func() float64 {
			if b := m.budget.Load(); b != nil {
				return float64(b.InFlight())
			}
			return 0
		}),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// watch makes b the budget whose bytes in flight are shown.
func (m *Metrics) watch(b *Budget) { m.budget.Store(b) }

// watchCertificates makes v what is told of certificates.
func (m *Metrics) watchCertificates(v *validity) {
	m.registry.MustRegister(v)
	m.validity.Store(v)
}

// Certificate is the certificate in use that is worst off; the zero value where there is none.
func (m *Metrics) Certificate() admitto.Certificate {
	if v := m.validity.Load(); v != nil {
		return v.worst()
	}
	return admitto.Certificate{}
}

func (m *Metrics) count(route string, version int, status string, took time.Duration) {
	m.today.add(route, took, time.Now())
	m.requests.WithLabelValues(route, strconv.Itoa(version), status).Inc()
	m.duration.WithLabelValues(route).Observe(took.Seconds())
}

// handler answers the metrics port. The command line is not shown there (pprof.Cmdline), for it may
// hold secrets.
func (m *Metrics) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}
