/** Lets a reader sign in: with a wallet of the browser, with a key that is made for the moment and never leaves the page, or a token. */
import { base58, makeTestWallet } from './test-wallet.js';
import { findWallets } from './wallets.js';

const element = (id) => document.getElementById(id);

/** `api` is the address under which the API begins. */
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

  /** Resolves with whether it went well. */
  async function signIn(signer) {
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
      shown.textContent += ' It has SOL of the embedded chain.';
    } catch (error) {
      shown.textContent += ` It has no SOL: ${error.message ?? error}`;
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

  function take(form, input, taken) {
    element(form).addEventListener('submit', (event) => {
      event.preventDefault();
      taken(element(input).value.trim());
      element(form).reset();
    });
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
  take('sign-in-token', 'token', (token) => {
    use(token, 'Signed in');
    shown.textContent = 'Calls are made with this token.';
  });
  element('sign-in-operator').hidden = !hasOperators;
  take('sign-in-operator', 'operator-key', (key) => {
    ui.preauthorizeApiKey('operatorKey', key);
    shown.textContent = "Operators' routes are called with this key.";
  });
  signOut.addEventListener('click', async () => {
    const { accessToken } = ui.authSelectors.authorized().toJS();
    const response = await fetch(new URL('auth/logout', api), {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken?.value}` },
    });
    // The token of another issuer cannot be revoked here.
    shown.textContent = response.ok ? 'Signed out: the token is revoked.' : 'Signed out in this tab.';
    ui.authActions.logout(['accessToken']);
    opener.textContent = 'Sign in';
    signOut.hidden = true;
    element('sign-transaction').hidden = true;
  });
  findWallets((wallets) => {
    element('wallets').replaceChildren(
      ...wallets.map((wallet) => {
        const button = document.createElement('button');
        button.type = 'button';
        const icon = document.createElement('img');
        Object.assign(icon, { src: wallet.icon, alt: '', width: 20, height: 20 });
        button.append(icon, ` ${wallet.name}`);
        button.addEventListener('click', () => signIn(wallet.signer));
        return button;
      }),
    );
  });
}
