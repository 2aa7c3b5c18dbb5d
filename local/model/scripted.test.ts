import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { ScriptStep } from './script.ts'
import { scriptedModel, Scripts } from './scripted.ts'
import type { ChatRequest } from './wire.ts'

const requestOf = (text: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'scripted',
  messages: [{ role: 'user', content: text }],
  ...more,
})

describe('the model that follows a script', () => {
  let scripts: Scripts
  beforeEach(() => {
    scripts = new Scripts()
  })

  const put = (key: string, ...steps: object[]) =>
    scripts.put(
      key,
      steps.map((step) => ScriptStep.parse(step)),
    )
  const ask = async (key: string, request = requestOf('Hi')) => {
    const answer = await scriptedModel(scripts).respond(request, {
      key,
      signal: new AbortController().signal,
    })
    const { choices, error } = (await answer.json()) as {
      choices?: [{ message: { content: string | null } }]
      error?: { message: string; code: string }
    }
    return [answer.status, choices?.[0].message.content ?? [error?.message, error?.code]]
  }
  const recorded = (key: string) => scripts.calls(key).map(({ step, problem }) => [step, problem])

  test("each request to the scripted model gets the next step of its API key's script, and advances no other script", async () => {
    put('a', { text: 'a1' }, { text: 'a2' })
    put('b', { text: 'b1' })
    assert.deepEqual(
      [await ask('a'), await ask('b'), await ask('a')],
      [
        [200, 'a1'],
        [200, 'b1'],
        [200, 'a2'],
      ],
    )
    assert.deepEqual(
      [recorded('a'), recorded('b'), recorded('none')],
      [
        [
          [0, null],
          [1, null],
        ],
        [[0, null]],
        [],
      ],
    )
  })

  test('the scripted model refuses a request without a script, and a request after the last step, with the reason', async () => {
    put('a', { text: 'a1' })
    await ask('a')
    assert.deepEqual(
      [await ask('none'), await ask('a'), await ask('a'), recorded('a')],
      [
        [400, ['There is no script under this key.', 'script']],
        [400, ['The script has 1 steps and this is request 2.', 'script']],
        [400, ['The script has 1 steps and this is request 2.', 'script']],
        [
          [0, null],
          [null, 'The script has 1 steps and this is request 2.'],
          [null, 'The script has 1 steps and this is request 2.'],
        ],
      ],
    )
  })

  test('a script step with `repeat` is used for every later request, and later steps are never reached', async () => {
    put('a', { text: 'once' }, { text: 'again', repeat: true }, { text: 'never' })
    const answers = []
    for (let i = 0; i < 4; i++) answers.push((await ask('a'))[1])
    assert.deepEqual(answers, ['once', 'again', 'again', 'again'])
    assert.deepEqual(
      recorded('a'),
      [0, 1, 1, 1].map((step) => [step, null]),
    )
  })

  test('a new script of the scripted model replaces the script of its API key and clears its recorded calls', async () => {
    put('a', { text: 'old' })
    await ask('a')
    put('a', { text: 'new' })
    assert.deepEqual([recorded('a'), await ask('a')], [[], [200, 'new']])
  })

  test('simultaneous requests to the scripted model get different steps, even when the first step has a delay', async () => {
    put('a', { text: 'first', delayMs: 1 }, { text: 'second' })
    assert.deepEqual(await Promise.all([ask('a'), ask('a')]), [
      [200, 'first'],
      [200, 'second'],
    ])
  })

  test("a request that does not meet its script step's expectation is refused, and the step counts as used", async () => {
    const tools = ['read_file', 'finish'].map((name) => ({ type: 'function' as const, function: { name } }))
    const request = requestOf('Make a list', {
      tools,
      messages: [
        { role: 'user', content: 'Make a list' },
        {
          role: 'tool',
          tool_call_id: '1',
          content: [
            { type: 'text', text: 'The check ' },
            { type: 'text', text: 'is green' },
          ],
        },
      ],
    })
    const expectations = [
      { tools: ['finish', 'write_file', 'check'] },
      { withoutTools: ['finish'] },
      { lastResult: 'is red' },
      { lastUser: 'Remove' },
      { messages: 3 },
      {
        tools: ['finish'],
        withoutTools: ['check'],
        lastResult: 'check is green',
        lastUser: 'a list',
        messages: 2,
      },
    ]
    put('a', ...expectations.map((expect, at) => ({ text: `step ${at}`, expect })))
    const answers = []
    for (const _expectation of expectations) answers.push((await ask('a', request))[1])
    assert.deepEqual(answers, [
      ['tools not offered: write_file, check', 'script'],
      ['tools offered that must not be: finish', 'script'],
      ['the last tool result does not contain "is red": The check is green', 'script'],
      ['the last user message does not contain "Remove"', 'script'],
      ['2 messages instead of 3', 'script'],
      'step 5',
    ])
    assert.deepEqual(
      scripts.calls('a').map(({ step }) => step),
      [0, 1, 2, 3, 4, 5],
    )
    assert.deepEqual(scripts.calls('a')[0]?.request, request)
  })
})
