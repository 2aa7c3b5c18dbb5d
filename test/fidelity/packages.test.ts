import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { PackagesFile } from '../../server/agent/source/packages-file.ts'
import { openPackages } from '../../server/agent/packages/packages.ts'
import { cloudFetch } from '../../server/cloudflare/fetch.ts'
import {
  type CloudApp,
  type DeployState,
  openCloudApp,
  until,
  wordAt,
} from '../../server/releases/testing.ts'
import { silentLog } from '../../server/testing/database.ts'
import {
  npmRegistry,
  type RegistryStandIn,
  type StoredPackage,
} from '../../server/testing/providers/npm-registry.ts'
import {
  finish,
  type ScriptedModel,
  type ScriptedStep,
  serveScriptedModel,
  write,
} from '../support/scripted-model.ts'
import { newAccount, runScript, writeFiles } from './wrangler.ts'

const runFile = promisify(execFile)
const INSTALLED = fileURLToPath(new URL('../../node_modules', import.meta.url))

const storedPackage = (name: string, dependencies: Record<string, string> = {}): StoredPackage => ({
  name,
  version: '1.0.0',
  manifest: { type: 'module', dependencies },
  files: {
    'index.js': `export const say = () => '${name} says hello'\n`,
    'index.d.ts': 'export declare const say: () => string\n',
  },
})
const CURATED_NAMES = ['marked', 'clsx', 'canvas-confetti']

const packagesCall = (args: object) => ({ name: 'packages', args })
const HOME = (free: boolean) => `import { Page } from '@slipway/app/react'
import { say as clsx } from 'clsx'
import { lazy, Suspense } from 'react'
${free ? "import { say as odd } from 'odd-one'\n" : ''}
const Party = lazy(() => import('../components/Party'))

export default function Home() {
  return (
    <Page title="Packages">
      <p>{clsx()}${free ? ' {odd()}' : ''}</p>
      <Suspense fallback={null}>
        <Party />
      </Suspense>
    </Page>
  )
}
`
const FILES = [
  write(
    'web/components/Party.tsx',
    `import { say } from 'canvas-confetti'\nexport default function Party() {\n  return <p>{say()}</p>\n}\n`,
  ),
  write(
    'server/routes.ts',
    `import { Hono } from 'hono'\nimport { say } from 'marked'\nexport const routes = new Hono()\nroutes.get('/word', (c) => c.text(say()))\n`,
  ),
  write(
    'tests/word.test.ts',
    `import { app, expect, test } from '@slipway/app/testing'\ntest('the server uses a package', async () => {\n  expect((await app.get('/api/word')).body).toBe('marked says hello')\n})\n`,
  ),
]

