package api

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/tabular"
	"github.com/admitto/admitto/internal/web"
)

// tableviewWire is a tableview (resources.md 21).
type tableviewWire struct {
	ID       int64        `wire:"id"`
	Created  admitto.Time `wire:"created"`
	Modified admitto.Time `wire:"modified"`
	Title    string       `wire:"title"`
	Rows     string       `wire:"rows"`
	Columns  []string     `wire:"columns"`
	Data     wire.Link    `wire:"tabledata"`
}

func tableviewRecord(v *admitto.Tableview) any {
	w := &tableviewWire{ID: v.ID, Created: v.Created, Modified: v.Modified, Title: v.Title, Rows: "Application",
		Data: wire.LinkTo("/tableviews/{}/tabledata", v.ID)}
	if v.ByOffer {
		w.Rows = "Offer"
	}
	for _, c := range v.Columns {
		w.Columns = append(w.Columns, c.Title)
	}
	return w
}

// listTableviews answers GET /tableviews.
func (a *API) listTableviews(c *call) error {
	list, err := a.services.Reports.Tableviews(c.ctx, c.by())
	return wholeList(c, list, err, func(v *admitto.Tableview) int64 { return v.ID }, tableviewRecord)
}

// getTableview answers GET /tableviews/{id}.
func (a *API) getTableview(c *call) error {
	v, err := a.services.Reports.Tableview(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, v, err, tableviewRecord)
}

// getTableviewTabledata answers GET /tableviews/{id}/tabledata: a stream of CSV of any size. A page is read,
// written, and only then the next one is read, so that no transaction waits for a slow client. It is not
// compressed, since the rows leave as they are made.
func (a *API) getTableviewTabledata(c *call) error {
	form := report.TableForm{Document: func(application, document int64) string {
		return fmt.Sprintf("%s/applications/%d/documents/%d", c.prefix, application, document)
	}}
	if !c.version.Has(version.SingleDates) {
		nameInTable(&form)
	}
	table, err := a.services.Reports.OpenTable(c.ctx, c.by(), c.ids[0], form)
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	var rows [][]string
	if c.r.Method != http.MethodHead {
		if rows, err = table.Next(c.ctx); err != nil {
			return err // nothing is sent yet, so this is a clean error
		}
	}
	h := c.w.Header()
	h.Set("Content-Type", csvType)
	h.Set("Content-Disposition", tableDisposition(&table.View))
	h.Set("Last-Modified", table.At.Std().Format(http.TimeFormat))
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Count", strconv.FormatInt(table.Rows, 10))
	c.beginStream()
	if c.r.Method == http.MethodHead {
		return nil
	}
	if err := c.streamTable(table, rows); err != nil {
		if c.ctx.Err() == nil {
			c.info.Problem = err // else the client has gone, which is no fault of ours
		}
		panic(http.ErrAbortHandler) // what was sent must not look complete
	}
	return nil
}

// beginStream sends the header of a stream by itself: a short one would be given a length otherwise.
func (c *call) beginStream() {
	c.w.WriteHeader(http.StatusOK)
	if c.r.Method != http.MethodHead {
		_ = http.NewResponseController(c.w).Flush() // a client that has gone shows at the first write
	}
}

// streamTable writes the header row, the first rows and all that follow.
func (c *call) streamTable(table *report.Table, rows [][]string) error {
	w := tabular.NewWriter(c.w)
	err := w.Row(table.Titles())
	for err == nil && len(rows) > 0 {
		for i := 0; err == nil && i < len(rows); i++ {
			err = w.Row(rows[i])
		}
		if err == nil {
			rows, err = table.Next(c.ctx)
		}
	}
	if err != nil {
		return err
	}
	return w.Flush()
}

// tableDisposition names the file of a tableview by its ID and, for clients that can, by its title.
func tableDisposition(v *admitto.Tableview) string {
	_, titled, _ := strings.Cut(web.ContentDisposition("attachment", v.Title+".csv"), "; filename*=")
	return `attachment; filename="tableview-` + strconv.FormatInt(v.ID, 10) + `.csv"; filename*=` + titled
}
