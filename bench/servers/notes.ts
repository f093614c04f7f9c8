/** Commands that only record: their cost is that of the kernel, the store and HTTP. */
import { Type } from '@sinclair/typebox';
import { commandsFor } from '../../src/kernel/runtime/define-command.ts';
import type { Route } from '../../src/kernel/runtime/define-route.ts';
import { constructorsOf, defineStream, type EventOf } from '../../src/kernel/runtime/define-stream.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';

const noteEvents = { NoteTaken: Type.Object({ noteId: Type.String(), text: Type.String() }) };
const { NoteTaken } = constructorsOf(noteEvents);

export const note = defineStream({
  category: 'note',
  events: noteEvents,
  initial: undefined as string | undefined,
  evolve: (_state, event: EventOf<typeof noteEvents>): string | undefined => event.data.text,
});

const NoteText = Type.String({ maxLength: 1_000 });
const NoteId = Type.Object({ noteId: Type.String() });

/** The stream is named after the command, and so after the Idempotency-Key if there is one, like that of a draft. */
const noteOfItsOwn = (name: string, route: Route) =>
  commandsFor<object>()({
    name,
    summary: 'Take a note',
    description: 'Takes a note in a stream of its own.',
    route,
    input: { body: Type.Object({ text: NoteText }, { additionalProperties: false }) },
    output: NoteId,
    rejections: [],
    stream: note,
    streamId: (_input, { commandId }) => deriveId('note', commandId),
    prepare: async (_input, { cause }) => ({ noteId: deriveId('note', cause.commandId) }),
    decide: (_state, { body }, { noteId }) => [NoteTaken({ noteId, text: body.text })],
    respond: (_state, _input, { cause }) => ({ noteId: deriveId('note', cause.commandId) }),
  });

export const takeNote = noteOfItsOwn('TakeNote', { method: 'POST', url: '/notes', auth: 'none' });

/** Requires a signed-in caller, so that it accepts an Idempotency-Key. */
export const takeOwnNote = noteOfItsOwn('TakeOwnNote', { method: 'POST', url: '/own-notes', auth: 'wallet' });

/** The caller names the stream, like that of a token, so an Idempotency-Key has a separate stream. */
export const takeNamedNote = commandsFor<object>()({
  name: 'TakeNamedNote',
  summary: 'Take a note under a name',
  description: 'Takes a note in the stream of that name.',
  route: { method: 'POST', url: '/named-notes', auth: 'wallet' },
  input: {
    body: Type.Object(
      { name: Type.String({ maxLength: 64 }), text: NoteText },
      { additionalProperties: false },
    ),
  },
  output: NoteId,
  rejections: [],
  stream: note,
  streamId: ({ body }) => deriveId('note', body.name),
  prepare: async ({ body }) => ({ noteId: deriveId('note', body.name) }),
  decide: (_state, { body }, { noteId }) => [NoteTaken({ noteId, text: body.text })],
  respond: (_state, { body }) => ({ noteId: deriveId('note', body.name) }),
});
