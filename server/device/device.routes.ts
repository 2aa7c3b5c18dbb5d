import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { KEY_SCOPES } from '../http/scopes.ts'
import { pollDeviceToken } from './collect-key.ts'
import { approveGrant, denyGrant, readGrant } from './decide.ts'
import { requestDeviceCode } from './request-code.ts'

const Scope = z.enum(KEY_SCOPES)

// The person who approves sees this name, so it must not contain characters that reorder the text around it.
const DeviceName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Bidi_Control}]+$/u, 'must not contain control characters')

const UserCode = z.string().max(64).describe('As the device shows it; case, spaces and dashes do not matter.')

const Waiting = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), interval: z.int() }),
  z.object({ status: z.literal('denied') }),
  z.object({ status: z.literal('expired') }),
  z.object({
    status: z.literal('approved'),
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    key: z.string(),
    scopes: z.array(Scope),
    expiresAt: z.iso.datetime().nullable(),
  }),
])

/** Guessing codes must be slow, so look-ups, approvals and denials share one limit per person. */
const DECISION_LIMIT = { counter: 'device-decisions', per: 'user', perMinute: 10 } as const

export const deviceRoutes = group('Device sign-in', {
  requestDeviceCode: endpoint({
    route: 'POST /device/code',
    scope: 'public',
    needs: ['config', 'keyring'],
    refusesKeys: true,
    summary: 'Begin signing in a device',
    description:
      'Show `userCode` and `verificationUrl` to the person, then poll `POST /device/token` every `interval` seconds.',
    body: z.object({
      name: DeviceName.describe('What the device calls itself; the key is named after it.'),
      scopes: z.array(Scope).min(1).optional().describe('Omitted: every scope except deploy:write.'),
    }),
    returns: z.object({
      deviceCode: z.string(),
      userCode: z.string(),
      verificationUrl: z.string(),
      verificationUrlComplete: z.string(),
      expiresIn: z.int(),
      interval: z.int(),
    }),
    fails: ['forbidden', 'rate_limited'],
    limit: { counter: 'device-codes', per: 'address', perMinute: 10 },
    handle: ({ ctx, body }) => requestDeviceCode(ctx, body),
  }),
  pollDeviceToken: endpoint({
    route: 'POST /device/token',
    scope: 'public',
    needs: ['keyring'],
    refusesKeys: true,
    summary: 'Poll the state of a device sign-in',
    description:
      'The `approved` response contains the key and is returned once. Polling faster than `interval` is a 429 and makes the interval 5 seconds longer.',
    body: z.object({ deviceCode: z.string().max(200) }),
    returns: Waiting,
    fails: ['forbidden', 'not_found', 'conflict', 'rate_limited'],
    handle: ({ ctx, body }) => pollDeviceToken(ctx, body.deviceCode),
  }),
  getDeviceGrant: endpoint({
    route: 'GET /device/grant',
    scope: 'session',
    summary: 'Read what a device asks for',
    query: z.object({ code: UserCode }),
    returns: z.object({
      code: z.string(),
      name: z.string(),
      scopes: z.array(Scope),
      address: z.string().describe('Where the request came from.'),
      expiresAt: z.iso.datetime(),
    }),
    fails: ['not_found', 'conflict', 'rate_limited'],
    limit: DECISION_LIMIT,
    handle: ({ ctx, query }) => readGrant(ctx, query.code),
  }),
  approveDevice: endpoint({
    route: 'POST /device/approve',
    scope: 'session',
    summary: 'Approve a device, which creates its API key',
    description: 'The key is named after the device, has the scopes shown and expires after 90 days.',
    body: z.object({ code: UserCode }),
    returns: z.object({
      id: z.string(),
      name: z.string(),
      prefix: z.string(),
      scopes: z.array(Scope),
      expiresAt: z.iso.datetime(),
    }),
    fails: ['not_found', 'conflict', 'rate_limited'],
    limit: DECISION_LIMIT,
    handle: ({ ctx, body }) => approveGrant(ctx, body.code),
  }),
  denyDevice: endpoint({
    route: 'POST /device/deny',
    scope: 'session',
    summary: 'Refuse a device',
    body: z.object({ code: UserCode }),
    returns: z.object({ denied: z.literal(true) }),
    fails: ['not_found', 'conflict', 'rate_limited'],
    limit: DECISION_LIMIT,
    handle: ({ ctx, body }) => denyGrant(ctx, body.code),
  }),
})
