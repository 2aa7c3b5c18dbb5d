import { access, constants } from 'node:fs/promises'
import { isMigrated } from '../db/migrate.ts'
import { countLiveProcesses } from '../jobs/presence.ts'
import type { Ports } from '../platform.ts'

const CHECK_TIMEOUT_MS = 1000

type ReadinessCheck = (platform: Pick<Ports, 'config' | 'pool'>, signal: AbortSignal) => Promise<boolean>

/** One check for each part that the service needs, in the order in which they are reported. */
const READINESS_CHECKS: Readonly<Record<string, ReadinessCheck>> = {
  database: async ({ pool }) => (await pool.query('select')).rowCount === 1,
  migrations: ({ pool }) => isMigrated(pool),
  'worker heartbeat': async ({ pool }) => {
    const { all, worker } = await countLiveProcesses(pool)
    return all + worker > 0
  },
  'data directory': async ({ config }) => {
    await access(config.dataDir, constants.W_OK)
    return true
  },
  'local world': async ({ config }, signal) => {
    if (!config.localWorld) return true
    // Any response proves that the process of the local emulators is running.
    const response = await fetch(config.cloudflare.api, { signal })
    await response.body?.cancel()
    return true
  },
}

/** Returns the names of the checks that fail or take longer than a second; an empty list when the service is ready. */
export async function findUnready(platform: Pick<Ports, 'config' | 'pool'>): Promise<string[]> {
  const checked = await Promise.all(
    Object.entries(READINESS_CHECKS).map(async ([name, check]) => ({
      name,
      isReady: await passesInTime(check, platform),
    })),
  )
  return checked.filter(({ isReady }) => !isReady).map(({ name }) => name)
}

async function passesInTime(
  check: ReadinessCheck,
  platform: Pick<Ports, 'config' | 'pool'>,
): Promise<boolean> {
  const limit = new AbortController()
  const late = new Promise<false>((resolve) => {
    limit.signal.addEventListener('abort', () => resolve(false))
  })
  const timer = setTimeout(() => limit.abort(), CHECK_TIMEOUT_MS)
  try {
    return await Promise.race([check(platform, limit.signal).catch(() => false), late])
  } finally {
    clearTimeout(timer)
  }
}
