package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Session is a session of one of the areas of pages.
type Session struct {
	Hash    [32]byte // of its token
	Area    string
	Account int64 // 0 before the sign-in
	Begun   admitto.Time
	Seen    admitto.Time // within a minute
	Proved  admitto.Time // the last proof of identity; 0: none
	Agent   string       // the browser in few words
	Data    []byte       // as the interface keeps it; none in lists
}

// SessionOwner says of the account of a session what decides whether the session still counts.
type SessionOwner struct {
	Suspended  bool         // of an administrator: suspended or removed
	ValidUntil admitto.Date // of an administrator
	State      string       // of an applicant, "" for none
	Account    int64        // 0: nobody is signed in
	Known      bool         // the account is there
}

// StaffSession finds a session of an administrator, or of nobody yet, and what is known of the account.
func (tx *Tx) StaffSession(area string, hash [32]byte) (s Session, o SessionOwner, found bool, err error) {
	err = each(tx.query(`SELECT s.account_id, s.begun, s.seen, s.data, a.id, a.suspended, a.removed, a.valid_until
		FROM session s LEFT JOIN administrator a ON a.id = s.account_id WHERE s.hash = $1 AND s.area = $2`, hash[:], area),
		func(r *db.Rows) {
			found, s = true, Session{Hash: hash, Area: area, Account: r.Int64(0), Begun: r.Time(1), Seen: r.Time(2),
				Data: r.Bytes(3)}
			o = SessionOwner{Account: s.Account, Known: !r.Null(4)}
			if o.Known {
				o.Suspended, o.ValidUntil = r.Bool(5) || r.Bool(6), r.Date(7)
			}
		})
	return s, o, found, err
}

// ApplicantSession finds a session of an applicant, or of nobody yet, and what is known of the account.
func (tx *Tx) ApplicantSession(area string, hash [32]byte) (s Session, o SessionOwner, found bool, err error) {
	err = each(tx.query(`SELECT s.account_id, s.begun, s.seen, s.data, a.id, a.state
		FROM session s LEFT JOIN applicant a ON a.id = s.account_id WHERE s.hash = $1 AND s.area = $2`, hash[:], area),
		func(r *db.Rows) {
			found, s = true, Session{Hash: hash, Area: area, Account: r.Int64(0), Begun: r.Time(1), Seen: r.Time(2),
				Data: r.Bytes(3)}
			o = SessionOwner{Account: s.Account, Known: !r.Null(4), State: r.Text(5)}
		})
	return s, o, found, err
}

// InsertSession keeps a new session, or what one that is there has now.
func (tx *Tx) InsertSession(s *Session) error {
	_, err := tx.exec(`INSERT INTO session (hash, area, account_id, begun, seen, proved, agent, data) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (hash) DO UPDATE SET account_id = excluded.account_id, begun = excluded.begun, seen = excluded.seen,
			proved = excluded.proved, agent = excluded.agent, data = excluded.data`,
		s.Hash[:], s.Area, columns.OrNull(s.Account), s.Begun, s.Seen, s.Proved, s.Agent, s.Data)
	return err
}

// UpdateSession keeps what a session has now; one that was ended meanwhile stays ended.
func (tx *Tx) UpdateSession(s *Session) error {
	_, err := tx.exec(`UPDATE session SET account_id = $3, begun = $4, seen = $5, proved = $6, agent = $7, data = $8
		WHERE hash = $1 AND area = $2`, s.Hash[:], s.Area, columns.OrNull(s.Account), s.Begun, s.Seen, s.Proved,
		s.Agent, s.Data)
	return err
}

// TouchSession notes that a session is used, unless somebody has since the time given.
func (tx *Tx) TouchSession(hash [32]byte, since admitto.Time) error {
	_, err := tx.exec("UPDATE session SET seen = $2 WHERE hash = $1 AND seen < $3", hash[:], tx.Now(), since)
	return err
}

// DeleteSession ends a session.
func (tx *Tx) DeleteSession(area string, hash [32]byte) error {
	_, err := tx.exec("DELETE FROM session WHERE hash = $1 AND area = $2", hash[:], area)
	return err
}

// DeleteSessions ends all sessions of an account but one, or all for the zero hash.
func (tx *Tx) DeleteSessions(area string, account int64, but [32]byte) error {
	_, err := tx.exec("DELETE FROM session WHERE area = $1 AND account_id = $2 AND hash <> $3", area, account, but[:])
	return err
}

// SessionsOf returns the sessions of an account without their data, the last used first.
func (tx *Tx) SessionsOf(area string, account int64) ([]Session, error) {
	return tx.sessions(area, " AND account_id = $2", account)
}

// SessionsIn returns the sessions of all accounts of an area, of each as SessionsOf.
func (tx *Tx) SessionsIn(area string) (map[int64][]Session, error) {
	all, err := tx.sessions(area, "")
	of := map[int64][]Session{}
	for _, s := range all {
		of[s.Account] = append(of[s.Account], s)
	}
	return of, err
}

func (tx *Tx) sessions(area, and string, args ...any) (list []Session, err error) {
	err = each(tx.query("SELECT hash, begun, seen, proved, agent, account_id FROM session WHERE area = $1"+and+
		" ORDER BY seen DESC, hash", append([]any{area}, args...)...), func(r *db.Rows) {
		s := Session{Area: area, Begun: r.Time(1), Seen: r.Time(2), Proved: r.Time(3), Agent: r.Text(4), Account: r.Int64(5)}
		copy(s.Hash[:], r.Raw(0))
		list = append(list, s)
	})
	return list, err
}

// TidySessions removes sessions of an area that were last used before the time, or began before the other one, at most
// 1000, and answers how many.
func (tx *Tx) TidySessions(area string, seen, begun admitto.Time) (int64, error) {
	return tx.exec(`DELETE FROM session WHERE hash IN (SELECT hash FROM session WHERE area = $1 AND (seen < $2 OR begun < $3)
		ORDER BY seen LIMIT 1000)`, area, seen, int64(begun))
}
