// Checks a transparency log of Levy, and proofs from it, with Go's own packages for such logs: nothing in here is Levy's.
// docs/how-to/integrate/audit-the-transparency-log.md says how to use it.
package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gowebpki/jcs"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const usage = `verify-log -key KEY [-witness KEY]... log PLACE            every entry leads to its tiles, and these to the signed root
verify-log -key KEY [-witness KEY]... extends OLD PLACE    the log extends the checkpoint in the file OLD
verify-log -key KEY [-witness KEY]... events FILE PLACE    the events ("levy events --json") are the entries, in their order
verify-log -key KEY [-witness KEY]... proof FILE           the proof of an event or of a payment; needs nothing else
PLACE is the address of a log (https://levy.example/log) or a folder with its checkpoint and tiles
ends with 0: holds; 1: does not hold; 2: it could not be checked
`

// doesNotHold tells what was looked at and found wrong from what could not be looked at.
type doesNotHold struct{ error }

func wrong(format string, values ...any) error {
	return doesNotHold{fmt.Errorf(format, values...)}
}

type checkpoint struct {
	origin string
	tlog.Tree
}

// largestFile is many times as much as a checkpoint or a tile has.
const largestFile = 16 << 20

// visible shows control and format characters as \u001b is: a terminal would obey them.
func visible(text string) string {
	var shown strings.Builder
	for _, each := range text {
		if unicode.In(each, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs) {
			fmt.Fprintf(&shown, "\\u%04x", each)
		} else {
			shown.WriteRune(each)
		}
	}
	return shown.String()
}

func say(format string, values ...any) {
	fmt.Println(visible(fmt.Sprintf(format, values...)))
}

type place string

func (from place) read(path string) ([]byte, error) {
	if !strings.HasPrefix(string(from), "http://") && !strings.HasPrefix(string(from), "https://") {
		bytes, err := os.ReadFile(filepath.Join(string(from), filepath.FromSlash(path)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, wrong("%s is missing", path)
		}
		return bytes, err
	}
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Get(strings.TrimRight(string(from), "/") + "/" + path)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return nil, wrong("%s is missing", path)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s is answered with %s", path, response.Status)
	}
	found, err := io.ReadAll(io.LimitReader(response.Body, largestFile+1))
	if err == nil && len(found) > largestFile {
		return nil, wrong("%s has more than %d bytes", path, largestFile)
	}
	return found, err
}

// tiles reads the tiles of a log: Go puts their height into a path, which C2SP's tlog-tiles leaves out.
type tiles struct{ place }

func (tiles) Height() int { return 8 }

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (from tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	found := make([][]byte, len(wanted))
	for at, tile := range wanted {
		bytes, err := from.read("tile/" + strings.TrimPrefix(tile.Path(), "tile/8/"))
		if err != nil {
			return nil, err
		}
		found[at] = bytes
	}
	return found, nil
}

const hashSize = 32

// bundle reads 256 entries, or the last ones of the tree.
func (from place) bundle(number, size int64) ([][]byte, error) {
	width := min(256, size-number*256)
	path := tlog.Tile{H: 8, L: 0, N: number, W: int(width)}.Path()
	path = strings.Replace(path, "tile/8/0/", "tile/entries/", 1)
	found, err := from.read(path)
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for rest := found; len(rest) > 0; {
		if len(rest) < 2+hashSize || binary.BigEndian.Uint16(rest) != hashSize {
			return nil, wrong("%s is no bundle of entries", path)
		}
		entries = append(entries, rest[2:2+hashSize])
		rest = rest[2+hashSize:]
	}
	if int64(len(entries)) != width {
		return nil, wrong("%s has %d entries, not %d", path, len(entries), width)
	}
	return entries, nil
}

// cosigner verifies what witnesses sign: a checkpoint and a time (C2SP tlog-cosignature).
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return c.hash }
func (c cosigner) Verify(message, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(signature), message)
	return ed25519.Verify(c.key, []byte(signed), signature[8:])
}

const cosignature = 4

func newCosigner(text string) (note.Verifier, error) {
	name, rest, _ := strings.Cut(text, "+")
	id, encoded, _ := strings.Cut(rest, "+")
	hash, err := strconv.ParseUint(id, 16, 32)
	key, malformed := base64.StdEncoding.DecodeString(encoded)
	if err != nil || malformed != nil || len(key) != 1+ed25519.PublicKeySize || key[0] != cosignature {
		return nil, fmt.Errorf("%q is no key of a witness", text)
	}
	identified := sha256.Sum256(append([]byte(name+"\n"), key...))
	if binary.BigEndian.Uint32(identified[:]) != uint32(hash) {
		return nil, fmt.Errorf("the key of %s has another id", name)
	}
	return cosigner{name, uint32(hash), key[1:]}, nil
}

// verifiers are whose signatures a checkpoint must have: all of them.
type verifiers []note.Verifier

func (all verifiers) open(signed []byte) (checkpoint, error) {
	opened, err := note.Open(signed, note.VerifierList(all...))
	if err != nil {
		return checkpoint{}, wrong("the checkpoint: %v", err)
	}
	for _, each := range all {
		isSigned := false
		for _, signature := range opened.Sigs {
			isSigned = isSigned || (signature.Name == each.Name() && signature.Hash == each.KeyHash())
		}
		if !isSigned {
			return checkpoint{}, wrong("the checkpoint is not signed by %s", each.Name())
		}
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != all[0].Name() {
		return checkpoint{}, wrong("the note is no checkpoint of %s", all[0].Name())
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	root, malformed := tlog.ParseHash(lines[2])
	if err != nil || malformed != nil || size < 0 {
		return checkpoint{}, wrong("the note is no checkpoint of %s", all[0].Name())
	}
	return checkpoint{lines[0], tlog.Tree{N: size, Hash: root}}, nil
}

func (all verifiers) published(from place) (checkpoint, tlog.HashReader, error) {
	signed, err := from.read("checkpoint")
	if err != nil {
		return checkpoint{}, nil, err
	}
	opened, err := all.open(signed)
	// It checks every tile that it reads against the signed root.
	return opened, tlog.TileHashReader(opened.Tree, tiles{from}), err
}

// eachEntry checks every entry of the log against the tiles, and gives it to see.
func (from place) eachEntry(of checkpoint, hashes tlog.HashReader, see func(index int64, entry []byte) error) error {
	for number := int64(0); number*256 < of.N; number++ {
		entries, err := from.bundle(number, of.N)
		if err != nil {
			return err
		}
		places := make([]int64, len(entries))
		for at := range entries {
			places[at] = tlog.StoredHashIndex(0, number*256+int64(at))
		}
		stored, err := hashes.ReadHashes(places)
		if err != nil {
			return tileTrouble(err)
		}
		for at, entry := range entries {
			index := number*256 + int64(at)
			if tlog.RecordHash(entry) != stored[at] {
				return wrong("entry %d is not the one that was signed", index)
			}
			if err := see(index, entry); err != nil {
				return err
			}
		}
	}
	return nil
}

// tileTrouble: Go's reader says "downloaded inconsistent tile" of one that does not lead to the root.
func tileTrouble(err error) error {
	if strings.Contains(err.Error(), "inconsistent") || strings.Contains(err.Error(), "bad tile") {
		return wrong("a tile does not lead to the signed root: %v", err)
	}
	return err
}

func (all verifiers) checkLog(from place) error {
	of, hashes, err := all.published(from)
	if err != nil {
		return err
	}
	if err := from.eachEntry(of, hashes, func(int64, []byte) error { return nil }); err != nil {
		return err
	}
	root, err := tlog.TreeHash(of.N, hashes)
	if err != nil {
		return tileTrouble(err)
	}
	if root != of.Hash {
		return wrong("the tiles do not give the root of the checkpoint")
	}
	say("%s has %d entries, which give the signed root %s", of.origin, of.N, of.Hash)
	return nil
}

func (all verifiers) checkExtends(oldFile string, from place) error {
	signed, err := os.ReadFile(oldFile)
	if err != nil {
		return err
	}
	old, err := all.open(signed)
	if err != nil {
		return err
	}
	of, hashes, err := all.published(from)
	if err != nil {
		return err
	}
	if of.N < old.N {
		return wrong("the log has %d entries, and had %d: it was put back", of.N, old.N)
	}
	proof, err := tlog.ProveTree(of.N, old.N, hashes)
	if err != nil {
		return tileTrouble(err)
	}
	if err := tlog.CheckTree(proof, of.N, of.Hash, old.N, old.Hash); err != nil {
		return wrong("the log does not extend the checkpoint of %d entries: its history was changed (%v)", old.N, err)
	}
	say("%s with %d entries extends the one with %d", of.origin, of.N, old.N)
	return nil
}

type event struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Stream   string          `json:"stream"`
	Revision int64           `json:"revision"`
	Data     json.RawMessage `json:"data,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Raw      json.RawMessage `json:"raw,omitempty"`
}

