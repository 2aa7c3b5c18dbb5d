import type { Script, VersionContent } from '../../types.ts'

/** `lines`: log lines only. `invocations`: each invocation with a log line or a problem. */
export type Observation = 'nothing' | 'lines' | 'invocations'

/** The script's setting wins over the version's. */
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
