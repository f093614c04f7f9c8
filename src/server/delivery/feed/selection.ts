/** Selects the outcomes that a subscriber wants, from `?types=`. */

import type { Audience } from '../../../kernel/runtime/define-outcome.ts';
import { cloudEventType } from '../../../outcomes/cloud-event.ts';
import { outcomes } from '../../../outcomes/index.ts';
import { rejection } from '../../../streams/rejections.ts';
import type { Frame } from './frames.ts';
import type { HiddenTokens } from './hidden-tokens.ts';

export interface Selection {
  /** Equal for equal selections. */
  readonly key: string;
  wants(frame: Frame, hidden: HiddenTokens): boolean;
}

/**
 * Without types, selects everything that the audience may see. Otherwise takes a comma-separated list of names
 * (`tokens.created`), CloudEvents types (`levy.tokens.created`) and families (`tokens.*`). Throws `VALIDATION_FAILED` for
 * an entry that matches nothing the audience may see.
 */
export function selectionOf(types: string | undefined, audience: Audience): Selection {
  const known = outcomes
    .filter((outcome) => audience === 'operators' || outcome.audience === 'public')
    .map(({ name }) => name);
  const wanted = types === undefined ? known : namesIn(types, known);
  const names = new Set(wanted);
  return {
    key: `${audience}:${[...names].sort().join()}`,
    wants: ({ name, isPublic, hiddenWith }, hidden) =>
      names.has(name) &&
      (audience === 'operators' || (isPublic && (hiddenWith === undefined || !hidden.has(hiddenWith)))),
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
