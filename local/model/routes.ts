import { Hono } from 'hono'
import { echoModel, type LocalModel } from './models.ts'
import { scaffoldModel } from './scaffold/scaffold.ts'
import { ModelScript } from './script.ts'
import { Scripts, scriptedModel } from './scripted.ts'
import { ChatRequest, errorBody } from './wire.ts'

export interface ModelRoutesOptions {
  /** Bearer token of the control routes. When null, the control routes and the scripted model do not exist. */
  controlToken: string | null
}

/** These models are always available. The scripted model exists only with the control routes. */
const localModels: LocalModel[] = [scaffoldModel, echoModel]

/** An OpenAI-compatible server, mounted at `/model`, whose models are programs. */
export function modelRoutes(options: ModelRoutesOptions): Hono {
  const app = new Hono()
  const scripts = new Scripts()
  const models = options.controlToken === null ? localModels : [...localModels, scriptedModel(scripts)]

  app.get('/v1/models', (c) => c.json({ object: 'list', data: models.map(describeModel) }))
  app.post('/v1/chat/completions', async (c) => {
    const read = ChatRequest.safeParse(await c.req.json().catch(() => null))
    if (!read.success) {
      const [issue] = read.error.issues
      const path = issue?.path.join('.') ?? 'body'
      return c.json(errorBody(`${path}: ${issue?.message ?? 'not JSON'}`, 'invalid_request_error'), 400)
    }
    const model = models.find((item) => item.id === read.data.model)
    if (model === undefined) {
      const known = models.map((item) => item.id).join(', ')
      return c.json(
        errorBody(
          `The model ${read.data.model} does not exist; this server has ${known}.`,
          'invalid_request_error',
          'model_not_found',
        ),
        404,
      )
    }
    const key = c.req.header('authorization')?.replace(/^Bearer /i, '') ?? ''
    return model.respond(read.data, { key, signal: c.req.raw.signal })
  })
  if (options.controlToken !== null) app.route('/_control', controlRoutes(scripts, options.controlToken))
  return app
}

const describeModel = (model: LocalModel) => ({
  id: model.id,
  object: 'model',
  created: 1_760_000_000,
  owned_by: 'slipway-local',
})

function controlRoutes(scripts: Scripts, token: string): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    if (c.req.header('authorization') !== `Bearer ${token}`)
      return c.json({ error: 'control token required' }, 401)
    await next()
  })
  app.put('/scripts/:key', async (c) => {
    const read = ModelScript.safeParse(await c.req.json().catch(() => null))
    if (!read.success) return c.json({ error: read.error.message }, 400)
    scripts.put(c.req.param('key'), read.data.steps)
    return c.json({ steps: read.data.steps.length })
  })
  app.get('/calls/:key', (c) => c.json(scripts.calls(c.req.param('key'))))
  return app
}
