import { newUserId } from '../../kernel/access/actor.ts'
import { ApiError } from '../../kernel/errors.ts'
import { accountOf, directoryOf, type Objects, type Tier } from '../../kernel/objects/objects.ts'
import { readSigned } from '../../kernel/access/token.ts'
import {
  type AuthContext,
  emailIn,
  type AuthHandlers,
  type HandoverKey,
  NAME_CHARS_MAX,
  textIn,
} from '../context.ts'
import { setRole } from '../objects/role.ts'
import { fieldsOf } from '../../kernel/fields.ts'

const CLAIM_LIFETIME_MS_MAX = 60_000
/**
 * How long a session that was opened from the console lasts. Short, because the membership in the
 * organization may end, and opening the app from the console again takes one click.
 */
const HANDOVER_DAYS = 0.5
/** How far the clocks of the service and the worker may differ. */
const SKEW_MS = 5_000

/**
 * The token that a console link carries. Tokens for the admin worker have another `use` and `aud`, so neither kind is accepted as the
 * other.
 */
interface HandoverClaim {
  use: 'handover'
  aud: string
  tier: Tier
  member: string
  email: string
  emailVerified: boolean
  name: string
  /** Expiry in seconds since 1970, at most a minute from now. */
  exp: number
  jti: string
}

/** Returns null in a worker that was deployed with plain wrangler. */
export function handoverKeyOf(env: unknown): HandoverKey | null {
  const { OPERATOR_KEY, APP_NAME } = fieldsOf(env)
  return typeof OPERATOR_KEY === 'string' && typeof APP_NAME === 'string'
    ? { publicKey: OPERATOR_KEY, audience: APP_NAME }
    : null
}

export const handoverHandlers = ({
  deps,
  openSession,
  requireOpen,
  userOf,
}: AuthContext): AuthHandlers<'handover'> => ({
  handover: async ({ token, device }) => {
    await requireOpen()
    const { objects, tier, handoverKey } = deps
    const claim = await readHandover(objects, tier, handoverKey, token)
    const email = emailIn(claim.email)
    const member = { ...claim, email, name: textIn(claim.name, NAME_CHARS_MAX).trim() || email }
    const userId = await personOf(objects, tier, member).catch((error: unknown) => {
      // A simultaneous sign-in of this member may have created the account, so look for it again.
      if (error instanceof ApiError) return personOf(objects, tier, member)
      throw error
    })
    return openSession(await userOf(userId), device, HANDOVER_DAYS)
  },
})

/** Returns the content of a token. Throws when the token is not for this app, has expired, or was used before. */
async function readHandover(
  objects: Objects,
  tier: Tier,
  key: HandoverKey | null,
  token: unknown,
): Promise<HandoverClaim> {
  const now = Date.now()
  const claim =
    key === null || typeof token !== 'string'
      ? null
      : await readSigned<HandoverClaim>(token, key.publicKey, now)
  const isFor =
    claim !== null &&
    claim.use === 'handover' &&
    claim.aud === key?.audience &&
    claim.tier === tier &&
    claim.exp * 1000 <= now + CLAIM_LIFETIME_MS_MAX + SKEW_MS
  if (!isFor || !(await directoryOf(objects, tier).dirSpend(claim.jti, claim.exp * 1000)))
    throw new ApiError('unauthorized', 'This link is not valid. Open the app from the console again.')
  return claim
}

/**
 * Returns the account of a member of the operator's organization and makes it staff. Every step may be repeated.
 * An existing account with the member's address is used only when the service has verified the member's address, and the app has verified
 * the account's address or the operator has made the account staff. Anyone can sign up with an address that is not theirs: such an account
 * must not get the member's rights, and the member must not get its data.
 */
async function personOf(
  objects: Objects,
  tier: Tier,
  { member, email, emailVerified, name }: Pick<HandoverClaim, 'member' | 'email' | 'emailVerified' | 'name'>,
): Promise<string> {
  const directory = directoryOf(objects, tier)
  const known = await directory.users('ofMember', { member })
  const id = known ?? (await ownAccount(objects, tier, { email, emailVerified })) ?? newUserId()
  const isNew = (await directory.users('find', { id })) === null
  if (isNew) {
    const user = {
      id,
      email,
      emailVerified,
      name,
      role: 'staff' as const,
      createdAt: new Date().toISOString(),
    }
    // `known` is set when an earlier call was interrupted. The reservation of that call still exists, unless another sign-up has taken the
    // address since; then `activate` returns false.
    if (known === null && !(await directory.users('reserve', user))) throw addressTaken()
    await directory.users('linkMember', { member, userId: id })
    const { id: _id, ...view } = user
    await accountOf(objects, tier, id).account('create', { ...view, password: null })
    if (!(await directory.users('activate', { id }))) throw addressTaken()
  }
  await directory.users('linkMember', { member, userId: id })
  await accountOf(objects, tier, id).account('setMember', { member })
  // `setRole` closes sockets, so skip it for a person who is staff already.
  if ((await directory.users('find', { id }))?.role !== 'staff') await setRole(objects, tier, id, 'staff')
  return id
}

/**
 * Returns the account with this address when it certainly belongs to the member; null when no account has the address.
 * Throws otherwise.
 */
async function ownAccount(
  objects: Objects,
  tier: Tier,
  { email, emailVerified }: Pick<HandoverClaim, 'email' | 'emailVerified'>,
): Promise<string | null> {
  const directory = directoryOf(objects, tier)
  const id = await directory.users('idOf', { email })
  if (id === null) return null
  const user = await directory.users('find', { id })
  if (emailVerified && user !== null && (user.emailVerified || user.role === 'staff')) return id
  throw addressTaken()
}

const addressTaken = () =>
  new ApiError(
    'conflict',
    'An unproven account has your address. Sign in with its password, or erase it under People in the console.',
  )
