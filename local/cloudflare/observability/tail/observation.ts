import type { Script, VersionContent } from '../../types.ts'
import { isRecord } from '../../is-record.ts'

/** Which logs of a worker are recorded. `lines`: log lines only. `invocations`: each invocation with a log line or a problem. */
export type Observation = 'nothing' | 'lines' | 'invocations'

/** Returns which logs of a worker are recorded. The script's setting takes precedence over the version's setting. */
export function observationOf(
  script: Pick<Script, 'settings'>,
  content: Pick<VersionContent, 'observability'>,
): Observation {
  const setting = script.settings.observability ?? content.observability
  if (!isRecord(setting) || setting['enabled'] !== true) return 'nothing'
  const { logs } = setting
  return isRecord(logs) && logs['invocation_logs'] === false ? 'lines' : 'invocations'
}
