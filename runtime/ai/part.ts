import { unwrapResult } from '../kernel/errors.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import { handleAi, embed, readSpend } from './rpc.ts'
import type { AiReply, AiSpend } from './types.ts'
import { ObjectVectors } from './vectors.ts'

interface AiReads {
  /** Sends the prompt to the app's model. Counts as one run of the app's monthly budget. */
  aiRun(prompt: string): Promise<AiReply>
  aiSpend(): Promise<AiSpend>
}

const createVectors = (parts: PartContext) => {
  const { ctx, env } = parts
  return new ObjectVectors({
    storage: ctx.storage,
    alarms: parts.alarms,
    manifest: () => parts.own.manifest(null),
    embed: (texts) => embed({ objects: env.OBJECTS, env }, texts),
    report: parts.reporter('vectors'),
  })
}

export const part: Part<object, object, AiReads, 'vectors'> = {
  members: { vectors: (parts) => parts.once(createVectors) },
  reads: {
    aiRun: (at) => async (prompt) =>
      unwrapResult(await handleAi(at, 'run', { messages: [{ role: 'user', content: prompt }] })),
    aiSpend: (at) => () => readSpend(at),
  },
  wake: { partition: { vectors: (parts) => parts.once(createVectors).wake() } },
  changed: (parts, log) => parts.once(createVectors).see(new Set(log.map(({ collection }) => collection))),
  prepared: (parts) => parts.once(createVectors).prepared(),
}
