package message

// leadRows are the rows about imports of leads.
func leadRows() []Row {
	return []Row{
		{"import-not-now", "The import is in another state by now."},
		{"import-no-rows", "the file has no rows"},
		{"import-no-email", "say which column has the addresses of e-mail"},
		{"import-no-name", "say which column has the names, or the family names"},
		{"import-field-twice", "another column is that already"},
		{"import-no-basis", "say why these people may be kept and written to"},
		{"import-no-country", "{value} is no country; write its code of two letters, or its name"},
		{"import-nothing", "No row of the import can be used."},
		{"import-not-permitted", "Who started the import may not import any more."},
		{"import-undo-over", "The time in which the import could be undone is over."},
	}
}
