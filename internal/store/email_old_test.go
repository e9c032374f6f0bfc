package store

import (
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

// The step that begins to know what mails are about knows it of the letters and invoices that are there.
func TestMailsOfOldData(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		s := opened(t, url, o)
		list, err := s.dialect.migrations()
		if err != nil {
			t.Fatal(err)
		}
		step := slices.IndexFunc(list, func(m migration) bool { return m.name == "0032_mail_delivery" })
		if _, err := s.migrate(t.Context(), list[:step]); err != nil {
			t.Fatal(err)
		}
		err = s.Write(t.Context(), func(tx *Tx) error {
			return tx.sql.Script(`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (1, 2026, 'A', 1, '', '', '');
				INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (1, 'live', FALSE, 1, 'a', 'a');
				INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, visible) VALUES (11, 1, 1, 'Submitted', 1, 1, TRUE), (12, 1, 1, 'Closed', 1, 1, TRUE);
				INSERT INTO institution (id, status, mode, name) VALUES (1, 'Online', 'Internal', 'A');
				INSERT INTO course (id, status, updated, institution_id, featured, awards, name) VALUES (55, 'Online', 1, 1, FALSE, '[]', 'A');
				INSERT INTO offer_type (id, status, title, title_key, public_title, colour, ranking) VALUES (901, 'Online', 'A', 'a', 'A', '', '');
				INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id) VALUES (71, 11, 1, 55, 1, 1, 1, 901);
				INSERT INTO email (id, applicant_id, inserted, from_name, from_email, subject, message) VALUES (1, 1, 1, 'n', 'f', 'welcome', ''),
					(2, 1, 1, 'n', 'f', 'letter', ''), (3, 1, 1, 'n', 'f', 'invoice', ''), (4, 1, 1, 'n', 'f', 'invoice of nothing', '');
				INSERT INTO offer_confirmation (offer_id, confirmed, type_id, subject, body, html, policy, source, email_id) VALUES
					(71, 1, 901, '', '', '', 'None', '', 2), (71, 2, 901, '', '', '', 'None', '', NULL);
				INSERT INTO invoice_series (id, name, format) VALUES (1, 'A', '%inc%');
				INSERT INTO invoice (id, type, nr, series_id, issued, deadline, currency, total, payer_name, applicant_id, application_id, email_id) VALUES
					(1, 'Invoice', '1', 1, 1, '2026-01-01', 'EUR', 1, 'A', 1, 12, 3), (2, 'Invoice', '2', 1, 1, '2026-01-01', 'EUR', 1, 'A', 1, NULL, 4)`)
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Migrate(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		err = s.Read(t.Context(), func(tx *Tx) error {
			for id, want := range map[int64]admitto.Email{1: {}, 2: {Application: 11, Template: "offer-letter"},
				3: {Application: 12, Template: "invoice-delivery"}, 4: {Template: "invoice-delivery"}} {
				e, err := tx.EmailByID(id)
				if err != nil || e.Application != want.Application || e.Template != want.Template {
					t.Errorf("mail %d is about %d of %q, %v", id, e.Application, e.Template, err)
				}
			}
			for about, want := range map[int64]int64{11: 3, 12: 3, 0: 4} {
				if list, n, err := tx.EmailPage(EmailQuery{Applicant: 1, About: about, General: true,
					Seen: admitto.EveryMail(), Limit: 10}); n != want ||
					int64(len(list)) != want {
					t.Errorf("%d mails about %d, %v", n, about, err)
				}
			}
			_, n, err := tx.EmailPage(EmailQuery{Applicant: 1, About: 11, Seen: admitto.EveryMail(), Limit: 10})
			if n != 1 {
				t.Errorf("%d mails about an application alone", n)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}
