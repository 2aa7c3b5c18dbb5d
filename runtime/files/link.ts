import type { ImageWidth } from './limits.ts'

export interface FilePlace {
  collection: string
  id: string
  field: string
  /** The id of the team, for a record of a team. */
  partition?: string | undefined
  /**
   * The value of the field. It makes the address change with the file, because browsers reuse a picture under the same address.
   */
  file?: unknown
  /** Only for a picture: at most so many pixels wide. */
  width?: ImageWidth | undefined
}

/** The address of the file in a field, for `src` and `href`. It works for people who may read the record. */
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
