/** Finds browser wallets by the events of the Wallet Standard (https://github.com/wallet-standard/wallet-standard). */

/** Calls `changed` with the wallets that can sign Solana messages: immediately, and after each registration. */
export function findWallets(changed) {
  const wallets = new Map();
  const register = (...registered) => {
    for (const wallet of registered) if (canSignMessages(wallet)) wallets.set(wallet.name, signing(wallet));
    changed([...wallets.values()]);
    return () => {
      for (const { name } of registered) wallets.delete(name);
      changed([...wallets.values()]);
    };
  };
  const app = Object.freeze({ register });
  window.addEventListener('wallet-standard:register-wallet', ({ detail: announce }) => announce(app));
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: app }));
}

function canSignMessages({ chains, features }) {
  return (
    chains.some((chain) => chain.startsWith('solana:')) &&
    'standard:connect' in features &&
    'solana:signMessage' in features
  );
}

function signing({ name, icon, features }) {
  return {
    name,
    icon,
    signer: async () => {
      const { accounts } = await features['standard:connect'].connect();
      const [account] = accounts;
      if (account === undefined) throw new Error(`${name} shares no account; connect one in the wallet.`);
      return {
        walletAddress: account.address,
        sign: async (message) => {
          const [signed] = await features['solana:signMessage'].signMessage({ account, message });
          return signed.signature;
        },
      };
    },
  };
}
