// Package web is what every way into Admitto shares: the HTTPS server, the middleware chain around the
// handler, the certificate, the metrics port, and the memory and compression of big answers. It is a
// leaf: of ours it imports only package admitto, of others only compression and metrics, and it knows
// nothing of paths next to /healthz and /readyz, of keys or of problem documents (those belong to the
// sites given in Config).
//
//	server.go     Config, Serve: listeners, limits, draining
//	sniff.go      plain HTTP that arrives on the TLS port
//	tls.go        certificates: self-signed, and files that are reloaded
//	chain.go      Chain, Info: what happens around every request
//	site.go       Site: an interface with its own errors and headers
//	document.go   Document: a text with an ETag, compressed and answered conditionally
//	file.go       ServeFile: bytes with a name, whole or in ranges
//	answer.go     the ResponseWriter and the request body inside the chain, with their deadlines
//	forwarded.go  what is believed of a proxy's headers
//	metrics.go    Metrics and the metrics port
//	budget.go     Budget: the bound on the memory of answers
//	pieces.go     Pieces: one answer, built whole before it is sent
//	encoding.go   Accept-Encoding
package web
