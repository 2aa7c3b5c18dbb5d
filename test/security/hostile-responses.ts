import assert from 'node:assert/strict'
import { type RawResponse, type RawCall, modelResponse, chunk } from '../support/raw-model.ts'
import { nested, noise, seeded } from './hostile-texts.ts'
import { type HostileBuild, calls, remove, write } from './hostile-world.ts'

/** A response that no real model sends, and further assertions about the resulting build. */
export interface HostileResponse {
  name: string
  answer: RawResponse
  expect?: (played: HostileBuild) => void
}

/** Random numbers with a fixed seed, so that a failure can be reproduced. */
const random = seeded(20_261_122)

const LETTER_PIECE = Buffer.from(chunk({ content: 'and on and on '.repeat(500) }).repeat(20))
const TOOLS =
  'list_files read_file search write_file edit_file delete_file logs check ask_user finish rename_project enable_capability ship'.split(
    ' ',
  )

const FIELDS =
  'path content old new all pattern glob regex under from to questions summary name key settings __proto__'.split(
    ' ',
  )

function* repeatForever(piece: Uint8Array): Generator<Uint8Array> {
  for (;;) yield piece
}
function* repeatTimes(count: number, piece: Uint8Array): Generator<Uint8Array> {
  for (let n = 0; n < count; n++) yield piece
}

const concatBytes = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
const END = `${chunk({}, 'stop')}data: [DONE]\n\n`
const rawCall = (name: string, rawArgs: string, id?: string): RawCall => ({
  name,
  rawArgs,
  ...(id === undefined ? {} : { id }),
})
const readCall = (args: object): RawCall => ({ name: 'read_file', args })
const toolDelta = (call: object) => chunk({ tool_calls: [call] })

/** Asserts that no tool call of the build was executed, and that each was refused. */
const assertAllRefused = ({ tools, last }: HostileBuild) => {
  assert.ok(tools.length > 0, JSON.stringify(last))
  for (const tool of tools) assert.equal(tool['ok'], false, JSON.stringify(tool))
}
const endsAs =
  (...ends: string[]) =>
  ({ last }: HostileBuild) =>
    assert.ok(ends.includes(String(last?.['status'] ?? last?.['kind'])), JSON.stringify(last))
const assertSays =
  (text: string) =>
  ({ last }: HostileBuild) =>
    assert.equal(last?.['message'], text)

