/**
 * What a backup consists of, in the order in which it is taken: where it begins, pieces of files, and what it must hold
 * in the end. The names of files are checked wherever they arrive, because each becomes a path.
 */
import { type Static, Type } from '@sinclair/typebox';
import { isFileName, isSha256 } from '../../kernel/ports/blob-store.ts';
import { parseImageCid } from '../../server/images/image-cid.ts';

export const FORMAT = 1;

const Count = Type.Integer({ minimum: 0 });

export const BackupBegin = Type.Object({
  format: Type.Literal(FORMAT),
  /** The release that took it. */
  version: Type.String(),
  takenAt: Type.String(),
  /** What the store counts its positions by: only those of SQLite can be kept by a log in SQLite. */
  positions: Type.Union([Type.Literal('events'), Type.Literal('bytes')]),
});
export type BackupBegin = Static<typeof BackupBegin>;

export const BackupEnd = Type.Object({
  /** Events up to `head`. */
  events: Count,
  head: Type.String(),
  firstEvent: Type.String(),
  blobs: Count,
  named: Count,
  images: Count,
  /** 1 where the chain is the service's own; absent in backups of releases that left it out. */
  chain: Type.Optional(Count),
});
export type BackupEnd = Static<typeof BackupEnd>;

export type BackupPart =
  | { readonly kind: 'begin'; readonly begin: BackupBegin }
  /** The next bytes of a file; its pieces follow each other. */
  | { readonly kind: 'piece'; readonly path: string; readonly bytes: Uint8Array }
  /** The store has other bytes under the name of the file: it is not in the backup. */
  | { readonly kind: 'damaged'; readonly path: string }
  | { readonly kind: 'end'; readonly end: BackupEnd };

/** A file of a backup, as its path names it. */
export type BackupFile =
  | { readonly kind: 'log'; readonly number: number }
  | { readonly kind: 'blob'; readonly sha256: string }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'image'; readonly cid: string }
  | { readonly kind: 'chain' };

const FOLDER_MARK = '+';

export const pathOf = {
  log: (number: number) => `log/${String(number).padStart(8, '0')}.ndjson`,
  blob: (sha256: string) => `blobs/${sha256.slice(0, 2)}/${sha256}`,
  named: (name: string) => `named/${name.replaceAll('/', FOLDER_MARK)}`,
  image: (cid: string) => `images/${cid}`,
  chain: () => 'chain/chain.db',
} as const;

/** Undefined unless it is a path that `pathOf` gives. */
export function fileAt(path: string): BackupFile | undefined {
  if (path === pathOf.chain()) return { kind: 'chain' };
  const [, folder, rest = ''] = /^(log|blobs|named|images)\/(.+)$/.exec(path) ?? [];
  switch (folder) {
    case 'log': {
      const [, digits] = /^([0-9]{8})\.ndjson$/.exec(rest) ?? [];
      return digits === undefined ? undefined : { kind: 'log', number: Number(digits) };
    }
    case 'blobs': {
      const sha256 = rest.slice(3);
      return isSha256(sha256) && pathOf.blob(sha256) === path ? { kind: 'blob', sha256 } : undefined;
    }
    case 'named': {
      const name = rest.replaceAll(FOLDER_MARK, '/');
      return isFileName(name) && pathOf.named(name) === path ? { kind: 'named', name } : undefined;
    }
    case 'images':
      return parseImageCid(rest) === undefined ? undefined : { kind: 'image', cid: rest };
    default:
      return undefined;
  }
}
