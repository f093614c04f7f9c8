/** The tables of environment variables, made from the lists that the service reads. */
import type { Variable } from '../operations/config/variable.ts';
import { groups } from '../operations/config/variables.ts';
import { markdownTable } from './markdown.ts';

const isFirst = ({ changedWhen }: Variable) => changedWhen === undefined;

/** What every operator reads. Markdown, ending with a line end. */
export function firstVariables(): string {
  return tableOf(groups.flatMap(({ variables }) => variables).filter(isFirst));
}

/** The others, group by group, each with when somebody changes it. */
export function advancedVariables(): string {
  return groups
    .map(({ title, variables }) => ({ title, rest: variables.filter((each) => !isFirst(each)) }))
    .map(({ title, rest }) => `### ${title}\n\n${tableOf(rest)}`)
    .join('\n');
}

function tableOf(variables: readonly Variable[]): string {
  const isAdvanced = variables.some((each) => !isFirst(each));
  const rows = variables.map((variable) => [
    `\`${variable.name}\``,
    'text' in variable.default ? `\`${variable.default.text}\`` : variable.default.shown,
    variable.kind.allowed,
    variable.kind.unit,
    variable.meaning,
    ...(isAdvanced ? [variable.changedWhen ?? ''] : []),
  ]);
  const head = ['Variable', 'Default', 'Allowed', 'Unit', 'Meaning'];
  return markdownTable(isAdvanced ? [...head, 'Changed when'] : head, rows);
}
