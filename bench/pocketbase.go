package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// pocketbase is the program of peers/pocketbase while it runs.
type pocketbase struct {
	process
	client  *client
	clients []*client
	version string
	durable bool // it waits for the disk, as Admitto does
}

// Sides of PocketBase next to the usual one.
const (
	pocketbaseTotal  = "PocketBase, with its total"
	pocketbaseJoined = "PocketBase, over a collection of associations"
	// Its accounts are created with a password, which it hashes. Admitto's applicants choose theirs later.
	pocketbaseAccount = "PocketBase, an account that can sign in, without a mail"
)

// pocketbaseKey is the ID of a record there.
func pocketbaseKey(id int64) string { return fmt.Sprintf("%015d", id) }

// startPocketbase builds it, lets it import the database and waits until it serves. work gets its data; durable
// has it commit as Admitto does.
func startPocketbase(ctx context.Context, source, work string, durable bool) (*pocketbase, error) {
	binary := filepath.Join(work, "pocketbase")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, ".")
	build.Dir = filepath.Join("peers", "pocketbase")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if _, err := output(build); err != nil {
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), binary, "-dir", filepath.Join(work, "pocketbase_data"),
		"-source", source, "-listen", address, fmt.Sprintf("-durable=%t", durable))
	said := new(bytes.Buffer)
	cmd.Stdout = said // it is complete before it serves
	p := &pocketbase{durable: durable}
	if p.process, err = startProcess(cmd, binary+".log"); err != nil {
		return nil, err
	}
	var signedIn struct{ Token, Version string }
	if err = p.awaitHTTP(ctx, "http://"+address+"/api/health"); err == nil {
		err = json.NewDecoder(said).Decode(&signedIn)
	}
	if err != nil {
		p.stop()
		return nil, fmt.Errorf("PocketBase: %w", err)
	}
	p.version = signedIn.Version
	p.client = newClient(ctx, "http://"+address+"/api", signedIn.Token)
	p.clients = newClients(ctx, "http://"+address+"/api", signedIn.Token)
	return p, nil
}

// onPocketbase adds a side, when PocketBase is there.
func (b *bench) onPocketbase(sides []side, s side, of func(*pocketbase) operation) []side {
	if b.pocketbase == nil {
		return sides
	}
	s.do = of(b.pocketbase)
	return append(sides, s)
}

// filteredOnPocketbase adds the sides of a filter: as getFullList asks, and with the number of all matches, as Admitto
// answers it. It fails when there are not as many applicants as in Admitto's answer.
func (b *bench) filteredOnPocketbase(sides []side, least float64, suffix string, filter func(i int) string) ([]side,
	error) {
	if b.pocketbase == nil {
		return sides, nil
	}
	for _, s := range []struct{ name, total string }{{onPocketbase, "&skipTotal=1"}, {pocketbaseTotal, ""}} {
		of := func(i int) call {
			return get(fmt.Sprintf("/collections/applicants/records?perPage=%d%s%s&filter=%s", page, s.total, suffix,
				url.QueryEscape("("+filter(i)+")")))
		}
		var answer struct{ Items []json.RawMessage }
		if err := b.pocketbase.client.read(of(0), &answer); err != nil {
			return nil, err
		}
		if len(answer.Items) != b.rows {
			return nil, fmt.Errorf("PocketBase gives %d applicants and not %d", len(answer.Items), b.rows)
		}
		sides = append(sides, side{name: s.name, goal: goal{least: least}, do: b.pocketbase.client.asking(of)})
	}
	return sides, nil
}

func (p *pocketbase) one(id int64) call {
	return get("/collections/applicants/records/" + pocketbaseKey(id))
}

// all reads so many applicants as getFullList of its SDK does: pages of 1000 without the total, one after another.
func (p *pocketbase) all(rows int) operation {
	return func(int) (s sample, err error) {
		for first := 0; first < rows; first += page {
			one, _, err := p.client.do(call{method: http.MethodGet, status: http.StatusOK,
				path: fmt.Sprintf("/collections/applicants/records?perPage=%d&skipTotal=1&page=%d", page, first/page+1)})
			if err != nil {
				return s, err
			}
			s.total += one.total
			s.bytes += one.bytes
			if first == 0 {
				s.firstByte = one.firstByte
			}
		}
		return s, nil
	}
}

// round cuts a duration to three digits or so.
func round(d time.Duration) time.Duration { return d.Round(max(d/100, 1)) }
