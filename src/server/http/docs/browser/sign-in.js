/** Sign-in dialog: by a browser wallet, by a temporary key that never leaves the page, or by a token. */
import { base58, makeTestWallet } from './test-wallet.js';
import { findWallets } from './wallets.js';

const element = (id) => document.getElementById(id);

/** `api` is the base URL of the API. */
export function offerSignIn({ ui, api, hasOperators }) {
  const dialog = element('sign-in');
  const opener = element('sign-in-open');
  const shown = element('signed-in');
  const signOut = element('sign-out');

  function use(token, name) {
    ui.preauthorizeApiKey('accessToken', token);
    opener.textContent = name;
    signOut.hidden = false;
  }

  /** Disables the dialog while the work runs. */
  async function atWork(work) {
    const controls = [...dialog.querySelectorAll('button:not(#sign-in-close), input')];
    for (const control of controls) control.disabled = true;
    try {
      return await work();
    } finally {
      for (const control of controls) control.disabled = false;
    }
  }

  const signIn = (signer) => atWork(() => signInAs(signer));

  /** Resolves with true if the sign-in succeeded. */
  async function signInAs(signer) {
    shown.textContent = 'Signing in …';
    element('sign-transaction').hidden = true;
    try {
      const { walletAddress, sign } = await signer();
      const { challenge } = await ask('auth/challenge', { walletAddress });
      const signature = base58(await sign(new TextEncoder().encode(challenge)));
      const { token, expiresAt } = await ask('auth/verify', { walletAddress, signature, message: challenge });
      use(token, `${walletAddress.slice(0, 4)}…${walletAddress.slice(-4)}`);
      shown.textContent = `Signed in as ${walletAddress} until ${expiresAt}.`;
      return true;
    } catch (error) {
      shown.textContent = `Not signed in: ${error.message ?? error}`;
      return false;
    }
  }

  let testWallet;

  async function signInWithTestWallet() {
    const isSignedIn = await signIn(async () => {
      testWallet = await makeTestWallet();
      return testWallet;
    });
    if (!isSignedIn) return;
    const { faucet } = await (await fetch(new URL('config', api))).json();
    element('sign-transaction').hidden = !faucet;
    if (!faucet) return;
    try {
      await ask('faucet', { walletAddress: testWallet.walletAddress });
      shown.textContent += ' The wallet has SOL of the embedded chain.';
    } catch (error) {
      shown.textContent += ` The wallet has no SOL: ${error.message ?? error}`;
    }
  }

  async function ask(path, body) {
    const response = await fetch(new URL(path, api), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail);
    return answer;
  }

  /** Checks a typed credential by calling `path` with its headers. A rejected credential is reported at the field and not used. */
  function take(form, input, { missing, path, headers, taken }) {
    const field = element(input);
    const say = (fault) => {
      element(`${input}-fault`).textContent = fault;
      field.setAttribute('aria-invalid', String(fault !== ''));
    };
    element(form).addEventListener('submit', async (event) => {
      event.preventDefault();
      const value = field.value.trim();
      const fault = value === '' ? missing : await atWork(() => faultOf(path, headers(value)));
      say(fault);
      if (fault !== '') return field.focus();
      taken(value);
      element(form).reset();
    });
  }

  async function faultOf(path, headers) {
    shown.textContent = '';
    try {
      const response = await fetch(new URL(path, api), { headers });
      // A server error does not reject the credential, and an operator may need the key during an incident.
      return response.ok || response.status >= 500 ? '' : `Refused: ${(await response.json()).detail}`;
    } catch {
      return 'The service does not respond; try again.';
    }
  }

  opener.addEventListener('click', () => dialog.showModal());
  element('sign-in-close').addEventListener('click', () => dialog.close());
  element('sign-in-new-key').addEventListener('click', signInWithTestWallet);
  element('sign-transaction').addEventListener('submit', async (event) => {
    event.preventDefault();
    const signed = element('signed-transaction');
    signed.value = '';
    try {
      signed.value = await testWallet.signTransaction(element('transaction').value.trim());
      signed.select();
      shown.textContent = 'Signed.';
    } catch (error) {
      shown.textContent = `Not signed: ${error.message ?? error}`;
    }
  });
  take('sign-in-token', 'token', {
    missing: 'Paste the token, which starts with eyJ.',
    path: 'transactions?limit=1',
    headers: (token) => ({ authorization: `Bearer ${token}` }),
    taken(token) {
      use(token, 'Signed in');
      shown.textContent = 'All calls now use this token.';
    },
  });
  element('sign-in-operator').hidden = !hasOperators;
  take('sign-in-operator', 'operator-key', {
    missing: 'Enter the key.',
    path: 'operator/distributions?limit=1',
    headers: (key) => ({ 'x-operator-key': key }),
    taken(key) {
      ui.preauthorizeApiKey('operatorKey', key);
      shown.textContent = "Calls of operators' routes now use this key.";
    },
  });
  signOut.addEventListener('click', async () => {
    const { accessToken } = ui.authSelectors.authorized().toJS();
    const response = await fetch(new URL('auth/logout', api), {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken?.value}` },
    });
    // The service can revoke only tokens that it issued.
    shown.textContent = response.ok ? 'Signed out: the token is revoked.' : 'Signed out in this tab.';
    ui.authActions.logout(['accessToken']);
    opener.textContent = 'Sign in';
    signOut.hidden = true;
    element('sign-transaction').hidden = true;
  });
  findWallets((wallets) => {
    element('no-wallet').hidden = wallets.length > 0;
    element('wallets').replaceChildren(
      ...wallets.map((wallet) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'quiet';
        const icon = document.createElement('img');
        Object.assign(icon, { src: wallet.icon, alt: '', width: 20, height: 20 });
        button.append(icon, ` ${wallet.name}`);
        button.addEventListener('click', () => signIn(wallet.signer));
        return button;
      }),
    );
  });
}
