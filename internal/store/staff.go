package store

import (
	"maps"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// StaffAccount is a member of staff with what belongs to signing in, and how they like their pages; without the roles.
type StaffAccount struct {
	admitto.Administrator
	Suspended        bool
	EmailKey         string // the normal form of the address
	Password         string // its hash; "" before it was set
	SecondFactor     []byte // sealed; nil for none
	SecondFactorNew  []byte // sealed; one that is not confirmed yet
	SecondFactorStep int64  // of the last code that was used
	Language         string
	Scheme, Density  string
	Shortcuts        bool
	Term             int64        // 0: none was chosen
	ValidUntil       admitto.Date // the last day; zero: no end
	LastSignIn       admitto.Time
	RowVersion       int64
}

const staffColumns = `suspended, email_key, password, second_factor, second_factor_new, second_factor_step, language, scheme, density,
	shortcuts, term_id, valid_until, last_sign_in, row_version`

func (tx *Tx) staff(condition string, args ...any) (list []StaffAccount, err error) {
	first := columns.Administrator.Width()
	err = each(tx.query("SELECT "+columns.Administrator.Select("")+", "+staffColumns+
		" FROM administrator WHERE NOT removed AND "+
		condition, args...), func(r *db.Rows) {
		a := StaffAccount{Administrator: scanned(columns.Administrator, r)}
		n := first
		next := func() int { n++; return n - 1 }
		a.Suspended, a.EmailKey, a.Password = r.Bool(next()), r.Text(next()), r.Text(next())
		a.SecondFactor, a.SecondFactorNew, a.SecondFactorStep = r.Bytes(next()), r.Bytes(next()), r.Int64(next())
		a.Language, a.Scheme, a.Density = r.Text(next()), r.Text(next()), r.Text(next())
		a.Shortcuts, a.Term, a.ValidUntil = r.Bool(next()), r.Int64(next()), r.Date(next())
		a.LastSignIn, a.RowVersion = r.Time(next()), r.Int64(next())
		list = append(list, a)
	})
	return list, err
}

func (tx *Tx) oneStaff(condition string, args ...any) (a StaffAccount, err error) {
	list, err := tx.staff(condition, args...)
	if err == nil && len(list) == 0 {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	if err != nil {
		return a, err
	}
	return list[0], nil
}

// StaffAccount reads a member of staff; NotFound when removed.
func (tx *Tx) StaffAccount(id int64) (StaffAccount, error) { return tx.oneStaff("id = $1", id) }

// LockStaffAccount is StaffAccount, and keeps others from changing it.
func (tx *Tx) LockStaffAccount(id int64) (StaffAccount, error) {
	return tx.oneStaff("id = $1"+tx.forUpdate(lockAdministrator, id), id)
}

// StaffAccountByEmail finds a member of staff by the normal form of the address, the oldest account where there are
// several; NotFound for none.
func (tx *Tx) StaffAccountByEmail(key string) (StaffAccount, error) {
	return tx.oneStaff("email_key = $1 ORDER BY id LIMIT 1", key)
}

// StaffOut returns the administrators who may not sign in at a day: they are suspended, or their accounts have ended.
func (tx *Tx) StaffOut(today admitto.Date) (ids []int64, err error) {
	err = each(tx.query("SELECT id, suspended, valid_until FROM administrator WHERE suspended OR valid_until IS NOT NULL"),
		func(r *db.Rows) {
			if until := r.Date(2); r.Bool(1) || !until.IsZero() && until.Before(today) {
				ids = append(ids, r.Int64(0))
			}
		})
	return ids, err
}

// StaffRoles returns the roles of an administrator by ascending ID, with their permissions.
func (tx *Tx) StaffRoles(administrator int64) ([]admitto.Role, error) {
	byAdministrator, err := tx.AllStaffRoles([]int64{administrator})
	return byAdministrator[administrator], err
}

// AllStaffRoles returns the roles of each administrator by ascending ID, with their permissions.
func (tx *Tx) AllStaffRoles(administrators []int64) (map[int64][]admitto.Role, error) {
	byAdministrator, err := tx.RolesOf(administrators)
	if err != nil {
		return nil, err
	}
	return byAdministrator, tx.fillPermissions(slices.Collect(maps.Values(byAdministrator))...)
}

// fillPermissions sets what the roles of each list permit. A permission that this release does not know is left out.
func (tx *Tx) fillPermissions(lists ...[]admitto.Role) error {
	custom := map[int64]admitto.Permissions{}
	for _, roles := range lists {
		for i, r := range roles {
			if known, builtIn := admitto.BuiltInRole(r.ID); builtIn {
				roles[i].Code, roles[i].Permissions = known.Code, known.Permissions
			} else {
				custom[r.ID] = 0
			}
		}
	}
	if len(custom) == 0 {
		return nil
	}
	err := each(tx.query("SELECT role_id, permission FROM role_permission WHERE "+tx.dialect.in("role_id", 1),
		slices.Collect(maps.Keys(custom))), func(r *db.Rows) {
		if p, known := admitto.ParsePermission(r.Text(1)); known {
			custom[r.Int64(0)] = custom[r.Int64(0)].With(p)
		}
	})
	for _, roles := range lists {
		for i, r := range roles {
			if permissions, ok := custom[r.ID]; ok {
				roles[i].Permissions = permissions
			}
		}
	}
	return err
}

// SignedInStaff notes a sign-in.
func (tx *Tx) SignedInStaff(id int64) error {
	_, err := tx.exec("UPDATE administrator SET last_sign_in = $2 WHERE id = $1", id, tx.Now())
	return err
}

// UseSecondFactorStep notes that the code of a step was used; false when it or a later one was used before.
func (tx *Tx) UseSecondFactorStep(id, step int64) (bool, error) {
	n, err := tx.exec("UPDATE administrator SET second_factor_step = $2 WHERE id = $1 AND second_factor_step < $2", id,
		step)
	return n > 0, err
}

// UseRecoveryCode uses a recovery code up; false when it is none, or was used before.
func (tx *Tx) UseRecoveryCode(administrator int64, hash [32]byte) (bool, error) {
	n, err := tx.exec("UPDATE recovery_code SET used = $3 WHERE administrator_id = $1 AND hash = $2 AND used IS NULL",
		administrator, hash[:], tx.Now())
	return n > 0, err
}

// RecoveryCodesLeft counts the recovery codes that were not used.
func (tx *Tx) RecoveryCodesLeft(administrator int64) (int64, error) {
	return tx.number("SELECT count(*) FROM recovery_code WHERE administrator_id = $1 AND used IS NULL", administrator)
}

// TidyAccountTokens forgets links of staff and to the set-up that ended before the time, at most 1000 of each, and
// answers how many.
func (tx *Tx) TidyAccountTokens(before admitto.Time) (int64, error) {
	n, err := tx.exec("DELETE FROM account_token WHERE hash IN (SELECT hash FROM account_token WHERE expires < $1 ORDER BY expires LIMIT 1000)", before)
	if err != nil {
		return n, err
	}
	more, err := tx.exec("DELETE FROM setup_token WHERE expires < $1", before)
	return n + more, err
}

// SetStaffTerm keeps the term that a member of staff chose last.
func (tx *Tx) SetStaffTerm(id, term int64) error {
	_, err := tx.exec("UPDATE administrator SET term_id = $2 WHERE id = $1", id, term)
	return err
}
