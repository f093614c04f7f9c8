/** The README's table of what subscribers are told, made from the table that they are told by. */

import { cloudEventType } from '../outcomes/cloud-event.ts';
import { outcomes } from '../outcomes/index.ts';
import { markdownTable, withSection } from './markdown.ts';

/** Markdown, ending with a line end; what the public is told comes first. */
export function outcomeTable(): string {
  const rows = outcomes
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .toSorted((one, other) => Number(one.audience !== 'public') - Number(other.audience !== 'public'))
    .map((outcome) => [
      `\`${cloudEventType(outcome)}\``,
      outcome.audience,
      outcome.summary,
      Object.keys(outcome.data.properties)
        .map((name) => `\`${name}\``)
        .join(', '),
    ]);
  return markdownTable(['Type', 'Told to', 'What happened', 'Data'], rows);
}

/** The document with the table between its two markers brought up to date. Throws if the markers are not there. */
export function withOutcomeTable(markdown: string): string {
  return withSection(markdown, 'events', outcomeTable());
}
