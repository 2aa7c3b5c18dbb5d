import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ChatMessage, ChatRequest } from '../wire.ts'
import { turnFor } from './scaffold.ts'

const TOOLS = [
  'list_files',
  'write_file',
  'edit_file',
  'delete_file',
  'check',
  'finish',
  'ask_user',
  'rename_project',
  'enable_capability',
]

const STARTER: Record<string, string> = {
  'app.json':
    '{ "slipway": 1, "name": "New", "pages": [{ "path": "/", "file": "Home.tsx", "title": "Home" }] }',
  'server/routes.ts': "import { Hono } from 'hono'\n\nexport const routes = new Hono()",
  'web/pages/Home.tsx': 'export default function Home() { return null }',
}

function prompt(ticket: string, files = STARTER, enabled = 'none'): ChatMessage[] {
  const project = `<project-ab12 name="New">\nCapabilities that are on: ${enabled}\n</project-ab12>`
  const shown = Object.entries(files).map(
    ([path, text]) => `<file-ab12 path="${path}">\n${text}\n</file-ab12>`,
  )
  return [
    { role: 'system', content: 'You are the build agent.' },
    { role: 'user', content: [project, ...shown].join('\n') },
    { role: 'user', content: `<ticket-ab12 type="task">\n${ticket}\n</ticket-ab12>\nBuild this ticket.` },
  ]
}

function request(messages: ChatMessage[], tools = TOOLS): ChatRequest {
  return {
    model: 'scaffold-1',
    messages,
    tools: tools.map((name) => ({ type: 'function' as const, function: { name } })),
  }
}

interface Call {
  name: string
  args: Record<string, unknown>
}
const callsOf = (messages: ChatMessage[], tools = TOOLS) =>
  (turnFor(request(messages, tools)).toolCalls ?? []) as Call[]

/** The conversation after these calls were made, with these results. */
function answered(messages: ChatMessage[], calls: Call[], result: (call: Call) => string): ChatMessage[] {
  const made = calls.map((call, index) => ({
    id: `c${messages.length}_${index}`,
    function: { name: call.name, arguments: JSON.stringify(call.args) },
  }))
  return [
    ...messages,
    { role: 'assistant', content: null, tool_calls: made },
    ...calls.map((call, index) => ({
      role: 'tool' as const,
      tool_call_id: made[index]?.id ?? '',
      content: result(call),
    })),
  ]
}

function manifestOf(calls: Call[]) {
  const written = calls.find((call) => call.name === 'write_file' && call.args['path'] === 'app.json')
  return JSON.parse(String(written?.args['content'])) as {
    name: string
    uses: string[]
    pages: { path: string; file: string }[]
    collections: Record<string, { fields: Record<string, { type: string; required?: boolean }> }>
    migrations?: { collection: string; steps: { op: string }[] }[]
  }
}
const fieldTypes = (calls: Call[], collection: string) =>
  Object.fromEntries(
    Object.entries(manifestOf(calls).collections[collection]?.fields ?? {}).map(([name, field]) => [
      name,
      field.type,
    ]),
  )

