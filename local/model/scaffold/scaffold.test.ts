import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EMPTY_PAGE } from './writing/pages.ts'
import { nextTurn } from './scaffold.ts'
import {
  type FixtureCall,
  withAnswer,
  filesAfterBuild,
  callsOf,
  EMPTY_APP,
  filesAfter,
  manifestIn,
  openingOf,
  replyTo,
  requestOf,
} from './ticket-fixture.ts'

const STARTER = new Map([
  [
    'app.json',
    '{ "slipway": 1, "name": "New", "pages": [{ "path": "/", "file": "Home.tsx", "title": "Home" }] }',
  ],
  ['server/routes.ts', "import { Hono } from 'hono'\n\nexport const routes = new Hono()"],
  ['web/pages/Home.tsx', EMPTY_PAGE],
])

const openingMessages = (ticket: string, files: Record<string, string> | null = null, enabled = 'none') =>
  openingOf(ticket, files === null ? STARTER : new Map(Object.entries(files)), enabled)

const withList = (...names: string[]) =>
  new Map([
    [
      'app.json',
      JSON.stringify({
        slipway: 1,
        name: 'New',
        uses: ['data'],
        pages: names.map((name, i) => ({
          path: i === 0 ? '/' : `/${name}`,
          file: `${name}.tsx`,
          title: name,
        })),
        collections: Object.fromEntries(
          names.map((name) => [
            name,
            {
              title: name.charAt(0).toUpperCase() + name.slice(1),
              fields: { name: { type: 'text', required: true } },
            },
          ]),
        ),
      }),
    ],
  ])

function manifestOf(calls: FixtureCall[]) {
  const written = calls.find((call) => call.name === 'write_file' && call.args['path'] === 'app.json')
  return JSON.parse(String(written?.args['content'])) as {
    name: string
    uses: string[]
    pages: { path: string; file: string }[]
    collections: Record<string, { fields: Record<string, { type: string; required?: boolean }> }>
    migrations?: { collection: string; steps: { op: string }[] }[]
  }
}
const fieldTypes = (calls: FixtureCall[], collection: string) =>
  Object.fromEntries(
    Object.entries(manifestOf(calls).collections[collection]?.fields ?? {}).map(([name, field]) => [
      name,
      field.type,
    ]),
  )

