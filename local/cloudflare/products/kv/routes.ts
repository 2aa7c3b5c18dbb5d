import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { hexId } from '../../../world/ids.ts'
import { findResource, listResources, renameResource, type Resource } from '../../store/resources.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond, respondWithPage } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { valueRoutes } from './values.ts'
import { sortList } from '../../rest/list-filters.ts'
import { readBody } from '../../rest/read-body.ts'
import { addResource, isHidden, removeResource, type StorageCloud } from '../storage/change.ts'

const Title = z.object({ title: z.string().min(1).max(512) })

/** KV namespaces over REST, mounted at /storage/kv/namespaces. The routes of their values are in `values.ts`. */
export function kvRoutes(cloud: StorageCloud): Hono<ApiEnv> {
  const requireNamespace = (c: Context<ApiEnv>): Resource => {
    const id = c.req.param('namespace') ?? ''
    const found = findResource(cloud.store, c.get('account').id, 'kv', { id })
    if (found === null || (c.req.method === 'GET' && isHidden(cloud, found)))
      throw new ApiFailure(404, 10013, 'namespace not found')
    return found
  }
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const all = listResources(cloud.store, c.get('account').id, 'kv')
      const shown = all.filter((namespace) => !isHidden(cloud, namespace)).map(toNamespace)
      return respondWithPage(c, sortList(c, shown, { id: ({ id }) => id, title: ({ title }) => title }))
    })
    .post('/', async (c) => {
      const accountId = c.get('account').id
      const { title } = await readBody(c, Title)
      const input = { id: hexId(), accountId, kind: 'kv' as const, name: title, settings: {} }
      return respond(
        c,
        toNamespace(addResource(cloud, input, () => requireFreeTitle(cloud, accountId, title))),
      )
    })
    .get('/:namespace', (c) => respond(c, toNamespace(requireNamespace(c))))
    .put('/:namespace', async (c) => {
      const namespace = requireNamespace(c)
      const { title } = await readBody(c, Title)
      if (title !== namespace.name) requireFreeTitle(cloud, namespace.accountId, title)
      renameResource(cloud.store, namespace.id, title)
      return respond(c, toNamespace({ ...namespace, name: title }))
    })
    .delete('/:namespace', async (c) => {
      await removeResource(cloud, requireNamespace(c))
      return respond(c, null)
    })
    .route('/:namespace', valueRoutes(cloud, requireNamespace))
}

const toNamespace = ({ id, name }: Resource) => ({ id, title: name, supports_url_encoding: true })

function requireFreeTitle(cloud: StorageCloud, accountId: string, title: string): void {
  if (findResource(cloud.store, accountId, 'kv', { name: title }) !== null)
    throw new ApiFailure(400, 10014, 'a namespace with this account ID and title already exists')
}
