import { SlipwayError } from '@slipway/sdk/errors.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { authText } from '../../text/auth.en.ts'
import { readAuth, sendAuth } from '../request/auth-words.ts'

export interface Passkey {
  id: string
  name: string | null
  createdAt: string | null
  /** Whether the provider of the passkey keeps a copy, so that it outlives the device. */
  backedUp: boolean
}

export const passkeysQuery = () =>
  queryOptions({
    queryKey: queryKeys.account.passkeys,
    queryFn: () => readAuth<Passkey[]>('/passkey/list-user-passkeys'),
  })

/** Whether this browser knows passkeys at all. */
export const canUsePasskeys = () =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Signs in with a passkey the browser offers. Refusals: `passkey_cancelled`, `passkey_not_found`, `authentication_failed`. */
export async function signInWithPasskey(): Promise<void> {
  const options = await readAuth<PublicKeyCredentialRequestOptionsJSON>(
    '/passkey/generate-authenticate-options',
  )
  const credential = await ask(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
  await sendAuth('/passkey/verify-authentication', { response: credential.toJSON() })
}

/** Makes a passkey on this device for the person who is signed in. Refusals: `passkey_exists`, `session_not_fresh`. */
export async function addPasskey(name: string): Promise<void> {
  const options = await readAuth<PublicKeyCredentialCreationOptionsJSON>('/passkey/generate-register-options')
  const credential = await ask(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
  await sendAuth('/passkey/verify-registration', { response: credential.toJSON(), name })
}

export const renamePasskey = (id: string, name: string) => sendAuth('/passkey/update-passkey', { id, name })

export const deletePasskey = (id: string) => sendAuth('/passkey/delete-passkey', { id })

/** Runs the browser's own dialog; what a person does there is told by the name of the exception. */
async function ask(ceremony: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ceremony()
    if (credential instanceof PublicKeyCredential) return credential
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : ''
    if (name === 'InvalidStateError') throw refusal('passkey_exists', cause)
    if (name !== 'NotAllowedError' && name !== 'AbortError') throw refusal('passkey_unusable', cause)
  }
  throw refusal('passkey_cancelled', null)
}

const refusal = (code: keyof typeof authText.codes, cause: unknown) =>
  new SlipwayError(authText.codes[code], { code, status: 0, cause })
