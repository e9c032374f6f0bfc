package web

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/admitto/admitto/internal/disk"
)

const (
	selfSignedFor    = 397 * 24 * time.Hour // the longest that browsers accept
	selfSignedBefore = 30 * 24 * time.Hour  // made again at a start so close to its end
)

// suites returns those of TLS 1.2 that have forward secrecy and authenticated encryption; Go would speak those with CBC
// and SHA-1 as well. Those of TLS 1.3 are all so and not for choice.
func suites() []uint16 {
	return []uint16{
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
		tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
		tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
	}
}

// secured is how the public port speaks TLS.
type secured struct {
	config   *tls.Config // nil in proxy mode
	validity *validity   // of the certificates; nil in proxy mode
	// obtain, when not nil, begins to look after the certificates once the port is open, until the function that it
	// returns is called.
	obtain func(context.Context, net.Addr) (stop func())
}

// serverTLS returns the configuration of the public port: TLS 1.2 and 1.3. Its errors name the setting that is to be
// put right.
func serverTLS(c Config) (secured, error) {
	switch c.TLS.Mode {
	case Proxy:
		return secured{}, nil
	case ACME:
		a, err := newAutomatic(c)
		if err != nil {
			return secured{}, err
		}
		return secured{a.config(), a.validity, a.start}, nil
	}
	return filesTLS(c)
}

// filesTLS returns the configuration with a certificate that lies in files.
func filesTLS(c Config) (secured, error) {
	certFile, keyFile, setting := c.TLS.CertFile, c.TLS.KeyFile, "tls.cert"
	switch c.TLS.Mode {
	case Files:
	case SelfSigned:
		certFile = filepath.Join(c.TLS.Folder, "tls-cert.pem")
		keyFile = filepath.Join(c.TLS.Folder, "tls-key.pem")
		setting = "tls.mode"
		if err := ensureSelfSigned(certFile, keyFile, c); err != nil {
			return secured{}, fmt.Errorf("tls.mode (self-signed): the certificate cannot be made in the data folder (data): %w",
				err)
		}
	default:
		return secured{}, fmt.Errorf("tls.mode: %q is no mode", c.TLS.Mode)
	}
	p := &pair{certFile: certFile, keyFile: keyFile, every: c.limits.recheck, log: c.Log}
	if err := p.load(); err != nil {
		return secured{}, fmt.Errorf("the certificate cannot be used: %w", err)
	}
	in := newValidity(setting, c, func() []*x509.Certificate { return leafOf(p.current.Load()) })
	p.loadedNew, in.look = in.check, func() { p.get() }
	return secured{validity: in, config: &tls.Config{
		MinVersion:     tls.VersionTLS12,
		CipherSuites:   suites(),
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return p.get(), nil },
	}}, nil
}

// pair is a certificate that follows its files. The look at them is made by a handshake or when metrics are read, at
// most once in every; a pair that cannot be loaded leaves the one in use alone.
type pair struct {
	certFile, keyFile string
	every             time.Duration
	log               *slog.Logger
	loadedNew         func() // called when another pair is in use; nil: nobody asks

	current atomic.Pointer[tls.Certificate]
	mu      sync.Mutex // for the following; handshakes never wait for it
	looked  time.Time
	loaded  [2]fs.FileInfo // the files in use
	failed  [2]fs.FileInfo // the files last complained about
}

func (p *pair) get() *tls.Certificate {
	if p.mu.TryLock() {
		if now := time.Now(); now.Sub(p.looked) >= p.every {
			p.looked = now
			p.follow()
		}
		p.mu.Unlock()
	}
	return p.current.Load()
}

// follow loads the files if they changed. A pair that fails is tried again at every look, since the
// two files are seldom replaced at one instant, but each state of them is complained about once.
func (p *pair) follow() {
	files, err := p.stat()
	if err == nil && same(files, p.loaded) {
		return
	}
	if err == nil {
		err = p.load()
	}
	if err == nil {
		p.log.Info("certificate reloaded", "file", p.certFile)
		if p.loadedNew != nil {
			p.loadedNew()
		}
		return
	}
	if p.failed[0] == nil || !same(files, p.failed) {
		p.log.Error("the new certificate cannot be used, the old one stays", "file", p.certFile, "error", err)
	}
	p.failed = files
}

