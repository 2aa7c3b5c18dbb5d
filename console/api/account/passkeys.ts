import { SlipwayError } from '@slipway/sdk/errors.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { authText } from '../../text/auth.en.ts'
import { readAuth, sendAuth } from '../request/auth-messages.ts'

/** A passkey of the user as the sign-in library lists it. `name` is null for a passkey that was registered without one. */
export interface Passkey {
  id: string
  name: string | null
  createdAt: string | null
  /** Whether the passkey is synchronized, so that it is not lost with the device. */
  backedUp: boolean
}

export const passkeysQuery = () =>
  queryOptions({
    queryKey: queryKeys.account.passkeys,
    queryFn: () => readAuth<Passkey[]>('/passkey/list-user-passkeys'),
  })

/** Whether this browser can use passkeys on this page. False on a page without https, where the browser does not offer them. */
export const canUsePasskeys = () =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Signs in with a passkey. Typical error codes: `passkey_cancelled`, `passkey_not_found`, `authentication_failed`. */
export async function signInWithPasskey(): Promise<void> {
  const options = await readAuth<PublicKeyCredentialRequestOptionsJSON>(
    '/passkey/generate-authenticate-options',
  )
  const credential = await requestCredential(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
  await sendAuth('/passkey/verify-authentication', { response: credential.toJSON() })
}

/**
 * Registers a passkey of this device for the signed-in user. Typical error codes: `passkey_exists`, `session_not_fresh`.
 */
export async function addPasskey(name: string): Promise<void> {
  const options = await readAuth<PublicKeyCredentialCreationOptionsJSON>('/passkey/generate-register-options')
  const credential = await requestCredential(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
  await sendAuth('/passkey/verify-registration', { response: credential.toJSON(), name })
}

export const renamePasskey = (id: string, name: string) => sendAuth('/passkey/update-passkey', { id, name })

/** Removes the passkey from the account only. The browser or password manager keeps its copy, which no longer signs in. */
export const deletePasskey = (id: string) => sendAuth('/passkey/delete-passkey', { id })

/** Opens the browser's passkey dialog. Turns a `DOMException` into an error with one of the console's codes. */
async function requestCredential(ceremony: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ceremony()
    if (credential instanceof PublicKeyCredential) return credential
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : ''
    if (name === 'InvalidStateError') throw passkeyError('passkey_exists', cause)
    if (name !== 'NotAllowedError' && name !== 'AbortError') throw passkeyError('passkey_unusable', cause)
  }
  throw passkeyError('passkey_cancelled', null)
}

const passkeyError = (code: keyof typeof authText.codes, cause: unknown) =>
  new SlipwayError(authText.codes[code], { code, status: 0, cause })
