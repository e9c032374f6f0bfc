package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/devdocs"
	"github.com/admitto/admitto/internal/disk"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/web"
)

// serveCmd is `admitto serve [--demo]`.
type serveCmd struct {
	Demo         bool `help:"Run on a fresh data folder filled with invented data; prints how to get in and a curl to paste."`
	DemoAccounts bool `help:"With --demo: list an account for each role of staff, too."`
	Fresh        bool `help:"With --demo: start again; the data of former runs of the demo are removed."`
}

// Help is shown by --help.
func (*serveCmd) Help() string {
	return `The first start makes the data folder, the database, the instance key and a self-signed certificate.
SIGINT and SIGTERM end it: no new connections, running requests finish
within 30 seconds. On SQLite a second serve on the same data folder refuses to start.

Examples:

    admitto serve --demo
    admitto serve --listen=:443 --tls.mode=files --tls.cert=/etc/admitto/cert.pem --tls.key=/etc/admitto/key.pem

"admitto config --help" lists all settings.`
}

// Validate is called by kong; what it refuses is wrong usage.
func (c *serveCmd) Validate() error {
	if !c.Demo && (c.DemoAccounts || c.Fresh) {
		return errors.New("--demo-accounts and --fresh go with --demo")
	}
	return nil
}

// Run runs the service until the context ends.
func (c *serveCmd) Run(app *app) error {
	if a := app.settings; a.SQLitePath() != "" {
		f, err := openFolder(a.Data)
		if err != nil {
			return err
		}
		release, err := f.lockServe()
		if err != nil {
			return err
		}
		defer release()
		if c.Demo {
			if err := claimDemoFolder(f); err != nil {
				return err
			}
			if c.Fresh {
				if err := emptyDemoFolder(f); err != nil {
					return err
				}
			}
		}
	} else if c.Demo {
		return fmt.Errorf("serve --demo runs on SQLite in a folder of its own; leave database.url out")
	}
	in, err := app.open(true)
	if err != nil {
		return err
	}
	defer in.close()
	var welcome func(url string)
	if c.Demo {
		if welcome, err = prepareDemo(app, in, c.DemoAccounts); err != nil {
			return err
		}
	}
	if !c.Demo {
		welcome = func(string) { offerSetup(app, in) }
	}
	return serve(app, in, welcome)
}

// offerSetup prints the link to the set-up at the first start.
func offerSetup(app *app, in *instance) {
	link, err := in.services.Maintenance.FirstSetupLink(app.ctx, admitto.SystemCaller())
	if err != nil {
		in.log.Error("the link to the set-up was not made; admitto setup-link makes one", "cause", err)
	} else if link != "" {
		fmt.Fprintf(app.stderr,
			"There is no administrator yet. Set this instance up here, within 24 hours:\n\n    %s\n\n",
			link)
	}
}

