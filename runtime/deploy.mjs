// Deploys this app with plain wrangler: first the worker that holds its records, then the app that calls it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const needsRecords = readFileSync('wrangler.jsonc', 'utf8').includes('"LIVE"')
const configs = [...(needsRecords ? ['wrangler.live.jsonc'] : []), 'wrangler.jsonc']
for (const config of configs) {
  const { status } = spawnSync('npx', ['wrangler', 'deploy', '--config', config], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
