/** JSON bodies: as an operation takes them, and spoiled in one place. */
import { hostileJson } from './hostile-values.ts';
import type { Schema } from './operations.ts';
import type { Random } from './random.ts';
import { type Drawing, isOfType, validValue } from './valid-values.ts';

/** A name, and its value as JSON is written. Names may come twice. */
export type Member = readonly [name: string, json: string];

/** What is required, and some of the rest; `given` comes before what is drawn. */
export function validMembers(
  schema: Schema,
  drawing: Drawing,
  given: { readonly [name: string]: unknown } = {},
): readonly Member[] {
  const { required = [], properties = {} } = schema;
  const names = Object.keys(properties);
  // Where nothing is required, nothing at all would mostly be no request.
  const least = required.length > 0 || names.length === 0 ? required : [drawing.random.pick(names)];
  const few = drawing.random.chance(0.3) ? 0 : 0.5;
  const chosen = Object.entries(properties).filter(
    ([name]) => least.includes(name) || Object.hasOwn(given, name) || drawing.random.chance(few),
  );
  return chosen.map(([name, property]) => [
    name,
    JSON.stringify(Object.hasOwn(given, name) ? given[name] : validValue(name, property, drawing)),
  ]);
}

export function textOf(members: readonly Member[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

type Spoiling = (members: readonly Member[], schema: Schema, random: Random) => string;

const PROTOTYPE_MEMBERS: readonly Member[] = [
  ['__proto__', '{"polluted":1}'],
  ['__proto__', 'null'],
  ['constructor', '{"prototype":{"polluted":1}}'],
  ['prototype', '{}'],
  ['toString', '1'],
  ['hasOwnProperty', '{}'],
];

const SPOILINGS: readonly Spoiling[] = [
  (members, _schema, random) => replaced(members, random, hostileJson(random)),
  (members, _schema, random) => replaced(members, random, hostileJson(random)),
  (members, schema, random) => {
    const [name, property] = random.pick([...Object.entries(schema.properties ?? {}), ['none', {}] as const]);
    return textOf([...members.filter(([other]) => other !== name), [name, atTheEdge(property, random)]]);
  },
  (members, _schema, random) => {
    const left = random.below(members.length + 1);
    return textOf(members.filter((_member, index) => index !== left));
  },
  (members, _schema, random) =>
    textOf([...members, [random.pick(['unknown', '', 'X']), hostileJson(random)]]),
  (members, _schema, random) => textOf([random.pick(PROTOTYPE_MEMBERS), ...members]),
  (members, _schema, random) => {
    // The last one counts, or the first, or neither: but never one here and another there.
    const [name] = random.pick([...members, ['twice', '1'] as const]);
    return textOf([[name, hostileJson(random)], ...members, [name, hostileJson(random)]]);
  },
  (members) => textOf(members.map(([name, json]) => [name.toUpperCase(), json])),
  (members) => textOf([...members, ...Array.from({ length: 500 }, (_none, at) => [`m${at}`, '1'] as const)]),
  (members) => textOf([...members, ['long', JSON.stringify('x'.repeat(33_000))]]),
  (members) => `\ufeff${textOf(members)}`,
  (members) => ` \n\t${textOf(members)}\r\n `,
  (members) => `[${textOf(members)}]`,
  (members) => JSON.stringify(textOf(members)),
  (members) => textOf(members).slice(0, -1),
  (members) => `${textOf(members)}${textOf(members)}`,
  (members) => textOf(members).replace('}', ',}'),
  (members) => textOf(members).replaceAll('"', "'"),
  (members) => `/* */${textOf(members)}`,
  (members, _schema, random) => cutSomewhere(textOf(members), random),
  (_members, _schema, random) => hostileJson(random),
  (_members, _schema, random) =>
    random.pick(['', 'NaN', 'undefined', '\0', '{"a":01}', '"\\u12"', '{', ']', 'a=1&b=2', '<a/>']),
];

/** A body that is good but for one thing. Some are still good: that is for the service to tell. */
export function spoiledBody(members: readonly Member[], schema: Schema, random: Random): string {
  return random.pick(SPOILINGS)(members, schema, random);
}

function replaced(members: readonly Member[], random: Random, json: string): string {
  const at = random.below(members.length);
  return textOf(members.map((member, index) => (index === at ? [member[0], json] : member)));
}

/** Just within what the schema allows, or just beyond. */
function atTheEdge(schema: Schema, random: Random): string {
  const { minimum = 0, maximum = 100, minLength = 0, maxLength = 100 } = schema;
  if (isOfType(schema, 'integer') || isOfType(schema, 'number')) {
    return String(random.pick([minimum, minimum - 1, minimum + 0.5, maximum, maximum + 1, maximum + 0.001]));
  }
  const character = random.pick(['x', '1', 'é', '🚀']);
  const length = random.pick([minLength, minLength - 1, maxLength, maxLength + 1, 2 * maxLength]);
  return JSON.stringify(character.repeat(Math.max(0, length)));
}

function cutSomewhere(text: string, random: Random): string {
  const from = random.below(text.length);
  return text.slice(0, from) + text.slice(from + random.between(1, 5));
}