// load reads the pair. The files are looked at before they are read: if they change in between, the
// next look sees a difference.
func (p *pair) load() error {
	files, err := p.stat()
	if err != nil {
		return err
	}
	cert, err := readPair(p.certFile, p.keyFile)
	if err != nil {
		return err
	}
	p.current.Store(cert)
	p.loaded, p.failed = files, [2]fs.FileInfo{}
	return nil
}

// readPair reads a certificate and its key; the error names the setting whose file is wrong.
func readPair(certFile, keyFile string) (*tls.Certificate, error) {
	chain, err := os.ReadFile(certFile)
	if err != nil {
		return nil, fmt.Errorf("tls.cert: %w", err)
	}
	key, err := os.ReadFile(keyFile)
	if err != nil {
		return nil, fmt.Errorf("tls.key: %w", err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(chain) {
		return nil, fmt.Errorf("tls.cert: %s has no certificate in PEM in it", certFile)
	}
	cert, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return nil, fmt.Errorf("tls.key: %s is not the private key, in PEM, of the certificate in %s (tls.cert): %w", keyFile,
			certFile, err)
	}
	return &cert, nil
}

func (p *pair) stat() (files [2]fs.FileInfo, err error) {
	for i, name := range []string{p.certFile, p.keyFile} {
		if files[i], err = os.Stat(name); err != nil {
			return files, fmt.Errorf("%s: %w", [...]string{"tls.cert", "tls.key"}[i], err)
		}
	}
	return files, nil
}

// same compares by identity too, for a replaced link may lead to a file of the same age and size.
func same(a, b [2]fs.FileInfo) bool {
	for i := range a {
		if a[i] == nil || b[i] == nil {
			if a[i] != b[i] {
				return false
			}
			continue
		}
		if a[i].Size() != b[i].Size() || !a[i].ModTime().Equal(b[i].ModTime()) || !os.SameFile(a[i], b[i]) {
			return false
		}
	}
	return true
}

// ensureSelfSigned makes the pair unless there is one that fits: readable, for all hosts, and good for
// another 30 days.
func ensureSelfSigned(certFile, keyFile string, c Config) error {
	now := c.limits.now()
	hosts := append([]string{"localhost", "127.0.0.1", "::1"}, c.TLS.Hosts...)
	old, err := tls.LoadX509KeyPair(certFile, keyFile)
	if errors.Is(err, fs.ErrPermission) {
		return err
	}
	if err == nil && fits(old.Leaf, hosts, now) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(certFile), 0o700); err != nil {
		return err
	}
	cert, key, err := makeSelfSigned(hosts, now)
	if err != nil {
		return err
	}
	// A crash between the two leaves a pair that does not match and is made again at the next start.
	if err := disk.WriteFile(keyFile, key); err != nil {
		return err
	}
	if err := disk.WriteFile(certFile, cert); err != nil {
		return err
	}
	c.Log.Info("self-signed certificate made", "file", certFile)
	return nil
}

func fits(leaf *x509.Certificate, hosts []string, now time.Time) bool {
	if now.Before(leaf.NotBefore) || now.Add(selfSignedBefore).After(leaf.NotAfter) {
		return false
	}
	for _, h := range hosts {
		if leaf.VerifyHostname(h) != nil {
			return false
		}
	}
	return true
}

func makeSelfSigned(hosts []string, now time.Time) (cert, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          serial.Add(serial, big.NewInt(1)),
		Subject:               pkix.Name{Organization: []string{"Admitto"}, CommonName: "Admitto self-signed"},
		NotBefore:             now.Add(-time.Hour), // clocks differ
		NotAfter:              now.Add(-time.Hour).Add(selfSignedFor),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	for _, h := range hosts {
		if a, err := netip.ParseAddr(h); err == nil {
			template.IPAddresses = append(template.IPAddresses, a.Unmap().AsSlice())
		} else {
			template.DNSNames = append(template.DNSNames, h)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		return nil, nil, err
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}), nil
}
