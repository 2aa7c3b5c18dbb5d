import type { FileRef } from './types.ts'

/** What is kept with the bytes of a file, so that its owner's console can list the bucket alone. */
export const metadataOf = ({ name, type, ownerId }: Pick<FileRef, 'name' | 'type' | 'ownerId'>) => ({
  httpMetadata: { contentType: type },
  customMetadata: { name: encodeURIComponent(name), ...(ownerId === null ? {} : { owner: ownerId }) },
})
