package store

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// InsertStaff stores a member of staff without roles and password, and returns the ID.
func (tx *Tx) InsertStaff(a *admitto.Administrator, emailKey string, validUntil admitto.Date) (int64, error) {
	id, err := tx.insert(columns.Administrator.Insert()+" RETURNING id",
		columns.Administrator.New(a, false, false, emailKey)...)
	if err == nil && !validUntil.IsZero() {
		err = tx.changeStaff(id, "valid_until = $2", validUntil)
	}
	return id, err
}

// changeStaff sets columns of an administrator, the first value being $2.
func (tx *Tx) changeStaff(id int64, set string, values ...any) error {
	_, err := tx.exec("UPDATE administrator SET row_version = row_version + 1, "+set+" WHERE id = $1",
		append([]any{id}, values...)...)
	return err
}

// EditStaff stores what people know an administrator by, and the last day of the account.
func (tx *Tx) EditStaff(a *StaffAccount) error {
	return tx.changeStaff(a.ID, "name = $2, outgoing_name = $3, outgoing_email = $4, phone = $5, function = $6, valid_until = $7",
		a.Name, a.OutgoingName, a.OutgoingMail, a.Phone, a.Function, a.ValidUntil)
}

// SetStaffEmail changes the address of an administrator.
func (tx *Tx) SetStaffEmail(id int64, email, key string) error {
	return tx.changeStaff(id, "email = $2, email_key = $3", email, key)
}

// SetStaffPassword changes the hash of the password.
func (tx *Tx) SetStaffPassword(id int64, hash string) error {
	return tx.changeStaff(id, "password = $2", hash)
}

// SetStaffSuspended disables an account, or enables it.
func (tx *Tx) SetStaffSuspended(id int64, suspended bool) error {
	return tx.changeStaff(id, "suspended = $2", suspended)
}

// SetStaffPreferences stores how an administrator likes the pages.
func (tx *Tx) SetStaffPreferences(id int64, language, scheme, density string, shortcuts bool, term int64) error {
	return tx.changeStaff(id, "language = $2, scheme = $3, density = $4, shortcuts = $5, term_id = $6", language, scheme,
		density,
		shortcuts, columns.OrNull(term))
}

// SetNewSecondFactor keeps a sealed secret until its first code confirms it.
func (tx *Tx) SetNewSecondFactor(id int64, sealed []byte) error {
	return tx.changeStaff(id, "second_factor_new = $2", sealed)
}

// SetSecondFactor makes a sealed secret the second factor, whose codes up to a step are used; nil takes it away.
func (tx *Tx) SetSecondFactor(id int64, sealed []byte, step int64) error {
	return tx.changeStaff(id, "second_factor = $2, second_factor_new = NULL, second_factor_step = $3", sealed, step)
}

// SetRecoveryCodes puts codes in the place of the former ones.
func (tx *Tx) SetRecoveryCodes(administrator int64, hashes [][32]byte) error {
	if _, err := tx.exec("DELETE FROM recovery_code WHERE administrator_id = $1", administrator); err != nil {
		return err
	}
	for _, hash := range hashes {
		if _, err := tx.exec("INSERT INTO recovery_code (administrator_id, hash) VALUES ($1, $2)", administrator,
			hash[:]); err != nil {
			return err
		}
	}
	return nil
}

// SetStaffRoles puts roles in the place of the former ones.
func (tx *Tx) SetStaffRoles(administrator int64, roles []int64) error {
	if _, err := tx.exec("DELETE FROM administrator_role WHERE administrator_id = $1", administrator); err != nil {
		return err
	}
	for _, role := range roles {
		_, err := tx.exec("INSERT INTO administrator_role (administrator_id, role_id) VALUES ($1, $2)", administrator, role)
		if err != nil {
			return err
		}
	}
	return tx.changeStaff(administrator, "suspended = suspended")
}

// StaffAccounts returns all members of staff that were not removed, by ascending ID.
func (tx *Tx) StaffAccounts() ([]StaffAccount, error) { return tx.staff("TRUE ORDER BY id") }

// HasStaff reports whether there is an active administrator with a role.
func (tx *Tx) HasStaff() (bool, error) {
	n, err := tx.number(`SELECT 1 FROM administrator a WHERE NOT a.suspended AND NOT a.removed
		AND EXISTS (SELECT 1 FROM administrator_role r WHERE r.administrator_id = a.id) LIMIT 1`)
	return n > 0, err
}

// LockSuperusers keeps others from changing who is a Superuser, and returns the active ones at a day: who was invited
// and has no password yet is none.
func (tx *Tx) LockSuperusers(today admitto.Date) (ids []int64, err error) {
	err = each(tx.query(`SELECT id, suspended, removed, valid_until FROM administrator
		WHERE id IN (SELECT administrator_id FROM administrator_role WHERE role_id = 1) ORDER BY id`+tx.forUpdate(lockAdministrator, 0)),
		func(r *db.Rows) {})
	if err != nil {
		return nil, err
	}
	// What others have done meanwhile is seen by a statement that begins when the rows are locked.
	err = each(tx.query(`SELECT a.id, a.valid_until FROM administrator a JOIN administrator_role r ON r.administrator_id = a.id
		WHERE r.role_id = 1 AND NOT a.suspended AND NOT a.removed AND a.password <> '' ORDER BY a.id`), func(r *db.Rows) {
		if until := r.Date(1); until.IsZero() || !until.Before(today) {
			ids = append(ids, r.Int64(0))
		}
	})
	return ids, err
}

