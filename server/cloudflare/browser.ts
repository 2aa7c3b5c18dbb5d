import * as z from 'zod'
import type { Cloud } from './client.ts'

/** Throws a `CloudflareError` that names what is missing when the account or its credential may not use Browser Run. */
export async function requireBrowser(cloud: Cloud): Promise<void> {
  await cloud.call({
    method: 'GET',
    // The list of open sessions is the only read of this product, and it is free.
    path: '/accounts/:account/browser-rendering/devtools/session',
    doing: 'look whether the account renders pages',
    result: z.unknown(),
    missing: 'null',
  })
}
