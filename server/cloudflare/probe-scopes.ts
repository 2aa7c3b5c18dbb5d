import * as z from 'zod'
import type { Cloud } from './client.ts'
import { CloudflareError } from './errors.ts'
import { PERMISSIONS } from './permissions.ts'

/**
 * The scopes an API token seems to have: its rights cannot be listed, so each product is asked for something to read.
 * Only a clear refusal counts as lacking; what cannot be found out is taken to be there and fails by name later.
 */
export async function probeScopes(cloud: Cloud): Promise<string[]> {
  const held = await Promise.all(
    PERMISSIONS.map(async ({ scope, probe }) =>
      probe === undefined || (await mayRead(cloud, probe)) ? [scope] : [],
    ),
  )
  return held.flat()
}

async function mayRead(cloud: Cloud, path: string): Promise<boolean> {
  try {
    await cloud.call({
      method: 'GET',
      path,
      query: { per_page: '1' },
      doing: 'say what the token may do',
      result: z.unknown(),
      missing: 'null',
      retry: 'job',
      timeoutMs: 5_000,
    })
    return true
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error
    return error.fault !== 'missing_scope'
  }
}
