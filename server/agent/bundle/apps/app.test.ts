import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type AppOptions, type RunningApp, startApp } from '../../testing/bundle.ts'
import { plantsTree } from '../../testing/tree.ts'

const stateFolder = mkdtempSync(join(tmpdir(), 'slipway-state-'))
async function withApp(
  options: AppOptions & { tree?: ReturnType<typeof plantsTree> },
  work: (app: RunningApp) => Promise<void>,
) {
  const app = await startApp(options.tree ?? plantsTree(), options)
  try {
    await work(app)
  } finally {
    await app.stop()
  }
}

async function list(app: RunningApp, collection = 'plants'): Promise<Record<string, unknown>[]> {
  const { data } = (await (await app.fetch(`/_app/data/${collection}`)).json()) as {
    data: { items: Record<string, unknown>[] }
  }
  return data.items
}

function create(app: RunningApp, fields: object, collection = 'plants') {
  const body = JSON.stringify({ mutationId: randomUUID(), ops: [{ op: 'create', collection, fields }] })
  return app.fetch('/_app/data/mutate', { method: 'POST', body })
}

function treeWith(
  change: (manifest: {
    collections: Record<string, { fields: Record<string, object> }>
    migrations?: object[]
  }) => void,
) {
  const manifest = JSON.parse(plantsTree().get('app.json') ?? '') as Parameters<typeof change>[0]
  change(manifest)
  return plantsTree({ 'app.json': JSON.stringify(manifest) })
}

