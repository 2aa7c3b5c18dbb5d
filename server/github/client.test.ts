import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import * as z from 'zod'
import { bodyResponse, closeProviders, hangUp, startProvider } from '../cloudflare/testing.ts'
import { recordSleeps } from '../testing/sleeps.ts'
import { changeGithub, type GithubAccess, pauseAfter, readGithub } from './client.ts'
import { GithubError } from './errors.ts'
import { createRepository, findRepository, readUser } from './repositories.ts'

type Responder = Parameters<typeof startProvider>[0]

async function startHost(...answers: Responder[]) {
  const { options, requests, seen } = await startProvider(...answers)
  const access: GithubAccess = {
    profile: { name: 'real', api: options.api, web: options.api, clientId: 'id', clientSecret: 'secret' },
    token: 'gho_1',
    login: 'ada',
  }
  return { access, requests, seen }
}
const call = { path: '/thing', result: z.object({ id: z.number() }), doing: 'read the thing' }
const refusal =
  (status: number, body: unknown, headers: Record<string, string> = {}): Responder =>
  (_request, response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
const limited = {
  message: 'The code host is receiving too many requests. Try again later.',
}

describe('calls to the code host', () => {
  after(closeProviders)

  test('a GitHub API call sends the token and a JSON body, and returns only the declared fields of the response', async () => {
    const { access, requests } = await startHost(bodyResponse({ id: 7, extra: true }))
    assert.deepEqual(await changeGithub(access, { ...call, body: { name: 'x' } }), { id: 7 })
    assert.deepEqual(await readGithub(access, call), { id: 7 })
    assert.deepEqual(
      requests.map(({ method, url, body, token }) => [method, url, body, token]),
      [
        ['POST', '/thing', '{"name":"x"}', 'gho_1'],
        ['GET', '/thing', '', 'gho_1'],
      ],
    )
  })

  test('reading a resource that GitHub does not have returns null, and changing it throws', async () => {
    const { access, seen } = await startHost(refusal(404, { message: 'Not Found' }))
    assert.equal(await readGithub(access, call), null)
    await assert.rejects(changeGithub(access, call), {
      status: 404,
      retryable: false,
      message: 'The code host refused to read the thing: Not Found',
    })
    assert.equal(seen.length, 2)
  })

  test('reading from GitHub is tried up to three times when the failure is temporary', async (t) => {
    const waits = recordSleeps(t)
    const { access } = await startHost(refusal(502, '<html>'), bodyResponse({ id: 7 }))
    assert.deepEqual(await readGithub(access, call), { id: 7 })
    const down = await startHost(refusal(503, ''))
    await assert.rejects(readGithub(down.access, call), { status: 503, retryable: true })
    assert.equal(down.seen.length, 3)
    assert.equal(waits.length, 3)
  })

  test('a request that changes something at GitHub is never retried, because a lost response may hide that the request succeeded', async () => {
    for (const answer of [hangUp, refusal(503, '')]) {
      const { access, seen } = await startHost(answer)
      await assert.rejects(changeGithub(access, call), { name: 'GithubError', retryable: true })
      assert.equal(seen.length, 1)
    }
  })

  test('a GitHub token that is refused is not sent again, and the error says to connect the account again', async () => {
    const { access, seen } = await startHost(refusal(401, { message: 'Bad credentials' }))
    await assert.rejects(readGithub(access, call), {
      status: 401,
      retryable: false,
      message: 'The code host no longer accepts the stored sign-in. Connect it again under Connections.',
    })
    assert.equal(seen.length, 1)
  })

  test('a redirect of the GitHub API is not followed, because the token must not reach another host', async () => {
    const { access, seen } = await startHost(refusal(301, '', { location: 'http://evil.test/' }))
    await assert.rejects(readGithub(access, call), {
      status: 301,
      message: 'The code host refused to read the thing: It returned status 301.',
    })
    assert.equal(seen.length, 1)
  })

  test('a rate limit of GitHub differs from a missing permission and is retryable only when the response says how long to wait', async () => {
    const spent = { 'x-ratelimit-remaining': '0' }
    const cases: [Responder, object][] = [
      [refusal(429, ''), { ...limited, retryable: false, retryAfterSeconds: null }],
      [refusal(429, '', { 'retry-after': '7' }), { ...limited, retryable: true, retryAfterSeconds: 7 }],
      [
        refusal(403, '', { ...spent, 'retry-after': '60' }),
        { ...limited, retryable: true, retryAfterSeconds: 60 },
      ],
      [refusal(403, '', spent), { ...limited, retryable: false, status: 403 }],
      [
        refusal(403, { message: 'Resource not accessible' }, { 'x-ratelimit-remaining': '10' }),
        { message: 'The code host refused to read the thing: Resource not accessible', retryable: false },
      ],
    ]
    for (const [answer, expected] of cases) {
      const { access } = await startHost(answer)
      await assert.rejects(changeGithub(access, call), expected)
    }
  })

  test('the error of a refused GitHub call contains the messages of GitHub, each once, cut to 200 characters', async () => {
    const words: [unknown, string][] = [
      [
        { message: 'Failed.', errors: [{ message: 'name taken' }, { message: 'name taken' }, {}, null] },
        'Failed.; name taken',
      ],
      [{ message: 7, errors: 'x' }, 'It returned status 422.'],
      [{ errors: [{ message: 'only a field' }] }, 'only a field'],
      [{ message: 'x'.repeat(300) }, 'x'.repeat(200)],
      ['<html>', 'It returned status 422.'],
      ['', 'It returned status 422.'],
      ['null', 'It returned status 422.'],
    ]
    for (const [body, said] of words) {
      const { access } = await startHost(refusal(422, body))
      await assert.rejects(changeGithub(access, call), {
        status: 422,
        message: `The code host refused to read the thing: ${said}`,
      })
    }
  })

  test('a successful GitHub response with an unexpected body throws an error and is not retried', async () => {
    for (const body of ['<html>', '', { id: '7' }, null]) {
      const { access, seen } = await startHost(bodyResponse(body))
      await assert.rejects(readGithub(access, call), {
        message: 'The code host returned an unexpected response.',
      })
      assert.equal(seen.length, 1)
    }
  })

  test('a GitHub response of more than four megabytes is not read to its end', async () => {
    const { access, seen } = await startHost(
      bodyResponse(JSON.stringify({ id: 'x'.repeat(4 * 1024 * 1024) })),
    )
    await assert.rejects(readGithub(access, call), { message: 'The response of the code host is too large.' })
    assert.equal(seen.length, 1)
  })

  test('a GitHub response that is cut off throws the error that GitHub cannot be reached', async () => {
    const { access } = await startHost((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"id":', () => response.socket?.destroy())
    })
    await assert.rejects(changeGithub(access, call), {
      message: 'The code host cannot be reached right now. Try again.',
      retryable: true,
    })
  })
})

describe('the wait before a call to the code host is sent again', () => {
  const error = (about: { retryable: boolean; retryAfterSeconds?: number }) => new GithubError('busy', about)

  test('the random wait before each retry of a GitHub call doubles and is at least as long as GitHub asks for', async (t) => {
    const waits = recordSleeps(t)
    let random = 0
    t.mock.method(Math, 'random', () => random)
    const waitsAt = async (next: number) => {
      random = next
      await pauseAfter(error({ retryable: true }), 1)
      await pauseAfter(error({ retryable: true }), 2)
      await pauseAfter(error({ retryable: true, retryAfterSeconds: 0 }), 1)
      await pauseAfter(error({ retryable: true, retryAfterSeconds: 10 }), 1)
      return waits.splice(0)
    }
    assert.deepEqual(await waitsAt(0), [125, 250, 125, 10_000])
    assert.deepEqual(await waitsAt(0.5), [187.5, 375, 187.5, 10_000])
  })

  test('a GitHub call is not retried after a permanent error, a requested wait over ten seconds or its cancellation', async () => {
    const thrown = [
      error({ retryable: false }),
      error({ retryable: true, retryAfterSeconds: 11 }),
      new Error('no database'),
    ]
    for (const one of thrown) await assert.rejects(pauseAfter(one, 1), one)
    const passing = error({ retryable: true })
    await assert.rejects(pauseAfter(passing, 1, AbortSignal.abort()), passing)
    const controller = new AbortController()
    const waiting = pauseAfter(passing, 1, controller.signal)
    controller.abort()
    await assert.rejects(waiting, passing)
  })
})

describe('repositories of the code host', () => {
  after(closeProviders)
  const stored = { id: 5, name: 'shop', private: true, owner: { id: 1, login: 'ada' } }
  const shown = { id: '5', name: 'shop', isPrivate: true, description: null, owner: 'ada' }

  test('a GitHub repository is created private and empty, and found by its name', async () => {
    const { access, requests } = await startHost(
      bodyResponse({ ...stored, description: 'A shop' }, 201),
      bodyResponse(stored),
      refusal(404, ''),
    )
    const wish = { name: 'shop', description: 'A shop' }
    assert.deepEqual(await createRepository(access, wish), { ...shown, description: 'A shop' })
    assert.deepEqual(await findRepository(access, 'shop'), shown)
    assert.equal(await findRepository(access, 'shop'), null)
    assert.deepEqual(
      requests.map(({ method, url, body }) => [method, url, body === '' ? null : JSON.parse(body)]),
      [
        ['POST', '/user/repos', { ...wish, private: true, auto_init: false }],
        ['GET', '/repos/ada/shop', null],
        ['GET', '/repos/ada/shop', null],
      ],
    )
  })

  test('a GitHub response with a user or repository name that could change the path of a request is refused', async () => {
    for (const login of ['', '-ada', 'ada/..', 'ada?x', 'a'.repeat(101)]) {
      const { access } = await startHost(bodyResponse({ id: 1, login }))
      await assert.rejects(readUser(access), { message: 'The code host returned an unexpected response.' })
    }
    for (const name of ['', 'a/b', 'a b']) {
      const { access } = await startHost(bodyResponse({ ...stored, name }))
      await assert.rejects(findRepository(access, 'shop'), {
        message: 'The code host returned an unexpected response.',
      })
    }
    const { access } = await startHost(bodyResponse({ id: 1, login: 'a'.repeat(100) }), refusal(404, ''))
    assert.deepEqual(await readUser(access), { id: '1', login: 'a'.repeat(100) })
    await assert.rejects(readUser(access), { status: 404 })
  })
})
