package store

// HasTemplates reports whether there is an e-mail template with words of the institution, or a task template in use.
func (tx *Tx) HasTemplates() (bool, error) {
	n, err := tx.number(`SELECT count(*) FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM email_template)
		OR EXISTS (SELECT 1 FROM task_template WHERE active)) t`)
	return n > 0, err
}

// HasSecondAdministrator reports whether two members of staff or more can work.
func (tx *Tx) HasSecondAdministrator() (bool, error) {
	n, err := tx.number("SELECT count(*) FROM (SELECT 1 FROM administrator WHERE NOT removed AND NOT suspended LIMIT 2) a")
	return n > 1, err
}
