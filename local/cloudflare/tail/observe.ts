import type { Cloud } from '../api/context.ts'
import { readActiveVersion, updateScript } from '../scripts.ts'
import type { Script, ScriptSettings } from '../types.ts'
import { isObserved } from './sessions.ts'

/** Keeps a script's settings; its group is exchanged when it begins or ceases to be observed by them. */
export function saveSettings({ store, apps }: Cloud, script: Script, settings: ScriptSettings): void {
  updateScript(store, { ...script, settings })
  const content = readActiveVersion(store, script.id)?.content
  if (content === undefined || isObserved(script, content) === isObserved({ settings }, content)) return
  apps.afterChange(script.accountId, script.groupId)
}
