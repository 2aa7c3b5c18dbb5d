import { Hono } from 'hono'
import * as scripts from '../scripts.ts'
import type { ApiEnv, Cloud } from './context.ts'
import { paged } from './envelope.ts'
import { ApiFailure } from './failure.ts'

/** Durable Object namespaces and the objects in them. */
export function namespaceRoutes(cloud: Cloud): Hono<ApiEnv> {
  const list = (accountId: string) =>
    scripts
      .listScripts(cloud.store, accountId)
      .flatMap((script) =>
        scripts.listNamespaces(cloud.store, script.id).map((namespace) => ({ script, namespace })),
      )
  return new Hono<ApiEnv>()
    .get('/', (c) =>
      paged(
        c,
        list(c.get('account').id).map(({ script, namespace }) => ({
          id: namespace.id,
          name: `${script.name}_${namespace.className}`,
          script: script.name,
          class: namespace.className,
          use_sqlite: namespace.storage === 'sqlite',
        })),
      ),
    )
    .get('/:namespace/objects', (c) => {
      const found = list(c.get('account').id).find(
        ({ namespace }) => namespace.id === c.req.param('namespace'),
      )
      if (found === undefined)
        throw new ApiFailure(404, 10066, 'This namespace does not exist on your account.')
      return paged(
        c,
        cloud.apps.listObjects(found.script, found.namespace).map((id) => ({ id, hasStoredData: true })),
      )
    })
}
