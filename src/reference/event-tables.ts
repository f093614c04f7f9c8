/** The tables of events: messages to subscribers, and stored events. Made from both registries. */
import { cloudEventType } from '../outcomes/cloud-event.ts';
import { outcomes } from '../outcomes/index.ts';
import { streams } from '../streams/index.ts';
import { codeList, markdownTable } from './markdown.ts';

/** Markdown, ending with a line end. Public outcomes come first. */
export function outcomeTable(): string {
  const rows = outcomes
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .toSorted((one, other) => Number(one.audience !== 'public') - Number(other.audience !== 'public'))
    .map((outcome) => [
      `\`${cloudEventType(outcome)}\``,
      outcome.audience,
      outcome.summary,
      codeList(Object.keys(outcome.data.properties)),
    ]);
  return markdownTable(['Type', 'Audience', 'What happened', 'Data'], rows);
}

/** Markdown, ending with a line end. Ordered by stream category. */
export function storedEventTable(): string {
  const rows = streams
    .toSorted((one, other) => one.category.localeCompare(other.category))
    .flatMap(({ category, events, versions }) =>
      Object.entries(events).map(([type, data]) => [
        `\`${category}\``,
        `\`${type}\``,
        String(versions[type] ?? 1),
        codeList(Object.keys(data.properties)),
      ]),
    );
  return markdownTable(['Stream category', 'Event type', 'Version', 'Data'], rows);
}
