/**
 * Processes that contend for one lease of a real event store, in a time that passes only when a test lets it: each with
 * clocks of its own, that may be frozen, and with a connection that may be slow, lose calls or lose answers.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore } from '../../../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../../../src/kernel/runtime/event-reader.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import type { HeldWork, LeaseClock, LeaseTerm } from '../../../../src/kernel/runtime/lease.ts';
import { holdLease } from '../../../../src/kernel/runtime/lease.ts';
import { streams } from '../../../../src/streams/index.ts';
import { allOf } from '../../../support/all-of.ts';

/** Milliseconds, as everything here. */
export const TTL = 1_200;
/** Between two acts of who holds the role. */
const ACT_PAUSE = 20;

/** What becomes of one call to the store: it arrives after a while or never, and so does its answer. */
export interface Fate {
  readonly there: number;
  readonly back: number;
  readonly lost?: 'call' | 'answer';
}

type Call = 'read' | 'append' | 'keepLast';

export const WELL: Fate = { there: 1, back: 1 };

const LOST = Symbol('lost');

interface Act {
  readonly at: number;
  readonly by: string;
  readonly term: number;
}

interface ContenderOptions {
  /** How fast its clocks go. */
  readonly rate?: number;
  /** How long its work takes to stop. */
  readonly stopping?: number;
  /** Of its calls to the store from now on, asked for each. */
  readonly fate?: (call: Call) => Fate;
  /** Rejects, or answers when the work may begin. */
  readonly beforeStart?: () => Promise<void>;
  readonly mayStart?: () => Promise<boolean>;
  /** When its work of a term ends by itself; never when absent. */
  readonly ended?: (term: LeaseTerm) => Promise<void> | undefined;
}

export type World = ReturnType<typeof createLeaseWorld>;
export type Contender = ReturnType<World['contender']>;

interface Due {
  at: number;
  readonly place: number;
  readonly of: Freezable | undefined;
  readonly happen: () => void;
}

interface Freezable {
  frozenUntil: number;
}

const codec = createEventCodec(streams);

