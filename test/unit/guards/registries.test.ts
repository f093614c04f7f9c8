// Nothing that a file defines is left out of the service: every command, query, projection and stream is registered.
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { allProjections } from '../../../src/projections/index.ts';
import { queries } from '../../../src/queries/index.ts';
import { categoryOfType, streams } from '../../../src/streams/index.ts';
import { exportsOf, filesBelow } from './source-files.ts';

const has = (value: unknown, ...members: readonly string[]) =>
  typeof value === 'object' && value !== null && members.every((member) => member in value);

const registries = [
  {
    folder: 'src/commands',
    registry: commands,
    isEntry: (value: unknown) => has(value, 'kind', 'decide', 'respond'),
  },
  { folder: 'src/queries', registry: queries, isEntry: (value: unknown) => has(value, 'kind', 'answer') },
  {
    folder: 'src/projections',
    registry: allProjections,
    isEntry: (value: unknown) => has(value, 'version', 'on'),
  },
  {
    folder: 'src/streams',
    // The kernel's own: it may know no stream of a feature.
    others: ['idempotency-key', 'lease', 'quarantine', 'snapshots'].map(
      (name) => `src/kernel/runtime/${name}.ts`,
    ),
    registry: streams,
    isEntry: (value: unknown) => has(value, 'category', 'initial', 'evolve'),
  },
] as const;

describe.each(registries)('$folder', ({ folder, registry, isEntry, ...also }) => {
  const registered: readonly unknown[] = registry;

  test('registers what each of its files defines', async () => {
    const forgotten: string[] = [];
    let found = 0;
    for (const path of [...filesBelow(folder), ...('others' in also ? also.others : [])]) {
      if (path === `${folder}/index.ts`) continue;
      const entries = (await exportsOf(path)).filter(isEntry);
      found += entries.length;
      if (entries.some((entry) => !registered.includes(entry))) forgotten.push(path);
    }
    expect(forgotten, `add a line to ${folder}/index.ts`).toEqual([]);
    expect(found, 'and registers nothing twice, nor what comes from elsewhere').toBe(registered.length);
    expect(new Set(registered).size).toBe(registered.length);
  });
});

test('names are unique', () => {
  for (const registry of [commands, queries, allProjections]) {
    const names = registry.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  }
  expect(new Set(streams.map(({ category }) => category)).size).toBe(streams.length);
});

test('a body or query of any route has no fields but those of its schema', () => {
  for (const { input, route } of [...commands, ...queries])
    for (const part of [input.query, route.upload === undefined ? input.body : undefined])
      if (part !== undefined) expect([route.url, part.additionalProperties]).toEqual([route.url, false]);
});

test('an event type occurs in one category only: projections tell events apart by type alone', () => {
  const types = streams.flatMap(({ events }) => Object.keys(events));
  expect(new Set(types).size).toBe(types.length);
  expect(categoryOfType.size).toBe(types.length);
});
