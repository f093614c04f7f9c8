module levy.example/verify-log

go 1.24.0

require (
	github.com/gowebpki/jcs v1.0.1
	golang.org/x/mod v0.31.0
)
