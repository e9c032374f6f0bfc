package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Administrators returns the members of staff by ascending ID, each with the roles. Suspended ones are among
// them, removed ones are not.
func (tx *Tx) Administrators() ([]admitto.Administrator, error) { return tx.administrators("") }

// Administrator reads one member of staff with the roles; NotFound when removed.
func (tx *Tx) Administrator(id int64) (a admitto.Administrator, err error) {
	list, err := tx.administrators(" AND id = $1", id)
	if err != nil {
		return a, err
	}
	if len(list) == 0 {
		return a, &admitto.Error{Kind: admitto.NotFound}
	}
	return list[0], nil
}

func (tx *Tx) administrators(condition string, args ...any) (list []admitto.Administrator, err error) {
	var ids []int64
	err = each(tx.query("SELECT "+columns.Administrator.Select("")+" FROM administrator WHERE NOT removed"+
		condition+" ORDER BY id", args...), func(r *db.Rows) {
		a := scanned(columns.Administrator, r)
		list, ids = append(list, a), append(ids, a.ID)
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	roles, err := tx.RolesOf(ids)
	for i := range list {
		list[i].Roles = roles[list[i].ID]
	}
	return list, err
}

// RolesOf returns the roles of each administrator by ascending ID.
func (tx *Tx) RolesOf(administrators []int64) (map[int64][]admitto.Role, error) {
	byAdministrator := map[int64][]admitto.Role{}
	own := columns.Role.Width()
	err := each(tx.query("SELECT "+columns.Role.Select("r")+
		", a.administrator_id FROM administrator_role a JOIN role r ON r.id = a.role_id WHERE "+
		tx.dialect.in("a.administrator_id", 1)+" ORDER BY a.administrator_id, r.id", administrators), func(r *db.Rows) {
		of := r.Int64(own)
		byAdministrator[of] = append(byAdministrator[of], scanned(columns.Role, r))
	})
	return byAdministrator, err
}