// serve wires the interfaces to the services and answers until the context ends.
func serve(app *app, in *instance, welcome func(url string)) error {
	s := app.settings
	defer tuneCollector()()
	metrics := web.NewMetrics()
	metrics.InZone(func() *time.Location { return in.settings.Current().Instance.Timezone })
	budget := web.NewBudget(s.Memory.Answers, runtime.GOMAXPROCS(0), 0)
	rest := api.New(in.services, budget, in.settings, in.log)
	documents := devdocs.New(in.services, budget, in.settings, rest.Site())
	pages, err := openPages(in, budget, rest.Site())
	if err != nil {
		return err
	}

	if ahead, err := in.store.Ahead(app.ctx); err == nil && len(ahead) > 0 {
		in.log.Info("a newer release has changed the schema; this one can work next to it", "migrations", ahead)
	}
	if s.Mail.SMTP == "" {
		in.log.Info("no mail upstream is set (mail.smtp): mails are written to the outbox folder", "folder",
			in.folder.file("outbox"))
	}
	for _, named := range []struct{ setting, url string }{{"database.url", s.StoreURL()},
		{"database.replica", string(s.Database.Replica)}} {
		if hosts := db.PlainHosts(named.url); hosts != nil {
			in.log.Warn("the connection to PostgreSQL on another host may go without TLS; sslmode=verify-full in the address asks for it",
				"setting", named.setting, "hosts", hosts)
		}
	}
	if err := in.files.Check(app.ctx); admitto.KindOf(err) == admitto.Unavailable {
		in.log.Warn("the store of files does not work; until it does documents are refused", "cause",
			errors.Unwrap(err))
	} else if err != nil {
		return err
	}
	// Before the first request: a lease that is made later belongs to one.
	if err := in.services.Maintenance.EndOrphans(app.ctx, admitto.SystemCaller()); err != nil {
		return err
	}
	runner := jobs.NewRunner(in.log, jobs.Of(in.services))
	defer watch(in, metrics, runner)()
	defer runner.Stop()
	started := make(chan struct{})
	forget := func() {}
	defer func() { forget() }()
	return web.Serve(app.ctx, web.Config{
		Listen: s.Listen, MetricsListen: s.Metrics.Listen,
		TLS: web.TLS{Mode: web.TLSMode(s.TLS.Mode), CertFile: s.TLS.Cert, KeyFile: s.TLS.Key, Folder: in.folder.path,
			Hosts: certificateHosts(s), Domains: s.TLS.Domains, Email: s.TLS.Email, Directory: s.TLS.Directory,
			RootsFile:      s.TLS.Roots,
			TrustedProxies: s.TLS.TrustedProxies},
		Sites: after(started,
			slices.Concat(pages, documents.Sites(), []web.Site{rest.Site()})), Ready: in.services.Maintenance.Ready,
		Answers: budget, Log: in.log,
		Metrics:     metrics,
		Connections: web.Connections{Total: s.Connections.Total, PerAddress: s.Connections.PerAddress},
		Started: func(address string) {
			// Only now it is known which port 0 has become. Nobody reads the setting before started is closed.
			url := s.PublicURL(listenAddress(address))
			in.settings.Listening(url)
			if s.BaseURL == "" {
				forget = in.folder.keepURL(url)
			}
			runner.Start() // mails of jobs name the address
			close(started)
			in.log.Info("serving", "address", address, "public", url)
			if welcome != nil {
				welcome(url)
			}
		},
	})
}

// slowestShown is how many kinds of requests an instance names when it says how it is.
const slowestShown = 10

// watch has the instance say how it is; the function given ends that.
func watch(in *instance, metrics *web.Metrics, runner *jobs.Runner) (end func()) {
	in.services.Maintenance.Watch(&maintenance.Process{Version: builtVersion(), Certificate: metrics.Certificate,
		Jobs: runner.Outcomes,
		Free: func() (int64, bool) {
			free, known, err := disk.Free(in.folder.path)
			return int64(min(free, math.MaxInt64)), known && err == nil //nolint:gosec // it fits
		},
		SlowestPages: func() []admitto.PageTime { return metrics.Slowest(time.Now(), slowestShown) }})
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := in.services.Maintenance.Leave(ctx, admitto.SystemCaller()); err != nil {
			in.log.Warn("the instance is still listed as alive", "cause", err)
		}
	}
}

// after keeps requests to the sites waiting until started is closed.
func after(started <-chan struct{}, sites []web.Site) []web.Site {
	for i := range sites {
		if next := sites[i].Handler; next != nil {
			sites[i].Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				select {
				case <-started:
					next.ServeHTTP(w, r)
				case <-r.Context().Done():
				}
			})
		}
	}
	return sites
}

// listenAddress is the address in "https://host:port".
type listenAddress string

func (listenAddress) Network() string { return "tcp" }

func (a listenAddress) String() string {
	_, hostPort, _ := strings.Cut(string(a), "://")
	return hostPort
}

// certificateHosts are the names the self-signed certificate is made for: those that clients will use.
func certificateHosts(s *config.Settings) []string {
	var hosts []string
	if host := hostOf(s.BaseURL); host != "" {
		hosts = append(hosts, host)
	}
	if host, _, err := net.SplitHostPort(s.Listen); err == nil && host != "" && !net.ParseIP(host).IsUnspecified() {
		hosts = append(hosts, host)
	}
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	return hosts
}

func hostOf(baseURL string) string {
	_, rest, _ := strings.Cut(baseURL, "://")
	rest, _, _ = strings.Cut(rest, "/")
	if host, _, err := net.SplitHostPort(rest); err == nil {
		return host
	}
	return rest
}
