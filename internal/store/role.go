package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Roles returns all roles by ascending ID, with what they permit.
func (tx *Tx) Roles() (list []admitto.Role, err error) {
	err = each(tx.query("SELECT "+columns.Role.Select("")+" FROM role ORDER BY id"),
		func(r *db.Rows) { list = append(list, scanned(columns.Role, r)) })
	if err != nil {
		return nil, err
	}
	return list, tx.fillPermissions(list)
}

// InsertRole stores a custom role and returns its ID.
func (tx *Tx) InsertRole(r *admitto.Role) (int64, error) {
	id, err := tx.insert(columns.Role.Insert()+" RETURNING id", columns.Role.New(r)...)
	if err != nil {
		return 0, err
	}
	return id, tx.setPermissions(id, r.Permissions)
}

// UpdateRole stores what a custom role is called and permits.
func (tx *Tx) UpdateRole(r *admitto.Role) error {
	if _, err := tx.exec("UPDATE role SET name = $2, row_version = row_version + 1 WHERE id = $1", r.ID,
		r.Name); err != nil {
		return err
	}
	if _, err := tx.exec("DELETE FROM role_permission WHERE role_id = $1", r.ID); err != nil {
		return err
	}
	return tx.setPermissions(r.ID, r.Permissions)
}

func (tx *Tx) setPermissions(role int64, may admitto.Permissions) error {
	for _, p := range may.List() {
		if _, err := tx.exec("INSERT INTO role_permission (role_id, permission) VALUES ($1, $2)", role,
			p.String()); err != nil {
			return err
		}
	}
	return nil
}

// DeleteRole removes a custom role that nobody has. The access log keeps its name.
func (tx *Tx) DeleteRole(id int64) error {
	if _, err := tx.exec("UPDATE login SET role_id = NULL WHERE role_id = $1", id); err != nil {
		return err
	}
	_, err := tx.exec("DELETE FROM role WHERE id = $1", id)
	return err
}

// RoleHolders counts the members of staff with a role, those who were removed among them.
func (tx *Tx) RoleHolders(id int64) (int64, error) {
	return tx.number("SELECT count(*) FROM administrator_role WHERE role_id = $1", id)
}
