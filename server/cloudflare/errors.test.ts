import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toApiError } from '../http/envelope.ts'
import {
  circuitOpen,
  CloudflareError,
  errorFromResponse,
  rateLimited,
  reconnect,
  unreachable,
} from './errors.ts'

const CONTEXT = { doing: 'make a thing', retryAfterSeconds: null, permission: null }
const refusal = (status: number, message: string | null, change: Partial<typeof CONTEXT> | object = {}) =>
  errorFromResponse(status, message === null ? null : { code: 7, message }, { ...CONTEXT, ...change })
const RECONNECT =
  'The cloud account no longer accepts the stored credential. Connect it again under Connections.'
const factsOf = ({ fault, message, status, retryable, isClear }: CloudflareError) => ({
  fault,
  message,
  status,
  retryable,
  isClear,
})

describe('errors of calls to Cloudflare', () => {
  test('after a status such as 408, 500 or 503 the outcome of a Cloudflare call is unclear, and the call is retryable', () => {
    const statuses = Array.from({ length: 300 }, (_, i) => 300 + i)
    const unclear = statuses.filter((status) => !refusal(status, 'x').isClear)
    const transient = [408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530]
    assert.deepEqual(unclear, transient)
    const retryable = statuses.filter((status) => refusal(status, 'x').retryable)
    assert.deepEqual(retryable, [408, 429, ...transient.slice(1)])
    assert.deepEqual(factsOf(refusal(502, null)), {
      fault: 'upstream',
      message: 'The cloud account could not make a thing: It returned status 502. Try again.',
      status: 502,
      retryable: true,
      isClear: false,
    })
  })

  test("the error of a refused Cloudflare call has Cloudflare's message and code, or the status when there is no message", () => {
    const refused = refusal(400, ' No such module "./x" ')
    assert.deepEqual(
      [refused.message, refused.providerMessage, refused.providerCode],
      ['The cloud account refused to make a thing: No such module "./x".', 'No such module "./x".', 7],
    )
    const silent = refusal(400, null)
    assert.deepEqual(
      [silent.message, silent.providerMessage, silent.providerCode],
      ['The cloud account refused to make a thing: It returned status 400.', null, null],
    )
  })

  test("the error of a Cloudflare call refused with a blank message names the status and keeps Cloudflare's code", () => {
    for (const blank of ['', ' \n ']) {
      const { message, providerMessage, providerCode } = refusal(400, blank)
      assert.deepEqual(
        [message, providerMessage, providerCode],
        ['The cloud account refused to make a thing: It returned status 400.', null, 7],
      )
    }
  })

  test('an error message of Cloudflare gets a full stop unless it ends a sentence, and is cut to a thousand characters', () => {
    for (const ending of ['Done.', 'Why?', 'Stop!'])
      assert.equal(refusal(400, ending).providerMessage, ending)
    assert.equal(refusal(400, 'a'.repeat(5000)).providerMessage, `${'a'.repeat(1000)}.`)
  })

  test('NUL characters are removed from an error message of Cloudflare, so that the database can store it', () => {
    const { message, providerMessage } = refusal(400, 'Uncaught Error: a\u0000b')
    assert.deepEqual(
      [message, providerMessage],
      ['The cloud account refused to make a thing: Uncaught Error: ab.', 'Uncaught Error: ab.'],
    )
  })

  test('a 403 of Cloudflare whose message mentions an exceeded limit is a reached limit, and any other is a missing permission', () => {
    const full = refusal(403, 'You have exceeded the limit of 100 Workers')
    assert.deepEqual(factsOf(full), {
      fault: 'ceiling',
      message:
        'The cloud account is full: You have exceeded the limit of 100 Workers. Remove something there or raise the limit.',
      status: 403,
      retryable: false,
      isClear: true,
    })
    assert.equal(refusal(400, 'The name exceeds 63 characters').fault, 'upstream')
    const begin =
      'The connection to the cloud account has no permission to make a thing: Authentication error.'
    assert.deepEqual(
      [null, 'Workers R2 Storage: Edit'].map((permission) =>
        factsOf(refusal(403, 'Authentication error', { permission })),
      ),
      ['the permission', 'the permission Workers R2 Storage: Edit'].map((grant) => ({
        fault: 'missing_scope',
        message: `${begin} Grant ${grant} and connect it again.`,
        status: 403,
        retryable: false,
        isClear: true,
      })),
    )
  })

  test('a rate limit or open circuit breaker returns unavailable to API callers; a refused token or lost response, upstream_error', () => {
    const errors = [
      refusal(429, 'slow', { retryAfterSeconds: 3 }),
      rateLimited(null),
      circuitOpen(15),
      refusal(401, 'Invalid token'),
      reconnect({ status: null }),
      unreachable(new Error('reset')),
      refusal(503, 'Down for maintenance.', { retryAfterSeconds: 9 }),
    ]
    assert.deepEqual(
      errors.map((error) => [
        toApiError(error)?.code,
        error.retryAfterSeconds,
        error.retryable,
        error.message,
      ]),
      [
        ['unavailable', 3, true, 'The cloud account is receiving too many requests; try again in 3 s.'],
        [
          'unavailable',
          null,
          true,
          'The cloud account is receiving too many requests; try again in a moment.',
        ],
        [
          'unavailable',
          15,
          true,
          'The cloud account has not responded for a while; the next attempt is in 15 s.',
        ],
        ['upstream_error', null, false, RECONNECT],
        ['upstream_error', null, false, RECONNECT],
        ['upstream_error', null, true, 'The cloud account cannot be reached right now. Try again.'],
        [
          'upstream_error',
          9,
          true,
          'The cloud account could not make a thing: Down for maintenance. Try again.',
        ],
      ],
    )
  })

  test('the API returns conflict when a name is already taken at Cloudflare', () => {
    const taken = new CloudflareError('name_taken', 'The name is taken.', { status: 409 })
    assert.equal(toApiError(taken)?.code, 'conflict')
  })
})
