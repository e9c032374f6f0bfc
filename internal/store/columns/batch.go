package columns

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store/db"
)

// Batch is a batch; also is what its list is made of, which is empty once that is sealed. How far the sealing is, the
// lease and the wave are in batch.go of package store.
var Batch = table("batch", []Column[admitto.Batch]{
	number("id", func(b *admitto.Batch) *int64 { return &b.ID }),
	text("action", func(b *admitto.Batch) *string { return &b.Action }),
	text("source", func(b *admitto.Batch) *admitto.BatchSource { return &b.Source }),
	text("state", func(b *admitto.Batch) *admitto.BatchState { return &b.State }),
	{name: "params", bind: func(b *admitto.Batch) any { return JSON(&b.Params) },
		decode: func(b *admitto.Batch, text []byte) error {
			b.Params = admitto.BatchParams{}
			return json.Unmarshal(text, &b.Params)
		}},
	number("rule_version", func(b *admitto.Batch) *int64 { return &b.RuleVersion }),
	instant("prepared", func(b *admitto.Batch) *admitto.Time { return &b.Prepared }),
	number("prepared_by", func(b *admitto.Batch) *int64 { return &b.PreparedBy }),
	reference("sealed_by", func(b *admitto.Batch) *int64 { return &b.SealedBy }),
	instant("counted", func(b *admitto.Batch) *admitto.Time { return &b.Counted }),
	instant("released", func(b *admitto.Batch) *admitto.Time { return &b.Released }),
	reference("released_by", func(b *admitto.Batch) *int64 { return &b.ReleasedBy }),
	truth("alone", func(b *admitto.Batch) *bool { return &b.Alone }),
	instant("ended", func(b *admitto.Batch) *admitto.Time { return &b.Ended }),
	instant("undone", func(b *admitto.Batch) *admitto.Time { return &b.Undone }),
	reference("undone_by", func(b *admitto.Batch) *int64 { return &b.UndoneBy }),
	{name: "why", bind: func(b *admitto.Batch) any { return message.Keep(b.Why) },
		scan: func(b *admitto.Batch, r *db.Rows, i int) { b.Why = message.Kept(r.Text(i)) }},
	number("size", func(b *admitto.Batch) *int64 { return &b.Size }),
	number("excluded", func(b *admitto.Batch) *int64 { return &b.Excluded }),
	number("done", func(b *admitto.Batch) *int64 { return &b.Done }),
	number("skipped", func(b *admitto.Batch) *int64 { return &b.Skipped }),
	number("failed", func(b *admitto.Batch) *int64 { return &b.Failed }),
	number("put_back", func(b *admitto.Batch) *int64 { return &b.PutBack }),
	number("left_as_is", func(b *admitto.Batch) *int64 { return &b.LeftAsIs }),
	number("not_before", func(b *admitto.Batch) *admitto.Time { return &b.NotBefore }),
}, "selection")

// DataRequest is a request about personal data.
var DataRequest = table("data_request", []Column[admitto.DataRequest]{
	number("id", func(q *admitto.DataRequest) *int64 { return &q.ID }),
	number("applicant_id", func(q *admitto.DataRequest) *int64 { return &q.Applicant }),
	text("kind", func(q *admitto.DataRequest) *admitto.DataRequestKind { return &q.Kind }),
	text("reason", func(q *admitto.DataRequest) *string { return &q.Reason }),
	date("received", func(q *admitto.DataRequest) *admitto.Date { return &q.Received }),
	instant("recorded", func(q *admitto.DataRequest) *admitto.Time { return &q.Recorded }),
	reference("administrator_id", func(q *admitto.DataRequest) *int64 { return &q.Administrator }),
	instant("answered", func(q *admitto.DataRequest) *admitto.Time { return &q.Answered }),
	reference("answered_by", func(q *admitto.DataRequest) *int64 { return &q.AnsweredBy }),
	text("outcome", func(q *admitto.DataRequest) *admitto.DataRequestOutcome { return &q.Outcome }),
	text("answer", func(q *admitto.DataRequest) *string { return &q.Answer }),
})
