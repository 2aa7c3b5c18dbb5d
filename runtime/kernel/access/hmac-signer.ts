import { fromBase64Url, toBase64Url } from '../bytes.ts'

const SIGNATURE_PATTERN = /^[\w-]{43}$/

/** Signs and verifies links, tickets and tokens. */
export class HmacSigner {
  readonly #key: Promise<CryptoKey>

  /** `secret` is 32 bytes encoded as base64. */
  constructor(secret: string) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    this.#key = crypto.subtle.importKey('raw', fromBase64Url(secret), algorithm, false, ['sign', 'verify'])
  }

  /** Signs `text` for one `use`. The signature is not valid for another use. */
  async sign(use: string, text: string): Promise<string> {
    const signature = await crypto.subtle.sign('HMAC', await this.#key, bytesToSign(use, text))
    return toBase64Url(signature)
  }

  async verify(use: string, text: string, signature: string): Promise<boolean> {
    if (!SIGNATURE_PATTERN.test(signature)) return false
    return await crypto.subtle.verify(
      'HMAC',
      await this.#key,
      fromBase64Url(signature),
      bytesToSign(use, text),
    )
  }
}

const bytesToSign = (use: string, text: string) => new TextEncoder().encode(`${use}\n${text}`)
