import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import * as z from 'zod'
import { AdminError } from '../../server/admin/admin-error.ts'
import type { Config } from '../../server/config.ts'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { startEmbedded } from '../../server/db/embedded.ts'

export const silent = pino({ level: 'silent' })

export interface Installation {
  database: Database
  close(): Promise<void>
}

/**
 * Opens the database of the installation, whether the service runs or not. Starts the embedded Postgres if it is not running; then
 * `close` stops it again.
 */
export async function openInstallation(config: Config): Promise<Installation> {
  if (config.databaseUrl !== null) return openAt(config.databaseUrl, async () => {})
  const { dataDir } = config
  if (!existsSync(join(dataDir, 'postgres')))
    throw new AdminError(
      `There is no Slipway in ${dataDir}. Set SLIPWAY_DATA_DIR to the data directory of yours, or DATABASE_URL.`,
    )
  const running = readAddress(dataDir)
  if (running !== null && (await isReachable(running))) return openAt(running, async () => {})
  const embedded = await startEmbedded({ dataDir, log: silent })
  return openAt(embedded.url, () => embedded.stop())
}

function openAt(url: string, stop: () => Promise<void>): Installation {
  const database = openDatabase({ url, log: silent })
  return {
    database,
    close: async () => {
      await database.close()
      await stop()
    },
  }
}

const Connection = z.object({ url: z.string() })

/** Reads the address that a running embedded database has written to a file. */
function readAddress(dataDir: string): string | null {
  try {
    const text = readFileSync(join(dataDir, 'postgres/connection.json'), 'utf8')
    return Connection.parse(JSON.parse(text)).url
  } catch {
    return null
  }
}

/**
 * Returns whether the database responds. After the service was killed, the file still has the address of a database that no longer runs.
 */
async function isReachable(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
