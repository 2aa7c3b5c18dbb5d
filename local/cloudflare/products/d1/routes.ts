import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { findResource, listResources, type Resource } from '../../store/resources.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { queryRoutes, readSize } from './query.ts'
import { type TransferCloud, transferRoutes } from './transfers.ts'
import { respond, isoTime, respondWithPage } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import { addResource, isHidden, removeResource, type StorageCloud } from '../storage/change.ts'

const DATABASES_MAX = { free: 10, paid: 50_000 }

const NewDatabase = z.object({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  primary_location_hint: z.string().default('weur'),
})
// Read replication is not simulated: the setting is not stored and always returned as disabled.
const Change = z.looseObject({
  read_replication: z.object({ mode: z.enum(['auto', 'disabled']) }).optional(),
})

/** D1 over REST, mounted at /d1/database. As at the provider, a path accepts the id or the name of a database. */
export function d1Routes(cloud: TransferCloud): Hono<ApiEnv> {
  const requireDatabase = (c: Context<ApiEnv>): Resource => {
    const idOrName = c.req.param('database') ?? ''
    const accountId = c.get('account').id
    const found =
      findResource(cloud.store, accountId, 'd1', { id: idOrName }) ??
      findResource(cloud.store, accountId, 'd1', { name: idOrName })
    if (found === null || (c.req.method === 'GET' && isHidden(cloud, found)))
      throw new ApiFailure(404, 7404, `The database ${idOrName} could not be found`)
    return found
  }
  const describeDatabase = async (database: Resource) => ({
    ...toDatabase(database),
    ...(await readSize(cloud, database)),
  })
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const name = c.req.query('name') ?? ''
      const all = listResources(cloud.store, c.get('account').id, 'd1')
      const wanted = all.filter((database) => database.name.includes(name) && !isHidden(cloud, database))
      return respondWithPage(c, wanted.map(toDatabase))
    })
    .post('/', async (c) => respond(c, toDatabase(await createDatabase(cloud, c))))
    .get('/:database', async (c) => {
      const database = requireDatabase(c)
      // Reading the size may start a workerd process, so skip it unless a field in `SIZE_FIELDS` is
      // requested.
      const fields = c.req.query('fields')?.split(',') ?? null
      if (fields !== null && !fields.some((field) => SIZE_FIELDS.includes(field)))
        return respond(c, pickFields(toDatabase(database), fields))
      return respond(c, pickFields(await describeDatabase(database), fields))
    })
    .on(['PATCH', 'PUT'], '/:database', async (c) => {
      await readBody(c, Change)
      return respond(c, await describeDatabase(requireDatabase(c)))
    })
    .delete('/:database', async (c) => {
      await removeResource(cloud, requireDatabase(c))
      return respond(c, null)
    })
    .route('/:database', queryRoutes(cloud, requireDatabase))
    .route('/:database', transferRoutes(cloud, requireDatabase))
}

const SIZE_FIELDS = ['file_size', 'num_tables']

function pickFields(whole: Record<string, unknown>, fields: string[] | null): Record<string, unknown> {
  return fields === null
    ? whole
    : Object.fromEntries(Object.entries(whole).filter(([name]) => fields.includes(name)))
}

const toDatabase = ({ id, name, settings, createdAt }: Resource): Record<string, unknown> => ({
  uuid: id,
  name,
  version: 'production',
  created_at: isoTime(createdAt),
  created_in_region: settings['region'],
  running_in_region: settings['region'],
  read_replication: { mode: 'disabled' },
})

async function createDatabase(cloud: StorageCloud, c: Context<ApiEnv>): Promise<Resource> {
  const { id: accountId, plan } = c.get('account')
  const { name, primary_location_hint: region } = await readBody(c, NewDatabase)
  const input = {
    id: randomUUID(),
    accountId,
    kind: 'd1' as const,
    name,
    settings: { region: region.toUpperCase() },
  }
  return addResource(cloud, input, () => {
    if (findResource(cloud.store, accountId, 'd1', { name }) !== null)
      throw new ApiFailure(400, 7502, `A database with the name ${name} already exists`)
    if (listResources(cloud.store, accountId, 'd1').length >= DATABASES_MAX[plan])
      throw new ApiFailure(403, 7406, `You have reached the limit of ${DATABASES_MAX[plan]} databases.`)
  })
}
