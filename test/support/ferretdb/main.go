// Runs FerretDB v1 with its data in SQLite files, so that tests have a second server that speaks MongoDB's protocol.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"log"
	"log/slog"
	"net"
	"net/url"
	"os"
	"sync"

	"github.com/FerretDB/FerretDB/ferretdb"
)

const longestMessage = 48_000_000

// Takes the address to listen on and the folder for the data.
func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: ferretdb <host:port> <folder>")
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Handler:   "sqlite",
		// What a killed process wrote is there after it all the same.
		SQLiteURL: "file:" + os.Args[2] + "/?_pragma=synchronous(off)",
		Logger:    slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(server.Run(context.Background())) }()
	behind, err := url.Parse(server.MongoDBURI())
	if err != nil {
		log.Fatal(err)
	}
	front, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for {
		client, err := front.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(client, behind.Host)
	}
}

// FerretDB reads what an update matches and writes it afterwards: two at once would lose one. So one write runs at a time.
var turn sync.Mutex

var reads = map[string]bool{
	"aggregate": true, "count": true, "distinct": true, "explain": true, "find": true, "getMore": true,
	"buildInfo": true, "endSessions": true, "hello": true, "ping": true,
	"listCollections": true, "listDatabases": true, "listIndexes": true,
}

func serve(client net.Conn, address string) {
	defer client.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	for {
		request, err := message(client)
		if err != nil {
			return
		}
		answer, err := ask(server, request)
		if err != nil {
			return
		}
		if _, err := client.Write(answer); err != nil {
			return
		}
	}
}

func ask(server net.Conn, request []byte) ([]byte, error) {
	if !reads[command(request)] {
		turn.Lock()
		defer turn.Unlock()
	}
	if _, err := server.Write(request); err != nil {
		return nil, err
	}
	return message(server)
}

// The name of the command is the first key of the message's document. A client's first message has an older form, and is a read.
func command(request []byte) string {
	const opMsg, document = 2013, 21
	if binary.LittleEndian.Uint32(request[12:]) != opMsg {
		return "hello"
	}
	if len(request) < document+6 || request[document-1] != 0 {
		return ""
	}
	name := request[document+5:]
	if end := bytes.IndexByte(name, 0); end >= 0 {
		return string(name[:end])
	}
	return ""
}

func message(from net.Conn) ([]byte, error) {
	length := make([]byte, 4)
	if _, err := io.ReadFull(from, length); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(length)
	if size < 16 || size > longestMessage {
		return nil, io.ErrUnexpectedEOF
	}
	whole := make([]byte, size)
	copy(whole, length)
	_, err := io.ReadFull(from, whole[4:])
	return whole, err
}
