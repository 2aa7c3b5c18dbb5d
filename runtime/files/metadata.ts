import type { FileRef } from './types.ts'

/** Stored with the bytes of a file, so that the admin worker can list the bucket alone. */
export const metadataOf = ({ name, type, ownerId }: Pick<FileRef, 'name' | 'type' | 'ownerId'>) => ({
  httpMetadata: { contentType: type },
  customMetadata: { name: encodeURIComponent(name), ...(ownerId === null ? {} : { owner: ownerId }) },
})
