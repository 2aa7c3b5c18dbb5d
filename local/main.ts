import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { readWorldFile } from './world/files.ts'
import { waitForLock } from './world/lock.ts'
import { worldLog } from './world/log.ts'
import { isAlive } from './world/processes.ts'
import { openWorld, toolFolders, workerdWrapper } from './world/world.ts'

/** The local world: its own process, started by the service (with a channel and a pipe on stdin) or by hand. */

const LOCK_WAIT_MS = 12_000
const DRAIN_MS = 3000
const STOP_LIMIT_MS = 10_000
/** Another process has the world of this data directory. */
const EXIT_TAKEN = 3

const config = readConfig(process.env)
const isChild = process.send !== undefined
mkdirSync(config.dir, { recursive: true, mode: 0o700 })

const lock = await waitForLock(join(config.dir, 'world.lock'), isOwnerLeaving, LOCK_WAIT_MS)
if (lock === null) {
  worldLog.info('the local world of this data directory is running already')
  process.send?.({ type: 'taken' })
  process.exit(EXIT_TAKEN)
}

// workerd inherits this environment: nothing of the person's own may be in it.
cleanEnvironment()
const world = await openWorld(config, worldLog, isChild ? process.ppid : null).catch((error: unknown) => {
  // A port in use, data of a newer version: one line for the person, not a stack.
  worldLog.warn('the local world cannot start', {
    reason: error instanceof Error ? error.message : String(error),
  })
  process.exit(1)
})
worldLog.info('the local world is ready', { rest: world.restUrl, apps: `http://localhost:${world.appsPort}` })
process.send?.({ type: 'ready', restUrl: world.restUrl, appsPort: world.appsPort })

// One app's trouble inside the simulator must not take all the others along.
process.on('unhandledRejection', (error) => worldLog.warn('unhandled rejection', { error: String(error) }))

let isStopping = false
process.on('SIGTERM', () => void stop(DRAIN_MS))
process.on('SIGINT', () => void stop(DRAIN_MS))
if (isChild) {
  // The service has died or lets go. Whatever it was doing, its apps must not outlive it.
  process.stdin
    .on('end', () => void stop(0))
    .on('error', () => void stop(0))
    .resume()
  process.on('disconnect', () => void stop(0))
}

async function stop(drainMs: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
  await world.close(drainMs)
  lock?.release()
  process.exit(0)
}

/** True while the lock's owner is closing: it has taken its file away, or the service it belongs to is dead. */
function isOwnerLeaving(): boolean {
  const running = readWorldFile(config.dir)
  return running === null || (running.ownerPid !== null && !isAlive(running.ownerPid))
}

function cleanEnvironment(): void {
  const kept = ['PATH', 'LANG', 'TZ']
  const clean: Record<string, string> = {
    ...Object.fromEntries(
      kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    ...toolFolders(config.dir),
    MINIFLARE_WORKERD_PATH: workerdWrapper,
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
  }
  for (const name of Object.keys(process.env)) if (!(name in clean)) delete process.env[name]
  Object.assign(process.env, clean)
}
