import { ApiError } from '../kernel/errors.ts'
import { fromBase64Url, toBase64Url } from '../kernel/bytes.ts'
import { VAULT_BINDING } from './settings.ts'
import { sha256Hex } from '../kernel/secrets.ts'
import { fieldsOf } from '../kernel/fields.ts'

const IV_BYTES = 12
const KEY_ID_CHARS = 8

interface VaultKey {
  id: string
  key: CryptoKey
}

/** The tier, person and service to which a credential belongs. The credential cannot be decrypted for any other place. */
export interface VaultPlace {
  tier: string
  userId: string
  provider: string
}

let cachedKeys: { text: string; keys: Promise<VaultKey[]> } | null = null

/**
 * Encrypts with AES-GCM and the keys of the project. There may be several keys, separated by spaces: the first one encrypts, the others
 * only decrypt older values. Throws `unavailable` when there is no key.
 */
export function openVault(env: unknown): Vault {
  const text = fieldsOf(env)[VAULT_BINDING]
  if (typeof text !== 'string' || text === '')
    throw new ApiError(
      'unavailable',
      'The vault of connected accounts has no key yet. Ship the project again.',
    )
  if (cachedKeys?.text !== text) cachedKeys = { text, keys: Promise.all(text.split(' ').map(importVaultKey)) }
  return new Vault(cachedKeys.keys)
}

async function importVaultKey(text: string): Promise<VaultKey> {
  const bytes = fromBase64Url(text)
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
  return { id: sha256Hex(bytes).slice(0, KEY_ID_CHARS), key }
}

class Vault {
  readonly #keys: Promise<VaultKey[]>

  constructor(keys: Promise<VaultKey[]>) {
    this.#keys = keys
  }

  /** Returns the encrypted text as `<key id>.<iv>.<ciphertext>`. */
  async seal(place: VaultPlace, text: string): Promise<string> {
    const [first] = await this.#keys
    if (first === undefined) throw new Error('the vault has no key')
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const sealed = await crypto.subtle.encrypt(
      aesGcmOptions(place, first.id, iv),
      first.key,
      encodeText(text),
    )
    return [first.id, toBase64Url(iv), toBase64Url(sealed)].join('.')
  }

  /**
   * Decrypts a value. Returns null when its key no longer exists, or when it was encrypted for another place. `isOld` means that
   * an older key was used, so the caller encrypts the value again.
   */
  async open(place: VaultPlace, sealed: string): Promise<{ text: string; isOld: boolean } | null> {
    const [id = '', iv = '', data = ''] = sealed.split('.')
    const keys = await this.#keys
    const at = keys.findIndex((one) => one.id === id)
    const found = keys[at]
    if (found === undefined) return null
    try {
      const options = aesGcmOptions(place, id, fromBase64Url(iv))
      const bytes = await crypto.subtle.decrypt(options, found.key, fromBase64Url(data))
      return { text: new TextDecoder().decode(bytes), isOld: at > 0 }
    } catch {
      return null
    }
  }
}

const encodeText = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const aesGcmOptions = (
  { tier, userId, provider }: VaultPlace,
  keyId: string,
  iv: Uint8Array<ArrayBuffer>,
) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encodeText([tier, userId, provider, keyId].join('|')),
})
