/** Filters the outcomes of a subscription by its parameters and by the subscriber's permissions. */
import type { Audience } from '../../../kernel/runtime/define-outcome.ts';
import { cloudEventType } from '../../../outcomes/cloud-event.ts';
import { outcomes } from '../../../outcomes/index.ts';
import { rejection } from '../../../streams/rejections.ts';
import type { Frame } from './frames.ts';

export interface Selection {
  /** `hidden`: ids of the tokens that are currently hidden. */
  wants(frame: Frame, hidden: ReadonlySet<string>): boolean;
}

/** The public, an operator, or a signed-in wallet. */
export type Follower = { readonly audience: 'public' | 'operators'; readonly wallet?: string };

/** Filter of a subscription; an empty one selects everything. */
export interface Filter {
  /** Comma-separated names (`tokens.created`), CloudEvents types (`levy.tokens.created`) and families (`tokens.*`). */
  readonly types?: string | undefined;
  /** Selects the outcomes of one token. */
  readonly tokenId?: string | undefined;
  /** Selects the outcomes of tokens that this wallet created. */
  readonly creator?: string | undefined;
  /** Selects the outcomes of tokens whose drafts were requested with this partner's key. */
  readonly partner?: string | undefined;
}

/**
 * Without types, selects every visible outcome. A wallet sees the outcomes of its own submissions besides the public
 * ones. Throws `VALIDATION_FAILED` for a type that matches no visible outcome.
 */
export function selectionOf(
  { types, tokenId, creator, partner }: Filter,
  { audience, wallet }: Follower,
): Selection {
  const seesAll = audience === 'operators';
  const mayAskFor = (told: Audience) =>
    seesAll || told === 'public' || (told === 'creators' && wallet !== undefined);
  const known = outcomes.filter((outcome) => mayAskFor(outcome.audience)).map(({ name }) => name);
  const names = new Set(types === undefined ? known : namesIn(types, known));
  const isVisible = (frame: Frame, hidden: ReadonlySet<string>) => {
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
      (partner === undefined || frame.about.partner === partner) &&
      isVisible(frame, hidden),
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
