import { hasSignature } from '@slipway/runtime/files/media-type.ts'

/** The types that can be attached: models can read them, and browsers run no code in them. */
export const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** Detects the type from the bytes, whatever type was declared. Returns null when it is none of the types above. */
export const sniffMediaType = (bytes: Uint8Array): MediaType | null =>
  MEDIA_TYPES.find((type) => hasSignature(type, bytes)) ?? null
