import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../../server/testing/ports.ts'
import { type Child, startChild } from './child.ts'
import { makeFolder } from './folders.ts'

export interface Service extends Child {
  dataDir: string
  /** The base address of the local stand-ins for cloud, model and other providers; null when they are off. */
  worldUrl: string | null
  appsPort: number
  controlToken(): string
  remove(): Promise<void>
}

/** Limits that no benchmark reaches. The rate limiters stay on, because their cost is part of every request. */
const RAISED_LIMITS = Object.fromEntries(
  ['KEY', 'SESSION', 'ADDRESS'].map((whose) => [`SLIPWAY_${whose}_LIMIT_PER_MINUTE`, '1000000000']),
)

/** Starts the product as an operator would, on free ports; without `databaseUrl`, the product starts its own database. */
export async function startService(options: {
  localWorld: boolean
  databaseUrl?: string
  dataDir?: string
  /** Whether the checks of a build open the pages of the app in a browser, if one is installed. */
  seesPages?: boolean
}): Promise<Service> {
  const dataDir = options.dataDir ?? makeFolder()
  const [port = 0, localPort = 0, appsPort = 0] = await freePorts(3)
  const child = await startChild({
    program: 'server/main.ts',
    port,
    path: '/health',
    logFile: join(dataDir, 'service.log'),
    env: {
      ...RAISED_LIMITS,
      SLIPWAY_PORT: String(port),
      SLIPWAY_BASE_URL: `http://127.0.0.1:${port}`,
      SLIPWAY_DATA_DIR: dataDir,
      SLIPWAY_LOCAL_WORLD: options.localWorld ? 'on' : 'off',
      SLIPWAY_LOCAL_PORT: String(localPort),
      SLIPWAY_APPS_PORT: String(appsPort),
      SLIPWAY_LOCAL_CONTROL: 'on',
      SLIPWAY_OUTBOUND_ALLOW: '127.0.0.1',
      SLIPWAY_LOG_LEVEL: 'warn',
      SLIPWAY_SEE_PAGES: options.seesPages === false ? 'off' : 'on',
      ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
    },
  })
  return {
    ...child,
    dataDir,
    worldUrl: options.localWorld ? `http://127.0.0.1:${localPort}` : null,
    appsPort,
    controlToken: () => readFileSync(join(dataDir, 'local/control.token'), 'utf8').trim(),
    async remove() {
      await child.stop()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
  }
}
