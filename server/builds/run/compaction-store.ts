import type { CompactionStore } from '../../agent/loop/compaction.ts'
import type { Workspace } from '../../agent/tools/workspace.ts'
import { transact } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import type { PreparedInput, RunRow } from '../../db/tables/runs.ts'
import type { Core } from '../../platform.ts'
import { buildSnapshot } from './prompt.ts'
import { lockLeasedRun } from './lease.ts'

/**
 * Stores in a run how its conversation with the model was shortened, so that later attempts send the model
 * the same bytes.
 */
export function compactionStore(
  platform: Core,
  run: RunRow,
  state: { prepared: PreparedInput; project: { id: string; name: string }; workspace: Workspace },
): CompactionStore {
  const { prepared, project, workspace } = state
  return {
    current: prepared.compaction ?? null,
    snapshot: () =>
      buildSnapshot({
        projectId: project.id,
        projectName: project.name,
        tree: workspace.tree,
        isNew: false,
        enabled: [...workspace.enabled].sort(),
        recentPaths: changedPaths(workspace),
      }),
    store: (compaction) =>
      transact(platform.db, async (trx) => {
        await lockLeasedRun(trx, run)
        const input = json({ ...run.input, prepared: { ...prepared, compaction } })
        await trx
          .updateTable('runs')
          .set({ input })
          .where('org_id', '=', run.org_id)
          .where('id', '=', run.id)
          .execute()
      }),
  }
}

const changedPaths = ({ base, tree }: Workspace): string[] =>
  [...tree.keys()].filter((path) => tree.get(path) !== base.get(path))
