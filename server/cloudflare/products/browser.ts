import * as z from 'zod'
import type { Cloud } from '../client.ts'

/** Throws a `CloudflareError` with the reason when the account or its credential may not use Cloudflare's Browser Rendering. */
export async function requireBrowser(cloud: Cloud): Promise<void> {
  await cloud.call({
    method: 'GET',
    // Reading the list of open browser sessions is the only GET request of this product, and it is free.
    path: '/accounts/:account/browser-rendering/devtools/session',
    doing: 'check whether the account has Browser Rendering',
    result: z.unknown(),
    missing: 'null',
  })
}
