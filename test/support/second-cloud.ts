import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalWorld } from '../../server/local-world.ts'
import { silentLog } from '../../server/testing/database.ts'

/**
 * A second local world in its own process, which a service takes for the real Cloudflare: the same protocol
 * at another address, with accounts and tokens of its own. It survives the service.
 */
export async function openSecondCloud() {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-second-'))
  const world = await startLocalWorld({ dataDir, port: 0, appsPort: 0, control: true, log: silentLog })
  const control = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(`${world.restUrl}/_control${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.controlToken}` },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as T
  }
  return {
    /** The settings with which a service uses it. */
    env: {
      SLIPWAY_CLOUDFLARE_API: `${world.restUrl}/cloudflare/client/v4`,
      SLIPWAY_CLOUDFLARE_APPS: `http://{worker}.{subdomain}.localhost:${world.appsPort}`,
    },
    appsPort: world.appsPort,
    /** Creates an account with an API token that has all permissions. */
    account: async (name: string): Promise<{ id: string; token: string }> => {
      const token = `cf_${randomBytes(20).toString('hex')}`
      const made = await control<{ account: { id: string } }>('/accounts', { name, token })
      return { id: made.account.id, token }
    },
    order: (match: object, effect: object) =>
      control('/faults', { match: { provider: 'cloudflare', ...match }, do: effect }),
    close: async () => {
      await world.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type SecondCloud = Awaited<ReturnType<typeof openSecondCloud>>
