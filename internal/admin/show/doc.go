// Package show says records on the pages of staff: statuses, names, days and events in the words of the reader.
package show
