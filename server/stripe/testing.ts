import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StripeAccess } from './client.ts'

interface StripeRequest {
  method: string
  /** The path below the version, with its query. */
  url: string
  /** The idempotency key. */
  once: string | undefined
  body: string
}

export type StripeResponder = (res: ServerResponse, nth: number) => void

export const sendJson = (
  res: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
) => res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const okResponse =
  (body: object): StripeResponder =>
  (res) =>
    sendJson(res, 200, body)
export const errorResponse =
  (status: number, error: object): StripeResponder =>
  (res) =>
    sendJson(res, status, { error })

/** Starts a server that takes the place of Stripe. `answer` responds to the n-th request since `reset`, counted from 1. */
export async function startStripe() {
  const received: StripeRequest[] = []
  const records: string[] = []
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk: Buffer) => (body += chunk.toString()))
    req.on('end', () => {
      received.push({
        method: req.method ?? '',
        url: (req.url ?? '').replace('/v1', ''),
        once: req.headers['idempotency-key'] as string | undefined,
        body,
      })
      stripe.answer(res, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const access: StripeAccess = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key: 'sk_test_secret',
    mode: 'test',
    record: async ({ action, target, status }) => void records.push(`${action} ${target} ${status}`),
  }
  const unexpected: StripeResponder = (res) =>
    sendJson(res, 418, { error: { message: 'an unexpected call' } })
  const stripe = {
    access,
    received,
    records,
    answer: unexpected,
    reset: () => {
      received.length = 0
      records.length = 0
      stripe.answer = unexpected
    },
    /** Responds to the n-th request with the n-th function, and refuses all later requests. */
    script: (...answers: StripeResponder[]) => {
      stripe.answer = (res, nth) => (answers[nth - 1] ?? unexpected)(res, nth)
    },
    /** Returns the calls in order, each as its method, its path and its fields. */
    calls: () =>
      received.map(({ method, url, body }) =>
        decodeURIComponent(`${method} ${url}${body === '' ? '' : ` ${body}`}`.replaceAll('+', ' ')),
      ),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return stripe
}
