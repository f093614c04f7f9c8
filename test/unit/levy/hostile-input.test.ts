// What `levy` prints of others cannot command the terminal, and what it reads of others cannot fill the memory or overflow the stack.
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseJson, readBody, readBoundedFile } from '../../../src/kernel/runtime/bounded-input.ts';
import { createProgram } from '../../../src/levy/program.ts';
import { createTerminal, visibleText } from '../../../src/levy/terminal.ts';
import { outputOf } from '../../support/output-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Escapes, C1 controls, line ends, overrides of direction, invisible characters and half of one. */
const HOSTILE = '\u001b[2J\u009b1A\rholds\n\u0085\u2028\u202eevil\u2066\u200b\ufeff\u007f\u{e0041}\ud800';
const SHOWN =
  '\\u001b[2J\\u009b1A\\u000dholds\\u000a\\u0085\\u2028\\u202eevil\\u2066\\u200b\\ufeff\\u007f\\udb40\\udc41\\ud800';

test('every character that a terminal obeys or hides is shown, and no other is changed', () => {
  expect(visibleText(HOSTILE)).toBe(SHOWN);
  const plain = 'Grüße, 日本語 — 🎉 \\u001b "quoted"  two blanks';
  expect(visibleText(plain)).toBe(plain);
  for (let code = 0; code < 0x20; code += 1) expect(visibleText(String.fromCharCode(code))).toMatch(/^\\u00/);
});

test('results, remarks and JSON are written with visible characters, a line each, and JSON means the same', async () => {
  const { streams, written } = outputOf();
  const terminal = createTerminal(streams, () => false);
  await terminal.out('first', HOSTILE);
  await terminal.out(JSON.stringify({ name: HOSTILE }));
  terminal.note(HOSTILE, 'last');
  const { stdout, stderr } = written();
  const [first, second, json = '', end] = stdout.split('\n');
  expect([first, second, end]).toEqual(['first', SHOWN, '']);
  expect(visibleText(json)).toBe(json);
  expect(JSON.parse(json)).toEqual({ name: HOSTILE });
  expect(stderr).toBe(`${SHOWN}\nlast\n`);
});

/** Exit code and output of a command in this process. */
async function levy(...args: readonly string[]) {
  const { streams, written } = outputOf();
  const { program, terminal } = createProgram(streams);
  const error: unknown = await program.parseAsync(args, { from: 'user' }).catch((thrown: unknown) => thrown);
  return {
    ...written(),
    exitCode: terminal.exitCode,
    error: error instanceof Error ? error.message : undefined,
  };
}

async function fileWith(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'proof.json');
  await writeFile(path, text);
  return path;
}

test.each([
  ['arrays', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
  [
    'members of an event',
    `{"format":"levy-event-proof-1","event":{"data":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}}`,
  ],
])('a proof of deeply nested %s does not hold, in one sentence', async (_what, text) => {
  const { stdout, stderr, exitCode, error } = await levy('verify', await fileWith(text));
  expect(stdout).toBe('does not hold: the file is not a proof: it is nested too deeply\n');
  expect([stderr, exitCode, error]).toEqual(['', 1, undefined]);
});

test('a proof file with more bytes than any proof is refused, in one sentence', async () => {
  const { error } = await levy('verify', await fileWith('x'.repeat(16 * 1024 * 1024 + 1)));
  expect(error).toMatch(/proof\.json has more than 16777216 bytes$/);
});

test('a device without an end is read no further than the bound', async () => {
  await expect(readBoundedFile('/dev/zero', 1_000_000)).rejects.toThrow(
    '/dev/zero has more than 1000000 bytes',
  );
});

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an address that answers without an end is left in one sentence, after the bound', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const address = await serving((_request, response) => {
    const send = () => {
      while (response.write(piece));
    };
    response.on('drain', send);
    send();
  });
  const { error, stdout } = await levy('verify', `${address}/log`);
  expect(error).toBe(`${address}/log/key has more than 16777216 bytes`);
  expect(stdout).toBe('');
  await expect(readBody(await fetch(address), 1_000, 'it')).rejects.toThrow('it has more than 1000 bytes');
});

test('JSON of a service is refused where it is nested too deep, and read up to there', () => {
  const nested = (depth: number) =>
    `${'[{"a":"]}\\"{["},'.repeat(1)}${'['.repeat(depth - 1)}${']'.repeat(depth)}`;
  expect(() => parseJson(nested(101), 'it')).toThrow('the JSON of it is nested too deep');
  expect(Array.isArray(parseJson(nested(100), 'it'))).toBe(true);
  expect(() => parseJson('{', 'it')).toThrow('it is not JSON');
});
