/** A number of bytes, for people. */
const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export function shownBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}
