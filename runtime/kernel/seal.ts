/** Signs and verifies links, tickets and tokens. */
export class Seal {
  readonly #key: Promise<CryptoKey>

  /** `secret` is 32 bytes encoded as base64. */
  constructor(secret: string) {
    const bytes = Uint8Array.from(atob(secret), (char) => char.charCodeAt(0))
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    this.#key = crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
  }

  static newSecret(): string {
    return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
  }

  /** Signs `text` for one `use`. The signature is not valid for another use. */
  async sign(use: string, text: string): Promise<string> {
    const signature = await crypto.subtle.sign('HMAC', await this.#key, bytesToSign(use, text))
    return toBase64Url(new Uint8Array(signature))
  }

  async isGood(use: string, text: string, signature: string): Promise<boolean> {
    const bytes = decodeKey(signature)
    return (
      bytes !== null && (await crypto.subtle.verify('HMAC', await this.#key, bytes, bytesToSign(use, text)))
    )
  }
}

const bytesToSign = (use: string, text: string) => new TextEncoder().encode(`${use}\n${text}`)

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function decodeKey(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]{43}$/.test(text)) return null
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
}
