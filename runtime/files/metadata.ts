import type { FileRef } from './types.ts'

/** The metadata stored with a file's bytes, so that the admin worker can list files from the bucket alone. */
export const metadataOf = ({ name, type, ownerId }: Pick<FileRef, 'name' | 'type' | 'ownerId'>) => ({
  httpMetadata: { contentType: type },
  customMetadata: { name: encodeURIComponent(name), ...(ownerId === null ? {} : { owner: ownerId }) },
})
