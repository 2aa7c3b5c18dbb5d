import { styleText } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { ConfigError, readConfig } from './config.ts'
import { openLog } from './service-log.ts'
import { startService } from './start.ts'
import { describeAccess } from './start-summary.ts'
import { surviveExceptions } from './survive.ts'
import { VERSION } from './version.ts'

/** `npm start`: the service, until SIGINT or SIGTERM. The only file with side effects at import. */
const began = performance.now()
// Otherwise V8 soon allocates every row that the database returns among the long-lived objects, where it stays until a
// full collection: a hundred megabytes under load, and no request is faster for it.
setFlagsFromString('--no-allocation-site-pretenuring')
let isStopping = false
try {
  const { config, warnings } = readConfig(process.env)
  const log = openLog(config.logLevel)
  for (const warning of warnings) log.warn(warning)
  const starting = startService(config, log)
  // From the beginning: a service that dies during its start would leave its database running.
  stopOnSignal(() => stopAfter(starting))
  const service = await starting
  surviveExceptions(log)
  const lines = [
    `Slipway ${VERSION} is ready after ${Math.round(performance.now() - began)} ms.`,
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
  // From here on the script that started this process restarts it when it dies.
  if (process.connected) process.send?.('ready')
} catch (error) {
  // What fails because it is stopped ends by itself.
  if (!isStopping) {
    const isConfiguration = error instanceof ConfigError
    process.stderr.write(`${isConfiguration ? error.message : describe(error)}\n`)
    process.exit(isConfiguration ? 2 : 1)
  }
}

async function stopAfter(starting: Promise<{ stop(): Promise<void> }>): Promise<void> {
  isStopping = true
  process.stdout.write('Stopping ...\n')
  const service = await starting.catch(() => null)
  await service?.stop()
  process.stdout.write('Stopped.\n')
  process.exit(0)
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const once = () => {
    if (stopping) return
    stopping = true
    void stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, once)
  // The script that started this process died without a signal, maybe before this line, so nothing else would
  // stop it.
  process.on('disconnect', once)
  if (process.send !== undefined && !process.connected) once()
}

function describe(error: unknown): string {
  return error instanceof Error ? `Slipway cannot start: ${error.message}` : String(error)
}
