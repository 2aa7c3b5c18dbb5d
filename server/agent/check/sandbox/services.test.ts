import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bundleApp } from '../../bundle/bundle.ts'
import { completeTree, starterTree } from '../../source/tree.ts'
import { openSandbox } from './sandbox.ts'
import { workersOf } from './workers.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Repositories',
  uses: ['auth', 'connect'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  providers: [{ id: 'github' }],
}
const ROUTES = `import { auth, connect } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/repos', async (c) => {
  const { id } = await auth.require(c.req.raw)
  const answer = await connect.fetch(id, 'github', '/user/repos?per_page=2')
  return c.json({ status: answer.status, repos: await answer.json() })
})
`
const TESTS = `import { app, expect, test } from '@slipway/app/testing'

test("an app lists the repositories of a person's GitHub account, and returns 409 before the account is linked", async () => {
  const ada = await app.signUp('Ada')
  expect((await ada.get('/api/repos')).status).toBe(409)
  await app.link(ada, 'github')
  await app.answers('github', 'GET /user/repos', [{ name: 'one' }])
  expect((await ada.get('/api/repos')).body).toEqual({ status: 200, repos: [{ name: 'one' }] })
  await app.answers('github', 'GET /user/repos', { message: 'gone' }, { status: 410 })
  expect((await ada.get('/api/repos')).body.status).toBe(410)
})

test("a GitHub account that a person has linked has the status linked in the app's list of connections", async () => {
  const bob = await app.signUp('Bob')
  await app.link(bob, 'github')
  await app.answers('github', 'GET /elsewhere', {})
  expect((await bob.get('/_app/connect')).body.data[0].status).toBe('linked')
})
`

test('the tests inside a generated app can link an external account and define the responses of that service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-services-'))
  try {
    const enabled = ['auth', 'connect']
    const tree = new Map([
      ...starterTree('Repositories'),
      ['app.json', JSON.stringify(MANIFEST)],
      [
        'web/pages/Home.tsx',
        `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
      ],
      ['server/routes.ts', ROUTES],
      ['tests/repos.test.ts', TESTS],
    ])
    const built = await bundleApp(completeTree(tree, new Set(enabled)), {
      parts: ['server', 'web', 'tests'],
      minify: false,
    })
    assert.ok(built.ok, JSON.stringify(built))
    const workers = await workersOf(built.bundle, enabled, ['github'])
    const sandbox = await openSandbox(workers, { folder, timeoutMs: 60_000 })
    try {
      const answer = await sandbox.get('tests', '/run', 60_000)
      const results = JSON.parse(answer.body) as { name: string; ok: boolean; error: string | null }[]
      assert.deepEqual(
        results.map(({ ok, error }) => [ok, error]),
        [
          [true, null],
          [true, null],
        ],
      )
    } finally {
      await sandbox.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
