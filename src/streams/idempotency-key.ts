/** One stream per Idempotency-Key whose command's stream does not follow from the key. Only the kernel writes it. */
import type { EventOf } from '../kernel/runtime/define-stream.ts';
import type { idempotencyKeyEvents } from '../kernel/runtime/idempotency-key.ts';

export { idempotencyKey } from '../kernel/runtime/idempotency-key.ts';
export type IdempotencyKeyEvent = EventOf<typeof idempotencyKeyEvents>;