describe('a bundled app', () => {
  after(() => rmSync(stateFolder, { recursive: true, force: true }))

  test('every page of a bundled app renders, and the tests of the app run', () =>
    withApp({}, async (app) => {
      const pages = (await (await app.ask('smoke', '/')).json()) as {
        page: string
        ok: boolean
        error: unknown
      }[]
      assert.deepEqual(
        pages.map(({ page, ok, error }) => ({ page, ok, error })),
        ['Plants', 'Rooms', 'Plant'].map((name) => ({
          page: `web/pages/${name}.tsx`,
          ok: true,
          error: null,
        })),
      )
      const results = (await (await app.ask('tests', '/run')).json()) as {
        file: string
        ok: boolean
        error: unknown
      }[]
      assert.deepEqual(
        results.map(({ file, ok, error }) => ({ file, ok, error })),
        [1, 2].map(() => ({ file: 'tests/plants.test.ts', ok: true, error: null })),
      )
    }))

  test("an app's page that throws, failing test and test that never ends are each reported with the reason", () => {
    const tree = plantsTree({
      'web/pages/Rooms.tsx': "export default function Rooms(): never {\n  throw new Error('no rooms')\n}\n",
      'web/pages/Plant.tsx': 'export default function Plant() {\n  return <p>{document.title}</p>\n}\n',
      'tests/plants.test.ts': `import { app, expect, test } from '@slipway/app/testing'
test('a test that fails', async () => { expect((await app.get('/')).status).toBe(418) })
test('a test without end', () => new Promise(() => {}))
`,
    })
    return withApp({ tree }, async (app) => {
      const pages = (await (await app.ask('smoke', '/')).json()) as {
        ok: boolean
        error: string | null
        warning: string | null
      }[]
      assert.match(pages[1]?.error ?? '', /no rooms/)
      assert.ok(pages[2]?.ok)
      assert.match(pages[2]?.warning ?? '', /document is not defined/)
      const results = (await (await app.ask('tests', '/run')).json()) as { ok: boolean; error: string }[]
      assert.match(results[0]?.error ?? '', /expected 200 to be 418/)
      assert.match(results[1]?.error ?? '', /did not end within 2 s/)
    })
  })

  test('every page of an app, even that of an unknown path, is served with security headers', () =>
    withApp({}, async (app) => {
      for (const path of ['/', '/rooms', '/plants/7', '/somewhere/else']) {
        const response = await app.fetch(path)
        assert.equal(response.status, 200, path)
        const policy = response.headers.get('content-security-policy') ?? ''
        assert.match(policy, /default-src 'self'; script-src 'self';.*frame-ancestors 'self'/)
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
        assert.ok(!(await response.text()).includes('preview.js'))
      }
      assert.equal((await app.fetch('/_app/preview.js')).status, 404)
      assert.equal((await app.fetch('/icon.svg')).headers.get('content-type'), 'image/svg+xml')
    }))

  test('the share image of an app has an absolute URL and is served as a PNG', () => {
    const tree = plantsTree()
    const app = {
      ...(JSON.parse(tree.get('app.json') ?? '') as object),
      look: { palette: 'forest', icon: 'leaf' },
    }
    return withApp({ tree: new Map([...tree, ['app.json', JSON.stringify(app)]]) }, async (served) => {
      const page = await served.fetch('/rooms')
      const address = /property="og:image" content="([^"]+)"/.exec(await page.text())?.[1] ?? ''
      assert.equal(new URL(address).pathname, '/card.png')
      assert.equal((await served.fetch(new URL(address).pathname)).headers.get('content-type'), 'image/png')
    })
  })

  test('an unexpected error in app code becomes a server_error without its text, and an ApiError keeps its code and message', () => {
    const broken =
      "import { Hono } from 'hono'\nexport const routes = new Hono()\nroutes.get('/broken', () => { throw new Error('a secret') })\n"
    const refused = `${broken}import { ApiError } from '@slipway/app/server'\nroutes.get('/refused', () => { throw new ApiError('conflict', 'Not now.') })\n`
    return withApp({ tree: plantsTree({ 'server/routes.ts': refused }) }, async (app) => {
      const failed = await app.fetch('/api/broken')
      assert.equal(failed.status, 500)
      assert.deepEqual(await failed.json(), {
        ok: false,
        error: { code: 'server_error', message: 'Something failed in the app.' },
      })
      const told = await app.fetch('/api/refused')
      assert.deepEqual(
        [told.status, await told.json()],
        [409, { ok: false, error: { code: 'conflict', message: 'Not now.' } }],
      )
      assert.equal((await app.fetch('/api/nothing')).status, 404)
    })
  })

  test("the preview of an app may be framed only by the console, and loads a script that contains the console's origin", () =>
    withApp({ tier: 'preview', consoleOrigin: 'http://console.test:4300' }, async (app) => {
      const page = await app.fetch('/')
      assert.match(
        page.headers.get('content-security-policy') ?? '',
        /frame-ancestors http:\/\/console\.test:4300$/,
      )
      assert.equal(page.headers.get('x-robots-tag'), 'noindex')
      assert.match(await page.text(), /<head><script src="\/_app\/preview\.js">/)
      const script = await (await app.fetch('/_app/preview.js')).text()
      assert.match(script, /"http:\/\/console\.test:4300"\)$/)
      assert.ok(!/\b__name\b/.test(script), 'the script needs something from outside')
    }))

  test('the HTTP routes and functions of the data capability return not_enabled while it is off', () =>
    withApp({ enabled: [] }, async (app) => {
      const response = await app.fetch('/_app/data/plants')
      assert.equal(response.status, 404)
      const { error } = (await response.json()) as { error: { code: string } }
      assert.equal(error.code, 'not_enabled')
      assert.equal((await app.fetch('/api/plants/1', { method: 'DELETE' })).status, 404)
      assert.equal((await app.fetch('/')).status, 200)
    }))

  test('records survive a restart, and the preview of an app has its own records', async () => {
    await withApp({ stateFolder }, async (app) => {
      assert.equal((await create(app, { name: 'Fern', potSize: 12, notes: 'wet' })).status, 200)
    })
    await withApp({ stateFolder, tier: 'preview' }, async (app) => assert.deepEqual(await list(app), []))
    await withApp({ stateFolder }, async (app) =>
      assert.deepEqual(
        (await list(app)).map((plant) => plant['name']),
        ['Fern'],
      ),
    )
  })

  test('a release with a new field reads old records, and after a rollback the previous release reads all records', () =>
    withApp({ stateFolder }, async (app) => {
      const next = treeWith(({ collections }) => {
        collections['plants']!.fields['origin'] = { type: 'text', index: true }
      })
      await app.ship(next)
      assert.equal((await list(app))[0]?.['origin'], null)
      assert.equal((await create(app, { name: 'Ivy', origin: 'Spain' })).status, 200)
      await app.ship(plantsTree())
      const names = (await list(app)).map((plant) => plant['name'])
      assert.deepEqual(names, ['Ivy', 'Fern'])
      assert.ok(!('origin' in (await list(app))[0]!))
    }))

  test('rename, default and convert migrations run once, and the previous release still finds its data', () =>
    withApp({ stateFolder }, async (app) => {
      const next = treeWith((manifest) => {
        const { fields } = manifest.collections['plants']!
        const { notes, potSize: _potSize, ...others } = fields
        manifest.collections['plants']!.fields = {
          ...others,
          remarks: notes!,
          potSize: { type: 'text' },
          owner: { type: 'text', required: true },
        }
        const steps = [
          { op: 'rename', field: 'notes', to: 'remarks' },
          { op: 'convert', field: 'potSize', as: 'text' },
          { op: 'default', field: 'owner', value: 'office' },
          { op: 'drop', field: 'notes' },
        ]
        manifest.migrations = [{ id: '0001-more', collection: 'plants', steps }]
      })
      await app.ship(next)
      const fern = (await list(app)).find((plant) => plant['name'] === 'Fern')
      assert.deepEqual(
        [fern?.['remarks'], fern?.['potSize'], fern?.['owner'], fern?.['notes']],
        ['wet', '12', 'office', undefined],
      )
      await app.ship(plantsTree())
      const before = (await list(app)).find((plant) => plant['name'] === 'Fern')
      assert.deepEqual([before?.['notes'], before?.['potSize']], ['wet', 12])
      await app.ship(next)
      assert.equal((await list(app)).find((plant) => plant['name'] === 'Fern')?.['rev'], fern?.['rev'])
    }))
})
