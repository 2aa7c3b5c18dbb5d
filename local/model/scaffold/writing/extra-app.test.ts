import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type HandlerRoute, fileTextAfter, withRoutes } from './extra-app.ts'
import { filesAfterBuild, EMPTY_APP, manifestIn, replyTo } from '../ticket-fixture.ts'

const PATH = 'server/routes.ts'
const STARTER = "import { Hono } from 'hono'\n\nexport const routes = new Hono()\n"
const PDF: HandlerRoute = { handler: 'ordersPdf', at: "get('/orders/:id/pdf'" }
const ADD: HandlerRoute = { handler: 'addOrder', at: "post('/orders'" }
const CHANGE: HandlerRoute = { handler: 'changeOrder', file: 'addOrder', at: "patch('/orders/:id'" }

const ORDERS = filesAfterBuild('Track orders: customer, price', EMPTY_APP)
const routesOf = (files: ReadonlyMap<string, string>) => files.get(PATH) ?? ''
const withFile = (text: string, files = ORDERS) => new Map([...files, [PATH, text]])
const chained = (text: string) => text.replace('new Hono()', "new Hono().get('/mine', (c) => c.text('mine'))")
const typed = (text: string) =>
  `${text.replace('new Hono()', 'new Hono<{ Variables: object }>()')}routes.get('/mine', (c) => c.text('mine'))\n`
const helped = (text: string) =>
  `${text.replace('export const', "import { mine } from './mine.ts'\n\nexport const")}routes.get('/mine', mine)\n`

describe('the generated routes in server/routes.ts', () => {
  test('the scaffold adds routes below the Hono app of server/routes.ts, with one import per handler file', () => {
    assert.equal(
      withRoutes(STARTER, [], [PDF, ADD, CHANGE]),
      `import { Hono } from 'hono'
import { ordersPdf } from './ordersPdf.ts'
import { addOrder, changeOrder } from './addOrder.ts'

export const routes = new Hono()
routes.get('/orders/:id/pdf', ordersPdf)
routes.post('/orders', addOrder)
routes.patch('/orders/:id', changeOrder)
`,
    )
  })

  test("removing the scaffold's routes restores server/routes.ts as it was before they were added", () => {
    const added = withRoutes(STARTER, [], [PDF, ADD])
    assert.deepEqual(
      [withRoutes(added, [PDF, ADD], [PDF]), withRoutes(added, [PDF, ADD], []), withRoutes('', [], [PDF])],
      [withRoutes(STARTER, [], [PDF]), STARTER, withRoutes(STARTER, [], [PDF])],
    )
  })

  test('server/routes.ts stays unchanged when no scaffold route changes, even after a person has edited it', () => {
    const mine = typed(withRoutes(STARTER, [], [PDF]))
    assert.deepEqual(
      [withRoutes(mine, [PDF], [PDF]), withRoutes(mine, [], []), withRoutes('', [], [])],
      [mine, mine, ''],
    )
  })

  test('removing a scaffold route keeps routes that a person wrote in any style', () => {
    for (const change of [chained, typed, helped]) {
      const mine = change(STARTER)
      const extended = change(withRoutes(STARTER, [], [PDF]))
      assert.equal(withRoutes(extended, [PDF], []), mine, mine)
    }
  })

  test('server/routes.ts keeps the import of `data` only while a route uses it', () => {
    const used = `import { data } from '@slipway/app/server'\n${STARTER}routes.get('/a', (c) => c.json(data.of('a')))\n`
    const unused = `import { data } from '@slipway/app/server'\n${STARTER}`
    assert.deepEqual(
      [withRoutes(used, [], [PDF]).includes('import { data }'), withRoutes(unused, [], [PDF])],
      [true, withRoutes(STARTER, [], [PDF])],
    )
  })

  test('the text of a planned file includes all its edits, writes and deletions in order', () => {
    const files = new Map([['a.ts', 'one two']])
    const edit = (from: string, to: string) => ({
      name: 'edit_file',
      args: { path: 'a.ts', old: from, new: to },
    })
    const write = (content: string, path = 'a.ts') => ({ name: 'write_file', args: { path, content } })
    assert.deepEqual(
      [
        fileTextAfter(files, [], 'a.ts'),
        fileTextAfter(files, [edit('two', '$& $1'), write('other', 'b.ts')], 'a.ts'),
        fileTextAfter(files, [edit('two', '2'), write('new two'), edit('two', '2')], 'a.ts'),
        fileTextAfter(files, [{ name: 'delete_file', args: { path: 'a.ts' } }], 'a.ts'),
        fileTextAfter(files, [], 'none.ts'),
      ],
      ['one two', 'one $& $1', 'new 2', '', ''],
    )
  })
})

