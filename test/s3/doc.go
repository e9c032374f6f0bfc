// Package s3 tests files in a bucket (files.url=s3://…) against a local server that speaks S3. It holds tests only.
package s3
