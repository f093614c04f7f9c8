import { expect, test } from 'vitest';
import { replicasFor } from '../../../src/app/publishing.ts';

test('a stream that the service creates has three replicas where there are three servers or more, else one', () => {
  const servers = (count: number) =>
    Array.from({ length: count }, (_, index) => `nats://n${index}:4222`).join();
  expect([1, 2, 3, 5].map((count) => replicasFor(servers(count)))).toEqual([1, 1, 3, 3]);
});