export function createLeaseWorld(store: EventStore, lease: string) {
  let now = 0;
  let places = 0;
  let callsUnderWay = 0;
  const due: Due[] = [];
  /** Everything that was done under the lease, in the order in which it was. */
  const acts: Act[] = [];
  const contenders: { readonly name: string; readonly self: Freezable; readonly terms: LeaseTerm[] }[] = [];

  function later(milliseconds: number, of: Freezable | undefined, happen: () => void, place = ++places): Due {
    const one = { at: now + milliseconds, place, of, happen };
    due.push(one);
    return one;
  }
  const after = (milliseconds: number, of: Freezable | undefined) =>
    new Promise<void>((resolve) => void later(milliseconds, of, resolve));

  /** Lets everything run that needs no time. */
  async function settle(): Promise<void> {
    for (let idle = 0; idle < 2; ) {
      await nextTurn();
      idle = callsUnderWay === 0 ? idle + 1 : 0;
    }
  }

  async function real<Result>(call: () => Promise<Result>): Promise<Result> {
    callsUnderWay += 1;
    try {
      return await call();
    } finally {
      callsUnderWay -= 1;
    }
  }

  async function travel<Result>(of: Freezable, fate: Fate, call: () => Promise<Result>): Promise<Result> {
    await after(fate.there, undefined);
    const result = fate.lost === 'call' ? LOST : await real(call);
    await after(fate.back, of);
    if (result === LOST || fate.lost !== undefined) throw new Error(`lost: the ${fate.lost}`);
    return result;
  }

  /** The next that happens up to then, if any; what a frozen process was to do, it does when it goes on. */
  function next(until: number): Due | undefined {
    for (const one of due) if (one.of && one.of.frozenUntil > one.at) one.at = one.of.frozenUntil;
    due.sort((a, b) => a.at - b.at || a.place - b.place);
    return due[0] !== undefined && due[0].at <= until ? due.shift() : undefined;
  }

  async function step(until: number): Promise<boolean> {
    const one = next(until);
    if (one === undefined) return false;
    now = one.at;
    one.happen();
    await settle();
    return true;
  }

  /** The names of those that would act at this moment. */
  function holders(): readonly string[] {
    return contenders
      .filter(({ self, terms }) => self.frozenUntil <= now && terms.some((term) => term.isHeld()))
      .map(({ name }) => name);
  }

  function contender(name: string, options: ContenderOptions = {}) {
    const { rate = 1, stopping = 0, fate = () => WELL, mayStart = async () => true } = options;
    const self: Freezable & { fate: (call: Call) => Fate } = { frozenUntil: 0, fate };
    /** Terms that it was given, the latest last. */
    const terms: LeaseTerm[] = [];
    const reports: string[] = [];
    let stoodStill = 0;
    let set = 0;

    const clock: LeaseClock = {
      monotonic: () => rate * (now - stoodStill) + 1_000,
      wall: () => rate * now + set + 1_800_000_000_000,
      async pause(milliseconds, signal) {
        if (signal.aborted) return;
        await new Promise<void>((resolve) => {
          const awake = () => {
            signal.removeEventListener('abort', wake);
            resolve();
          };
          const one = later(milliseconds / rate, self, awake);
          const wake = () => {
            due.splice(due.indexOf(one), 1);
            awake();
          };
          signal.addEventListener('abort', wake);
        });
      },
    };

    async function start(term: LeaseTerm): Promise<HeldWork> {
      await options.beforeStart?.();
      terms.push(term);
      const stopped = new AbortController();
      const work = async () => {
        while (!stopped.signal.aborted) {
          if (term.isHeld()) acts.push({ at: now, by: name, term: term.number });
          await clock.pause(ACT_PAUSE, stopped.signal);
        }
      };
      const working = work();
      const ended = options.ended?.(term);
      return {
        ...(ended === undefined ? {} : { ended }),
        async stop() {
          await after(stopping, self);
          stopped.abort();
          await working;
        },
      };
    }

    const keeper = holdLease({
      name: lease,
      holder: { id: deriveId('test', name), label: name },
      ttl: TTL,
      clock,
      codec,
      reader: strictReader(codec),
      start,
      mayStart,
      logger: loggerTo((message) => reports.push(message)),
      store: {
        append: (...call) => travel(self, self.fate('append'), () => store.append(...call)),
        setMaxCount: (...call) => travel(self, self.fate('keepLast'), async () => store.setMaxCount(...call)),
        async *read(stream, from) {
          yield* await travel(self, self.fate('read'), () => allOf(store.read(stream, from)));
        },
      },
    });
    contenders.push({ name, self, terms });
    return Object.assign(self, {
      keeper,
      terms,
      reports,
      /**
       * Nothing of it runs for so long; `suspended`: its monotonic clock stands still, too. When it goes on, it acts if it may,
       * before or after it finds what has come for it meanwhile.
       */
      freeze(milliseconds: number, how: 'stopped' | 'suspended', order: 'before' | 'after' = 'before') {
        if (self.frozenUntil > now) return;
        self.frozenUntil = now + milliseconds;
        if (how === 'suspended') stoodStill += milliseconds;
        const act = () => {
          for (const term of terms) if (term.isHeld()) acts.push({ at: now, by: name, term: term.number });
        };
        later(milliseconds, self, act, order === 'before' ? 0 : Number.POSITIVE_INFINITY);
      },
      setWallClock(by: number) {
        set += by;
      },
    });
  }

  return {
    now: () => now,
    contender,
    acts,
    holders,
    /** Lets so much time pass, and everything happen that happens in it. */
    async pass(milliseconds: number) {
      const end = now + milliseconds;
      await settle();
      while (await step(end));
      now = end;
    },
    /** Lets time pass until the promise is settled. */
    async until<Result>(promise: Promise<Result>) {
      let settled = false;
      const note = () => {
        settled = true;
      };
      promise.then(note, note);
      await settle();
      while (!settled)
        if (!(await step(Number.POSITIVE_INFINITY))) throw new Error('nothing will ever happen');
      return promise;
    },
    events: () => allOf(store.read(`lease-${lease}`)),
  };
}
