/** Concurrent engines under a supervisor: an engine that died is restarted, until the work is over or fails. */
import { setTimeout } from 'node:timers/promises';
import type { FaultyNetwork } from './faulty-network.ts';
import type { Process, Turns } from './turns.ts';
import { CALM } from './weather.ts';

/** The name of the process, its own, tells the engines apart. */
type Start = (process: Process, name: string) => Promise<unknown>;

export interface Supervised {
  readonly turns: Turns;
  readonly network: FaultyNetwork;
  readonly engines: number;
  /** One engine's work. It rejects only with what must not happen. */
  readonly start: Start;
  readonly isOver: () => boolean;
  /** Calls to ports in the storm; it is calm from then on. */
  readonly stormyCalls: number;
  /** Far more calls than an undisturbed engine needs. */
  readonly maxCalls: number;
  /** Effects of a call from outside. */
  readonly at?: (call: number, killAll: () => void) => Promise<void>;
}

/** All processes have ended and the chain is calm and final when this resolves, with how many had died. */
export async function supervised(options: Supervised): Promise<number> {
  const { turns, network } = options;
  let [crashes, started] = [0, 0];
  let failure: { readonly error: unknown } | undefined;
  const start = () => {
    started += 1;
    const name = `engine ${started}`;
    const running = { process: turns.start(name), over: false };
    options
      .start(running.process, name)
      .catch((error: unknown) => {
        failure = { error };
      })
      .finally(() => {
        running.over = true;
      });
    return running;
  };
  const running = Array.from({ length: options.engines }, start);
  const killAll = () => {
    for (const { process } of running) process.kill();
  };
  for (let call = 0; call < options.maxCalls && !options.isOver() && failure === undefined; call += 1) {
    await options.at?.(call, killAll);
    if (call === options.stormyCalls) network.weather = CALM;
    await turns.settled();
    const died = [...running.entries()].filter(([, { process, over }]) => process.isDead() && !over);
    for (const [place] of died) {
      crashes += 1;
      running[place] = start();
    }
    if (died.length > 0) await turns.settled();
    // An engine that reads a real file meanwhile calls later: counted as calls, such turns would end the run early on a slow disk.
    while (!(await turns.next()) && !options.isOver() && failure === undefined) await setTimeout(1);
  }
  killAll();
  if (failure !== undefined) throw failure.error;
  network.weather = CALM;
  network.pass(200);
  return crashes;
}
