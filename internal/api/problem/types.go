// Package problem is the table of problem types: the kinds of refusals with their status, their title, and what their
// pages say.
package problem

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
)

// The kinds of faults that only the transport knows; the others are kinds of package admitto.
const (
	InvalidID        admitto.Kind = "invalid-id"
	Unauthorized     admitto.Kind = "unauthorized"
	HTTPSRequired    admitto.Kind = "https-required"
	NoSuchPath       admitto.Kind = "no-such-path"
	NotInVersion     admitto.Kind = "not-in-version"
	UnknownVersion   admitto.Kind = "unknown-version"
	MethodNotAllowed admitto.Kind = "method-not-allowed"
	RangeUnsatisfied admitto.Kind = "range-not-satisfiable"
	QuotaExceeded    admitto.Kind = "quota-exceeded"
)

// Type is one problem type of the contract: its status, its title, and what its page says.
type Type struct {
	Kind    admitto.Kind
	Status  int
	Title   string
	Meaning string
	Remedy  string
}

// Types is the table of conventions.md 6; answers and pages are made from it.
func Types() []Type {
	return []Type{
		{InvalidID, 400, "An ID in the path is malformed",
			"A part of the path that should be an ID is no ID: IDs are digits, up to 18, without leading zeros.",
			"Take IDs and links from answers of the service and send them as they are."},
		{admitto.InvalidParameter, 400, "A parameter is invalid", "One or more parameters of the query, the form or the JSON object have a value that is not accepted. Nothing was changed.", "The member errors lists every faulty parameter with what would be right. Correct them all and send the call again."},
		{admitto.InvalidBody, 400, "The body is invalid", "The body is missing, is not JSON, has the wrong JSON type, or its value is not accepted. Nothing was changed.", "To set a single value send one JSON value, for example \"CRM-20817\" with its quotes, or null where a value may be cleared."},
		{admitto.NotAllowedNow, 400, "Not allowed in the present state",
			"The request is well-formed, but the state of the object forbids it now. Nothing was changed.",
			"The member detail names the state and code the reason. Bring the object into another state first, or leave it."},
		{Unauthorized, 401, "No valid key", "The header Authorization is missing or malformed, or its key is unknown, has expired or was revoked. The answer does not tell which.", "Send Authorization: SERVICE apikey=\"KEY\" with a key that an administrator made for you."},
		{admitto.NotPermitted, 403, "Not permitted for this key",
			"The key is valid, but its scope does not include this operation.",
			"Ask an administrator for a key that includes the operation named in detail."},
		{HTTPSRequired, 403, "HTTPS is required", "The request came over plain HTTP. It was refused before the key in it was looked at.", "Use https://. A key that was sent over plain HTTP may have been read on the way; have it replaced. Behind a proxy, the proxy must be named in tls.trusted_proxies and send X-Forwarded-Proto: https."},
		{NoSuchPath, 404, "There is no such path", "No version of the interface has this path.",
			"Compare the path with the documentation. Inside a path, a name such as trackers is taken before an ID."},
		{NotInVersion, 404, "The path is not in this version",
			"The path exists, but not in the version of the interface that was asked for.",
			"The member detail says which versions have the path and what replaced it. Ask for such a version: " + config.NewestAPI() + "/… ."},
		{UnknownVersion, 404, "This version is not served", "The version in the path is not served, or not any more.",
			"The member detail says which versions are served. GET /api/version lists them without a key."},
		{admitto.NotFound, 404, "Not found",
			"The object does not exist, was deleted, or does not belong to the object before it in the path.",
			"Check the IDs. Deleting something twice answers this the second time."},
		{MethodNotAllowed, 405, "The method is not allowed here",
			"The path exists in this version, but not with this method.",
			"The header Allow lists the methods that are allowed."},
		{admitto.ChangedMeanwhile, 412, "Changed meanwhile", "The header If-Match names an ETag that the object does not have any more, or the object is gone. Nothing was changed.", "Read the object again, decide anew, and send the call with its present ETag."},
		{admitto.TooLarge, 413, "Too large", "The body is larger than what is accepted here.",
			"Bodies may have 1 MiB, documents what the operator allows. Send less, or in several calls."},
		{admitto.UnsupportedFormat, 415, "The media type is not supported",
			"The body has a content type that this call does not read.",
			"Send application/json, application/x-www-form-urlencoded or multipart/form-data."},
		{RangeUnsatisfied, 416, "The range cannot be satisfied",
			"The header Range asks for bytes that the file does not have.", "HEAD tells the size of the file."},
		{admitto.AlreadyExists, 409, "Already exists", "An object with the same unique value exists. Nothing was changed.",
			"The header Location names the object that exists."},
		{admitto.RepeatConflict, 409, "The Idempotency-Key was used with another body",
			"A call with this Idempotency-Key was answered before, but its body was different.",
			"Use a new Idempotency-Key for every new call, and the same one only to send the same call again."},
		{admitto.RepeatInProgress, 409, "The first call is still in progress",
			"A call with this Idempotency-Key is being processed at the moment.",
			"Send the call again in a moment; it is then answered like the first."},
		{QuotaExceeded, 429, "Quota exceeded", "The key has used up its quota of requests per minute or per hour. The request was not processed.", "Wait as many seconds as the header Retry-After says, then send the request again. Ask an administrator when the quota does not suffice."},
		{admitto.Internal, 500, "Internal error",
			"Something went wrong in the service. It was recorded under the request_id.",
			"Send the call again. When it fails again, tell the operator the request_id."},
		{admitto.MailRefused, 502, "The mail was refused", "The mail server refused the mail that belongs to the call, or could not be reached. Nothing was stored.", "The member code tells which: address-refused means that the address is wrong; address-deferred means that no mail to it is taken at this time, and mail-server-unavailable that the server cannot be used, so send the same call again after as many seconds as the header Retry-After says; message-refused means that the mail itself was refused for good, so tell the operator."},
		{admitto.Unavailable, 503, "Unavailable for the moment",
			"The service cannot answer at the moment: it is overloaded, or its database cannot be reached.",
			"Wait as many seconds as the header Retry-After says, then send the call again."},
	}
}

// TypeOf returns the type of a kind; a kind without one is an internal error.
func TypeOf(kind admitto.Kind) Type {
	var internal Type
	for _, t := range Types() {
		if t.Kind == kind {
			return t
		}
		if t.Kind == admitto.Internal {
			internal = t
		}
	}
	return internal
}
