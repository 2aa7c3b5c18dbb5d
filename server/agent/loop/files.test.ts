import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addFiles, loadFiles, userMessage } from './files.ts'
import { runAgent } from './loop.ts'
import { finish, kindOf, setUp, write } from '../testing/loop.ts'
import { ModelFailure } from '../model/failure.ts'
import type { ModelProvider } from '../../db/tables/connections.ts'
import { openModel } from '../model/models.ts'
import { callModel } from '../model/call.ts'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const PDF = Buffer.from('%PDF-1.7\n')
const FILES = [
  { key: '_prompt/a', mediaType: 'image/png' },
  { key: '_prompt/b', mediaType: 'application/pdf' },
]
const load = async (key: string) => (key.endsWith('a') ? PNG : PDF)

const PROVIDERS: [provider: ModelProvider, model: string][] = [
  ['anthropic', 'claude-sonnet-4-5'],
  ['openai', 'gpt-5'],
  ['google', 'gemini-2.5-pro'],
  ['openai-compatible', 'any'],
]

describe('files attached to a message', () => {
  for (const [provider, model] of PROVIDERS) {
    test(`${provider}: an image and a PDF are sent as bytes in the format of the provider`, async () => {
      let sent = ''
      const fetch = async (_url: unknown, init?: RequestInit) => {
        sent = String(init?.body)
        return new Response('{}', { status: 400, headers: { 'content-type': 'application/json' } })
      }
      const messages = await loadFiles([userMessage('look', FILES)], load)
      const asked = callModel({
        model: openModel({ provider, baseUrl: 'https://models.example/v1', key: 'k' }, model, fetch),
        instructions: 'be brief',
        messages,
        tools: {},
        toolOrder: [],
        toolChoice: 'auto',
        maxOutputTokens: undefined,
        providerOptions: undefined,
        signal: new AbortController().signal,
        onDelta: () => undefined,
      })
      await assert.rejects(asked, ModelFailure)
      for (const bytes of [PNG, PDF]) assert.ok(sent.includes(bytes.toString('base64')), sent)
      assert.doesNotMatch(sent, /_prompt/)
    })
  }

  test('attached files are stored as keys without bytes, and loaded for every model call', async () => {
    const run = setUp([{ calls: [write('shared/a.ts', 'x')] }, { calls: [finish] }])
    const loaded: string[] = []
    run.agent.opening = [userMessage('the project', []), userMessage('the ticket', FILES.slice(0, 1))]
    run.agent.loadFile = (key) => (loaded.push(key), load(key))
    const unread = run.agent.steering.unread
    run.agent.steering.unread = async () =>
      (await unread()).map((input) => ({ ...input, files: FILES.slice(1) }))
    run.inputs.push({ id: 'msg_1', text: 'like this' })
    assert.equal(kindOf(await runAgent(run.agent)), 'finished')
    assert.deepEqual(loaded, ['_prompt/a', '_prompt/b', '_prompt/a', '_prompt/b'])
    assert.deepEqual(run.stored[0]?.files, FILES.slice(1))
    assert.doesNotMatch(JSON.stringify(run.stored), new RegExp(PDF.toString('base64')))
  })

  test('an attached file that cannot be loaded ends the run with the reason', async () => {
    const run = setUp([{ calls: [finish] }])
    run.agent.opening = [userMessage('the ticket', FILES)]
    run.agent.loadFile = () =>
      Promise.reject(new ModelFailure('The account is away.', { kind: 'unavailable' }))
    assert.equal(kindOf(await runAgent(run.agent)), 'unavailable')
    assert.equal(run.requests.length, 0)
  })

  test("attached files are appended to a message's existing files", () => {
    const message = addFiles(userMessage('look', FILES.slice(0, 1)), FILES.slice(1))
    assert.deepEqual(message, userMessage('look', FILES))
  })
})
