import { hasSignature } from '@slipway/runtime/files/media-type.ts'

/** The types that can be attached: models read them, and browsers execute none of them. */
export const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** Detects the type from the bytes, ignoring the declared type; null for anything that cannot be attached. */
export const sniffMediaType = (bytes: Uint8Array): MediaType | null =>
  MEDIA_TYPES.find((type) => hasSignature(type, bytes)) ?? null
