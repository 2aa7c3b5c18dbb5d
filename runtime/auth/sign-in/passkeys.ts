import { isUserId } from '../../kernel/access/actor.ts'
import { ApiError, invalid } from '../../kernel/errors.ts'
import { type AuthContext, type AuthHandlers, originIn, requireMethod, textIn } from '../context.ts'
import { fromBase64Url, toBase64Url } from '../../kernel/bytes.ts'
import { sha256Hex } from '../../kernel/secrets.ts'
import type { PlainPurpose } from '../objects/one-time.ts'
import type { Assertion, NewCredential } from '../types.ts'
import { importKey, isSigned, readCeremony } from './webauthn.ts'

const CHALLENGE_MS = 300_000
const NAME_CHARS_MAX = 60
/** The size limit of each field that a browser sends. The largest field is an RSA key. */
const CREDENTIAL_FIELD_BYTES_MAX = 4096

type PasskeyCalls =
  | 'passkeyOptions'
  | 'newPasskeyOptions'
  | 'addPasskey'
  | 'signInPasskey'
  | 'passkeys'
  | 'removePasskey'

export function passkeyHandlers(auth: AuthContext): AuthHandlers<PasskeyCalls> {
  const { settings, directory, account } = auth

  /**
   * Stores only the challenge's hash. A sign-in challenge belongs to no person yet; a challenge for a new passkey belongs to the person who
   * adds it.
   */
  async function newChallenge(purpose: PlainPurpose, userId: string | null) {
    const challenge = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
    const hash = sha256Hex(challenge)
    const value = { purpose, subject: userId ?? hash, hash, payload: '', ttlMs: CHALLENGE_MS }
    await directory.users('issue', value)
    return { challenge, timeoutMs: CHALLENGE_MS }
  }

  async function redeemChallenge(
    purpose: PlainPurpose,
    challenge: string,
    userId: string | null,
  ): Promise<boolean> {
    const hash = sha256Hex(challenge)
    return (await directory.users('redeem', { purpose, subject: userId ?? hash, hash })) !== null
  }

  /** Returns whether the person can sign in without a passkey. A method that the operator has switched off does not count. */
  async function hasOtherMethod(userId: string): Promise<boolean> {
    const { methods, providers } = settings
    if (methods.emailCode) return true
    const stored = await account(userId).account('methods', null)
    return stored.some((method) =>
      method === 'password' ? methods.password : providers.some(({ id }) => id === method),
    )
  }

  return {
    passkeyOptions: async ({ origin, from }) => {
      requireMethod(settings.methods.passkey)
      await auth.admit(from)
      return { ...(await newChallenge('passkey', null)), rpId: originIn(origin).hostname }
    },

    newPasskeyOptions: async ({ session, origin }) => {
      requireMethod(settings.methods.passkey)
      await auth.requireOpen()
      const { userId } = await auth.require(session)
      const { email, name } = await auth.userOf(userId)
      const known = await account(userId).account('passkeys', null)
      return {
        ...(await newChallenge('new-passkey', userId)),
        rpId: originIn(origin).hostname,
        user: { id: userId, name: email, displayName: name },
        known: known.map(({ id }) => id),
      }
    },

    addPasskey: async ({ session, origin, name, credential }) => {
      requireMethod(settings.methods.passkey)
      await auth.requireOpen()
      const { userId } = await auth.require(session)
      const own = originIn(origin)
      const given = newCredentialIn(credential)
      const ceremony = readCeremony({ type: 'webauthn.create', origin: own, ...given })
      const isNew = ceremony !== null && (await redeemChallenge('new-passkey', ceremony.challenge, userId))
      if (ceremony === null || !isNew || ceremony.credentialId !== given.id) throw passkeyRejected()
      if ((await importKey(given.publicKey, given.algorithm)) === null)
        throw invalid('algorithm', 'is not one that this app accepts')
      const passkey = {
        id: given.id,
        name: textIn(name, NAME_CHARS_MAX).trim() || 'Passkey',
        createdAt: new Date().toISOString(),
        lastUsedAt: null,
      }
      const isAdded = await account(userId).account('addPasskey', {
        ...passkey,
        key: toBase64Url(given.publicKey),
        algorithm: given.algorithm,
        rpId: own.hostname,
        counter: ceremony.counter,
      })
      if (!isAdded) throw new ApiError('conflict', 'You already have 20 passkeys. Remove one first.')
      await auth.storeMethods(userId)
      return passkey
    },

    signInPasskey: async ({ origin, credential, device, from }) => {
      requireMethod(settings.methods.passkey)
      await auth.admit(from)
      const own = originIn(origin)
      const { userHandle: userId, signature, id, ...given } = assertionIn(credential)
      const ceremony = readCeremony({ type: 'webauthn.get', origin: own, ...given })
      if (ceremony === null || !(await redeemChallenge('passkey', ceremony.challenge, null)))
        throw passkeyRejected()
      // `find` returns null for a person who is being erased. Their account may still exist, but must not be used to sign in.
      const isThere = isUserId(userId) && (await directory.users('find', { id: userId })) !== null
      const passkey = isThere ? await account(userId).account('passkey', { id }) : null
      if (passkey === null || passkey.rpId !== own.hostname) throw passkeyRejected()
      const key = requireBytes(passkey.key, 'key')
      if (!(await isSigned(given, signature, { key, algorithm: passkey.algorithm }))) throw passkeyRejected()
      if (!(await account(userId).account('usePasskey', { id, counter: ceremony.counter })))
        throw passkeyRejected()
      return auth.openSession(await auth.userOf(userId), device)
    },

    passkeys: async ({ session }) => account((await auth.require(session)).userId).account('passkeys', null),

    removePasskey: async ({ session, id }) => {
      await auth.requireOpen()
      const { userId } = await auth.require(session)
      const passkeyId = textIn(id, CREDENTIAL_FIELD_BYTES_MAX)
      const isLastKept = !(await hasOtherMethod(userId))
      if (!(await account(userId).account('removePasskey', { id: passkeyId, isLastKept }))) {
        if ((await account(userId).account('passkey', { id: passkeyId })) === null)
          throw new ApiError('not_found', 'There is no such passkey.')
        throw new ApiError('conflict', 'This is your only way to sign in.')
      }
      await auth.storeMethods(userId)
      return null
    },
  }
}

