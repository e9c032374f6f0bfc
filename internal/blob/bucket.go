package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/admitto/admitto/internal/disk"
)

// bucket is a bucket of a store that speaks S3.
type bucket struct {
	client *minio.Client
	name   string
}

// tries is how often a request is sent to a store that does not answer or is not well; they take some seconds.
const tries = 3

// openBucket reads s3://bucket and its parameters:
//
//   - region, else that of the environment (AWS_REGION, AWS_DEFAULT_REGION);
//   - endpoint, the address of a store that is not Amazon's: https://host:port, or http://;
//   - use_path_style=true for a store where the bucket is no part of the name of the host;
//   - profile, that of the file of credentials.
//
// The credentials are those of the environment, of the file ~/.aws/credentials, or of the role that Amazon gives to the
// container or machine.
func openBucket(address string) (*bucket, error) {
	u, err := url.Parse(address)
	if err != nil { // which has the address, and that may have a secret in it
		return nil, errors.New("the address of a bucket cannot be read: s3://bucket?region=…")
	}
	if u.Scheme != "s3" || u.Host == "" || u.User != nil || u.Path != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s is no address of a bucket: s3://bucket?region=…", u.Redacted())
	}
	b := &bucket{name: u.Host}
	region, endpoint, profile := cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")), "", ""
	o := &minio.Options{MaxRetries: tries, BucketLookup: minio.BucketLookupDNS, Secure: true}
	if strings.Contains(b.name, ".") {
		o.BucketLookup = minio.BucketLookupPath // no certificate is for a name with two more parts
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, err
	}
	for name, values := range query {
		value := values[len(values)-1]
		switch name {
		case "region":
			region = value
		case "endpoint":
			endpoint = value
		case "profile":
			profile = value
		case "use_path_style":
			path, err := strconv.ParseBool(value)
			if err != nil {
				return nil, fmt.Errorf("use_path_style is %q, and may be true or false", value)
			}
			if path {
				o.BucketLookup = minio.BucketLookupPath
			}
		case "response_checksum_validation", "request_checksum_calculation": // had a meaning before 2026-12
		default:
			return nil, fmt.Errorf("%q is no parameter of a bucket; they are region, endpoint, use_path_style and profile",
				name)
		}
	}
	host := "s3.amazonaws.com"
	if endpoint != "" {
		if !strings.Contains(endpoint, "://") {
			endpoint = "https://" + endpoint
		}
		e, err := url.Parse(endpoint)
		if err != nil || e.Host == "" || e.Scheme != "http" && e.Scheme != "https" {
			return nil, fmt.Errorf("endpoint is %q, and must be like https://host:port", endpoint)
		}
		host, o.Secure = e.Host, e.Scheme == "https"
	}
	o.Region = region
	o.Creds = credentialsOf(profile, region)
	if o.Transport, err = minio.DefaultTransport(o.Secure); err != nil {
		return nil, err
	}
	b.client, err = minio.New(host, o)
	return b, err
}

// credentialsOf looks for credentials where Amazon's tools do, in their order.
func credentialsOf(profile, region string) *credentials.Credentials {
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{Profile: profile}}
	if profile != "" {
		providers = providers[1:]
	}
	if os.Getenv("AWS_EC2_METADATA_DISABLED") != "true" {
		providers = append(providers, &credentials.IAM{Region: region})
	}
	return credentials.NewChainCredentials(providers)
}

func (b *bucket) check(ctx context.Context) error {
	there, err := b.client.BucketExists(ctx, b.name)
	switch {
	case err == nil && there:
		return nil
	case err == nil:
		return errors.New("the bucket of files.url is not there; make it first")
	case answerOf(err).StatusCode == http.StatusForbidden:
		return fmt.Errorf("the bucket of files.url may not be used with the credentials of the environment: %w", err)
	case away(err):
		return unavailable(err)
	}
	return fmt.Errorf("the bucket of files.url cannot be used: %w", err)
}

// away reports whether a server could not be reached, or was not well.
func away(err error) bool {
	var network net.Error
	return errors.As(err, &network) || answerOf(err).StatusCode >= http.StatusInternalServerError
}

// answerOf is what the server has answered with an error; empty when it has not.
func answerOf(err error) (answer minio.ErrorResponse) {
	errors.As(err, &answer)
	return answer
}

// found makes the error of what is not there fs.ErrNotExist.
func found(err error) error {
	if answerOf(err).StatusCode == http.StatusNotFound {
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return err
}

func (b *bucket) size(ctx context.Context, key string) (int64, error) {
	info, err := b.client.StatObject(ctx, b.name, key, minio.StatObjectOptions{})
	return info.Size, found(err)
}

func (b *bucket) open(ctx context.Context, key string) (io.ReadSeekCloser, int64, error) {
	object, err := b.client.GetObject(ctx, b.name, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, 0, found(err)
	}
	info, err := object.Stat() // asks the server
	if err != nil {
		return nil, 0, errors.Join(found(err), object.Close())
	}
	return object, info.Size, nil
}

func (b *bucket) write(ctx context.Context, key string, size int64, r io.Reader, _ bool) error {
	if _, again := r.(io.ReadSeeker); !again { // what is sent must be there once more for the next try
		spool, err := disk.NewScratch("", "outgoing-*")
		if err != nil {
			return err
		}
		defer spool.Close()
		if size, err = io.Copy(spool, r); err != nil {
			return err
		}
		if _, err := spool.Seek(0, io.SeekStart); err != nil {
			return err
		}
		r = spool
	}
	_, err := b.client.PutObject(ctx, b.name, key, r, size, minio.PutObjectOptions{
		ContentType:          "application/octet-stream",
		NumThreads:           1,
		DisableContentSha256: size == 0, // there is nothing to sign, and not every store takes the frame of no parts
	})
	return found(err)
}

func (b *bucket) remove(ctx context.Context, key string) error {
	return found(b.client.RemoveObject(ctx, b.name, key, minio.RemoveObjectOptions{}))
}
