import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, SettingsError, type WorldConfig } from './config.ts'
import { readWorldFile } from './world/files.ts'
import { waitForLock } from './world/lock.ts'
import { worldLog } from './world/log.ts'
import { isAlive } from './world/processes.ts'
import { openWorld, toolFolders, workerdWrapper } from './open-world.ts'

/**
 * The entry module of the local world, the process with all stand-ins for providers. The service starts it as
 * a child process, with an IPC channel and a pipe as stdin; a person can also start it alone.
 */

const LOCK_WAIT_MS = 12_000
const DRAIN_MS = 3000
const STOP_LIMIT_MS = 10_000
/** The exit code when another process has locked this data directory. */
const LOCKED_EXIT_CODE = 3
const BAD_SETTINGS_EXIT_CODE = 2

const config = readSettings()
const isChild = process.send !== undefined
mkdirSync(config.dir, { recursive: true, mode: 0o700 })

const worldLock = await waitForLock(join(config.dir, 'world.lock'), isOwnerLeaving, LOCK_WAIT_MS)
if (worldLock === null) {
  worldLog.info('the local world of this data directory is running already')
  process.send?.({ type: 'taken' })
  process.exit(LOCKED_EXIT_CODE)
}

// workerd inherits the environment of this process, so remove all variables of the user.
cleanEnvironment()
const world = await openWorld(config, worldLog, isChild ? process.ppid : null).catch((error: unknown) => {
  // Log an expected error, such as a port in use or data of a newer version, in one line without a stack.
  worldLog.warn('the local world cannot start', {
    reason: error instanceof Error ? error.message : String(error),
  })
  process.exit(1)
})
worldLog.info('the local world is ready', { rest: world.restUrl, apps: `http://localhost:${world.appsPort}` })
process.send?.({ type: 'ready', restUrl: world.restUrl, appsPort: world.appsPort })

// Log an unhandled error instead of exiting: the error concerns one app, and exiting would stop all apps.
process.on('unhandledRejection', (error) => worldLog.warn('unhandled rejection', { error: String(error) }))

let isStopping = false
process.on('SIGTERM', () => void stopWorld(DRAIN_MS))
process.on('SIGINT', () => void stopWorld(DRAIN_MS))
if (isChild) {
  // When the service that started this process has ended or closed the IPC channel, stop all apps.
  process.stdin
    .on('end', () => void stopWorld(0))
    .on('error', () => void stopWorld(0))
    .resume()
  process.on('disconnect', () => void stopWorld(0))
}

async function stopWorld(drainMs: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
  await world.close(drainMs)
  worldLock?.release()
  process.exit(0)
}

/** Reads the settings. Ends this process when one is invalid, and tells the service why, because a restart would not help. */
function readSettings(): WorldConfig {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    if (process.send === undefined) process.stderr.write(`${error.message}\n`)
    else process.send({ type: 'misconfigured', message: error.message })
    process.exit(BAD_SETTINGS_EXIT_CODE)
  }
}

/**
 * Returns true when the process that holds the lock is about to exit: it has removed its world file, or the service that started the
 * process has ended.
 */
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
