import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { signInSilently } from '../github/sign-in.ts'
import { defineJob } from '../jobs/jobs.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import { readConnection } from './connections.ts'
import { storeGithubConnection } from './github-connection.ts'

const POLL_MS = 500
const PATIENCE_MS = 40_000

/** Gives an organization its account at the local code host; runs until the local world is up. */
export const connectLocalCodeHost = defineJob({
  name: 'connect-local-code-host',
  data: z.object({ organizationId: z.string(), name: z.string() }),
  policy: 'exclusive',
  key: (data) => data.organizationId,
  // As for the local cloud: several lives of PATIENCE_MS.
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
  const { config, db } = platform
  if (!config.localWorld) return
  // Somebody may have connected an account by hand meanwhile; theirs stays.
  if ((await readConnection(db, organization.organizationId, 'github')) !== null) return
  const grant = await signInSilently(config.github, {
    redirectUri: `${config.baseUrl}/api/v1/connections/github/callback`,
    loginHint: organization.organizationId,
    accountName: organization.name,
  })
  await storeGithubConnection(platform, organization.organizationId, grant)
}
