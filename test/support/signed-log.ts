/** The transparency log of a running service, and events of an operator that make it grow. */
import { isConsistent, parseCheckpoint, tiledTree, tilePath } from 'levy-transparency-log';
import { expect } from 'vitest';
import { createClient } from './client.ts';
import { eventually } from './eventually.ts';
import { OPERATOR_KEY } from './operator.ts';

type Place = { readonly url: string };

export const sizeIn = (note: string) => parseCheckpoint(note).checkpoint.size;

/** The published checkpoint, once it covers more entries than these. */
export function noteOf({ url }: Place, covering = 0): Promise<string> {
  return eventually(`more than ${covering} entries are signed`, async () => {
    const response = await fetch(`${url}/log/checkpoint`);
    const note = await response.text();
    return response.ok && sizeIn(note) > covering && note;
  });
}

/** Halts and resumes all distributions by turns. */
export async function haltAndResume({ url }: Place, count: number): Promise<void> {
  const client = createClient(url);
  for (let made = 0; made < count; made += 1) {
    const path = `/operator/distributions/${made % 2 === 0 ? 'halt' : 'resume'}`;
    await client.ask('POST', path, { json: { reason: 'A test asks.' }, operatorKey: OPERATOR_KEY });
  }
}

/** The tiles prove that the log of the later checkpoint begins with that of the earlier one. */
export async function expectExtends({ url }: Place, before: string, after: string): Promise<void> {
  const [first, second] = [parseCheckpoint(before).checkpoint, parseCheckpoint(after).checkpoint];
  const tree = tiledTree(async (level, index, width) => {
    const response = await fetch(`${url}/log/tile/${tilePath({ level, index, width })}`);
    return new Uint8Array(await response.arrayBuffer());
  }, second.size);
  expect(isConsistent(first, second, await tree.consistency(first.size, second.size))).toBe(true);
}
