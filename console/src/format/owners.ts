/** A list of addresses as it is typed: one on each line, or with blanks or commas between them. */
export function ownersFrom(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter((each) => each !== '');
}
