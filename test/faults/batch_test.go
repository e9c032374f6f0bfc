package faults_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/wait"
)

// firstOfCrowd is the ID of the first applicant of a crowd, of the application and of the offer.
const firstOfCrowd = 100_001

// crowdTypes are the types of offers that a crowd has in turn, crowdLetter is the one that its letters are of.
const (
	crowdTypes  = "CASE WHEN id = 2 * (id / 2) THEN 5 ELSE 6 END"
	crowdLetter = 9
)

// crowd is a service on a place with many applications, and two administrators who prepare and release batches next to
// it while it is killed.
type crowd struct {
	*place
	n     int64
	mails *mailer
	next  *services.Services // works on the same database in this process
	s     *service
	kills int
}

// crowded makes n applications of as many applicants, each with an offer, and starts the service. Its batches run in
// so many waves.
func (p *place) crowded(n, waves int64) *crowd {
	p.t.Helper()
	p.must("demo", "--applicants=5")
	c := &crowd{place: p, n: n, mails: startMailServer(p.t)}
	p.flags = append(p.flags, "--mail.smtp="+c.mails.url, fmt.Sprintf("--batch.wave-size=%d", (n+waves-1)/waves),
		"--batch.wave-pause-seconds=1")
	p.touch(func(tx *store.Tx) error {
		course, intake, institution := int64(0), int64(0), int64(0)
		rows := sqltest.In(tx).Query(`SELECT c.id, i.id, c.institution_id FROM course c JOIN course_intake o ON o.course_id = c.id
			JOIN intake i ON i.id = o.intake_id ORDER BY i.id DESC, c.id LIMIT 1`)
		if rows.Next() {
			course, intake, institution = rows.Int64(0), rows.Int64(1), rows.Int64(2)
		}
		if err := rows.Close(); err != nil {
			return err
		}
		ids := fmt.Sprintf(`WITH RECURSIVE many(id) AS (SELECT %d UNION ALL SELECT id + 1 FROM many WHERE id < %d) `,
			firstOfCrowd,
			firstOfCrowd+n-1)
		for _, sql := range []string{
			"UPDATE academic_term SET finish = '2099-12-31', grace = '2099-12-31'",
			"INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key, citizenship) " + ids +
				"SELECT id, 'live', FALSE, 1, 'Eva', 'No' || id, 'p' || id || '@crowd.example.org', 'p' || id || '@crowd.example.org', 'HU' FROM many",
			"INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) " + ids +
				fmt.Sprintf("SELECT id, id, (SELECT academic_term_id FROM intake WHERE id = %d), 'Submitted', 1, 1 FROM many",
					intake),
			"INSERT INTO application_course (application_id, course_id, intake_id, institution_id, priority, added, submitted) " + ids +
				fmt.Sprintf("SELECT id, %d, %d, %d, 1, 1, 1 FROM many", course, intake, institution),
			`INSERT INTO offer (id, application_id, applicant_id, academic_term_id, course_id, institution_id, intake_id, priority,
				type_id, inserted, saved, subject, comments) ` + ids +
				fmt.Sprintf("SELECT id, id, id, (SELECT academic_term_id FROM intake WHERE id = %[2]d), %[1]d, %[3]d, %[2]d, 1, "+
					crowdTypes+
					", 1, 1, '', 'Own words ' || id FROM many", course, intake, institution),
		} {
			if _, err := sqltest.In(tx).Exec(sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return nil
	})
	p.touch(func(tx *store.Tx) error { return tx.RecountCounters() })
	db, err := store.Open(p.t.Context(), p.database, p.opts)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = db.Close() })
	c.next = p.instance(db, c.mails, nil)
	c.s = p.serve()
	return c
}

// somebody is an administrator of the invented data with all permissions.
func somebody(id int64) admitto.Caller {
	return admitto.AdministratorCaller(id, admitto.AllPermissions(), "")
}

func (c *crowd) course() int64 {
	return c.number("SELECT course_id FROM offer WHERE id = $1", int64(firstOfCrowd))
}

