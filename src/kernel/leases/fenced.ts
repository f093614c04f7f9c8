/**
 * Lets a role act only while it is held: right before each act it asks the term, which reads the clocks.
 *
 * An act that was allowed may still arrive late, after the next holder has started. That is harmless, because every act has its own
 * fence too: an append carries the revision that was read, so it conflicts after any other append; a transaction carries its nonce value
 * (or a blockhash that expires) and was recorded before it was sent, so it lands at most once, whoever sends it; an image is named by its
 * content, and is removed only if nobody has kept it meanwhile.
 */
import type { Chain } from '../ports/chain.ts';
import type { ImageStore } from '../ports/image-store.ts';
import type { Executor } from '../runtime/execute.ts';
import { LeaseLost, type LeaseTerm } from './lease-term.ts';

/** The names of a port's methods that return promises. */
type Act<Port> = {
  [Name in keyof Port & string]: Port[Name] extends (...args: never) => Promise<unknown> ? Name : never;
}[keyof Port & string];

/** Wraps a port: the named acts reject with `LeaseLost` and do nothing when the term is not held. Other members always work. */
export function fenced<Port extends object>(
  port: Port,
  term: Pick<LeaseTerm, 'name' | 'isHeld'>,
  acts: readonly Act<Port>[],
): Port {
  const names: ReadonlySet<unknown> = new Set(acts);
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || !names.has(name)) return member;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        requireHeld(term);
        return Reflect.apply(member, target, args);
      };
    },
  });
}

/** Records nothing after the term has ended: it checks before the decision and again before each append. */
export function fencedExecutor(executor: Executor, term: Pick<LeaseTerm, 'name' | 'isHeld'>): Executor {
  return {
    ...executor,
    async execute(stream, streamId, cause, decide, beforeAppend) {
      const whileHeld: typeof beforeAppend = async (loaded) => {
        await beforeAppend?.(loaded);
        requireHeld(term);
      };
      requireHeld(term);
      return executor.execute(stream, streamId, cause, decide, whileHeld);
    },
  };
}

export function fencedChain(chain: Chain, term: Pick<LeaseTerm, 'name' | 'isHeld'>): Chain {
  return fenced(chain, term, ['send', 'airdrop']);
}

export function fencedImages(images: ImageStore, term: Pick<LeaseTerm, 'name' | 'isHeld'>): ImageStore {
  return fenced(images, term, ['put', 'keep', 'remove']);
}

function requireHeld(term: Pick<LeaseTerm, 'name' | 'isHeld'>): void {
  if (!term.isHeld()) throw new LeaseLost(term.name);
}
