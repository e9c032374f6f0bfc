package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/admitto/admitto/client"
)

// sync appends the applicants that are not in the file yet. IDs become visible in ascending order, so nobody is missed
// from the highest known one on.
func (in *integration) sync(file string) error {
	last, err := lastID(file)
	if err != nil {
		return err
	}
	return appendTo(file, func(w io.Writer) error {
		for a, err := range in.client.AllApplicants(in.ctx,
			client.ListApplicantsQuery{BySince: client.FromID(last + 1), Limit: in.page}) {
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%d\t%s\t%s\n", a.ID, a.Email, a.Name.Full)
			last = a.ID
		}
		fmt.Println(last)
		return nil
	})
}

// journal appends the events that are not in the file yet.
func (in *integration) journal(file string) error {
	last, err := lastID(file)
	if err != nil {
		return err
	}
	return appendTo(file, func(w io.Writer) error {
		for r, err := range in.client.AllJournal(in.ctx,
			client.ListJournalQuery{BySince: client.FromID(last + 1), Limit: in.page}) {
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%d\t%s\t%s\n", r.ID, r.Logged.Format("2006-01-02T15:04:05-07:00"), r.Event)
		}
		return nil
	})
}

// lastID is the ID that the last line begins with, 0 when there is none.
func lastID(file string) (last int64, err error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		id, _, _ := strings.Cut(lines.Text(), "\t")
		if last, err = strconv.ParseInt(id, 10, 64); err != nil {
			return 0, fmt.Errorf("%s: %w", file, err)
		}
	}
	return last, lines.Err()
}

// appendTo lets write append to the file. What was written before an error stays: the next run goes on from there.
func appendTo(file string, write func(io.Writer) error) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return errors.Join(write(w), w.Flush(), f.Close())
}

// documents fetches the documents of applications submitted since a date that are not in the folder yet. With expand
// the lists of documents come along: one call for up to 512 applications.
func (in *integration) documents(folder, since string) error {
	query := client.ListApplicationsQuery{ByStatuses: []string{"Submitted"}, BySubmittedSince: client.Bound(since),
		Expand: []string{"documents"}}
	for application, err := range in.client.AllApplications(in.ctx, query) {
		if err != nil {
			return err
		}
		for id, document := range application.Documents.Value.All() {
			// The name is somebody else's: nothing in it may lead out of the folder.
			name := fmt.Sprintf("%d-%s", id, strings.Map(harmless, document.Name))
			if err := in.document(application.ID, id, filepath.Join(folder, strconv.FormatInt(application.ID, 10),
				name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func harmless(r rune) rune {
	if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
		return '_'
	}
	return r
}

// document fetches one document to a file that is not there yet, whole or not at all.
func (in *integration) document(application, id int64, target string) error {
	if _, err := os.Stat(target); err == nil {
		return nil
	}
	file, err := in.client.GetApplicationDocument(in.ctx, application, id)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	part, err := os.Create(target + ".part")
	if err != nil {
		return err
	}
	_, err = io.Copy(part, file)
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	fmt.Println(target)
	return os.Rename(target+".part", target)
}
