import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APICallError } from 'ai'
import { NO_USAGE } from '../model/usage.ts'
import { Workspace } from '../tools/workspace.ts'
import { compact, seenFiles } from './compaction.ts'
import { runAgent } from './loop.ts'
import { type ModelStep, steerNote } from './transcript.ts'
import { type Turn, finish, kindOf, setUp, write } from '../testing/loop.ts'

const tooLong = new APICallError({
  message: 'This model’s maximum context length is 8000 tokens.',
  url: 'https://models.example/v1',
  requestBodyValues: {},
  statusCode: 400,
  responseBody: '{"error":{"code":"context_length_exceeded"}}',
})

const text = (n: number, chars = 4_000) => `export const n${n} = '${'x'.repeat(chars)}'`
const writing = (count: number, chars?: number): Turn[] =>
  Array.from({ length: count }, (_, n) => ({
    text: `Thought ${n}.`,
    calls: [write('shared/a.ts', text(n, chars))],
  }))

const shortened = (window: number, turns: Turn[]) =>
  setUp(turns, {
    settings: { windowTokens: window },
    snapshot: (workspace) => `the project has ${workspace.tree.size} files`,
  })

const sent = (request: { messages: unknown[] }) => JSON.stringify(request.messages)

describe('a conversation that outgrows the model’s window', () => {
  test("a conversation that outgrows the model's window is shortened once, to less than 60 % of it, and the run continues", async () => {
    const run = shortened(12_000, [...writing(9), { calls: [finish] }])
    run.inputs.push({ id: 'msg_1', text: 'only cactuses' })
    assert.equal(kindOf(await runAgent(run.agent)), 'finished')
    assert.equal(run.compactions.length, 1)
    const at = run.requests.findIndex((request) => sent(request).includes('The conversation was shortened'))
    const [before, after] = [run.requests[at - 1], run.requests[at]].map((request) =>
      sent(request ?? { messages: [] }),
    )
    assert.ok(after !== undefined && before !== undefined && after.length / 4 < 12_000 * 0.6)
    assert.match(after, /the project has 2 files/)
    assert.match(after, /You said: Thought 0\.\\n {2}write_file shared\/a\.ts: ok/)
    assert.match(after, /only cactuses/, 'what people said is kept')
  })

  test('shortening a conversation keeps the newest four steps whole, each call with its result', async () => {
    const run = shortened(12_000, [...writing(9), { calls: [finish] }])
    await runAgent(run.agent)
    const request = run.requests.find((item) => sent(item).includes('The conversation was shortened'))
    assert.ok(request !== undefined)
    const roles = (request.messages as { role: string }[]).map(({ role }) => role)
    const pairs = Array.from({ length: 4 }, () => ['assistant', 'tool']).flat()
    assert.deepEqual(roles, ['system', 'user', 'user', ...pairs])
  })

  test('after a conversation was shortened, all later model calls begin with the same bytes, even in later attempts of the run', async () => {
    const run = shortened(12_000, [...writing(9), { calls: [finish] }])
    await runAgent(run.agent)
    const heads = run.requests
      .filter((request) => sent(request).includes('The conversation was shortened'))
      .map((request) => JSON.stringify(request.messages.slice(0, 3)))
    assert.ok(heads.length > 1)
    assert.equal(new Set(heads).size, 1)
    const later = shortened(12_000, [{ calls: [finish] }])
    assert.ok(later.agent.compactions !== undefined)
    later.agent.compactions.current = run.compactions[0] ?? null
    later.agent.steps = run.stored.slice(0, -1)
    await runAgent(later.agent)
    assert.equal(JSON.stringify(later.requests[0]?.messages.slice(0, 3)), heads[0])
  })

  test('a run whose conversation must be shortened a second time ends with context_limit', async () => {
    const run = shortened(12_000, [...writing(60), { calls: [finish] }])
    assert.equal(kindOf(await runAgent(run.agent)), 'context_limit')
    assert.equal(run.compactions.length, 1)
  })

  test('a conversation that is too long even when shortened ends the run with context_limit and is not stored shortened', async () => {
    const run = shortened(12_000, writing(9, 9_000))
    assert.equal(kindOf(await runAgent(run.agent)), 'context_limit')
    assert.deepEqual(run.compactions, [])
  })

  test('the model must read a file again before replacing it when shortening removed the file from the conversation', async () => {
    const run = shortened(12_000, [
      { calls: [write('shared/first.ts', 'export const first = 1')] },
      ...writing(9),
      { calls: [write('shared/first.ts', 'export const first = 2')] },
      { calls: [finish] },
    ])
    if (run.agent.compactions !== undefined)
      run.agent.compactions.snapshot = () => ({
        message: { role: 'user', content: 'the project' },
        shown: [],
      })
    await runAgent(run.agent)
    const codes = run.frames.flatMap((frame) => (frame.type === 'tool' && frame.error ? [frame.error] : []))
    assert.deepEqual(codes, ['not_read'])
  })
})