// HangsOn is what is somebody's, who cannot look after it when the account is disabled.
type HangsOn struct {
	Keys       []admitto.Key
	Tableviews []admitto.Tableview // private ones
	Views      []KeptView          // those of lists that everybody sees

	// Where the person is the officer, batches that are not done, and sheets that wait for the person's points.
	Applications, Batches, Scoresheets int64
}

// HangsOnStaff returns what is an administrator's.
func (tx *Tx) HangsOnStaff(id int64) (h HangsOn, err error) {
	keys, err := tx.Keys()
	if err != nil {
		return h, err
	}
	own := map[int64]bool{}
	err = each(tx.query("SELECT id FROM api_key WHERE administrator_id = $1 AND revoked IS NULL", id),
		func(r *db.Rows) { own[r.Int64(0)] = true })
	if err != nil {
		return h, err
	}
	for _, k := range keys {
		if own[k.ID] {
			h.Keys = append(h.Keys, k)
		}
	}
	err = each(tx.query(tableviewSelect+" WHERE owner_id = $1 ORDER BY id", id), func(r *db.Rows) {
		h.Tableviews = append(h.Tableviews, scanned(columns.Tableview, r))
	})
	if err == nil {
		h.Views, err = tx.sharedViews(id)
	}
	for _, count := range []struct {
		to  *int64
		sql string
	}{{&h.Applications, "SELECT count(*) FROM application WHERE officer_id = $1 AND visible"},
		{&h.Batches, "SELECT count(*) FROM batch WHERE " + openBatch},
		{&h.Scoresheets, "SELECT count(*) FROM scoresheet WHERE " + scoresheetsOf}} {
		if err == nil {
			*count.to, err = tx.number(count.sql, id)
		}
	}
	return h, err
}

// TakeOver makes the keys, the tableviews and the views of everybody's of an administrator another one's; 0
// leaves them where they are.
func (tx *Tx) TakeOver(from, keys, tableviews, views int64) error {
	for _, move := range []struct {
		sql string
		to  int64
	}{{"UPDATE api_key SET administrator_id = $2 WHERE administrator_id = $1", keys},
		{"UPDATE tableview SET owner_id = $2 WHERE owner_id = $1", tableviews},
		{"UPDATE kept_view SET owner_id = $2 WHERE owner_id = $1 AND shared", views}} {
		if move.to == 0 {
			continue
		}
		if _, err := tx.exec(move.sql, from, move.to); err != nil {
			return err
		}
	}
	return nil
}

// PassApplications makes somebody else the officer of the visible applications of one, and returns these by ID, each
// with its applicant. It changes none where they are more than the limit, and returns one more than that.
func (tx *Tx) PassApplications(from, to int64, limit int) (list []admitto.Links, err error) {
	err = each(tx.query("SELECT id, applicant_id FROM application WHERE officer_id = $1 AND visible ORDER BY id LIMIT $2"+
		tx.forUpdate(lockApplication, 0), from, limit+1), func(r *db.Rows) {
		list = append(list, admitto.Links{Application: r.Int64(0), Applicant: r.Int64(1)})
	})
	if err == nil && len(list) <= limit {
		_, err = tx.exec("UPDATE application SET officer_id = $2 WHERE officer_id = $1 AND visible", from, to)
	}
	return list, err
}

// scoresheetsOf is the condition that administrator $1 is named as a scorer of a sheet.
const scoresheetsOf = "',' || replace(replace(scorers, '[', ''), ']', '') || ',' LIKE '%,' || CAST($1 AS bigint) || ',%'"

// ReplaceScorer names another administrator as a scorer of the sheets of one, and returns the sheets.
func (tx *Tx) ReplaceScorer(from, to int64) (sheets []int64, err error) {
	var list []admitto.Scoresheet
	err = each(tx.query("SELECT "+columns.Scoresheet.Select("")+" FROM scoresheet WHERE "+scoresheetsOf+
		" ORDER BY id", from), func(r *db.Rows) {
		list = append(list, scanned(columns.Scoresheet, r))
	})
	for i := range list {
		if err != nil {
			break
		}
		var scorers []int64
		for _, id := range list[i].Scorers {
			if id == from {
				id = to
			}
			if !slices.Contains(scorers, id) {
				scorers = append(scorers, id)
			}
		}
		_, err = tx.exec("UPDATE scoresheet SET scorers = $2, row_version = row_version + 1 WHERE id = $1", list[i].ID, columns.JSON(scorers))
		sheets = append(sheets, list[i].ID)
	}
	return sheets, err
}

// LockStaffAddresses keeps others from taking an address until this transaction ends.
func (tx *Tx) LockStaffAddresses() error {
	return each(tx.query("SELECT id FROM role WHERE id = 1"+tx.forUpdate(lockAddresses, 0)), func(*db.Rows) {})
}
