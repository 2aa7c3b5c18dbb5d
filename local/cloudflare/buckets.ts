import { hexId } from '../world/ids.ts'
import type { Row, Store } from '../world/store.ts'

/** An R2 bucket; its objects lie in the state of its group. */
export interface Bucket {
  id: string
  accountId: string
  groupId: string
  name: string
  location: string
  storageClass: string
  createdAt: number
}

function toBucket(row: Row): Bucket {
  return {
    id: row['id'] as string,
    accountId: row['account_id'] as string,
    groupId: row['group_id'] as string,
    name: row['name'] as string,
    location: row['location'] as string,
    storageClass: row['storage_class'] as string,
    createdAt: row['created_at'] as number,
  }
}

export function findBucket(store: Store, accountId: string, name: string): Bucket | null {
  const row = store.get('SELECT * FROM buckets WHERE account_id = ? AND name = ?', accountId, name)
  return row === undefined ? null : toBucket(row)
}

export function listBuckets(store: Store, accountId: string): Bucket[] {
  return store.all('SELECT * FROM buckets WHERE account_id = ? ORDER BY name', accountId).map(toBucket)
}

export function listGroupBuckets(store: Store, groupId: string): Bucket[] {
  return store.all('SELECT * FROM buckets WHERE group_id = ? ORDER BY name', groupId).map(toBucket)
}

/** Its id is new each time: a bucket made again under an old name must not find the old objects. */
export function insertBucket(
  store: Store,
  bucket: Pick<Bucket, 'accountId' | 'groupId' | 'name' | 'location' | 'storageClass' | 'createdAt'>,
): Bucket {
  const made = { id: hexId(), ...bucket }
  store.run(
    `INSERT INTO buckets (id, account_id, group_id, name, location, storage_class, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    made.id,
    made.accountId,
    made.groupId,
    made.name,
    made.location,
    made.storageClass,
    made.createdAt,
  )
  return made
}

export function deleteBucket(store: Store, bucket: Bucket): void {
  store.run('DELETE FROM buckets WHERE id = ?', bucket.id)
}
