package accounts

// HashWith hashes passwords with another function.
func (s *Service) HashWith(hash func(password string) string) { s.hash = hash }

var PasswordFault = passwordFault
