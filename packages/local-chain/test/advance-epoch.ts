/** Moves a local chain on to a later epoch, as an operator does. */

/** Answers the epoch that it is in then. `rpcUrl` is that of the chain, not of the service. */
export async function advanceEpoch(rpcUrl: string, epochs = 1): Promise<number> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'levyAdvanceEpoch', params: [epochs] }),
  });
  const answer = (await response.json()) as { readonly result?: { readonly epoch: number } };
  if (answer.result === undefined) throw new Error(`the chain did not move on: ${JSON.stringify(answer)}`);
  return answer.result.epoch;
}
