import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { secretTypes } from '../products/index.ts'
import { draftWithBindings } from './draft.ts'
import { publish } from './publish.ts'
import * as scripts from '../store/scripts.ts'
import type { Binding } from '../types.ts'
import type { ApiEnv } from '../rest/context.ts'
import type { ScriptsCloud } from './context.ts'
import { respond } from '../rest/envelope.ts'
import { findScriptOrRefuse } from '../rest/find-script.ts'
import { ApiFailure } from '../rest/failure.ts'
import { readBody } from '../rest/read-body.ts'
import { sourceOf } from './routes.ts'
import { toBinding } from './shapes.ts'

const Secret = z.object({ name: z.string().min(1), text: z.string(), type: z.literal('secret_text') })
const NamedText = z.object({ name: z.string().min(1), text: z.string(), type: z.string().optional() })
/** A JSON merge patch, in which null removes a secret. */
const Bulk = z.object({ secrets: z.record(z.string(), NamedText.nullable()) })

/** Each change creates a new version and deploys it. Values are never returned. */
export function secretRoutes(cloud: ScriptsCloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/secrets', (c) => respond(c, listSecrets(cloud, c)))
    .put('/secrets', async (c) => {
      const secret = await readBody(c, Secret)
      await changeSecrets(cloud, c, new Map([[secret.name, secret.text]]))
      return respond(c, { name: secret.name, type: 'secret_text' })
    })
    .patch('/secrets-bulk', async (c) => {
      const { secrets } = await readBody(c, Bulk)
      await changeSecrets(
        cloud,
        c,
        new Map(Object.entries(secrets).map(([name, secret]) => [name, secret?.text ?? null])),
      )
      return respond(c, listSecrets(cloud, c))
    })
    .delete('/secrets/:name', async (c) => {
      const name = c.req.param('name')
      if (!listSecrets(cloud, c).some((secret) => secret.name === name)) {
        throw new ApiFailure(404, 10056, `Binding '${name}' not found.`)
      }
      await changeSecrets(cloud, c, new Map([[name, null]]))
      return respond(c, null)
    })
}

function listSecrets(cloud: ScriptsCloud, c: Context<ApiEnv>): { name: string; type: string }[] {
  const latest = scripts.readLatestVersion(cloud.store, findScriptOrRefuse(cloud, c).id)
  const secrets = latest?.content.bindings.filter((binding) => secretTypes.includes(binding.type)) ?? []
  return secrets.map((binding) => toBinding(binding) as { name: string; type: string })
}

async function changeSecrets(
  cloud: ScriptsCloud,
  c: Context<ApiEnv>,
  change: Map<string, string | null>,
): Promise<void> {
  const script = findScriptOrRefuse(cloud, c)
  const applyChange = (bindings: Binding[]) => {
    const kept = bindings.filter(({ name, type }) => !(secretTypes.includes(type) && change.has(name)))
    const set = [...change].filter((entry): entry is [string, string] => entry[1] !== null)
    const taken = set.find(([name]) => kept.some((binding) => binding.name === name))
    if (taken !== undefined)
      throw new ApiFailure(
        400,
        10053,
        `Binding name '${taken[0]}' already in use. Please use a different name.`,
      )
    return [...kept, ...set.map(([name, text]) => ({ type: 'secret_text', name, text }))]
  }
  await publish(
    cloud,
    c.get('account'),
    script.name,
    (now) => draftWithBindings(now, applyChange, sourceOf(c)),
    {
      isDeployed: true,
      trigger: 'secret',
    },
  )
}
