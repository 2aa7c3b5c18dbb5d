import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { AI_MODELS } from './models.ts'
import { AiRefusal } from './refusal.ts'
import { runModel } from './run.ts'
import { requireScope } from '../../rest/authenticate.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond, respondWithPage } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import type { AiBackend } from './backend.ts'

const Anything = z.looseObject({})
const Chat = z.looseObject({
  model: z.string(),
  messages: z.array(z.unknown()).min(1),
  stream: z.boolean().default(false),
  response_format: z.looseObject({ type: z.string() }).optional(),
})

/** Workers AI over REST, in its own format and in OpenAI's. */
export function aiRoutes({ ai }: { ai: AiBackend }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .use(requireScope('ai.write'))
    .get('/models/search', (c) => {
      const { search = '', task } = c.req.query()
      const found = AI_MODELS.filter(
        (model) => model.name.includes(search) && (task ?? model.task) === model.task,
      )
      return respondWithPage(c, found.map(toModel))
    })
    .post('/run/:model{.+}', async (c) => {
      const ran = await refusalsAsFailures(async () =>
        runModel(ai, c.req.param('model'), await readBody(c, Anything), c.req.raw.signal),
      )
      return 'value' in ran ? respond(c, ran.value) : eventStream(c, ran.events)
    })
    .post('/v1/chat/completions', async (c) => {
      const asked = await readBody(c, Chat)
      // Respond without an envelope, because OpenAI's protocol has none.
      return await refusalsAsFailures(async () => ai.chat(asked, c.req.raw.signal))
    })
}

async function refusalsAsFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AiRefusal)
      throw new ApiFailure(error.status, error.code, `AiError: ${error.message}`)
    throw error
  }
}

function eventStream(c: Context<ApiEnv>, events: ReadableStream<Uint8Array>): Response {
  return c.body(events, 200, { 'content-type': 'text/event-stream' })
}

function toModel({ name, task, description }: (typeof AI_MODELS)[number]): object {
  return {
    id: name,
    name,
    description,
    source: 1,
    task: { name: task, description: task },
    tags: [],
    properties: [],
  }
}