describe('a provider that refuses a prompt as too long', () => {
  test('when the provider refuses a prompt as too long, the model is called again with a shorter prompt', async () => {
    const run = shortened(128_000, [...writing(8), { fault: tooLong }, { calls: [finish] }])
    assert.equal(kindOf(await runAgent(run.agent)), 'finished')
    assert.equal(run.compactions.length, 1)
    assert.equal(run.frames.filter((frame) => frame.type === 'retry').length, 1)
  })

  test('a provider that refuses two prompts as too long ends the run with context_limit', async () => {
    const run = shortened(128_000, [...writing(8), { fault: tooLong }])
    assert.equal(kindOf(await runAgent(run.agent)), 'context_limit')
    assert.equal(run.requests.length, 10)
  })

  test('a run whose conversation is too long and cannot be shortened ends after one model call', async () => {
    const run = shortened(128_000, [{ fault: tooLong }])
    assert.equal(kindOf(await runAgent(run.agent)), 'context_limit')
    assert.equal(run.requests.length, 1)
  })
})

test("the provider's token count decides whether a conversation is shortened when it is higher than the estimate", async () => {
  const inputTokens = { total: 9_000, noCache: 9_000, cacheRead: undefined, cacheWrite: undefined }
  const usage = { inputTokens, outputTokens: { total: 10, text: 10, reasoning: undefined } }
  const turns = writing(9, 2_000).map((turn, n) => (n === 6 ? { ...turn, usage } : turn))
  const run = shortened(12_000, [...turns, { calls: [finish] }])
  await runAgent(run.agent)
  assert.equal(run.compactions.length, 1)
  const plain = shortened(12_000, [...writing(9, 2_000), { calls: [finish] }])
  await runAgent(plain.agent)
  assert.equal(plain.compactions.length, 0)
})

