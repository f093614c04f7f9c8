import { describe, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { createClient } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { openTestService } from '../support/service.ts';
import { allAtRest } from '../support/service-on-chain.ts';
import type { CollectedSpan } from '../support/trace-collector.ts';
import { collect, headersOf, SPAN_ID, sentTo, spansOf, TRACE_ID } from '../support/traced-service.ts';

/** The names from the span to the first of the trace that is known. */
function pathOf(spans: readonly CollectedSpan[], span: CollectedSpan): readonly string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [span.name] : [span.name, ...pathOf(spans, parent)];
}

describe('a request', () => {
  test('is a span in the terms of HTTP, under its caller’s, with the pattern of its route', async () => {
    const collector = await collect();
    const service = await openTestService(sentTo(collector.url));
    const client = createClient(service.url);
    await client.call('GET', '/tokens?search=secret', {
      headers: { ...headersOf(TRACE_ID).headers, 'x-request-id': 'request-1' },
    });
    await client.refusal('ROUTE_NOT_FOUND', 'GET', '/nowhere');
    await service.close();
    const [span] = spansOf(collector, TRACE_ID);
    expect(span).toMatchObject({
      service: 'levy',
      name: 'GET /tokens',
      kind: 'server',
      parentSpanId: SPAN_ID,
      hasFailed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/tokens',
        'url.path': '/tokens',
        'url.scheme': 'http',
        'levy.request_id': 'request-1',
      },
    });
    expect(Number(span?.attributes['http.response.status_code'])).toBe(200);
    const lost = collector.spans.find(({ attributes }) => attributes['url.path'] === '/nowhere');
    expect(lost).toMatchObject({ name: 'GET', hasFailed: false });
    expect(collector.received.join()).not.toContain('secret');
  });
});

describe('a token on its way', () => {
  test('is one trace a call, into which the settler’s work belongs, also of another process', async () => {
    const folder = await folderForTheFile();
    const collector = await collect();
    const first = await openTestService(sentTo(collector.url), { folder });
    const creator = await openCreator(first);
    const json = await creator.tokenInput();
    const draft = await creator.call('POST', '/tokens/create-unsigned', { json, ...headersOf(TRACE_ID) });
    const { transactionId, transaction } = draft.body as { transactionId: string; transaction: string };
    const submission = { transactionId, signedTransaction: creator.sign({ transaction }) };
    const submitTrace = TRACE_ID.split('').reverse().join('');
    const answer = await creator.call('POST', '/tokens/submit', {
      json: submission,
      ...headersOf(submitTrace),
    });
    expect(answer.status).toBe(200);
    await first.close();
    // Confirmed, perhaps not yet finalized: later work on the draft continues the same trace.
    const next = await openTestService(sentTo(collector.url), { folder });
    await allAtRest(next.url);
    await next.close();

    const creation = spansOf(collector, TRACE_ID);
    const paths = (spans: readonly CollectedSpan[], name: string) =>
      spans.filter((span) => span.name === name).map((span) => pathOf(spans, span).join(' < '));
    expect(paths(creation, 'decide draft')).toContain(
      'decide draft < CreateUnsigned < POST /tokens/create-unsigned',
    );
    expect(paths(creation, 'append')).toContain(
      'append < decide draft < CreateUnsigned < POST /tokens/create-unsigned',
    );
    expect(paths(creation, 'chain simulate')).toContain(
      'chain simulate < CreateUnsigned < POST /tokens/create-unsigned',
    );

    const settling = spansOf(collector, submitTrace);
    expect(paths(settling, 'chain send')).toContain('chain send < SubmitToken < POST /tokens/submit');
    expect(paths(settling, 'decide token')).toContain('decide token < SubmitToken < POST /tokens/submit');
    const recorded = first.recorded.filter(({ metadata }) => 'traceparent' in metadata);
    expect(recorded.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['DraftIssued', 'SubmissionAccepted']),
    );
    for (const { metadata } of recorded)
      expect(metadata.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    const submit = settling.find(({ name }) => name === 'SubmitToken');
    const accepted = recorded.find(({ type }) => type === 'SubmissionAccepted');
    expect(accepted?.metadata.traceparent).toBe(`00-${submitTrace}-${submit?.spanId}-01`);
    // Nothing that the service does of its own accord.
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.filter(({ kind }) => kind !== 'server')).toEqual([]);
  });
});
