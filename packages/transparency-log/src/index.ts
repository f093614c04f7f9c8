/**
 * Public API of the package: transparency logs as specified by C2SP, written and verified by the same code, in Node and
 * in browsers.
 */
export { fromBase64, fromHex, isEqual, toBase64, toHex } from './bytes.ts';
export { canonicalJson, canonicalRecord, entryOf, type Recordable } from './canonical-record.ts';
export {
  type Checkpoint,
  type LogSigner,
  parseCheckpoint,
  parseCheckpointText,
  signCheckpoint,
  type TreeHead,
} from './checkpoint.ts';
export {
  createGrowingTree,
  EMPTY_END,
  type FullTile,
  type GrowingTree,
  type TreeEnd,
  tileName,
} from './growing-tree.ts';
export {
  AMOUNTS,
  AMOUNTS_AT,
  KIND_AT,
  KINDS,
  type Kind,
  OWNER_SIZE,
  REASON_AT,
  REASONS,
  RECORD_SIZE,
  REFUSALS,
  type Reason,
  type RecordFields,
  readRecord,
} from './ledger-record.ts';
export {
  HASH_SIZE,
  inclusionPath,
  isConsistent,
  leafHash,
  nodeHash,
  rootFromPath,
  rootOf,
} from './merkle-tree.ts';
export { checkProofFile, type ProofStep, type Shown, stepsOf } from './payment-proof.ts';
export { type Policy, parsePolicy, policyOfLog, requirePolicy } from './policy.ts';
export { EVENT_PROOF, type EventProofFile, PAYMENT_PROOF } from './proof-file.ts';
export {
  COSIGNATURE,
  cosignatureTime,
  ED25519,
  isKeyName,
  isSignedBy,
  NoteInvalid,
  type NoteKey,
  type NoteSignature,
  noteKey,
  noteOf,
  parseNote,
  parseSignature,
  parseVerifierKey,
  type SignedNote,
  signatureLine,
  verifierKey,
} from './signed-note.ts';
export { type ReadTile, type TiledTree, tiledTree } from './tiled-tree.ts';
export {
  entryBundle,
  hashesOf,
  levelsOf,
  numberPath,
  parseEntryBundle,
  parseTilePath,
  TILE_WIDTH,
  type TileLevel,
  type TilePlace,
  tilePath,
  tileWidth,
} from './tiles.ts';
export { parseTlogProof, requireIncluded, type TlogProof, tlogProofText } from './tlog-proof.ts';
export { type ReadLogFile, type VerifiedLog, verifyLog } from './verify-log.ts';
