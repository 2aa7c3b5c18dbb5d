import * as z from 'zod'
import { signInSilently } from '../github/sign-in.ts'
import { defineJob } from '../jobs/jobs.ts'
import type { Platform } from '../platform.ts'
import { readConnection } from './connections.ts'
import { storeGithubConnection } from './github-connection.ts'
import { callbackUrl } from './profiles.ts'
import { waitForWorld, WORLD_JOB } from './wait-for-world.ts'

/** Creates an organization's account at the local code host; retries until the local world is up. */
export const connectLocalCodeHost = defineJob({
  name: 'connect-local-code-host',
  data: z.object({ organizationId: z.string(), name: z.string() }),
  key: (data) => data.organizationId,
  ...WORLD_JOB,
  run: async (platform, { data, signal }) => waitForWorld(signal, () => connect(platform, data)),
})

async function connect(
  platform: Platform,
  organization: { organizationId: string; name: string },
): Promise<void> {
  const { config, db } = platform
  if (!config.localWorld) return
  // A person may have connected an account meanwhile; theirs is kept.
  if ((await readConnection(db, organization.organizationId, 'github')) !== null) return
  const grant = await signInSilently(config.github, {
    redirectUri: callbackUrl(config, 'github'),
    loginHint: organization.organizationId,
    accountName: organization.name,
  })
  const by = { orgId: organization.organizationId, actor: 'slipway' }
  await storeGithubConnection(platform, by, { ...grant, profile: config.github })
}
