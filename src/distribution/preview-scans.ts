/** Scans of tokens for previews, each kept while it is young. They move no money: the second node is not asked. */
import { LRUCache } from 'lru-cache';
import { rejection } from '../streams/rejections.ts';
import type { ScanSums } from '../streams/scan-sums.ts';
import { driven } from './allotting/allot-run.ts';
import { type LookMemory, lookAtHolders, NOT_LOOKED } from './collecting/look-at-holders.ts';
import { MintNotShown } from './collecting/read-mint.ts';
import type { HolderScan } from './collecting/scan-holders.ts';
import type { ScannedOwners } from './collecting/scanned-owners.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ScanFigures } from './run/estimate-run.ts';

/** Milliseconds for which a scan is young. */
const YOUNG = 60_000;
/** Scans that are kept: each has the columns of all owners. */
const MOST_SCANS = 8;
/** Scans under way: each reads all token accounts of a mint. */
const SCANS_AT_ONCE = 4;

/** The collector itself is let go: where the tax is withheld is nothing to a preview. */
export interface YoungScan {
  readonly at: number;
  readonly slots: HolderScan['slots'];
  readonly found: ScanFigures;
  readonly owners: ScannedOwners;
  readonly sums: ScanSums;
}

export interface PreviewScans {
  /** `since`: a slot before which no list counts. */
  of(mint: string, since: bigint): Promise<YoungScan>;
}

type Parts = Pick<EngineParts, 'chain' | 'clock' | 'rest'>;

export function createPreviewScans(parts: Parts): PreviewScans {
  let underWay = 0;
  const scans = new LRUCache<string, Promise<YoungScan>>({ max: MOST_SCANS });
  return {
    async of(mint, since) {
      const now = parts.clock.now().getTime();
      const known = await scans.get(mint)?.catch(() => undefined);
      if (known !== undefined && now - known.at < YOUNG) return known;
      if (underWay >= SCANS_AT_ONCE) {
        throw rejection('PREVIEW_UNAVAILABLE', 'Previews of other tokens are under way; try again.', {
          retryAfterSeconds: 30,
        });
      }
      underWay += 1;
      const fresh = scanAll(parts, mint, now, since).finally(() => {
        underWay -= 1;
      });
      scans.set(mint, fresh);
      return fresh;
    },
  };
}

async function scanAll(
  { chain, clock, rest }: Parts,
  mint: string,
  at: number,
  since: bigint,
): Promise<YoungScan> {
  const lookParts = {
    chain,
    witness: undefined,
    witnessSaid() {},
    counts: { scanned() {} },
    clock,
  };
  const memory: LookMemory = { scan: undefined, looks: NOT_LOOKED };
  for (;;) {
    const look = await lookAtHolders(lookParts, mint, memory, since).catch(notFinalYet);
    await rest();
    if (look.outcome === 'reading') continue;
    if (look.outcome !== 'believed')
      throw rejection(
        'PREVIEW_UNAVAILABLE',
        'The holders cannot be read now so that they add up to the supply; try again.',
        { retryAfterSeconds: 30 },
      );
    const { scan, sums } = look;
    const { collector, slots } = scan;
    const owners = await driven(collector.finish(), rest);
    const { accounts, withWithheld } = collector;
    const inAccounts = collector.withheld();
    return { at, slots, found: { accounts, withWithheld, withheld: () => inAccounts }, owners, sums };
  }
}

function notFinalYet(error: unknown): never {
  if (!(error instanceof MintNotShown)) throw error;
  throw rejection(
    'PREVIEW_UNAVAILABLE',
    'The creation of the token is not final on the chain yet; try again in half a minute.',
    { retryAfterSeconds: 30 },
  );
}
