/** Refuses a start whose drafts would be on durable nonces, on a chain of others that has none. */
import type { FastifyBaseLogger } from 'fastify';
import { hasNonces, NO_NONCES } from '../drafts/nonce-support.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import type { Values } from '../operations/config/variables.ts';
import { StartRefused } from './claim-log.ts';

/** Whether this process makes drafts on durable nonces, or the accounts for them. The configuration knows what an embedded chain has. */
export function needsNonces({
  chain,
  draftLifetimeKind,
  roles,
}: Pick<Partial<Values>, 'chain' | 'draftLifetimeKind' | 'roles'>): boolean {
  const makesDrafts = roles === undefined || roles.has('api') || roles.has('settler');
  return chain?.isEmbedded === false && draftLifetimeKind === 'durable-nonce' && makesDrafts;
}

/** Throws `StartRefused` where the chain shows that it has none; a chain that does not answer the question does not prevent a start. */
export async function requireNonces(
  configuration: Configuration,
  chain: Chain,
  feePayer: string,
  log: FastifyBaseLogger,
): Promise<void> {
  if (!needsNonces(configuration)) return;
  const found = await hasNonces(chain, feePayer).catch((error: unknown) => {
    log.warn({ error: String(error) }, 'the chain did not tell whether it has durable nonces');
    return undefined;
  });
  if (found === false) throw new StartRefused(NO_NONCES);
}
