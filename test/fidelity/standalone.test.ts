import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { type AppTree, completeTree, starterTree } from '../../server/agent/source/tree.ts'
import { capabilityOf } from '../../server/capability-catalog/catalog.ts'
import { everythingFiles, OPERATOR_CHANGES } from '../../server/testing/apps/everything-app.ts'
import { askApp, startTestWorld, type TestWorld } from './world.ts'
import {
  installPackages,
  projectWith,
  readNeededNames,
  runScript,
  wrangler,
  wranglerFed,
} from './wrangler.ts'
import { waitUntil } from '../support/wait-until.ts'

const WORKERS = ['wrangler.live.jsonc', 'wrangler.assets.jsonc', 'wrangler.jsonc', 'wrangler.live-app.jsonc']

/** Returns a clone of an app's repository with only the packages that `npm ci` installs from its lock file. */
async function cloneOf(world: TestWorld, files: AppTree, enabled: readonly string[]): Promise<string> {
  const dir = projectWith(world, Object.fromEntries(completeTree(files, new Set(enabled))))
  await installPackages(dir)
  return dir
}

/** Returns the secrets with which the app's code is tried, as bindings of the live worker. */
const sampleSecrets = (): [binding: string, value: string][] =>
  OPERATOR_CHANGES.flatMap(({ key, settings = {}, secrets = {} }) => {
    const declared = capabilityOf(key)
    const specs = declared.secrets(declared.settings.parse(settings))
    return Object.entries(secrets).map(([name, value]): [string, string] => [
      specs[name]?.binding ?? '',
      value,
    ])
  })

describe('the repository of an app without Slipway', () => {
  let world: TestWorld
  let dir: string
  before(async () => {
    world = await startTestWorld()
    dir = await cloneOf(world, everythingFiles(), CAPABILITY_KEYS)
  })
  after(() => world.remove())

  const checkTypes = (folder: string) => runScript(world, folder, 'node_modules/typescript/bin/tsc')

  test('the exported source of an app that uses every platform service passes its own type check', async () => {
    const { code, output } = await checkTypes(dir)
    assert.equal(code, 0, output)
  })

  test('the type check of an exported app without platform services reports exactly the added type error', async () => {
    const files = new Map([...starterTree('Wrong'), ['shared/a.ts', 'export const a: string = 1\n']])
    const { code, output } = await checkTypes(await cloneOf(world, files, []))
    assert.match(output, /^shared\/a\.ts\(1,14\): error [^\n]*\n$/)
    assert.notEqual(code, 0)
  })

  for (const config of WORKERS)
    test(`wrangler deploy --dry-run with ${config} succeeds without a warning`, async () => {
      const { code, output } = await wrangler(world, dir, 'deploy', '--dry-run', '--config', config)
      assert.equal(code, 0, output)
      assert.match(output, /--dry-run: exiting now/)
      assert.doesNotMatch(output, /WARNING|Unexpected fields/i)
    })

  test('DEPLOY.md names every secret that the service creates or requests, and every bucket and queue', () => {
    const guide = readFileSync(join(dir, 'DEPLOY.md'), 'utf8')
    const oauth = [{ id: 'github', clientId: 'x' }]
    for (const key of CAPABILITY_KEYS) {
      const declared = capabilityOf(key)
      for (const { binding } of Object.values(declared.generated)) assert.ok(guide.includes(`\`${binding}\``))
      const settings = declared.settings.parse(key === 'auth' ? { methods: { oauth } } : {})
      for (const { binding } of Object.values(declared.secrets(settings)))
        assert.ok(guide.includes(`\`${binding.replace('GITHUB', '<ID>')}\``), binding)
    }
    const { buckets, queues } = readNeededNames(dir)
    assert.ok(buckets.length > 1 && queues.length > 1)
    for (const name of [...buckets, ...queues])
      assert.ok(guide.includes(`\`${name.replace('everything', '')}\``), name)
    const plain = completeTree(starterTree('Empty'), new Set(['data'])).get('DEPLOY.md') ?? ''
    assert.match(plain, /Secrets to put: none\./)
  })

  test('an app deployed according to DEPLOY.md accepts a sign-up, and stores only the one record that its usage limit allows', async () => {
    const runWrangler = async (...args: string[]) => {
      const { code, output } = await wrangler(world, dir, ...args)
      assert.equal(code, 0, output)
    }
    const { buckets, queues } = readNeededNames(dir)
    for (const name of buckets) await runWrangler('r2', 'bucket', 'create', name)
    for (const name of queues) await runWrangler('queues', 'create', name)
    const deployed = await runScript(world, dir, 'platform/deploy.mjs')
    assert.equal(deployed.code, 0, deployed.output)
    const vapid = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
    for (const [name, value] of [
      ['AUTH_CODE_KEY', 'a key of 32 random bytes, or so'],
      ['VAPID_PRIVATE_KEY', vapid.export({ type: 'pkcs8', format: 'der' }).toString('base64')],
      ...sampleSecrets(),
    ] as const) {
      const secret = ['secret', 'put', name, '--config', 'wrangler.live.jsonc']
      const put = await wranglerFed(world, dir, value, ...secret)
      assert.equal(put.code, 0, put.output)
    }

    const headers = { cookie: '' }
    const requestEverything = (path: string, body?: object) =>
      askApp(world, 'everything', path, headers, body)
    assert.match((await requestEverything('/')).text, /<title>Everything<\/title>/)
    const ada = { email: 'ada@example.test', password: 'ada likes apples', name: 'Ada' }
    const signedUp = await requestEverything('/_app/auth/sign-up', ada)
    assert.equal(signedUp.status, 200, signedUp.text)
    headers.cookie = signedUp.cookie
    const first = await requestEverything('/api/letters', {})
    assert.deepEqual(JSON.parse(first.text), { remaining: 0, size: 8, logo: '/_app/assets/logo.svg' })
    assert.equal((await requestEverything('/api/letters', {})).status, 429)
    const readWritten = async () =>
      JSON.parse((await requestEverything('/api/written')).text) as { text: string }[]
    await waitUntil(async () => (await readWritten()).length === 3)
    assert.deepEqual((await readWritten()).map(({ text }) => text).sort(), [
      'answer to Ada',
      'to Ada',
      'to themselves',
    ])
  })
})
