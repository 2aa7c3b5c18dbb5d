import * as z from 'zod'
import { CloudflareError } from '../cloudflare/errors.ts'
import type { Context } from '../endpoint.ts'
import { actorOf } from './cloud.ts'

/**
 * Returns whether the account can use object storage (R2), with the provider's message if it refuses. Throws
 * any other failure.
 */
export async function readObjectStorageStatus(ctx: Context<'accounts'>) {
  return await stateOrRefused(async () => {
    const cloud = await ctx.accounts.openCloud({
      orgId: ctx.caller.organizationId,
      actor: actorOf(ctx.caller),
    })
    await cloud.call({
      method: 'GET',
      path: '/accounts/:account/r2/buckets',
      query: { per_page: '1' },
      doing: 'check its object storage',
      result: z.unknown(),
    })
    return {}
  })
}

const StreamUsage = z.looseObject({
  totalStorageMinutes: z.number(),
  totalStorageMinutesLimit: z.number(),
  videoCount: z.number().optional(),
})

/** Returns whether the account can use video storage, and how much of it is used. */
export async function readVideoStatus(ctx: Context<'accounts'>) {
  return await stateOrRefused(async () => {
    const cloud = await ctx.accounts.openCloud({
      orgId: ctx.caller.organizationId,
      actor: actorOf(ctx.caller),
    })
    const usage = await cloud.call({
      method: 'GET',
      path: '/accounts/:account/stream/storage-usage',
      doing: 'check its video storage',
      result: StreamUsage,
    })
    return {
      usage: {
        minutes: usage.totalStorageMinutes,
        minutesMax: usage.totalStorageMinutesLimit,
        videos: usage.videoCount ?? null,
      },
    }
  })
}

/**
 * Returns the result of `read` with the state `ok`. When Cloudflare responds with 403, because the product is
 * not enabled or the token may not use it, returns the state `refused` with Cloudflare's message. Throws any
 * other failure.
 */
async function stateOrRefused<T extends object>(
  read: () => Promise<T>,
): Promise<({ state: 'ok' } & T) | { state: 'refused'; message: string }> {
  try {
    return { state: 'ok', ...(await read()) }
  } catch (error) {
    if (!(error instanceof CloudflareError) || error.status !== 403 || error.fault === 'reconnect')
      throw error
    return { state: 'refused', message: error.providerMessage ?? error.message }
  }
}
