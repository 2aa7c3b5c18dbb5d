import { KEY_SCOPES, type Scope } from '../http/scopes.ts'
import type { Role } from '../http/caller.ts'
import type { TestApp } from './app.ts'

/** Makes a test app trust a proxy on this machine, so that a test can choose its client address with `x-forwarded-for`. */
export const BEHIND_PROXY = {
  trustedProxies: ['127.0.0.1'],
  limits: { keyPerMinute: 1e6, sessionPerMinute: 1e6, addressPerMinute: 1e6 },
}

export interface Credential {
  name: string
  headers: Record<string, string>
  kind: 'none' | 'key' | 'session'
  /** Set for a credential that every route refuses with this error code. */
  isRefused?: 'unauthorized' | 'ip_not_allowed'
  scopes?: readonly Scope[]
  role?: Role
  /** Set when the organization requires two-factor authentication and this person has not set it up. */
  lacksTwoFactor?: true
}

type Person = Awaited<ReturnType<TestApp['signUp']>>

/**
 * Returns one credential of every kind. The name of a credential says which role or scope it has, or which policy of its organization
 * restricts it.
 */
export async function everyCredential(app: TestApp): Promise<Credential[]> {
  const owner = await app.signUp('Olga Owner')
  const keyOf = async (person: Person, scopes: readonly Scope[]) => {
    const { key } = await app.keyFor(person, [...scopes])
    return { authorization: `Bearer ${key}` }
  }
  const memberWithRole = async (role: Role) => {
    const person = await app.signUp(`Joined as ${role}`)
    await addMember(app, person, owner.organizationId, role)
    return person.headers
  }

  const expired = await keyOf(owner, KEY_SCOPES)
  await app.platform.db.updateTable('api_keys').set({ expires_at: app.clock.now() }).execute()
  const revoked = await keyOf(owner, KEY_SCOPES)
  await app.platform.db.deleteFrom('api_keys').where('expires_at', 'is', null).execute()
  const signedOut = await app.signUp('Left')
  await app.platform.db
    .deleteFrom('session')
    .where('userId', '=', await userIdOf(app, signedOut))
    .execute()

  const guarded = await app.signUp('Gerda Guarded')
  const guardedKey = await keyOf(guarded, KEY_SCOPES)
  await setPolicy(app, guarded.organizationId, { require_two_factor: true })
  const walled = await app.signUp('Wanda Walled')
  const walledKey = await keyOf(walled, KEY_SCOPES)
  await setPolicy(app, walled.organizationId, { allowed_ips: ['10.0.0.0/8'] })
  const fromAddress = (address: string) => ({ 'x-forwarded-for': address })

  const scoped = KEY_SCOPES.map(async (scope) => ({
    name: `a key with ${scope} only`,
    headers: await keyOf(owner, [scope]),
    kind: 'key' as const,
    scopes: [scope],
  }))
  const full = { kind: 'key', scopes: KEY_SCOPES } as const
  const sessionOf = (role: Role) => ({ kind: 'session', scopes: KEY_SCOPES, role }) as const
  return [
    { name: 'nothing', headers: {}, kind: 'none', isRefused: 'unauthorized' },
    ...(await Promise.all(scoped)),
    { name: 'a key with every scope', headers: await keyOf(owner, KEY_SCOPES), ...full },
    { name: 'an expired key', headers: expired, ...full, isRefused: 'unauthorized' },
    { name: 'a revoked key', headers: revoked, ...full, isRefused: 'unauthorized' },
    { name: 'a member', headers: await memberWithRole('member'), ...sessionOf('member') },
    { name: 'an admin', headers: await memberWithRole('admin'), ...sessionOf('admin') },
    { name: 'an owner', headers: owner.headers, ...sessionOf('owner') },
    {
      name: 'an ended session',
      headers: signedOut.headers,
      ...sessionOf('owner'),
      isRefused: 'unauthorized',
    },
    {
      name: 'an owner without two-factor',
      headers: guarded.headers,
      ...sessionOf('owner'),
      lacksTwoFactor: true,
    },
    { name: 'a key where two-factor is required', headers: guardedKey, ...full },
    {
      name: 'an owner elsewhere',
      headers: { ...walled.headers, ...fromAddress('203.0.113.9') },
      ...sessionOf('owner'),
      isRefused: 'ip_not_allowed',
    },
    {
      name: 'a key elsewhere',
      headers: { ...walledKey, ...fromAddress('203.0.113.9') },
      ...full,
      isRefused: 'ip_not_allowed',
    },
    {
      name: 'an owner at an allowed address',
      headers: { ...walled.headers, ...fromAddress('10.1.2.3') },
      ...sessionOf('owner'),
    },
    { name: 'a key at an allowed address', headers: { ...walledKey, ...fromAddress('10.1.2.3') }, ...full },
  ]
}

/** Moves the person to this organization, which becomes the person's only organization. */
async function addMember(app: TestApp, person: Person, organizationId: string, role: Role): Promise<void> {
  const userId = await userIdOf(app, person)
  await app.platform.db
    .updateTable('member')
    .set({ organizationId, role })
    .where('userId', '=', userId)
    .execute()
  await app.platform.db
    .updateTable('session')
    .set({ activeOrganizationId: organizationId })
    .where('userId', '=', userId)
    .execute()
}

async function userIdOf(app: TestApp, person: Person): Promise<string> {
  const { id } = await app.platform.db
    .selectFrom('user')
    .select('id')
    .where('email', '=', person.email)
    .executeTakeFirstOrThrow()
  return id
}

async function setPolicy(
  app: TestApp,
  organizationId: string,
  row: { require_two_factor?: boolean; allowed_ips?: string[] },
): Promise<void> {
  const at = app.clock.now()
  const nothing = {
    require_sso: false,
    require_two_factor: false,
    session_lifetime_days: null,
    allowed_ips: [],
  }
  await app.platform.db
    .insertInto('security_policies')
    .values({ org_id: organizationId, ...nothing, ...row, updated_at: at, created_at: at })
    .execute()
}
