// Declares the part of Node's modules that the platform uses. An app's repository does not install `@types/node`,
// because the type checker would then accept Node's globals in the app's pages.
declare module 'node:buffer' {
  type Encoding = 'utf8' | 'hex' | 'base64' | 'base64url'
  /** Not declared as a global, because the type checker would then accept it in the app's pages, too. */
  export class Buffer extends Uint8Array<ArrayBuffer> {
    static from(text: string, encoding?: Encoding): Buffer
    static from(bytes: Uint8Array | ArrayBuffer): Buffer
    static concat(parts: readonly Uint8Array[]): Buffer
    equals(other: Uint8Array): boolean
    override toString(encoding?: Encoding): string
  }
}

declare module 'node:zlib' {
  export function crc32(data: Uint8Array): number
  export function deflateSync(data: Uint8Array, options: { level: number }): Uint8Array
}

declare module 'node:crypto' {
  import type { Buffer } from 'node:buffer'

  interface Hash {
    update(data: string | Uint8Array): Hash
    digest(): Buffer
    digest(encoding: 'hex' | 'base64url'): string
  }
  interface Cost {
    N: number
    r: number
    p: number
  }
  export function createHash(algorithm: 'sha256'): Hash
  export function createHmac(algorithm: 'sha256', key: string | Uint8Array): Hash
  export function randomBytes(size: number): Buffer
  export function randomInt(below: number): number
  export function scrypt(
    password: string,
    salt: Uint8Array,
    keyBytes: number,
    cost: Cost,
    done: (error: Error | null, key: Buffer) => void,
  ): void
  export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean
}