describe('the scaffold model', () => {
  test('a sentence with fields becomes a collection with exactly those fields, typed by their names', () => {
    const calls = callsOf(prompt('Track the plants in my office: name, room, last watered date'))
    assert.deepEqual(fieldTypes(calls, 'plants'), { name: 'text', room: 'text', lastWateredDate: 'date' })
    assert.deepEqual(manifestOf(calls).pages, [{ path: '/', file: 'Plants.tsx', title: 'Plants' }])
    assert.equal(manifestOf(calls).name, 'Plants')
    assert.deepEqual(
      calls.map((call) => call.args['path'] ?? call.args['key'] ?? call.args['name']),
      [
        'Plants',
        'data',
        'app.json',
        'web/pages/Plants.tsx',
        'server/routes.ts',
        'tests/plants.test.ts',
        'web/pages/Home.tsx',
      ],
    )
  })

  test('then it checks, then it finishes with what the check showed', () => {
    const opening = prompt('A recipe app')
    const written = answered(opening, callsOf(opening), () => 'ok')
    assert.deepEqual(callsOf(written), [{ name: 'check', args: {} }])
    const green = answered(written, callsOf(written), () => 'The check is green.\nok  manifest (1 ms)')
    const [finish] = callsOf(green)
    assert.equal(finish?.name, 'finish')
    assert.match(String(finish?.args['summary']), /recipes/)
  })

  test('a red check is reported and not retried', () => {
    const opening = prompt('A recipe app')
    const written = answered(opening, callsOf(opening), () => 'ok')
    const red = answered(written, callsOf(written), () => 'The check is red.\nRED types')
    const turn = turnFor(request(red))
    assert.equal(turn.toolCalls, undefined)
    assert.match(turn.text ?? '', /RED types/)
  })

  test('a question changes nothing, and says what this model is', () => {
    const turn = turnFor(request(prompt('How do I change the colour?')))
    assert.equal(turn.toolCalls, undefined)
    assert.match(turn.text ?? '', /^I am the scaffold model: a fixed program, not an AI\./)
  })

  test('a ticket that names nothing is asked about once, and the answer is built', () => {
    const opening = prompt('Make something nice')
    const [ask] = callsOf(opening)
    assert.equal(ask?.name, 'ask_user')
    const calls = callsOf(
      answered(opening, ask === undefined ? [] : [ask], () => 'The user answered.\nsubject: Contacts'),
    )
    assert.ok(manifestOf(calls).collections['contacts'])
    const withoutAsking = turnFor(request(opening, ['write_file', 'check', 'finish']))
    assert.equal(withoutAsking.toolCalls, undefined)
  })

  test('a second noun becomes a page beside the first, and its routes are added by an edit', () => {
    const files = {
      'app.json': JSON.stringify({
        slipway: 1,
        name: 'New',
        uses: ['data'],
        pages: [{ path: '/', file: 'Plants.tsx', title: 'Plants' }],
        collections: { plants: { fields: { name: { type: 'text', required: true } } } },
      }),
      'server/routes.ts':
        "import { data } from '@slipway/app/server'\nimport { Hono } from 'hono'\n\nexport const routes = new Hono()\n\nroutes.patch('/plants/:id', async (c) => c.json({}))",
    }
    const calls = callsOf(prompt('Also keep track of suppliers with name and phone', files, 'data'))
    assert.deepEqual(
      manifestOf(calls).pages.map((page) => page.path),
      ['/', '/suppliers'],
    )
    assert.ok(manifestOf(calls).collections['plants'])
    const edit = calls.find((call) => call.name === 'edit_file')
    assert.equal(edit?.args['path'], 'server/routes.ts')
    assert.ok(!calls.some((call) => call.name === 'enable_capability'))
  })

  test('a field added to a collection that has records is never required', () => {
    const files = {
      'app.json': JSON.stringify({
        slipway: 1,
        name: 'New',
        uses: ['data'],
        pages: [{ path: '/', file: 'Contacts.tsx', title: 'Contacts' }],
        collections: { contacts: { fields: { name: { type: 'text', required: true } } } },
      }),
    }
    const calls = callsOf(prompt('Add a phone field to contacts', files, 'data'))
    assert.deepEqual(manifestOf(calls).collections['contacts']?.fields, {
      phone: { type: 'text', max: 200 },
      name: { type: 'text', required: true },
    })
    assert.deepEqual(
      calls.map((call) => call.name),
      ['write_file'],
    )
  })

  test('removing a collection drops its records by a migration and takes its files out', () => {
    const files = {
      'app.json': JSON.stringify({
        slipway: 1,
        name: 'New',
        pages: [
          { path: '/', file: 'Plants.tsx', title: 'Plants' },
          { path: '/notes', file: 'Notes.tsx', title: 'Notes' },
        ],
        collections: { plants: { fields: {} }, notes: { fields: {} } },
      }),
      'web/pages/Plants.tsx': 'x',
    }
    const calls = callsOf(prompt('Remove the plants', files, 'data'))
    const manifest = manifestOf(calls)
    assert.deepEqual(Object.keys(manifest.collections), ['notes'])
    assert.deepEqual(manifest.pages, [{ path: '/', file: 'Notes.tsx', title: 'Notes' }])
    assert.deepEqual(manifest.migrations?.[0]?.steps, [{ op: 'drop' }])
    assert.ok(
      calls.some((call) => call.name === 'delete_file' && call.args['path'] === 'web/pages/Plants.tsx'),
    )
  })

  test('the same messages get the same turn', () => {
    const messages = prompt('Manage bookings and rooms')
    assert.deepEqual(turnFor(request(messages)), turnFor(request(messages)))
  })

  test('a captured sentence becomes ticket fields', () => {
    const turn = turnFor({
      model: 'scaffold-1',
      messages: [{ role: 'user', content: 'Fix the broken login, it is urgent. Nobody can work.' }],
      response_format: { type: 'json_schema' },
    })
    assert.deepEqual(JSON.parse(turn.text ?? ''), {
      title: 'Fix the broken login, it is urgent',
      type: 'bug',
      priority: 'urgent',
      labels: [],
    })
  })
})
