/**
 * Lets a role act only while it is held: right before each act the term is asked, which looks at the clocks.
 *
 * An act that was let through may still arrive late, when the next holder has begun. That is harmless because every act
 * carries a fence of its own, too: an append has the revision that was read, so that it conflicts once anybody went on from
 * there; a transaction has its nonce value (or a blockhash that lapses), so that it lands once at most, whoever sends it,
 * and was recorded before it was sent; an image is named by its content, and is removed only if nobody kept it meanwhile.
 */
import type { Chain } from '../ports/chain.ts';
import type { ImageStore } from '../ports/image-store.ts';
import type { Executor } from '../runtime/execute.ts';
import { LeaseLost, type LeaseTerm } from './lease-term.ts';

/** The names of a port's methods that answer with promises. */
type Act<Port> = {
  [Name in keyof Port & string]: Port[Name] extends (...args: never) => Promise<unknown> ? Name : never;
}[keyof Port & string];

/** The port, whose acts reject with `LeaseLost`, and do nothing, when the term is not held. What is not named always works. */
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

/** Records nothing once the term is over: asked before it decides, and again before each append of a decision. */
export function fencedExecutor(executor: Executor, term: Pick<LeaseTerm, 'name' | 'isHeld'>): Executor {
  return {
    load: (stream, streamId) => executor.load(stream, streamId),
    async execute(stream, streamId, cause, decide, beforeAppend) {
      requireHeld(term);
      return executor.execute(stream, streamId, cause, decide, async (loaded) => {
        await beforeAppend?.(loaded);
        requireHeld(term);
      });
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
