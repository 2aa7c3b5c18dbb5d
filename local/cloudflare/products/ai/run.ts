import * as z from 'zod'
import type { AiBackend } from './backend.ts'
import { type AiModel, findModel } from './models.ts'
import { AiRefusal, readAnswer } from './refusal.ts'

const TextInputs = z.looseObject({
  prompt: z.string().optional(),
  messages: z.array(z.unknown()).optional(),
  stream: z.boolean().default(false),
  max_tokens: z.number().int().optional(),
  temperature: z.number().optional(),
  tools: z.array(z.unknown()).optional(),
  response_format: z.looseObject({ type: z.string(), json_schema: z.unknown() }).optional(),
})
const VectorInputs = z.looseObject({ text: z.union([z.string(), z.array(z.string()).min(1).max(100)]) })

const Completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({
          content: z.string().nullish(),
          tool_calls: z
            .array(z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
})

export type RunResult = { value: object } | { events: ReadableStream<Uint8Array> }

/**
 * Runs a model for `env.AI.run` and `POST /accounts/<id>/ai/run/<model>`, in Workers AI's format. Throws an
 * `AiRefusal`.
 */
export async function runModel(
  backend: AiBackend,
  name: string,
  inputs: unknown,
  signal?: AbortSignal,
): Promise<RunResult> {
  const model = findModel(name)
  if (model === null) throw new AiRefusal(5007, `No such model ${name} or task`)
  return model.task === 'Text Embeddings'
    ? await runEmbedding(backend, model, inputs)
    : await runText(backend, model, inputs, signal)
}

async function runEmbedding(backend: AiBackend, model: AiModel, inputs: unknown): Promise<RunResult> {
  const { text } = readInputs(VectorInputs, inputs)
  const data = await backend.embed(model.name, [text].flat(), model.dimensions ?? 768)
  return { value: { shape: [data.length, data[0]?.length ?? 0], data, pooling: 'mean' } }
}

async function runText(
  backend: AiBackend,
  model: AiModel,
  inputs: unknown,
  signal?: AbortSignal,
): Promise<RunResult> {
  const { prompt, messages, ...options } = readInputs(TextInputs, inputs)
  const asPrompt = prompt === undefined ? [] : [{ role: 'user', content: prompt }]
  const said = messages === undefined || messages.length === 0 ? asPrompt : messages
  if (said.length === 0)
    throw new AiRefusal(5006, 'Error: required properties at "/" are "prompt" or "messages"')
  const answer = await backend.chat({ ...options, model: model.name, messages: said }, signal)
  if (!answer.ok) throw new AiRefusal(5004, `The model refused: ${(await answer.text()).slice(0, 500)}`)
  if (options.stream && answer.body !== null) return { events: toResponses(answer.body) }
  const { choices, usage } = await readAnswer(Completion, answer)
  const { content, tool_calls: calls } = choices[0]?.message ?? {}
  const isJson = options.response_format?.type === 'json_schema'
  return {
    value: {
      response: isJson ? jsonOrText(content ?? '') : (content ?? ''),
      ...(calls === null || calls === undefined
        ? {}
        : {
            tool_calls: calls.map(({ function: { name, arguments: given } }) => ({
              name,
              arguments: jsonOrText(given),
            })),
          }),
      usage,
    },
  }
}

/** Returns the inputs as the schema parses them. Throws an `AiRefusal` when they do not match the schema. */
export function readInputs<T>(schema: z.ZodType<T>, inputs: unknown): T {
  const read = schema.safeParse(inputs)
  if (!read.success) throw new AiRefusal(5006, `Error: invalid input: ${z.prettifyError(read.error)}`)
  return read.data
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const ToolPiece = z.looseObject({
  index: z.number().optional(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})
const Delta = z.looseObject({ content: z.string().nullish(), tool_calls: z.array(ToolPiece).nullish() })
const Chunk = z.looseObject({
  choices: z.array(z.looseObject({ delta: Delta.nullish() })),
  usage: z.unknown().optional(),
})

/**
 * Converts OpenAI's stream to the Workers AI format: `data: {"response":"..."}`, then `data: [DONE]`. OpenAI sends tool calls in pieces;
 * they are joined and, like the number of tokens used, sent before the end.
 */
function toResponses(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let rest = ''
  let usage: unknown = null
  const calls = new Map<number, { name: string; given: string }>()
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]
  const collectCalls = (pieces: z.output<typeof ToolPiece>[]) => {
    for (const [at, { index = at, function: piece }] of pieces.entries()) {
      const { name, given } = calls.get(index) ?? { name: '', given: '' }
      calls.set(index, { name: name || (piece?.name ?? ''), given: given + (piece?.arguments ?? '') })
    }
  }
  const ending = () => [
    ...(calls.size === 0
      ? []
      : [
          {
            tool_calls: [...calls.values()].map(({ name, given }) => ({
              name,
              arguments: jsonOrText(given),
            })),
          },
        ]),
    ...(usage === null ? [] : [{ usage }]),
  ]
  const passOn = (lines: string[], controller: TransformStreamDefaultController<Uint8Array>) => {
    for (const line of lines) {
      // The space after the colon is optional, and some servers omit it.
      const data = /^data: ?(.*)$/.exec(line.trimEnd())?.[1]
      const chunk = data === undefined ? null : Chunk.safeParse(jsonOrText(data)).data
      usage = chunk?.usage ?? usage
      const delta = chunk?.choices[0]?.delta
      collectCalls(delta?.tool_calls ?? [])
      const piece = delta?.content
      if (typeof piece === 'string' && piece !== '')
        controller.enqueue(encoder.encode(`data: ${JSON.stringify({ response: piece })}\n\n`))
    }
  }
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        passOn(lines, controller)
      },
      flush: (controller) => {
        // The last event may end without a line break.
        passOn([rest + decoder.decode()], controller)
        for (const event of ending())
          controller.enqueue(encoder.encode(`data: ${JSON.stringify({ response: '', ...event })}\n\n`))
        controller.enqueue(encoder.encode('data: [DONE]\n\n'))
      },
    }),
  )
}
