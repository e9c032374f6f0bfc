package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/caddyserver/certmagic"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// acmeProtocol is what an ACME server speaks when it checks a name on the port (TLS-ALPN-01, RFC 8737).
const acmeProtocol = "acme-tls/1"

// automatic are certificates that an ACME server gives: obtained when the port is open, kept in the folder acme/ and
// renewed in time, while the service runs.
type automatic struct {
	c      Config
	cache  *certmagic.Cache
	magic  *certmagic.Config
	issuer certmagic.ACMEIssuer

	validity *validity
}

// newAutomatic reads what is needed; nobody is asked yet.
func newAutomatic(c Config) (*automatic, error) {
	if len(c.TLS.Domains) == 0 {
		return nil, errors.New("tls.domains: no names to have certificates for")
	}
	roots, err := readRoots(c.TLS.RootsFile)
	if err != nil {
		return nil, fmt.Errorf("tls.acme_roots: %w", err)
	}
	folder := filepath.Join(c.TLS.Folder, "acme")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("tls.mode (acme): certificates cannot be kept in the data folder (data): %w", err)
	}
	a := &automatic{c: c}
	a.validity = newValidity("tls.domains", c, a.current)
	log := zap.New(zapTo{c.Log})
	a.cache = certmagic.NewCache(certmagic.CacheOptions{Logger: log,
		GetConfigForCert: func(certmagic.Certificate) (*certmagic.Config, error) { return a.magic, nil }})
	a.magic = certmagic.New(a.cache, certmagic.Config{
		Storage: &certmagic.FileStorage{Path: folder}, Logger: log, OnEvent: a.event,
		DefaultServerName: c.TLS.Domains[0], // also for a client that gives an address instead of a name
	})
	a.issuer = certmagic.ACMEIssuer{CA: c.TLS.Directory, TestCA: c.TLS.Directory, Email: c.TLS.Email, Agreed: true,
		TrustedRoots:         roots,
		DisableHTTPChallenge: true, Logger: log}
	return a, nil
}

// readRoots reads certificates in PEM; nil without a file.
func readRoots(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s has no certificate in PEM in it", file)
	}
	return roots, nil
}

// config is that of the public port. Handshakes fail until there is a certificate.
func (a *automatic) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, CipherSuites: suites(), GetCertificate: a.magic.GetCertificate,
		NextProtos: []string{acmeProtocol}}
}

// start begins to look after the certificates. What fails is told in the log and tried again, later and later.
func (a *automatic) start(ctx context.Context, port net.Addr) (stop func()) {
	if at, ok := port.(*net.TCPAddr); ok {
		// Challenges come to the public port, which is taken: so the library opens none of its own.
		a.issuer.ListenHost, a.issuer.AltTLSALPNPort = at.IP.String(), at.Port
	}
	a.magic.Issuers = []certmagic.Issuer{certmagic.NewACMEIssuer(a.magic, a.issuer)}
	ctx, cancel := context.WithCancel(ctx)
	if err := a.magic.ManageAsync(ctx, a.c.TLS.Domains); err != nil {
		a.c.Log.Error("certificates cannot be looked after", "setting", "tls.domains", "error", err)
	}
	return func() {
		cancel()
		a.cache.Stop()
	}
}

// current returns the certificates in use.
func (a *automatic) current() (list []*x509.Certificate) {
	for _, name := range a.c.TLS.Domains {
		for _, c := range a.cache.AllMatchingCertificates(name) {
			list = append(list, leafOf(&c.Certificate)...)
		}
	}
	return list
}

// event tells of what an operator waits for; failures are told by the library.
func (a *automatic) event(_ context.Context, event string, data map[string]any) error {
	switch event {
	case "cert_obtained":
		a.c.Log.Info("certificate obtained", "name", data["identifier"], "renewal", data["renewal"])
	case "cached_managed_cert": // it is in use from here on, also at a start
		a.validity.check()
	}
	return nil
}

// zapTo writes what the library logs to our log. Its chatter is for debugging only.
type zapTo struct{ log *slog.Logger }

// Enabled implements zapcore.Core.
func (z zapTo) Enabled(level zapcore.Level) bool {
	return z.log.Enabled(context.Background(), slogLevel(level))
}

// With implements zapcore.Core; the fields say which part of the library it is.
func (z zapTo) With([]zapcore.Field) zapcore.Core { return z }

// Check implements zapcore.Core.
func (z zapTo) Check(e zapcore.Entry, c *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if z.Enabled(e.Level) {
		return c.AddCore(e, z)
	}
	return c
}

// Write implements zapcore.Core. Of the fields it keeps what tells what went wrong, since among the others are an
// address and account keys.
func (z zapTo) Write(e zapcore.Entry, fields []zapcore.Field) error {
	values := zapcore.NewMapObjectEncoder()
	for _, f := range fields {
		f.AddTo(values)
	}
	var attrs []slog.Attr
	for _, key := range []string{"identifier", "subject", "error", "attempt", "retrying_in"} {
		if v, ok := values.Fields[key]; ok {
			attrs = append(attrs, slog.Any(key, v))
		}
	}
	z.log.LogAttrs(context.Background(), slogLevel(e.Level), "certificates: "+e.Message, attrs...)
	return nil
}

// Sync implements zapcore.Core.
func (z zapTo) Sync() error { return nil }

func slogLevel(level zapcore.Level) slog.Level {
	switch {
	case level >= zapcore.ErrorLevel:
		return slog.LevelError
	case level == zapcore.WarnLevel:
		return slog.LevelWarn
	}
	return slog.LevelDebug
}
