import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import { kindOf, setUp } from '../testing/loop.ts'
import { runAgent } from './loop.ts'

/** Text that a model of 15 tokens a second writes in one second. */
const SECOND = 'fifteen tokens of text, more or less, are about sixty letters'
const THINKING_SECONDS = 8 * 60
const FILE_SECONDS = 40

const usage = {
  inputTokens: { total: 4000, noCache: 4000, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 10_200, text: 3000, reasoning: 7200 },
}
const done: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
  usage,
}

function* toolCall(id: string, toolName: string, args: object): Generator<LanguageModelV4StreamPart> {
  const input = JSON.stringify(args)
  yield { type: 'tool-input-start', id, toolName }
  for (let at = 0; at < input.length; at += SECOND.length)
    yield { type: 'tool-input-delta', id, delta: input.slice(at, at + SECOND.length) }
  yield { type: 'tool-input-end', id }
  yield { type: 'tool-call', toolCallId: id, toolName, input }
}

function* fiveFiles(): Generator<LanguageModelV4StreamPart> {
  yield { type: 'reasoning-start', id: 'r' }
  for (let n = 0; n < THINKING_SECONDS; n++) yield { type: 'reasoning-delta', id: 'r', delta: SECOND }
  yield { type: 'reasoning-end', id: 'r' }
  for (let n = 0; n < 5; n++) {
    const content = `// ${SECOND}\n`.repeat(FILE_SECONDS)
    yield* toolCall(`call${n}`, 'write_file', { path: `shared/f${n}.ts`, content })
  }
  yield done
}

function* finishing(): Generator<LanguageModelV4StreamPart> {
  yield* toolCall('end', 'finish', { summary: 'Five files.' })
  yield done
}

test('a build finishes with a model that thinks for eight minutes and writes 15 tokens a second', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let seconds = 0
  const run = setUp([])
  const answers = [fiveFiles, finishing]
  run.agent.elapsedMs = () => seconds * 1000
  run.agent.model = new MockLanguageModelV4({
    doStream: async () => {
      const parts = (answers.shift() ?? finishing)()
      const stream = new ReadableStream<LanguageModelV4StreamPart>(
        {
          pull(controller) {
            const next = parts.next()
            if (next.done === true) return controller.close()
            // Each part takes one second on the mocked clock.
            seconds += 1
            t.mock.timers.tick(1000)
            controller.enqueue(next.value)
          },
        },
        { highWaterMark: 0 },
      )
      return { stream }
    },
  })
  const end = await runAgent(run.agent)
  assert.equal(kindOf(end), 'finished')
  assert.equal(run.workspace.tree.size, 6)
  assert.equal(answers.length, 0)
  assert.deepEqual(
    run.frames.filter(({ type }) => type === 'retry'),
    [],
  )
  assert.ok(seconds > THINKING_SECONDS + 5 * FILE_SECONDS, `${seconds} s`)
  assert.ok(seconds < 15 * 60, 'within the default limit of a run')
})
