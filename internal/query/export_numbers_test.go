package query

// CallLarge makes an instance with this highest ID of an application a large one.
func (s *Service) CallLarge(from int64) { s.numbers.from = from }
