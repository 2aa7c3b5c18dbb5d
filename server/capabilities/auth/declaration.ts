import * as z from 'zod'
import { adminWorker, capability, liveBinding, sharedObject } from '../capability.ts'

const PRESETS = ['google', 'github', 'microsoft']
const Id = z.string().regex(/^[a-z][a-z0-9]{1,30}$/, 'must be 2 to 31 small letters and digits')

const Provider = z.object({
  id: Id,
  clientId: z.string().min(1).max(200),
  authorizeUrl: z.url({ protocol: /^https$/ }).optional(),
  tokenUrl: z.url({ protocol: /^https$/ }).optional(),
  userInfoUrl: z.url({ protocol: /^https$/ }).optional(),
  scopes: z.array(z.string().min(1).max(100)).max(20).optional(),
})
const needsAddresses = ({ id, authorizeUrl, tokenUrl, userInfoUrl }: z.output<typeof Provider>) =>
  PRESETS.includes(id) || [authorizeUrl, tokenUrl, userInfoUrl].every((url) => url !== undefined)

/** Accounts of the app's own users, their sessions and how they sign in. */
export const auth = capability({
  key: 'auth',
  title: 'Accounts and sign-in',
  cost: 'Durable Object requests and storage; password hashing needs a paid Workers plan',
  settings: z.object({
    methods: z
      .object({
        password: z.boolean().default(true),
        emailCode: z.boolean().default(false),
        passkey: z.boolean().default(false),
        oauth: z
          .array(Provider.refine(needsAddresses, 'a provider of your own needs its three addresses'))
          .max(8)
          .default([]),
      })
      .prefault({})
      .refine(
        ({ emailCode, passkey, oauth }) => !emailCode && !passkey && oauth.length === 0,
        'codes, passkeys and other providers are not available in this version yet; people sign in with a password',
      )
      .meta({
        title: 'Ways to sign in',
        description: 'A password. Codes by email, passkeys and other providers are not available yet.',
      }),
    sessionDays: z.int().min(1).max(365).default(30).meta({
      title: 'Days a session lasts',
      description: 'Counted from the last visit.',
    }),
    openSignup: z.boolean().default(true).meta({
      title: 'Anyone may sign up',
      description: 'Off: only people who were invited get an account.',
    }),
    passwordMin: z.int().min(8).max(64).default(10).meta({
      title: 'Shortest password',
      description: 'In characters.',
    }),
    redirectUris: z.array(z.url()).max(20).default([]).meta({
      title: 'Addresses to return to',
      description: 'Where a sign-in may send people beside the app itself.',
    }),
  }),
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  variables: ({ sessionDays, openSignup, passwordMin }) => ({
    AUTH_SESSION_DAYS: String(sessionDays),
    AUTH_OPEN_SIGNUP: openSignup ? 'on' : 'off',
    AUTH_PASSWORD_MIN: String(passwordMin),
  }),
  secrets: ({ methods }) =>
    Object.fromEntries(
      methods.oauth.map(({ id }) => [
        `${id}ClientSecret`,
        {
          schema: z.string().min(1).max(500),
          title: `Client secret of ${id}`,
          description: 'From the provider, next to the client id.',
          binding: `AUTH_${id.toUpperCase()}_SECRET`,
        },
      ]),
    ),
})
