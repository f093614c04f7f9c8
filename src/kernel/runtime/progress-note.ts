/**
 * The note that the projector of shared read models leaves for the other processes: how far each projection is. They may
 * be of an older or newer release, so fields are only ever added, and unknown ones are ignored.
 */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { JsonObject } from '../ports/event-store.ts';
import type { ProjectionProgress } from './projection-status.ts';

const Place = Type.Object({ version: Type.Integer(), generation: Type.Integer() });

const Progress = Type.Object({
  unit: Type.Union([Type.Literal('events'), Type.Literal('bytes')]),
  done: Type.Number(),
  of: Type.Number(),
  percent: Type.Number(),
  perSecond: Type.Optional(Type.Number()),
  secondsLeft: Type.Optional(Type.Number()),
});

const Undecodable = Type.Object({
  eventId: Type.String(),
  stream: Type.String(),
  revision: Type.Integer(),
  position: Type.String(),
  eventType: Type.String(),
  problem: Type.String(),
  isNewer: Type.Boolean(),
});

const Entry = Type.Object({
  name: Type.String(),
  version: Type.Integer(),
  state: Type.Union([Type.Literal('building'), Type.Literal('live'), Type.Literal('failed')]),
  isCurrent: Type.Boolean(),
  position: Type.String(),
  reads: Type.Optional(Place),
  shown: Type.Optional(Type.String()),
  progress: Type.Optional(Progress),
  lastEventAt: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  blockedBy: Type.Optional(Undecodable),
});

const Note = Type.Object({
  /** The writer's term. */
  term: Type.Integer(),
  /** The id of the first event of the log that the read models are made from. */
  log: Type.String(),
  /** Grows with each note of a term: a note that stays the same has no writer any more. */
  beat: Type.Integer(),
  /** By the writer's clock; for people only. ISO 8601. */
  writtenAt: Type.String(),
  release: Type.String(),
  /** How many of the requests for a rebuild the writer has handled, since the log began. */
  rebuildsHandled: Type.Integer(),
  projections: Type.Array(Entry),
});

export type ProgressNote = Static<typeof Note>;
export type NotedProjection = Static<typeof Entry>;

const note = TypeCompiler.Compile(Note);

/** Undefined for a note that this release cannot read. */
export function readNote(found: JsonObject): ProgressNote | undefined {
  return note.Check(found) ? found : undefined;
}

export function noteOf(
  rest: Omit<ProgressNote, 'projections'>,
  projections: readonly ProjectionProgress[],
): JsonObject {
  return { ...rest, projections: projections.map(entryOf) };
}

function entryOf({ served: _served, ...rest }: ProjectionProgress): JsonObject {
  // JSON has no undefined: such fields are left out.
  return JSON.parse(JSON.stringify(rest));
}
