/**
 * Compares servers by the requests that they answer: in a second, and in a second of their processor time. The first is what is
 * asked for; the second says the same where the load generator has a core to itself, and still says it where it has not.
 */
import { type Alternation, compare, inTurns } from './alternate.ts';
import type { ServerProcess } from './child.ts';
import type { LoadGenerator, LoadJob } from './load.ts';
import { processorSecondsOf } from './processor-time.ts';

export interface Asked extends Omit<LoadJob, 'url'> {
  readonly server: ServerProcess;
}

export interface RequestRates<Side extends string> {
  /** Answers a second. */
  readonly rates: Alternation<Side>;
  /** Answers for each second of the server's processor time. */
  readonly work: Alternation<Side>;
}

export async function alternateRequests<Side extends string>(
  rounds: number,
  load: LoadGenerator,
  sides: Readonly<Record<Side, Asked>>,
): Promise<RequestRates<Side>> {
  const names = Object.keys(sides) as Side[];
  const ask = (name: Side) => async () => {
    const { server, ...job } = sides[name];
    const before = processorSecondsOf(server.pid);
    const { rate, answers } = await load.run({ ...job, url: server.url });
    return { rate, work: answers / (processorSecondsOf(server.pid) - before) };
  };
  const results = await inTurns(
    rounds,
    Object.fromEntries(names.map((name) => [name, ask(name)])) as Record<Side, ReturnType<typeof ask>>,
  );
  const each = (figure: 'rate' | 'work') =>
    new Map([...results].map(([name, values]) => [name, values.map((value) => value[figure])] as const));
  return { rates: compare(each('rate')), work: compare(each('work')) };
}
