import { directoryOf, partitionOf } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import { budgetHandlers } from './budget.ts'
import { MigrationSweep } from './migration-sweep.ts'
import type { Methods } from './object-types.ts'
import { directoryPage } from './page.ts'
import { type DirectoryReads, reads } from './reads.ts'
import { DirectoryStore } from './store.ts'

const createDirectory = ({ ctx }: PartContext) => new DirectoryStore(ctx.storage)
const createBudget = ({ ctx }: PartContext) => budgetHandlers(ctx.storage)

function createMigrations(parts: PartContext): MigrationSweep {
  const { env, tier, hold } = parts
  return new MigrationSweep({
    backlog: parts.dir.backlog,
    alarms: parts.alarms,
    hold,
    migrate: (partition, hash, manifest) => partitionOf(env.OBJECTS, tier, partition).migrate(hash, manifest),
    report: parts.reporter('migrations'),
  })
}

/** Reindexes a large collection in steps, so that no call waits for all of it. */
function continueReindexing({ dir, alarms }: PartContext): void {
  if (dir.reindexSome()) alarms.set('reindex', Date.now())
}

function continueDirectoryWork(parts: PartContext): void {
  continueReindexing(parts)
  parts.once(createMigrations).start()
}

export const part: Part<Methods, object, DirectoryReads, 'dir' | 'budget'> = {
  members: {
    dir: (parts) => parts.once(createDirectory),
    budget: (parts) => parts.once(createBudget),
  },
  methods: {
    budget: (parts) => async (kind, ask) => parts.once(createBudget)[kind](ask),
    dirPrepare: (parts) => async (hash, manifest) => {
      parts.dir.prepare(hash, manifest, new Date().toISOString())
      continueDirectoryWork(parts)
    },
    dirActivate: (parts) => async (hash) => {
      parts.dir.activate(hash)
      continueDirectoryWork(parts)
    },
    dirActive: (parts) => async () => parts.dir.active(),
    dirManifest: (parts) => async (hash) => parts.dir.readManifest(hash),
    dirApply: (parts) => async (partition, batch) => {
      // A batch may arrive after its partition was erased. It is then dropped.
      if (parts.isKnown(partition)) parts.dir.apply(partition, batch)
    },
    dirForget: (parts) => async (partition) => parts.dir.forget(partition),
    dirCount: (parts) => async (partition) => parts.dir.count(partition),
    dirPartitions: (parts) => async () => parts.dir.partitions(),
    dirTotals: (parts) => async () => parts.dir.totals(),
    dirNewest: (parts) => async (collection, limit) => parts.dir.newest(collection, limit),
    dirPage: (parts) => async (collection, query) => directoryPage(parts.ctx.storage, collection, query),
    dirHolds: (parts) => async (collection, partition, id) => parts.dir.holds(collection, partition, id),
    dirSearch: (parts) => async (collection, search) => parts.dir.search(collection, search),
    dirSpend: (parts) => async (jti, expiresAt) => parts.dir.spend(jti, expiresAt, Date.now()),
  },
  reads,
  erasure: {
    count: async ({ objects, tier, userId }) => ({
      removed: { searchEntries: await directoryOf(objects, tier).dirCount(userId) },
    }),
    forget: ({ objects, tier, userId }) => directoryOf(objects, tier).dirForget(userId),
  },
  wake: {
    directory: { reindex: continueReindexing, migrations: (parts) => parts.once(createMigrations).wake() },
  },
}
