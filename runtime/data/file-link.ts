import type { ImageWidth } from '../bytes/image-widths.ts'

export interface FileLocation {
  collection: string
  id: string
  field: string
  /** The team's id, for a record in a team's partition. */
  partition?: string | undefined
  /** The field's value, a file id. Part of the address, so that a new file has a new address: browsers cache a picture by its address. */
  file?: unknown
  /** The greatest width in pixels, for a picture. */
  width?: ImageWidth | undefined
}

/** Returns the address of the file in a record's field, for `src` and `href`. The address works for people who may read the record. */
export function fileLink(
  { collection, id, field, partition, file, width }: FileLocation,
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
