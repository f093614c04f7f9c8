// The usage report of a partner.
import { expect, test } from 'vitest';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor, type Executor } from '../../../src/kernel/runtime/execute.ts';
import { foldEvents } from '../../../src/kernel/runtime/fold-events.ts';
import { type PartnerUsageDocument, partnerUsage } from '../../../src/projections/partner-usage.ts';
import { createCallLimits } from '../../../src/server/http/rate-limit/call-limits.ts';
import { policiesWith } from '../../../src/server/http/rate-limit/policies.ts';
import { createPartnerUsage } from '../../../src/server/partner-usage.ts';
import { streams } from '../../../src/streams/index.ts';
import { clock } from '../../support/counter.ts';
import { temporaryEventStore, wholeLog } from '../../support/temporary-event-store.ts';

const NOW = new Date('2026-05-04T10:00:00.000Z');
const acme = { name: 'acme', sha256: 'a'.repeat(64), quotas: { general: { quota: 2, windowSeconds: 900 } } };

const noExecutor: Pick<Executor, 'execute'> = {
  execute: () => Promise.reject(new Error('nothing is recorded')),
};

test('calls, answers and refusals are counted by partner, and quotas are those of the key that called last', () => {
  const usage = createPartnerUsage({ executor: noExecutor, now: () => NOW });
  const limits = createCallLimits(policiesWith({}), () => NOW.getTime());
  usage.watchQuotas(limits.nextOf);
  const general = () => usage.of('acme', undefined).quotas.find(({ policy }) => policy === 'general');
  expect(usage.of('acme', undefined)).toMatchObject({ calls: 0, byStatus: [], refusals: [], quotas: [] });

  const request = { ip: '127.0.0.1', caller: undefined, partner: acme, method: 'GET' } as never;
  const reply = { headers: () => undefined } as never;
  usage.begun(acme);
  expect(general()).toEqual({
    policy: 'general',
    calls: 2,
    windowSeconds: 900,
    remaining: 2,
    endsAt: null,
    refused: 0,
  });
  limits.count('general', request, reply);
  usage.answered(acme, { status: 200, code: undefined, limitedBy: undefined });
  expect(general()).toMatchObject({ remaining: 1, endsAt: '2026-05-04T10:15:00.000Z' });
  limits.count('general', request, reply);
  expect(general()).toMatchObject({ remaining: 0, endsAt: '2026-05-04T10:15:00.000Z' });
  usage.answered(acme, { status: 429, code: 'RATE_LIMITED', limitedBy: 'general' });
  usage.answered(acme, { status: 404, code: 'TOKEN_NOT_FOUND', limitedBy: undefined });
  usage.answered({ ...acme, name: 'other' }, { status: 200, code: undefined, limitedBy: undefined });

  const told = usage.of('acme', undefined);
  expect(told).toMatchObject({
    partner: 'acme',
    since: NOW.toISOString(),
    calls: 3,
    byStatus: [
      { httpStatus: 200, calls: 1 },
      { httpStatus: 404, calls: 1 },
      { httpStatus: 429, calls: 1 },
    ],
    refusals: [
      { code: 'RATE_LIMITED', calls: 1 },
      { code: 'TOKEN_NOT_FOUND', calls: 1 },
    ],
  });
  expect(general()?.refused).toBe(1);
  expect(told.quotas.map(({ policy }) => policy)).not.toContain('partner');

  usage.begun({ ...acme, quotas: { general: { quota: 50, windowSeconds: 60 } } });
  expect(general()).toMatchObject({ calls: 50, remaining: 50, endsAt: null });
});

const OK = { status: 200, code: undefined, limitedBy: undefined };

/** Processes that share a log, and the document of the read model. */
async function processesOn() {
  const store = await temporaryEventStore();
  const codec = createEventCodec(streams);
  const executor = createExecutor(store, codec, clock);
  const fails = { after: false };
  const process = () =>
    createPartnerUsage({
      now: () => NOW,
      executor: {
        async execute(...asked) {
          const executed = await executor.execute(...asked);
          if (fails.after) throw new Error('the store is away');
          return executed;
        },
      },
    });
  async function shown() {
    const events = (await wholeLog(store)).map((stored) => codec.decode(stored));
    return foldEvents(partnerUsage, new Map(), events).at(-1)?.document as PartnerUsageDocument | undefined;
  }
  return { process, shown, fails };
}

test('what each process has recorded is in the sum that all of them give, and each call is in it once', async () => {
  const { process, shown } = await processesOn();
  const [one, other] = [process(), process()];
  const callsAt = async (usage: typeof one, document = shown()) => usage.of('acme', await document).calls;
  for (let calls = 0; calls < 3; calls += 1) one.answered(acme, OK);
  other.answered(acme, OK);
  expect([await callsAt(one), await callsAt(other)]).toEqual([3, 1]);
  await one.record();
  // Recorded, and not shown yet.
  expect(await callsAt(one, Promise.resolve(undefined))).toBe(3);
  expect([await callsAt(one), await callsAt(other)]).toEqual([3, 4]);
  one.answered(acme, { status: 429, code: 'RATE_LIMITED', limitedBy: 'general' });
  await Promise.all([one.record(), other.record()]);
  for (const usage of [one, other, process()])
    expect(usage.of('acme', await shown())).toMatchObject({
      calls: 5,
      byStatus: [
        { httpStatus: 200, calls: 4 },
        { httpStatus: 429, calls: 1 },
      ],
      refusals: [{ code: 'RATE_LIMITED', calls: 1 }],
    });
  await one.record();
  expect(await callsAt(one)).toBe(5);
});

test('a count whose record was written though nobody heard of it is recorded once', async () => {
  const { process, shown, fails } = await processesOn();
  const usage = process();
  usage.answered(acme, OK);
  fails.after = true;
  await expect(usage.record()).rejects.toThrow('the store is away');
  usage.answered(acme, OK);
  fails.after = false;
  // The first count again, and the second the next time.
  for (const calls of [1, 2]) {
    await usage.record();
    expect((await shown())?.calls).toBe(calls);
    expect(usage.of('acme', await shown()).calls).toBe(2);
  }
});
