/**
 * The script of the docs page with which a reader signs in there: with the wallet of the browser, or with a key that is made for the
 * moment and never leaves the page.
 */

/** Runs before the page is made, because the page keeps its interface to itself. */
export const DOCS_SIGN_IN = `(() => {
  const make = window.SwaggerUIBundle;
  let ui;
  window.SwaggerUIBundle = Object.assign((config) => (ui = make({ ...config, onComplete: offer })), make);
  const base = location.pathname.replace(/\\/docs(\\/.*)?$/, '/');

  async function ask(path, body) {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail);
    return answer;
  }

  function base58(bytes) {
    const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    let text = '';
    for (; number > 0n; number /= 58n) text = digits[Number(number % 58n)] + text;
    return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text;
  }

  async function newKey() {
    const { publicKey, privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    return {
      walletAddress: base58(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))),
      sign: async (text) => new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, text)),
    };
  }

  const walletOf = () => window.phantom?.solana ?? window.solana;

  async function wallet() {
    const provider = walletOf();
    const { publicKey } = await provider.connect();
    return {
      walletAddress: String(publicKey),
      sign: async (text) => (await provider.signMessage(text, 'utf8')).signature,
    };
  }

  async function signIn(signer, shown) {
    try {
      const { walletAddress, sign } = await signer();
      const { challenge } = await ask('auth/challenge', { walletAddress });
      const signature = base58(await sign(new TextEncoder().encode(challenge)));
      const { token, expiresAt } = await ask('auth/verify', { walletAddress, signature, message: challenge });
      ui.preauthorizeApiKey('accessToken', token);
      shown.textContent = 'Signed in as ' + walletAddress + ' until ' + expiresAt + '.';
    } catch (error) {
      shown.textContent = 'Not signed in: ' + (error.message ?? error);
    }
  }

  function offer() {
    const shown = document.createElement('output');
    shown.id = 'signed-in';
    const bar = document.createElement('p');
    bar.className = 'wrapper';
    const button = (id, label, signer) => {
      const made = document.createElement('button');
      Object.assign(made, { id, className: 'btn', textContent: label, onclick: () => signIn(signer, shown) });
      return made;
    };
    if (walletOf()) bar.append(button('sign-in-wallet', 'Sign in with your wallet', wallet), ' ');
    bar.append(button('sign-in-new-key', 'Sign in with a new key', newKey), ' ', shown);
    document.getElementById('swagger-ui').before(bar);
  }
})();
`;