// show reads a batch.
func (c *crowd) show(id int64) batch.View {
	c.t.Helper()
	v, err := c.next.Batches.Show(c.t.Context(), somebody(1), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return v
}

// prepared seals a list of everybody; the service seals the rest of a large one, and may be killed meanwhile.
func (c *crowd) prepared(action string, params admitto.BatchParams) (id int64) {
	c.t.Helper()
	var ids []int64
	for i := range c.n {
		ids = append(ids, firstOfCrowd+i)
	}
	id, err := c.next.Batches.Prepare(c.t.Context(), somebody(1), batch.Plan{Action: action, Params: params,
		Selection: admitto.BatchSelection{IDs: ids}})
	if err != nil {
		c.t.Fatal(err)
	}
	if c.show(id).State == admitto.BatchPreparing {
		c.again()
	}
	wait.Until(c.t, action+" is sealed", func() bool { return c.show(id).State == admitto.BatchPrepared })
	if v := c.show(id); v.Size != c.n || v.Excluded != 0 || v.Done != 0 {
		c.t.Fatalf("%s: %+v", action, v.Batch)
	}
	return id
}

// released lets a batch run. Where it needs a second person, the one who prepared it cannot release it alone.
func (c *crowd) released(id int64, second bool) {
	c.t.Helper()
	v, err := c.next.Batches.Release(c.t.Context(), somebody(1), id, c.n)
	if err != nil || (v.State == admitto.BatchWaiting) != second {
		c.t.Fatalf("%+v, %v", v, err)
	}
	if !second {
		return
	}
	if _, err = c.next.Batches.Release(c.t.Context(), somebody(1), id, c.n); admitto.KindOf(err) != admitto.NotAllowedNow {
		c.t.Fatalf("released alone: %v", err)
	}
	if v, err = c.next.Batches.Release(c.t.Context(), somebody(2), id, c.n); err != nil || v.ReleasedBy != 2 {
		c.t.Fatalf("%+v, %v", v, err)
	}
}

// killed ends the service in the middle of a batch: each record is done with its mark, or not at all.
func (c *crowd) killed(id int64, effects string) {
	c.t.Helper()
	c.s.Kill()
	if v, n := c.show(id), c.number(effects); v.State != admitto.BatchRunning || v.Done != n || n == c.n {
		c.t.Fatalf("killed with %d effects: %+v", n, v.Batch)
	}
	c.again()
}

// again kills the service, and starts another one, for which every lease is over.
func (c *crowd) again() {
	c.t.Helper()
	c.s.Kill()
	c.kills++
	c.mails.be(none) // its answers to those who hung reach nobody
	c.touch(func(tx *store.Tx) error {
		for _, table := range []string{"batch", "lead_import", "outbox"} {
			if _, err := sqltest.In(tx).Exec("UPDATE " + table + " SET lease_until = 0"); err != nil {
				return err
			}
		}
		return nil
	})
	c.s = c.serve()
}

// beyond waits until a batch has done more records than that, and returns how many.
func (c *crowd) beyond(id, n int64) (done int64) {
	c.t.Helper()
	wait.Until(c.t, "the batch goes on", func() bool {
		done = c.show(id).Done
		return done > n
	})
	return done
}

// throughStop kills the service twice while it works on a batch that a second person released, and between stops the
// batch and has the second person resume it: alone, the one who prepared it cannot. effects counts what it has done.
func (c *crowd) throughStop(id int64, effects string) {
	c.t.Helper()
	c.beyond(id, 0)
	c.killed(id, effects)
	done := c.beyond(id, c.show(id).Done)
	if _, err := c.next.Batches.Stop(c.t.Context(), somebody(1), id); err != nil {
		c.t.Fatalf("after %d: %v", done, err)
	}
	v := c.show(id)
	if v.State != admitto.BatchStopped || v.Done == c.n || v.Done != c.number(effects) {
		c.t.Fatalf("stopped with %d effects: %+v", c.number(effects), v.Batch)
	}
	_, err := c.next.Batches.Resume(c.t.Context(), somebody(1), id)
	if admitto.KindOf(err) != admitto.NotAllowedNow {
		c.t.Fatalf("resumed alone: %v", err)
	}
	if _, err = c.next.Batches.Resume(c.t.Context(), somebody(2), id); err != nil {
		c.t.Fatal(err)
	}
	c.beyond(id, v.Done)
	c.killed(id, effects)
	c.finished(id, effects)
}

// finished waits for the end of a batch that has done everything, each once.
func (c *crowd) finished(id int64, effects string) {
	c.t.Helper()
	wait.Until(c.t, "the batch is finished", func() bool { return c.show(id).State == admitto.BatchFinished })
	if v := c.show(id); v.Done != c.n || v.Skipped+v.Failed != 0 || c.number(effects) != c.n {
		c.t.Errorf("%d effects: %+v", c.number(effects), v.Batch)
	}
}

// posted waits until every mail has left, and wants one for each of the crowd with the words in its subject. Only a
// mail that the mail server had accepted when the service was killed comes twice, and then under the same Message-ID.
func (c *crowd) posted(words string) {
	c.t.Helper()
	wait.Until(c.t, "all mails have left", func() bool { return c.number("SELECT count(*) FROM outbox") == 0 })
	messages, copies := map[string]string{}, 0
	for _, d := range c.mails.all() {
		if !strings.HasSuffix(d.to, "@crowd.example.org") || !strings.Contains(d.data, words) {
			continue
		}
		if before, twice := messages[d.to]; twice && before != d.id {
			c.t.Errorf("%s was written to twice: %s and %s", d.to, before, d.id)
		} else if twice {
			copies++
		}
		messages[d.to] = d.id
	}
	if int64(len(messages)) != c.n || copies > mailWorkers*c.kills {
		c.t.Errorf("%d of %d were written to, %d mails came twice under the same Message-ID", len(messages), c.n, copies)
	}
	c.t.Logf("%d mails, %d kills, %d mails twice under the same Message-ID", len(messages), c.kills, copies)
}

// mailWorkers are how many mails leave at once by default.
const mailWorkers = 4

// Messages to many, released by a second person: the service is killed while mails are on their way, the batch is
// stopped in the middle and resumed, and everybody is written to once, by as many workers as there are.
func TestBatchOfMessages(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, p *place) {
		c := p.crowded(either[int64](60, 5000), 4)
		id := c.prepared("message", admitto.BatchParams{Subject: "Interview of %applicant-FamilyName%",
			Text: "Dear %applicant-GivenName%,\n\nplease come on Friday."})
		const effects = "SELECT count(*) FROM email WHERE subject LIKE 'Interview of No%'"
		if n := c.number(effects); n != 0 {
			t.Fatalf("%d messages before the release", n)
		}
		c.mails.be(hangs)
		c.released(id, true)
		wait.Until(t, "all workers are at work", func() bool { return c.mails.times() == mailWorkers })
		c.throughStop(id, effects)
		c.posted("Subject: Interview of No")
		if n := c.number(`SELECT count(*) FROM (SELECT 1 FROM email WHERE subject LIKE 'Interview of No%'
			GROUP BY applicant_id HAVING count(*) > 1) d`); n != 0 {
			t.Errorf("%d have more than one message", n)
		}
		c.s.Terminate()
		p.whole()
	})
}

