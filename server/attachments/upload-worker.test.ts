import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { CloudflareError } from '../cloudflare/errors.ts'
import { bodyResponse, closeProviders, hangUp, startProvider } from '../cloudflare/testing.ts'
import { recordSleeps } from '../testing/sleeps.ts'
import { callUploadWorker, pathOf, withRetries } from './upload-worker.ts'

const NOW = new Date('2026-11-26T10:00:00.900Z')
const clock = { now: () => NOW }
const { signal } = new AbortController()

/** Starts an upload worker. A token for it is the JSON of its grant in base64url, without a signature. */
async function startWorker(...answers: Parameters<typeof startProvider>) {
  const { options, requests, seen } = await startProvider(...answers)
  const key = {
    publicKey: '',
    grant: (grant: object) => Buffer.from(JSON.stringify(grant)).toString('base64url'),
  }
  const storage = { accountId: 'acc', name: 'shop-uploads', url: options.api, key }
  const grants = () =>
    requests.map(({ token }) => JSON.parse(Buffer.from(token, 'base64url').toString()) as object)
  return { storage, requests, seen, grants }
}
const read = (storage: Awaited<ReturnType<typeof startWorker>>['storage'], key = 'a.png') =>
  callUploadWorker(clock, storage, { use: 'get', key }, { method: 'GET', signal })

describe('requests to the upload worker of a project', () => {
  after(closeProviders)

  test("a request to the upload worker has the object's key in the path and a token for that object, valid for five minutes", async () => {
    const { storage, requests, grants } = await startWorker(bodyResponse('bytes'))
    const answer = await read(storage, 'a b/ü?#.png')
    assert.deepEqual([answer.status, await answer.text()], [200, 'bytes'])
    assert.deepEqual(
      requests.map(({ method, url }) => `${method} ${url}`),
      ['GET /a%20b/%C3%BC%3F%23.png'],
    )
    assert.deepEqual(grants(), [
      { use: 'get', key: 'a b/ü?#.png', exp: Math.floor(NOW.getTime() / 1000) + 300 },
    ])
  })

  test('a response of the upload worker with a 2xx, 3xx or 4xx status except 429 is returned to the caller', async () => {
    for (const status of [204, 302, 304, 401, 404, 412]) {
      const { storage, seen } = await startWorker(bodyResponse('', status))
      const answer = await read(storage)
      await answer.body?.cancel()
      assert.equal(answer.status, status)
      assert.equal(seen.length, 1)
    }
  })

  test('a 429 or 5xx response of the upload worker throws a retryable error', async () => {
    for (const status of [429, 500, 503]) {
      const { storage } = await startWorker(bodyResponse('busy', status))
      await assert.rejects(read(storage), {
        fault: 'upstream',
        status,
        retryable: true,
        message: `The upload worker answered ${status} when asked for a file. Try again.`,
      })
    }
  })

  test('a request to the upload worker without a response, or cancelled by its caller, throws the error that the worker is unreachable', async () => {
    const { storage } = await startWorker(hangUp)
    const unreachable = { fault: 'upstream', status: null, retryable: true, isClear: false }
    await assert.rejects(read(storage), unreachable)
    const cancelled = AbortSignal.abort()
    await assert.rejects(
      callUploadWorker(clock, storage, { use: 'get', key: 'a' }, { method: 'GET', signal: cancelled }),
      unreachable,
    )
  })

  test("the upload worker's path of an object keeps the slashes of its key and encodes characters that would change the path", () => {
    assert.equal(pathOf('2026/a b.png'), '2026/a%20b.png')
    assert.equal(pathOf('../x?y#z%2f'), '../x%3Fy%23z%252f')
    assert.equal(pathOf(''), '')
  })
})

describe('repeated attempts to reach the upload worker', () => {
  const failure = (retryable: boolean) => new CloudflareError('upstream', 'busy', { status: 503, retryable })
  /** Fails with these errors in order and then succeeds. */
  const failing = (...errors: Error[]) => {
    let calls = 0
    const work = async () => {
      const error = errors[calls]
      calls += 1
      if (error !== undefined) throw error
      return calls
    }
    return { work, calls: () => calls }
  }

  test('a call to the upload worker that fails with a retryable error is retried after 200 and then after 800 milliseconds', async (t) => {
    const waits = recordSleeps(t)
    assert.equal(await withRetries(failing(failure(true), failure(true)).work), 3)
    assert.deepEqual(waits, [200, 800])
  })

  test('when the third attempt to call the upload worker fails, the error of that attempt is thrown', async (t) => {
    recordSleeps(t)
    const last = failure(true)
    const { work, calls } = failing(failure(true), failure(true), last)
    await assert.rejects(withRetries(work), last)
    assert.equal(calls(), 3)
  })

  test('a call to the upload worker is not retried after an error that is not retryable or an unexpected exception', async () => {
    for (const error of [failure(false), new Error('no database')]) {
      const { work, calls } = failing(error)
      await assert.rejects(withRetries(work), error)
      assert.equal(calls(), 1)
    }
  })
})
