// Package ui is what the pages of all interfaces share: components, each a struct with a template of the same name in
// components/, frames, the messages of every language, and the styles, scripts and icons that are sent with pages. It
// knows neither records nor use cases: interfaces fill the structs. Of ours it imports web, for what answers have in
// common, and ui/plot.
//
// A page is a template that a frame surrounds. It includes components by {{template "tag" .Status}}, or by {{component
// .}} where their kind is not fixed, and takes its words from the catalogue by {{t "key"}}.
package ui