describe('an app whose routes a person has changed', () => {
  const WISHES = [
    'Orders as PDF',
    'Also keep track of suppliers with name',
    'Remove the orders',
    'People should sign in',
  ]

  test('no request to the scaffold removes a route or an import that a person wrote', () => {
    for (const change of [chained, typed, helped]) {
      const mine = change(STARTER)
        .split('\n')
        .filter((line) => /mine/.test(line))
      for (const wish of WISHES) {
        const files = withFile(change(routesOf(ORDERS)))
        const after = replyTo(wish, files).toolCalls === undefined ? files : filesAfterBuild(wish, files)
        assert.deepEqual(
          mine.filter((line) => !routesOf(after).includes(line)),
          [],
          `${wish}: ${mine.join()}`,
        )
      }
    }
  })

  test('a request that needs a route is refused when a person has restructured server/routes.ts', () => {
    for (const change of [chained, typed])
      for (const wish of WISHES.slice(0, 2)) {
        const turn = replyTo(wish, withFile(change(routesOf(ORDERS))))
        assert.equal(turn.toolCalls, undefined)
        assert.match(
          turn.text ?? '',
          /^The routes of the app \(server\/routes\.ts\) were changed since I made them\./,
        )
      }
  })

  test('a request that needs no route is built even when a person has restructured server/routes.ts', () => {
    const files = withFile(chained(routesOf(ORDERS)))
    const built = filesAfterBuild(
      'Also keep track of suppliers with name. People should sign in to see suppliers.',
      files,
    )
    assert.deepEqual([routesOf(built), built.has('web/pages/Suppliers.tsx')], [routesOf(files), true])
    assert.equal(routesOf(filesAfterBuild('Summarize the orders', files)), routesOf(files))
  })

  test('adding a list keeps the imports that a person added to server/routes.ts', () => {
    const files = withFile(helped(STARTER))
    const built = filesAfterBuild('Also keep track of suppliers with name', files)
    assert.match(
      routesOf(built),
      /^import \{ data \} from '@slipway\/app\/server'\nimport \{ Hono \} from 'hono'\n/,
    )
    assert.match(
      routesOf(built),
      /import \{ mine \} from '\.\/mine\.ts'[^]*routes\.patch\('\/suppliers\/:id'[^]*routes\.get\('\/mine', mine\)/,
    )
  })
})

describe('an app with files of a person', () => {
  test('a list whose page or test would overwrite a file of the app is refused with the name of the file', () => {
    for (const path of ['web/pages/Suppliers.tsx', 'tests/suppliers.test.ts']) {
      const turn = replyTo(
        'Also keep track of suppliers with name',
        new Map([...ORDERS, [path, '// mine\n']]),
      )
      assert.equal(turn.toolCalls, undefined, path)
      const reason = `The app has a file ${path} already, where mine would stand.`
      assert.equal(turn.text?.slice(0, reason.length), reason)
    }
  })

  test('a list that was removed can be created again', () => {
    const removed = filesAfterBuild('Remove the orders', ORDERS)
    assert.ok(filesAfterBuild('Keep track of orders: customer, price', removed).has('web/pages/Orders.tsx'))
  })

  test('a request for a list without plain fields never throws: it is built or refused with a reason', () => {
    const shared = { title: 'Photos', partition: 'app', read: 'members', write: 'members' }
    const appWith = (fields: object, files: [string, string][] = []) =>
      new Map([
        [
          'app.json',
          JSON.stringify({
            slipway: 1,
            name: 'X',
            uses: ['data'],
            collections: { photos: { ...shared, fields } },
          }),
        ],
        ...files,
      ])
    const test: [string, string] = ['tests/photos.test.ts', '// mine\n']
    const changed = /^The photo list (?:or its reminder )?was changed since I made it\./
    for (const fields of [{ photo: { type: 'file' } }, { meta: { type: 'json' }, all: { type: 'list' } }, {}])
      for (const files of [appWith(fields), appWith(fields, [test])]) {
        for (const wish of [
          'People should sign in',
          'Photos as PDF',
          'Summarize the photos',
          'Mail shop@example.com when a photo comes in',
          'Remind us every day of photos',
        ])
          assert.match(replyTo(wish, files).text ?? '', changed, `${wish}: ${JSON.stringify(fields)}`)
        const grown = filesAfterBuild('Add a due date', files)
        assert.deepEqual(Object.keys(manifestIn(grown).collections?.['photos']?.fields ?? {}), [
          ...Object.keys(fields),
          'dueDate',
        ])
        assert.equal(
          filesAfterBuild(
            'Also keep track of notes with title. People should sign in to see notes.',
            files,
          ).get(test[0]),
          files.get(test[0]),
        )
      }
    const renamed = filesAfterBuild('Rename photo to picture', appWith({ photo: { type: 'file' } }))
    assert.deepEqual(
      [Object.keys(manifestIn(renamed).collections?.['photos']?.fields ?? {}), renamed.has(test[0])],
      [['picture'], false],
    )
  })

  test('removing the last field that people fill in is refused, even when a file field remains', () => {
    const plants = filesAfterBuild(
      'Track plants: name. People should sign in. People can upload a photo of each plant',
      EMPTY_APP,
    )
    const turn = replyTo('Remove the name', plants)
    assert.equal(turn.toolCalls, undefined)
    assert.match(turn.text ?? '', /^The plant list would have nothing left to fill in\./)
  })
})
