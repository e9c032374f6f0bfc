package api

// ContentDisposition and ByteRanges show to tests what the adapter makes of names and of the header Range.
var (
	ContentDisposition = contentDisposition
	ByteRanges         = byteRanges
)
