package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/tabular"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/web"
)

// csvType is the media type of tables.
const csvType = "text/csv; charset=utf-8"

// reportWire is a report in the list of them (resources.md 19.1).
type reportWire struct {
	Title      string                `wire:"title"`
	Parameters []reportParameterWire `wire:"parameters"`
	Columns    []string              `wire:"columns"`
	Data       wire.Link             `wire:"data"`
}

type reportParameterWire struct {
	Name     string `wire:"name"`
	Type     string `wire:"type"`
	Required bool   `wire:"required"`
	Title    string `wire:"title"`
}

func reportRecord(r *report.Report) any {
	w := &reportWire{Title: r.Title, Parameters: []reportParameterWire{}, Columns: r.Columns(false),
		Data: wire.LinkTo("/reports/" + r.Name)}
	for _, p := range report.ReportParameters() {
		if slices.Contains(r.Parameters, p.Name) {
			w.Parameters = append(w.Parameters, reportParameterWire{Name: p.Name, Type: p.Type,
				Required: r.Requires(p.Name), Title: p.Title})
		}
	}
	return w
}

// listReports answers GET /reports, keyed by name.
func (a *API) listReports(c *call) error {
	if err := c.noParameters(); err != nil {
		return err
	}
	return namedList(c, report.Reports(), func(r *report.Report) string { return r.Name }, reportRecord)
}

// reportInput holds the parameters of all reports (resources.md 19.2); each takes some.
type reportInput struct {
	Terms        params.IDList      `name:"academicTerm"`
	Years        params.YearList    `name:"commenceYear"`
	Compared     oneYear            `name:"comparedYear"`
	CalendarYear oneYear            `name:"calendarYear"`
	Intakes      params.IDList      `name:"intakes"`
	Courses      params.IDList      `name:"courses"`
	Institutions params.IDList      `name:"institutions"`
	Regions      territoryList      `name:"regions"`
	Citizenships params.CountryList `name:"citizenships"`
}

func (in *reportInput) query() admitto.ReportQuery {
	return admitto.ReportQuery{Terms: in.Terms, Years: in.Years, Intakes: in.Intakes, Courses: in.Courses,
		Institutions: in.Institutions,
		Citizenships: in.Citizenships, Compared: int64(in.Compared), CalendarYear: int64(in.CalendarYear)}
}

// oneYear is a single year.
type oneYear int64

func (y *oneYear) Read(d *params.Decoder, f *params.Field, a *params.Arg) error {
	if _, err := a.Single(); err != nil {
		return err
	}
	var years params.YearList
	err := years.Read(d, f, a)
	if err == nil && len(years) != 1 {
		err = message.Of("one-year")
	}
	if err == nil {
		*y = oneYear(years[0])
	}
	return err
}

func (oneYear) Describe(*params.Place, *params.Field) *schema.Schema { return params.YearSchema() }

// territoryList holds territories: the world, countries, or regions of the settings (resources.md 16). Digits
// are padded to three.
type territoryList []string

func (l *territoryList) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) (err error) {
	*l, err = params.List(text.SplitList(a.Values), func(s string) (string, error) {
		code := strings.ToUpper(s)
		if len(code) > 16 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return "", message.Of("no-territory", text.Quote(s))
		}
		if strings.Trim(code, "0123456789") != "" {
			return code, nil
		}
		if code = strings.TrimLeft(code, "0"); len(code) > 3 || code == "" {
			return "", message.Of("no-territory-digits", text.Quote(s))
		}
		return strings.Repeat("0", 3-len(code)) + code, nil
	})
	return err
}

func (territoryList) Describe(*params.Place, *params.Field) *schema.Schema {
	return params.FilterOf(&schema.Schema{Type: "string", Pattern: "^[A-Za-z0-9_-]{1,16}$",
		Description: "The world (001), a country, or a region of the settings."})
}

