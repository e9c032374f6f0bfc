package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"
)

// pageRequests is how many pages of a kind are opened to see what each takes of the processor, for each of its shares.
const pageRequests = 5

// costs opens pages one after the other, calls the API's mix in the same way, and prints what each takes of the
// processor: of the service, and of the server of the database. That depends little on what else the machine does.
func (e *pagesEngine) costs(run *pageRun, server *server, api *client) error {
	v := run.staff[0]
	v.chance = rand.New(rand.NewPCG(run.seed, 1000)) // whatever was clicked before
	used := func() (service, database time.Duration) {
		if e.cluster != nil {
			database = e.cluster.exactOfAll()
		}
		return exact(server.cmd.Process.Pid), database
	}
	var rows [][]string
	var slow []click
	cores := 0.0
	measure := func(name string, n int, perSecond float64, do func(i int) (string, error)) error {
		var all []float64
		var sum, base time.Duration
		for i := range n {
			service, database := used()
			path, err := do(i)
			if err != nil {
				return err
			}
			serviceThen, databaseThen := used()
			took := max(serviceThen-service, 0) + max(databaseThen-database, 0)
			all, sum, base = append(all, float64(took)), sum+took, base+max(databaseThen-database, 0)
			slow = append(slow, click{path: path, took: took})
		}
		slices.Sort(all)
		cores += sum.Seconds() / float64(n) * perSecond
		rows = append(rows, []string{name, strconv.Itoa(n), duration(sum / time.Duration(n)),
			duration(base / time.Duration(n)),
			duration(time.Duration(percentile(all, 50))), duration(time.Duration(percentile(all, 95))),
			duration(time.Duration(percentile(all, 100)))})
		return nil
	}
	perSecond := float64(len(run.staff)) / clickEvery.Seconds()
	for _, k := range pageKinds {
		err := measure(k.name, k.share*pageRequests, perSecond*float64(k.share)/100, func(int) (string, error) {
			path := k.path(v)
			_, err := v.read(k.name, path)
			return path, err
		})
		if err != nil {
			return err
		}
	}
	err := measure("API", 10*pageRequests, 1/apiEvery.Seconds(),
		func(i int) (string, error) { return "", run.callAPI(api, i) })
	if err != nil {
		return err
	}
	fmt.Println("\nTime of the processor, one after the other:")
	fmt.Println()
	writeMarkdown(os.Stdout, []string{"page", "requests", "mean", "of it the database's server", "p50", "p95", "most"},
		rows)
	fmt.Printf("\n%d staff and the API's mix take %.2f processors.\n\nThe dearest:\n", len(run.staff), cores)
	slices.SortFunc(slow, func(a, b click) int { return int(b.took - a.took) })
	for _, c := range slow[:min(len(slow), slowest)] {
		fmt.Printf("  %s  %s\n", duration(c.took), c.path)
	}
	return nil
}
