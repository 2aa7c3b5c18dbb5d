import { Hono } from 'hono'
import type { Mount } from '../kernel/worker/mount.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import { queryIn, readJson } from '../kernel/access/guard.ts'
import { callerOf } from '../kernel/access/session.ts'
import type { RawQuery } from './frames.ts'
import {
  countRecords,
  getRecord,
  listRecords,
  mutateRecords,
  openDataSocket,
  searchRecords,
} from './rpc-client.ts'
import { isFields } from '../kernel/fields.ts'

/**
 * The routes of `/_app/data`: GET `/socket`, GET `/search`, POST `/mutate`, GET `/:collection`, GET `/:collection/count`, GET
 * `/:collection/:id`. The access rules apply to all of them.
 */
const dataRoutes = new Hono()
  .get('/socket', (c) => {
    if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
      throw new ApiError('invalid_request', 'Upgrade: must be websocket')
    }
    return openDataSocket(c.req.raw)
  })
  .get('/search', async (c) => {
    const { collection = '', q = '', partition } = queryIn(c.req.url, ['collection', 'q', 'partition'])
    return succeed(await searchRecords(callerOf(c.req.raw), collection, q, partition))
  })
  .post('/mutate', async (c) => {
    const body = await readJson(c.req.raw)
    const { mutationId, ops } = body
    return succeed(await mutateRecords(callerOf(c.req.raw), mutationId, ops, partitionOf(body)))
  })
  .get('/:collection', async (c) =>
    succeed(
      await listRecords(
        callerOf(c.req.raw),
        c.req.param('collection'),
        recordQueryOf(c.req.url),
        partitionIn(c.req.url),
      ),
    ),
  )
  // Cannot collide with `/:collection/:id`: `count` is too short for an id.
  .get('/:collection/count', async (c) => {
    const { where = {} } = recordQueryOf(c.req.url)
    const collection = c.req.param('collection')
    return succeed(await countRecords(callerOf(c.req.raw), collection, where, partitionIn(c.req.url)))
  })
  .get('/:collection/:id', async (c) =>
    succeed(
      await getRecord(
        callerOf(c.req.raw),
        c.req.param('collection'),
        c.req.param('id'),
        partitionIn(c.req.url),
      ),
    ),
  )

function recordQueryOf(address: string): RawQuery {
  const { where, sort, limit, cursor } = queryIn(address, ['where', 'sort', 'limit', 'cursor'])
  return { where: where === undefined ? undefined : parseWhere(where), sort, limit: toNumber(limit), cursor }
}

const partitionIn = (address: string): string | undefined => queryIn(address, ['partition']).partition

/** Returns the requested partition. The access rules decide later whether the sender may use it. */
function partitionOf({ partition = null }: Record<string, unknown>): string | undefined {
  if (partition === null) return undefined
  if (typeof partition === 'string') return partition
  throw invalid('partition', 'must be text')
}

const toNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text))

function parseWhere(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isFields(value)) return value
  } catch {
    // Ignore the parse error: the next line throws the same error for every invalid text.
  }
  throw invalid('where', 'must be a JSON object')
}

export const mount: Mount = { routes: dataRoutes }
