import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../../../src/operations/metrics/metrics.ts';
import { metricsTable } from '../../../../src/reference/tables.ts';
import { readExposition } from '../../../support/exposition.ts';

const definitions = createMetrics({ version: '' }).definitions();

describe('every metric', () => {
  test.each(definitions)('$name is named as Prometheus has it', ({ name, kind, labels, buckets }) => {
    expect(name).toMatch(/^levy_[a-z]+(_[a-z]+)*$/);
    expect(name.endsWith('_total')).toBe(kind === 'counter');
    if (kind === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(name).not.toMatch(/_(milliseconds|minutes|count|sum|bucket)(_|$)/);
    for (const label of labels) expect(label).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(buckets ?? []).toEqual([...(buckets ?? [])].sort((a, b) => a - b));
    expect(buckets !== undefined).toBe(kind === 'histogram');
  });

  test.each(definitions)('$name says in sentences what it means', ({ help }) => {
    expect(help).toMatch(/^[A-Z0-9].*\.$/);
    expect(help).not.toMatch(/[\n\\]/);
  });

  test('has a name of its own', () => {
    expect(new Set(definitions.map(({ name }) => name)).size).toBe(definitions.length);
  });

  test('is exposed, and no other, before anything has happened', async () => {
    const { body, contentType } = await createMetrics({ version: '1.2.3' }).text();
    expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
    const { families, value } = readExposition(body);
    const own = [...families].filter(([name]) => name.startsWith('levy_'));
    expect(own.map(([name, { kind, help }]) => [name, kind, help]).sort()).toEqual(
      definitions.map(({ name, kind, help }) => [name, kind, help]).sort(),
    );
    expect(value('levy_build_info', { version: '1.2.3', node_version: process.version })).toBe(1);
    expect(value('process_start_time_seconds')).toBeGreaterThan(0);
  });
});

describe('the table of metrics', () => {
  test('has one row for each metric', () => {
    const rows = metricsTable().trimEnd().split('\n').slice(2);
    expect(rows.map((row) => /^\| `(\w+)` \|/.exec(row)?.[1])).toEqual(definitions.map(({ name }) => name));
  });
});

describe('answers', () => {
  test('are counted by method, route and status, and timed by method and route', async () => {
    const { http, text } = createMetrics({ version: '1' });
    for (const status of [200, 200, 404]) {
      http.answered({ method: 'GET', route: '/tokens/:mintAddress', status, milliseconds: 30 });
    }
    const partner = 'acme';
    http.answered({
      method: 'POST',
      route: '/tokens/:mintAddress',
      status: 200,
      milliseconds: 2_000,
      partner,
    });
    const { value } = readExposition((await text()).body);
    const at = { route: '/tokens/:mintAddress' };
    expect(value('levy_partner_requests_total', { partner, status: '200' })).toBe(1);
    expect(value('levy_http_requests_total', { ...at, method: 'GET', status: '200' })).toBe(2);
    expect(value('levy_http_requests_total', { ...at, method: 'GET', status: '404' })).toBe(1);
    expect(value('levy_http_request_duration_seconds_count', { ...at, method: 'GET' })).toBe(3);
    expect(value('levy_http_request_duration_seconds_sum', { ...at, method: 'GET' })).toBeCloseTo(0.09);
    expect(value('levy_http_request_duration_seconds_sum', { ...at, method: 'POST' })).toBeCloseTo(2);
  });

  test('at addresses that lead nowhere are one, whatever the addresses', async () => {
    const { http, text } = createMetrics({ version: '1' });
    for (let count = 0; count < 50; count += 1) {
      http.answered({ method: 'GET', route: undefined, status: 404, milliseconds: 1 });
    }
    const { samples, value } = readExposition((await text()).body);
    expect(value('levy_http_requests_total', { route: 'unknown' })).toBe(50);
    expect(samples.filter(({ name }) => name === 'levy_http_requests_total')).toHaveLength(1);
  });

  test('that go on for as long as the caller likes are counted and not timed', async () => {
    const { http, text } = createMetrics({ version: '1' });
    http.answered({ method: 'GET', route: '/events', status: 200, milliseconds: undefined });
    const { value } = readExposition((await text()).body);
    expect(value('levy_http_requests_total', { route: '/events' })).toBe(1);
    expect(value('levy_http_request_duration_seconds_count')).toBeUndefined();
  });

  test('that are refusals are counted by code, and by the limit that was reached', async () => {
    const { http, text } = createMetrics({ version: '1' });
    http.refused('RATE_LIMITED');
    http.limited('general');
    http.unreadable();
    const { value } = readExposition((await text()).body);
    expect(value('levy_http_refusals_total', { code: 'RATE_LIMITED' })).toBe(1);
    expect(value('levy_rate_limit_refusals_total', { policy: 'general' })).toBe(1);
    expect(value('levy_http_unreadable_requests_total')).toBe(1);
  });
});
