/** The types that can be attached: models read them, and browsers execute none of them. */
export const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** The first bytes of each type; null matches any byte. */
const SIGNATURES: readonly [MediaType, readonly (number | null)[]][] = [
  ['image/png', [0x89, ...ascii('PNG'), 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', ascii('GIF87a')],
  ['image/gif', ascii('GIF89a')],
  ['image/webp', [...ascii('RIFF'), null, null, null, null, ...ascii('WEBP')]],
  ['application/pdf', ascii('%PDF-')],
]

function ascii(text: string): number[] {
  return [...Buffer.from(text, 'latin1')]
}

/** Detects the type from the bytes, ignoring the declared type; null for anything that cannot be attached. */
export function sniffMediaType(bytes: Uint8Array): MediaType | null {
  const found = SIGNATURES.find(([, signature]) =>
    signature.every((byte, index) => byte === null || bytes[index] === byte),
  )
  return found?.[0] ?? null
}
