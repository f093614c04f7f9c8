/** Promotions that are bought over HTTP and paid on the chain. */

import { expect } from 'vitest';
import { type Creator, signedBy } from './creator.ts';
import type { Environment, TestService } from './service.ts';

export interface PromotionDraft {
  readonly transaction: string;
  readonly transactionId: string;
  readonly promotionId: string;
  readonly price: string;
  readonly expiresAt: string;
  readonly cost: string;
}

export interface Promotion {
  readonly id: string;
  readonly tokenMint: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly daysRemaining: number;
}

interface Submitted {
  readonly success: boolean;
  readonly signature: string;
  readonly promotion: Promotion;
}

export const PRICE_PER_DAY = 20_000_000;
/** Environment of a service with that price. */
export const PRICED: Environment = {
  FEATURED_PRICE_PER_DAY: String(PRICE_PER_DAY),
};

export function promotionDraft(creator: Creator, tokenMint: string, days = 1) {
  const json = { tokenMint, days };
  return creator.client.ask<PromotionDraft>('POST', '/featured/create-unsigned', {
    json,
    token: creator.token,
  });
}

export function submitPromotion(creator: Creator, { transactionId, transaction }: PromotionDraft) {
  const json = { transactionId, signedTransaction: signedBy(creator.keypair, transaction) };
  return creator.call<Submitted & { code?: string }>('POST', '/featured/submit', { json });
}

export async function buy(creator: Creator, tokenMint: string, days = 1): Promise<Submitted> {
  const { status, body } = await submitPromotion(creator, await promotionDraft(creator, tokenMint, days));
  expect([status, body.code]).toEqual([200, undefined]);
  return body;
}

export async function featuredAt(service: TestService): Promise<readonly Promotion[]> {
  const response = await fetch(`${service.url}/featured`);
  return ((await response.json()) as { featured: Promotion[] }).featured;
}

export async function tokenOf(creator: Creator): Promise<string> {
  return (await creator.createToken()).mintAddress;
}
