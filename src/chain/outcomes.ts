/** Waits for what becomes of an accepted submission, as the log tells it. */
import type { Executor } from '../runtime/execute.ts';
import { type DraftState, draft } from '../streams/draft.ts';
import { token } from '../streams/token.ts';

/** Another process may be the one that settles: look into the log at least this often. In milliseconds. */
const LOOK_EVERY = 250;

export interface CreatedToken {
  readonly tokenId: string;
  readonly createdAt: string;
  /** Of the event that says so: a list read after it shows the token. */
  readonly position: string;
}

export type Outcome =
  | { readonly kind: 'created'; readonly draft: DraftState; readonly token: CreatedToken }
  | { readonly kind: 'failed'; readonly draft: DraftState }
  | { readonly kind: 'pending' };

export interface Outcomes {
  /** Asks for the settler's attention. */
  expect(transactionId: string): void;
  /** Something was recorded about the draft. */
  changed(transactionId: string): void;
  /** Resolves with `pending` when the time is over first, or when nobody may wait any longer. */
  wait(transactionId: string, milliseconds: number): Promise<Outcome>;
  /** Ends all waiting, now and from now on: the process is about to stop. */
  release(): void;
}

export function createOutcomes(executor: Executor, kick: () => void): Outcomes {
  const waiting = new Map<string, Set<() => void>>();
  let released = false;

  async function look(transactionId: string): Promise<Outcome> {
    const { state } = await executor.load(draft, transactionId);
    if (state.status === 'failed') return { kind: 'failed', draft: state };
    if (state.issued === undefined || (state.status !== 'confirmed' && state.status !== 'finalized')) {
      return { kind: 'pending' };
    }
    const { tokenId } = state.issued.subject;
    const { events, state: known } = await executor.load(token, tokenId);
    const created = events.findLast(({ type }) => type === 'TokenCreated');
    if (!known?.exists || created === undefined) return { kind: 'pending' };
    return {
      kind: 'created',
      draft: state,
      token: { tokenId, createdAt: created.metadata.occurredAt, position: created.position },
    };
  }

  function change(transactionId: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wakers = waiting.get(transactionId) ?? new Set();
      waiting.set(transactionId, wakers);
      const timer = setTimeout(wake, milliseconds);
      function wake(): void {
        clearTimeout(timer);
        wakers.delete(wake);
        if (wakers.size === 0) waiting.delete(transactionId);
        resolve();
      }
      wakers.add(wake);
    });
  }

  return {
    expect: kick,
    changed(transactionId) {
      for (const wake of [...(waiting.get(transactionId) ?? [])]) wake();
    },
    async wait(transactionId, milliseconds) {
      const until = performance.now() + milliseconds;
      for (;;) {
        // Listen before looking: a change between the two must not be missed.
        const left = until - performance.now();
        const next = change(transactionId, Math.max(0, Math.min(left, LOOK_EVERY)));
        const outcome = await look(transactionId);
        if (outcome.kind !== 'pending' || left <= 0 || released) return outcome;
        await next;
      }
    },
    release() {
      released = true;
      for (const wakers of [...waiting.values()]) for (const wake of [...wakers]) wake();
    },
  };
}
