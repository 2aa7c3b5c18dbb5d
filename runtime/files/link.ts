import type { ImageWidth } from './limits.ts'

/** A field of a record that holds a file. */
export interface FilePlace {
  collection: string
  /** Of the record. */
  id: string
  field: string
  /** A team whose record it is. */
  partition?: string | undefined
  /** The value of the field, with which the address changes: browsers show an image again that they know. */
  file?: unknown
  /** Of a picture, in pixels at most. */
  width?: ImageWidth | undefined
}

/** The address of the file in a field, for `src` and `href`: people who may read the record get the bytes. */
export function fileLink(
  { collection, id, field, partition, file, width }: FilePlace,
  isDownload = false,
): string {
  const query = new URLSearchParams({
    ...(partition && { partition }),
    ...(isDownload && { download: '1' }),
    ...(typeof file === 'string' && { file }),
    ...(width !== undefined && { width: String(width) }),
  })
  const path = [collection, id, field].map(encodeURIComponent).join('/')
  return `/_app/files/in/${path}${query.size === 0 ? '' : `?${query.toString()}`}`
}
