import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalWorld } from '../../server/process/local-world.ts'
import { silentLog } from '../../server/testing/database.ts'

/**
 * Starts a second local cloud, which a service uses as if it were Cloudflare: the same API at another
 * address, with separate accounts and tokens. It runs in a separate process, so it survives when the service
 * is killed.
 */
export async function openSecondCloud() {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-second-'))
  const world = await startLocalWorld({ dataDir, port: 0, appsPort: 0, control: true, log: silentLog })
  const requestControl = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(`${world.restUrl}/_control${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.controlToken}` },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as T
  }
  return {
    /** The settings that make a service use this cloud. */
    env: {
      SLIPWAY_CLOUDFLARE_API: `${world.restUrl}/cloudflare/client/v4`,
      SLIPWAY_CLOUDFLARE_APPS: `http://{worker}.{subdomain}.localhost:${world.appsPort}`,
    },
    appsPort: world.appsPort,
    /** Creates an account and an API token with all permissions. */
    account: async (name: string): Promise<{ id: string; token: string }> => {
      const token = `cf_${randomBytes(20).toString('hex')}`
      const made = await requestControl<{ account: { id: string } }>('/accounts', { name, token })
      return { id: made.account.id, token }
    },
    order: (match: object, effect: object) =>
      requestControl('/faults', { match: { provider: 'cloudflare', ...match }, do: effect }),
    close: async () => {
      await world.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type SecondCloud = Awaited<ReturnType<typeof openSecondCloud>>
