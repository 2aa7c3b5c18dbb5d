import { Hono } from 'hono'
import * as z from 'zod'
import { mergeBindings } from './merge-bindings.ts'
import { secretTypes } from '../products/index.ts'
import { draftWithBindings } from './draft.ts'
import { publish } from './publish.ts'
import * as scripts from '../store/scripts.ts'
import { saveSettings, sourceOf } from './routes.ts'
import type { Binding, Script } from '../types.ts'
import type { ApiEnv } from '../rest/context.ts'
import type { ScriptsCloud } from './context.ts'
import { respond } from '../rest/envelope.ts'
import { findScriptOrRefuse } from '../rest/find-script.ts'
import { ApiFailure } from '../rest/failure.ts'
import { isForm, readBody, readForm } from '../rest/read-body.ts'
import { toBinding, toSubdomain } from './shapes.ts'

const ScriptSettings = z.looseObject({
  tags: z.array(z.string()).nullish(),
  logpush: z.boolean().nullish(),
  observability: z.unknown().optional(),
  tail_consumers: z.array(z.unknown()).nullish(),
})
const Settings = ScriptSettings.extend({
  bindings: z.array(z.looseObject({ type: z.string(), name: z.string() })).optional(),
})
const Subdomain = z.object({ enabled: z.boolean(), previews_enabled: z.boolean().optional() })

/** Some settings belong to the script; a change of any other setting creates a new version. */
export function settingsRoutes(cloud: ScriptsCloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/settings', (c) => respond(c, toSettings(cloud, findScriptOrRefuse(cloud, c))))
    .patch('/settings', async (c) => {
      const settings = await readSettingsPatch(c.req.raw)
      const script = findScriptOrRefuse(cloud, c)
      if (settings.bindings !== undefined) {
        const wanted: Binding[] = settings.bindings
        const mergeWanted = (bindings: Binding[]) => mergeBindings(wanted, bindings, secretTypes)
        await publish(
          cloud,
          c.get('account'),
          script.name,
          (now) => draftWithBindings(now, mergeWanted, sourceOf(c)),
          {
            isDeployed: true,
          },
        )
      }
      keepSettings(cloud, findScriptOrRefuse(cloud, c), settings)
      return respond(c, toSettings(cloud, findScriptOrRefuse(cloud, c)))
    })
    .get('/script-settings', (c) => respond(c, toScriptSettings(findScriptOrRefuse(cloud, c))))
    .patch('/script-settings', async (c) => {
      keepSettings(cloud, findScriptOrRefuse(cloud, c), await readBody(c, ScriptSettings))
      return respond(c, toScriptSettings(findScriptOrRefuse(cloud, c)))
    })
    .get('/subdomain', (c) => respond(c, toSubdomain(findScriptOrRefuse(cloud, c))))
    .post('/subdomain', async (c) => {
      const input = await readBody(c, Subdomain)
      const script = findScriptOrRefuse(cloud, c)
      const next = {
        ...script,
        isOnSubdomain: input.enabled,
        hasPreviews: input.previews_enabled ?? script.hasPreviews,
      }
      scripts.updateScript(cloud.store, next)
      cloud.apps.hosts.clear()
      return respond(c, toSubdomain(next))
    })
}

/** Settings are sent as JSON or as the `settings` part of a multipart form. */
async function readSettingsPatch(request: Request): Promise<z.output<typeof Settings>> {
  const part = isForm(request) ? (await readForm(request)).get('settings') : await request.text()
  const text = part === null || typeof part === 'string' ? part : await part.text()
  let value: unknown
  try {
    value = JSON.parse(text ?? '')
  } catch {
    throw new ApiFailure(400, 10001, 'The settings are not JSON.')
  }
  const read = Settings.safeParse(value)
  if (!read.success) throw new ApiFailure(400, 10001, z.prettifyError(read.error))
  return read.data
}

function keepSettings(cloud: ScriptsCloud, script: Script, input: z.output<typeof ScriptSettings>): void {
  const settings = { ...script.settings }
  if (input.tags !== undefined) settings.tags = input.tags ?? []
  if (input.logpush !== undefined) settings.logpush = input.logpush ?? false
  if (input.observability !== undefined) settings.observability = input.observability
  if (input.tail_consumers !== undefined) settings.tail_consumers = input.tail_consumers ?? []
  saveSettings(cloud, script, settings)
}

function toScriptSettings(script: Script): object {
  return {
    tags: script.settings.tags ?? [],
    logpush: script.settings.logpush ?? false,
    observability: script.settings.observability ?? { enabled: false },
    tail_consumers: script.settings.tail_consumers ?? null,
  }
}

function toSettings(cloud: ScriptsCloud, script: Script): object {
  const content = scripts.readActiveVersion(cloud.store, script.id)?.content
  return {
    ...toScriptSettings(script),
    bindings: (content?.bindings ?? []).map(toBinding),
    compatibility_date: content?.compatibilityDate ?? '',
    compatibility_flags: content?.compatibilityFlags ?? [],
    usage_model: content?.usageModel ?? 'standard',
    migration_tag: script.migrationTag,
    annotations: content?.annotations ?? {},
  }
}
