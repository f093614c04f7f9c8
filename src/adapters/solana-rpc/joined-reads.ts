/**
 * A chain whose callers share what they ask: what is asked in the same turn of the event loop becomes one call, and
 * rents are kept for a minute. Every answer is of a call that began after it was asked for, except rents.
 */
import { LRUCache } from 'lru-cache';
import {
  type Chain,
  type ChainAccount,
  ChainAnswerInvalid,
  type Commitment,
} from '../../kernel/ports/chain.ts';
import { withMethods } from '../../kernel/runtime/around-calls.ts';

/** Milliseconds: rents change with an epoch, if at all. */
const RENT_KEPT_FOR = 60_000;
/** Texts of different lengths make accounts of different sizes. */
const MOST_RENTS = 1_000;

export function joinReads(chain: Chain, now: () => number = () => performance.now()): Chain {
  const accountReads = new Map<string, (address: string) => Promise<ChainAccount | undefined>>();
  const rents = new LRUCache<number, { readonly since: number; readonly lamports: Promise<bigint> }>({
    max: MOST_RENTS,
  });
  const epoch = joinedCalls(() => chain.epoch());
  const status = joinedQuestions((signatures: readonly string[]) => chain.statuses(signatures));

  function accountAt(commitment: Commitment, atLeastSlot: bigint | undefined) {
    const name = `${commitment}/${atLeastSlot ?? ''}`;
    const found = accountReads.get(name);
    if (found !== undefined) return found;
    const read = joinedQuestions(
      (addresses: readonly string[]) =>
        chain.accounts(addresses, commitment, atLeastSlot === undefined ? {} : { atLeastSlot }),
      () => void accountReads.delete(name),
    );
    accountReads.set(name, read);
    return read;
  }

  return withMethods(chain, {
    accounts: (addresses, commitment, { atLeastSlot } = {}) =>
      Promise.all(addresses.map(accountAt(commitment, atLeastSlot))),

    async balance(address) {
      return (await accountAt('confirmed', undefined)(address))?.lamports ?? 0n;
    },

    statuses: (signatures) => Promise.all(signatures.map(status)),

    epoch,

    rentExemption(byteLength) {
      const kept = rents.get(byteLength);
      if (kept !== undefined && now() - kept.since < RENT_KEPT_FOR) return kept.lamports;
      const lamports = chain.rentExemption(byteLength);
      const entry = { since: now(), lamports };
      rents.set(byteLength, entry);
      lamports.catch(() => {
        if (rents.get(byteLength) === entry) rents.delete(byteLength);
      });
      return lamports;
    },
  });
}

/** One call for all who ask in the same turn. */
function joinedCalls<Answer>(call: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined;
  return () => {
    asked ??= nextTurn().then(() => {
      asked = undefined;
      return call();
    });
    return asked;
  };
}

/**
 * One call for all questions of the same turn, each of them once. `begun` is told when the call begins. A call that one
 * question spoils is made again for each question alone.
 */
function joinedQuestions<Answer>(
  ask: (questions: readonly string[]) => Promise<readonly Answer[]>,
  begun: () => void = () => undefined,
): (question: string) => Promise<Answer> {
  let asked: Map<string, Promise<Answer>> | undefined;
  let call: Promise<ReadonlyMap<string, Answer>> | undefined;

  async function together(questions: readonly string[]): Promise<ReadonlyMap<string, Answer>> {
    const answers = await ask(questions);
    return new Map(questions.map((question, index) => [question, answers[index] as Answer]));
  }

  async function alone(question: string): Promise<Answer> {
    return (await together([question])).get(question) as Answer;
  }

  return (question) => {
    if (asked === undefined) {
      const mine = new Map<string, Promise<Answer>>();
      asked = mine;
      call = nextTurn().then(() => {
        asked = undefined;
        begun();
        return together([...mine.keys()]);
      });
    }
    const joined = asked.get(question);
    if (joined !== undefined) return joined;
    const mine = asked;
    const answer = (call as NonNullable<typeof call>).then(
      (answers) => answers.get(question) as Answer,
      (error: unknown) => {
        if (error instanceof ChainAnswerInvalid && mine.size > 1) return alone(question);
        throw error;
      },
    );
    mine.set(question, answer);
    return answer;
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
