/** A service that kills itself at something that it records. */
import { expect } from 'vitest';
import type { Constants } from '../../src/operations/config/constants.ts';
import type { Environment } from './service.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { serviceProgram } from './service-programs.ts';

/** Milliseconds until a service that was to kill itself is ended otherwise. */
const PATIENCE = 60_000;

/** Resolves when the service has killed itself there (`before:DraftIssued`), perhaps before `play` has come to its end. */
export async function runUntilKilled(
  killAt: string,
  environment: Environment,
  options: { readonly folder: string; readonly constants?: Partial<Constants> },
  play: (service: ServiceProcess) => Promise<unknown>,
): Promise<void> {
  const service = await startServiceProcess(
    { ...environment, KILL_AT: killAt },
    { ...options, program: serviceProgram('killing-main') },
  ).catch((error: unknown) => {
    expect(String(error), `killed ${killAt} before it listened`).toMatch(/ended with null/);
    return undefined;
  });
  if (service === undefined) return;
  const overdue = setTimeout(() => service.child.kill('SIGTERM'), PATIENCE);
  const playing = play(service).then(() => 'played', String);
  const { signal, stderr } = await service.ended;
  clearTimeout(overdue);
  expect(signal, `killed ${killAt}; ${await playing}; ${stderr}`).toBe('SIGKILL');
}
