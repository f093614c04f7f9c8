/** Header lines that hold a good access token, or something like one, and must not be taken for it. */

export interface AuthorizationHeader {
  readonly name: string;
  /** As they go over the wire, each with its line end; latin1. */
  readonly lines: string;
  /** Status of the refusal: 400 where it is no HTTP, 431 where it is too long. */
  readonly status: 400 | 401 | 431;
}

/** `good` is a token that would be let in if it came as it should. */
export function authorizationHeaders(good: string): readonly AuthorizationHeader[] {
  const line = (value: string, name = 'Authorization') => `${name}: ${value}\r\n`;
  const cyrillic = Buffer.from('Bеarer').toString('latin1');
  const refused: { readonly [name: string]: string } = {
    nothing: '',
    'an empty header': line(''),
    'the scheme alone': line('Bearer'),
    'the scheme and spaces': line('Bearer   '),
    'the token alone': line(good),
    'Basic in its place': line(`Basic ${good}`),
    'Basic with the token as its password': line(`Basic ${Buffer.from(`x:${good}`).toString('base64')}`),
    'Token in its place': line(`Token ${good}`),
    'a scheme that looks like it': line(`${cyrillic} ${good}`),
    'the scheme twice': line(`Bearer Bearer ${good}`),
    'the token twice': line(`Bearer ${good} ${good}`),
    'two in one header': line(`Bearer ${good}, Bearer ${good}`),
    'garbage before it in a header of its own': line('Bearer garbage') + line(`Bearer ${good}`),
    'a parameter': line(`Bearer token="${good}"`),
    'a colon after the scheme': line(`Bearer: ${good}`),
    'a tab after the scheme': line(`Bearer\t${good}`),
    'a tab in the token': line(`Bearer ${good.slice(0, 9)}\t${good.slice(9)}`),
    'a space that is none after it': line(`Bearer ${good}\xa0`),
    'unicode in the token': line(`Bearer ${Buffer.from(`${good}é🚀`).toString('latin1')}`),
    '8 kB of it': line(`Bearer ${'x'.repeat(8_193)}`),
    'the token for the proxy': line(`Bearer ${good}`, 'Proxy-Authorization'),
    'the token in a cookie': line(`token=${good}; access_token=${good}; authorization=${good}`, 'Cookie'),
    'the token in headers of its own':
      line(good, 'X-Access-Token') + line(good, 'Token') + line(good, 'X-Auth'),
    'the token as an operator’s key': line(good, 'X-Operator-Key'),
  };
  const unreadable: { readonly [name: string]: string } = {
    'a null byte in the token': line(`Bearer ${good}\0`),
    'a line break before the token': line(`Bearer\r\n ${good}`),
    'a bare line feed in the token': line(`Bearer ${good.slice(0, 9)}\n${good.slice(9)}`),
    'a space before the colon': `Authorization : Bearer ${good}\r\n`,
  };
  const tooLarge = { '20 kB of it': line(`Bearer ${'x'.repeat(20_000)}`) };
  const all = (lines: { readonly [name: string]: string }, status: 400 | 401 | 431) =>
    Object.entries(lines).map(([name, each]) => ({ name, lines: each, status }));
  return [...all(refused, 401), ...all(unreadable, 400), ...all(tooLarge, 431)];
}
