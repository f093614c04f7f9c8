/** One stream per Idempotency-Key whose command's stream does not follow from the key. Only the kernel writes it. */
import type { EventOf } from '../runtime/define-stream.ts';
import type { idempotencyKeyEvents } from '../runtime/idempotency-key.ts';

export { idempotencyKey } from '../runtime/idempotency-key.ts';
export type IdempotencyKeyEvent = EventOf<typeof idempotencyKeyEvents>;
