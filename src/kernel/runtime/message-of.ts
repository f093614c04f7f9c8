/** What an error says; of anything else that is thrown, its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
