import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import { Octokit } from '@octokit/rest'
import { clone, commit, log, push } from 'isomorphic-git'
import http from 'isomorphic-git/http/node'
import { control, startTestWorld, type TestWorld } from './world.ts'

interface Git {
  code: number
  output: string
}

/** Signs in as the user with this login hint, and returns an access token. The same hint always signs in the same user. */
async function signIn(world: TestWorld, hint: string, scope = 'repo'): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'slipway-local',
    redirect_uri: 'http://localhost:1/back',
    scope,
    state: 's',
    prompt: 'none',
    login_hint: hint,
    account_name: hint,
  })
  const page = await fetch(`${world.restUrl}/github/login/oauth/authorize?${query.toString()}`, {
    redirect: 'manual',
  })
  const back = new URL(page.headers.get('location') ?? '').searchParams
  assert.equal(back.get('state'), 's')
  return (await redeemCode(world, back.get('code') ?? ''))['access_token'] ?? ''
}

async function redeemCode(world: TestWorld, code: string): Promise<Record<string, string>> {
  const answer = await fetch(`${world.restUrl}/github/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id: 'slipway-local', code }),
  })
  assert.equal(answer.status, 200)
  return (await answer.json()) as Record<string, string>
}

const octokitFor = (world: TestWorld, token: string) =>
  new Octokit({
    auth: token,
    baseUrl: `${world.restUrl}/github/api/v3`,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })

const statusOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call
    return 200
  } catch (error) {
    return (error as { status: number }).status
  }
}

describe('the local code host', () => {
  let world: TestWorld
  let token: string
  let octokit: Octokit
  before(async () => {
    world = await startTestWorld()
    token = await signIn(world, 'Ada')
    octokit = octokitFor(world, token)
  })
  after(() => world.remove())

  describe('with @octokit/rest', () => {
    test('octokit reads the user and the scopes of a GitHub token', async () => {
      const { data, headers } = await octokit.rest.users.getAuthenticated()
      assert.equal(data.login, 'ada')
      assert.equal(headers['x-oauth-scopes'], 'repo')
      assert.ok(Number(headers['x-ratelimit-remaining']) > 0)
      const limits = await octokit.rest.rateLimit.get()
      assert.equal(limits.data.resources.core.limit, 5000)
    })

    test('exchanging an invalid OAuth authorization code returns 200 with the error bad_verification_code', async () => {
      assert.equal((await redeemCode(world, 'nonsense'))['error'], 'bad_verification_code')
    })

    test('a repository name is unique regardless of upper and lower case, and an invalid name is refused', async () => {
      const wish = { name: 'first', private: true, description: 'One' }
      const { status, data } = await octokit.rest.repos.createForAuthenticatedUser(wish)
      assert.deepEqual([status, data.full_name, data.private], [201, 'ada/first', true])
      const refused = octokit.rest.repos.createForAuthenticatedUser({ name: 'FIRST' })
      await assert.rejects(refused, (error: { status: number; response: { data: { errors: object[] } } }) => {
        assert.equal(error.status, 422)
        assert.equal((error.response.data.errors[0] as { field: string }).field, 'name')
        return true
      })
      for (const name of ['..', 'a/b', 'x.git', '', 'a b'])
        assert.equal(await statusOf(octokit.rest.repos.createForAuthenticatedUser({ name })), 422, name)
    })

    test('a private repository is a 404 for other users of the GitHub emulator', async () => {
      const path = { owner: 'ada', repo: 'first' }
      const stranger = octokitFor(world, await signIn(world, 'Eve'))
      assert.equal(await statusOf(octokit.rest.repos.get(path)), 200)
      assert.equal(await statusOf(stranger.rest.repos.get(path)), 404)
      assert.equal(await statusOf(stranger.rest.repos.update({ ...path, private: false })), 404)
      assert.equal(await statusOf(octokitFor(world, 'gho_wrong').rest.repos.get(path)), 401)
      const narrow = octokitFor(world, await signIn(world, 'Ada', 'user'))
      assert.equal(await statusOf(narrow.rest.repos.get(path)), 404)
      assert.equal(await statusOf(narrow.rest.repos.createForAuthenticatedUser({ name: 'more' })), 403)
    })

    test('octokit reads all pages of a list by their Link headers', async () => {
      for (let i = 0; i < 5; i++)
        await octokit.rest.repos.createForAuthenticatedUser({ name: `page-${i}`, private: true })
      const all = await octokit.paginate('GET /user/repos', { per_page: 2 })
      assert.deepEqual(
        (all as { name: string }[]).map((one) => one.name),
        ['page-4', 'page-3', 'page-2', 'page-1', 'page-0', 'first'],
      )
      assert.equal(await statusOf(octokit.request('GET /user/repos', { page: 0 })), 422)
    })

    test('in the GitHub emulator only a member of an organization can create a repository there', async () => {
      const page = await fetch(`${world.restUrl}/github/login/oauth/authorize`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams([
          ['client_id', 'slipway-local'],
          ['redirect_uri', 'http://localhost:1/back'],
          ['scope', 'repo read:org'],
          ['login', 'owner'],
          ['grant', 'repo'],
          ['grant', 'read:org'],
          ['decision', 'allow'],
        ]),
      })
      const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? ''
      const owner = octokitFor(world, (await redeemCode(world, code))['access_token'] ?? '')
      const { data } = await owner.rest.orgs.listForAuthenticatedUser()
      assert.deepEqual(
        data.map((one) => one.login),
        ['demo'],
      )
      const made = await owner.rest.repos.createInOrg({ org: 'demo', name: 'shared', private: true })
      assert.equal(made.data.full_name, 'demo/shared')
      assert.equal(await statusOf(octokit.rest.repos.createInOrg({ org: 'demo', name: 'mine' })), 403)
      assert.equal(await statusOf(octokit.rest.repos.createInOrg({ org: 'nobody', name: 'mine' })), 404)
    })

    test('a revoked GitHub token no longer authenticates', async () => {
      const given = await signIn(world, 'Bob')
      const basic = Buffer.from('slipway-local:').toString('base64')
      const deleteToken = () =>
        fetch(`${world.restUrl}/github/api/v3/applications/slipway-local/token`, {
          method: 'DELETE',
          headers: { authorization: `Basic ${basic}` },
          body: JSON.stringify({ access_token: given }),
        })
      assert.equal((await deleteToken()).status, 204)
      assert.equal(await statusOf(octokitFor(world, given).rest.users.getAuthenticated()), 401)
      assert.equal((await deleteToken()).status, 404)
    })

    test('an error injected into the GitHub emulator reaches octokit with the status and rate-limit headers of GitHub', async () => {
      const limited = octokit.rest.repos.createForAuthenticatedUser({ name: 'shop-fail-403' })
      await assert.rejects(limited, (error: { status: number; response: { headers: object } }) => {
        assert.equal(error.status, 403)
        assert.equal((error.response.headers as Record<string, string>)['x-ratelimit-remaining'], '0')
        return true
      })
      await control(world, 'POST', '/faults', {
        match: { provider: 'github', path: '/user' },
        do: { status: 503 },
      })
      assert.equal(await statusOf(octokit.rest.users.getAuthenticated()), 503)
      assert.equal(await statusOf(octokit.rest.users.getAuthenticated()), 200)
    })
  })

  describe('with git itself', () => {
    let home: string
    let count = 0
    const runGit = async (...args: string[]): Promise<Git> => {
      const env = {
        PATH: process.env['PATH'],
        HOME: home,
        GIT_TERMINAL_PROMPT: '0',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.com',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.com',
      }
      try {
        const { stdout, stderr } = await promisify(execFile)('git', args, { env })
        return { code: 0, output: stdout + stderr }
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
        return { code, output: stdout + stderr }
      }
    }
    const gitOutput = async (...args: string[]): Promise<string> => {
      const { code, output } = await runGit(...args)
      assert.equal(code, 0, output)
      return output
    }
    /** Creates an empty repository at the code host, and a local repository with one commit whose `origin` is the empty repository. */
    const startRepository = async () => {
      const name = `git-${++count}`
      await octokit.rest.repos.createForAuthenticatedUser({ name, private: true })
      const work = join(home, name)
      const plain = `${world.restUrl}/github/ada/${name}.git`
      const url = plain.replace('http://', `http://x-access-token:${token}@`)
      await gitOutput('init', '-q', '-b', 'main', work)
      await gitOutput('-C', work, 'remote', 'add', 'origin', url)
      const save = async (file: string, content: string | Uint8Array) => {
        fs.writeFileSync(join(work, file), content)
        await gitOutput('-C', work, 'add', '.')
        await gitOutput('-C', work, 'commit', '-qm', file)
      }
      await save('first', 'one\n')
      return {
        name,
        work,
        url,
        plain,
        save,
        folder: join(world.dir, 'local', 'github', 'ada', `${name}.git`),
      }
    }
    const checkRepository = (folder: string) =>
      gitOutput('-C', folder, 'fsck', '--full', '--strict', '--no-dangling')

    before(() => {
      home = fs.mkdtempSync(join(world.dir, 'git-home-'))
    })

    test('git works with the GitHub emulator: push, clone, pull, branches and tags, and main cannot be deleted', async () => {
      const { work, url, save, folder } = await startRepository()
      assert.equal((await gitOutput('ls-remote', url)).trim(), '')
      await gitOutput('-C', work, 'push', '-q', '-u', 'origin', 'main')
      const other = `${work}-other`
      await gitOutput('clone', '-q', url, other)
      await save('second', 'two\n')
      await gitOutput('-C', work, 'push', '-q')
      await gitOutput('-C', other, 'pull', '-q')
      assert.equal(fs.readFileSync(join(other, 'second'), 'utf8'), 'two\n')
      await gitOutput('-C', work, 'tag', '-a', 'v1', '-m', 'v1')
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main:refs/heads/a/b', 'v1')
      assert.match(await gitOutput('ls-remote', url), /refs\/heads\/a\/b[\s\S]*refs\/tags\/v1\^\{\}/)
      await gitOutput('-C', work, 'push', '-q', 'origin', ':a/b')
      assert.doesNotMatch(await gitOutput('ls-remote', url), /a\/b/)
      assert.notEqual((await runGit('-C', work, 'push', 'origin', ':main')).code, 0)
      await checkRepository(folder)
      await checkRepository(other)
    })

    test('git pushes a large file in chunks to the GitHub emulator and clones it unchanged', async () => {
      const { work, url, save } = await startRepository()
      const bytes = randomBytes(3_000_000)
      await save('large', bytes)
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main')
      await gitOutput('clone', '-q', url, `${work}-other`)
      assert.ok(bytes.equals(fs.readFileSync(join(`${work}-other`, 'large'))))
    })

    test('a git push with diverged history is refused until the diverged commits are fetched and merged', async () => {
      const { work, url, folder } = await startRepository()
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main')
      const other = `${work}-other`
      await gitOutput('clone', '-q', url, other)
      for (const [where, n] of [
        [work, 300],
        [other, 100],
      ] as const) {
        const stream = Array.from(
          { length: n },
          (_, i) =>
            `commit refs/heads/main\ncommitter A <a@b> ${1_800_000_000 + n + i} +0000\ndata 1\n${i % 10}\n${i === 0 ? 'from refs/heads/main^0\n' : ''}`,
        ).join('')
        const child = execFile('git', ['-C', where, 'fast-import', '--quiet'])
        child.stdin?.end(stream)
        await new Promise((resolve) => child.once('exit', resolve))
      }
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main')
      assert.match(
        (await runGit('-C', other, 'push', 'origin', 'main')).output,
        /fetch first|non-fast-forward/,
      )
      const forced = await runGit('-C', other, 'push', '--force', 'origin', 'main')
      assert.match(forced.output, /remote rejected[\s\S]*non-fast-forward/)
      await gitOutput('-C', other, 'fetch', '-q')
      await gitOutput('-C', other, 'merge', '-q', 'origin/main', '-m', 'both')
      await gitOutput('-C', other, 'push', '-q', 'origin', 'main')
      assert.equal((await gitOutput('-C', other, 'rev-list', '--count', 'HEAD')).trim(), '402')
      await checkRepository(folder)
    })

    test('an atomic git push updates all of its refs or none', async () => {
      const { work, url } = await startRepository()
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main')
      const refused = await runGit('-C', work, 'push', '--atomic', 'origin', 'main:refs/heads/new', ':main')
      assert.notEqual(refused.code, 0)
      assert.doesNotMatch(await gitOutput('ls-remote', url), /refs\/heads\/new/)
    })

    test('git needs credentials for a private repository, which other users cannot find', async () => {
      const { work, plain } = await startRepository()
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main')
      assert.match((await runGit('ls-remote', plain)).output, /could not read Username/)
      const eve = plain.replace('http://', `http://x-access-token:${await signIn(world, 'Eve')}@`)
      assert.match((await runGit('ls-remote', eve)).output, /not found/)
      const wrong = plain.replace('http://', 'http://x-access-token:gho_wrong@')
      assert.notEqual((await runGit('ls-remote', wrong)).code, 0)
    })

    test('everyone can read a public repository, and only its owner can write to it', async () => {
      const { name, work, plain } = await startRepository()
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main')
      await octokit.rest.repos.update({ owner: 'ada', repo: name, private: false })
      await gitOutput('clone', '-q', plain, `${work}-other`)
      const eve = plain.replace('http://', `http://x-access-token:${await signIn(world, 'Eve')}@`)
      assert.match((await runGit('-C', `${work}-other`, 'push', eve, 'main:evil')).output, /403|denied/)
      const sha = (await octokit.rest.repos.getBranch({ owner: 'ada', repo: name, branch: 'main' })).data
        .commit.sha
      assert.equal((await gitOutput('-C', work, 'rev-parse', 'HEAD')).trim(), sha)
      const file = await octokit.rest.repos.getContent({ owner: 'ada', repo: name, path: 'first' })
      const { content } = file.data as { content: string }
      assert.equal(Buffer.from(content, 'base64').toString(), 'one\n')
      assert.equal(
        (await octokit.rest.git.getRef({ owner: 'ada', repo: name, ref: 'heads/main' })).data.object.sha,
        sha,
      )
      const commits = await octokit.rest.repos.listCommits({ owner: 'ada', repo: name })
      assert.equal(commits.data[0]?.commit.message, 'first')
    })

    test('isomorphic-git can clone from and push to the GitHub emulator', async () => {
      const { work, plain, folder } = await startRepository()
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main')
      const dir = `${work}-isomorphic`
      const onAuth = () => ({ username: 'x-access-token', password: token })
      await clone({ fs, http, dir, url: plain, onAuth })
      const author = { name: 'Ada', email: 'ada@example.com' }
      const oid = await commit({ fs, dir, message: 'from here', author })
      await push({ fs, http, dir, onAuth })
      await gitOutput('-C', work, 'pull', '-q', 'origin', 'main')
      assert.equal((await gitOutput('-C', work, 'rev-parse', 'HEAD')).trim(), oid)
      assert.equal((await log({ fs, dir })).length, 2)
      await checkRepository(folder)
    })

    test('the local GitHub emulator keeps every acknowledged push when its process is killed', async () => {
      const { work, url, save, folder } = await startRepository()
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main')
      await save('more', 'more\n')
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main')
      await world.kill()
      await checkRepository(folder)
      await world.start()
      const again = url.replace(/127\.0\.0\.1:\d+/, new URL(world.restUrl).host)
      const head = (await gitOutput('-C', work, 'rev-parse', 'HEAD')).trim()
      assert.match(await gitOutput('ls-remote', again, 'main'), new RegExp(`^${head}`))
      octokit = octokitFor(world, token)
    })

    test('truncated, altered, too deep and oversized git packs are refused and change nothing', async () => {
      const { name, work, url, folder } = await startRepository()
      await gitOutput('-C', work, 'push', '-q', 'origin', 'main')
      const refs = await gitOutput('ls-remote', url)
      const head = refs.slice(0, 40)
      const pushPack = async (pack: Uint8Array, to = 'a'.repeat(40)) => {
        const command = `${head} ${to} refs/heads/main\0report-status`
        const line = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`
        const answer = await fetch(`${world.restUrl}/github/ada/${name}.git/git-receive-pack`, {
          method: 'POST',
          headers: { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
          body: Buffer.concat([Buffer.from(line), pack]),
        })
        return `${answer.status} ${await answer.text()}`
      }
      const good = packOf([packEntry(3, Buffer.from('text'))])
      const bomb = Buffer.concat([packHeader(3, 10), deflateSync(Buffer.alloc(50_000_000))])
      const huge = Buffer.concat([packHeader(3, 2 ** 40), deflateSync(Buffer.from('x'))])
      const reference = Buffer.concat([packHeader(7, 4), Buffer.alloc(20, 1), deflateSync(Buffer.alloc(4))])
      const outside = Buffer.concat([packHeader(6, 4), Buffer.from([5]), deflateSync(Buffer.alloc(4))])
      const base = packEntry(3, Buffer.from('x'))
      const hostile: Record<string, Uint8Array> = {
        cut: good.subarray(0, -25),
        altered: Buffer.concat([good.subarray(0, 14), Buffer.from([0]), good.subarray(15)]),
        'more objects than it has': packOf([], 5),
        'millions of objects': packOf([], 4_000_000_000),
        'longer than it says': packOf([bomb]),
        'says it is enormous': packOf([huge]),
        'a delta by name': packOf([reference]),
        'a delta without base': packOf([outside]),
        'a chain of a thousand deltas': packOf(deltaChain(1000)),
        'a delta that makes a gigabyte': packOf([
          base,
          deltaEntry(base.length, [1, 0x80, 0x80, 0x80, 0x80, 4]),
        ]),
        'the same object twice': packOf([base, base]),
        'no pack at all': Buffer.from('PACK nonsense'),
      }
      for (const [what, pack] of Object.entries(hostile)) {
        assert.match(await pushPack(pack), /unpack (?!ok)[\s\S]*ng refs\/heads\/main unpacker error/, what)
      }
      assert.match(await pushPack(packOf(deltaChain(50))), /unpack ok[\s\S]*missing necessary objects/)
      assert.match(await pushPack(good), /unpack ok[\s\S]*ng refs\/heads\/main missing necessary objects/)
      assert.match(await pushPack(Buffer.alloc(0), 'zzz'), /^400/)
      assert.equal(await gitOutput('ls-remote', url), refs)
      await checkRepository(folder)
    })
  })
})

/** Returns the header of an object in a pack: its type and length. */
function packHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size % 16)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 128
    bytes.push(rest % 128)
  }
  return Buffer.from(bytes)
}

const packEntry = (type: number, data: Buffer) =>
  Buffer.concat([packHeader(type, data.length), deflateSync(data)])

function packOf(entries: Uint8Array[], count = entries.length): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(count, 8)
  const body = Buffer.concat([head, ...entries])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

/** Returns a delta against the object that is `distance` bytes before it in the pack. */
function deltaEntry(distance: number, instructions: number[]): Buffer {
  const digits = [distance % 128]
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor((rest - 1) / 128))
    digits.unshift(((rest - 1) % 128) | 128)
  const data = Buffer.from(instructions)
  return Buffer.concat([packHeader(6, data.length), Buffer.from(digits), deflateSync(data)])
}

/** Returns the pack entries of an object and a chain of deltas, each of which is based on the previous entry. */
function deltaChain(length: number): Buffer[] {
  const entries: Buffer[] = [packEntry(3, Buffer.from('xx'))]
  while (entries.length <= length) {
    const number = [Math.floor(entries.length / 256), entries.length % 256]
    entries.push(deltaEntry(entries.at(-1)?.length ?? 0, [2, 2, 2, ...number]))
  }
  return entries
}
