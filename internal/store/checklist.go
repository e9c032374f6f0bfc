package store

import "github.com/admitto/admitto/internal/admitto"

// HasTemplates reports whether there is an e-mail template with words of the institution, or a task template in use.
func (tx *Tx) HasTemplates() (bool, error) {
	n, err := tx.number(`SELECT count(*) FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM email_template)
		OR EXISTS (SELECT 1 FROM task_template WHERE active)) t`)
	return n > 0, err
}

// HasSecondAdministrator reports whether two members of staff or more have a role that manages administrators. Who is
// invited counts: the rest is theirs to do.
func (tx *Tx) HasSecondAdministrator() (bool, error) {
	n, err := tx.number(`SELECT count(*) FROM (SELECT 1 FROM administrator a WHERE NOT removed AND NOT suspended
		AND EXISTS (SELECT 1 FROM administrator_role r WHERE r.administrator_id = a.id
			AND (r.role_id = 1 OR r.role_id IN (SELECT role_id FROM role_permission
				WHERE permission = '` + admitto.AdministratorsEdit.String() + `'))) LIMIT 2) a`)
	return n > 1, err
}
