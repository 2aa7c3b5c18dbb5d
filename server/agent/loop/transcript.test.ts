import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelMessage } from 'ai'
import type { ModelResponse, ToolCall } from '../model/call.ts'
import { markCache, sanitize, toMessages, toStep } from './transcript.ts'
import { NO_USAGE } from '../model/usage.ts'

const call = (id: string): ToolCall => ({ id, name: 'check', args: {}, problem: null })
const part = (id: string) => ({ type: 'tool-call' as const, toolCallId: id, toolName: 'check', input: {} })
const answer = (ids: string[]): ModelResponse => ({
  message: { role: 'assistant', content: [{ type: 'text', text: '' }, ...ids.map(part)] },
  text: '',
  calls: ids.map(call),
  usage: NO_USAGE,
  finishReason: 'tool-calls',
})
const opening: ModelMessage[] = [{ role: 'user', content: 'project' }]

test("empty and repeated tool call ids are replaced by unique ids in the stored call and in the model's message", () => {
  const step = toStep(3, [], answer(['x', 'x', '']))
  const ids = step.calls.map((item) => item.id)
  assert.deepEqual(ids, ['x', 'c3_1', 'c3_2'])
  const content = step.message.content as { type: string; toolCallId?: string }[]
  assert.deepEqual(
    content.filter((item) => item.type === 'tool-call').map((item) => item.toolCallId),
    ids,
  )
})

test('a tool call without a stored result is sent to the model with the result that the call was interrupted', () => {
  const messages = toMessages(opening, [toStep(1, [], answer(['a', 'b']))], [])
  const results = messages.at(-1)
  assert.equal(results?.role, 'tool')
  assert.equal(JSON.stringify(results).match(/interrupted/g)?.length, 2)
})

test('the messages sent to a model begin and end with a user message, added where missing, and contain no empty text', () => {
  const messages = sanitize([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: '' },
        { type: 'text', text: 'hi' },
      ],
    },
  ])
  assert.deepEqual(
    messages.map((message) => message.role),
    ['user', 'assistant', 'user'],
  )
  assert.ok(!JSON.stringify(messages).includes('"text":""'))
})

test('text of only whitespace is left out of a prompt, except between two reasoning parts, because Anthropic refuses it', () => {
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'check', input: {} } as const
  const thought = { type: 'reasoning', text: 'Hm.' } as const
  const blank = { type: 'text', text: '\n\n' } as const
  const [, first, second, ...others] = sanitize([
    { role: 'user', content: 'Build.' },
    { role: 'assistant', content: [thought, blank, call, blank] },
    { role: 'assistant', content: [thought, blank, thought, { type: 'text', text: ' Done.' }] },
    { role: 'assistant', content: [blank] },
    { role: 'assistant', content: '\n' },
  ])
  assert.deepEqual(first?.content, [thought, call])
  assert.equal(second?.content.length, 4, 'thoughts that the provider signed stay apart')
  assert.deepEqual(others, [{ role: 'user', content: 'Go on.' }])
})

test("a model's reasoning is sent back to the model unchanged, with the provider's metadata", () => {
  const reasoning = {
    type: 'reasoning' as const,
    text: 'hm',
    providerOptions: { anthropic: { signature: 's' } },
  }
  const messages = sanitize([
    ...opening,
    { role: 'assistant', content: [reasoning, part('a')] },
    { role: 'tool', content: [] },
  ])
  assert.deepEqual((messages[1]?.content as unknown[] | undefined)?.[0], reasoning)
})

test('the first messages of a run are the same bytes in every model call', () => {
  const steps = [toStep(1, [], answer(['a'])), toStep(2, ['a note'], answer(['b']))]
  const first = toMessages(opening, [], [])
  const later = toMessages(opening, steps, ['last step'])
  assert.equal(JSON.stringify(later.slice(0, first.length)), JSON.stringify(first))
})

test("at most three messages, including the first, are marked for the provider's prompt cache", () => {
  const messages = toMessages(
    opening,
    [1, 2, 3, 4].map((n) => toStep(n, [], answer([`c${n}`]))),
    [],
  )
  const marked = markCache(messages, { anthropic: { cacheControl: { type: 'ephemeral' } } })
  assert.equal(marked.filter((message) => message.providerOptions !== undefined).length, 3)
  assert.ok(marked[0]?.providerOptions !== undefined)
  assert.deepEqual(markCache(messages, undefined), messages)
})
