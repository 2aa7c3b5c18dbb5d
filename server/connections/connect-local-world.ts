import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { signInToCloudflare } from '../cloudflare/oauth.ts'
import { ALL_SCOPES } from '../cloudflare/permissions.ts'
import { signInToGithub } from '../github/sign-in.ts'
import { defineJob } from '../jobs/jobs.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { PlatformPorts } from '../platform.ts'
import { storeCloudflareConnection } from './cloudflare-connection.ts'
import { readConnection } from './connections.ts'
import { storeGithubConnection } from './github-connection.ts'
import { callbackUrl } from './profiles.ts'

const POLL_MS = 500
const WORLD_TIMEOUT_MS = 40_000

const CreatedOrganization = z.object({ organizationId: z.string(), name: z.string() })
type CreatedOrganization = z.output<typeof CreatedOrganization>

/**
 * One attempt waits up to `WORLD_TIMEOUT_MS` for the process of the local emulators. The process may be down for
 * longer, so the job is retried.
 */
const WORLD_JOB = {
  data: CreatedOrganization,
  key: (data: CreatedOrganization) => data.organizationId,
  policy: 'exclusive',
  retryLimit: 20,
  expireSeconds: 60,
  concurrency: 2,
} as const

/** Connects a new organization to the local emulator of Cloudflare, unless it has connected an account already. */
export const connectLocalCloud = defineJob({
  name: 'connect-local-cloud',
  ...WORLD_JOB,
  run: async (platform: PlatformPorts<'config' | 'keyring'>, { data, signal }) =>
    waitForWorld(signal, () => connectCloud(platform, data)),
})

/** Connects a new organization to the local emulator of GitHub, unless it has connected an account already. */
export const connectLocalCodeHost = defineJob({
  name: 'connect-local-code-host',
  ...WORLD_JOB,
  run: async (platform: PlatformPorts<'config' | 'keyring'>, { data, signal }) =>
    waitForWorld(signal, () => connectCodeHost(platform, data)),
})

async function connectCloud(
  platform: PlatformPorts<'config' | 'keyring'>,
  { organizationId, name }: CreatedOrganization,
): Promise<void> {
  const { config, db, clock } = platform
  if (!config.localWorld) return
  // Keeps an account that a person has connected in the meantime.
  if ((await readConnection(db, organizationId, 'cloudflare')) !== null) return
  const tokens = await signInToCloudflare(config.cloudflare, {
    redirectUri: callbackUrl(config, 'cloudflare'),
    silent: { loginHint: organizationId, accountName: name },
    scopes: ALL_SCOPES,
    now: clock.now(),
  })
  const by = { orgId: organizationId, actor: 'slipway' }
  await storeCloudflareConnection(platform, by, { profile: config.cloudflare, method: 'oauth', tokens })
}

async function connectCodeHost(
  platform: PlatformPorts<'config' | 'keyring'>,
  { organizationId, name }: CreatedOrganization,
): Promise<void> {
  const { config, db } = platform
  if (!config.localWorld) return
  // Keeps an account that a person has connected in the meantime.
  if ((await readConnection(db, organizationId, 'github')) !== null) return
  const grant = await signInToGithub(config.github, {
    redirectUri: callbackUrl(config, 'github'),
    loginHint: organizationId,
    accountName: name,
  })
  const by = { orgId: organizationId, actor: 'slipway' }
  await storeGithubConnection(platform, by, { ...grant, profile: config.github })
}

/** Repeats `work` until the emulators respond. Throws after `WORLD_TIMEOUT_MS`; the job is then retried. */
async function waitForWorld(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + WORLD_TIMEOUT_MS
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      const mayComeUp = error instanceof ProviderError && error.retryable && performance.now() < giveUpAt
      if (!mayComeUp) throw error
      await sleep(POLL_MS, undefined, { signal })
    }
  }
}