describe('an app with packages, from its ticket to its export', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-packages-'))
  let registry: RegistryStandIn
  let model: ScriptedModel
  let cloud: CloudApp
  let made: Awaited<ReturnType<CloudApp['personWithProject']>>
  before(async () => {
    registry = await npmRegistry([
      ...CURATED_NAMES.map((name) => storedPackage(name)),
      storedPackage('odd-one', { 'odd-helper': '^1.0.0' }),
      storedPackage('odd-helper'),
    ])
    model = await serveScriptedModel()
    cloud = await openCloudApp(undefined, { outboundAllow: [model.origin] })
    const { platform } = cloud.app
    await platform.packages.close()
    const curated: PackagesFile = {
      packages: Object.fromEntries(CURATED_NAMES.map((name) => [name, '1.0.0'])),
      lock: Object.fromEntries(CURATED_NAMES.map((name) => [`node_modules/${name}`, registry.entryOf(name)])),
    }
    platform.packages = openPackages({
      dataDir,
      allow: [],
      log: silentLog,
      registry: async () => registry.url,
      curated,
    })
    made = await cloud.personWithProject('Packages')
    const { person, path } = made
    const { data } = await person.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: 'scripted',
      baseUrl: model.baseUrl,
      key: 'packages',
      defaultModel: 'scripted',
    })
    await person.call(`PUT ${path}/model`, { connectionId: data.id, model: 'scripted' })
  })
  after(async () => {
    await cloud?.close()
    await model?.close()
    await registry?.close()
    rmSync(dataDir, { recursive: true })
  })

  /** Builds a ticket with a model that sends these responses. Returns its id and the results of its tool calls. */
  async function buildTicket(steps: ScriptedStep[]): Promise<{ ticketId: string; told: string }> {
    const { person, path } = made
    await model.script('packages', steps)
    const ticket = await person.call<{ id: string }>(`POST ${path}/tickets`, { title: 'Use packages' })
    const before = (await model.calls('packages')).length
    const stream = await person.raw(`POST ${path}/tickets/${ticket.data.id}/build/stream`, {
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    const text = await stream.text()
    assert.ok(text.includes('"status":"built"'), text.slice(-2000))
    const calls = (await model.calls('packages')).slice(before)
    return { ticketId: ticket.data.id, told: JSON.stringify(calls.at(-1)?.request.messages) }
  }

  test('a build adds curated npm packages, and is told why it may not add any other', async () => {
    const { told } = await buildTicket([
      { toolCalls: [packagesCall({ find: 'confetti' })] },
      { toolCalls: [...CURATED_NAMES.map((add) => packagesCall({ add })), packagesCall({ add: 'odd-one' })] },
      { toolCalls: [...FILES, write('web/pages/Home.tsx', HOME(false))] },
      { toolCalls: [finish('Packages are used.')] },
    ])
    assert.match(told, /canvas-confetti [\d.]+ \(web, at most \d+ kB\): confetti on a canvas/)
    assert.match(told, /Other packages cannot be added: the organization does not allow it/)
    assert.match(told, /Added marked 1\.0\.0/)
    assert.match(told, /odd-one \* is not among the curated packages/)
  })

  test('once the organization allows any npm package, a build adds an uncurated one, and the app is shipped with it', async () => {
    const { person, path } = made
    const policy = { requireSso: false, requireTwoFactor: false, sessionLifetimeDays: null, allowedIps: [] }
    await person.call('PUT /security', { ...policy, anyPackages: true })
    const { ticketId, told } = await buildTicket([
      { toolCalls: [packagesCall({ add: 'odd-one' })] },
      { toolCalls: [write('web/pages/Home.tsx', HOME(true))] },
      { toolCalls: [finish('One more package.')] },
    ])
    assert.match(told, /Added odd-one 1\.0\.0/)
    const preview = await person.call<{ previewUrl: string }>(`POST ${path}/preview`, { ticketId })
    let page = ''
    await until(async () => {
      page = await scriptsOf(preview.data.previewUrl)
      return page.includes('odd-one says hello')
    })
    assert.ok(
      page.includes('clsx says hello') && !page.includes('confetti says hello'),
      'confetti is loaded later',
    )
    await person.call<DeployState>(`POST ${path}/deploy`)
    let url: string | null = null
    await until(async () => {
      const { data } = await person.call<DeployState>(`GET ${path}/deploy`)
      url = data.state === 'live' ? data.url : null
      return url !== null
    })
    assert.equal(await (await cloudFetch(`${url}/api/word`)).text(), 'marked says hello')
    assert.ok((await scriptsOf(String(url))).includes('odd-one says hello'))
  })

  test('the npm packages of an app are listed with version and purpose', async () => {
    const { data } = await made.person.call<{
      items: { name: string; purpose: string | null }[]
      dependencies: number
    }>(`GET ${made.path}/packages`)
    assert.deepEqual(
      data.items.map(({ name, purpose }) => [name, purpose !== null]),
      [
        ['canvas-confetti', true],
        ['clsx', true],
        ['marked', true],
        ['odd-one', false],
      ],
    )
    assert.equal(data.dependencies, 1)
  })

  test('npm accepts the lock file of the exported repository, and plain wrangler deploys it to another account', async () => {
    const { data } = await made.person.call<{ files: Record<string, string> }>(`GET ${made.path}/source`)
    const dir = join(dataDir, 'export')
    writeFiles(dir, data.files)
    // Without the network, npm checks that the lock file has every package that package.json and other packages require.
    await runFile('npm', ['ls', '--all', '--package-lock-only'], { cwd: dir })
    const folder = await cloud.app.platform.packages.folderFor(new Map(Object.entries(data.files)), {
      owner: '',
    })
    linkPackages(dir, [join(folder ?? '', 'node_modules'), INSTALLED])
    const account = await newAccount(cloud.world)
    const reach = { dir: dataDir, restUrl: cloud.world.restUrl, account }
    const { code, output } = await runScript(reach, dir, 'platform/deploy.mjs')
    assert.equal(code, 0, output)
    const url = `http://${made.project.slug}.${account.subdomain}.localhost:${cloud.world.appsPort}`
    assert.equal(await wordAt(url), 'marked says hello')
    const scripts = await scriptsOf(url)
    assert.ok(scripts.includes('odd-one says hello'))
    assert.ok(!scripts.includes('confetti says hello'), 'confetti is a part of its own')
  })
})

/** Links the packages of these folders into a project, in place of `npm ci`. For a name in two folders, the first folder wins. */
function linkPackages(dir: string, folders: readonly string[]): void {
  mkdirSync(join(dir, 'node_modules'))
  for (const folder of folders)
    for (const name of readdirSync(folder)) {
      const at = join(dir, 'node_modules', name)
      if (!existsSync(at)) symlinkSync(join(folder, name), at)
    }
}

/** Returns the scripts that a page loads first, as one string. */
async function scriptsOf(url: string): Promise<string> {
  const html = await (await cloudFetch(url)).text()
  const paths = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path)
  const texts = paths.map(async (path) => (await cloudFetch(new URL(path ?? '', url).href)).text())
  return (await Promise.all(texts)).join('\n')
}
