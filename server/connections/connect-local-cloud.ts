import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { CORE_SCOPES, signInSilently } from '../cloudflare/oauth.ts'
import { defineJob } from '../jobs/jobs.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import { storeCloudflareConnection } from './cloudflare-connection.ts'
import { readConnection } from './connections.ts'

const POLL_MS = 500
const PATIENCE_MS = 40_000

/** Gives an organization its account in the local cloud; runs until the local world is up. */
export const connectLocalCloud = defineJob({
  name: 'connect-local-cloud',
  data: z.object({ organizationId: z.string(), name: z.string() }),
  policy: 'exclusive',
  key: (data) => data.organizationId,
  // The world may be down for as long as its restart takes: several lives of PATIENCE_MS.
  retryLimit: 20,
  expireSeconds: 60,
  concurrency: 2,
  run: async (platform, { data, signal }) => {
    const giveUpAt = performance.now() + PATIENCE_MS
    while (!signal.aborted) {
      try {
        return await connect(platform, data)
      } catch (error) {
        const mayComeUp = error instanceof ProviderError && error.retryable && performance.now() < giveUpAt
        if (!mayComeUp) throw error
        await sleep(POLL_MS, undefined, { signal })
      }
    }
  },
})

async function connect(
  platform: Platform,
  organization: { organizationId: string; name: string },
): Promise<void> {
  const { config, db, clock } = platform
  if (!config.localWorld) return
  // Somebody may have connected an account by hand meanwhile; theirs stays.
  if ((await readConnection(db, organization.organizationId, 'cloudflare')) !== null) return
  const tokens = await signInSilently(config.cloudflare, {
    redirectUri: `${config.baseUrl}/api/v1/connections/cloudflare/callback`,
    loginHint: organization.organizationId,
    accountName: organization.name,
    scopes: CORE_SCOPES,
    now: clock.now(),
  })
  await storeCloudflareConnection(platform, organization.organizationId, tokens)
}