// entry is the SHA-256 of the event's canonical JSON (RFC 8785); where it could not be read, its stored bytes stand in `raw`.
func (e event) entry() ([]byte, error) {
	if e.Raw != nil {
		e.Data, e.Metadata = nil, nil
	}
	plain, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	canonical, err := jcs.Transform(plain)
	if err != nil {
		return nil, wrong("the event %s is no JSON of RFC 8785: %v", e.ID, err)
	}
	hash := sha256.Sum256(canonical)
	return hash[:], nil
}

func (e event) String() string {
	return fmt.Sprintf("the event %s (revision %d of %s)", e.ID, e.Revision, e.Stream)
}

// Streams whose old events are deleted are not in the log.
func (e event) isLeftOut() bool {
	category, _, _ := strings.Cut(e.Stream, "-")
	return category == "lease" || category == "snapshot" || category == "checkpoint"
}

func (all verifiers) checkEvents(file string, from place) error {
	of, hashes, err := all.published(from)
	if err != nil {
		return err
	}
	opened, err := os.Open(file)
	if err != nil {
		return err
	}
	defer opened.Close()
	lines := bufio.NewReader(opened)
	next := func() (*event, error) {
		for {
			line, err := lines.ReadBytes('\n')
			if len(bytes.TrimSpace(line)) == 0 {
				if errors.Is(err, io.EOF) {
					return nil, nil
				}
				if err != nil {
					return nil, err
				}
				continue
			}
			var found event
			if err := json.Unmarshal(line, &found); err != nil {
				return nil, err
			}
			if !found.isLeftOut() {
				return &found, nil
			}
		}
	}
	err = from.eachEntry(of, hashes, func(index int64, entry []byte) error {
		found, err := next()
		if err != nil {
			return err
		}
		if found == nil {
			return wrong("the events end before entry %d of %d", index, of.N)
		}
		own, err := found.entry()
		if err != nil {
			return err
		}
		if !bytes.Equal(own, entry) {
			return wrong("entry %d is not %v: an event was changed, dropped, inserted or moved", index, found)
		}
		return nil
	})
	if err != nil {
		return err
	}
	rest := 0
	for {
		found, err := next()
		if err != nil {
			return err
		}
		if found == nil {
			break
		}
		rest++
	}
	say("the first %d events are the entries of %s; %d came after its checkpoint", of.N, of.origin, rest)
	return nil
}

