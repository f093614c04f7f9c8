/** One stream per Idempotency-Key of a command whose own stream does not follow from the key. The kernel alone writes it. */
import type { EventOf } from '../runtime/define-stream.ts';
import type { idempotencyKeyEvents } from '../runtime/idempotency-key.ts';

export { IdempotencyKeyUsed, idempotencyKey } from '../runtime/idempotency-key.ts';
export type IdempotencyKeyEvent = EventOf<typeof idempotencyKeyEvents>;
