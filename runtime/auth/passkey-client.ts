import { ApiError } from '../kernel/errors.ts'
import type { Assertion, AuthCalls, NewCredential, PasskeyOptions } from './types.ts'

export type NewPasskeyOptions = AuthCalls['newPasskeyOptions']['answer']

/** The COSE numbers of the accepted algorithms: ES256, EdDSA and RS256. */
const KEY_ALGORITHMS = [-7, -8, -257]

/** Creates a passkey in the browser. Throws when the person cancels. */
export async function makePasskey(options: NewPasskeyOptions): Promise<NewCredential> {
  const { challenge, rpId, timeoutMs, user, known } = options
  const made = await askAuthenticator(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: toBytes(challenge),
        rp: { id: rpId, name: document.title },
        user: { ...user, id: new TextEncoder().encode(user.id) },
        pubKeyCredParams: KEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        timeout: timeoutMs,
        attestation: 'none',
        excludeCredentials: known.map((id) => ({ type: 'public-key', id: toBytes(id) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    }),
  )
  const response = made.response as AuthenticatorAttestationResponse
  const publicKey = response.getPublicKey()
  if (publicKey === null)
    throw new ApiError('invalid_request', 'This device creates keys that this app does not support.')
  return {
    id: toBase64Url(made.rawId),
    publicKey: toBase64Url(publicKey),
    algorithm: response.getPublicKeyAlgorithm(),
    clientData: toBase64Url(response.clientDataJSON),
    authenticatorData: toBase64Url(response.getAuthenticatorData()),
  }
}

/** Signs in with a passkey in the browser. Throws when the person cancels. */
export async function usePasskey({ challenge, rpId, timeoutMs }: PasskeyOptions): Promise<Assertion> {
  const used = await askAuthenticator(() =>
    navigator.credentials.get({
      publicKey: { challenge: toBytes(challenge), rpId, timeout: timeoutMs, userVerification: 'required' },
    }),
  )
  const response = used.response as AuthenticatorAssertionResponse
  return {
    id: toBase64Url(used.rawId),
    userHandle: toBase64Url(response.userHandle ?? new ArrayBuffer(0)),
    clientData: toBase64Url(response.clientDataJSON),
    authenticatorData: toBase64Url(response.authenticatorData),
    signature: toBase64Url(response.signature),
  }
}

async function askAuthenticator(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null
  try {
    credential = await ask()
  } catch (cause) {
    const isKnown = cause instanceof DOMException && cause.name === 'InvalidStateError'
    const message = isKnown
      ? 'This device already has a passkey for this account.'
      : 'No passkey was used. Try again, or sign in in another way.'
    throw new ApiError('unauthorized', message, { cause })
  }
  if (credential instanceof PublicKeyCredential) return credential
  throw new ApiError('unauthorized', 'No passkey was used.')
}

const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
