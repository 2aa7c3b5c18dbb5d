import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { testGithub } from '../../testing/github.ts'

const HOUR_MS = 3_600_000

describe('the REST API of the local code host', () => {
  const host = testGithub()
  const ada = host.client(host.tokenOf('Ada'))
  after(() => host.close())

  const fetchRaw = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await host.request(`/api/v3${path}`, { headers })
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as Record<string, unknown>,
    }
  }
  const createRepository = (name: string, more: object = {}) =>
    ada.rest.repos.createForAuthenticatedUser({ name, ...more })

  test('a GitHub API call without a token and one with a wrong token get different errors', async () => {
    const none = await fetchRaw('/user')
    assert.deepEqual([none.status, none.body['message']], [401, 'Requires authentication'])
    const wrong = await fetchRaw('/user', { authorization: 'Bearer gho_wrong' })
    assert.deepEqual(
      [wrong.status, wrong.body['message'], wrong.body['status']],
      [401, 'Bad credentials', '401'],
    )
  })

  test('an API token is accepted with the schemes Bearer and token, and as name or password of Basic authentication', async () => {
    const token = host.tokenOf('Ada')
    const basicAuth = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    for (const authorization of [
      `Bearer ${token}`,
      `token ${token}`,
      basicAuth(`${token}:`),
      basicAuth(`x-access-token:${token}`),
    ]) {
      const { status, body } = await fetchRaw('/user', { authorization })
      assert.deepEqual([status, body['login']], [200, 'ada'], authorization.slice(0, 6))
    }
    assert.equal((await fetchRaw('/user', { authorization: basicAuth('ada:secret') })).status, 401)
  })

  test("a user's login is unique and consists of the name's letters and digits", async () => {
    const loginOf = async (user: string) =>
      (await host.client(host.tokenOf(user)).rest.users.getAuthenticated()).data.login
    assert.equal(await loginOf('Zoë & Søn'), 'zoe-s-n')
    assert.equal(await loginOf('zoë   søn'), 'zoe-s-n-2')
    assert.equal(await loginOf('東京'), 'user')
    const long = await loginOf('a'.repeat(60))
    assert.ok(long.length <= 39, 'the limit of the provider')
  })

  test('every API call except /rate_limit counts toward the rate limit of its user, which resets after an hour', async () => {
    const token = host.tokenOf('Busy')
    const callWithToken = (path: string) => fetchRaw(path, { authorization: `Bearer ${token}` })
    const readRemaining = async (path: string) =>
      (await callWithToken(path)).headers.get('x-ratelimit-remaining')
    assert.deepEqual(
      [await readRemaining('/user'), await readRemaining('/rate_limit'), await readRemaining('/user')],
      ['4999', '4999', '4998'],
    )
    host.clock.advance(HOUR_MS)
    assert.equal(await readRemaining('/user'), '4999')
  })

  test('a token without a repository scope cannot create a repository, and the response names the accepted scopes', async () => {
    const token = host.tokenOf('Ada', ['read:org'])
    const answer = await host.request('/api/v3/user/repos', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ name: 'unscoped' }),
    })
    assert.deepEqual(
      [answer.status, answer.headers.get('x-accepted-oauth-scopes')],
      [403, 'repo, public_repo'],
    )
    const { headers } = await fetchRaw('/user', { authorization: `Bearer ${token}` })
    assert.equal(headers.get('x-oauth-scopes'), 'read:org')
  })

  test('a repository name may have letters, digits, dots, dashes and underscores, and a name such as .. or a/b is refused', async () => {
    for (const name of ['.', '..', 'a/b', 'a b', '', 'shop.git', 'shop.wiki', 'ä', 'x'.repeat(101)])
      await assert.rejects(createRepository(name), { status: 422 }, JSON.stringify(name))
    for (const name of ['a', '.github', 'x'.repeat(100), 'a_b-c.d'])
      assert.equal((await createRepository(name)).data.full_name, `ada/${name}`)
    const wrong = await host.request('/api/v3/user/repos', {
      method: 'POST',
      headers: { authorization: `Bearer ${host.tokenOf('Ada')}` },
      body: 'no json',
    })
    assert.equal(wrong.status, 422)
  })

  test('of several simultaneous requests to create the same repository, exactly one succeeds', async () => {
    const results = await Promise.allSettled([
      createRepository('race'),
      createRepository('RACE'),
      createRepository('Race'),
    ])
    const statuses = results.map((one) =>
      one.status === 'fulfilled' ? one.value.status : (one.reason as { status: number }).status,
    )
    assert.deepEqual(statuses.toSorted(), [201, 422, 422])
    const refused = results.find((one) => one.status === 'rejected')?.reason as {
      response: { data: { errors: object[] } }
    }
    assert.deepEqual(refused.response.data.errors, [
      {
        resource: 'Repository',
        field: 'name',
        code: 'custom',
        message: 'name already exists on this account',
      },
    ])
  })

  test('a private repository requires the scope "repo", and a public repository the scope "repo" or "public_repo"', async () => {
    await createRepository('secret', { private: true })
    await createRepository('open')
    const narrow = host.client(host.tokenOf('Ada', ['public_repo']))
    const readRepository = (name: string, client = ada) => client.rest.repos.get({ owner: 'ada', repo: name })
    assert.equal((await readRepository('secret')).data.visibility, 'private')
    await assert.rejects(readRepository('secret', narrow), { status: 404 })
    assert.equal((await readRepository('OPEN', narrow)).data.name, 'open')
    const listNames = async (client = ada) =>
      (await client.rest.repos.listForAuthenticatedUser({ per_page: 100 })).data.map(({ name }) => name)
    assert.deepEqual(
      [(await listNames()).includes('secret'), (await listNames(narrow)).includes('secret')],
      [true, false],
    )
  })

  test("the REST response for a repository contains the calling user's permissions", async () => {
    await createRepository('shared')
    const ben = host.client(host.tokenOf('Ben'))
    const readPermissions = async (client = ada) =>
      (await client.rest.repos.get({ owner: 'ada', repo: 'shared' })).data.permissions
    assert.deepEqual(await readPermissions(), {
      admin: true,
      maintain: true,
      push: true,
      triage: true,
      pull: true,
    })
    assert.deepEqual(await readPermissions(ben), {
      admin: false,
      maintain: false,
      push: false,
      triage: false,
      pull: true,
    })
  })

  test("a repository's description and visibility can be changed but not its name, and its default branch must exist", async () => {
    const { data } = await createRepository('plans', { description: 'Old' })
    const updateRepository = (more: object, client = ada) =>
      client.rest.repos.update({ owner: 'ada', repo: data.name, ...more })
    const changed = await updateRepository({ description: 'New', visibility: 'private' })
    assert.deepEqual([changed.data.description, changed.data.private], ['New', true])
    assert.equal((await updateRepository({ description: null })).data.description, null)
    await assert.rejects(updateRepository({ name: 'other' }), { status: 422 })
    await assert.rejects(updateRepository({ default_branch: 'none' }), { status: 422 })
    await assert.rejects(updateRepository({ description: 'x'.repeat(351) }), { status: 422 })
    await updateRepository({ private: false })
    const stranger = host.client(host.tokenOf('Stranger'))
    await assert.rejects(updateRepository({ description: 'Mine' }, stranger), { status: 404 })
  })

  test('the Link header of a page contains the existing first, previous, next and last pages', async () => {
    const pages = host.client(host.tokenOf('Pages'))
    for (let n = 0; n < 5; n++) await pages.rest.repos.createForAuthenticatedUser({ name: `r${n}` })
    const readPage = async (number: number) => {
      const { data, headers } = await pages.rest.repos.listForAuthenticatedUser({ per_page: 2, page: number })
      const links = [...(headers.link ?? '').matchAll(/[?&]page=(\d+)[^>]*>; rel="(\w+)"/g)]
      return [data.map(({ name }) => name), Object.fromEntries(links.map(([, to, rel]) => [rel, Number(to)]))]
    }
    assert.deepEqual(await readPage(1), [['r4', 'r3'], { next: 2, last: 3 }])
    assert.deepEqual(await readPage(2), [['r2', 'r1'], { prev: 1, next: 3, last: 3, first: 1 }])
    assert.deepEqual(await readPage(3), [['r0'], { prev: 2, first: 1 }])
    assert.deepEqual(await readPage(9), [[], { prev: 3, first: 1 }])
    for (const query of ['per_page=0', 'per_page=x', 'page=-1', 'page=1.5'])
      assert.equal(
        (await fetchRaw(`/user/repos?${query}`, { authorization: `Bearer ${host.tokenOf('Pages')}` })).status,
        422,
      )
  })

  test('an empty repository has no commits, no branches and no files', async () => {
    await createRepository('empty')
    const at = { owner: 'ada', repo: 'empty' }
    await assert.rejects(ada.rest.repos.listCommits(at), { status: 409 })
    assert.deepEqual((await ada.rest.repos.listBranches(at)).data, [])
    await assert.rejects(ada.rest.repos.getBranch({ ...at, branch: 'main' }), { status: 404 })
    await assert.rejects(ada.rest.repos.getContent({ ...at, path: '' }), { status: 404 })
    await assert.rejects(ada.rest.git.getRef({ ...at, ref: 'heads/main' }), { status: 404 })
    const { data } = await ada.rest.repos.get(at)
    assert.deepEqual([data.pushed_at, data.default_branch], [null, 'main'])
  })

  test('an unknown route of the REST API returns 404 and is marked as unimplemented in the journal of requests', async () => {
    await assert.rejects(ada.rest.gists.list(), { status: 404 })
    const entries = host.journal.read(0) as { path: string; unimplemented: boolean }[]
    assert.deepEqual(
      entries.filter(({ unimplemented }) => unimplemented).map(({ path }) => path),
      ['/github/api/v3/gists'],
    )
  })
})
