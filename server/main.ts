import { styleText } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { ConfigError, readConfig } from './config.ts'
import { openLog } from './process/service-log.ts'
import { startService } from './process/start.ts'
import { describeAccess } from './process/start-summary.ts'
import { handleUncaughtExceptions } from './process/uncaught-exceptions.ts'
import { VERSION } from './version.ts'

/** `npm start`: runs the service until SIGINT or SIGTERM. It is the only file with side effects at import. */
const startedAt = performance.now()
// Without this flag V8 soon allocates database rows as long-lived objects, which are only freed by a full
// garbage collection. That costs a hundred megabytes of memory under load and makes no request faster.
setFlagsFromString('--no-allocation-site-pretenuring')
let isStopping = false
try {
  const { config, warnings } = readConfig(process.env)
  const log = openLog(config.logLevel)
  for (const warning of warnings) log.warn(warning)
  const stopping = new AbortController()
  const starting = startService(config, log, { signal: stopping.signal })
  // Signals are handled during the start, too: otherwise a service that is stopped during its start would leave its database running.
  stopOnSignal(() => {
    stopping.abort()
    return stopAfterStart(starting)
  })
  const service = await starting
  handleUncaughtExceptions(log)
  const lines = [
    `Slipway ${VERSION} is ready after ${Math.round(performance.now() - startedAt)} ms.`,
    `  Console   ${config.baseUrl}`,
    `  API       ${config.baseUrl}/api/v1  (reference: ${config.baseUrl}/docs)`,
    `  Data      ${config.dataDir}`,
    `  Database  ${config.databaseUrl === null ? 'embedded Postgres' : 'DATABASE_URL'}`,
    `  Cloud     ${config.localWorld ? 'local stand-ins; connect your own under Settings' : 'real providers'}`,
    ...(await describeAccess(config, { listensOn: service.listensOn, db: service.platform.db })).map(
      (line) => `  ${line}`,
    ),
  ]
  process.stdout.write(`${styleText('bold', lines[0] ?? '')}\n${lines.slice(1).join('\n')}\n`)
  // Tells the script that started this process that the start succeeded. From now on the script restarts this process
  // when it dies.
  if (process.connected) process.send?.('ready')
} catch (error) {
  // An error while the service is stopping needs no message: `stopAfterStart` ends the process.
  if (!isStopping) {
    const isConfiguration = error instanceof ConfigError
    process.stderr.write(`${isConfiguration ? error.message : describeStartError(error)}\n`)
    process.exit(isConfiguration ? 2 : 1)
  }
}

/** Waits for the current step of the startup, then stops everything that was started. */
async function stopAfterStart(starting: Promise<{ stop(): Promise<void> }>): Promise<void> {
  isStopping = true
  process.stdout.write('Stopping ...\n')
  const service = await starting.catch(() => null)
  await service?.stop()
  process.stdout.write('Stopped.\n')
  process.exit(0)
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const stopOnce = () => {
    if (stopping) return
    stopping = true
    void stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stopOnce)
  // The script that started this process may have been killed, perhaps before this line. In that case
  // nothing else would stop this process.
  process.on('disconnect', stopOnce)
  if (process.send !== undefined && !process.connected) stopOnce()
}

function describeStartError(error: unknown): string {
  return error instanceof Error ? `Slipway cannot start: ${error.message}` : String(error)
}
