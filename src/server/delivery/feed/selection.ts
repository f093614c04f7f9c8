/** Selects the outcomes that a subscriber wants, among those that it may see. */
import type { Audience } from '../../../kernel/runtime/define-outcome.ts';
import { cloudEventType } from '../../../outcomes/cloud-event.ts';
import { outcomes } from '../../../outcomes/index.ts';
import { rejection } from '../../../streams/rejections.ts';
import type { Frame } from './frames.ts';

export interface Selection {
  /** `hidden`: the ids of the tokens that are hidden now. */
  wants(frame: Frame, hidden: ReadonlySet<string>): boolean;
}

/** The public, an operator, or a wallet that is signed in. */
export type Follower = { readonly audience: 'public' | 'operators'; readonly wallet?: string };

/** Filter of a subscription; an empty one selects everything. */
export interface Wanted {
  /**
   * A comma-separated list of names (`tokens.created`), CloudEvents types (`levy.tokens.created`) and families (`tokens.*`).
   */
  readonly types?: string | undefined;
  /** The id of the only token. */
  readonly tokenId?: string | undefined;
  /** The wallet that created the tokens. */
  readonly creator?: string | undefined;
}

/**
 * Without types, selects everything that the follower may see. A wallet may see what becomes of its own submissions, besides what is
 * public. Throws `VALIDATION_FAILED` for a type that matches nothing the follower may see.
 */
export function selectionOf({ types, tokenId, creator }: Wanted, { audience, wallet }: Follower): Selection {
  const seesAll = audience === 'operators';
  const mayAskFor = (told: Audience) =>
    seesAll || told === 'public' || (told === 'creators' && wallet !== undefined);
  const known = outcomes.filter((outcome) => mayAskFor(outcome.audience)).map(({ name }) => name);
  const names = new Set(types === undefined ? known : namesIn(types, known));
  const mayBeTold = (frame: Frame, hidden: ReadonlySet<string>) => {
    if (seesAll) return true;
    if (!mayAskFor(frame.audience)) return false;
    if (frame.audience === 'creators') return frame.about.creator === wallet;
    return frame.hiddenWith === undefined || !hidden.has(frame.hiddenWith);
  };
  return {
    wants: (frame, hidden) =>
      names.has(frame.name) &&
      (tokenId === undefined || frame.about.tokenId === tokenId) &&
      (creator === undefined || frame.about.creator === creator) &&
      mayBeTold(frame, hidden),
  };
}

function namesIn(types: string, known: readonly string[]): readonly string[] {
  return types.split(',').flatMap((part) => {
    const pattern = part.trim();
    const found = known.filter(
      (name) => matches(pattern, name) || matches(pattern, cloudEventType({ name })),
    );
    if (found.length > 0) return found;
    throw rejection('VALIDATION_FAILED', `This feed has no events of type ${JSON.stringify(pattern)}.`, {
      details: [
        { path: ['types'], message: `must be one of ${known.join(', ')}, or a family such as tokens.*` },
      ],
    });
  });
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
