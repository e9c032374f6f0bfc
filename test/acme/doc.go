// Package acme tests automatic certificates (tls.mode=acme) against a local ACME server, Let's Encrypt's Pebble. It
// holds tests only.
package acme