const SIZES: HostileResponse[] = [
  {
    name: 'arguments of 10 MB in one call',
    answer: calls(write('shared/a.txt', 'x'.repeat(10_000_000))),
    expect: endsAs('model_error'),
  },
  {
    name: 'a line of 30 MB',
    answer: () => repeatTimes(300, Buffer.alloc(100_000, 'x')),
    expect: endsAs('replied', 'model_error'),
  },
  { name: 'text without end', answer: () => repeatForever(LETTER_PIECE), expect: endsAs('model_error') },
  {
    name: 'reasoning without end',
    answer: () => repeatForever(Buffer.from(chunk({ reasoning_content: 'hm '.repeat(3_000) }).repeat(20))),
    expect: endsAs('model_error'),
  },
  {
    name: 'arguments without end',
    answer: () =>
      (function* () {
        yield Buffer.from(
          toolDelta({
            index: 0,
            id: 'c',
            type: 'function',
            function: { name: 'search', arguments: '{"a":"' },
          }),
        )
        yield* repeatForever(
          Buffer.from(toolDelta({ index: 0, function: { arguments: 'x'.repeat(10_000) } }).repeat(20)),
        )
      })(),
    expect: endsAs('model_error'),
  },
  {
    name: 'calls without end',
    answer: () =>
      (function* () {
        for (let index = 0; ; index++)
          yield Buffer.from(
            toolDelta({
              index,
              id: `c${index}`,
              type: 'function',
              function: { name: 'list_files', arguments: '{}' },
            }),
          )
      })(),
    expect: endsAs('model_error'),
  },
  {
    name: '10,000 different calls in one response',
    answer: calls(
      ...Array.from({ length: 10_000 }, (_, n) => ({ name: 'list_files', args: { under: `f${n}` } })),
    ),
  },
  {
    name: '10,000 calls of tools that do not exist',
    answer: calls(...Array.from({ length: 10_000 }, (_, n) => ({ name: `tool${n}` }))),
    expect: endsAs('model_error'),
  },
  { name: 'a text of 500,000 characters', answer: modelResponse({ text: 'Yes. '.repeat(100_000) }) },
  {
    name: 'a summary of 500,000 characters',
    answer: calls({ name: 'finish', args: { summary: 'x'.repeat(500_000) } }),
    expect: assertAllRefused,
  },
  {
    name: 'the name of a tool with 100,000 letters',
    answer: calls({ name: 'x'.repeat(100_000) }),
    expect: assertAllRefused,
  },
  {
    name: 'the id of a call with 100,000 letters',
    answer: calls({ name: 'list_files', id: 'x'.repeat(100_000) }),
    expect: ({ tools }) => assert.ok(String(tools[0]?.['id']).length <= 200),
  },
  {
    name: 'arguments with 50,000 names',
    answer: calls({
      name: 'list_files',
      args: Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`n${n}`, 1])),
    }),
  },
  ...[40, 1_000, 10_000, 100_000].map((levels) => ({
    name: `arguments nested ${levels} levels deep`,
    answer: calls(
      rawCall('read_file', `{"path":${nested('[', levels, ']')}}`),
      rawCall('enable_capability', `{"key":"data","settings":${nested('{"a":', levels, '}', '1')}}`),
    ),
    expect: endsAs('replied', 'model_error'),
  })),
]

const ENCODINGS: HostileResponse[] = [
  {
    name: 'bytes that are no UTF-8',
    answer: concatBytes(
      chunk({ content: 'ab' }).replace('ab', '@@').split('@@')[0] ?? '',
      Buffer.from([0xff, 0xfe, 0xc0, 0xaf, 0xed, 0xa0, 0x80]),
      `"},"finish_reason":null}]}\n\n`,
      END,
    ),
  },
  {
    name: 'a character that the end of the stream cuts in two',
    answer: concatBytes(
      chunk({ content: 'fine' }),
      Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"'),
      Buffer.from([0xf0, 0x9f]),
    ),
  },
  {
    name: 'NUL and lone surrogates in a text',
    answer: modelResponse({ text: 'a\0b \ud800 \udfff c' }),
    expect: assertSays('ab \ufffd \ufffd c'),
  },
  {
    name: 'NUL in a summary',
    answer: calls({ name: 'finish', args: { summary: 'Done\0.' } }),
    expect: assertAllRefused,
  },
  {
    name: 'NUL in paths, texts, ids and names',
    answer: calls(
      write('shared/a\0.ts', 'x'),
      write('shared/a.ts', 'a\0b'),
      { name: 'list_files', args: { under: 'ok' } },
      { name: 'rename_project', args: { name: 'a\0b' } },
      { name: 'search', args: { pattern: '\0', regex: true }, id: 'c\0' },
      { name: 'list_files', args: { under: 'fine' } },
      { name: 'read\0file', args: { path: 'app.json' } },
    ),
    expect: ({ tools }) =>
      assert.deepEqual(
        tools.map((tool) => tool['ok']),
        [false, false, true, false, false, true, false],
      ),
  },
  {
    name: 'NUL in a question',
    answer: calls({
      name: 'ask_user',
      args: { questions: [{ id: 'a', question: 'W\0hat?', options: ['a', 'b\0'], default: 'a' }] },
    }),
    expect: assertAllRefused,
  },
  {
    name: 'lone surrogates in a question and in a file',
    answer: calls(write('shared/a.txt', '\ud83d'), remove('shared/a.txt'), {
      name: 'ask_user',
      args: { questions: [{ id: 'a', question: '\ud83d?', options: ['a', '\udfff'], default: 'a' }] },
    }),
    expect: endsAs('awaiting'),
  },
  {
    name: 'invalid paths that look valid',
    answer: calls(
      ...[
        ['\uff57eb/a.ts', 'web\uff0fa.ts', 'web/a.ts\u200b', 'web/\u202ests.a'],
        ['list'],
        ['web/\u0430pp.ts', 'WEB/a.ts', 'web/a.TS', 'web/\u00e9.ts', 'web/e\u0301.ts'],
        ['again'],
        ['web/a.ts ', 'web/\ud800.ts', 'web/%2e%2e/a.ts', 'web/con:a.ts'],
      ].flatMap((paths) =>
        paths.length === 1
          ? [{ name: 'list_files', args: { under: paths[0] } }]
          : paths.map((path) => write(path, 'x')),
      ),
    ),
    expect: ({ tools }) => assert.equal(tools.filter((tool) => tool['ok'] === true).length, 2),
  },
  {
    name: 'random bytes instead of a stream',
    answer: Buffer.from(Array.from({ length: 100_000 }, () => Math.floor(random() * 256))),
  },
]

