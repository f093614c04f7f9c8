/** The events of a log as lines of JSON, one each. */
import { Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { JsonObject, RecordedEvent } from '../../kernel/ports/event-store.ts';

const Line = Type.Object({
  position: Type.String({ minLength: 1 }),
  stream: Type.String({ minLength: 1 }),
  revision: Type.Integer({ minimum: 0 }),
  id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  type: Type.String({ minLength: 1 }),
  data: Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true })),
  metadata: Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true })),
  unreadable: Type.Optional(Type.String()),
  raw: Type.Optional(Type.Object({ data: Type.String(), metadata: Type.String() })),
});

const check = TypeCompiler.Compile(Line);

export function lineOf(event: RecordedEvent): string {
  return `${JSON.stringify(event)}
`;
}

/** Undefined if the line holds no event. */
export function eventIn(line: string): RecordedEvent | undefined {
  try {
    const found: unknown = JSON.parse(line);
    return check.Check(found) ? (found as RecordedEvent) : undefined;
  } catch {
    return undefined;
  }
}
