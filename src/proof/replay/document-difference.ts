/** Difference between a stored document and the document folded from the log. */
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Document, StoredEntry } from '../../kernel/ports/read-model.ts';
import type { Projection } from '../../kernel/runtime/define-projection.ts';

type DifferenceKind =
  /** Both have the document, with different content. */
  | 'differs'
  /** The log gives the document, and the read model lacks it. */
  | 'missing'
  /** The read model has the document, and no event gives it. */
  | 'surplus';

interface ComparedEntry {
  readonly position: Position;
  /** Null for a deleted document. */
  readonly document: Document | null;
  /** Differing views, as JSON text. */
  readonly views: { readonly [view: string]: string };
}

export interface ReadModelDifference {
  readonly kind: DifferenceKind;
  readonly collection: string;
  readonly key: string;
  /** Differing parts: `position`, `document`, `view <name>`; empty if the document is missing or surplus. */
  readonly parts: readonly string[];
  /** Null if the log gives no document. */
  readonly log: ComparedEntry | null;
  /** Null if the read model has no document. */
  readonly readModel: ComparedEntry | null;
}

/** Undefined if both documents are equal. At least one of them must be given. */
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
