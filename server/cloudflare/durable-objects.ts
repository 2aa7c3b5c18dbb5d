import * as z from 'zod'
import type { Cloud } from './client.ts'

const Namespace = z.looseObject({ id: z.string(), class: z.string().nullish(), script: z.string().nullish() })
const PER_PAGE = 1000

/** Returns the id of the object namespace of a script's class, or null while there is none. */
export async function findNamespace(cloud: Cloud, script: string, className: string): Promise<string | null> {
  for (let page = 1; ; page++) {
    const namespaces = await cloud.call({
      method: 'GET',
      path: '/accounts/:account/workers/durable_objects/namespaces',
      query: { page: String(page), per_page: String(PER_PAGE) },
      doing: 'list its object namespaces',
      result: z.array(Namespace),
    })
    const found = namespaces.find((one) => one.script === script && one.class === className)
    if (found !== undefined) return found.id
    if (namespaces.length < PER_PAGE) return null
  }
}

/** Returns the number of objects with stored data, at most a thousand, because it reads only one page. */
export async function countObjects(cloud: Cloud, namespaceId: string): Promise<number> {
  const objects = await cloud.call({
    method: 'GET',
    path: `/accounts/:account/workers/durable_objects/namespaces/${encodeURIComponent(namespaceId)}/objects`,
    query: { limit: String(PER_PAGE) },
    doing: 'count its objects',
    result: z.array(z.looseObject({ hasStoredData: z.boolean().nullish() })),
  })
  return objects.filter((one) => one.hasStoredData !== false).length
}