type ledgerProof struct {
	Payment struct {
		Wallet  string `json:"wallet"`
		Planned string `json:"planned"`
	} `json:"payment"`
	Record string `json:"record"`
	Proof  struct {
		Index    int64    `json:"index"`
		TreeSize int64    `json:"treeSize"`
		Path     []string `json:"path"`
	} `json:"proof"`
}

type proofFile struct {
	Format string `json:"format"`
	Event  event  `json:"event"`
	Log    struct {
		Proof string `json:"proof"`
	} `json:"log"`
	ledgerProof
	Root   string        `json:"root"`
	Others []ledgerProof `json:"others"`
}

func (all verifiers) checkProof(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var file proofFile
	if err := json.Unmarshal(text, &file); err != nil {
		return wrong("the file is no proof: %v", err)
	}
	index, path, of, err := all.openProof(file.Log.Proof)
	if err != nil {
		return err
	}
	entry, err := file.Event.entry()
	if err != nil {
		return err
	}
	if err := tlog.CheckRecord(path, of.N, of.Hash, index, tlog.RecordHash(entry)); err != nil {
		return wrong("%v is not entry %d of the log: %v", file.Event, index, err)
	}
	say("%v is entry %d of %s, which has %d entries", file.Event, index, of.origin, of.N)
	if file.Format == "levy-event-proof-1" {
		return nil
	}
	if file.Format != "levy-payment-proof-1" {
		return wrong("the form of the file is %q", file.Format)
	}
	var recorded struct {
		Root    string `json:"root"`
		Records int64  `json:"records"`
	}
	if err := json.Unmarshal(file.Event.Data, &recorded); err != nil {
		return wrong("the event is no JSON: %v", err)
	}
	if file.Event.Type != "RunAllotted" || file.Event.Raw != nil || recorded.Root != file.Root {
		return wrong("the event does not record the root of the ledger")
	}
	for _, each := range append([]ledgerProof{file.ledgerProof}, file.Others...) {
		// The path alone does not tell the sizes of some trees apart.
		if size := recorded.Records + 1; each.Proof.TreeSize != size {
			return wrong("proof.treeSize is %d in the file, and %d in the event", each.Proof.TreeSize, size)
		}
		if err := each.check(file.Root); err != nil {
			return err
		}
		say("%s is in the ledger with root %s, to be paid %s", each.Payment.Wallet, file.Root, each.Payment.Planned)
	}
	return nil
}

