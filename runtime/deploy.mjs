// Deploys this app with plain wrangler: first the workers that hold its records and serve its assets, then
// the app.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const app = readFileSync('wrangler.jsonc', 'utf8')
const configs = [
  ...(app.includes('"LIVE"') ? ['wrangler.live.jsonc'] : []),
  ...(app.includes('"ASSET_SERVER"') ? ['wrangler.assets.jsonc'] : []),
  'wrangler.jsonc',
  // Deploy the worker with the app's records a second time, with a binding to the app's worker, which did not
  // exist the first time.
  ...(existsSync('wrangler.live-app.jsonc') ? ['wrangler.live-app.jsonc'] : []),
]
for (const config of configs) {
  const { status } = spawnSync('npx', ['wrangler', 'deploy', '--config', config], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
