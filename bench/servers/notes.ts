/** A command that does nothing but record: what it costs is the kernel, the store and HTTP. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../../src/runtime/define-stream.ts';
import { deriveId } from '../../src/runtime/ids.ts';
import { defineCommand } from '../../src/services.ts';

const noteEvents = { NoteTaken: Type.Object({ noteId: Type.String(), text: Type.String() }) };
const { NoteTaken } = constructorsOf(noteEvents);

export const note = defineStream({
  category: 'note',
  events: noteEvents,
  initial: undefined as string | undefined,
  evolve: (_state, event: EventOf<typeof noteEvents>): string | undefined => event.data.text,
});

export const takeNote = defineCommand({
  name: 'TakeNote',
  summary: 'Take a note',
  route: { method: 'POST', url: '/notes', auth: 'none' },
  input: { body: Type.Object({ text: Type.String({ maxLength: 1_000 }) }, { additionalProperties: false }) },
  output: Type.Object({ noteId: Type.String() }),
  rejections: [],
  stream: note,
  streamId: (_input, { commandId }) => deriveId('note', commandId),
  prepare: async (_input, { cause }) => ({ noteId: deriveId('note', cause.commandId) }),
  decide: (_state, { body }, { noteId }) => [NoteTaken({ noteId, text: body.text })],
  respond: (_state, _input, { cause }) => ({ noteId: deriveId('note', cause.commandId) }),
});