// openProof reads a C2SP tlog-proof.
func (all verifiers) openProof(text string) (index int64, path tlog.RecordProof, of checkpoint, err error) {
	head, signed, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	if lines[0] != "c2sp.org/tlog-proof@v1" || len(lines) < 2 {
		return 0, nil, of, wrong("there is no proof of a transparency log in the file")
	}
	index, err = strconv.ParseInt(strings.TrimPrefix(lines[1], "index "), 10, 64)
	if err != nil {
		return 0, nil, of, wrong("the proof names no index")
	}
	for _, line := range lines[2:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return 0, nil, of, wrong("a line of the path is no hash")
		}
		path = append(path, hash)
	}
	of, err = all.open([]byte(signed))
	if err == nil && index >= of.N {
		err = wrong("there is no entry %d among %d", index, of.N)
	}
	return index, path, of, err
}

const (
	recordSize = 82
	planned    = 66
)

// A ledger is a tree as the log is, over its records.
func (l ledgerProof) check(root string) error {
	record, err := base64.StdEncoding.DecodeString(l.Record)
	if err != nil || len(record) != recordSize {
		return wrong("the record of %s has not %d bytes", l.Payment.Wallet, recordSize)
	}
	var path tlog.RecordProof
	for _, text := range append([]string{root}, l.Proof.Path...) {
		hash, err := hex.DecodeString(text)
		if err != nil || len(hash) != hashSize {
			return wrong("the path of %s has no hash %q", l.Payment.Wallet, text)
		}
		path = append(path, tlog.Hash(hash))
	}
	size, index := l.Proof.TreeSize, l.Proof.Index
	if index < 0 || index >= size || tlog.CheckRecord(path[1:], size, path[0], index, tlog.RecordHash(record)) != nil {
		return wrong("the record of %s is not in the ledger", l.Payment.Wallet)
	}
	if wallet := base58(record[:hashSize]); wallet != l.Payment.Wallet {
		return wrong("the record is that of %s, not of %s", wallet, l.Payment.Wallet)
	}
	amount := strconv.FormatUint(binary.LittleEndian.Uint64(record[planned:]), 10)
	if amount != l.Payment.Planned {
		return wrong("the record plans %s for %s, not %s", amount, l.Payment.Wallet, l.Payment.Planned)
	}
	return nil
}

func base58(from []byte) string {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	var text []byte
	number, digit := new(big.Int).SetBytes(from), new(big.Int)
	for number.Sign() > 0 {
		number.DivMod(number, big.NewInt(58), digit)
		text = append([]byte{alphabet[digit.Int64()]}, text...)
	}
	for _, each := range from {
		if each != 0 {
			break
		}
		text = append([]byte{'1'}, text...)
	}
	return string(text)
}

func run() error {
	key := flag.String("key", "", "the log's verifier key")
	var all verifiers
	flag.Func("witness", "the verifier key of a witness that must have signed", func(text string) error {
		witness, err := newCosigner(text)
		all = append(all, witness)
		return err
	})
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	flag.Parse()
	log, err := note.NewVerifier(*key)
	if err != nil {
		return fmt.Errorf("-key: %w\n%s", err, usage)
	}
	all = append(verifiers{log}, all...)
	args := flag.Args()
	switch {
	case len(args) == 2 && args[0] == "log":
		return all.checkLog(place(args[1]))
	case len(args) == 3 && args[0] == "extends":
		return all.checkExtends(args[1], place(args[2]))
	case len(args) == 3 && args[0] == "events":
		return all.checkEvents(args[1], place(args[2]))
	case len(args) == 2 && args[0] == "proof":
		return all.checkProof(args[1])
	}
	return errors.New(usage)
}

func main() {
	err := run()
	var found doesNotHold
	switch {
	case err == nil:
		say("holds")
	case errors.As(err, &found):
		fmt.Fprintln(os.Stderr, visible(fmt.Sprintf("DOES NOT HOLD: %v", err)))
		os.Exit(1)
	default:
		why, isUsage := strings.CutSuffix(err.Error(), usage)
		fmt.Fprintln(os.Stderr, visible("could not check: "+strings.TrimSpace(why)))
		if isUsage {
			fmt.Fprint(os.Stderr, usage)
		}
		os.Exit(2)
	}
}
