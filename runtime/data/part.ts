import { unwrapResult } from '../kernel/errors.ts'
import { accountOf, directoryOf, filesOf, partitionOf } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import { Partition } from './partition/partition.ts'

function createPartition(parts: PartContext): Partition {
  const { env, tier, partition } = parts
  return new Partition(parts, {
    send: (batch) => directoryOf(env.OBJECTS, tier).dirApply(partition, batch),
    askApp: (collection, ids) => partitionOf(env.OBJECTS, tier, 'app').holding(collection, ids),
    callFiles: async (ids) => unwrapResult(await filesOf(env.OBJECTS, tier).files('owners', { ids })),
    actorHere: parts.actorHere,
    vectors: parts.vectors,
    changed: (log) => parts.changed(log),
  })
}

/** The RPC methods for records are in the class of the Durable Object, because they also use its sockets and its shared commits. */
export const part: Part<object, object, object, 'own' | 'appRecords'> = {
  members: {
    own: (parts) => parts.once(createPartition),
    appRecords: (parts) => ({
      manifest: (hash) => parts.own.manifest(hash),
      write: (manifest, ops) => parts.own.writeAsApp(manifest, ops),
      read: (collection, id) => parts.own.fieldsOf(collection, id),
    }),
  },
  erasure: {
    count: async ({ objects, tier, userId }) => ({
      removed: { records: await accountOf(objects, tier, userId).countRecords() },
      kept: { sharedRecords: await partitionOf(objects, tier, 'app').countOwned(userId) },
    }),
    erase: ({ objects, tier, userId }) => partitionOf(objects, tier, 'app').disown(userId),
  },
}
