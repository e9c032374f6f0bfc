package store

import (
	"github.com/admitto/admitto/internal/admitto"
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
	err = each(tx.query("SELECT id, name, email, outgoing_name, outgoing_email, phone, function FROM administrator WHERE NOT removed"+
		condition+" ORDER BY id", args...), func(r *db.Rows) {
		a := admitto.Administrator{ID: r.Int64(0), Name: r.Text(1), Email: r.Text(2), OutgoingName: r.Text(3), OutgoingMail: r.Text(4),
			Phone: r.Text(5), Function: r.Text(6)}
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
	err := each(tx.query(`SELECT a.administrator_id, r.id, r.name FROM administrator_role a JOIN role r ON r.id = a.role_id WHERE `+
		tx.dialect.in("a.administrator_id", 1)+" ORDER BY a.administrator_id, r.id", administrators), func(r *db.Rows) {
		byAdministrator[r.Int64(0)] = append(byAdministrator[r.Int64(0)], admitto.Role{ID: r.Int64(1), Name: r.Text(2)})
	})
	return byAdministrator, err
}
