import { type Bucket, contentTypeOf, type ReadObject, type StoredObject } from '../../bytes/bucket.ts'
import { successResponse, refusalResponse } from './answers.ts'
import type { PlaceGrant, StampGrant } from './token.ts'

/** The metadata key for the upload that an asset was created from. */
const SOURCE_KEY = 'from'
/**
 * The metadata key that marks an upload as moved. An empty object remains under the upload's key, because its
 * metadata holds the used tokens.
 */
const MOVED_METADATA_KEY = 'moved'

/**
 * Moves an upload to the path where it is served, and stores who may see it in the metadata (`access`). A
 * repeated call returns the moved asset.
 */
export async function placeAsset(grant: PlaceGrant, bucket: Bucket): Promise<Response> {
  const source = await bucket.get(grant.from)
  if (source === null) return refusalResponse(404, 'not_found', 'Nothing was uploaded under this key.')
  const { customMetadata: kept = {} } = source
  if (kept[MOVED_METADATA_KEY] === undefined) {
    await copyObject(bucket, source, grant.key, { access: grant.access, [SOURCE_KEY]: grant.from })
    await bucket.put(grant.from, '', {
      httpMetadata: { contentType: contentTypeOf(source) },
      customMetadata: { ...kept, [MOVED_METADATA_KEY]: 'yes' },
    })
  }
  const placed = await bucket.head(grant.key)
  const isIt = placed?.customMetadata?.[SOURCE_KEY] === grant.from
  return placed !== null && isIt
    ? successResponse(objectFacts(placed))
    : refusalResponse(409, 'conflict', 'Replaced since.')
}

/**
 * Changes who may see an asset: replaces the object's metadata and keeps its bytes. Returns 409 when the
 * object changed between the read and the write.
 */
export async function stamp(grant: StampGrant, bucket: Bucket): Promise<Response> {
  const object = await bucket.get(grant.key)
  if (object === null) return refusalResponse(404, 'not_found', 'There is nothing under this key.')
  const metadata = { ...object.customMetadata, access: grant.access }
  const stored = await copyObject(bucket, object, grant.key, metadata, {
    etagMatches: object.etag,
    // The etag depends only on the content. This condition detects that the same bytes were stored again.
    uploadedBefore: new Date(object.uploaded.getTime() + 1),
  })
  return stored === null
    ? refusalResponse(409, 'conflict', 'Changed meanwhile.')
    : successResponse(objectFacts(stored))
}

function copyObject(
  bucket: Bucket,
  source: ReadObject,
  key: string,
  customMetadata: Record<string, string>,
  onlyIf?: { etagMatches: string; uploadedBefore: Date },
): Promise<StoredObject | null> {
  return bucket.put(key, source.body ?? '', {
    httpMetadata: { contentType: contentTypeOf(source) },
    customMetadata,
    ...(onlyIf === undefined ? {} : { onlyIf }),
  })
}

const objectFacts = (object: StoredObject) => ({
  sizeBytes: object.size,
  contentType: contentTypeOf(object),
  storedAt: object.uploaded.toISOString(),
})