// Types of offers are set for many and undone, with a kill in the middle of each: every offer is as it was. There are
// more than an undoing puts back while somebody waits for the page.
func TestBatchUndone(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, p *place) {
		c := p.crowded(either[int64](60, 500), 4)
		params := admitto.BatchParams{Course: c.course(), Type: crowdLetter}
		const set = "SELECT count(*) FROM offer WHERE id > 100000 AND type_id = 9"
		const asBefore = "SELECT count(*) FROM offer WHERE id > 100000 AND comments = 'Own words ' || id AND type_id = " +
			crowdTypes
		if n := c.number(asBefore); n != c.n {
			t.Fatalf("%d offers of %d", n, c.n)
		}
		id := c.prepared("offer-type", params)
		c.released(id, false)
		done := c.beyond(id, 0)
		c.again()
		c.finished(id, set)
		if _, err := c.next.Batches.Undo(t.Context(), somebody(1), id); err != nil {
			t.Fatal(err)
		}
		wait.Until(t, "it is being undone", func() bool { return c.show(id).PutBack > 0 })
		back := c.show(id).PutBack
		c.again()
		wait.Until(t, "it is undone", func() bool { return c.show(id).State == admitto.BatchUndone })
		if v := c.show(id); v.PutBack != c.n || v.LeftAsIs != 0 || c.number(asBefore) != c.n {
			t.Errorf("%d are as before: %+v", c.number(asBefore), v.Batch)
		}
		t.Logf("killed after %d and, undoing, after %d of %d", done, back, c.n)
		c.s.Terminate()
		p.whole()
	})
}

// Letters of many offers, released by a second person: through kills and a stop they go to everybody once.
func TestBatchOfLetters(t *testing.T) {
	t.Parallel()
	letters := func(t *testing.T, p *place) {
		c := p.crowded(either[int64](40, 500), 4)
		p.touch(func(tx *store.Tx) error {
			_, err := sqltest.In(tx).Exec("UPDATE offer SET type_id = $1, comments = '' WHERE id >= $2", crowdLetter,
				firstOfCrowd)
			return err
		})
		id := c.prepared("confirm", admitto.BatchParams{Course: c.course()})
		const effects = "SELECT count(*) FROM offer_confirmation WHERE offer_id > 100000"
		c.released(id, true)
		c.throughStop(id, effects)
		c.posted("")
		if n := c.number("SELECT count(DISTINCT offer_id) FROM offer_confirmation WHERE offer_id > 100000"); n != c.n {
			t.Errorf("%d of %d offers are confirmed", n, c.n)
		}
		c.s.Terminate()
		p.whole()
	}
	if full() {
		onBothEngines(t, letters)
	} else {
		letters(t, onSQLite(t))
	}
}
