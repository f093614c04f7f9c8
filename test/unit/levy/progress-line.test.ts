// The line that says how far long work has come.
import { expect, test, vi } from 'vitest';
import { createTerminal, type TerminalStreams } from '../../../src/levy/terminal.ts';
import { outputOf } from '../../support/output-of.ts';

function terminalOn(more: { readonly isTTY?: boolean; readonly columns?: number }) {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { streams, written } = outputOf();
  Object.assign(streams.stderr, more);
  const terminal = createTerminal(streams as TerminalStreams, () => false);
  return {
    terminal,
    written: () => written().stderr,
    at: (milliseconds: number) => now.mockReturnValue(milliseconds),
  };
}

test('on a terminal it is drawn some times a second, never wider than that, and goes before anything is written', () => {
  const { terminal, written, at } = terminalOn({ isTTY: true, columns: 20 });
  const progress = terminal.progress('checking', 'events');
  progress(1, 10);
  at(250);
  progress(2, 10);
  progress(3, 10);
  terminal.note('done', 'and gone');
  expect(written()).toBe('\rchecking: 2 of 10 e\x1b[K\r\x1b[Kdone\nand gone\n');
});

test('it says how much is done, and of how much where that is known', () => {
  const { terminal, written, at } = terminalOn({ isTTY: true, columns: 80 });
  const progress = terminal.progress('checking', 'events');
  at(250);
  progress(1_200, 5_000);
  expect(written()).toBe('\rchecking: 1,200 of 5,000 events (24 %)\x1b[K');
  at(500);
  progress(1_300);
  expect(written()).toBe('\rchecking: 1,300 events\x1b[K');
});

test('in a pipe nothing is drawn', () => {
  const { terminal, written, at } = terminalOn({});
  const progress = terminal.progress('checking', 'events');
  at(1_000);
  progress(2, 10);
  expect(written()).toBe('');
});
