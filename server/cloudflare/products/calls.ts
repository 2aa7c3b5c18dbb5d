import * as z from 'zod'
import type { Cloud } from '../client.ts'

/** `sfu_app` is an app of the media server, `turn_key` a key for the relay servers. */
export type CallsKind = 'sfu_app' | 'turn_key'

const Listed = z.looseObject({ uid: z.string(), name: z.string().nullish() })
export type CallsResource = z.output<typeof Listed>

/** The response to a creation. No other response contains the secret. The name of the secret's field differs by kind. */
const Created = z.union([
  z.object({ uid: z.string(), secret: z.string().min(1) }),
  z.object({ uid: z.string(), key: z.string().min(1) }).transform(({ uid, key }) => ({ uid, secret: key })),
])

const PATH_OF_KIND = {
  sfu_app: '/accounts/:account/calls/apps',
  turn_key: '/accounts/:account/calls/turn_keys',
}
const LABEL_OF_KIND = { sfu_app: 'media app', turn_key: 'relay key' }

/** Returns all items of a kind with this name. There may be several, because names are not unique at the provider. */
export async function findCalls(cloud: Cloud, kind: CallsKind, name: string): Promise<CallsResource[]> {
  const all = await cloud.call({
    method: 'GET',
    path: PATH_OF_KIND[kind],
    doing: `look at the ${LABEL_OF_KIND[kind]} ${name}`,
    result: z.array(Listed),
  })
  return all.filter((one) => one.name === name)
}

/** Throws after a lost response and does not retry, because a repeated call may create a second item of the same name. */
export const createCalls = (cloud: Cloud, kind: CallsKind, name: string) =>
  cloud.call({
    method: 'POST',
    path: PATH_OF_KIND[kind],
    json: { name },
    doing: `make the ${LABEL_OF_KIND[kind]} ${name}`,
    result: Created,
    write: { action: `${kind}.create`, target: name },
  })

/** Deletes an item. Succeeds when there is none. */
export async function deleteCalls(cloud: Cloud, kind: CallsKind, item: CallsResource): Promise<void> {
  const name = item.name ?? item.uid
  await cloud.call({
    method: 'DELETE',
    path: `${PATH_OF_KIND[kind]}/${encodeURIComponent(item.uid)}`,
    doing: `remove the ${LABEL_OF_KIND[kind]} ${name}`,
    result: z.unknown(),
    missing: 'null',
    write: { action: `${kind}.remove`, target: name },
  })
}
