package admissions

// HashWith hashes passwords with another function.
func (o *Office) HashWith(hash func(password string) string) { o.hash = hash }
