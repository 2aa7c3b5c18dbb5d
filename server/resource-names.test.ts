import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketName, uploadsName, workerOfBucket } from './resource-names.ts'

test("the Worker that can empty a bucket is derived from the bucket's name, whatever the project's slug ends with", () => {
  for (const slug of ['app', 'my-app', 'my-files', 'files-pv', 'a-1']) {
    const project = { slug }
    const worker = { role: 'admin', slug, name: `${slug}-admin`, capability: 'files' }
    assert.deepEqual(workerOfBucket(bucketName(project, 'files', 'production')), {
      ...worker,
      tier: 'production',
    })
    assert.deepEqual(workerOfBucket(bucketName(project, 'files', 'preview')), { ...worker, tier: 'preview' })
    assert.deepEqual(workerOfBucket(uploadsName(project)), { role: 'uploads', slug, name: `${slug}-assets` })
  }
  assert.equal(workerOfBucket('files'), null)
})
