import { randomBytes } from 'node:crypto'
import { PROVIDER_PRESETS } from '@slipway/runtime/auth/providers.ts'
import * as z from 'zod'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'
import {
  Address,
  PageAddress,
  ProviderId,
  trialOfClient,
} from '../../capability-declaration/provider-fields.ts'

const Provider = z.object({
  id: ProviderId.meta({
    title: 'Provider',
    description: 'google, github, microsoft, or a short name of your own.',
  }),
  clientId: z.string().min(1).max(200).meta({ title: 'Client id', description: 'From the provider.' }),
  authorizeUrl: PageAddress.optional().meta({
    title: 'Authorization address',
    description: 'For your own provider: where people grant access.',
  }),
  tokenUrl: Address.optional().meta({
    title: 'Token address',
    description: 'For your own provider: where codes are redeemed.',
  }),
  userInfoUrl: Address.optional().meta({
    title: 'Profile address',
    description: 'For your own provider: the profile of a person, with `sub` or `id` and `email`.',
  }),
  scopes: z.array(z.string().min(1).max(100)).max(10).optional().meta({
    title: 'Scopes',
    description: 'With openid among them, the id token is checked as well.',
  }),
})
const needsAddresses = ({ id, authorizeUrl, tokenUrl, userInfoUrl }: z.output<typeof Provider>) =>
  Object.hasOwn(PROVIDER_PRESETS, id) ||
  [authorizeUrl, tokenUrl, userInfoUrl].every((url) => url !== undefined)

export const auth = capability({
  key: 'auth',
  title: 'Accounts and sign-in',
  about: 'People sign up and sign in to your app.',
  cost: 'Little. Each sign-in is a request and each account a stored record; passwords need a paid Workers plan',
  erasure: 'in part.ts',
  settings: z.object({
    methods: z
      .object({
        password: z.boolean().default(true).meta({
          title: 'Password',
          description: 'People choose one when they sign up.',
        }),
        emailCode: z.boolean().default(false).meta({
          title: 'Code by email',
          description: 'Six digits. Until the app can send mail, you find them below its people.',
        }),
        passkey: z.boolean().default(false).meta({
          title: 'Passkey',
          description: 'People add one to their account, and then sign in with their device.',
        }),
        oauth: z
          .array(Provider.refine(needsAddresses, 'your own provider needs its three addresses'))
          .max(8)
          .default([])
          .meta({
            title: 'Other providers',
            description:
              'google, github and microsoft need a client id; your own provider needs its addresses, too.',
          }),
      })
      .prefault({})
      .refine(
        ({ password, emailCode, oauth }) => password || emailCode || oauth.length > 0,
        'new people could not get an account: keep passwords, codes or a provider on',
      )
      .refine(
        ({ oauth }) => new Set(oauth.map(({ id }) => id)).size === oauth.length,
        'two providers have the same id',
      )
      .meta({
        title: 'Ways to sign in',
        examples: [{ passkey: true }],
        description: 'The sign-in page shows exactly these. A provider is shown once its secret is saved.',
      }),
    sessionDays: z
      .int()
      .min(1)
      .max(365)
      .default(30)
      .meta({
        title: 'Days a session lasts',
        examples: [7],
        description: 'Counted from the last visit.',
      }),
    openSignup: z.boolean().default(true).meta({
      title: 'Anyone may sign up',
      description: 'Off: only people who were invited to a team get an account.',
    }),
    passwordMin: z.int().min(8).max(64).default(10).meta({
      title: 'Shortest password',
      description: 'In characters.',
    }),
    confirmAddress: z.boolean().default(false).meta({
      title: 'New accounts confirm their address',
      description:
        'With a code by email, before the account exists. A stranger then cannot learn which addresses have one.',
    }),
    redirectUris: z
      .array(z.url({ protocol: /^https?$/ }).max(200))
      .max(20)
      .default([])
      .meta({
        title: 'Addresses to return to',
        description: 'Where a sign-in may send people beside the app itself.',
      }),
  }),
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  variables: ({ sessionDays, openSignup, passwordMin, confirmAddress, methods, redirectUris }) => ({
    AUTH_PASSWORD: methods.password ? 'on' : 'off',
    AUTH_EMAIL_CODE: methods.emailCode ? 'on' : 'off',
    AUTH_PASSKEY: methods.passkey ? 'on' : 'off',
    AUTH_REDIRECT_URIS: JSON.stringify(redirectUris),
    ...Object.fromEntries(
      methods.oauth.map((one) => [
        `AUTH_PROVIDER_${one.id.toUpperCase()}`,
        JSON.stringify(Object.hasOwn(PROVIDER_PRESETS, one.id) ? one : { title: one.id, scopes: [], ...one }),
      ]),
    ),
    AUTH_SESSION_DAYS: String(sessionDays),
    AUTH_OPEN_SIGNUP: openSignup ? 'on' : 'off',
    AUTH_PASSWORD_MIN: String(passwordMin),
    AUTH_CONFIRM_ADDRESS: confirmAddress ? 'on' : 'off',
  }),
  // Codes are stored as keyed hashes, because a plain hash of six digits is quickly guessed.
  generated: {
    codeKey: {
      binding: 'AUTH_CODE_KEY',
      description: 'keys the hashes of codes: any 32 random bytes (`openssl rand -base64 32`)',
      make: () => randomBytes(32).toString('base64url'),
    },
  },
  byHand:
    'People sign in with passwords. For Google, GitHub or Microsoft (`GOOGLE`, `GITHUB` or `MICROSOFT` for `<ID>`) ' +
    'give the worker with `-live` a variable `AUTH_PROVIDER_<ID>` = `{"id":"google","clientId":"..."}` and ' +
    'the secret `AUTH_<ID>_SECRET`. Codes and links by email need the capability `email`.',
  secrets: ({ methods }) =>
    Object.fromEntries(
      methods.oauth.map((one) => [
        `${one.id}ClientSecret`,
        {
          schema: z.string().min(1).max(500),
          title: `Client secret of ${one.id}`,
          description: 'From the provider, next to the client id.',
          binding: `AUTH_${one.id.toUpperCase()}_SECRET`,
          triedAt: trialOfClient(one, PROVIDER_PRESETS),
        },
      ]),
    ),
})
