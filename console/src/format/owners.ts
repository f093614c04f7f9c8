/** Addresses in typed text, separated by white space, commas or semicolons. */
export function ownersFrom(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter((each) => each !== '');
}
