import * as z from 'zod'
import type { Cloud } from './client.ts'

/**
 * Throws the `CloudflareError` that names what is missing when the account or its credential may not use
 * Browser Run.
 */
export async function requireBrowser(cloud: Cloud): Promise<void> {
  await cloud.call({
    method: 'GET',
    // A list of open sessions costs nothing; it is the only read that the product has.
    path: '/accounts/:account/browser-rendering/devtools/session',
    doing: 'look whether the account renders pages',
    result: z.unknown(),
    missing: 'null',
  })
}
