// Package admitto is the vocabulary of an application management service for universities and colleges: the types, the
// state tables, the validation, the permissions and the error kinds that every other package speaks in. It imports
// message only.
//
// Where everything else is, and which package may import which, is in docs/architecture.md; internal/archtest fails
// when the code does not keep to it.
package admitto
