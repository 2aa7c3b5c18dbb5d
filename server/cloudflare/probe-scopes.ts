import * as z from 'zod'
import type { Cloud } from './client.ts'
import { CloudflareError } from './errors.ts'
import { ALL_PERMISSIONS } from './permissions.ts'

/**
 * Returns the scopes that an API token seems to have. The provider cannot list them, so this sends one GET
 * request per product. Only a clear refusal counts as missing. A scope that cannot be determined counts as
 * present: if it is missing after all, the first call that needs it fails with an error that names the scope.
 */
export async function probeScopes(cloud: Cloud): Promise<string[]> {
  const held = await Promise.all(
    ALL_PERMISSIONS.map(async ({ scope, probe }) =>
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
      doing: 'read the permissions of the token',
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
