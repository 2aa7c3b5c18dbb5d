import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalWorld } from '../../server/local-world.ts'
import { silentLog } from '../../server/testing/database.ts'

/**
 * One more world in a process of its own, which a service takes for the real Cloudflare: reached by the same protocol
 * under another address, with accounts and tokens of its own. It outlives the service.
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
    /** Settings under which a service finds it. */
    env: {
      SLIPWAY_CLOUDFLARE_API: `${world.restUrl}/cloudflare/client/v4`,
      SLIPWAY_CLOUDFLARE_APPS: `http://{worker}.{subdomain}.localhost:${world.appsPort}`,
    },
    appsPort: world.appsPort,
    /** An account with an API token that may do everything. */
    account: async (name: string): Promise<{ id: string; token: string }> => {
      const token = `cf_${randomBytes(20).toString('hex')}`
      const made = await control<{ account: { id: string } }>('/accounts', { name, token })
      return { id: made.account.id, token }
    },
    /** What shall happen to calls that match. */
    order: (match: object, effect: object) =>
      control('/faults', { match: { provider: 'cloudflare', ...match }, do: effect }),
    close: async () => {
      await world.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type SecondCloud = Awaited<ReturnType<typeof openSecondCloud>>
