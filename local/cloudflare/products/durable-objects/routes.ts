import { Hono } from 'hono'
import * as z from 'zod'
import * as scripts from '../../store/scripts.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { respondWithPage } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readQuery } from '../../rest/read-body.ts'
import type { Namespace, Script } from '../../types.ts'

const ObjectsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
  cursor: z.string().default(''),
})

interface ObjectsCloud extends Cloud {
  apps: Cloud['apps'] & { listObjects(script: Script, namespace: Namespace): string[] }
}

/**
 * Namespaces of Durable Objects and their objects, mounted at /workers/durable_objects/namespaces. Namespaces are created by uploads of
 * workers, so there is no route for that.
 */
export function namespaceRoutes(cloud: ObjectsCloud): Hono<ApiEnv> {
  const listNamespaces = (accountId: string) =>
    scripts
      .listScripts(cloud.store, accountId)
      .flatMap((script) =>
        scripts.listNamespaces(cloud.store, script.id).map((namespace) => ({ script, namespace })),
      )
  return new Hono<ApiEnv>()
    .get('/', (c) =>
      respondWithPage(
        c,
        listNamespaces(c.get('account').id).map(({ script, namespace }) => ({
          id: namespace.id,
          name: `${script.name}_${namespace.className}`,
          script: script.name,
          class: namespace.className,
          use_sqlite: namespace.storage === 'sqlite',
        })),
      ),
    )
    .get('/:namespace/objects', (c) => {
      const found = listNamespaces(c.get('account').id).find(
        ({ namespace }) => namespace.id === c.req.param('namespace'),
      )
      if (found === undefined)
        throw new ApiFailure(404, 10066, 'This namespace does not exist on your account.')
      const { limit, cursor } = readQuery(c, ObjectsQuery)
      const rest = cloud.apps.listObjects(found.script, found.namespace).filter((id) => id > cursor)
      const page = rest.sort().slice(0, limit)
      const after = rest.length > page.length ? page.at(-1) : undefined
      return c.json({
        success: true,
        errors: [],
        messages: [],
        result: page.map((id) => ({ id, hasStoredData: true })),
        // The cursor has two names, because the SDK and other clients read different names.
        result_info: {
          count: page.length,
          ...(after === undefined ? {} : { cursor: after, cursors: { after } }),
        },
      })
    })
}