const SHAPES: HostileResponse[] = [
  {
    name: 'arguments that are not JSON',
    answer: calls(
      rawCall('read_file', '{"path": "app.json", '),
      rawCall('read_file', '<xml/>'),
      rawCall('search', '{"pattern":NaN}'),
    ),
    expect: assertAllRefused,
  },
  {
    name: 'arguments that are no object',
    answer: calls(
      rawCall('read_file', '[]'),
      rawCall('read_file', '"app.json"'),
      rawCall('read_file', '42'),
      rawCall('finish', 'null'),
    ),
    expect: assertAllRefused,
  },
  {
    name: 'argument names that every object inherits',
    answer: calls(
      rawCall('read_file', '{"__proto__":{"path":"app.json"}}'),
      rawCall('read_file', '{"constructor":{"prototype":{"path":"app.json"}}}'),
      { name: 'list_files' },
      rawCall('enable_capability', '{"key":"__proto__","settings":{"__proto__":{"a":1}}}'),
      rawCall('enable_capability', '{"key":"constructor"}'),
      { name: '__proto__' },
      { name: 'toString' },
    ),
    expect: ({ tools }) => assert.equal(tools.filter((tool) => tool['ok'] === true).length, 1),
  },
  {
    name: 'numbers out of range',
    answer: calls(
      ...[-1, 0, 1.5, 1e308].map((from) => readCall({ path: 'app.json', from })),
      readCall({ path: 'app.json', to: Number.MAX_SAFE_INTEGER }),
      rawCall('read_file', '{"path":"app.json","from":1e999}'),
      rawCall('read_file', '{"path":"app.json","from":1,"to":-0.0}'),
      rawCall('read_file', '{"path":"app.json","from":99999999999999999999}'),
    ),
    expect: ({ tools }) => assert.equal(tools.filter((tool) => tool['ok'] === true).length, 1),
  },
  {
    name: 'fifty calls with one id',
    answer: calls(
      ...Array.from({ length: 50 }, (_, n) => ({ name: 'list_files', args: { under: `f${n}` }, id: 'same' })),
    ),
    expect: ({ tools }) => assert.equal(new Set(tools.map((tool) => tool['id'])).size, tools.length),
  },
  {
    name: 'calls without a name',
    answer: calls({ name: '' }, { name: ' ' }, { name: '', id: '' }),
    expect: endsAs('replied', 'model_error'),
  },
  {
    name: 'calls with invalid index numbers',
    answer: concatBytes(
      ...[-1, 1e9, 0.5, 'x', null].map((index) =>
        toolDelta({ index, id: 'c', type: 'function', function: { name: 'list_files', arguments: '{}' } }),
      ),
      toolDelta({ index: 3, function: { arguments: '{"a":' } }),
      chunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ),
  },
  { name: 'an unknown finish reason', answer: modelResponse({ text: 'x', finish: 'x'.repeat(100_000) }) },
  {
    name: 'an error of 1 MB in the stream',
    answer: concatBytes(
      `data: ${JSON.stringify({ error: { message: '\0\ud800'.repeat(100_000), type: 'x', code: 1e308 } })}\n\n`,
    ),
  },
  {
    name: 'events in other formats',
    answer: concatBytes(
      ...[
        'null',
        '[]',
        '{}',
        '42',
        '{"choices":null}',
        '{"choices":[null]}',
        '{"choices":[{"delta":null}]}',
      ].map((data) => `data: ${data}\n\n`),
      ': nothing\n\n'.repeat(10_000),
      END,
    ),
  },
  ...[
    '{"prompt_tokens":-1e308,"completion_tokens":-1e308}',
    '{"prompt_tokens":1e308,"completion_tokens":1e308,"prompt_tokens_details":{"cached_tokens":-1e308}}',
    '{"prompt_tokens":0.5,"completion_tokens":-1,"completion_tokens_details":{"reasoning_tokens":1e300}}',
    '{"prompt_tokens":9007199254740993,"completion_tokens":3000000000}',
    '{"prompt_tokens":5,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":2000000000}}',
    '{"prompt_tokens":"ten","completion_tokens":null}',
    '[]',
  ].map((usage) => ({ name: `a cost of ${usage}`, answer: modelResponse({ text: 'Yes.', usage }) })),
  {
    name: 'a thousand options, a hundred questions, and questions of one id',
    answer: calls(
      ...[
        [
          {
            id: 'a',
            question: 'What?',
            options: Array.from({ length: 1_000 }, (_, n) => `${n}`),
            default: '1',
          },
        ],
        Array.from({ length: 100 }, (_, n) => ({
          id: `q${n}`,
          question: 'What?',
          options: ['a', 'b'],
          default: 'a',
        })),
        [1, 2].map(() => ({ id: 'a', question: 'What?', options: ['a', 'b'], default: 'a' })),
        [{ id: '__proto__', question: 'What?', options: ['a', 'b'], default: 'a' }],
      ].map((questions) => ({ name: 'ask_user', args: { questions } })),
    ),
    expect: assertAllRefused,
  },
  {
    name: 'a manifest nested 50,000 levels deep',
    answer: calls(
      { name: 'read_file', args: { path: 'app.json' } },
      write('app.json', `{"slipway":1,"name":"x","pages":${nested('[', 50_000, ']')}}`),
      { name: 'check' },
    ),
    expect: endsAs('check_failed', 'replied'),
  },
  {
    name: 'a file and a folder of one name, and paths of packages',
    answer: calls(
      write('shared/a.ts', 'x'),
      write('shared/a.ts/b.ts', 'x'),
      write('shared/c.ts/d.ts', 'x'),
      write('shared/c.ts', 'x'),
      write('web/node_modules/react/index.ts', 'x'),
      write('shared/Node_Modules/a.ts', 'x'),
      remove('shared/a.ts'),
      remove('shared/c.ts/d.ts'),
    ),
    expect: ({ tools }) =>
      assert.deepEqual(
        tools.map((tool) => tool['ok']),
        [true, false, true, false, false, false, true, true],
      ),
  },
  ...TOOLS.map((name) => ({
    name: `random arguments for ${name}`,
    answer: calls(
      ...Array.from({ length: 4 }, () => rawCall(name, noise(random, 300))),
      ...Array.from({ length: 20 }, () => ({ name, args: garbageFor() })),
    ),
  })),
]

/** Returns arguments with real names and random values. */
function garbageFor(): object {
  const values: unknown[] = [
    noise(random, 150),
    '',
    'app.json',
    'shared/**',
    '(',
    -1,
    1e308,
    true,
    null,
    [],
    {},
    [noise(random, 20)],
    { length: -1 },
    [[[]]],
  ]
  return Object.fromEntries(
    FIELDS.filter(() => random() < 0.6).map((field) => [field, values[Math.floor(random() * values.length)]]),
  )
}

export const HOSTILE_RESPONSES: HostileResponse[] = [...SIZES, ...ENCODINGS, ...SHAPES]
