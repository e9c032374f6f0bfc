// Package openapi holds live answers of the service in every version against its OpenAPI documents, with a reader and
// validator of OpenAPI 3.1 and JSON Schema that others wrote: what the documents say is judged by somebody else than
// us. It holds tests only.
package openapi
