import { Hono } from 'hono'
import * as z from 'zod'
import type { ApiCloud } from '../cloudflare/routes.ts'
import { listSchedules } from '../cloudflare/products/cron/schedules.ts'
import { listDomains } from '../cloudflare/products/domains/store.ts'
import { listQueues } from '../cloudflare/products/queues/store.ts'
import { listResources } from '../cloudflare/store/resources.ts'
import { findScript, listNamespaces, listScripts, readActiveVersion } from '../cloudflare/store/scripts.ts'
import { listWorkflows } from '../cloudflare/store/workflows.ts'
import { listZones } from '../cloudflare/store/zones.ts'
import type { Script } from '../cloudflare/types.ts'
import { sendSigkill } from '../world/processes.ts'

const OfAccount = z.object({ account: z.string() })

/**
 * Routes for tests that kill or stop the process of an app, evict its Durable Objects from memory, and crash
 * this process itself.
 */
export function processControl({ store, apps }: ApiCloud): Hono {
  type Asked = { req: { json(): Promise<unknown>; param(name: string): string | undefined } }
  const findAsked = async (c: Asked) =>
    findScript(store, OfAccount.parse(await c.req.json()).account, c.req.param('script') ?? '')
  const groupOf = (script: Script) => apps.group(script.groupId, script.accountId)
  const findGroup = async (c: Asked) => {
    const script = await findAsked(c)
    return script === null ? null : groupOf(script)
  }
  return new Hono()
    .post('/apps/:script/kill', async (c) => {
      const pid = (await findGroup(c))?.pid ?? null
      if (pid !== null) sendSigkill(pid)
      return c.json({ pid })
    })
    .post('/apps/:script/stop', async (c) => {
      const group = await findGroup(c)
      if (group?.isWarm === true) await group.stop()
      return c.json({ stopped: group !== null })
    })
    .post('/apps/:script/evict', async (c) => {
      const script = await findAsked(c)
      if (script === null) return c.json({ evicted: 0 })
      const objects = listNamespaces(store, script.id).flatMap((namespace) =>
        apps.listObjects(script, namespace).map((id) => ({ id, namespaceId: namespace.id })),
      )
      for (const { namespaceId, id } of objects) await groupOf(script).evict(namespaceId, id)
      return c.json({ evicted: objects.length })
    })
    .post('/world/crash', (c) => {
      // Kill the process on the next turn of the event loop, so that the response is sent first.
      setImmediate(() => sendSigkill(process.pid))
      return c.json({ crashing: true })
    })
}

/** Lists what an account contains, so that a test can compare it with the service's records. */
export function listAccount({ store }: ApiCloud, accountId: string): object {
  const scripts = listScripts(store, accountId)
  return {
    workers: scripts.map((script) => ({
      name: script.name,
      version: readActiveVersion(store, script.id)?.id ?? null,
      isOnSubdomain: script.isOnSubdomain,
    })),
    namespaces: scripts.flatMap((script) =>
      listNamespaces(store, script.id).map(({ id, className }) => ({ id, script: script.name, className })),
    ),
    domains: listDomains(store, accountId).map(({ hostname, service }) => ({ hostname, service })),
    buckets: listResources(store, accountId, 'r2').map(({ name }) => ({ name })),
    kvNamespaces: listResources(store, accountId, 'kv').map(({ id, name }) => ({ id, title: name })),
    databases: listResources(store, accountId, 'd1').map(({ id, name }) => ({ id, name })),
    queues: listQueues(store, accountId).map(({ id, name }) => ({ id, name })),
    workflows: listWorkflows(store, accountId).map(({ name }) => ({ name })),
    schedules: scripts.flatMap((script) =>
      listSchedules(store, script.id).map(({ cron }) => ({ script: script.name, cron })),
    ),
    zones: listZones(store, accountId).map(({ id, name }) => ({ id, name })),
  }
}
