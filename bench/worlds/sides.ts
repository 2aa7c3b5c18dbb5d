import assert from 'node:assert/strict'
import { join } from 'node:path'
import { freePorts } from '../../server/testing/ports.ts'
import { startChild } from '../harness/child.ts'
import { BENCH_KEY } from '../harness/key.ts'
import { makeFolder } from '../harness/folders.ts'
import { startService } from '../harness/service.ts'

/** A running server that is measured: the product, or a ceiling (the least code that does the same). */
export interface Side {
  url: string
  pid: number
  stop(): Promise<void>
}

export const AUTHORIZATION = { authorization: `Bearer ${BENCH_KEY}` }

/**
 * Starts the product without the local stand-ins for its providers, which no ticket request uses. Everything
 * else is on.
 */
export async function startProduct(databaseUrl: string): Promise<Side> {
  const service = await startService({ localWorld: false, databaseUrl })
  return { url: service.url, pid: service.pid, stop: () => service.remove() }
}

/** Starts a program of bench/ceilings, which reads DATABASE_URL and PORT. */
export async function startCeiling(
  name: string,
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<Side> {
  const [port = 0] = await freePorts(1)
  return startChild({
    program: `bench/ceilings/${name}.ts`,
    port,
    path: '/health',
    env: { ...env, DATABASE_URL: databaseUrl, PORT: String(port) },
    logFile: join(makeFolder(), `${name}.log`),
  })
}

type Ticket = Record<string, unknown>

/** Asserts that both sides return the same tickets. Otherwise the figures would compare different work. */
export async function requireSameResponse(sides: Side[], path: string): Promise<void> {
  const [ours, theirs] = await Promise.all(sides.map((side) => readTickets(side, path)))
  for (const [index, ticket] of (ours ?? []).entries()) {
    const { build, ...rest } = ticket
    assert.ok(build !== undefined, 'a ticket of the product says how its build stands')
    assert.deepEqual(rest, theirs?.[index])
  }
  assert.equal(ours?.length, theirs?.length)
}

async function readTickets(side: Side, path: string): Promise<Ticket[]> {
  const response = await fetch(side.url + path, { headers: AUTHORIZATION })
  const body = (await response.json()) as { data: Ticket | Ticket[] }
  assert.equal(response.status, 200, JSON.stringify(body))
  return [body.data].flat()
}
