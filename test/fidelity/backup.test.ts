import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BackupApp, githubOf, openBackupApp } from '../../server/backup/testing.ts'
import { sampleFiles } from '../../server/testing/apps/sample-app.ts'
import { newAccount, type WranglerTarget, runScript } from './wrangler.ts'

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

interface AppResponse {
  status: number
  text: string
}

/** The tests use only what a customer has without Slipway: a clone of the backup, git, Node and a cloud account. */
describe('a backed-up repository works without Slipway', () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-backup-'))
  const clone = join(dir, 'clone')
  let world: BackupApp
  let reach: WranglerTarget & { account: { subdomain: string } }
  let sha = ''
  let closeService = async () => {}

  const runGit = async (...args: string[]) => {
    const env = { PATH: process.env['PATH'], HOME: dir, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1' }
    const { stdout, stderr } = await promisify(execFile)('git', args, { env })
    return stdout + stderr
  }

  before(async () => {
    world = await openBackupApp()
    let isOpen = true
    closeService = async () => {
      if (isOpen) await world.app.close()
      isOpen = false
    }
    const { person, project, backUp } = await world.personWithProject('Office plants')
    await world.build(project.id, sampleFiles(), 'Plants')
    const changed = new Map(sampleFiles()).set(
      'shared/greet.ts',
      'export const greet = (n: string) => `Hi ${n}`\n',
    )
    sha = await world.build(project.id, changed, 'Greet shorter')
    assert.equal((await backUp()).status, 200)
    const { login } = await githubOf(person)
    const token = await world.tokenOf(person)
    reach = { dir, restUrl: world.world.restUrl, account: await newAccount(world.world) }
    // The service is closed for all tests, which shows that nothing of the backup needs it.
    await closeService()
    const { host } = new URL(world.world.restUrl)
    await runGit(
      'clone',
      '-q',
      `http://x-access-token:${token}@${host}/github/${login}/${project.slug}.git`,
      clone,
    )
  })
  after(async () => {
    await closeService()
    await world.world.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const requestApp = (method: string, path: string, body?: object): Promise<AppResponse> =>
    new Promise((resolve, reject) => {
      const { appsPort } = world.world
      const host = `office-plants.${reach.account.subdomain}.localhost:${appsPort}`
      const asked = request(
        { port: appsPort, host: '127.0.0.1', method, path, headers: { host } },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (part: string) => (text += part))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
          answer.on('error', reject)
        },
      )
      asked.on('error', reject)
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })

  test("the clone of a backup passes git's checks and has the complete history", async () => {
    assert.equal((await runGit('-C', clone, 'fsck', '--full', '--strict')).trim(), '')
    const log = await runGit('-C', clone, 'log', '--format=%s|%an|%ae')
    assert.deepEqual(log.trim().split('\n'), [
      'Greet shorter|Ada Lovelace|ada@example.com',
      'Plants|Ada Lovelace|ada@example.com',
    ])
    assert.equal((await runGit('-C', clone, 'rev-parse', 'HEAD')).trim(), sha)
    assert.equal((await runGit('-C', clone, 'status', '--porcelain')).trim(), '')
  })

  test('the clone of a backup contains neither an address of the service nor a secret', () => {
    const files = readdirSync(clone, { recursive: true, withFileTypes: true })
    const texts = files
      .filter((file) => file.isFile() && !file.parentPath.includes('.git'))
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    assert.ok(texts.length > 50)
    for (const text of texts) {
      assert.ok(!text.includes(world.world.restUrl) && !text.includes('127.0.0.1:'))
      assert.doesNotMatch(text, /gho_|svk_[A-Za-z0-9]{8}|whsec_[A-Za-z0-9]{8}|prj_[a-z0-9]{20}/)
    }
  })

  test('the lock file of a backup has exactly the packages that package.json requires', () => {
    const readJson = (name: string) =>
      JSON.parse(readFileSync(join(clone, name), 'utf8')) as {
        dependencies: object
        devDependencies: object
        packages: Record<string, { dependencies: object; devDependencies: object }>
      }
    const { dependencies, devDependencies } = readJson('package.json')
    const root = readJson('package-lock.json').packages['']
    assert.deepEqual([root?.dependencies, root?.devDependencies], [dependencies, devDependencies])
  })

  test('the deploy script of a backup deploys the app with wrangler, and the app serves its page and stores a record', async () => {
    // Link the installed packages instead of running `npm ci`.
    symlinkSync(NODE_MODULES, join(clone, 'node_modules'))
    const { code, output } = await runScript(reach, clone, 'platform/deploy.mjs')
    assert.equal(code, 0, output)
    const page = await requestApp('GET', '/')
    assert.equal(page.status, 200)
    assert.match(page.text, /<title>Office plants<\/title>/)
    const script = /src="(\/assets\/main-[0-9a-f]+\.js)"/.exec(page.text)?.[1] ?? ''
    assert.equal((await requestApp('GET', script)).status, 200)
    const op = { op: 'create', collection: 'plants', fields: { name: 'Fern' } }
    const stored = await requestApp('POST', '/_app/data/mutate', { mutationId: randomUUID(), ops: [op] })
    assert.equal(stored.status, 200, stored.text)
    assert.deepEqual(JSON.parse((await requestApp('GET', '/api/count')).text), { count: 1 })
  })
})