describe('the summary of the steps that were removed from a conversation', () => {
  const ANSWERS = 'The user answered:\nkind: only cactuses\nrooms: kitchen (not answered, default taken)'

  /** A step that wrote a file, with a long thought. Step number `asked` asked the user, and has the user's answers as its result. */
  const stepAt = (n: number, asked: number): ModelStep => {
    const name = n === asked ? 'ask_user' : 'write_file'
    const args = n === asked ? { questions: [] } : { path: `shared/file-${n}.ts`, content: '' }
    const given = { id: `call_${n}`, name }
    return {
      n,
      before: [],
      message: { role: 'assistant', content: `Thought ${n}. ${'x'.repeat(700)}` },
      calls: [{ ...given, args, problem: null }],
      results: [
        {
          ...given,
          ok: true,
          text: n === asked ? ANSWERS : 'Created.',
          code: null,
          signature: null,
          end: null,
        },
      ],
      usage: NO_USAGE,
    }
  }
  const digestOf = (steps: ModelStep[]) => {
    const workspace = new Workspace({ base: new Map(), tree: new Map(), enabled: [] })
    const { opening } = compact({
      opening: [
        { role: 'user', content: 'snapshot' },
        { role: 'user', content: 'ticket' },
      ],
      steps,
      workspace,
      snapshot: () => ({ message: { role: 'user', content: 'the project' }, shown: [] }),
    })
    return opening.at(-1)?.content
  }
  const summaryOf = (count: number, asked: number): string => {
    const digest = digestOf(Array.from({ length: count }, (_, i) => stepAt(i + 1, asked)))
    assert.ok(typeof digest === 'string')
    return digest
  }

  test("the summary of a shortened conversation keeps the user's answers to questions, even if many steps followed them", () => {
    for (const count of [8, 40, 200]) {
      const summary = summaryOf(count, 1)
      assert.ok(summary.includes(ANSWERS), `${count} steps`)
      assert.ok(summary.length < 14_000, `${count} steps: ${summary.length} characters`)
    }
  })

  test("the summary of a shortened conversation keeps a user's message to the running build with its pictures", () => {
    const steps = Array.from({ length: 60 }, (_, i) => stepAt(i + 1, 0))
    const picture = { key: 'att_1', mediaType: 'image/png' }
    const [first] = steps
    assert.ok(first !== undefined)
    steps[0] = { ...first, before: [steerNote('make it look like this')], files: [picture] }
    const digest = digestOf(steps)
    assert.ok(Array.isArray(digest))
    const [text, ...files] = digest
    assert.ok(text?.type === 'text' && text.text.includes('make it look like this'))
    assert.deepEqual(files, [{ type: 'file', mediaType: 'image/png', data: 'attachment:att_1' }])
  })

  test('the summary of a shortened conversation lists the newest steps in order and the number of omitted older steps', () => {
    const summary = summaryOf(40, 0)
    const left = Number(/\((\d+) earlier steps are left out\)/.exec(summary)?.[1])
    const told = [...summary.matchAll(/^(\d+)\.$/gm)].map(([, n]) => Number(n))
    // The last four steps stay whole in the conversation and are not in the summary.
    assert.deepEqual(
      told,
      Array.from({ length: 36 - left }, (_, i) => left + 1 + i),
    )
    assert.ok(left > 0 && told.length > 10)
    assert.doesNotMatch(summaryOf(8, 0), /left out/)
  })
})

describe('the files that the model has seen whole', () => {
  const step = (name: string, path: string, result: { text?: string; ok?: boolean } = {}): ModelStep => ({
    n: 1,
    before: [],
    message: { role: 'assistant', content: '' },
    calls: [{ id: 'c1', name, args: { path }, problem: null }],
    results: [{ id: 'c1', name, ok: true, text: '', code: null, signature: null, end: null, ...result }],
    usage: NO_USAGE,
  })
  const read = (path: string, range: string) =>
    step('read_file', path, { text: `${path} ${range}\nthe text` })
  const seen = (...steps: ModelStep[]) => {
    const files = seenFiles(['opening.ts'], steps)
    return ['opening.ts', 'a.ts', 'b.ts'].filter((path) => files.has(path))
  }

  test('after a restart of the service, a file counts as seen when the stored steps wrote it or read all of its lines', () => {
    assert.deepEqual(seen(), ['opening.ts'])
    assert.deepEqual(seen(step('write_file', 'a.ts'), read('b.ts', '1-9 of 9')), [
      'opening.ts',
      'a.ts',
      'b.ts',
    ])
    assert.deepEqual(seen(read('a.ts', '1-600 of 900'), read('a.ts', '601-900 of 900')), [
      'opening.ts',
      'a.ts',
    ])
  })

  test('after a restart of the service, a file does not count as seen when the stored steps did not read or write all of it', () => {
    const steps = [
      read('a.ts', '5-9 of 9'),
      read('a.ts', '1-8 of 9'),
      step('edit_file', 'a.ts'),
      read('a.ts', '9-9 of 9'),
      step('write_file', 'b.ts', { ok: false }),
      step('read_file', 'b.ts', { ok: false, text: 'b.ts 1-9 of 9\n' }),
      step('read_file', 'b.ts', { text: 'b.ts 1-1 of 1\nx\n(line 1 is cut at 60 kB)' }),
    ]
    assert.deepEqual(seen(...steps), ['opening.ts'])
  })
})