// reportArgs reads the parameters that the report takes; others are unknown to it.
func (c *call) reportArgs(r *report.Report, in *reportInput) error {
	given, err := c.queryArgs()
	if err != nil {
		return err
	}
	taken, known := params.Args{}, map[string]bool{}
	for _, name := range r.Parameters {
		known[name] = true
		if given[name] != nil {
			taken[name] = given[name]
		}
	}
	var unknown error
	faults, ignored := c.decoder().UnknownOf(given, known)
	c.tellIgnored(ignored)
	if faults != nil {
		unknown = &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return faultsOf(c.decode(taken, in), unknown)
}

// getReport answers GET /reports/{report_name} as CSV, or as JSON where Accept prefers it.
func (a *API) getReport(c *call) error {
	r, err := report.ReportNamed(c.name)
	if err != nil {
		return err
	}
	var in reportInput
	if err := c.reportArgs(r, &in); err != nil {
		return err
	}
	if prefersJSON(c.r.Header.Values("Accept")) {
		return c.reportJSON(r, &in)
	}
	return c.reportCSV(r, &in)
}

// prefersJSON reports whether Accept names JSON, and CSV not with a higher quality. What wildcards say changes nothing:
// programs send them with whatever they really want (resources.md 19.2).
func prefersJSON(accept []string) bool {
	named := quality(accept, "application/json")
	return named > 0 && named >= quality(accept, "text/csv")
}

// reportHeader sets the headers of a report that is calculated at a time (resources.md 19.2).
func (c *call) reportHeader(name, extension string, at admitto.Time) {
	const mayBeUsed = 15 * time.Minute
	instant := at.Floor().Std()
	h := c.w.Header()
	h.Set("Content-Disposition", `attachment; filename="`+name+"-"+instant.Format("20060102T150405Z")+"."+extension+`"`)
	h.Set("Last-Modified", instant.Format(http.TimeFormat))
	h.Set("Expires", instant.Add(mayBeUsed).Format(http.TimeFormat))
	h.Set("Vary", "Accept, Accept-Encoding")
}

// reportCSV builds the whole report before it is sent, so that no transaction waits for a slow client and a
// failure midway is a clean error.
func (c *call) reportCSV(r *report.Report, in *reportInput) error {
	c.w.Header().Set("Content-Type", csvType)
	begin := func(at admitto.Time) { c.reportHeader(r.Name, "csv", at) }
	if c.r.Method == http.MethodHead {
		err := c.api.services.Reports.Report(c.ctx, c.by(), r, in.query(), in.Regions, begin, nil)
		if err == nil {
			c.beginStream()
		}
		return err
	}
	pieces, err := c.api.budget.Answer(c.ctx, web.Encoding(c.r), web.CompressAbove, func(pieces *web.Pieces) error {
		table := tabular.NewWriter(pieces)
		if err := table.Row(r.Columns(in.Compared != 0)); err != nil {
			return err
		}
		var cells []string
		err := c.api.services.Reports.Report(c.ctx, c.by(), r, in.query(), in.Regions, begin, func(row []any) error {
			cells = cells[:0]
			for _, v := range row {
				cells = append(cells, report.CellText(v))
			}
			return table.Row(cells)
		})
		if err != nil {
			return err
		}
		return table.Flush()
	})
	if err != nil {
		return err
	}
	defer pieces.Release()
	if encoding := pieces.Encoding(); encoding != "" {
		c.w.Header().Set("Content-Encoding", encoding)
	}
	c.beginStream()
	if err := pieces.SendTo(c.w); err != nil {
		panic(http.ErrAbortHandler) // the client took nothing, or has gone; the answer must not look whole
	}
	return nil
}

// reportJSON builds a report as JSON: counts and IDs are numbers, all else is text.
func (c *call) reportJSON(r *report.Report, in *reportInput) error {
	encoding := web.Encoding(c.r)
	if c.r.Method == http.MethodHead {
		encoding = "" // the size that HEAD tells is the uncompressed one
	}
	pieces, err := c.api.budget.Answer(c.ctx, encoding, web.CompressAbove, func(pieces *web.Pieces) error {
		return c.fillReport(pieces, r, in)
	})
	if err != nil {
		return err
	}
	defer pieces.Release()
	if c.r.Method == http.MethodHead {
		c.w.Header().Set("Content-Type", jsonType)
		c.w.Header().Set("Content-Length", strconv.FormatInt(pieces.Len(), 10))
		c.w.WriteHeader(http.StatusOK)
		return nil
	}
	pieces.SendAs(c.w, jsonType)
	return nil
}

// fillReport writes a report as JSON.
func (c *call) fillReport(pieces *web.Pieces, r *report.Report, in *reportInput) error {
	columns := r.Columns(in.Compared != 0)
	var buf []byte
	separator := ""
	err := c.api.services.Reports.Report(c.ctx, c.by(), r, in.query(), in.Regions, func(at admitto.Time) {
		c.reportHeader(r.Name, "json", at)
		buf = append(wire.AppendString(append(buf, `{"name":`...), r.Name), `,"title":`...)
		buf = append(wire.AppendString(buf, r.Title), `,"generated":"`...)
		buf = append(at.Append(buf), `","parameters":`...)
		buf = append(c.encode(buf, in.given()), `,"columns":`...)
		buf = append(wire.AppendJSON(buf, columns), `,"rows":[`...)
	}, func(row []any) error {
		buf = appendReportRow(append(buf, separator...), columns, row)
		separator = ","
		if len(buf) < flushAt {
			return nil
		}
		_, err := pieces.Write(buf)
		buf = buf[:0]
		return err
	})
	if err != nil {
		return err
	}
	_, err = pieces.Write(append(buf, "]}"...))
	return err
}

// appendReportRow appends a row as an object keyed by the columns.
func appendReportRow(dst []byte, columns []string, row []any) []byte {
	for i, v := range row {
		separator := byte('{')
		if i > 0 {
			separator = ','
		}
		dst = append(wire.AppendString(append(dst, separator), columns[i]), ':')
		switch v := v.(type) {
		case nil:
			dst = append(dst, "null"...)
		case int64:
			dst = strconv.AppendInt(dst, v, 10)
		default:
			dst = wire.AppendString(dst, report.CellText(v))
		}
	}
	return append(dst, '}')
}

// givenParameters are the parameters that were given, as they were understood.
type givenParameters struct {
	Terms        []int64  `wire:"academicTerm,omit"`
	Years        []int64  `wire:"commenceYear,omit"`
	Compared     *int64   `wire:"comparedYear,omit"`
	CalendarYear *int64   `wire:"calendarYear,omit"`
	Intakes      []int64  `wire:"intakes,omit"`
	Courses      []int64  `wire:"courses,omit"`
	Institutions []int64  `wire:"institutions,omit"`
	Regions      []string `wire:"regions,omit"`
	Citizenships []string `wire:"citizenships,omit"`
}

func (in *reportInput) given() *givenParameters {
	year := func(y oneYear) *int64 {
		if y == 0 {
			return nil
		}
		return (*int64)(&y)
	}
	return &givenParameters{in.Terms, in.Years, year(in.Compared), year(in.CalendarYear), in.Intakes, in.Courses,
		in.Institutions,
		in.Regions, in.Citizenships}
}
