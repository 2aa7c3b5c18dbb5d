import * as z from 'zod'
import { signInSilently } from '../cloudflare/oauth.ts'
import { ALL_SCOPES } from '../cloudflare/permissions.ts'
import { defineJob } from '../jobs/jobs.ts'
import type { Platform } from '../platform.ts'
import { storeCloudflareConnection } from './cloudflare-connection.ts'
import { readConnection } from './connections.ts'
import { callbackUrl } from './profiles.ts'
import { waitForWorld, WORLD_JOB } from './wait-for-world.ts'

/** Creates an organization's account in the local cloud; retries until the local world is up. */
export const connectLocalCloud = defineJob({
  name: 'connect-local-cloud',
  data: z.object({ organizationId: z.string(), name: z.string() }),
  key: (data) => data.organizationId,
  ...WORLD_JOB,
  run: async (platform, { data, signal }) => waitForWorld(signal, () => connect(platform, data)),
})

async function connect(
  platform: Platform,
  organization: { organizationId: string; name: string },
): Promise<void> {
  const { config, db, clock } = platform
  if (!config.localWorld) return
  // A person may have connected an account meanwhile; theirs is kept.
  if ((await readConnection(db, organization.organizationId, 'cloudflare')) !== null) return
  const tokens = await signInSilently(config.cloudflare, {
    redirectUri: callbackUrl(config, 'cloudflare'),
    silent: { loginHint: organization.organizationId, accountName: organization.name },
    scopes: ALL_SCOPES,
    now: clock.now(),
  })
  const by = { orgId: organization.organizationId, actor: 'slipway' }
  await storeCloudflareConnection(platform, by, { profile: config.cloudflare, method: 'oauth', tokens })
}
