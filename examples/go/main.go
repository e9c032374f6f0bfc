// Command go is one integration with Admitto in Go, by package client and the standard library only.
//
//	go run ./examples/go register NAME EMAIL TRACKER-CODE   make a person known and set a tracker; prints the ID
//	go run ./examples/go sync FILE                          append applicants that are new since the last time, a line each
//	go run ./examples/go documents FOLDER SINCE             fetch the documents of applications submitted since a date
//	go run ./examples/go confirm APPLICATION OFFER TYPE     give an offer a type and send its letter
//	go run ./examples/go journal FILE                       append what has happened since the last time, a line an event
//
// It is told where and who by the environment: ADMITTO_URL (https://admissions.example.org), ADMITTO_KEY, and
// ADMITTO_CA, a file of certificates to trust, only where that of the service is not publicly known.
package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"

	"github.com/admitto/admitto/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// integration is one program's connection to the instance.
type integration struct {
	ctx    context.Context
	client *client.Client
	page   int64 // elements a page
}

// run does what the arguments say.
func run(ctx context.Context, args []string) error {
	c, err := connect()
	if err != nil {
		return err
	}
	defer c.CloseIdle()
	page, err := strconv.ParseInt(cmp.Or(os.Getenv("PAGE"), "1000"), 10, 64)
	if err != nil {
		return fmt.Errorf("PAGE: %w", err)
	}
	in := &integration{ctx: ctx, client: c, page: page}
	switch {
	case len(args) == 4 && args[0] == "register":
		return in.register(args[1], args[2], args[3])
	case len(args) == 2 && args[0] == "sync":
		return in.sync(args[1])
	case len(args) == 3 && args[0] == "documents":
		return in.documents(args[1], args[2])
	case len(args) == 4 && args[0] == "confirm":
		return in.confirm(args[1:])
	case len(args) == 2 && args[0] == "journal":
		return in.journal(args[1])
	}
	return errors.New("usage: register NAME EMAIL TRACKER-CODE | sync FILE | documents FOLDER SINCE | confirm APPLICATION OFFER TYPE | journal FILE")
}

// connect makes the client that the environment describes.
func connect() (*client.Client, error) {
	config := client.Config{BaseURL: os.Getenv("ADMITTO_URL"), Key: os.Getenv("ADMITTO_KEY"), UserAgent: "admitto-example"}
	if file := os.Getenv("ADMITTO_CA"); file != "" {
		pem, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		config.TLS = &tls.Config{RootCAs: x509.NewCertPool()}
		if !config.TLS.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s has no certificate", file)
		}
	}
	return client.New(config)
}

// register makes a person known, or finds who is known already, and sets a tracker, which is made when it is new.
func (in *integration) register(name, email, code string) error {
	// The same key for the same person: whenever this is sent again, nothing happens twice.
	applicant, err := in.client.CreateApplicant(in.ctx, client.CreateApplicantInput{Name: name, Email: email},
		client.IdempotencyKey("register-"+email))
	id := applicant.ID
	var problem *client.Problem
	if errors.As(err, &problem) && problem.Name() == "already-exists" {
		id, err = problem.Location.ID(), nil
	}
	if err != nil {
		return err
	}
	tracker, err := in.tracker(code)
	if err != nil {
		return err
	}
	if err := in.client.SetApplicantTracker(in.ctx, id, tracker); err != nil {
		return err
	}
	fmt.Println(id)
	return nil
}

// tracker finds the tracker with this code or makes it.
func (in *integration) tracker(code string) (id int64, err error) {
	trackers, err := in.client.ListApplicantsTrackers(in.ctx)
	if err != nil {
		return 0, err
	}
	for id, tracker := range trackers.All() {
		if tracker.Code == code {
			return id, nil
		}
	}
	tracker, err := in.client.CreateApplicantsTracker(in.ctx, client.CreateApplicantsTrackerInput{Code: code})
	return tracker.ID, err
}

// confirm sets the type of an offer, unless somebody else changes it at the same time, and sends the letter.
func (in *integration) confirm(args []string) error {
	var ids [3]int64
	for i, arg := range args {
		var err error
		if ids[i], err = strconv.ParseInt(arg, 10, 64); err != nil {
			return err
		}
	}
	application, offer, offerType := ids[0], ids[1], ids[2]
	err := client.Guarded(in.ctx, 3,
		func(ctx context.Context, tag client.Option) error {
			_, err := in.client.GetApplicationOfferType(ctx, application, offer, tag)
			return err
		},
		func(ctx context.Context, unchanged client.Option) error {
			return in.client.SetApplicationOfferType(ctx, application, offer, offerType, unchanged)
		})
	if err != nil {
		return err
	}
	return in.client.ConfirmOffer(in.ctx, application, offer)
}
