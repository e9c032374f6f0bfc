package db

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// format is how a column arrives.
type format uint8

const (
	asOther format = iota // binary and none of the following: cannot be read
	asInt                 // binary, big endian, of any width
	asBool                // binary
	asBytes               // the value itself
	asText                // text that stands for a value
)

func formatOf(f pgconn.FieldDescription) format {
	switch f.DataTypeOID {
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.BPCharOID, pgtype.NameOID, pgtype.JSONOID, pgtype.UnknownOID:
		return asBytes
	case pgtype.ByteaOID:
		if f.Format == pgx.BinaryFormatCode {
			return asBytes
		}
		return asOther
	}
	if f.Format == pgx.TextFormatCode {
		return asText
	}
	switch f.DataTypeOID {
	case pgtype.Int8OID, pgtype.Int4OID, pgtype.Int2OID:
		return asInt
	case pgtype.BoolOID:
		return asBool
	}
	return asOther
}

// postgresCursor reads the values as they came over the wire.
type postgresCursor struct {
	rows    pgx.Rows
	results pgx.BatchResults // that the rows are the last of; nil when they were sent alone
	formats []format
	values  [][]byte
	bad     error // the first value that could not be read
}

func (c *postgresCursor) next() (bool, error) {
	if c.bad != nil {
		return false, c.bad
	}
	if !c.rows.Next() {
		return false, c.rows.Err()
	}
	c.values = c.rows.RawValues()
	if c.formats == nil {
		fields := c.rows.FieldDescriptions()
		c.formats = make([]format, len(fields))
		for i, f := range fields {
			c.formats[i] = formatOf(f)
		}
	}
	return true, nil
}

func (c *postgresCursor) null(i int) bool { return c.values[i] == nil }

func (c *postgresCursor) int64(i int) int64 {
	v := c.values[i]
	if v == nil {
		return 0
	}
	switch c.formats[i] {
	case asInt:
		switch len(v) {
		case 8:
			return int64(binary.BigEndian.Uint64(v))
		case 4:
			return int64(int32(binary.BigEndian.Uint32(v)))
		case 2:
			return int64(int16(binary.BigEndian.Uint16(v)))
		}
	case asBool:
		return int64(v[0])
	case asText:
		if text := string(v); text == "t" || text == "f" {
			return int64(v[0]-'f') / int64('t'-'f')
		} else if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	}
	c.misread(i, "bigint")
	return 0
}

func (c *postgresCursor) raw(i int) []byte {
	v := c.values[i]
	if v == nil {
		return nil
	}
	switch c.formats[i] {
	case asBytes, asText:
		return v
	case asInt:
		return strconv.AppendInt(nil, c.int64(i), 10)
	}
	c.misread(i, "text")
	return nil
}

func (c *postgresCursor) misread(i int, to string) {
	if c.bad == nil {
		c.bad = fmt.Errorf("column %d is of a type that must be cast to %s", i, to)
	}
}

func (c *postgresCursor) close() error {
	c.rows.Close()
	err := c.rows.Err()
	if c.results != nil {
		if e := c.results.Close(); err == nil {
			err = e
		}
	}
	if c.bad != nil {
		return c.bad
	}
	return err
}
