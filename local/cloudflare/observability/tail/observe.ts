import type { Cloud } from '../../rest/context.ts'
import { readActiveVersion, updateScript } from '../../scripts/scripts.ts'
import type { Script, ScriptSettings } from '../../types.ts'
import { observationOf } from './observation.ts'

/** Keeps a script's settings; its group is exchanged when they change how it is observed. */
export function saveSettings({ store, apps }: Cloud, script: Script, settings: ScriptSettings): void {
  updateScript(store, { ...script, settings })
  const content = readActiveVersion(store, script.id)?.content
  if (content === undefined || observationOf(script, content) === observationOf({ settings }, content)) return
  apps.afterChange(script.accountId, script.groupId)
}
