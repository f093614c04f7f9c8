/** Difference between a stored document and the document folded from the log. */
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Document, StoredEntry } from '../../kernel/ports/read-model.ts';
import type { Projection } from '../../kernel/runtime/define-projection.ts';

type DifferenceKind =
  /** Both have the document, and it is not the same. */
  | 'differs'
  /** The log makes it, and the read model lacks it. */
  | 'missing'
  /** The read model has it, and no event makes it. */
  | 'surplus';

/** Entry stored under a key. */
export interface ComparedEntry {
  readonly position: Position;
  /** Null for a document that was deleted. */
  readonly document: Document | null;
  /** The stored renderings that differ, as JSON text. */
  readonly views: { readonly [view: string]: string };
}

export interface ReadModelDifference {
  readonly kind: DifferenceKind;
  readonly collection: string;
  readonly key: string;
  /**
   * Differing parts: `position`, `document`, `view <name>`; all of them if the document is missing or surplus. `list <name>`
   * and `index <name>` if the documents are found differently: then the key is the partition, or the value.
   */
  readonly parts: readonly string[];
  /** Null when no event makes it. */
  readonly log: ComparedEntry | null;
  /** Null when the read model lacks it. */
  readonly readModel: ComparedEntry | null;
}

/** Undefined where both have the same document. At least one of the two has it. */
export function differenceOf(
  projection: Projection,
  log: StoredEntry | undefined,
  readModel: StoredEntry | undefined,
): ReadModelDifference | undefined {
  const one = log ?? readModel;
  if (one === undefined) return undefined;
  const parts = log && readModel ? differingParts(projection, log, readModel) : [];
  if (log && readModel && parts.length === 0) return undefined;
  return {
    kind: log === undefined ? 'surplus' : readModel === undefined ? 'missing' : 'differs',
    collection: projection.name,
    key: one.key,
    parts,
    log: log === undefined ? null : shown(log, parts),
    readModel: readModel === undefined ? null : shown(readModel, parts),
  };
}

function differingParts(projection: Projection, log: StoredEntry, readModel: StoredEntry): readonly string[] {
  const views = Object.keys(projection.views ?? {});
  return [
    ...(log.position === readModel.position ? [] : ['position']),
    ...(textOf(log.document) === textOf(readModel.document) ? [] : ['document']),
    ...views.filter((view) => log.views[view] !== readModel.views[view]).map((view) => `view ${view}`),
  ];
}

function shown({ position, document, views }: StoredEntry, parts: readonly string[]): ComparedEntry {
  const differing = Object.entries(views).filter(([view]) => parts.includes(`view ${view}`));
  return { position, document: document ?? null, views: Object.fromEntries(differing) };
}

function textOf(document: Document | undefined): string {
  return document === undefined ? '' : JSON.stringify(document);
}
