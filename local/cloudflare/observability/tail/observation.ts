import type { Script, VersionContent } from '../../types.ts'

/** What is kept of a worker: nothing, what it writes, or each invocation that had a line or a problem. */
export type Observation = 'nothing' | 'lines' | 'invocations'

/** What is kept of what a worker does: the setting of the script says it, or that of the version when there is none. */
export function observationOf(
  script: Pick<Script, 'settings'>,
  content: Pick<VersionContent, 'observability'>,
): Observation {
  const setting = script.settings.observability ?? content.observability
  if (!isRecord(setting) || setting['enabled'] !== true) return 'nothing'
  const { logs } = setting
  return isRecord(logs) && logs['invocation_logs'] === false ? 'lines' : 'invocations'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
