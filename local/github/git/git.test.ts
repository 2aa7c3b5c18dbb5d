import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  type AuthCallback,
  branch,
  clone,
  commit,
  type HttpClient,
  init,
  log,
  push,
  tag,
} from 'isomorphic-git'
import { testGithub } from '../../testing/github.ts'
import { pktLine } from './pkt-line.ts'

const ADDRESS = 'http://github.test/github/ada'
const author = { name: 'Ada', email: 'ada@example.test', timestamp: 1_800_000_000, timezoneOffset: 0 }

describe('git over HTTP at the local code host', () => {
  const host = testGithub()
  const token = host.tokenOf('Ada')
  const ada = host.client(token)
  const work = fs.mkdtempSync(join(tmpdir(), 'slipway-git-'))
  after(() => {
    host.close()
    fs.rmSync(work, { recursive: true, force: true })
  })

  const http: HttpClient = {
    request: async ({ url, method = 'GET', headers = {}, body }) => {
      const parts: Uint8Array[] = []
      for await (const part of body ?? []) parts.push(part)
      const path = url.slice('http://github.test/github'.length)
      const sent = method === 'GET' ? {} : { body: Buffer.concat(parts) }
      const answer = await host.request(path, { method, headers, ...sent })
      const bytes = await answer.bytes()
      return {
        url,
        method,
        statusCode: answer.status,
        statusMessage: answer.statusText,
        headers: Object.fromEntries(answer.headers),
        body: [bytes][Symbol.iterator]() as unknown as AsyncIterableIterator<Uint8Array>,
      }
    },
  }
  const onAuth =
    (secret = token): AuthCallback =>
    () => ({ username: 'x-access-token', password: secret })
  /** Creates a repository at the code host and a work tree with one commit on main. */
  const startRepository = async (name: string) => {
    await ada.rest.repos.createForAuthenticatedUser({ name, private: true })
    const dir = join(work, name)
    await init({ fs, dir, defaultBranch: 'main' })
    const at = { fs, http, dir, url: `${ADDRESS}/${name}.git`, onAuth: onAuth() }
    const saveCommit = (message: string, parent?: string[]) =>
      commit({ fs, dir, message, author, ...(parent && { parent }) })
    return { ...at, saveCommit, first: await saveCommit('first'), repo: { owner: 'ada', repo: name } }
  }
  const postRaw = (path: string, body: Buffer, headers: Record<string, string> = {}) =>
    host.request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...headers },
      body: new Uint8Array(body),
    })

  describe('one repository', () => {
    let shop: Awaited<ReturnType<typeof startRepository>>
    let second: string
    before(async () => {
      shop = await startRepository('shop')
      second = await shop.saveCommit('second')
      await push({ ...shop, ref: 'main' })
    })

    test('a pushed repository can be read over REST: branch, commits in pages, and files at a commit', async () => {
      const { data } = await ada.rest.repos.getBranch({ ...shop.repo, branch: 'main' })
      assert.equal(data.commit.sha, second)
      const readCommitPage = async (number: number) =>
        (await ada.rest.repos.listCommits({ ...shop.repo, per_page: 1, page: number })).data.map((one) => [
          one.sha,
          one.commit.message,
          one.commit.author?.date,
        ])
      const date = '2027-01-15T08:00:00Z'
      assert.deepEqual(
        [await readCommitPage(1), await readCommitPage(2)],
        [[[second, 'second', date]], [[shop.first, 'first', date]]],
      )
      const old = await ada.rest.repos.listCommits({ ...shop.repo, sha: shop.first })
      assert.equal(old.data.length, 1)
      const content = await ada.rest.repos.getContent({ ...shop.repo, path: '', ref: second })
      assert.deepEqual(content.data, [])
      await assert.rejects(ada.rest.repos.getContent({ ...shop.repo, path: 'none' }), { status: 404 })
      await assert.rejects(ada.rest.repos.listCommits({ ...shop.repo, sha: 'f'.repeat(40) }), { status: 404 })
      assert.notEqual((await ada.rest.repos.get(shop.repo)).data.pushed_at, null)
    })

    test('a pushed repository can be cloned with its history', async () => {
      const dir = join(work, 'copy')
      await clone({ fs, http, dir, url: shop.url, onAuth: onAuth() })
      assert.deepEqual(
        (await log({ fs, dir })).map(({ oid }) => oid),
        [second, shop.first],
      )
    })

    test('a forced push that would remove commits from a branch is refused', async () => {
      const other = await shop.saveCommit('other', [shop.first])
      await branch({ fs, dir: shop.dir, ref: 'diverged', object: other })
      const forced = push({ ...shop, ref: 'diverged', remoteRef: 'refs/heads/main', force: true })
      await assert.rejects(forced, /non-fast-forward/)
      const { data } = await ada.rest.repos.getBranch({ ...shop.repo, branch: 'main' })
      assert.equal(data.commit.sha, second)
    })

    test('a push cannot overwrite a tag, delete the default branch, or create a branch such as main/next while main exists', async () => {
      await tag({ fs, dir: shop.dir, ref: 'v1', object: shop.first })
      await push({ ...shop, ref: 'v1', remoteRef: 'refs/tags/v1' })
      await tag({ fs, dir: shop.dir, ref: 'v1', object: second, force: true })
      await assert.rejects(
        push({ ...shop, ref: 'v1', remoteRef: 'refs/tags/v1', force: true }),
        /already exists/,
      )
      await assert.rejects(push({ ...shop, remoteRef: 'refs/heads/main', delete: true }), /current branch/)
      const below = push({ ...shop, ref: 'main', remoteRef: 'refs/heads/main/next' })
      await assert.rejects(below, /'refs\/heads\/main' exists/)
      const { data } = await ada.rest.git.getRef({ ...shop.repo, ref: 'tags/v1' })
      assert.equal(data.object.sha, shop.first)
    })

    test('a push can delete a branch other than the default one', async () => {
      await push({ ...shop, ref: 'main', remoteRef: 'refs/heads/feature' })
      const listBranchNames = async () =>
        (await ada.rest.repos.listBranches(shop.repo)).data.map(({ name }) => name)
      assert.deepEqual(await listBranchNames(), ['feature', 'main'])
      await push({ ...shop, remoteRef: 'refs/heads/feature', delete: true })
      assert.deepEqual(await listBranchNames(), ['main'])
    })
  })

  test("git gets 401 without a required token, 404 for another user's private repository, and 403 for a forbidden push", async () => {
    await ada.rest.repos.createForAuthenticatedUser({ name: 'hidden', private: true })
    await ada.rest.repos.createForAuthenticatedUser({ name: 'public' })
    const fetchRefs = (name: string, service: string, authorization?: string) =>
      host.request(`/ada/${name}.git/info/refs?service=${service}`, {
        headers: authorization === undefined ? {} : { authorization },
      })
    const none = await fetchRefs('hidden', 'git-receive-pack')
    assert.deepEqual([none.status, none.headers.get('www-authenticate')], [401, 'Basic realm="GitHub"'])
    assert.equal(
      (await fetchRefs('none', 'git-upload-pack')).status,
      401,
      'a missing one is not told from a private one',
    )
    assert.equal((await fetchRefs('public', 'git-upload-pack')).status, 200)
    assert.equal((await fetchRefs('public', 'git-receive-pack')).status, 401)
    assert.equal((await fetchRefs('public', 'git-upload-pack', 'Bearer wrong')).status, 401)
    const stranger = `Bearer ${host.tokenOf('Stranger')}`
    assert.equal((await fetchRefs('hidden', 'git-upload-pack', stranger)).status, 404)
    assert.equal((await fetchRefs('public', 'git-receive-pack', stranger)).status, 403)
    const narrow = `Bearer ${host.tokenOf('Ada', ['read:org'])}`
    assert.equal((await fetchRefs('public', 'git-receive-pack', narrow)).status, 403)
  })

  test('a git request without the query parameter "service", as in git\'s old dumb HTTP protocol, is refused', async () => {
    const answer = await host.request('/ada/public.git/info/refs')
    assert.deepEqual([answer.status, await answer.text()], [403, 'Please upgrade your git client.\n'])
  })

  test("a push whose body is not in git's protocol is refused with a reason and changes nothing", async () => {
    await ada.rest.repos.createForAuthenticatedUser({ name: 'odd' })
    const path = '/ada/odd.git/git-receive-pack'
    const oid = 'a'.repeat(40)
    for (const [body, reason] of [
      [Buffer.from('zzzz'), /no length/],
      [Buffer.from('00ff'), /cut off/],
      [Buffer.from('0003'), /cut off/],
      [Buffer.concat([pktLine('push please'), Buffer.from('0000')]), /cannot be read/],
    ] as const) {
      const answer = await postRaw(path, body)
      assert.equal(answer.status, 400)
      assert.match(await answer.text(), reason)
    }
    const notGzip = await postRaw(path, Buffer.from('0000'), { 'content-encoding': 'gzip' })
    assert.deepEqual([notGzip.status, await notGzip.text()], [400, 'The body is not gzip.\n'])
    const command = `${'0'.repeat(40)} ${oid} refs/heads/main\0report-status`
    const missing = await postRaw(path, gzipSync(Buffer.concat([pktLine(command), Buffer.from('0000')])), {
      'content-encoding': 'gzip',
    })
    assert.match(await missing.text(), /ng refs\/heads\/main missing necessary objects/)
    assert.deepEqual((await ada.rest.repos.listBranches({ owner: 'ada', repo: 'odd' })).data, [])
  })

  test('of two simultaneous pushes that begin at the same commit, exactly one changes the branch', async () => {
    const race = await startRepository('race')
    await push({ ...race, ref: 'main' })
    const [left, right] = [
      await race.saveCommit('left', [race.first]),
      await race.saveCommit('right', [race.first]),
    ]
    await branch({ fs, dir: race.dir, ref: 'left', object: left })
    await branch({ fs, dir: race.dir, ref: 'right', object: right })
    const results = await Promise.allSettled(
      ['left', 'right'].map((ref) => push({ ...race, ref, remoteRef: 'refs/heads/main' })),
    )
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const winner = results[0]?.status === 'fulfilled' ? left : right
    const { data } = await ada.rest.repos.listCommits(race.repo)
    assert.deepEqual(
      data.map(({ sha }) => sha),
      [winner, race.first],
    )
  })
})
