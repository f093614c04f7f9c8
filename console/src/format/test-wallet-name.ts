/** Name that distinguishes the test wallet from the browser's wallets. */
export const TEST_WALLET = 'Test wallet';

export const isTestWallet = ({ name }: { readonly name: string }): boolean => name === TEST_WALLET;