describe('the scaffold model', () => {
  test('a sentence that lists fields becomes a collection with exactly these fields, and their types are guessed from their names', () => {
    const calls = callsOf(openingMessages('Track the plants in my office: name, room, last watered date'))
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

  test('after writing files the scaffold model calls the tool "check", and after a successful check it finishes with a summary', () => {
    const opening = openingMessages('A recipe app')
    const written = withAnswer(opening, callsOf(opening), () => 'ok')
    assert.deepEqual(callsOf(written), [{ name: 'check', args: {} }])
    const green = withAnswer(written, callsOf(written), () => 'The check is green.\nok  manifest (1 ms)')
    const [finish] = callsOf(green)
    assert.equal(finish?.name, 'finish')
    assert.equal(
      finish?.args['summary'],
      'Your app now has a recipe list with search, add, edit and delete. Anyone with the address can add, change and remove records.',
    )
  })

  test('the summary after adding fields names only the new fields', () => {
    const opening = openingOf('Add a pickup date and a note about allergies', withList('customers'), 'data')
    const written = withAnswer(opening, callsOf(opening), () => 'ok')
    const green = withAnswer(written, callsOf(written), () => 'The check is green.')
    assert.deepEqual(callsOf(green)[0]?.args, {
      summary: 'The customer list has 2 new fields: pickup date and note about allergies.',
    })
  })

  test('the summary names requested features that were not built, but not sentences in which users describe themselves', () => {
    const summaryOf = (wish: string) => {
      const written = withAnswer(openingMessages(wish), callsOf(openingMessages(wish)), () => 'ok')
      return String(
        callsOf(withAnswer(written, callsOf(written), () => 'The check is green.'))[0]?.args['summary'],
      )
    }
    const leftOutPattern = (what: string) => new RegExp(`Left out, because it needs an AI model: ${what}\\.$`)
    assert.match(
      summaryOf('Track my recipes and make the header pink'),
      leftOutPattern('make the header pink'),
    )
    assert.match(
      summaryOf('A list of books and a calendar, and send me the news'),
      leftOutPattern('a calendar and send me the news'),
    )
    assert.doesNotMatch(
      summaryOf('I run a bike shop. I want to track repairs with bike and colour'),
      /Left out/,
    )
  })

  test('after a user message interrupts the tool "finish", the model calls it again and reports the message as omitted', () => {
    const opening = openingMessages('A recipe app')
    const written = withAnswer(opening, callsOf(opening), () => 'ok')
    const green = withAnswer(written, callsOf(written), () => 'The check is green.')
    const spoken = withAnswer(green, callsOf(green), () => 'interrupted: the user wrote to you meanwhile')
    const [finish] = callsOf([
      ...spoken,
      { role: 'user', content: 'The user says to you while you work:\nmake it pink' },
    ])
    assert.equal(finish?.name, 'finish')
    assert.match(String(finish?.args['summary']), /^.* What you wrote during the build is not in it/)
  })

  test('after a failed check the scaffold model replies with the failure and does not try again', () => {
    const opening = openingMessages('A recipe app')
    const written = withAnswer(opening, callsOf(opening), () => 'ok')
    const red = withAnswer(written, callsOf(written), () => 'The check is red.\nRED types')
    const turn = nextTurn(requestOf(red))
    assert.equal(turn.toolCalls, undefined)
    assert.match(turn.text ?? '', /RED types/)
  })

  test('a question changes no file, and the reply says that the scaffold model is a program and not an AI', () => {
    const turn = nextTurn(requestOf(openingMessages('How do I change the colour?')))
    assert.equal(turn.toolCalls, undefined)
    assert.match(
      turn.text ?? '',
      /^This question needs an AI model\. Connect one, or say: Make a list of .+\n\nI am the built-in program, not an AI/,
    )
  })

  test('a request to the scaffold that is not about a list gets a reply, and changes no file', () => {
    for (const wish of ['Make the header pink and put my logo on it', 'Show the weather in Stockholm']) {
      const turn = nextTurn(requestOf(openingMessages(wish)))
      assert.equal(turn.toolCalls, undefined)
      assert.match(
        turn.text ?? '',
        /^This wish needs an AI model\. Connect one, or say: Make a list of books/,
      )
    }
  })

  test('the scaffold model can build each request that its replies suggest as an example', () => {
    const files = withList('customers')
    const reply = nextTurn(requestOf(openingOf('Make it pink', files))).text ?? ''
    const [, list = '', field = ''] = /or say: (.+?)\. Or: (.+?)\./.exec(reply) ?? []
    assert.match(list, /^Make a list of/)
    assert.match(field, /^Add a notes field to customers$/)
    for (const example of [list, field])
      assert.ok(
        callsOf(openingOf(example, files)).some(({ name }) => name === 'write_file'),
        example,
      )
  })

  test('when a ticket does not say what to build, the user is asked once, and the answer or a default list is built', () => {
    const opening = openingMessages('Make something nice')
    const [ask] = callsOf(opening)
    assert.equal(ask?.name, 'ask_user')
    const calls = callsOf(
      withAnswer(opening, ask === undefined ? [] : [ask], () => 'The user answered.\nsubject: Contacts'),
    )
    assert.ok(manifestOf(calls).collections['contacts'])
    const beyond = withAnswer(opening, ask === undefined ? [] : [ask], () => 'subject: a chess game')
    assert.match(nextTurn(requestOf(beyond)).text ?? '', /^This wish needs an AI model/)
    const byDefault = withAnswer(
      opening,
      ask === undefined ? [] : [ask],
      () => 'The user gave no answers:\nsubject: Tasks (not answered, default taken)',
    )
    assert.deepEqual(Object.keys(manifestOf(callsOf(byDefault)).collections), ['tasks'])
    const withoutAsking = nextTurn(requestOf(opening, ['write_file', 'check', 'finish']))
    assert.equal(withoutAsking.toolCalls, undefined)
  })

  test('when several lists could get a requested field the user is asked, and the chosen list gets the field', () => {
    const opening = openingOf('Add a price', withList('customers', 'orders'), 'data')
    const calls = callsOf(opening)
    assert.deepEqual(calls[0]?.args, {
      questions: [
        {
          id: 'list',
          question: 'Which list gets price?',
          options: ['Customers', 'Orders'],
          default: 'Customers',
        },
      ],
    })
    const chosen = callsOf(withAnswer(opening, calls, () => 'The user answered:\nlist: Orders'))
    assert.deepEqual(Object.keys(manifestOf(chosen).collections['orders']?.fields ?? {}), ['name', 'price'])
    const wrong = nextTurn(requestOf(withAnswer(opening, calls, () => 'list: Shoes')))
    assert.match(wrong.text ?? '', /^The app has no "Shoes"\. It has: customers, orders\.$/)
  })

  test('a second list gets a second page, and its routes are inserted into the existing routes file', () => {
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
    const calls = callsOf(openingMessages('Also keep track of suppliers with name and phone', files, 'data'))
    assert.deepEqual(
      manifestOf(calls).pages.map((page) => page.path),
      ['/', '/suppliers'],
    )
    assert.ok(manifestOf(calls).collections['plants'])
    const edit = calls.find((call) => call.name === 'edit_file')
    assert.equal(edit?.args['path'], 'server/routes.ts')
    assert.ok(!calls.some((call) => call.name === 'enable_capability'))
  })

  test('a field added to a list with records comes last and is not required', () => {
    const calls = callsOf(openingOf('Add a phone field to contacts', withList('contacts'), 'data'))
    assert.deepEqual(Object.entries(manifestOf(calls).collections['contacts']?.fields ?? {}), [
      ['name', { type: 'text', required: true }],
      ['phone', { type: 'text', max: 200 }],
    ])
    assert.deepEqual(
      calls.map((call) => call.name),
      ['write_file'],
    )
  })

  test('a request for more than 64 fields or 50 choices changes no file, and the reply names the limit', () => {
    const datesOf = (count: number, word: string) =>
      Array.from({ length: count }, (_, at) => `${word} b${String.fromCharCode(97 + at)} date`).join(', ')
    const added = ['second', 'third'].reduce(
      (files, word) => filesAfterBuild(`Add ${datesOf(20, word)} to lamps`, files),
      filesAfterBuild(`Track lamps: ${datesOf(20, 'first')}`, EMPTY_APP),
    )
    const full = filesAfterBuild(`Add ${datesOf(4, 'fourth')} to lamps`, added)
    assert.deepEqual(
      [added, full].map(
        (files) => Object.keys(manifestIn(files).collections?.['lamps']?.fields ?? {}).length,
      ),
      [60, 64],
    )
    assert.deepEqual(replyTo(`Add ${datesOf(5, 'fifth')} to lamps`, added), {
      text: 'The lamp list has 60 of at most 64 fields, so it cannot get 5 more. To make room, say for example: Remove third bt date from lamps.',
    })
    const other = replyTo('Add a note to lamps', full).text ?? ''
    assert.match(other, /has 64 of at most 64 fields, so it cannot get 1 more\./)
    const [example = ''] = /(?<=for example: ).*(?=\.)/.exec(other) ?? []
    assert.equal(
      Object.keys(manifestIn(filesAfterBuild(example, full)).collections?.['lamps']?.fields ?? {}).length,
      63,
    )
    // The suggested request must be one that can be built.
    assert.doesNotMatch(replyTo('Make it faster', full).text ?? '', /Or: Add a/)
    const both = filesAfterBuild('Track cups: name', full)
    assert.match(replyTo('Make it faster', both).text ?? '', / Or: Add a notes field to cups\.\n/)

    const choices = Array.from({ length: 50 }, (_, at) => `choice${at}`).join(', ')
    const chosen = filesAfterBuild(`Track cups: name, kind (${choices})`, EMPTY_APP)
    assert.deepEqual(replyTo('Add large to kind', chosen), {
      text: 'The kind of the cup list has 50 of at most 50 choices, so it cannot get 1 more.',
    })
  })

  test('renaming or removing a field adds a migration that keeps or drops its values', () => {
    const renamed = manifestOf(callsOf(openingOf('Rename name to full name', withList('contacts'), 'data')))
    assert.deepEqual(renamed.migrations?.[0]?.steps, [{ op: 'rename', field: 'name', to: 'fullName' }])
    const files = filesAfter(
      withList('contacts'),
      callsOf(openingOf('Add a phone field', withList('contacts'), 'data')),
    )
    const dropped = manifestOf(callsOf(openingOf('Remove the phone', files, 'data')))
    assert.deepEqual(dropped.migrations?.[0]?.steps, [{ op: 'drop', field: 'phone' }])
    const last = nextTurn(requestOf(openingOf('Remove the name', withList('contacts'), 'data')))
    assert.match(last.text ?? '', /nothing left to fill in.*Remove the contacts\.$/)
  })

  test('removing a list drops its records by a migration and removes its files', () => {
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
    const calls = callsOf(openingMessages('Remove the plants', files, 'data'))
    const manifest = manifestOf(calls)
    assert.deepEqual(Object.keys(manifest.collections), ['notes'])
    assert.deepEqual(manifest.pages, [{ path: '/', file: 'Notes.tsx', title: 'Notes' }])
    assert.deepEqual(manifest.migrations?.[0]?.steps, [{ op: 'drop' }])
    assert.ok(
      calls.some((call) => call.name === 'delete_file' && call.args['path'] === 'web/pages/Plants.tsx'),
    )
  })

  test('the scaffold model always gives the same response to the same messages', () => {
    const messages = openingMessages('Manage bookings and rooms')
    assert.deepEqual(nextTurn(requestOf(messages)), nextTurn(requestOf(messages)))
  })

  test('a sentence is converted to the title, type, priority and labels of a ticket', () => {
    const turn = nextTurn({
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

  test('files whose content is missing from the prompt are read before any file is written', () => {
    const [system, project, ticket] = openingOf('Add a phone field to contacts', withList('contacts'), 'data')
    assert.ok(system && project && ticket)
    const routes = 'export const routes = 1'
    const named = {
      role: 'user' as const,
      content: `<project-ab12 name="New">\nCapabilities that are on: data\nFiles:\nserver/routes.ts (9000 bytes, 300 lines, exports routes), not shown\n</project-ab12>\n${String(project.content).replace(/^[^]*?<\/project-ab12>\n/, '')}`,
    }
    const tools = ['list_files', 'read_file', 'write_file', 'edit_file', 'check', 'finish']
    const messages = [system, named, ticket]
    const reads = callsOf(messages, tools)
    assert.deepEqual(reads, [{ name: 'read_file', args: { path: 'server/routes.ts' } }])
    const next = withAnswer(messages, reads, () => `server/routes.ts 1-1 of 1\n${routes}`)
    assert.ok(callsOf(next, tools).some(({ name }) => name === 'edit_file' || name === 'write_file'))
  })
})
