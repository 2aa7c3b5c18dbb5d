import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { testGithub } from '../testing/github.ts'

describe('creating and listing repositories at the local code host', () => {
  const host = testGithub()
  after(() => host.close())

  const create = async (name: string, token: string, more: object = {}) => {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ name, ...more }),
    }
    const answer = await host.request('/api/v3/user/repos', init)
    const body = (await answer.json()) as {
      full_name?: string
      message: string
      errors?: { message: string }[]
    }
    return [answer.status, body.full_name ?? body.errors?.[0]?.message ?? body.message]
  }
  const listNames = async (token: string) =>
    (await host.client(token).rest.repos.listForAuthenticatedUser()).data.map(({ name }) => name)

  test('a repository can have exactly the names that the provider allows', async () => {
    const token = host.tokenOf('Names')
    const good = ['a', 'A1', '.github', '_', '-', 'a.b', 'git', 'a.git.x', '...', 'x'.repeat(100)]
    const bad = ['', '.', '..', 'a.git', 'a.GIT', '.wiki', 'a/b', 'a b', 'ä', 'a\n', 'x'.repeat(101)]
    const results = []
    for (const name of [...good, ...bad]) results.push(await create(name, token))
    assert.deepEqual(results, [
      ...good.map((name) => [201, `names/${name}`]),
      ...bad.map(() => [422, 'name is not a valid repository name']),
    ])
  })

  test("GitHub's own client shows the message and reason when a repository name is refused", async () => {
    const { repos } = host.client(host.tokenOf('Refused')).rest
    await repos.createForAuthenticatedUser({ name: 'shop' })
    await assert.rejects(
      repos.createForAuthenticatedUser({ name: 'shop' }),
      /^HttpError: Repository creation failed\.: \{.*"message":"name already exists on this account"/,
    )
  })

  test('of simultaneous requests for one repository name in different case, exactly one succeeds', async () => {
    const token = host.tokenOf('Racer')
    const results = await Promise.all([create('shop', token), create('SHOP', token), create('Shop', token)])
    assert.deepEqual(results.map(([status]) => status).toSorted(), [201, 422, 422])
    assert.deepEqual(await create('sHOP', token), [422, 'name already exists on this account'])
    assert.equal((await listNames(token)).length, 1)
  })

  test('two users can have repositories with the same name, and each lists only their own, newest first', async () => {
    const [eva, tom] = [host.tokenOf('Eva'), host.tokenOf('Tom')]
    for (const token of [eva, tom]) await create('shop', token)
    await create('later', eva)
    assert.deepEqual([await listNames(eva), await listNames(tom)], [['later', 'shop'], ['shop']])
  })

  test('a GitHub token for public repositories can neither list nor create private repositories', async () => {
    const [full, narrow] = [host.tokenOf('Pia'), host.tokenOf('Pia', ['public_repo'])]
    await create('open', full)
    await create('closed', full, { private: true })
    assert.deepEqual([await listNames(full), await listNames(narrow)], [['closed', 'open'], ['open']])
    assert.deepEqual(
      [await create('more', narrow, { private: true }), await create('more', narrow)],
      [
        [403, 'Resource not accessible: the token lacks a scope'],
        [201, 'pia/more'],
      ],
    )
  })
})
