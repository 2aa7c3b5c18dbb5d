import type { Connections, HistoryEvent, Version } from '@slipway/sdk/client/types.gen.ts'

export type BackupState =
  | { kind: 'not_connected' | 'refused' }
  | { kind: 'none' }
  | { kind: 'current'; sha: string; at: string }
  | { kind: 'behind'; sha: string; at: string; count: number }

/** The state of the backup, derived from the connection to the code host and the last push in the history. */
export function backupState(
  github: Pick<Connections['github'], 'status'>,
  history: readonly HistoryEvent[],
  versions: readonly Pick<Version, 'sha'>[],
): BackupState {
  if (github.status === 'none') return { kind: 'not_connected' }
  if (github.status === 'needs_reconnect') return { kind: 'refused' }
  const last = history.find(({ type }) => type === 'backed_up')
  if (!last?.sha) return { kind: 'none' }
  const { sha, at } = last
  const newer = versions.findIndex((version) => version.sha === sha)
  if (newer === 0) return { kind: 'current', sha, at }
  return { kind: 'behind', sha, at, count: newer === -1 ? versions.length : newer }
}
