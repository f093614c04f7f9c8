/** Contract of the Tracing port. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Tracing } from '../../src/kernel/ports/tracing.ts';
import { Rejection } from '../../src/kernel/runtime/rejection.ts';
import type { CollectedSpan } from '../support/trace-collector.ts';

export interface OpenedTracing {
  readonly tracing: Tracing;
  /** Closes the tracing, and gives everything that was sent. */
  spans(): Promise<readonly CollectedSpan[]>;
  dispose(): Promise<void>;
}

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

export function tracingContract(name: string, open: () => Promise<OpenedTracing>): void {
  describe(`${name} keeps the contract of tracing`, () => {
    let opened: OpenedTracing;
    let tracing: Tracing;

    beforeEach(async () => {
      opened = await open();
      tracing = opened.tracing;
    });

    afterEach(() => opened.dispose());

    const sent = async (named: string): Promise<CollectedSpan> => {
      const found = (await opened.spans()).filter((span) => span.name === named);
      expect(found).toHaveLength(1);
      return found[0] as CollectedSpan;
    };

    describe('a call', () => {
      test('begins a trace of its own', async () => {
        const span = tracing.begin('call', undefined, { kind: 'server', attributes: { a: 1, b: true } });
        span.describe({ c: 'd' });
        span.end();
        expect(span.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
        expect(span.traceparent).toContain(span.traceId);
        expect(await sent('call')).toMatchObject({
          kind: 'server',
          traceId: span.traceId,
          parentSpanId: undefined,
          attributes: { a: 1, b: true, c: 'd' },
          hasFailed: false,
        });
      });

      test('goes on with the trace of its caller', async () => {
        const span = tracing.begin('call', TRACEPARENT);
        span.end();
        expect(await sent('call')).toMatchObject({ traceId: TRACE_ID, parentSpanId: SPAN_ID });
      });

      test.each([
        ['nothing', ''],
        ['no hexadecimal digits', `00-${'x'.repeat(32)}-${SPAN_ID}-01`],
        ['an endless text', 'a'.repeat(100_000)],
      ])('begins its own trace where its caller names %s', async (_what, traceparent) => {
        const span = tracing.begin('call', traceparent);
        span.end();
        expect(span.traceId).not.toBe(TRACE_ID);
        expect(await sent('call')).toMatchObject({ parentSpanId: undefined });
      });

      test('can be named and described as long as it lasts, and be ended twice', async () => {
        const span = tracing.begin('call', undefined);
        span.rename('other');
        span.fail('500');
        span.end();
        span.end();
        expect(await sent('other')).toMatchObject({ hasFailed: true, attributes: { 'error.type': '500' } });
      });
    });

    describe('work within a trace', () => {
      test('has a span under the one that is going on, also after waiting, in timers and in parallel', async () => {
        const span = tracing.begin('call', undefined);
        const below: string[] = [];
        await span.run(async () => {
          await pause(1);
          await Promise.all(
            ['a', 'b'].map((each) =>
              tracing.within(each, {}, async (own) => {
                below.push(own?.traceparent ?? '');
                await pause(1);
                await tracing.within(`${each}${each}`, { kind: 'client' }, async () => undefined);
              }),
            ),
          );
        });
        span.end();
        const spans = await opened.spans();
        const of = (named: string) => spans.find((each) => each.name === named);
        expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([span.traceId]));
        for (const each of ['a', 'b']) {
          expect(of(each)?.parentSpanId).toBe(of('call')?.spanId);
          expect(of(`${each}${each}`)).toMatchObject({ parentSpanId: of(each)?.spanId, kind: 'client' });
          expect(below.some((traceparent) => traceparent.includes(of(each)?.spanId ?? 'none'))).toBe(true);
        }
      });

      test('gives what it gives, and throws what it throws', async () => {
        const span = tracing.begin('call', undefined);
        const error = new RangeError('of somebody');
        await span.run(async () => {
          expect(await tracing.within('good', {}, async () => 7)).toBe(7);
          await expect(tracing.within('bad', {}, () => Promise.reject(error))).rejects.toBe(error);
        });
        span.end();
        const spans = await opened.spans();
        expect(spans.find((each) => each.name === 'good')).toMatchObject({ hasFailed: false });
        expect(spans.find((each) => each.name === 'bad')).toMatchObject({
          hasFailed: true,
          attributes: { 'error.type': 'RangeError' },
        });
        expect(JSON.stringify(spans)).not.toContain('of somebody');
      });

      test('has not failed when its caller is refused, and says why that is', async () => {
        const span = tracing.begin('call', undefined);
        const refuse = () => Promise.reject(new Rejection('TOKEN_NOT_FOUND', 'not-found', 'There is none.'));
        await expect(span.run(() => tracing.within('work', {}, refuse))).rejects.toThrow(Rejection);
        span.end();
        expect(await sent('work')).toMatchObject({
          hasFailed: false,
          attributes: { 'levy.rejection': 'TOKEN_NOT_FOUND' },
        });
      });

      test('just runs where no trace is going on', async () => {
        expect(await tracing.within('work', {}, async (span) => span)).toBeUndefined();
        expect(await opened.spans()).toEqual([]);
      });

      test('belongs to a trace no longer when the call’s work is over', async () => {
        const span = tracing.begin('call', undefined);
        await span.run(async () => undefined);
        expect(await tracing.within('work', {}, async (own) => own)).toBeUndefined();
        span.end();
      });
    });

    describe('work that goes on with a trace', () => {
      test('is under the span that is named', async () => {
        expect(
          await tracing.continuing(TRACEPARENT, () => tracing.within('later', {}, async () => 'done')),
        ).toBe('done');
        expect(await sent('later')).toMatchObject({ traceId: TRACE_ID, parentSpanId: SPAN_ID });
      });

      test('just runs where none is named', async () => {
        for (const traceparent of [undefined, '', 'nonsense']) {
          const work = () => tracing.within('later', {}, async (span) => span);
          expect(await tracing.continuing(traceparent, work)).toBeUndefined();
        }
      });
    });

    test('closing twice, and spans after it, do no harm', async () => {
      await tracing.close();
      await tracing.close();
      const span = tracing.begin('late', TRACEPARENT);
      expect(await span.run(() => tracing.within('later', {}, async () => 1))).toBe(1);
      span.end();
      expect(await opened.spans()).toEqual([]);
    });
  });
}