/** Every failure has the same error, so that a caller cannot find out which passkeys exist. */
const passkeyRejected = () => new ApiError('unauthorized', 'This passkey was not accepted.')

function newCredentialIn(value: unknown) {
  const { id, publicKey, algorithm, clientData, authenticatorData } =
    requireCredentialPart<NewCredential>(value)
  return {
    id: credentialId(id),
    publicKey: requireBytes(publicKey, 'publicKey'),
    algorithm: Number(algorithm),
    clientData: requireBytes(clientData, 'clientData'),
    authenticatorData: requireBytes(authenticatorData, 'authenticatorData'),
  }
}

function assertionIn(value: unknown) {
  const { id, userHandle, clientData, authenticatorData, signature } = requireCredentialPart<Assertion>(value)
  return {
    id: credentialId(id),
    userHandle: new TextDecoder().decode(requireBytes(userHandle, 'userHandle')),
    clientData: requireBytes(clientData, 'clientData'),
    authenticatorData: requireBytes(authenticatorData, 'authenticatorData'),
    signature: requireBytes(signature, 'signature'),
  }
}

/** Returns the value as an object with unchecked fields. Throws when it is not an object. */
function requireCredentialPart<Fields>(value: unknown): Partial<Record<keyof Fields, unknown>> {
  if (typeof value !== 'object' || value === null) throw invalid('credential', 'must be an object')
  return value
}

const credentialId = (value: unknown): string => toBase64Url(requireBytes(value, 'id'))

function requireBytes(value: unknown, field: string): Uint8Array<ArrayBuffer> {
  if (typeof value !== 'string' || value.length > CREDENTIAL_FIELD_BYTES_MAX || !/^[\w-]+$/.test(value))
    throw invalid(field, 'must be base64url')
  return fromBase64Url(value)
}
