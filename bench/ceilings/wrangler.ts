import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CACHE_FOLDER, ROOT } from '../harness/folders.ts'
import type { Service } from '../harness/service.ts'

/**
 * A deployment by hand, the baseline for shipping: wrangler, the command line of Cloudflare, deploys a similar app through the same
 * Cloudflare API.
 */
export interface WranglerProject {
  url: string
  deploy(release: number): Promise<void>
  remove(): void
}

const workerSource = (release: number) => `import { Hono } from 'hono'
const app = new Hono().basePath('/api')
app.get('/release', (c) => c.json({ release: ${release}, tides: 2 }))
export default app
`

export async function openWranglerProject(service: Service): Promise<WranglerProject> {
  const { account, token } = await createLocalAccount(service)
  // The folder is below the repository, so that the worker finds the packages it imports.
  mkdirSync(CACHE_FOLDER, { recursive: true })
  const dir = mkdtempSync(join(CACHE_FOLDER, 'wrangler-'))
  const name = 'tide-table'
  const assets = { directory: 'public', run_worker_first: ['/api/*'] }
  const config = { name, main: 'worker.js', compatibility_date: '2026-06-01', assets }
  mkdirSync(join(dir, 'public'))
  writeFileSync(join(dir, 'wrangler.json'), JSON.stringify(config))
  writeFileSync(join(dir, 'public/index.html'), '<h1>Tides</h1>')
  const env = {
    PATH: process.env['PATH'],
    HOME: service.dataDir,
    CI: '1',
    CLOUDFLARE_API_BASE_URL: `${service.worldUrl}/cloudflare/client/v4`,
    CLOUDFLARE_API_TOKEN: token,
    CLOUDFLARE_ACCOUNT_ID: account.id,
    WRANGLER_SEND_METRICS: 'false',
  }
  const program = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  return {
    url: `http://${name}.${account.subdomain}.localhost:${service.appsPort}`,
    async deploy(release) {
      writeFileSync(join(dir, 'worker.js'), workerSource(release))
      await promisify(execFile)(process.execPath, [program, 'deploy'], { cwd: dir, env })
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

export async function createLocalAccount(service: Service) {
  const response = await fetch(`${service.worldUrl}/_control/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.controlToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'By hand' }),
  })
  if (!response.ok) throw new Error(`no account: ${response.status} ${await response.text()}`)
  return (await response.json()) as { account: { id: string; subdomain: string }; token: string }
}
